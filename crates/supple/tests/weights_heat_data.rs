//! Bone heat on the shared data: every rig without its weights, and every static mesh with a skeleton.

use glam::DVec3;
use supple::{
    read,
    rig::{Mesh, Rig, Skeleton, Weights},
    weights::{HeatNote, HeatOptions, heat},
};
use supple_testkit::data;

/// Larger meshes take minutes in unoptimised code: with SUPPLE_LONG set, as `./test --long` does, they are there too.
fn most() -> usize {
    if std::env::var_os("SUPPLE_LONG").is_some() { usize::MAX } else { 20_000 }
}

fn read(path: &std::path::Path) -> Rig {
    read::path(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).rig
}

fn weigh(name: &str, mesh: &Mesh, skeleton: &Skeleton) -> (Weights, Vec<HeatNote>) {
    let (weights, notes) = heat(mesh, skeleton, &HeatOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(weights.len(), mesh.positions.len(), "{name}");
    for v in 0..weights.len() {
        let values = weights.row(v).1;
        assert!((values.iter().map(|&w| f64::from(w)).sum::<f64>() - 1.0).abs() < 1e-6, "{name}: vertex {v}");
        assert!(values.iter().all(|w| w.is_finite() && *w > 0.0) && values.len() <= 4, "{name}: vertex {v}");
    }
    (weights, notes)
}

fn scaled(mesh: &Mesh, skeleton: &Skeleton, scale: f64, shift: DVec3) -> (Mesh, Skeleton) {
    let positions = mesh.positions.iter().map(|p| (p.as_dvec3() * scale + shift).as_vec3()).collect();
    let joints = skeleton.joints().iter().cloned().map(|mut joint| {
        joint.rest_from_joint.translation = joint.rest_from_joint.translation * scale + shift;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
        joint
    });
    let mesh = Mesh { positions, triangles: mesh.triangles.clone(), ..Mesh::default() };
    (mesh, Skeleton::new(joints.collect()).expect("as before"))
}

/// The mean share of a vertex's weight that goes to other joints.
fn difference(a: &Weights, b: &Weights) -> f64 {
    let of = |v: usize| -> f64 {
        let ((joints, values), (others, theirs)) = (a.row(v), b.row(v));
        let share = |joint: &u16| others.iter().position(|j| j == joint).map_or(0.0, |i| theirs[i]);
        joints.iter().zip(values).map(|(j, w)| f64::from(w - share(j)).max(0.0)).sum()
    };
    (0..a.len()).map(of).sum::<f64>() / a.len() as f64
}

fn told(notes: &[HeatNote]) -> usize {
    notes.iter().map(HeatNote::vertices).sum()
}

/// In another unit the floats of a file round differently, by 1e-7 of the diagonal. Lines of sight that just touch the
/// skin then decide otherwise at single vertices. Of RobotExpressive and kaykit_Knight, all plane faces and right angles,
/// 0.0016 of the weight moves, of m2m_human 0.0005, of the others 0.0002 at most.
fn check(name: &str, mesh: &Mesh, skeleton: &Skeleton) {
    let (weights, notes) = weigh(name, mesh, skeleton);
    for scale in [0.001, 1000.0] {
        let (mesh, skeleton) = scaled(mesh, skeleton, scale, DVec3::ZERO);
        let (found, found_notes) = weigh(name, &mesh, &skeleton);
        let moved = difference(&weights, &found);
        assert_eq!(told(&notes), told(&found_notes), "{name} times {scale}");
        assert!(moved < 5e-3, "{name} times {scale}: {moved}");
    }
}

#[test]
fn every_rig_can_be_weighted_again() {
    for file in data::files("rigged", &["glb"]) {
        let rig = read(&file);
        if rig.mesh.positions.len() <= most() {
            check(&rig.name, &rig.mesh, &rig.skeleton);
        }
    }
}

#[test]
fn every_static_mesh_can_be_weighted() {
    let Some(folder) = data::folder("skeleton") else { return };
    let (human, hand) = (read(&folder.join("makehuman_male_cmu.tgf")), read(&folder.join("hand_webxr.tgf")));
    for file in data::files("static", &["obj", "ply"]) {
        let rig = read(&file);
        if rig.mesh.positions.len() > most() {
            continue;
        }
        let bones = if rig.name.starts_with("hand") { &hand.skeleton } else { &human.skeleton };
        let skeleton = match rig.name.as_str() {
            "makehuman_male_body" | "hand_webxr" => bones.clone(),
            _ => fitted(bones, &rig.mesh),
        };
        check(&rig.name, &rig.mesh, &skeleton);
    }
}

/// The skeleton in the middle of the mesh's box, as high as nine tenths of it.
fn fitted(skeleton: &Skeleton, mesh: &Mesh) -> Skeleton {
    let places: Vec<DVec3> = skeleton.joints().iter().map(|j| j.rest_position()).collect();
    let low = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let bounds = mesh.bounds();
    let scale = 0.9 * f64::from(bounds.size().max_element()) / (high - low).max_element();
    let shift = bounds.center().as_dvec3() - 0.5 * (low + high) * scale;
    scaled(&Mesh::default(), skeleton, scale, shift).1
}
