//! What the command writes, and what it leaves when it cannot.

mod command;

use command::{fine, folder_with_arm, refused, said};
use supple::read;

#[test]
fn an_example_is_written_told_about_and_moved() {
    let folder = folder_with_arm();
    let facts: serde_json::Value =
        serde_json::from_str(&fine(folder.path(), &["info", "arm.glb", "--json"])).expect("JSON");
    assert_eq!(facts["joints"].as_array().map(Vec::len), Some(2));
    assert_eq!(facts["surface"]["closed"], true);
    assert_eq!(facts["surface"]["manifold"], true);
    for (name, words) in [
        ("bent.obj", vec!["--bend", "forearm=90"]),
        ("about.ply", vec!["--bend", "forearm=90@0,1,0", "--method", "dual-quaternion"]),
        ("twisted.glb", vec!["--twist", "forearm=120"]),
        ("rest.usda", vec!["--rest"]),
        ("clip.ply", vec!["--clip", "0", "--time", "0.4"]),
        ("shown.obj", vec![]),
    ] {
        fine(folder.path(), &[vec!["deform", "arm.glb", "-o", name], words].concat());
        assert!(folder.path().join(name).metadata().expect("written").len() > 1000, "{name}");
    }
    let vertices = |name: &str| read::path(folder.path().join(name)).expect("readable").rig.mesh.positions;
    assert_eq!(vertices("bent.obj").len(), vertices("arm.glb").len());
    assert_ne!(vertices("bent.obj"), vertices("shown.obj"));
    assert_eq!(vertices("shown.obj"), vertices("arm.glb"));
}

#[test]
fn a_statue_comes_with_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "statue", "--vertices", "3000", "-o", "statue.ply"]);
    let points = read::path(folder.path().join("statue.ply")).expect("readable").rig;
    assert!(points.mesh.is_point_set() && points.mesh.normals.is_some());
    let model = read::path(folder.path().join("statue.json")).expect("readable").rig;
    let mut model = model.sphere_mesh.expect("a model");
    assert!(model.swallowed().next().is_none());
    // Nobody named it: one that is another stays.
    fine(folder.path(), &["example", "statue", "--vertices", "2000", "-o", "statue.ply"]);
    model.spheres[0].radius *= 2.0;
    std::fs::write(folder.path().join("statue.json"), model.to_json()).expect("written");
    let line = refused(folder.path(), &["example", "statue", "--vertices", "2000", "-o", "statue.ply"]);
    assert!(line.contains("statue.json: is there already"), "{line}");
}

#[test]
fn a_pose_file_and_a_project_are_obeyed() {
    let folder = folder_with_arm();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("pose.json", r#"{"joints": {"forearm": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#);
    fine(folder.path(), &["deform", "arm.glb", "--pose", "pose.json", "-o", "posed.obj"]);
    let project = r#"{"format": "supple-project", "version": 1, "rig": "arm.glb", "graph": {"version": 1, "output": "m", "nodes": [
        {"name": "m", "method": "mix", "inputs": ["l", "d"], "settings": {"amount": 1}},
        {"name": "l", "method": "linear", "inputs": ["rest"]},
        {"name": "d", "method": "dual-quaternion", "inputs": ["rest"]}]}}"#;
    write("project.json", project);
    fine(folder.path(), &["deform", "--project", "project.json", "--bend", "forearm=100", "-o", "a.obj"]);
    fine(folder.path(), &["deform", "arm.glb", "-m", "dual-quaternion", "--bend", "forearm=100", "-o", "b.obj"]);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
    assert_eq!(text("a.obj"), text("b.obj"));
    write("newer.json", &project.replace("\"version\": 1, \"rig\"", "\"version\": 9, \"rig\""));
    let words = ["deform", "--project", "newer.json", "-o", "c.obj"];
    assert!(refused(folder.path(), &words).contains("version 9 is not one this program understands"));
}

