//! No command replaces a file that it reads, however the one and the other are named.

mod command;

use command::{fine, folder_with_arm, refused, said};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Commands that write: the words, where `OUT` stands for the output, its ending, and every file that is read.
const CASES: [(&str, &str, &[&str]); 27] = [
    ("deform arm.glb --pose pose.json -o OUT", "obj", &["arm.glb", "pose.json"]),
    ("deform arm.glb --clip motion.bvh -o OUT", "ply", &["arm.glb", "motion.bvh"]),
    ("deform statue.ply --model statue.json --rest -o OUT", "ply", &["statue.ply", "statue.json"]),
    (
        "bake statue.ply --model statue.json --clip walk.bvh --fps 5 -o OUT",
        "pc2",
        &["statue.ply", "statue.json", "walk.bvh"],
    ),
    ("render statue.ply --model statue.json --size 32x32 -o OUT", "png", &["statue.ply", "statue.json"]),
    ("compare statue.ply --model statue.json --rest --methods baseline -o FOLDER", "", &["statue.ply", "statue.json"]),
    ("deform --project work.json -o OUT", "glb", &["work.json", "arm.glb"]),
    ("deform body.gltf -o OUT", "usda", &["body.gltf", "body.bin", "skin.png"]),
    ("bake arm.glb --clip motion.bvh --fps 5 -o OUT", "pc2", &["arm.glb", "motion.bvh"]),
    ("bake --project work.json --clip 0 --fps 5 -o OUT", "glb", &["work.json", "arm.glb"]),
    (
        "render body.gltf --pose pose.json --size 32x32 -o OUT",
        "png",
        &["body.gltf", "body.bin", "skin.png", "pose.json"],
    ),
    ("render arm.glb --clip motion.bvh --size 32x32 -o OUT", "png", &["arm.glb", "motion.bvh"]),
    ("render --project work.json --size 32x32 -o OUT", "png", &["work.json", "arm.glb"]),
    ("bake --project moved.json --clip 0 --fps 5 -o OUT", "pc2", &["moved.json", "arm.glb", "motion.bvh"]),
    ("retarget arm.glb --clip motion.bvh --name new -o OUT", "glb", &["arm.glb", "motion.bvh"]),
    ("segment arm.glb -o OUT", "glb", &["arm.glb"]),
    ("bind arm.glb --skeleton other.glb --weights nearest -o OUT", "glb", &["arm.glb", "other.glb"]),
    ("bind body.gltf --weights nearest -o OUT", "glb", &["body.gltf", "body.bin", "skin.png"]),
    ("fit arm.glb --template hand --grid 32 -o OUT", "glb", &["arm.glb"]),
    ("weights smooth arm.glb -o OUT", "glb", &["arm.glb"]),
    ("weights limit body.gltf -o OUT", "glb", &["body.gltf", "body.bin", "skin.png"]),
    ("weights normalize arm.glb -o OUT", "glb", &["arm.glb"]),
    ("weights prune arm.glb -o OUT", "glb", &["arm.glb"]),
    ("weights mirror arm.glb --from +x -o OUT", "glb", &["arm.glb"]),
    ("weights transfer arm.glb --from other.glb -o OUT", "glb", &["arm.glb", "other.glb"]),
    ("compare arm.glb --pose pose.json --methods linear -o FOLDER", "", &["arm.glb", "pose.json"]),
    ("compare body.gltf --clip motion.bvh --methods linear -o FOLDER", "", &["body.bin", "skin.png", "motion.bvh"]),
];

/// Those that read nothing, those that write nothing, and the window, which asks before it replaces.
const READERS_OF_NOTHING: [&str; 3] = ["example", "completions", "man"];
const WRITERS_OF_NOTHING: [&str; 6] = ["info", "measure", "explain", "bench", "methods", "studio"];

const MOTION: &str = "HIERARCHY\nROOT upper_arm\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT forearm\n{\n\
    OFFSET 1 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\n}\nMOTION\nFrames: 2\n\
    Frame Time: 0.1\n0 0 0 0 0 0\n0 0 0 40 0 0\n";
const POSE: &str = r#"{"joints": {"forearm": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#;
const PROJECT: &str = r#"{"format": "supple-project", "version": 2, "rig": "arm.glb",
    "graph": {"version": 1, "output": "l", "nodes": [{"name": "l", "method": "linear", "inputs": ["rest"]}]}}"#;

