//! How far an operator is open at an angle between two gradients. Bones in line are joined by a union or little
//! more and bent ones by a blend or a bulge, so that a straight limb does not swell.
//!
//! R. Vaillant et al., *Implicit skinning: real-time skin deformation with contact modeling*, SIGGRAPH 2013, section 4.2;
//! O. Gourmel et al., *A gradient-based implicit blend*, ACM Transactions on Graphics 32, 2013.
//!
//! ```text
//! θ(α) = θ0                                        α <= α0
//!      = κ((α - α1) / (α0 - α1))^w0 (θ0 - θ1) + θ1    α0 < α <= α1
//!      = κ((α - α1) / (α2 - α1))^w1 (θ2 - θ1) + θ1    α1 < α < α2
//!      = θ2                                        α >= α2
//! κ(x) = 1 - exp(1 - 1 / (1 - exp(1 - 1/x)))
//! ```
//!
//! | symbol | identifier |
//! |---|---|
//! | α, the angle between the gradients | `angle` |
//! | α0, α1, α2 | `a0`, `a1`, `a2` |
//! | θ0, θ1, θ2: π/4 is a union, 0 is wide open | `t0`, `t1`, `t2` |
//! | w0, w1 | `w0`, `w1` |
//! | κ(x)^w | `rise` |
//! | 1 - tan θ | `width` |
//!
//! Where it fails: a small w opens at once where it should open slowly. The paper's 0.05 for a bulge does most of its way
//! between 80 and 85 degrees; ours is 0.3.

use super::elementary::tangent;
use crate::constant::Constant;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8, PI};
use thiserror::Error;

/// The curve of an opening. All angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    a0: f32,
    a1: f32,
    a2: f32,
    t0: f32,
    t1: f32,
    t2: f32,
    w0: f32,
    w1: f32,
}

