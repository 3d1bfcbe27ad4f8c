//! `supple explain` says where each node of a graph runs.

mod command;

use command::{fine, folder_with_arm, said};
use serde_json::Value;

const PROJECT: &str = r#"{"format": "supple-project", "version": 3, "rig": "arm.glb", "graph": {"version": 1, "output": "both", "nodes": [
    {"name": "soft", "method": "linear", "inputs": ["rest"]},
    {"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {"tracking": "robust"}},
    {"name": "both", "method": "mix", "inputs": ["soft", "skin"]}]}}"#;

fn explained(words: &[&str]) -> Vec<Value> {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("work.json"), PROJECT).expect("written");
    let words = [&["explain", "--project", "work.json", "--bend", "forearm=90", "--json"], words].concat();
    serde_json::from_str(&fine(folder.path(), &words)).expect("a list")
}

#[test]
fn on_the_processor_everything_is_there_and_timed() {
    let nodes = explained(&["--device", "cpu"]);
    assert_eq!(nodes.iter().map(|n| &n["node"]).collect::<Vec<_>>(), ["soft", "skin", "both"]);
    for node in &nodes {
        assert_eq!((&node["on_device"], &node["crosses"]), (&false.into(), &false.into()), "{node}");
        assert!(node["milliseconds"].as_f64().is_some_and(|ms| ms > 0.0), "{node}");
        assert_eq!(node["why"], "the processor was asked for");
    }
    assert_eq!(nodes[1]["remembers"], true);
}

#[test]
fn a_node_without_a_kernel_says_why_and_that_its_result_crosses() {
    let nodes = explained(&["--device", "gpu"]);
    assert_eq!(nodes.iter().map(|n| n["on_device"] == true).collect::<Vec<_>>(), [true, false, true], "{nodes:?}");
    assert!(nodes[1]["why"].as_str().is_some_and(|why| why.contains("remembers the last frame")), "{nodes:?}");
    assert_eq!(nodes.iter().map(|n| n["crosses"] == true).collect::<Vec<_>>(), [false, true, false], "{nodes:?}");
}

#[test]
fn a_single_pose_of_a_method_that_remembers_says_once_that_it_starts_anew() {
    let folder = folder_with_arm();
    let robust = ["-m", "implicit", "--set", "tracking=robust"];
    let posed: [&[&str]; 4] = [
        &["deform", "arm.glb", "-o", "moved.obj"],
        &["render", "arm.glb", "-o", "drawn.png", "--size", "40x30"],
        &["measure", "arm.glb"],
        &["compare", "arm.glb", "-o", "page", "--methods", "implicit", "--set", "tracking=robust"],
    ];
    for words in posed {
        let how: &[&str] = if words[0] == "compare" { &[] } else { &robust };
        let errors = said(folder.path(), &[words, how, &["--bend", "forearm=60"]].concat());
        let line = "implicit: remembers earlier frames; a single pose starts anew";
        assert_eq!(errors.matches(line).count(), 1, "{words:?}: {errors}");
    }
    let errors = said(folder.path(), &["measure", "arm.glb", "--bend", "forearm=60"]);
    assert!(!errors.contains("starts anew"), "{errors}");
    let whole = [&["measure", "arm.glb", "--clip", "bend", "--all", "--fps", "3"], &robust[..]].concat();
    assert!(!said(folder.path(), &whole).contains("starts anew"));
}