/// A folder with a file of every kind that commands read.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fine(folder.path(), &["example", "arm", "--vertices", "600", "-o", "arm.glb"]);
    fs::copy(at("arm.glb"), at("other.glb")).expect("copied");
    fine(folder.path(), &["example", "statue", "--vertices", "600", "-o", "statue.ply"]);
    fs::write(at("motion.bvh"), MOTION).expect("written");
    fs::write(at("walk.bvh"), MOTION.replace("upper_arm", "pelvis").replace("forearm", "waist")).expect("written");
    fs::write(at("pose.json"), POSE).expect("written");
    fs::write(at("work.json"), PROJECT).expect("written");
    let moved = PROJECT.replace("\"graph\"", "\"motions\": [\"motion.bvh\"], \"graph\"");
    fs::write(at("moved.json"), moved).expect("written");
    fine(folder.path(), &["render", "arm.glb", "--size", "32x32", "--samples", "1", "-o", "skin.png"]);
    let (json, binary) = chunks(&fs::read(at("arm.glb")).expect("written"));
    let mut json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    json["buffers"][0]["uri"] = "body.bin".into();
    json["images"] = serde_json::json!([{"uri": "skin.png"}]);
    json["textures"] = serde_json::json!([{"source": 0}]);
    json["materials"] = serde_json::json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    fs::write(at("body.gltf"), json.to_string()).expect("written");
    fs::write(at("body.bin"), binary).expect("written");
    fs::create_dir(at("sub")).expect("made");
    folder
}

/// The JSON and the binary chunk of a GLB.
fn chunks(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    (bytes[20..20 + length].to_vec(), bytes[28 + length..].to_vec())
}

/// Everything in a folder, links followed.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let entries = fs::read_dir(folder).expect("readable").map(|e| e.expect("entry").path());
    entries.map(|path| (path.clone(), fs::read(path).ok())).collect()
}

/// Names that lead to a file, and whether they end as asked.
fn names(folder: &Path, file: &str, ending: &str) -> Vec<(String, bool)> {
    let ends = file.ends_with(&format!(".{ending}"));
    let mut names = vec![
        (file.to_owned(), ends),
        (format!("./{file}"), ends),
        (format!("sub/../{file}"), ends),
        (folder.join(file).display().to_string(), ends),
    ];
    fs::hard_link(folder.join(file), folder.join(format!("hard.{ending}"))).expect("linked");
    names.push((format!("hard.{ending}"), true));
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(file, folder.join(format!("first.{ending}"))).expect("linked");
        symlink(format!("../first.{ending}"), folder.join(format!("sub/second.{ending}"))).expect("linked");
        symlink(".", folder.join("short")).expect("linked");
        names.extend([(format!("first.{ending}"), true), (format!("sub/second.{ending}"), true)]);
        names.push((format!("short/{file}"), ends));
    }
    names
}

fn forget(folder: &Path, ending: &str) {
    for name in ["hard", "first", "sub/second"] {
        let _ = fs::remove_file(folder.join(format!("{name}.{ending}")));
    }
    let _ = fs::remove_file(folder.join("short"));
}

fn refuses(cases: &[(&str, &str, &[&str])]) {
    let folder = folder();
    let folder = folder.path();
    for &(words, ending, inputs) in cases {
        for input in inputs {
            for (name, ends) in names(folder, input, ending) {
                let before = contents(folder);
                // Quietly: what is told of a motion or of bones is no part of the refusal.
                let words = words.split(' ').map(|w| if w == "OUT" { name.as_str() } else { w });
                let words: Vec<&str> = words.chain(["-qq"]).collect();
                let line = refused(folder, &words);
                // A name with another ending may be refused for that.
                assert!(!ends || line.contains("is read for this"), "{words:?}: {line}");
                assert!(contents(folder) == before, "{words:?} changed something and said {line}");
            }
            forget(folder, ending);
        }
    }
}

fn of(command: &str) -> Vec<(&'static str, &'static str, &'static [&'static str])> {
    CASES.iter().filter(|(words, ..)| words.starts_with(command) && words.contains("-o OUT")).copied().collect()
}

#[test]
fn deform_replaces_nothing_that_it_reads() {
    refuses(&of("deform"));
}

#[test]
fn bake_replaces_nothing_that_it_reads() {
    refuses(&of("bake"));
}

#[test]
fn render_replaces_nothing_that_it_reads() {
    refuses(&of("render"));
}

#[test]
fn makers_of_rigs_replace_nothing_that_they_read() {
    refuses(&[of("segment"), of("bind"), of("fit"), of("retarget")].concat());
}

#[test]
fn tools_of_weights_replace_nothing_that_they_read() {
    refuses(&of("weights"));
}

