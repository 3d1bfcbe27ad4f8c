//! Laplacians of meshes that break things.

use supple::{rig::Topology, solve::Laplacian};
use supple_testkit::rigs;

#[test]
fn no_weight_is_negative_and_rows_sum_to_zero_on_nasty_meshes() {
    for rig in rigs::nasty() {
        let (name, topology) = (&rig.name, Topology::of(&rig.mesh));
        for laplacian in [Laplacian::delaunay, Laplacian::clamped].map(|f| f(&topology, &rig.mesh.positions)) {
            let sums = laplacian.stiffness.times(&vec![1.0; topology.points()]);
            let largest = laplacian.stiffness.diagonal().into_iter().fold(1.0, f64::max);
            assert!(sums.iter().all(|s| s.abs() <= 1e-12 * largest), "{name}");
            for column in 0..topology.points() {
                let (_, values) = laplacian.stiffness.column(column);
                assert!(values[0] >= 0.0 && values[1..].iter().all(|v| v.is_finite() && *v <= 0.0), "{name}");
            }
            assert!(laplacian.mass.iter().all(|m| m.is_finite() && *m >= 0.0), "{name}");
        }
    }
}
