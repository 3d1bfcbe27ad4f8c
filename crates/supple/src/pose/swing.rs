use super::{Anatomy, Pose, PoseError, bend::find};
use crate::rig::Rig;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Where a limb is moved, as the body sees it: the same on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Swing {
    /// Up. Arms that hang go up sideways, legs and the trunk forwards.
    Raise,
    /// Down, the way back.
    Lower,
    /// To the front.
    Forward,
    /// To the back.
    Back,
    /// Away from the middle of the body.
    Out,
    /// Towards the middle of the body, and across it.
    In,
}

/// Bones nearer to the line of their direction than this cosine go in a plane of the body: the shortest way would hang on
/// chance there.
const IN_LINE: f64 = 0.866;

impl Swing {
    /// All six, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("raise", Self::Raise),
        ("lower", Self::Lower),
        ("forward", Self::Forward),
        ("back", Self::Back),
        ("out", Self::Out),
        ("in", Self::In),
    ];

    /// The axis that takes a bone the shortest way there, in the space of the skin.
    pub(super) fn axis(self, anatomy: &Anatomy, joint: usize, along: DVec3) -> Result<DVec3, PoseError> {
        let name = || anatomy.rig.skeleton.joints()[joint].name.clone();
        let body = anatomy.body().ok_or_else(|| PoseError::NoBody { name: name() })?;
        let out = anatomy.out(joint);
        let (towards, sign) = match self {
            Self::Raise => (body.up, 1.0),
            Self::Lower => (-body.up, -1.0),
            Self::Forward => (body.front, 1.0),
            Self::Back => (-body.front, -1.0),
            Self::Out => (out.ok_or_else(|| PoseError::Middle { name: name() })?, 1.0),
            Self::In => (-out.ok_or_else(|| PoseError::Middle { name: name() })?, -1.0),
        };
        if along.dot(towards).abs() < IN_LINE {
            return Ok(along.cross(towards).normalize());
        }
        // From hanging over the front to up, or over the side to up.
        let over_front = -body.left;
        let sideways = match self {
            Self::Raise | Self::Lower => !anatomy.is_of_leg(joint),
            Self::Forward | Self::Back => false,
            Self::Out | Self::In => true,
        };
        let over = if sideways { out.map_or(over_front, |out| out.cross(body.up)) } else { over_front };
        Ok(sign * over)
    }
}

impl Pose {
    /// Moves the bone of a joint by so many degrees in a direction of the body, from where it is. The body's directions go with
    /// the joint's parent.
    pub fn swing(&mut self, rig: &Rig, joint: &str, swing: Swing, degrees: f64) -> Result<(), PoseError> {
        let index = find(rig, joint, degrees)?;
        let anatomy = Anatomy::of(rig);
        let rest = &rig.skeleton.joints()[index];
        let bone = anatomy.bone(index).ok_or_else(|| PoseError::NoBone { name: rest.name.clone() })?;
        // Where the bone points now, with everything above at rest.
        let rest_from_parent =
            rest.parent.map_or(DMat3::IDENTITY, |p| rig.skeleton.joints()[p].rest_from_joint.matrix3);
        let from_rest = rest_from_parent * self.local[index].matrix3 * rest.joint_from_rest.matrix3;
        let along = from_rest * (bone.tail - bone.head);
        let along = along.try_normalize().ok_or_else(|| PoseError::BadAxis { name: joint.into(), axis: along })?;
        let axis = swing.axis(&anatomy, index, along)?;
        self.turn(index, anatomy.parent_axis(index, axis), degrees);
        Ok(())
    }
}
