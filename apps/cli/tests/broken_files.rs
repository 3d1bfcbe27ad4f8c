//! Every broken file of the shared data does what the book says of it. The table of the book is what is tested.

mod command;

use command::within;
use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};
use supple_testkit::data;

/// What is done with a rig or a mesh: the words, with `FILE` and `OUT`.
const WORK: [&str; 5] = [
    "deform FILE -m implicit -o OUT.obj",
    "deform FILE -m delta-mush -o OUT.obj",
    "deform FILE -m flesh -o OUT.obj",
    "bind FILE --weights heat -o OUT.glb",
    "bind FILE --weights flexible -o OUT.glb",
];

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
        let output = within(512, &folder, &["info", name]);
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

/// What a reader lets through must not trip what comes after it.
#[test]
fn broken_files_are_worked_with_or_refused_in_bounded_memory() {
    let Some(folder) = data::folder("malformed") else { return };
    let entries = std::fs::read_dir(&folder).expect("readable").map(|e| e.expect("entry").path());
    let all: Vec<_> = entries.flat_map(|file| WORK.map(|words| (file.clone(), words))).collect();
    let results = tempfile::tempdir().expect("a folder");
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((file, words)) = all.get(number) else { return wrong };
            let file = file.display().to_string();
            let of = |word: &str| if word == "FILE" { file.clone() } else { word.replace("OUT", &number.to_string()) };
            let words: Vec<String> = words.split(' ').map(of).chain(["--device".into(), "cpu".into()]).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = within(512, results.path(), &words);
            let errors = String::from_utf8_lossy(&output.stderr);
            let died = ["there is not enough memory", "internal error"].iter().any(|w| errors.contains(w));
            if died || !matches!(output.status.code(), Some(0 | 2)) {
                wrong.push(format!("{words:?}: {:?}: {errors}", output.status.code()));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
