use crate::{
    math::{DualQuat, rigid_and_scale},
    pose::Motion,
};
use glam::{DMat3, Mat3A};

/// A joint whose scale is nearer to one than this keeps its scale. Clips of real files carry noise of 1e-6 to 1e-5 from
/// matrices stored in single precision, and one noisy joint would send the whole frame the slow way, past the four-lane
/// loop. Leaving it out moves a vertex by at most this share of its distance to the joint: half of what a rest pose may
/// be off.
const SCALE_NOISE: f64 = 5e-6;

/// The joints' motions of a frame, each taken apart into a rigid motion and a stretch. Two arrays, because most frames
/// never look at the second.
#[derive(Clone, Debug, Default)]
pub struct RigidParts {
    /// One per joint.
    pub motions: Vec<DualQuat>,
    /// R (S - 1) for each joint: zero where it keeps its scale.
    pub stretches: Vec<Mat3A>,
}

impl RigidParts {
    /// Room for so many joints, so that updating does not allocate.
    pub fn with_capacity(joints: usize) -> Self {
        Self { motions: Vec::with_capacity(joints), stretches: Vec::with_capacity(joints) }
    }

    /// Takes a motion apart and tells whether any joint of it scales.
    pub fn update(&mut self, motion: &Motion) -> bool {
        self.motions.clear();
        self.stretches.clear();
        let mut scaled = false;
        for affine in &motion.exact {
            let split = rigid_and_scale(affine);
            let stretch = affine.matrix3 - DMat3::from_quat(split.rotation);
            let keeps = split.scale.abs_diff_eq(DMat3::IDENTITY, SCALE_NOISE);
            scaled |= !keeps;
            self.motions.push(DualQuat::of(split.rotation, affine.translation));
            self.stretches.push(if keeps { Mat3A::ZERO } else { Mat3A::from(stretch.as_mat3()) });
        }
        scaled
    }
}
