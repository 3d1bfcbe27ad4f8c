//! The fan of pairs of values in which an operator is more than a union, and where a pair lies in it. It is the same for
//! every operator: only the profile differs, the shape that a level of the result has inside.
//!
//! The result C of values a <= b solves y = profile(x) with (a, b) = k + (C - k) (x, y), where k(C) = t C up to C = 1/2
//! and from there a straight line to k(m) = m. Both parts are homothetic, about 0 and about m, so a pair is a ray, and what
//! is unknown is where that ray meets the profile:
//!
//! ```text
//! outside: e = 1 - t            B = b
//! inside:  e = -(1 - t)/(2m-1)  B = m - b          (s of the paper is 1 - e)
//! p = (b - a) / |e B|           0 on the diagonal, 1 where the union begins
//! q = 1 - e p
//! u = p + q z                   u = 1 - x, z = 1 - y: the ray
//! C = B / (1 - e z), inside m - B / (1 - e z)
//! dg/db = 1 / ((1 - e z) (1 - q y')),  dg/da = -y' dg/db
//! ```
//!
//! Every term is a sum or product of numbers that are small where the result is a union, so nothing cancels in f32.
//!
//! | symbol | identifier |
//! |---|---|
//! | a, b | `low`, `high` |
//! | m, the value from which on there is only a union | `Depth::most` |
//! | 1 / (2m-1) | `Depth::slope` |
//! | 1 - t, t = tan θ | `width` |
//! | e, p, q, B | `e`, `p`, `q`, `base` |
//!
//! Where it fails: the length of the gradient jumps at C = 1/2, where k has a corner; its direction does not.

use crate::constant::Value;

/// The values in which an operator is more than a union.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    pub most: f32,
    pub slope: f32,
}

impl From<Depth> for Value {
    fn from(Depth { most, slope }: Depth) -> Self {
        [most, slope].into()
    }
}

impl Depth {
    /// Whether the fan contains a pair of values: where not, the result is the larger value.
    pub fn contains(self, low: f32, high: f32, width: f32) -> bool {
        high - low < width * high.min((self.most - high) * self.slope)
    }

    /// The ray of a pair in the fan. `beyond` says whether (u, z) lies above the profile.
    pub fn ray(self, low: f32, high: f32, width: f32, beyond: impl FnOnce(f32, f32) -> bool) -> Ray {
        let inside = high > 0.5 || {
            let (u, z) = ((1.0 - 2.0 * low) / width, (1.0 - 2.0 * high) / width);
            u < 1.0 && beyond(u, z)
        };
        let (e, base) = if inside { (-width * self.slope, self.most - high) } else { (width, high) };
        let p = ((high - low) / (e.abs() * base)).min(1.0);
        Ray { e, base, p, q: 1.0 - e * p, most: inside.then_some(self.most) }
    }
}

/// See the module.
pub(super) struct Ray {
    pub e: f32,
    pub p: f32,
    pub q: f32,
    base: f32,
    most: Option<f32>,
}

impl Ray {
    /// The level of a point of the profile.
    pub fn level(&self, one_minus_ez: f32) -> f32 {
        let c = self.base / one_minus_ez;
        self.most.map_or(c, |m| m - c)
    }
}

/// A result and its derivatives by the smaller and by the larger value.
#[derive(Clone, Copy)]
pub(super) struct Merge {
    pub value: f32,
    pub by_low: f32,
    pub by_high: f32,
}
