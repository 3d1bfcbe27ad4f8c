//! Where the joints are: a pose sets them, a clip samples poses, a motion carries the rest skin along.

mod anatomy;
mod bend;
mod clip;
mod file;
mod motion;
mod retarget;
mod swing;

pub use anatomy::{Anatomy, Body, CLEAR_BEND, Certainty, Flexion, JointAxes, Part, Source};
pub use bend::PoseError;
pub(crate) use bend::{hinge, joint};
pub use clip::{Channel, Clip, ClipError, Interpolation, Track};
pub use file::{JointPose, PoseFile, PoseFileError};
pub use motion::Motion;
pub use retarget::{RetargetError, Retargeted, carry, carry_all, retarget};
pub use swing::Swing;

use crate::rig::Rig;
use glam::{DAffine3, Vec3};

/// Local transform of every joint (parent_from_joint), and the weight of every morph.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// One per joint.
    pub local: Vec<DAffine3>,
    /// One per morph.
    pub morph_weights: Vec<f32>,
}

impl Pose {
    /// The bind pose: every method gives back the rest positions. Morphs are off.
    pub fn rest(rig: &Rig) -> Self {
        let local = (0..rig.skeleton.len()).map(|i| rig.skeleton.rest_local(i)).collect();
        Self { local, morph_weights: vec![0.0; rig.morphs.len()] }
    }

    /// What a viewer shows of the file when nothing is animated.
    pub fn shown(rig: &Rig) -> Self {
        let mut pose = Self { local: Vec::new(), morph_weights: Vec::new() };
        pose.set_shown(rig);
        pose
    }

    /// Like [`Pose::shown`], reusing the memory.
    pub fn set_shown(&mut self, rig: &Rig) {
        self.local.clear();
        self.local.extend(rig.skeleton.joints().iter().map(|j| j.shown_local));
        self.morph_weights.clear();
        self.morph_weights.extend(rig.morphs.iter().map(|m| m.default_weight));
    }

    /// Rest positions with this pose's morphs added: what the deformers start from.
    pub fn morphed(&self, rig: &Rig, out: &mut Vec<Vec3>) {
        out.clear();
        out.extend_from_slice(&rig.mesh.positions);
        for (morph, &weight) in rig.morphs.iter().zip(&self.morph_weights) {
            morph.add_to(out, weight);
        }
    }
}
