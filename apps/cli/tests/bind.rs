//! `supple bind`: a mesh and a skeleton in, a rig out.

mod command;

use command::{refused, supple};
use std::path::Path;
use supple::{
    pose::{Motion, Pose},
    read,
    rig::{Rig, Role},
};

fn fine(folder: &Path, words: &[&str]) -> (String, String) {
    let output = supple(folder, words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn rig(folder: &Path, name: &str) -> Rig {
    read::path(folder.join(name)).expect("readable").rig
}

/// An arm as a mesh without a rig, and its joints as a skeleton `scale` times as large.
fn folder_with_parts(scale: f64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "arm", "--vertices", "700", "-o", "arm.glb"]);
    fine(folder.path(), &["deform", "arm.glb", "--rest", "-o", "arm.obj"]);
    let mut text = String::new();
    let arm = rig(folder.path(), "arm.glb");
    for (i, joint) in arm.skeleton.joints().iter().enumerate() {
        let p = joint.rest_position() * scale;
        text += &format!("{} {} {} {} {}\n", i + 1, p.x, p.y, p.z, joint.name);
    }
    std::fs::write(folder.path().join("arm.tgf"), text + "#\n1 2\n").expect("written");
    folder
}

#[test]
fn a_mesh_and_a_skeleton_become_a_rig_that_moves() {
    let folder = folder_with_parts(1.0);
    for method in ["heat", "flexible", "nearest"] {
        let words = ["bind", "arm.obj", "--skeleton", "arm.tgf", "--weights", method, "--json", "-o", "bound.glb"];
        let (facts, said) = fine(folder.path(), &words);
        let facts: serde_json::Value = serde_json::from_str(&facts).expect("JSON");
        assert_eq!(facts["weights"], method);
        assert_eq!(facts["bones"].as_array().map(Vec::len), Some(2));
        assert!(said.contains("supple: wrote bound.glb (") && said.contains(&format!("2 bones, {method} weights in ")));
        let (bound, mesh) = (rig(folder.path(), "bound.glb"), rig(folder.path(), "arm.obj"));
        assert_eq!(bound.mesh.positions, mesh.mesh.positions);
        assert_eq!(bound.weights.as_ref().map(|w| w.len()), Some(mesh.mesh.positions.len()));
        fine(folder.path(), &["deform", "bound.glb", "--bend", "forearm=90@0,0,1", "-o", "bent.obj"]);
    }
}

#[test]
fn a_rig_keeps_its_skeleton_clips_and_order() {
    let folder = folder_with_parts(1.0);
    fine(folder.path(), &["bind", "arm.glb", "--influences", "1", "-o", "again.glb"]);
    let (old, new) = (rig(folder.path(), "arm.glb"), rig(folder.path(), "again.glb"));
    assert_eq!((old.mesh.positions.len(), old.clips.len()), (new.mesh.positions.len(), new.clips.len()));
    assert_eq!(old.skeleton, new.skeleton);
    assert_eq!(new.weights.map(|w| w.most_influences()), Some(1));
}

#[test]
fn a_skeleton_in_another_unit_is_doubted_and_can_be_fitted() {
    let folder = folder_with_parts(100.0);
    let words = ["bind", "arm.obj", "--skeleton", "arm.tgf", "-o", "bound.glb"];
    let (_, said) = fine(folder.path(), &words);
    assert!(said.contains("times as large as the mesh; --fit"), "{said}");
    let (_, said) = fine(folder.path(), &[&words[..], &["--fit"]].concat());
    assert!(!said.contains("--fit"), "{said}");
    let bound = rig(folder.path(), "bound.glb");
    let bounds = bound.mesh.bounds();
    for joint in bound.skeleton.joints() {
        let p = joint.rest_position().as_vec3();
        assert!(p.cmpge(bounds.min).all() && p.cmple(bounds.max).all(), "{} is at {p}", joint.name);
    }
    let motion = Motion::of(&bound, &Pose::shown(&bound));
    assert!(
        motion.posed_from_rest.iter().all(|m| m.abs_diff_eq(glam::Affine3A::IDENTITY, 1e-4)),
        "the shown pose is the bind pose"
    );
}

#[test]
fn what_cannot_be_bound_is_said_in_one_line() {
    let folder = folder_with_parts(1.0);
    for (words, says) in [
        (vec!["arm.obj", "-o", "x.glb"], "has no skeleton of its own; give one with --skeleton"),
        (vec!["arm.obj", "--skeleton", "arm.obj", "-o", "x.glb"], "holds no joints"),
        (vec!["arm.tgf", "--skeleton", "arm.tgf", "-o", "x.glb"], "has no vertices to bind"),
        (vec!["arm.obj", "--skeleton", "arm.tgf", "-o", "x.obj"], "can be written as .glb only"),
        (vec!["arm.glb", "-o", "arm.glb"], "give the output another name, or use --in-place"),
        (vec!["arm.glb", "--influences", "0", "-o", "x.glb"], "--influences 0: a vertex needs at least 1"),
        (vec!["arm.glb", "--fit", "-o", "x.glb"], "--skeleton"),
    ] {
        let line = refused(folder.path(), &[&["bind"], &words[..]].concat());
        assert!(line.contains(says), "{words:?}: {line}");
        assert!(!folder.path().join("x.glb").exists());
    }
}