/// Files by fixed names in a folder are outputs like others.
#[cfg(unix)]
#[test]
fn compare_replaces_nothing_that_it_reads() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for (words, _, inputs) in CASES.iter().filter(|(words, ..)| words.starts_with("compare")) {
        for (page, input) in inputs.iter().flat_map(|input| [("index.html", input), ("figures.json", input)]) {
            fs::create_dir(at("pages")).expect("made");
            fs::create_dir(at("linked")).expect("made");
            fs::hard_link(at(input), at("pages").join(page)).expect("linked");
            symlink(format!("../{input}"), at("linked").join(page)).expect("linked");
            for to in ["pages", "linked"] {
                let before = (contents(folder.path()), contents(&at(to)));
                let words = words.split(' ').map(|w| if w == "FOLDER" { to } else { w });
                let words: Vec<&str> = words.chain(["-qq"]).collect();
                let line = refused(folder.path(), &words);
                assert!(line.contains("is read for this"), "{words:?}: {line}");
                assert!((contents(folder.path()), contents(&at(to))) == before, "{words:?} changed something");
            }
            fs::remove_dir_all(at("pages")).expect("removed");
            fs::remove_dir_all(at("linked")).expect("removed");
        }
    }
    // A pose that is called like the figures.
    fs::copy(at("pose.json"), at("figures.json")).expect("copied");
    let words = ["compare", "arm.glb", "--pose", "figures.json", "--methods", "linear", "-o", "."];
    assert!(refused(folder.path(), &words).contains("is read for this"));
    assert_eq!(fs::read_to_string(at("figures.json")).expect("there"), POSE);
}

#[test]
fn fit_in_place_keeps_the_old_file_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let hand = folder.path().join("hand.glb");
    fine(folder.path(), &["example", "hand", "--vertices", "3000", "-o", "hand.glb"]);
    let before = fs::read(&hand).expect("there");
    let line = said(folder.path(), &["fit", "hand.glb", "--template", "hand", "--in-place"]);
    assert!(line.contains("wrote hand.glb, the old one is hand.glb~"), "{line}");
    assert!(fs::read(folder.path().join("hand.glb~")).expect("there") == before);
    assert!(supple::read::path(&hand).is_ok() && fs::read(&hand).expect("there") != before);
}

#[test]
fn in_place_keeps_the_old_file_beside() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(at(name)).expect("there");
    for words in [
        "weights smooth arm.glb --in-place",
        "weights limit -n 1 arm.glb --in-place",
        "weights normalize --bits 8 arm.glb --in-place",
        "weights prune --below 0.3 arm.glb --in-place",
        "weights mirror --from +y arm.glb --in-place",
        "weights transfer arm.glb --from other.glb --in-place",
        "bind arm.glb --weights nearest --in-place",
        "bind arm.glb --skeleton arm.glb --weights flexible --in-place",
        "retarget arm.glb --clip motion.bvh --name new --in-place",
    ] {
        let before = read("arm.glb");
        let _ = fs::remove_file(at("arm.glb~"));
        let line = said(folder.path(), &words.split(' ').collect::<Vec<_>>());
        assert!(line.contains("wrote arm.glb, the old one is arm.glb~"), "{words}: {line}");
        assert!(read("arm.glb~") == before, "{words}");
        let rig = supple::read::path(at("arm.glb")).unwrap_or_else(|error| panic!("{words}: {error}")).rig;
        match words.split(' ').next() {
            Some("retarget") => assert!(rig.clip("new").is_some(), "{words}"),
            _ => assert!(rig.weights.is_some(), "{words}"),
        }
    }
    // What was kept before stays, also where it is a file that is read.
    let (first, before, other) = (read("arm.glb~"), read("arm.glb"), read("other.glb"));
    fs::hard_link(at("other.glb"), at("arm.glb~2")).expect("linked");
    let words = ["weights", "transfer", "arm.glb", "--from", "other.glb", "--in-place"];
    assert!(said(folder.path(), &words).contains("wrote arm.glb, the old one is arm.glb~3"));
    assert!(read("arm.glb~3") == before && read("arm.glb~2") == other && read("arm.glb~") == first);
    for (words, says) in [
        ("weights smooth arm.glb", "--in-place"),
        ("weights smooth arm.glb --in-place -o new.glb", "cannot be used with"),
        ("weights smooth body.gltf --in-place", "weights are kept in .glb files alone"),
        ("bind - --in-place", "standard input is no file"),
    ] {
        let line = refused(folder.path(), &words.split(' ').collect::<Vec<_>>());
        assert!(line.contains(says), "{words}: {line}");
    }
}

#[test]
fn a_protected_file_is_not_replaced() {
    let folder = folder();
    let path = folder.path().join("mine.glb");
    fs::write(&path, "mine").expect("written");
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("set");
    for words in [
        "deform arm.glb -o mine.glb",
        "bake arm.glb --clip 0 -o mine.glb",
        "segment arm.glb -o mine.glb",
        "bind arm.glb -o mine.glb",
        "weights smooth arm.glb -o mine.glb",
        "example arm -o mine.glb",
    ] {
        let line = refused(folder.path(), &words.split(' ').collect::<Vec<_>>());
        assert!(line.contains("mine.glb: the file is there and may not be written"), "{words}: {line}");
        assert_eq!(fs::read_to_string(&path).expect("there"), "mine");
    }
}

