//! Every broken file of the shared data does what the book says of it. The table of the book is what is tested.

use std::{collections::BTreeMap, path::Path, process::Command};
use supple_testkit::data;

/// `file -> (verdict, words)` from the table of the book.
fn table() -> BTreeMap<String, (String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/broken-files.md");
    let text = std::fs::read_to_string(page).expect("the page is there");
    let rows = text.lines().filter(|l| l.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let clean = |s: &str| s.trim_matches('`').trim().to_owned();
        (clean(cells[0]), (cells[1].to_owned(), clean(cells.get(2).copied().unwrap_or(""))))
    })
    .collect()
}

#[test]
fn broken_files_do_what_the_book_says() {
    let Some(folder) = data::folder("malformed") else { return };
    let table = table();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("readable")
        .map(|e| e.expect("entry").file_name().to_string_lossy().into())
        .collect();
    names.sort();
    let mut wrong = Vec::new();
    for name in &names {
        let Some((verdict, words)) = table.get(name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        // 512 MB of address space for the whole process, threads and all.
        let script =
            format!("ulimit -v 524288; exec '{}' info '{}'", env!("CARGO_BIN_EXE_supple"), folder.join(name).display());
        let output = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines = errors.trim_end().lines().count();
        let warned = errors.contains(": warning: ");
        let as_said = match verdict.as_str() {
            "refused" => output.status.code() == Some(2) && lines == 1 && !warned,
            "repaired" => output.status.success() && warned,
            "read" => output.status.success() && lines == 0,
            _ => false,
        };
        if !as_said || !words.split("`; `").all(|w| errors.contains(w)) {
            wrong.push(format!(
                "{name}: the book says {verdict} \"{words}\", exit {:?}: {errors}",
                output.status.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(names.len(), table.len(), "the table has rows for files that are not there");
}
