//! Scalar fields round bones: 1 deep inside, 1/2 on the skin, 0 far away.

pub mod operator;

/// Value and gradient of a field at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From 0 outside to 1 inside.
    pub value: f32,
    /// Points inwards.
    pub gradient: glam::Vec3A,
}
