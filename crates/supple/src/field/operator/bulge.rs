//! A bulge in contact: where two fields meet there is a sharp crease, and the skin swells round it. For fingers and other
//! soft parts that are pressed together.
//!
//! O. Gourmel et al. 2013, with the opening of R. Vaillant et al. 2013. The profile is ours: closed forms in
//! the place of their table.
//!
//! ```text
//! y(x) = 1 - M (1 - x) exp(1 - 1/x),  so with r = (1 - x) / x:  u = r / (1 + r),  E = exp(-r),  z = M u E
//! the ray u = p + q z meets it where  K(r) = r (1 - p - c E) - p = 0,  c = M q
//! K' = 1 - p - c E (1 - r),  K'' = c E (2 - r)
//! y' = M E (1 - r (1 + r))
//! ```
//!
//! (K + p) / r rises with r, so there is one root for every M and q. K is convex up to r = 2 and concave beyond, and
//! E <= 1 - u makes the root of (1 - c) u + c u² = p an upper bound: steps from there, or from max(2, p / (1 - p)) where
//! that is beyond 2, go towards the root from one side and need no bracket.
//!
//! | symbol | identifier |
//! |---|---|
//! | M, from 0 to 0.9 | `size` |
//! | m = 0.55 | `BULGE_DEPTH` |
//! | E | `e` |
//! | 1 - p | `rest` |
//! | p, q | as in `fan` |
//!
//! Where it fails: on the crease the derivative by the larger value is 1 / (1 - M), so a size near 1 makes a field too
//! steep to follow. From 0.55 on inside there is only a union.

use super::fan::{Depth, Merge};
use crate::constant::Constant;

/// From a value of 0.55 on inside there is only a union.
pub(super) const BULGE_DEPTH: Depth = Depth { most: 0.55, slope: 10.0 };

/// Halley's steps outside (q up to 1) and inside (q up to 11). They leave 1e-7 of u at most in 300,000 tries for each of
/// the sizes 0.3, 0.7 and 0.9; one step less leaves 1e-3 and 1e-5.
const HALLEY_STEPS: [usize; 2] = [2, 3];
/// The largest p below 1: where p is 1 the ray never meets the profile.
const LARGEST_P: f32 = 1.0 - f32::EPSILON;
/// The bound is divided by no less, so that it stays a number.
const LEAST_DIVISOR: f32 = 1e-37;

/// Those that the kernel uses too.
pub(super) fn constants() -> Vec<Constant> {
    crate::constants![BULGE_DEPTH, HALLEY_STEPS, LARGEST_P, LEAST_DIVISOR]
}

pub(super) fn merge(low: f32, high: f32, width: f32, size: f32) -> Merge {
    // E <= 1 - u spares most of the exponentials.
    let beyond = |u: f32, z: f32| z < size * u * (1.0 - u) && z < size * u * (-u / (1.0 - u)).exp();
    let ray = BULGE_DEPTH.ray(low, high, width, beyond);
    let p = ray.p.min(LARGEST_P);
    let (rest, c) = (1.0 - p, size * ray.q);
    let b = 1.0 - c;
    let bound = 2.0 * p / (b + (b * b + 4.0 * c * p).sqrt()).max(LEAST_DIVISOR);
    let mut r = if bound < 2.0 / 3.0 { bound / (1.0 - bound) } else { (p / rest).max(2.0) };
    for _ in 0..HALLEY_STEPS[usize::from(ray.e < 0.0)] {
        let ce = c * (-r).exp();
        let k = r * (rest - ce) - p;
        let slope = rest - ce * (1.0 - r);
        r = (r - 2.0 * k * slope / (2.0 * slope * slope - k * ce * (2.0 - r))).max(0.0);
    }
    let e = (-r).exp();
    let slope = size * e * (1.0 - r * (1.0 + r));
    let level = 1.0 - ray.e * (size * e * r / (1.0 + r));
    let by_high = 1.0 / (level * (1.0 - ray.q * slope));
    Merge { value: ray.level(level).max(high), by_low: -slope * by_high, by_high }
}
