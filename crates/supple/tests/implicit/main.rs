//! What implicit skinning must hold, on a few meshes and poses. `cargo xtask implicit` measures the same widely.

#![expect(clippy::print_stdout, reason = "figures to be read with --nocapture")]

mod arm;
mod characters;
mod hostile;
mod operators;

use glam::{DVec3, Vec3};
use serde_json::{Value, json};
use std::collections::HashMap;
use supple::{
    deform::Settings,
    example::{self, ArmOptions},
    graph::{BoundGraph, DeformGraph},
    measure::{SurfaceFigures, SurfaceGauge, SurfaceOptions},
    pose::{Motion, Pose},
    rig::{Rig, Topology},
};

/// Radius of the plain arm.
const RADIUS: f64 = 0.5;
const ELBOW: DVec3 = DVec3::new(2.0, 0.0, 0.0);

fn plain(band: f64) -> Rig {
    example::arm(&ArmOptions { plain: true, band, vertices: 8003 }).unwrap()
}

fn graph(settings: &[(&str, Value)]) -> DeformGraph {
    let settings: Settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    DeformGraph::single_with("implicit", &settings).unwrap()
}

fn joined_by(operator: &str, rig: &Rig) -> BoundGraph {
    graph(&[("operator", json!(operator))]).bind(rig).unwrap()
}

fn dual(rig: &Rig) -> BoundGraph {
    DeformGraph::single("dual-quaternion").unwrap().bind(rig).unwrap()
}

fn bent(rig: &Rig, joint: &str, degrees: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, joint, degrees, None).unwrap();
    pose
}

fn moved(rig: &Rig, bound: &mut BoundGraph, pose: &Pose) -> Vec<Vec3> {
    bound.evaluate(&rig.mesh.positions, &Motion::of(rig, pose)).to_vec()
}

fn gauge(rig: &Rig) -> SurfaceGauge {
    SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default()).unwrap()
}

fn overlap(figures: &SurfaceFigures) -> f64 {
    figures.overlap.expect("finite, with a volume")
}

/// What share of the edges is sharper than with another method, by more than this many degrees: pits, cliffs and spikes, which
/// no volume and no length shows.
fn sharper(rig: &Rig, than: &[Vec3], points: &[Vec3], degrees: f32) -> f64 {
    let topology = Topology::of(&rig.mesh);
    let mut beside: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    for (i, t) in topology.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            beside.entry([a.min(b), a.max(b)]).or_default().push(i);
        }
    }
    let angles = |points: &[Vec3]| {
        let corner = |v: u32| points[topology.weld.first_of[v as usize] as usize];
        let normal = |t: usize| {
            let [a, b, c] = topology.triangles[t].map(corner);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals: Vec<Vec3> = (0..topology.triangles.len()).map(normal).collect();
        move |a: usize, b: usize| normals[a].dot(normals[b]).clamp(-1.0, 1.0).acos().to_degrees()
    };
    let (before, after) = (angles(than), angles(points));
    let edges: Vec<&Vec<usize>> = beside.values().filter(|t| t.len() == 2).collect();
    let count = edges.iter().filter(|t| after(t[0], t[1]) - before(t[0], t[1]) > degrees).count();
    count as f64 / edges.len() as f64
}

/// A figure that must stay below a limit; its value is in the message, and in the output of a run that passes.
#[track_caller]
fn at_most(what: &str, value: f64, limit: f64) {
    println!("{what}: {value:.6} (at most {limit})");
    assert!(value <= limit, "{what}: {value}, where at most {limit} is asked");
}

/// The same the other way round.
#[track_caller]
fn at_least(what: &str, value: f64, limit: f64) {
    println!("{what}: {value:.6} (at least {limit})");
    assert!(value >= limit, "{what}: {value}, where at least {limit} is asked");
}
