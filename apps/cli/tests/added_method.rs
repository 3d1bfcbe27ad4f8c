//! The command with a method that no program has: it is there in everything that is made from the registry. The test starts itself
//! as the command, with the method added first; so it is no test of the harness, and answers its questions itself.

use glam::Vec3;
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, ExitCode},
};
use supple_testkit::toy;

const AS_COMMAND: &str = "SUPPLE_WITH_TOY";

fn main() -> ExitCode {
    if std::env::var_os(AS_COMMAND).is_some() {
        toy::add();
        return supple_cli::main();
    }
    let words: Vec<String> = std::env::args().collect();
    let asked = |word: &str| words.iter().any(|w| w == word);
    if asked("--list") {
        if !asked("--ignored") {
            println!("an_added_method_is_in_the_whole_command: test");
        }
        return ExitCode::SUCCESS;
    }
    an_added_method_is_in_the_command();
    what_it_remembers_is_the_same_however_a_clip_is_shared_out();
    its_kernel_runs_on_a_device();
    ExitCode::SUCCESS
}

fn an_added_method_is_in_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let list = fine(folder, &["methods"]);
    // Columns are as wide as their longest word.
    let rows: Vec<String> = list.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in ["toy", "push 0.5 0 to 2 metres how far a push goes", "back false true, false"] {
        assert!(rows.iter().any(|r| r.starts_with(row)), "{row}: {list}");
    }
    let whole: Value = serde_json::from_str(&fine(folder, &["methods", "toy", "--json"])).expect("JSON");
    let settings = whole[0]["settings"].as_array().expect("its settings");
    let setting = |name: &str| settings.iter().find(|s| s["name"] == name).expect(name);
    assert_eq!((&setting("back")["type"], &setting("back")["default"]), (&"flag".into(), &"false".into()));
    assert_eq!(setting("joints")["fields"][0]["name"], "still");

    fine(folder, &["example", "arm", "--vertices", "700", "-o", "arm.glb"]);
    let points = |words: &[&str]| {
        fine(folder, &[&["deform", "arm.glb", "--rest", "-o", "out.obj", "-m", "toy"], words].concat());
        supple::read::path(folder.join("out.obj")).expect("points").rig.mesh.positions
    };
    let still = points(&["--set", "times=0"]);
    let pushed = points(&["--set", "push=0.25", "--set", "back=true", "--set", "axis=y"]);
    for (a, b) in still.iter().zip(&pushed) {
        assert!((*b - *a - Vec3::new(0.0, -0.25, 0.0)).length() < 1e-5, "{a} to {b}");
    }
    assert_eq!(points(&["--set", "times=0", "--set", "joints.forearm.still=true"]), still);
    for (setting, says) in [
        ("psuh=1", "toy has no setting \"psuh\"; did you mean \"push\"?"),
        ("push=3", "a number of metres from 0 to 2 is expected"),
        ("joints.forearm.stil=true", "no field is called \"stil\"; did you mean \"still\"?"),
    ] {
        let errors = refused(folder, &["deform", "arm.glb", "-m", "toy", "--set", setting, "-o", "out.obj"]);
        assert!(errors.contains(says), "{setting}: {errors}");
    }
    let row = fine(folder, &["bench", "arm.glb", "--filter", "toy", "--seconds", "0", "--json"]);
    let row: Value = serde_json::from_str(row.lines().next().expect("a row")).expect("JSON");
    assert_eq!(row["method"], "toy", "{row}");
}

fn what_it_remembers_is_the_same_however_a_clip_is_shared_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, &["example", "arm", "--vertices", "700", "-o", "arm.glb"]);
    let frames = |words: &[&str]| {
        let toy =
            ["bake", "arm.glb", "--clip", "0", "--fps", "10", "-m", "toy", "--set", "drift=0.125", "-o", "out.pc2"];
        fine(folder, &[&toy[..], words].concat());
        std::fs::read(folder.join("out.pc2")).expect("written")[32..].to_vec()
    };
    let whole = frames(&[]);
    let shared: Vec<u8> = ["1/3", "2/3", "3/3"].iter().flat_map(|share| frames(&["--shard", share])).collect();
    assert!(shared == whole, "a shard that starts late is not what the whole clip has there");
    let one = 12 * supple::read::path(folder.join("arm.glb")).expect("an arm").rig.mesh.positions.len();
    let height =
        |frame: usize| f32::from_le_bytes(whole[frame * one + 4..frame * one + 8].try_into().expect("a float"));
    assert!((height(4) - height(0) - 0.5).abs() < 1e-5, "the frames do not follow each other");
    assert!(frames(&["--frames", "4..5"]) == whole[4 * one..5 * one], "a frame alone forgets those before");
    assert!(frames(&["--set", "drift=0"]) != whole);
}

fn its_kernel_runs_on_a_device() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, &["example", "arm", "--vertices", "700", "-o", "arm.glb"]);
    let explained = |device: &str| -> Value {
        let toy = ["explain", "arm.glb", "--bend", "forearm=20", "-m", "toy", "--set", "drift=0.125", "--json"];
        let text = fine(folder, &[&toy[..], &["--device", device]].concat());
        serde_json::from_str::<Value>(&text).expect("JSON")[0].clone()
    };
    let (here, there) = (explained("cpu"), explained("gpu"));
    assert_eq!((&here["on_device"], &here["remembers"]), (&false.into(), &true.into()), "{here}");
    assert_eq!((&there["on_device"], &there["remembers"]), (&true.into(), &true.into()), "{there}");
    let points = |device: &str| {
        let toy = ["deform", "arm.glb", "--rest", "-m", "toy", "--set", "times=3", "-o", "out.obj"];
        fine(folder, &[&toy[..], &["--device", device]].concat());
        supple::read::path(folder.join("out.obj")).expect("points").rig.mesh.positions
    };
    for (a, b) in points("cpu").iter().zip(&points("gpu")) {
        assert!(a.distance(*b) < 1e-5, "{a} and {b}");
    }
    let row = fine(folder, &["bench", "arm.glb", "--filter", "toy", "--seconds", "0", "--json", "--device", "gpu"]);
    assert!(row.lines().any(|l| l.contains("\"toy\"")), "{row}");
}

fn run(folder: &Path, words: &[&str]) -> std::process::Output {
    let itself = std::env::current_exe().expect("this program");
    let mut command = Command::new(itself);
    command.env(AS_COMMAND, "yes").current_dir(folder).args(words);
    if !words.contains(&"--device") {
        command.args(["--device", "cpu"]);
    }
    command.output().expect("the command starts")
}

fn fine(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).expect("text")
}
