//! Meshes that are inside out, as a whole or in parts, and meshes that have no outside.

mod command;

use command::{fine, said};
use glam::Vec3;
use serde_json::Value;
use std::path::Path;
use supple::{
    read,
    rig::{Part, Rig, WeightsBuilder},
    write,
};

fn rig(folder: &Path, name: &str) -> Rig {
    read::path(folder.join(name)).expect(name).rig
}

fn json(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&fine(folder, words)).expect("JSON")
}

fn turn(rig: &mut Rig, triangles: std::ops::Range<usize>) {
    rig.mesh.triangles[triangles].iter_mut().for_each(|t| t.swap(0, 1));
    rig.mesh.normals.iter_mut().flatten().for_each(|n| *n = -*n);
}

/// `arm.glb`, and `turned.glb`, which is the same inside out.
fn folder_with_arms() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "arm", "--plain", "--vertices", "1500", "-o", "arm.glb"]);
    let mut arm = rig(folder.path(), "arm.glb");
    let all = arm.mesh.triangles.len();
    turn(&mut arm, 0..all);
    write::rig(folder.path().join("turned.glb"), &arm).expect("written");
    folder
}

/// A box at the end of the arm, a part of its own.
fn with_shoe(mut arm: Rig) -> Rig {
    let first = arm.mesh.positions.len() as u32;
    let start = arm.mesh.triangles.len() as u32;
    let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) + Vec3::splat(3.0);
    arm.mesh.positions.extend((0..8).map(corner));
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let side = |&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]].map(|t| t.map(|v| v + first));
    arm.mesh.triangles.extend(sides.iter().flat_map(side));
    let mut weights = WeightsBuilder::default();
    let old = arm.weights.take().expect("an arm has weights");
    for v in 0..first as usize {
        let (joints, values) = old.row(v);
        weights.push(joints.iter().copied().zip(values.iter().copied()));
    }
    (0..8).for_each(|_| weights.push([(1, 1.0)]));
    arm.weights = Some(weights.finish(|_| 0).0);
    (arm.mesh.normals, arm.mesh.uvs, arm.mesh.colors) = (None, None, None);
    arm.parts.push(Part {
        name: "shoe".into(),
        vertices: first..first + 8,
        triangles: start..start + 12,
        material: None,
        skinned: true,
    });
    arm
}

#[test]
fn info_names_the_part_that_is_inside_out() {
    let folder = folder_with_arms();
    let folder = folder.path();
    let mut shod = with_shoe(rig(folder, "arm.glb"));
    write::rig(folder.join("good.glb"), &shod).expect("written");
    let triangles = shod.mesh.triangles.len();
    turn(&mut shod, triangles - 12..triangles);
    write::rig(folder.join("shod.glb"), &shod).expect("written");
    assert_eq!(json(folder, &["info", "--json", "good.glb"])["surface"]["inside_out"], serde_json::json!([]));
    let told = json(folder, &["info", "--json", "shod.glb"]);
    let expected = serde_json::json!([{"part": "shoe", "inside_out": 12, "triangles": 12}]);
    assert_eq!(told["surface"]["inside_out"], expected);
    let text = fine(folder, &["info", "shod.glb"]);
    assert!(text.contains("inside out: \"shoe\" (12 of 12 triangles): --flip turns it"), "{text}");
    assert!(!fine(folder, &["info", "good.glb"]).contains("inside out"));
}

