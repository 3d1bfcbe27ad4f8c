//! The pictures that the documents show.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Every page of the book, and the README.
fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
}

#[test]
fn every_picture_is_there_is_small_and_is_shown() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    pages(&root.join("docs/src"), &mut files);
    let mut shown = BTreeSet::new();
    for page in &files {
        let text = std::fs::read_to_string(page).expect("readable");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if !link.ends_with(".png") && !link.ends_with(".jpg") {
                continue;
            }
            let path = page.parent().expect("a folder").join(link);
            let size = path.metadata().unwrap_or_else(|e| panic!("{}: {link}: {e}", page.display())).len();
            assert!(size < 150_000, "{link} has {size} bytes");
            shown.insert(path.canonicalize().expect("it is there"));
        }
    }
    for entry in std::fs::read_dir(root.join("docs/src/pictures")).expect("a folder") {
        let path = entry.expect("readable").path().canonicalize().expect("it is there");
        assert!(shown.contains(&path), "no page shows {}", path.display());
    }
}