#[test]
fn the_clip_of_a_project_matters_where_no_other_pose_is_given() {
    let folder = folder_with_arm();
    let write = |name: &str, clip: &str| {
        let graph =
            r#"{"version": 1, "output": "l", "nodes": [{"name": "l", "method": "linear", "inputs": ["rest"]}]}"#;
        let text = format!(
            r#"{{"format": "supple-project", "version": 1, "rig": "arm.glb", "graph": {graph}, "clip": {clip}}}"#
        );
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("late.json", r#"{"name": "bend", "time": 99}"#);
    write("misspelt.json", r#"{"name": "bned", "time": 0}"#);
    let deform = |project: &'static str| ["deform", "--project", project, "-o", "out.obj"];
    assert!(said(folder.path(), &deform("late.json")).contains("at 99 s it is its last pose"));
    assert!(refused(folder.path(), &deform("misspelt.json")).contains("bned"));
    fine(folder.path(), &[&deform("misspelt.json")[..], &["--bend", "forearm=30"]].concat());
}

#[test]
fn a_bake_can_be_cut_and_shared_out() {
    let folder = folder_with_arm();
    let frames = |words: &[&str]| {
        fine(folder.path(), &[&["bake", "arm.glb", "--clip", "0", "-o", "out.pc2"], words].concat());
        let bytes = std::fs::read(folder.path().join("out.pc2")).expect("written");
        let count = i32::from_le_bytes(bytes[28..32].try_into().expect("four bytes"));
        (count, bytes[32..].to_vec())
    };
    let (all, points) = frames(&["--fps", "10"]);
    let (cut, some) = frames(&["--fps", "10", "--frames", "2..5"]);
    let size = points.len() / all as usize;
    assert_eq!((cut, &some[..]), (3, &points[2 * size..5 * size]));
    let mut shared = Vec::new();
    for share in ["1/3", "2/3", "3/3"] {
        shared.extend(frames(&["--fps", "10", "--shard", share]).1);
    }
    assert_eq!(shared, points);
    for words in [["--frames", "5..2"], ["--frames", "x"], ["--shard", "4/3"], ["--fps", "0"]] {
        refused(folder.path(), &[&["bake", "arm.glb", "--clip", "0", "-o", "no.pc2"], &words[..]].concat());
    }
    assert!(!folder.path().join("no.pc2").exists());
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let folder = folder_with_arm();
    for (words, says) in [
        (vec!["deform", "arm.glb", "--method", "magic", "-o", "o.obj"], "no method is called \"magic\""),
        (vec!["deform", "arm.glb", "--method", "mix", "-o", "o.obj"], "works only inside a graph"),
        (vec!["deform", "arm.glb", "--set", "x=1", "-o", "o.obj"], "has no setting \"x\""),
        (vec!["deform", "arm.glb", "--clip", "moonwalk", "-o", "o.obj"], "no clip is called \"moonwalk\""),
        (vec!["deform", "arm.glb", "--bend", "knee=90", "-o", "o.obj"], "no joint is called \"knee\""),
        (
            vec!["deform", "arm.glb", "--bend", "upper_arm=90", "-o", "o.obj"],
            "nothing tells how joint \"upper_arm\" bends: give the axis",
        ),
        (vec!["deform", "arm.glb", "--bend", "forearm=lots", "-o", "o.obj"], "is not an angle"),
        (vec!["deform", "arm.glb", "-o", "o.doc"], ".doc"),
        (vec!["deform", "arm.glb", "-o", "no/such/folder/o.obj"], "folder"),
        (vec!["bake", "arm.glb", "--clip", "0", "-o", "o.obj"], "glb, usda and pc2"),
    ] {
        let line = refused(folder.path(), &words);
        assert!(line.contains(says), "{words:?}: {line}");
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("readable").map(|e| e.expect("entry").file_name()).collect();
    assert_eq!(left, ["arm.glb"], "a refused command leaves something behind");
}

#[test]
fn completions_and_manual_pages_are_made() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(fine(folder.path(), &["completions", "bash"]).contains("_supple"));
    fine(folder.path(), &["man", "pages"]);
    assert!(folder.path().join("pages/supple.1").exists());
    assert!(folder.path().join("pages/supple-deform.1").exists());
    // Once more is no harm, but what somebody else wrote stays.
    fine(folder.path(), &["man", "pages"]);
    let mine = folder.path().join("pages/supple-info.1");
    std::fs::write(&mine, "mine").expect("written");
    assert!(refused(folder.path(), &["man", "pages"]).contains("is no manual page of this program"));
    assert_eq!(std::fs::read(&mine).expect("there"), b"mine");
}

#[test]
fn bench_prints_what_the_peers_print() {
    let folder = folder_with_arm();
    let lines = fine(folder.path(), &["bench", "arm.glb", "--json", "--seconds", "0.01"]);
    let rows: Vec<serde_json::Value> = lines.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let (weights, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|r| r["job"] == "bone_heat_auto_weights");
    assert!(weights.len() == 1 && weights[0]["ms"].as_f64() > Some(0.0), "{weights:?}");
    let (volumes, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|r| r["limbs"].is_number());
    let jobs: Vec<&str> = volumes.iter().filter_map(|r| r["job"].as_str()).collect();
    assert_eq!(jobs, ["fit all limbs", "refit one limb"]);
    // One for every method, and one for the normals.
    assert_eq!(rows.len(), supple::graph::methods().iter().filter(|m| m.stands_alone).count() + 1);
    for key in ["peer", "job", "rig", "threads", "ms", "min_ms", "runs", "bytes", "memory_share"] {
        assert!(rows.iter().all(|r| !r[key].is_null()), "{key} is missing");
    }
}
