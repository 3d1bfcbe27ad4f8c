//! Implicit volumes: each limb of a character as a smooth scalar field, 1 deep inside, 0.5 on its skin, 0 far outside,
//! and the operators that compose neighbouring limbs into one body.
//!
//! R. Vaillant, L. Barthe, G. Guennebaud, M.-P. Cani, D. Rohmer, B. Wyvill, O. Gourmel, M. Paulin, *Implicit skinning:
//! real-time skin deformation with contact modeling*, ACM Transactions on Graphics 32(4), 2013, section 4.
//!
//! | step | where |
//! |---|---|
//! | whose skin is it | [`limb`]: [`Partition`], [`Limb`] |
//! | points and normals on it, closed at the joints | [`samples`] |
//! | the field through them | [`hrbf`] |
//! | cached on a grid in the limb's frame | [`grid`] |
//! | two limbs at a joint | [`operator`] |
//! | one limb, closed and kept | [`Fitted`] |
//! | all limbs together | [`compose`]: [`Body`] |
//! | in which plane two of them are bent | [`Bend`] |

mod bend;
pub mod compose;
mod fitted;
mod four;
pub mod grid;
pub mod hrbf;
pub mod limb;
pub mod operator;
pub mod samples;

pub use bend::Bend;
pub use compose::Body;
pub use fitted::Fitted;
pub use four::FourGrids;
pub use grid::Grid;
pub use hrbf::Hrbf;
pub use limb::{End, Limb, Partition};
pub use operator::{Kind, Opening, Operator};
pub use samples::{Point, Sampling};

use glam::Vec3A;

/// Value and gradient of a field at a point. The gradient points inwards, where the value grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From 0 outside to 1 deep inside; 0.5 on the surface.
    pub value: f32,
    /// Its gradient.
    pub gradient: Vec3A,
}

impl Sample {
    /// Outside of everything.
    pub const NOTHING: Self = Self { value: 0.0, gradient: Vec3A::ZERO };
}
