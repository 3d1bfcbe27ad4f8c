//! How the command ends when it cannot go on: one line and exit code 2, whatever ended the work, and nothing half done is left.
#![cfg(target_os = "linux")]

mod command;

use command::{fine, folder_with_arm};
use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

/// Runs the command under a limit of the shell's.
fn limited(folder: &Path, limit: &str, words: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_supple")]);
    command.current_dir(folder).args(words).env_remove("RUST_BACKTRACE").output().unwrap()
}

/// The one line of an end that was not wanted.
fn line_of(output: Output) -> String {
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{}: {said}", output.status);
    assert!(said.starts_with("supple: "), "{said}");
    said
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn memory_that_is_not_to_be_had_is_one_line() {
    let folder = folder_with_arm();
    let words = ["--device", "cpu", "--threads", "1", "render", "arm.glb", "--size", "4096x8192", "-o", "arm.png"];
    let line = line_of(limited(folder.path(), "ulimit -v 1000000", &words));
    assert!(line.contains("there is not enough memory: ") && line.contains(" bytes"), "{line}");
    assert_eq!(names(folder.path()), ["arm.glb"]);
}

/// A run that writes, halted once its temporary file is there, and the process that does its work.
fn writing(folder: &Path) -> (Child, u32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.args(["--device", "cpu", "bake", "arm.glb", "-m", "dual-quaternion", "--clip", "0", "--fps", "10000"]);
    #[expect(clippy::zombie_processes, reason = "whoever asked for it waits for it")]
    let run = command.args(["-o", "out.pc2"]).current_dir(folder).stderr(Stdio::piped()).spawn().unwrap();
    let worker = || {
        let listed = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", run.id())).ok()?;
        listed.split_whitespace().next()?.parse().ok()
    };
    loop {
        let begun = names(folder).iter().any(|name| name.ends_with(".tmp"));
        if let Some(worker) = worker().filter(|_| begun) {
            send("-STOP", worker);
            return (run, worker);
        }
        assert!(!folder.join("out.pc2").exists(), "it was too quick");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

#[test]
fn work_that_is_ended_on_the_spot_is_one_line_and_leaves_nothing() {
    for (signal, word) in [("-KILL", "ended from outside"), ("-ABRT", "internal error"), ("-ILL", "internal error")] {
        let folder = folder_with_arm();
        let (run, worker) = writing(folder.path());
        send(signal, worker);
        let _ = Command::new("kill").args(["-CONT", &worker.to_string()]).stderr(Stdio::null()).status();
        let line = line_of(run.wait_with_output().unwrap());
        assert!(line.contains(word), "{signal}: {line}");
        assert_eq!(names(folder.path()), ["arm.glb"], "{signal}");
    }
}

#[test]
fn whoever_ends_the_command_ends_its_work() {
    for signal in ["-KILL", "-TERM", "-INT"] {
        let folder = folder_with_arm();
        let (mut run, worker) = writing(folder.path());
        send(signal, run.id());
        assert_eq!(run.wait().unwrap().code(), None, "as ended by a signal");
        // Gone, or waiting for somebody to take note of it.
        let is_gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
            stat.rsplit(')')
                .next()
                .is_none_or(|rest| rest.is_empty() || rest.starts_with(" Z") || rest.starts_with(" X"))
        };
        assert!(
            (0..600).any(|_| is_gone() || {
                std::thread::sleep(Duration::from_millis(50));
                false
            }),
            "{signal}"
        );
        assert!(!folder.path().join("out.pc2").exists());
        // What it left is swept by the next run.
        fine(folder.path(), &["--device", "cpu", "bake", "arm.glb", "-m", "linear", "--clip", "0", "-o", "out.pc2"]);
        assert_eq!(names(folder.path()), ["arm.glb", "out.pc2"], "{signal}");
    }
}
