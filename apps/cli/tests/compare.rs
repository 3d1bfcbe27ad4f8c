//! What `supple compare` writes and refuses.

mod command;

use command::{fine, folder_with_arm, refused};
use serde_json::Value;

/// Every element is closed in its turn, and every attribute is quoted.
fn check_nesting(html: &str) {
    const EMPTY: [&str; 2] = ["meta", "img"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split_whitespace().next().expect("a tag has a name");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag:.80}");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !name.starts_with('!') && !EMPTY.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn a_page_is_complete_and_agrees_with_measure() {
    let folder = folder_with_arm();
    let folder = folder.path();
    let pose = ["--bend", "forearm=135"];
    let text = fine(folder, &[&["compare", "arm.glb", "-o", "a/report"], &pose[..]].concat());
    assert!(text.trim_end().ends_with("index.html"), "{text}");
    let html = std::fs::read_to_string(folder.join("a/report/index.html")).expect("the page");
    check_nesting(&html);
    for word in ["http:", "https:", "<script", "<link", "url(", "src=\"/"] {
        assert!(!html.contains(word), "the page must stand alone, and holds {word}");
    }
    let figures = std::fs::read_to_string(folder.join("a/report/figures.json")).expect("the figures");
    let figures: Value = serde_json::from_str(&figures).expect("JSON");
    let found = figures["poses"][0]["methods"].as_array().expect("methods");
    let known: Value = serde_json::from_str(&fine(folder, &["methods", "--json"])).expect("JSON");
    let alone: Vec<&str> = known
        .as_array()
        .expect("methods")
        .iter()
        .filter(|m| m["stands_alone"] == true)
        .filter_map(|m| m["name"].as_str())
        .collect();
    assert_eq!(found.iter().filter_map(|m| m["method"].as_str()).collect::<Vec<_>>(), alone);
    for name in &alone {
        assert!(html.contains(&format!("<h3>{name}</h3>")), "{name}");
        let pictures = html.matches(&format!(", {name}: ")).count();
        assert_eq!(pictures, 3, "{name}: {pictures} pictures");
    }
    assert_eq!(html.matches("src=\"data:image/png;base64,iVBOR").count(), 3 * (alone.len() + 1));
    let words = [&["measure", "arm.glb", "--json", "-m", "dual-quaternion"], &pose[..]].concat();
    let measured: Value = serde_json::from_str(&fine(folder, &words)).expect("JSON");
    let compared = found.iter().find(|m| m["method"] == "dual-quaternion").expect("there");
    for key in ["overlap", "volume_drift", "collapse", "detail", "rigid_error"] {
        assert_eq!(compared["figures"][key], measured[key], "{key}");
    }
    assert!(compared["figures"]["frame_ms"].as_f64().is_some_and(|ms| ms > 0.0));
}

#[test]
fn only_the_named_methods_are_compared() {
    let folder = folder_with_arm();
    fine(folder.path(), &["compare", "arm.glb", "--methods", "linear", "--rest", "-o", "one"]);
    let html = std::fs::read_to_string(folder.path().join("one/index.html")).expect("the page");
    assert!(html.contains("<h3>linear</h3>") && !html.contains("<h3>dual-quaternion</h3>"));
    // Nothing turned: there is no joint to look at from near.
    assert_eq!(html.matches("<img").count(), 2);
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("taken"), "").expect("a file");
    for (words, why) in [
        (vec!["compare", "arm.glb", "--methods", "wobbly", "-o", "x"], "no method \"wobbly\""),
        (vec!["compare", "arm.glb", "--methods", "mix", "-o", "x"], "does not stand alone"),
        (vec!["compare", "arm.glb", "-o", "taken"], "taken"),
        (vec!["-o", "x", "methods"], "-o before a command"),
    ] {
        let line = refused(folder.path(), &words);
        assert!(line.contains(why), "{words:?}: {line}");
    }
    assert!(!folder.path().join("x").exists());
}

#[test]
fn settings_reach_the_methods_that_have_them() {
    let folder = folder_with_arm();
    let folder = folder.path();
    let words = ["compare", "arm.glb", "--methods", "linear,delta-mush", "--bend", "forearm=90", "-o", "out", "--set"];
    let said = refused(folder, &[&words[..], &["iteration=3"]].concat());
    assert!(said.contains("--set iteration: none of the methods has this setting"), "{said}");
    refused(folder, &[&words[..], &["iterations=many"]].concat());
    assert!(!folder.join("out").exists(), "what fails leaves no folder");
    fine(folder, &[&words[..], &["iterations=3"]].concat());
}
