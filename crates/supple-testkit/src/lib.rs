//! Rigs, tolerances, contracts and goldens for Supple's own tests. Never published.

pub mod changed;
pub mod contract;
pub mod data;
pub mod golden;
#[cfg(feature = "gpu")]
pub mod layout;
pub mod page;
pub mod project_schema;
pub mod rich;
pub mod rigs;
pub mod screen;
pub mod toy;

use glam::Vec3;

/// Every method gives back the rest pose, and follows a rigid motion, to this fraction of the diagonal.
pub const EXACT: f64 = 1e-5;

/// The largest distance between two point lists, over `diagonal`.
///
/// # Panics
/// When the lists differ in length.
pub fn largest_distance(a: &[Vec3], b: &[Vec3], diagonal: f32) -> f64 {
    assert_eq!(a.len(), b.len());
    let distances = a.iter().zip(b).map(|(a, b)| a.as_dvec3().distance(b.as_dvec3()));
    // f64::max would lose a NaN.
    distances.fold(0.0, |most: f64, d| if d > most || d.is_nan() { d } else { most }) / f64::from(diagonal)
}
