//! Poses in words: flexion, the six directions of limbs, and what is said of them.

mod command;

use command::{fine, folder_with_arm, refused, said};
use serde_json::Value;
use std::path::Path;
use supple_testkit::data;

fn folder_with_figure() -> tempfile::TempDir {
    let folder = folder_with_arm();
    fine(folder.path(), &["example", "figure", "--vertices", "1500", "-o", "figure.glb"]);
    folder
}

/// The points of the rig moved by these words.
fn points(folder: &Path, rig: &str, words: &[&str]) -> Vec<[f64; 3]> {
    fine(folder, &[&["--quiet", "deform", rig, "-o", "moved.obj"], words].concat());
    let text = std::fs::read_to_string(folder.join("moved.obj")).expect("it was written");
    let vertices = text.lines().filter_map(|l| l.strip_prefix("v "));
    let numbers = |l: &str| l.split_whitespace().map(|x| x.parse().expect("a number")).collect::<Vec<f64>>();
    vertices.map(|l| numbers(l)[..3].try_into().expect("three")).collect()
}

#[test]
fn limbs_go_the_same_way_on_both_sides() {
    let folder = folder_with_figure();
    let folder = folder.path();
    let rest = points(folder, "figure.glb", &["--rest"]);
    for (option, axis, sign) in [
        ("raise", 1, 1.0),
        ("lower", 1, -1.0),
        ("forward", 2, 1.0),
        ("back", 2, -1.0),
        ("out", 0, 1.0),
        ("in", 0, -1.0),
    ] {
        let option_word = format!("--{option}");
        let joints = ["upper_arm_l=30", "upper_arm_r=30", "thigh_l=30", "thigh_r=30"];
        let words: Vec<&str> = joints.iter().flat_map(|joint| [&*option_word, joint]).collect();
        let moved = points(folder, "figure.glb", &words);
        for side in [1.0, -1.0] {
            // Where hands and feet go in the mean; out is another way on either side.
            let went = |limb: &dyn Fn(&[f64; 3]) -> bool| {
                let pairs: Vec<_> = rest.iter().zip(&moved).filter(|(r, _)| r[0] * side > 0.0 && limb(r)).collect();
                let sum: f64 = pairs.iter().map(|(r, m)| m[axis] - r[axis]).sum();
                sum / pairs.len() as f64 * sign * if axis == 0 { side } else { 1.0 }
            };
            let (hand, foot) = (went(&|r| r[0].abs() > 0.7), went(&|r| r[1] < 0.2));
            // Arms that are out cannot go farther out, nor can hanging legs be lowered.
            assert!(option == "out" || hand > 0.05, "{option} arm {side}: {hand}");
            assert!(option == "lower" || foot > 0.05, "{option} leg {side}: {foot}");
        }
    }
    // In the order given: down and then to the front is not to the front and then down.
    let one = points(folder, "figure.glb", &["--lower", "upper_arm_l=90", "--forward", "upper_arm_l=40"]);
    let other = points(folder, "figure.glb", &["--forward", "upper_arm_l=40", "--lower", "upper_arm_l=90"]);
    assert_ne!(one, other);
}