#[test]
fn a_page_that_is_not_ours_is_not_replaced() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let compare = |to: &'static str| ["compare", "arm.glb", "--methods", "linear", "--device", "cpu", "-o", to];
    for (name, text) in [("index.html", "<html>my site</html>"), ("figures.json", "{\"mine\": 1}")] {
        fs::write(at(name), text).expect("written");
        for words in [&compare(".")[..], &["-o", "."]] {
            let line = refused(folder.path(), words);
            assert!(line.contains(&format!("{name}: is there already and was not made by supple")), "{line}");
            assert_eq!(fs::read_to_string(at(name)).expect("there"), text);
        }
        fs::remove_file(at(name)).expect("removed");
    }
    // Our own may be made again, those of before too, which did not name their maker.
    fine(folder.path(), &compare("pages"));
    fine(folder.path(), &compare("pages"));
    let (page, figures) = (at("pages/index.html"), at("pages/figures.json"));
    let without = |path: &Path, mark: &str| {
        let text = fs::read_to_string(path).expect("written");
        let kept: Vec<&str> = text.lines().filter(|l| !l.contains(mark)).collect();
        assert_eq!(kept.len() + 1, text.lines().count());
        fs::write(path, kept.join("\n")).expect("written");
    };
    without(&page, "name=\"generator\"");
    without(&figures, "\"generator\"");
    fine(folder.path(), &compare("pages"));
}

/// The table above says something of every command, and of every option that names a file.
#[test]
fn every_command_and_every_option_that_names_a_file_is_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = |words: &[&str]| -> Vec<String> {
        let text = fine(folder.path(), words);
        let commands = text.split("Commands:\n").nth(1).expect("commands").split("\n\n").next().expect("a list");
        let named = commands.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
        named.filter_map(|l| l.split_whitespace().next()).filter(|n| *n != "help").map(str::to_owned).collect()
    };
    let mut commands: Vec<String> = names(&["--help"]).into_iter().filter(|n| n != "weights").collect();
    commands.extend(names(&["weights", "--help"]).iter().map(|tool| format!("weights {tool}")));
    let quiet = |name: &str| READERS_OF_NOTHING.contains(&name) || WRITERS_OF_NOTHING.contains(&name);
    for command in commands.iter().filter(|c| !quiet(c)) {
        let of: Vec<&str> = CASES.iter().map(|c| c.0).filter(|words| words.starts_with(command.as_str())).collect();
        assert!(!of.is_empty(), "{command} is not tried");
        let help = fine(folder.path(), &[command.split(' ').collect(), vec!["--help"]].concat());
        let options = help.lines().filter(|l| l.contains("FILE") || l.contains("<RIG>"));
        for option in options.filter_map(|l| l.split_whitespace().find(|w| w.starts_with("--"))) {
            let tried = of.iter().any(|words| words.split(' ').any(|w| w == option));
            assert!(tried || option == "--output" || option == "--in-place", "{command} {option} is not tried");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_the_shell_opened_is_not_replaced() {
    let folder = folder();
    let before = fs::read(folder.path().join("arm.glb")).expect("there");
    let input = fs::File::open(folder.path().join("arm.glb")).expect("opened");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_supple"));
    command.current_dir(folder.path()).args(["weights", "limit", "-", "-o", "arm.glb"]).stdin(input);
    let output = command.output().expect("it runs");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains("is read for this"), "{line}");
    assert!(fs::read(folder.path().join("arm.glb")).expect("there") == before);
}

/// A rig on the command line takes the place of the project's, which is a file of the project all the same.
#[test]
fn the_rig_of_a_project_is_not_replaced_where_another_is_moved() {
    let folder = folder_with_arm();
    let at = |name: &str| folder.path().join(name);
    fs::copy(at("arm.glb"), at("other.glb")).expect("copied");
    let graph = r#"{"version": 1, "output": "l", "nodes": [{"name": "l", "method": "linear", "inputs": ["rest"]}]}"#;
    let project = format!(r#"{{"format": "supple-project", "version": 1, "rig": "arm.glb", "graph": {graph}}}"#);
    fs::write(at("work.json"), project).expect("written");
    let words = ["deform", "other.glb", "--project", "work.json", "--rest", "-o", "arm.glb"];
    let before = fs::read(at("arm.glb")).expect("there");
    assert!(refused(folder.path(), &words).contains("arm.glb"));
    assert!(fs::read(at("arm.glb")).expect("there") == before);
}