#[test]
fn a_larger_k_shares_more_vertices_and_one_joint_can_have_its_own() {
    let folder = folder_with_parts(1.0);
    let shared = |words: &[&str]| {
        let bind = ["bind", "arm.obj", "--skeleton", "arm.tgf", "--weights", "flexible", "-o", "bound.glb"];
        fine(folder.path(), &[&bind, words].concat());
        let weights = rig(folder.path(), "bound.glb").weights.expect("bound");
        (0..weights.len()).filter(|&v| weights.row(v).0.len() > 1).count()
    };
    let (stiff, soft) = (shared(&["--k", "0.1"]), shared(&["--k", "1"]));
    assert!(stiff < soft / 3, "{stiff} of {soft}");
    assert_eq!(shared(&["--k", "1", "--joint-k", "forearm=0.1"]), stiff);
    for (words, says) in [
        (["--k", "-1"], "K is -1"),
        (["--joint-k", "foreram=1"], "did you mean \"forearm\"?"),
        (["--joint-k", "forearm"], "expected JOINT=K"),
    ] {
        let bind = ["bind", "arm.obj", "--skeleton", "arm.tgf", "--weights", "flexible", "-o", "x.glb"];
        let line = refused(folder.path(), &[&bind, &words[..]].concat());
        assert!(line.contains(says), "{words:?}: {line}");
    }
}

#[test]
fn a_bare_mesh_gets_a_standard_skeleton() {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "figure", "--vertices", "4000", "-o", "figure.glb"]);
    fine(folder.path(), &["deform", "figure.glb", "--rest", "-o", "body.obj"]);
    fine(folder.path(), &["bind", "body.obj", "--template", "human", "-o", "bound.glb"]);
    let bound = rig(folder.path(), "bound.glb");
    assert!(bound.skeleton.find("forearm_l").is_some());
    fine(folder.path(), &["deform", "bound.glb", "--bend", "forearm_l=90@0,1,0", "-o", "bent.obj"]);
    let line = refused(folder.path(), &["bind", "body.obj", "-o", "x.glb"]);
    assert!(line.contains("give one with --skeleton or --template"), "{line}");
}

#[test]
fn controls_are_left_out_by_name_and_where_the_skin_knows_none() {
    let folder = folder_with_parts(1.0);
    let (_, said) = fine(folder.path(), &["bind", "arm.glb", "--exclude", "upper_arm", "-o", "one.glb"]);
    assert!(said.contains("1 bones"), "{said}");
    let one = rig(folder.path(), "one.glb");
    assert!(one.weights.is_some_and(|w| (0..w.len()).all(|v| w.row(v).0 == [1])));
    assert!(one.skeleton.joints().iter().all(|j| j.role == Role::Bone), "joints without skin are bones all the same");
    let (_, said) = fine(folder.path(), &["bind", "arm.obj", "--skeleton", "one.glb", "-o", "again.glb"]);
    assert!(said.contains("1 bones"), "{said}");
    let said = refused(folder.path(), &["bind", "arm.glb", "--exclude", "forarm", "-o", "no.glb"]);
    assert!(said.contains("--exclude forarm: no joint is called \"forarm\"") && said.contains("forearm"), "{said}");
    // A rig whose second joint lost its weight, though it has a bone, as a control has.
    let mut arm = rig(folder.path(), "arm.glb");
    let mut table = supple::rig::WeightsBuilder::default();
    (0..arm.mesh.positions.len()).for_each(|_| table.push([(0, 1.0)]));
    arm.weights = Some(table.finish(|_| 0).0);
    let mut joints = arm.skeleton.joints().to_vec();
    let mut pole = joints[1].clone();
    (pole.name, pole.parent) = ("pole".into(), Some(0));
    joints.push(pole);
    arm.skeleton = supple::rig::Skeleton::new(joints).expect("joints").show_rest();
    supple::write::rig(folder.path().join("poled.glb"), &arm).expect("written");
    let (_, said) = fine(folder.path(), &["bind", "arm.obj", "--skeleton", "poled.glb", "-o", "bound.glb"]);
    assert!(
        said.contains("joints without weight in its own skin get none here either: \"forearm\", \"pole\""),
        "{said}"
    );
}

#[test]
fn a_joint_has_one_k_and_a_folder_is_no_mesh() {
    let folder = folder_with_parts(1.0);
    let words =
        ["bind", "arm.glb", "--weights", "flexible", "--joint-k", "forearm=1", "--joint-k", "forearm=2", "-o", "k.glb"];
    let said = refused(folder.path(), &words);
    assert!(said.contains("--joint-k forearm=2: this joint has been given 1 already"), "{said}");
    let first = ["bind", "arm.glb", "--weights", "flexible", "--joint-k", "upper_arm=1", "-o", "k.glb"];
    let (_, said) = fine(folder.path(), &first);
    assert!(said.contains("--joint-k upper_arm has no effect"), "{said}");
    std::fs::create_dir(folder.path().join("folder.glb")).expect("made");
    let said = refused(folder.path(), &["bind", "folder.glb", "-o", "no.glb"]);
    assert!(said.contains("folder.glb: is a folder, and a file is expected"), "{said}");
}

#[test]
fn a_skeleton_that_lies_across_the_skin_is_doubted() {
    let folder = folder_with_parts(1.0);
    let across = |y: f64| {
        let joint = |i: u32| format!("{} {} {y} 0 j{i}\n", i + 1, 0.6 + 0.9 * f64::from(i));
        let text = (0..5).map(joint).collect::<String>() + "#\n1 2\n2 3\n3 4\n4 5\n";
        std::fs::write(folder.path().join("across.tgf"), text).expect("written");
        fine(folder.path(), &["bind", "arm.obj", "--skeleton", "across.tgf", "-o", "bound.glb"]).1
    };
    let said = across(0.52);
    assert!(said.contains("bones lie outside the skin: does the skeleton stand in the pose"), "{said}");
    let said = across(0.0);
    assert!(!said.contains("outside the skin"), "{said}");
}
