//! Implicit volumes: each limb of a character as a smooth scalar field, 1 deep inside, 0.5 on its skin, 0 far outside,
//! and the operators that compose neighbouring limbs into one body.
//!
//! R. Vaillant, L. Barthe, G. Guennebaud, M.-P. Cani, D. Rohmer, B. Wyvill, O. Gourmel, M. Paulin, *Implicit skinning:
//! real-time skin deformation with contact modeling*, ACM Transactions on Graphics 32(4), 2013, section 4.
//!
//! | step | where |
//! |---|---|
//! | the skin that moves with one joint | [`limb`]: [`Partition`], [`Limb`] |
//! | samples of it with their normals, and caps that close it at the joints | [`samples`] |
//! | a signed distance through the samples | [`hrbf`] |
//! | cached as a field on a grid in the limb's frame | [`grid`] |
//! | a limb with its field | [`Fitted`] |
//! | the fields of two limbs joined at a joint | [`operator`] |
//! | the composed field of all limbs | [`compose`]: [`Body`] |
//! | the plane in which a joint is bent | [`Bend`] |

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
    /// Outside of every support.
    pub const NOTHING: Self = Self { value: 0.0, gradient: Vec3A::ZERO };
}
