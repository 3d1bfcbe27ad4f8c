//! A blend: two fields run smoothly into each other, without a crease. For elbows and knees, whose skin is round when they
//! bend a little.
//!
//! R. Vaillant et al. 2013, appendix A. The text prints the branch of k as a test on the two values; it must be one on the
//! result C, or the result jumps.
//!
//! The profile is a quarter of a circle, x² + y² = 1, and the ray meets it at
//!
//! ```text
//! y = (q p τ + sqrt(1 + q² - p² τ²)) / (1 + q²),  x = q y - p τ,  τ = 1 - e
//! dg/da = x / (τ (x + y) + e),  dg/db = y / (τ (x + y) + e)
//! ```
//!
//! | symbol | identifier |
//! |---|---|
//! | τ: tan θ outside, s inside | `tau` |
//! | m = 0.7 | `BLEND_DEPTH` |
//! | e, p, q | as in `fan` |
//!
//! Where it fails: it has no crease, so nothing stops a vertex between two limbs that touch; its opening must be closed by
//! then.

use super::fan::{Depth, Merge};

/// From a value of 0.7 on inside there is only a union.
pub(super) const BLEND_DEPTH: Depth = Depth { most: 0.7, slope: 2.5 };

pub(super) fn merge(low: f32, high: f32, width: f32) -> Merge {
    let circle = |u: f32, z: f32| (1.0 - u) * (1.0 - u) + (1.0 - z) * (1.0 - z) > 1.0;
    let ray = BLEND_DEPTH.ray(low, high, width, circle);
    let (e, q) = (ray.e, ray.q);
    let tau = 1.0 - e;
    let k = ray.p * tau;
    let square = 1.0 + q * q;
    let y = ((q * k + (square - k * k).max(0.0).sqrt()) / square).min(1.0);
    let x = (q * y - k).max(0.0);
    let scale = 1.0 / (tau * (x + y) + e);
    Merge { value: ray.level(tau + e * y).max(high), by_low: x * scale, by_high: y * scale }
}
