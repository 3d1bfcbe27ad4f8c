//! A bulge in contact: where two fields meet there is a sharp crease, and the skin swells round it. For fingers and other
//! soft parts that are pressed together.
//!
//! O. Gourmel et al. 2013, with the opening of R. Vaillant et al. 2013. The profile is ours: closed forms in
//! the place of their table.
//!
//! ```text
//! y(x) = 1 - M (1 - x) exp(1 - 1/x),  so with u = 1 - x:  z = M u E,  E = exp(-u / (1 - u))
//! the ray meets it where  F(u) = u (1 - M q E) = p
//! y' = M E (1 - u / (1 - u)²),  F' = 1 - q y'
//! ```
//!
//! F / u rises with u, so there is one root for every M and q. F is convex up to u = 2/3 and concave beyond, and E <= 1 - u
//! makes the root of (1 - c) u + c u² = p, c = M q, an upper bound of ours: Newton's steps from there, or from max(2/3, p)
//! where that is beyond 2/3, go towards the root from one side and need no bracket.
//!
//! | symbol | identifier |
//! |---|---|
//! | M, from 0 to 0.9 | `size` |
//! | m = 0.55 | `DEPTH` |
//! | E | `fall` |
//! | M q | `c` |
//! | e, p, q | as in `fan` |
//!
//! Where it fails: on the crease the derivative by the larger value is 1 / (1 - M), so a size near 1 makes a field too
//! steep to follow. From 0.55 on inside there is only a union.

use super::fan::{Depth, Merge};

pub(super) const DEPTH: Depth = Depth { most: 0.55, slope: 10.0 };

/// Four steps reach the last bit for every p, q up to 11 and size up to 0.9: 1e-7 at most in 400,000 tries each.
const STEPS: usize = 4;
/// The next step would be below rounding.
const SMALL: f32 = 2e-5;

/// E(u) and u / (1 - u)². E is 0 in f32 long before 1 - u = 1/128.
fn fall(u: f32) -> (f32, f32) {
    let v = 1.0 / (1.0 - u).max(1.0 / 128.0);
    ((-u * v).exp(), u * v * v)
}

pub(super) fn merge(low: f32, high: f32, width: f32, size: f32) -> Merge {
    let ray = DEPTH.ray(low, high, width, |u, z| z < size * u * fall(u).0);
    let (p, c) = (ray.p, size * ray.q);
    let rest = 1.0 - c;
    let bound = 2.0 * p / (rest + (rest * rest + 4.0 * c * p).sqrt()).max(f32::MIN_POSITIVE);
    let mut u = if bound < 2.0 / 3.0 { bound } else { p.max(2.0 / 3.0) };
    let (mut e, mut v) = fall(u);
    for _ in 0..STEPS {
        let step = (u * (1.0 - c * e) - p) / (1.0 - c * e * (1.0 - v));
        u = (u - step).clamp(0.0, 1.0);
        (e, v) = fall(u);
        if step.abs() < SMALL {
            break;
        }
    }
    let slope = size * e * (1.0 - v);
    let level = 1.0 - ray.e * (size * u * e);
    let by_high = 1.0 / (level * (1.0 - ray.q * slope));
    Merge { value: ray.level(level).max(high), by_low: -slope * by_high, by_high }
}