#[test]
fn flip_turns_triangles_and_normals_whatever_the_command() {
    let folder = folder_with_arms();
    let folder = folder.path();
    let arm = rig(folder, "arm.glb");
    for (words, file) in [
        (&["weights", "normalize", "turned.glb", "--flip", "-o", "x.glb"][..], "x.glb"),
        (&["bind", "turned.glb", "--flip", "-o", "x.glb"], "x.glb"),
        (&["deform", "turned.glb", "--rest", "--flip", "-o", "x.obj"], "x.obj"),
    ] {
        let line = said(folder, words);
        let triangles = arm.mesh.triangles.len();
        assert!(
            line.contains(&format!("turned what was inside out: \"arm\" ({triangles} of {triangles} triangles)")),
            "{words:?}: {line}"
        );
        let turned = rig(folder, file);
        assert!((turned.mesh.volume() - arm.mesh.volume()).abs() < 1e-4, "{words:?}");
        if let (Some(a), Some(b)) = (&turned.mesh.normals, &arm.mesh.normals) {
            assert!(a.iter().zip(b).all(|(a, b)| a.dot(*b) > 0.99), "{words:?}");
        }
    }
    let line = said(folder, &["deform", "arm.glb", "--rest", "--flip", "-o", "x.obj"]);
    assert!(line.contains("nothing is inside out"), "{line}");
}

#[test]
fn bind_tells_of_a_mesh_that_is_inside_out() {
    let folder = folder_with_arms();
    let folder = folder.path();
    let triangles = rig(folder, "arm.glb").mesh.triangles.len();
    for weights in ["heat", "nearest"] {
        let words = |name| ["bind", name, "--weights", weights, "-o", "bound.glb"];
        let line = said(folder, &words("turned.glb"));
        let says = format!("turned.glb: {triangles} triangles are inside out (--flip turns them)");
        assert!(line.contains(&says), "{weights}: {line}");
        assert!(!said(folder, &words("arm.glb")).contains("inside out"), "{weights}");
    }
}

#[test]
fn an_arm_that_is_inside_out_is_measured_like_any_other() {
    let folder = folder_with_arms();
    let folder = folder.path();
    for method in ["linear", "implicit"] {
        let words = |name| ["measure", "--json", name, "--method", method, "--bend", "forearm=135", "--grid", "48"];
        let (good, turned) = (json(folder, &words("arm.glb")), json(folder, &words("turned.glb")));
        for key in ["overlap", "inverted", "volume_drift", "flipped", "detail"] {
            let [a, b] = [&good, &turned].map(|f| f[key].as_f64().expect(key));
            assert!((a - b).abs() < 1e-3, "{method}, {key}: {a} and {b}");
        }
        let line = said(folder, &words("turned.glb"));
        assert!(line.contains("inside out, and measured the other way round"), "{line}");
    }
}

#[test]
fn nothing_is_said_of_the_overlap_of_a_mesh_without_an_outside() {
    let folder = folder_with_arms();
    let folder = folder.path();
    let arm = rig(folder, "arm.glb");
    // Every third triangle alone; every triangle from both sides; a flat sheet.
    let mut soup = arm.clone();
    soup.mesh.triangles = arm.mesh.triangles.iter().copied().step_by(3).collect();
    let mut pages = arm.clone();
    pages.mesh.triangles.extend(arm.mesh.triangles.iter().map(|&[a, b, c]| [c, b, a]));
    let mut flat = arm.clone();
    flat.mesh.positions.iter_mut().for_each(|p| p.z = 0.0);
    for (name, mut rig) in [("soup", soup), ("pages", pages), ("flat", flat)] {
        rig.parts[0].triangles = 0..rig.mesh.triangles.len() as u32;
        rig.mesh.normals = None;
        let file = format!("{name}.glb");
        write::rig(folder.join(&file), &rig).expect("written");
        let words = ["measure", &file, "--bend", "forearm=135", "--grid", "24"];
        let figures = json(folder, &[&words[..], &["--json"]].concat());
        for key in ["overlap", "inverted", "volume_drift"] {
            assert!(figures[key].is_null(), "{name}: {key} {}", figures[key]);
        }
        assert!(figures["cannot_be_judged"].is_string() && figures["stretch_max"].is_number(), "{name}: {figures}");
        let text = fine(folder, &words);
        assert!(text.contains("cannot be judged: "), "{name}: {text}");
        assert!(text.lines().any(|l| l.split_whitespace().eq(["overlap", "-"])), "{name}: {text}");
    }
}
