//! The desktop studio from end to end, in a real window on a virtual screen: open, pose, play, export, save, open again.
//! The script goes the way of buttons and keys.

use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use supple_testkit::screen::Screen;

/// Runs a script to its end; the studio quits by its last line.
fn drive(screen: &Screen, home: &Path, folder: &Path, file: Option<&str>, lines: &[&str]) {
    let script = folder.join("script.jsonl");
    std::fs::write(&script, lines.join("\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.current_dir(folder).args(["studio", "--size", "1100x700", "--script"]).arg(&script);
    command.args(file).env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY");
    command.env("XDG_CONFIG_HOME", home).env("HOME", home).stderr(Stdio::piped());
    let mut studio = command.spawn().unwrap();
    let start = Instant::now();
    loop {
        if let Some(status) = studio.try_wait().unwrap() {
            let mut said = String::new();
            std::io::Read::read_to_string(&mut studio.stderr.take().unwrap(), &mut said).unwrap();
            assert!(status.success(), "{status}: {said}");
            return;
        }
        if start.elapsed() > Duration::from_secs(240) {
            let _ = studio.kill();
            panic!("the script did not come to its end in four minutes");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn open_pose_play_export_and_open_again() {
    let Some(screen) = Screen::open() else {
        eprintln!("!!! SKIPPED: there is no Xvfb, so no window is opened !!!");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (home, work) = (folder.path().join("home"), folder.path().join("work"));
    std::fs::create_dir_all(&home).unwrap();
    std::fs::create_dir_all(&work).unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_supple"))
        .current_dir(&work)
        .args(["--quiet", "example", "arm", "--vertices", "700", "-o", "arm.glb"])
        .status();
    assert!(made.unwrap().success());
    std::fs::write(work.join("garbage.glb"), [7u8; 400]).unwrap();
    std::fs::write(work.join("newer.json"), r#"{"format": "supple-project", "version": 99, "novelty": 1}"#).unwrap();
    let turn = r#"{"do": "change", "edit": {"edit": "pose", "joint": "forearm", "pose": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#;
    drive(
        &screen,
        &home,
        &work,
        Some("arm.glb"),
        &[
            turn,
            r#"{"script": "report", "path": "posed.json"}"#,
            // What cannot be opened is said, and what was open stays.
            r#"{"do": "open", "path": "garbage.glb"}"#,
            r#"{"script": "report", "path": "garbage.json"}"#,
            r#"{"do": "open", "path": "newer.json"}"#,
            r#"{"script": "report", "path": "version.json"}"#,
            r#"{"do": "export", "kind": "picture", "path": "nowhere/at/all.png"}"#,
            r#"{"script": "report", "path": "after.json"}"#,
            r#"{"do": "export", "kind": "pose", "path": "posed.obj"}"#,
            r#"{"do": "export", "kind": "picture", "path": "picture.png"}"#,
            r#"{"do": "undo"}"#,
            r#"{"script": "report", "path": "undone.json"}"#,
            r#"{"do": "redo"}"#,
            r#"{"do": "change", "edit": {"edit": "clip", "name": "bend"}}"#,
            r#"{"do": "change", "edit": {"edit": "clear-pose"}}"#,
            r#"{"do": "play", "playing": true}"#,
            r#"{"script": "wait", "seconds": 0.5}"#,
            r#"{"do": "play", "playing": false}"#,
            r#"{"script": "at", "seconds": 0.25}"#,
            r#"{"do": "export", "kind": "clip", "path": "clip.pc2"}"#,
            r#"{"do": "change", "edit": {"edit": "method", "name": "dual-quaternion"}}"#,
            r#"{"do": "panes", "layout": "two"}"#,
            r#"{"do": "show", "view": "weights"}"#,
            r#"{"script": "window", "path": "window.png"}"#,
            r#"{"do": "save", "path": "work.json"}"#,
            r#"{"do": "quit"}"#,
        ],
    );
    let (posed, after, undone) =
        (json(&work.join("posed.json")), json(&work.join("after.json")), json(&work.join("undone.json")));
    assert_eq!(posed["method"], "implicit");
    assert!(posed["largest_move"].as_f64().unwrap() > 0.2, "{posed}");
    assert!(undone["largest_move"].as_f64().unwrap() < 1e-3, "{undone}");
    assert_eq!(posed["centroid"], after["centroid"], "what cannot be opened changes nothing");
    // Each looked at in time: lines fade, and a busy machine takes long.
    for (report, part) in [("garbage", "garbage.glb"), ("version", "version 99"), ("after", "not exported")] {
        let said = json(&work.join(format!("{report}.json")))["notices"].to_string();
        assert!(said.contains(part), "{part}: {said}");
    }
    // The exported pose is what the command writes for the same pose.
    std::fs::write(work.join("pose.json"), r#"{"joints": {"forearm": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#)
        .unwrap();
    let deformed = Command::new(env!("CARGO_BIN_EXE_supple"))
        .current_dir(&work)
        .args(["--quiet", "deform", "arm.glb", "-m", "implicit", "--pose", "pose.json", "-o", "expected.obj"])
        .status();
    assert!(deformed.unwrap().success());
    let read = |name: &str| supple::read::path(work.join(name)).unwrap().rig.mesh.positions;
    let (found, expected) = (read("posed.obj"), read("expected.obj"));
    let far = found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(found.len() == expected.len() && far < 1e-5, "{far}");
    let picture = supple_render_png(&work.join("picture.png"));
    assert_eq!(picture, [1920, 1080]);
    assert!(std::fs::metadata(work.join("window.png")).unwrap().len() > 10_000);
    let pc2 = std::fs::read(work.join("clip.pc2")).unwrap();
    assert!(pc2.starts_with(b"POINTCACHE2"));

    // The project is whole, names the rig beside it, and opens as it was left.
    let project = json(&work.join("work.json"));
    assert_eq!((&project["rig"], &project["clip"]["name"]), (&Value::from("arm.glb"), &Value::from("bend")));
    drive(
        &screen,
        &home,
        &work,
        Some("work.json"),
        &[r#"{"script": "report", "path": "again.json"}"#, r#"{"do": "quit"}"#],
    );
    assert_eq!(json(&work.join("again.json"))["method"], "dual-quaternion");
    // What was opened is remembered.
    let memory = json(&home.join("supple/studio.json"));
    assert!(memory["recent"][0].as_str().unwrap().ends_with("work.json"), "{memory}");
    assert!(!home.join("supple/unsaved.json").exists(), "nothing is left behind");
}

/// The driver fails in the middle of the work, between two frames and at any moment of one: the studio starts again with
/// everything that was done, and the script goes on.
#[test]
fn a_lost_device_is_survived() {
    let Some(screen) = Screen::open() else {
        eprintln!("!!! SKIPPED: there is no Xvfb, so no window is opened !!!");
        return;
    };
    for after in ["null", "0.2", "0.23"] {
        let folder = tempfile::tempdir().unwrap();
        let (home, work) = (folder.path().join("home"), folder.path().join("work"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        let turn = r#"{"do": "change", "edit": {"edit": "pose", "joint": "forearm", "pose": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#;
        let lose = format!(r#"{{"script": "lose-device", "after": {after}}}"#);
        drive(
            &screen,
            &home,
            &work,
            None,
            &[
                r#"{"do": "example", "name": "arm"}"#,
                turn,
                &lose,
                r#"{"script": "wait", "seconds": 2}"#,
                r#"{"script": "report", "path": "after.json"}"#,
                r#"{"do": "save", "path": "work.json"}"#,
                r#"{"do": "quit"}"#,
            ],
        );
        let after = json(&work.join("after.json"));
        assert!(after["largest_move"].as_f64().unwrap() > 0.2, "{after}");
        let said = after["notices"].to_string();
        assert!(said.contains("the device was lost") && said.contains("started again"), "{said}");
        assert!(json(&work.join("work.json"))["pose"]["joints"]["forearm"].is_object());
        assert!(!home.join("supple/unsaved.json").exists(), "nothing is left behind");
    }
}

/// A device that is lost again at once is not worth a third window: the program says so and ends, and keeps the work.
#[test]
fn a_device_that_is_lost_twice_ends_the_studio() {
    let Some(screen) = Screen::open() else {
        eprintln!("!!! SKIPPED: there is no Xvfb, so no window is opened !!!");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.jsonl");
    let lose = r#"{"script": "lose-device"}"#;
    std::fs::write(&script, [r#"{"do": "example", "name": "arm"}"#, lose, lose].join("\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.args(["studio", "--script"]).arg(&script).env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY");
    let ended = command.env("XDG_CONFIG_HOME", folder.path()).env("HOME", folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("for the second time"), "{said}");
    assert!(said.contains("your work is kept") && !said.contains("panicked"), "{said}");
    assert!(folder.path().join("supple/unsaved.json").exists());
}

/// Width and height from the header.
fn supple_render_png(path: &Path) -> [u32; 2] {
    let bytes = std::fs::read(path).unwrap();
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    [side(16), side(20)]
}