#[test]
fn turns_out_of_reason_are_refused_or_warned_of() {
    let folder = folder_with_figure();
    let folder = folder.path();
    fn deform<'a>(words: &[&'a str]) -> Vec<&'a str> {
        [&["deform", "figure.glb", "-o", "x.obj"], words].concat()
    }
    for (words, text) in [
        (["--bend", "forearm_l=361"], "angle 361 for joint \"forearm_l\": -360 to 360 degrees are possible"),
        (["--raise", "upper_arm_l=1e9"], "-360 to 360 degrees are possible"),
        (["--raise", "upper_arm_l=nan"], "is not a number"),
        (["--twist", "forearm_l=-721"], "-360 to 360 degrees are possible"),
        (["--out", "neck=20"], "joint \"neck\" lies in the middle of the body"),
        (["--raise", "upper_arm_l=20@0,0,1"], "expected JOINT=DEG"),
        (["--raise", "uper_arm_l=20"], "did you mean"),
    ] {
        let line = refused(folder, &deform(&words));
        assert!(line.contains(text), "{words:?}: {line}");
    }
    let line = refused(folder, &["deform", "arm.glb", "--raise", "forearm=20", "-o", "x.obj"]);
    assert!(line.contains("no joints are named left and right"), "{line}");
    assert!(!folder.join("x.obj").exists());
    // Too much for a body is done, and said once; halves count together.
    let line = said(folder, &deform(&["--bend", "forearm_l=170"]));
    assert!(line.contains("\"forearm_l\" is bent by 170 degrees: the elbow of a body bends by -15 to 160"), "{line}");
    let line = said(folder, &deform(&["--bend", "shin_l=100", "--bend", "shin_l=100"]));
    assert_eq!(line.matches("warning").count(), 1, "{line}");
    assert!(!said(folder, &deform(&["--bend", "forearm_l=150"])).contains("warning"));
    let line = said(folder, &deform(&["--raise", "upper_arm_l=350"]));
    assert!(line.contains("\"upper_arm_l\" is moved by 350 degrees: no shoulder of a body goes further"), "{line}");
    let line = said(folder, &deform(&["--forward", "thigh_l=90", "--forward", "thigh_l=90"]));
    assert!(line.contains("\"thigh_l\" is moved by 180 degrees: no hip of a body goes further than 150"), "{line}");
    let line = said(folder, &deform(&["--twist", "forearm_l=200"]));
    assert!(line.contains("\"forearm_l\" is twisted by 200 degrees"), "{line}");
    assert!(!said(folder, &deform(&["--raise", "upper_arm_l=170", "--twist", "forearm_l=90"])).contains("warning"));
    // An elbow has one hinge; a turn about it is a bend, whatever it is called.
    let line = said(folder, &deform(&["--raise", "forearm_l=20"]));
    assert!(line.contains("\"forearm_l\" is moved against its hinge: the elbow of a body only bends"), "{line}");
    assert!(said(folder, &deform(&["--forward", "shin_l=30"])).contains("the knee of a body only bends"));
    assert!(!said(folder, &deform(&["--back", "shin_l=30", "--forward", "forearm_l=30"])).contains("warning"));
    // A warning belongs to its result: one word for less talk does not silence it.
    assert!(said(folder, &[&["-q"], &deform(&["--bend", "forearm_l=170"])[..]].concat()).contains("170 degrees"));
    assert_eq!(said(folder, &[&["-qq"], &deform(&["--bend", "forearm_l=170"])[..]].concat()), "");
    // About an axis of the user's everything is meant.
    assert!(!said(folder, &deform(&["--bend", "forearm_l=200@0,0,1"])).contains("warning"));
}

#[test]
fn info_tells_how_each_joint_bends_and_how_sure_that_is() {
    let folder = folder_with_figure();
    let text = fine(folder.path(), &["info", "figure.glb", "--joints"]);
    assert!(text.contains("up 0,1,0, left 1,0,0, front 0,0,1 (sure)"), "{text}");
    let line =
        |name: &str| text.lines().find(|l| l.trim_start().starts_with(name)).expect("a line for each").to_owned();
    let words = |name: &str| line(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words("forearm_l "), ["forearm_l", "elbow", "0,-1,0", "front", "stored", "certain"]);
    assert_eq!(words("shin_r "), ["shin_r", "knee", "1,0,0", "back", "stored", "certain"]);
    assert_eq!(words("upper_arm_r ")[3..], ["front", "anatomy", "sure"].map(str::to_owned));
    let json: Value =
        serde_json::from_str(&fine(folder.path(), &["info", "figure.glb", "--joints", "--json"])).unwrap();
    assert_eq!(json["body"]["front"], serde_json::json!([0.0, 0.0, 1.0]));
    let joint = json["joints"].as_array().unwrap().iter().find(|j| j["name"] == "forearm_l").unwrap();
    assert_eq!((&joint["axes"]["part"], &joint["axes"]["certainty"]), (&"elbow".into(), &"certain".into()));
    // Without the word nothing of it is there.
    let json: Value = serde_json::from_str(&fine(folder.path(), &["info", "figure.glb", "--json"])).unwrap();
    assert!(json.get("body").is_none() && json["joints"][0].get("axes").is_none());
    let alone = fine(folder.path(), &["info", "arm.glb", "--joints"]);
    assert!(alone.contains("unknown: no joints are named left and right"), "{alone}");
}

#[test]
fn a_guessed_hinge_is_said() {
    let Some(folder) = data::folder("rigged") else { return };
    let rig = folder.join("RiggedSimple.glb");
    let out = tempfile::tempdir().expect("a folder");
    let words = ["deform", rig.to_str().expect("text"), "-o", "x.obj", "--bend", "Bone.001=40"];
    let line = said(out.path(), &words);
    assert!(line.contains("joint \"Bone.001\": nothing tells its hinge"), "{line}");
    assert!(line.contains("as in Bone.001=40@0,0,1"), "{line}");
}
