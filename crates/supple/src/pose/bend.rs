use super::{Anatomy, Pose};
use crate::{
    names,
    rig::{Joint, Rig},
};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use thiserror::Error;

/// Why a joint could not be turned.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PoseError {
    /// No joint of that name.
    #[error("no joint is called \"{name}\"{hint}")]
    UnknownJoint {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Nothing tells how it bends: its name, its bend at rest, other limbs.
    #[error("nothing tells how joint \"{name}\" bends: give the axis, as in {name}=90@0,0,1")]
    Straight {
        /// The joint.
        name: String,
    },
    /// There is nothing that it could move in a direction.
    #[error("joint \"{name}\" has no bone that could be moved")]
    NoBone {
        /// The joint.
        name: String,
    },
    /// The axis given is zero or not finite.
    #[error("axis {axis} for joint \"{name}\" has no direction")]
    BadAxis {
        /// The joint.
        name: String,
        /// What was given.
        axis: DVec3,
    },
    /// The angle is not finite.
    #[error("angle {degrees} for joint \"{name}\" is not a number")]
    BadAngle {
        /// The joint.
        name: String,
        /// What was given.
        degrees: f64,
    },
    /// More than a turn.
    #[error("angle {degrees} for joint \"{name}\": -360 to 360 degrees are possible")]
    TooFar {
        /// The joint.
        name: String,
        /// What was given.
        degrees: f64,
    },
    /// Left and right are unknown, and front with them.
    #[error(
        "joint \"{name}\": no joints are named left and right, so where its body has front and sides is not known; bend it \
         about an axis, as in --bend {name}=30@0,0,1"
    )]
    NoBody {
        /// The joint.
        name: String,
    },
    /// Neither side is out there.
    #[error("joint \"{name}\" lies in the middle of the body: it has no out and in")]
    Middle {
        /// The joint.
        name: String,
    },
}

/// Nobody means more.
const MOST_DEGREES: f64 = 360.0;

impl Pose {
    /// Turns a joint about an axis in its parent's frame; without one it flexes as [`Anatomy::flexion`] says.
    pub fn bend(&mut self, rig: &Rig, joint: &str, degrees: f64, axis: Option<DVec3>) -> Result<(), PoseError> {
        let index = find(rig, joint, degrees)?;
        let axis = hinge(rig, index, axis)?;
        self.turn(index, axis, degrees);
        Ok(())
    }

    /// Turns a joint about its own bone, right-handed from head to tail.
    pub fn twist(&mut self, rig: &Rig, joint: &str, degrees: f64) -> Result<(), PoseError> {
        let index = find(rig, joint, degrees)?;
        let rest = &rig.skeleton.joints()[index];
        let bone = Anatomy::of(rig).bone(index);
        let along = bone.map_or(DVec3::ZERO, |b| rest.joint_from_rest.transform_vector3(b.tail - b.head));
        let axis = along.try_normalize().ok_or_else(|| PoseError::BadAxis { name: joint.into(), axis: along })?;
        self.local[index] *= DAffine3::from_quat(DQuat::from_axis_angle(axis, degrees.to_radians()));
        Ok(())
    }

    /// Turns a joint about a unit axis in its parent's frame.
    pub(crate) fn turn(&mut self, joint: usize, axis: DVec3, degrees: f64) {
        let local = &mut self.local[joint];
        let turn = DMat3::from_axis_angle(axis, degrees.to_radians());
        local.matrix3 = turn * local.matrix3;
    }
}

/// A joint by name, to be turned by so many degrees.
pub(super) fn find(rig: &Rig, name: &str, degrees: f64) -> Result<usize, PoseError> {
    if !degrees.is_finite() {
        return Err(PoseError::BadAngle { name: name.into(), degrees });
    }
    let index = joint(rig, name)?;
    if degrees.abs() > MOST_DEGREES {
        return Err(PoseError::TooFar { name: name.into(), degrees });
    }
    Ok(index)
}

/// A joint by name.
pub(crate) fn joint(rig: &Rig, name: &str) -> Result<usize, PoseError> {
    let hint = || names::hint(name, rig.skeleton.names());
    rig.skeleton.find_forgiving(name).ok_or_else(|| PoseError::UnknownJoint { name: name.into(), hint: hint() })
}

/// The axis as given, made a unit, or that of flexion, in the parent's frame.
pub(crate) fn hinge(rig: &Rig, joint: usize, axis: Option<DVec3>) -> Result<DVec3, PoseError> {
    let Joint { name, hinge, .. } = &rig.skeleton.joints()[joint];
    match (axis, hinge) {
        (Some(axis), _) => axis
            .try_normalize()
            .filter(|a| a.is_finite())
            .ok_or_else(|| PoseError::BadAxis { name: name.clone(), axis }),
        (None, Some(stored)) => Ok(*stored),
        (None, None) => Ok(Anatomy::of(rig).flexion(joint)?.axis),
    }
}

pub(super) fn straight(rig: &Rig, joint: usize) -> PoseError {
    PoseError::Straight { name: rig.skeleton.joints()[joint].name.clone() }
}
