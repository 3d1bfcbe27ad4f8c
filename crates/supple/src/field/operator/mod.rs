//! Operators join the fields of two neighbouring limbs into one, by the angle between their gradients: a sharp fold, a round elbow, a
//! swelling finger, or round first and swelling later.
//!
//! R. Vaillant, L. Barthe, G. Guennebaud, M.-P. Cani, D. Rohmer, B. Wyvill, O. Gourmel, M. Paulin, *Implicit skinning:
//! real-time skin deformation with contact modeling*, SIGGRAPH 2013, section 4.2 and appendix A.
//!
//! ```text
//! f = g(f1, f2; θ(α)),  ∇f = dg/df1 ∇f1 + dg/df2 ∇f2
//! union       g = max(f1, f2)
//! blend       g of the file blend.rs
//! bulge       g of the file bulge.rs
//! blend-bulge g = max(blend(f1, f2; θ(α)), bulge(f1, f2; θ'(α)))
//! ```
//!
//! The last is ours, and the paper names it as future work: the opening of the blend closes while that of the bulge opens. Between
//! the two a fillet at the bottom of the crease shrinks to a line.
//!
//! | symbol | identifier |
//! |---|---|
//! | α | `angle` |
//! | θ | `opening` |
//! | θ' | `contact` |
//! | M, how far a bulge swells | `size` |
//! | dg/df of the smaller and the larger value | `by_low`, `by_high` |
//!
//! Where they fail: the change of θ along α is left out of the gradient, as in the paper; its direction is then off by up
//! to 9 degrees in a blend. Where the values are equal, a union and a bulge have two gradients and the first argument's is
//! taken.

mod blend;
mod bulge;
mod elementary;
mod fan;
mod opening;
mod saved;
#[cfg(test)]
mod tests;

pub use opening::{Opening, OpeningError};
pub use saved::OperatorError;

use super::Sample;
use crate::constant::Constant;
use blend::BLEND_DEPTH;
use bulge::BULGE_DEPTH;
use std::ops::RangeInclusive;

/// Sizes of a bulge, as they are saved. On the crease of the largest, the field is 10 times as steep.
pub const SIZES: RangeInclusive<f64> = 0.0..=0.9;
/// The largest of them, as it is computed with.
pub const LARGEST_SIZE: f32 = *SIZES.end() as f32;

/// Smaller values are a union: dividing by them would leave the numbers that graphics devices know.
const LEAST_VALUE: f32 = 1e-30;
/// A gradient has a direction where the square of its length is at least the first of these and less than the second: products of
/// two such squares are numbers.
const SQUARED_LENGTHS: [f32; 2] = [1e-30, 1e30];
/// A blend that adds less than this to the larger value rounds nothing.
const LEAST_ROUNDING: f32 = 1e-2;

/// The constants of operators that kernels use too.
pub fn constants() -> Vec<Constant> {
    let own = crate::constants![LEAST_VALUE, SQUARED_LENGTHS, LEAST_ROUNDING, LARGEST_SIZE, BLEND_DEPTH];
    [own, bulge::constants(), opening::constants(), elementary::constants()].concat()
}

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The larger value: a sharp fold.
    Union,
    /// Round, without a fold.
    Blend,
    /// A sharp fold with swollen sides.
    Bulge,
    /// Round at small angles, swollen at large ones.
    BlendBulge,
}

/// How two fields become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operator {
    /// What it does.
    pub kind: Kind,
    /// How far it is open at each angle; of a blend-bulge, the opening of its blend.
    pub opening: Opening,
    /// The opening of the bulge of a blend-bulge; other kinds ignore it.
    pub contact: Opening,
    /// How far a bulge swells, from 0 to [`LARGEST_SIZE`]; other kinds ignore it.
    pub size: f32,
}

impl Operator {
    /// The larger of the two.
    pub const UNION: Self =
        Self { kind: Kind::Union, opening: Opening::ELBOW, contact: Opening::CONTACT, size: DEFAULT_SIZE };

    /// For elbows and knees.
    pub const fn blend() -> Self {
        Self { kind: Kind::Blend, ..Self::UNION }
    }

    /// For soft parts that meet.
    pub const fn bulge() -> Self {
        Self { kind: Kind::Bulge, opening: Opening::BULGE, ..Self::UNION }
    }

    /// A bulge for fingers.
    pub const fn finger() -> Self {
        Self { opening: Opening::FINGER, ..Self::bulge() }
    }