/// What an opening cannot be. Angles are said in degrees, as files say them.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "each field is said in its message")]
pub enum OpeningError {
    /// An angle between gradients.
    #[error("{name} = {degrees} degrees is not from 0 to 180")]
    Angle { name: &'static str, degrees: f64 },
    /// Angles that do not follow each other.
    #[error("a0 = {0}, a1 = {1}, a2 = {2} degrees do not rise")]
    Order(f64, f64, f64),
    /// A value of the curve.
    #[error("{name} = {degrees} degrees is not from 0 to 45")]
    Theta { name: &'static str, degrees: f64 },
    /// An exponent.
    #[error("{name} = {value} is not a number above 0")]
    Slope { name: &'static str, value: f32 },
}

impl Opening {
    /// Elbows and knees: a little round in line, most at 60 degrees, a union from 90 on. The paper's Table 1 (0, 45, 90; 45, 24,
    /// 45; 1, 1) has a union in line. Between the caps of two limbs in line a union has a valley, and skin that was in a valley
    /// at rest and is in a blend later moves by the difference: at 10 degrees outwards by 2.0 % of the radius (here by 0.4), and on
    /// the outer side inwards by 4.4 (here by 0.3, at 90 by 0.9).
    pub const ELBOW: Self =
        Self { a0: 0.0, a1: PI / 3.0, a2: FRAC_PI_2, t0: PI / 6.0, t1: PI / 10.0, t2: FRAC_PI_4, w0: 0.3, w1: 1.0 };
    /// A bulge that swells from 22.5 degrees and is whole from 90 on: the paper's, with 0.3 for its w0 of 0.05.
    pub const BULGE: Self =
        Self { a0: FRAC_PI_8, a1: FRAC_PI_2, a2: PI, t0: FRAC_PI_4, t1: 0.0, t2: 0.0, w0: 0.3, w1: 1.0 };
    /// The bulge of fingers is whole from 67.5 degrees on.
    pub const FINGER: Self = Self { a1: 3.0 * FRAC_PI_8, ..Self::BULGE };
    /// A bulge that waits until the elbow's blend has nearly closed: from 60 degrees, whole from 100 on. Where the two
    /// overlap, the gradients on either side of their seam differ by at most 18 degrees while the fillet is higher than
    /// 0.02 (measured with a size of 0.7): less than tracking takes for a contact. What is left of it then is the crease.
    pub const CONTACT: Self = Self { a0: PI / 3.0, a1: (5.0 * std::f64::consts::PI / 9.0) as f32, ..Self::BULGE };

    /// Exponents that fronts offer: with the least an opening changes at once, with the greatest at the last moment. Files may have
    /// any above 0.
    pub const SLOPES: std::ops::RangeInclusive<f64> = 0.02..=10.0;

    /// From `[a0, a1, a2, t0, t1, t2, w0, w1]`, in radians.
    pub fn new(values: [f32; 8]) -> Result<Self, OpeningError> {
        let [a0, a1, a2, t0, t1, t2, w0, w1] = values;
        for (name, angle) in [("a0", a0), ("a1", a1), ("a2", a2)] {
            if !(0.0..=PI).contains(&angle) {
                return Err(OpeningError::Angle { name, degrees: degrees(angle) });
            }
        }
        if !(a0 < a1 && a1 < a2) {
            return Err(OpeningError::Order(degrees(a0), degrees(a1), degrees(a2)));
        }
        for (name, theta) in [("t0", t0), ("t1", t1), ("t2", t2)] {
            if !(0.0..=FRAC_PI_4).contains(&theta) {
                return Err(OpeningError::Theta { name, degrees: degrees(theta) });
            }
        }
        for (name, value) in [("w0", w0), ("w1", w1)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(OpeningError::Slope { name, value });
            }
        }
        Ok(Self { a0, a1, a2, t0, t1, t2, w0, w1 })
    }

    /// The same everywhere: for comparisons and pictures of an operator alone.
    pub fn fixed(theta: f32) -> Result<Self, OpeningError> {
        Self::new([0.0, FRAC_PI_2, PI, theta, theta, theta, 1.0, 1.0])
    }

    /// The curve at an angle: π/4 is a union, 0 is wide open.
    pub fn theta(&self, angle: f32) -> f32 {
        if angle <= self.a0 {
            self.t0
        } else if angle <= self.a1 {
            rise((self.a1 - angle) / (self.a1 - self.a0), self.w0) * (self.t0 - self.t1) + self.t1
        } else if self.t1 == self.t2 {
            // A bulge stays open: no need to ask how.
            self.t1
        } else if angle < self.a2 {
            rise((angle - self.a1) / (self.a2 - self.a1), self.w1) * (self.t2 - self.t1) + self.t1
        } else {
            self.t2
        }
    }

    /// 1 - tan θ at an angle: 0 is a union, 1 is wide open.
    pub(super) fn width(&self, angle: f32) -> f32 {
        width_of(self.theta(angle))
    }

    /// The largest width at any angle.
    pub(super) fn widest(&self) -> f32 {
        width_of(self.t0.min(self.t1).min(self.t2))
    }
}

impl From<Opening> for [f32; 8] {
    fn from(o: Opening) -> Self {
        [o.a0, o.a1, o.a2, o.t0, o.t1, o.t2, o.w0, o.w1]
    }
}

impl TryFrom<[f32; 8]> for Opening {
    type Error = OpeningError;

    fn try_from(values: [f32; 8]) -> Result<Self, OpeningError> {
        Self::new(values)
    }
}

/// The degrees that a person would have written for these radians: few digits, and back to the same bits.
pub(super) fn degrees(radians: f32) -> f64 {
    let exact = f64::from(radians).to_degrees();
    let short = decimal(exact as f32);
    if short.to_radians() as f32 == radians { short } else { exact }
}

/// The number whose few digits are those of an f32.
pub(super) fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

/// Up to here κ is 0: dividing by less would leave the numbers that graphics devices know.
const RISE_BEGINS: f32 = 1e-30;
/// Where 1 - exp(1 - 1/x) is less than this, κ is 1 to the last bit.
const RISE_ENDS: f32 = 0.01;
/// Below this exponent 1 - exp(..) loses digits, and its series is taken.
const RISE_BY_SERIES: f32 = 0.1;
/// An opening of this angle or more is a union: π/4.
const CLOSED: f32 = FRAC_PI_4;

/// Those that the kernel uses too.
pub(super) fn constants() -> Vec<Constant> {
    crate::constants![RISE_BEGINS, RISE_ENDS, RISE_BY_SERIES, CLOSED]
}

/// κ(x)^w. By logarithms where κ is small: a small w makes much of digits that 1 - exp(..) has lost.
fn rise(x: f32, w: f32) -> f32 {
    if x <= RISE_BEGINS {
        return 0.0;
    }
    let log_tail = 1.0 - 1.0 / x;
    let tail = log_tail.exp();
    let rest = 1.0 - tail;
    if rest < RISE_ENDS {
        return 1.0;
    }
    let r = tail / rest;
    if r < RISE_BY_SERIES {
        let series = 1.0 - r * (0.5 - r * (1.0 / 6.0 - r * (1.0 / 24.0 - r / 120.0)));
        return (w * (log_tail + (series / rest).ln())).exp();
    }
    let kappa = 1.0 - (-r).exp();
    if w == 1.0 { kappa } else { kappa.powf(w) }
}

fn width_of(theta: f32) -> f32 {
    if theta >= CLOSED {
        return 0.0;
    }
    1.0 - tangent(theta)
}
