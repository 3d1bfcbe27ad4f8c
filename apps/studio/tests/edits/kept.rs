//! What was set of a method or of a source of weights stays set while another is in use, and is saved whichever that is.

use super::{arm, save};
use serde_json::json;
use supple::{
    deform::implicit::{Implicit, JointSettings},
    field::Operator,
    project::{Project, WeightSource},
};
use supple_studio::model::{Document, Edit};

fn method(document: &mut Document, name: &str) {
    document.edit(&Edit::Method { name: name.into() }).unwrap();
}

/// An elbow of its own: a bulge with another curve.
fn elbow() -> JointSettings {
    let operator = serde_json::from_value::<Operator>(
        json!({"kind": "bulge", "size": 0.5, "theta": [10, 60, 120, 40, 20, 5, 1, 1]}),
    );
    JointSettings { operator: Some(operator.unwrap()), cap: Some(0.8), ..Default::default() }
}

fn elbow_of(project: &Project) -> Option<JointSettings> {
    let node = project.graph.nodes.iter().find(|n| n.method == "implicit");
    Implicit::from_settings(&node?.settings).unwrap().joints.get("forearm").cloned()
}

#[test]
fn a_click_on_another_method_and_back_loses_nothing() {
    let mut document = arm();
    document.edit(&Edit::Joint { joint: "forearm".into(), settings: Some(elbow().into()) }).unwrap();
    method(&mut document, "delta-mush");
    document.edit(&Edit::Setting { node: None, key: "iterations".into(), value: Some(json!(7)) }).unwrap();
    for _ in 0..2 {
        method(&mut document, "linear");
        method(&mut document, "implicit");
        assert_eq!(elbow_of(document.project()), Some(elbow()));
        method(&mut document, "delta-mush");
        assert_eq!(document.project().graph.nodes[0].settings["iterations"], 7);
    }
    // What is in the graph stands there alone, and what nobody has touched stands nowhere.
    assert_eq!(document.project().methods.keys().collect::<Vec<_>>(), ["implicit"]);
    // Undo goes back over it step by step.
    (0..8).for_each(|_| document.undo());
    assert!(document.project().methods.is_empty(), "{:?}", document.project().methods);
    assert_eq!(elbow_of(document.project()), Some(elbow()));
}

#[test]
fn what_is_not_active_is_saved_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = arm();
    document.edit(&Edit::Joint { joint: "forearm".into(), settings: Some(elbow().into()) }).unwrap();
    document.edit(&Edit::JointK { joint: "forearm".into(), k: Some(0.1) }).unwrap();
    method(&mut document, "linear");
    document.edit(&Edit::Weights { source: WeightSource::heat() }).unwrap();
    let path = folder.path().join("work.json");
    save(&mut document, &path).unwrap();
    let mut again = Document::open(&path).unwrap();
    method(&mut again, "implicit");
    assert_eq!(elbow_of(again.project()), Some(elbow()));
    // A graph of several nodes keeps those of its methods, too.
    let graph = serde_json::from_value(json!({"version": 1, "output": "both", "nodes": [
        {"name": "a", "method": "linear", "inputs": ["rest"]},
        {"name": "b", "method": "dual-quaternion", "inputs": ["rest"]},
        {"name": "both", "method": "mix", "inputs": ["a", "b"]}]}));
    again.edit(&Edit::Graph { graph: graph.unwrap() }).unwrap();
    method(&mut again, "implicit");
    assert_eq!(elbow_of(again.project()), Some(elbow()));
    let flexible = again.project().weights.as_left(&WeightSource::flexible());
    assert!(matches!(&flexible, WeightSource::Flexible { joints, .. } if joints["forearm"] == 0.1), "{flexible:?}");
    again.edit(&Edit::K { k: 0.9 }).unwrap();
    let source = &again.project().weights.source;
    assert!(matches!(source, WeightSource::Flexible { k: 0.9, joints, .. } if joints["forearm"] == 0.1), "{source:?}");
    assert!(again.project().weights.others.is_empty(), "bone heat is as it comes");
}

#[test]
fn a_pane_beside_shows_a_method_as_it_was_set() {
    let mut document = arm();
    document.edit(&Edit::Joint { joint: "forearm".into(), settings: Some(elbow().into()) }).unwrap();
    method(&mut document, "linear");
    let beside = document.project().graph_of("implicit").unwrap().to_file();
    let shown = Project { graph: beside, ..Project::clone(document.project()) };
    assert_eq!(elbow_of(&shown), Some(elbow()));
}

#[test]
fn settings_that_no_method_has_are_named_when_a_project_is_read() {
    let text = arm().project().to_json();
    for (kept, part) in [
        (json!({"magic": {}}), "magic"),
        (json!({"linear": {"wings": 2}}), "wings"),
        (json!({"implicit": {"sigma": 9}}), "sigma"),
    ] {
        let mut project: serde_json::Value = serde_json::from_str(&text).unwrap();
        project["methods"] = kept;
        let error = Project::from_json(&project.to_string()).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
    }
}
