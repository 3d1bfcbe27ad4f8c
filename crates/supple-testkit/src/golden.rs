//! Results that must not change by accident. `cargo xtask bless` writes them anew.

use crate::{largest_distance, rigs};
use glam::Vec3;
use serde_json::json;
use std::path::PathBuf;
use supple::{graph::DeformGraph, pose::Motion};

/// Goldens are compared to this fraction of the diagonal: f32 rounding differs between processors, results do not.
pub const TOLERANCE: f64 = 1e-6;

/// Where the golden of a method lies.
pub fn path(method: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../golden/{method}.json"))
}

/// The graph a method's golden is made with: the method alone, or a node that joins two others in its place.
///
/// # Panics
/// For a method that is not registered.
pub fn graph(method: &str) -> DeformGraph {
    let joined = r#"{"version": 1, "output": "mix", "nodes": [
        {"name": "mix", "method": "mix", "inputs": ["a", "b"], "settings": {"amount": 0.25}},
        {"name": "a", "method": "linear", "inputs": ["rest"]},
        {"name": "b", "method": "dual-quaternion", "inputs": ["rest"]}]}"#;
    let graph = if method == "mix" { DeformGraph::from_json(joined) } else { DeformGraph::single(method) };
    graph.expect("a registered method")
}

/// Every seventh vertex of the tube in the golden pose, and of the tube with a stretched joint.
pub fn points(graph: &DeformGraph) -> [Vec<Vec3>; 2] {
    let rig = rigs::tube();
    let mut bound = graph.bind(&rig).expect("the tube suits every method");
    let motions = [Motion::of(&rig, &rigs::tube_pose(&rig)), rigs::stretched(&rig)];
    motions.map(|m| bound.evaluate(&rig.mesh.positions, &m).iter().step_by(7).copied().collect())
}

/// Writes a method's golden.
///
/// # Errors
/// When the file cannot be written.
pub fn bless(method: &str) -> std::io::Result<()> {
    let rows = points(&graph(method)).map(|list| list.iter().map(|p| p.to_array()).collect::<Vec<_>>());
    let file = json!({"method": method, "posed": rows[0], "stretched": rows[1]});
    std::fs::create_dir_all(path(method).parent().expect("a folder"))?;
    std::fs::write(path(method), format!("{file}\n"))
}

/// How far points are from a method's golden: the largest distances in its two poses, added, over the diagonal.
///
/// # Panics
/// When the golden is missing or does not have as many points.
pub fn distance(method: &str, points: &[Vec<Vec3>; 2]) -> f64 {
    let text = std::fs::read_to_string(path(method)).unwrap_or_else(|e| panic!("golden of {method}: {e}"));
    let file: serde_json::Value = serde_json::from_str(&text).expect("a golden is JSON");
    let diagonal = rigs::tube().diagonal();
    let farthest = |key: &str, points: &[Vec3]| {
        let rows: Vec<[f32; 3]> = serde_json::from_value(file[key].clone()).expect("a list of points");
        let rows: Vec<Vec3> = rows.into_iter().map(Vec3::from).collect();
        largest_distance(points, &rows, diagonal)
    };
    // Adding rather than taking the larger: f64::max would lose a NaN.
    farthest("posed", &points[0]) + farthest("stretched", &points[1])
}
