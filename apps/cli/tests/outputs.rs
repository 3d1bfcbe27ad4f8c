//! Where results cannot go, and what is said then.

mod command;

use command::{fine, folder_with_arm, refused};
use std::process::Command;

#[test]
fn a_folder_is_no_output_file() {
    let folder = folder_with_arm();
    for name in ["there", "there.obj"] {
        std::fs::create_dir(folder.path().join(name)).expect("made");
        for words in [
            vec!["deform", "arm.glb", "-o", name],
            vec!["bake", "arm.glb", "--clip", "0", "-o", name],
            vec!["render", "arm.glb", "-o", name],
            vec!["example", "arm", "-o", name],
        ] {
            let line = refused(folder.path(), &words);
            assert!(line.contains(&format!("{name}: it is a folder; give the name of a file")), "{words:?}: {line}");
        }
    }
}

#[test]
fn a_file_is_no_output_folder() {
    let folder = folder_with_arm();
    for words in [vec!["man", "arm.glb"], vec!["compare", "arm.glb", "-o", "arm.glb"], vec!["-o", "arm.glb"]] {
        let line = refused(folder.path(), &words);
        assert!(line.contains("arm.glb: is a file, and a folder is expected"), "{words:?}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let folder = folder_with_arm();
    for name in ["out.pc2", "out.usda", "out.glb"] {
        let bake = format!("{} bake arm.glb --clip 0 --fps 200 -o {name}", env!("CARGO_BIN_EXE_supple"));
        let script = format!("trap '' XFSZ; ulimit -f 20; {bake}");
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().expect("bash runs");
        let line = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(line.contains(&format!("cannot write {name}: ")) && line.lines().count() == 1, "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_and_a_reader_that_left_is_none() {
    let folder = folder_with_arm();
    let all = ["--help", "--version", "help deform", "info arm.glb", "methods", "methods --json", "completions bash"];
    for words in all {
        let run = |rest: &str| {
            let script = format!("set -o pipefail; {} {words} {rest}", env!("CARGO_BIN_EXE_supple"));
            Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().expect("bash runs")
        };
        let output = run("> /dev/full");
        let line = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {line}");
        assert!(line.starts_with("supple: cannot write to standard output: "), "{words}: {line}");
        assert_eq!(line.lines().count(), 1, "{words}: {line}");
        let output = run("| true");
        assert!(output.status.success() && output.stderr.is_empty(), "{words}: {output:?}");
    }
    fine(folder.path(), &["info", "arm.glb"]);
}