    /// Round at small angles, swollen at large ones.
    pub const fn blend_bulge() -> Self {
        Self { kind: Kind::BlendBulge, ..Self::UNION }
    }

    /// The operator of a name of [`PRESETS`].
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS.iter().find(|(known, _)| *known == name).map(|(_, operator)| *operator)
    }

    /// Value and gradient of the joined field where two fields have these.
    pub fn combine(&self, a: Sample, b: Sample) -> Sample {
        self.prepare().combine(a, b)
    }

    /// The operator with all that does not depend on the fields computed once.
    pub fn prepare(&self) -> Prepared {
        let (blends, bulges) = match self.kind {
            Kind::Union => (None, None),
            Kind::Blend => (Some(self.opening), None),
            Kind::Bulge => (None, Some(self.opening)),
            Kind::BlendBulge => (Some(self.opening), Some(self.contact)),
        };
        // Also where it is not a number.
        let size = if self.size > 0.0 { self.size.min(LARGEST_SIZE) } else { 0.0 };
        let bulges = bulges.filter(|_| size > 0.0);
        let ready = |opening: Opening| Ready { opening, widest: opening.widest() };
        Prepared { blends: blends.map(ready), bulges: bulges.map(ready), size }
    }
}

impl Operator {
    /// Its largest widths, of its blend and of its bulge: 0 is a union.
    pub fn widths(&self) -> [f32; 2] {
        let Prepared { blends, bulges, size: _ } = self.prepare();
        [blends, bulges].map(|ready| ready.map_or(0.0, |r| r.widest))
    }
}

/// The size of a bulge where no setting gives it.
const DEFAULT_SIZE: f32 = 0.7;

/// The operators that have names, in the order in which lists show them. A blend is also an elbow and a knee.
pub const PRESETS: [(&str, Operator); 7] = [
    ("union", Operator::UNION),
    ("blend", Operator::blend()),
    ("elbow", Operator::blend()),
    ("knee", Operator::blend()),
    ("bulge", Operator::bulge()),
    ("finger", Operator::finger()),
    ("blend-bulge", Operator::blend_bulge()),
];

/// An operator with all that does not depend on the fields computed once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prepared {
    blends: Option<Ready>,
    bulges: Option<Ready>,
    size: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Ready {
    opening: Opening,
    /// Most pairs of values are in no fan of this width, and then the angle is not needed.
    widest: f32,
}

impl Prepared {
    /// Whether the blend rounds a place where two fields have these values and gradients: then their skin has no contact there.
    pub fn rounds(&self, a: Sample, b: Sample) -> bool {
        self.blends.is_some()
            && Self { bulges: None, ..*self }.combine(a, b).value > a.value.max(b.value) + LEAST_ROUNDING
    }

    /// Value and gradient of the joined field where two fields have these. A union where either value is 0 or either
    /// gradient has no direction.
    pub fn combine(&self, a: Sample, b: Sample) -> Sample {
        let (low, high) = if a.value >= b.value { (b, a) } else { (a, b) };
        let (l, h) = (low.value, high.value);
        if !(l > 0.0 && h >= LEAST_VALUE) {
            return high;
        }
        let blends = self.blends.filter(|r| BLEND_DEPTH.contains(l, h, r.widest));
        let bulges = self.bulges.filter(|r| BULGE_DEPTH.contains(l, h, r.widest));
        if blends.is_none() && bulges.is_none() {
            return high;
        }
        let (ll, hh) = (low.gradient.length_squared(), high.gradient.length_squared());
        let has_direction = |square: f32| (SQUARED_LENGTHS[0]..SQUARED_LENGTHS[1]).contains(&square);
        if !(has_direction(ll) && has_direction(hh)) {
            return high;
        }
        let angle = elementary::arc_cosine(low.gradient.dot(high.gradient) / (ll.sqrt() * hh.sqrt()));
        let blend = blends.and_then(|r| {
            let width = r.opening.width(angle);
            BLEND_DEPTH.contains(l, h, width).then(|| blend::merge(l, h, width))
        });
        let bulge = bulges.and_then(|r| {
            let width = r.opening.width(angle);
            BULGE_DEPTH.contains(l, h, width).then(|| bulge::merge(l, h, width, self.size))
        });
        let merge = match (blend, bulge) {
            (Some(blend), Some(bulge)) => {
                if blend.value >= bulge.value {
                    blend
                } else {
                    bulge
                }
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return high,
        };
        let gradient = low.gradient * merge.by_low + high.gradient * merge.by_high;
        Sample { value: merge.value, gradient }
    }
}
