//! The shared test data, which lies beside the repository and is not part of it.

use std::path::PathBuf;

/// A folder of the shared data. Where it is missing, says so loudly and returns nothing.
#[expect(clippy::print_stderr, reason = "a skipped test must be heard")]
pub fn folder(name: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("SUPPLE_DATA").map_or_else(beside, PathBuf::from);
    let path = data.join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("\n!!! SKIPPED: no shared test data at {} !!!\n", path.display());
    None
}

/// The files of a folder with one of these endings, sorted; empty where the data are missing.
pub fn files(name: &str, endings: &[&str]) -> Vec<PathBuf> {
    let Some(folder) = folder(name) else { return Vec::new() };
    let list = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = list.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| endings.contains(&e.to_string_lossy().as_ref())));
    files.sort();
    files
}
