//! The command as the tests call it.

// Every test file is a program of its own and takes what it needs from here.
#![allow(dead_code)]

use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs the command in a folder.
pub fn supple(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.current_dir(folder).args(words).output().expect("the command starts")
}

/// Runs the command in a folder with so many megabytes of address space, threads and all.
pub fn within(megabytes: usize, folder: &Path, words: &[&str]) -> Output {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1024);
    let mut command = Command::new("bash");
    command.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_supple")]).args(words);
    command.output().expect("bash runs")
}

/// Runs words that must work, and returns standard output.
pub fn fine(folder: &Path, words: &[&str]) -> String {
    let output = supple(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs words that must work, and returns standard error.
pub fn said(folder: &Path, words: &[&str]) -> String {
    let output = supple(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {errors}");
    errors
}

/// Runs words that must be refused: exit code 2 and a single line on standard error, which is returned.
pub fn refused(folder: &Path, words: &[&str]) -> String {
    let output = supple(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{words:?}: {errors}");
    errors
}

/// A folder with a small `arm.glb` in it.
pub fn folder_with_arm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "arm", "--vertices", "700", "-o", "arm.glb"]);
    folder
}
