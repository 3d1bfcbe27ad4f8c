//! What implicit skinning must hold, on a few meshes and poses. `cargo xtask implicit` measures the same widely.

#![expect(clippy::print_stdout, reason = "figures to be read with --nocapture")]

mod arm;
mod characters;
mod hostile;
mod operators;

use glam::{DVec3, Vec3};
use serde_json::{Value, json};
use supple::{
    deform::Settings,
    example::{self, ArmOptions},
    graph::{BoundGraph, DeformGraph},
    measure::{SurfaceFigures, SurfaceGauge, SurfaceOptions},
    pose::{Motion, Pose},
    rig::Rig,
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

/// A limit that is known to be missed: the value must not get worse than it was when this was written, and once it keeps the
/// limit this must become [`at_most`].
#[track_caller]
fn misses(what: &str, value: f64, limit: f64, now: f64) {
    println!("{what}: {value:.6} (MISSES the limit {limit}; {now} is allowed for now)");
    assert!(value > limit, "{what}: {value} keeps the limit {limit} now: ask for it with at_most");
    assert!(value <= now, "{what}: {value}, where {now} was reached and {limit} is wished for");
}
