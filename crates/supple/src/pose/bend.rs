use super::Pose;
use crate::{
    names,
    rig::{Bone, Rig},
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
    /// Parent bone and child bone lie in one line, so that there is no natural axis.
    #[error("joint \"{name}\" is straight at rest: give the axis, as in {name}=90@0,0,1")]
    Straight {
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
}

/// Below this angle between parent bone and child bone a joint counts as straight.
const STRAIGHT_DEGREES: f64 = 0.5;

impl Pose {
    /// Turns a joint about an axis in its parent's frame; without one, about the natural hinge of the joint, positive
    /// meaning flexion.
    pub fn bend(&mut self, rig: &Rig, joint: &str, degrees: f64, axis: Option<DVec3>) -> Result<(), PoseError> {
        let index = find(rig, joint, degrees)?;
        let axis = match axis {
            Some(axis) => axis
                .try_normalize()
                .filter(|a| a.is_finite())
                .ok_or_else(|| PoseError::BadAxis { name: joint.into(), axis })?,
            None => hinge(rig, index)?,
        };
        let local = &mut self.local[index];
        let turn = DMat3::from_axis_angle(axis, degrees.to_radians());
        local.matrix3 = turn * local.matrix3;
        Ok(())
    }

    /// Turns a joint about its own bone, right-handed from head to tail.
    pub fn twist(&mut self, rig: &Rig, joint: &str, degrees: f64) -> Result<(), PoseError> {
        let index = find(rig, joint, degrees)?;
        let rest = &rig.skeleton.joints()[index];
        let bone = bone_of(rig, index);
        let along = bone.map_or(DVec3::ZERO, |b| rest.joint_from_rest.transform_vector3(b.tail - b.head));
        let axis = along.try_normalize().ok_or_else(|| PoseError::BadAxis { name: joint.into(), axis: along })?;
        self.local[index] *= DAffine3::from_quat(DQuat::from_axis_angle(axis, degrees.to_radians()));
        Ok(())
    }
}

fn find(rig: &Rig, name: &str, degrees: f64) -> Result<usize, PoseError> {
    if !degrees.is_finite() {
        return Err(PoseError::BadAngle { name: name.into(), degrees });
    }
    let hint = || names::hint(name, rig.skeleton.names());
    rig.skeleton.find_forgiving(name).ok_or_else(|| PoseError::UnknownJoint { name: name.into(), hint: hint() })
}

/// The bone a joint turns: its own, or that of a joint that sits on it.
fn bone_of(rig: &Rig, joint: usize) -> Option<Bone> {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
    let joints = rig.skeleton.joints();
    let here = joints[joint].rest_position();
    let sits_here = |j: usize| joints[j].rest_position().distance(here) <= 1e-6 * f64::from(rig.diagonal());
    let mut one_place = vec![false; joints.len()];
    one_place[joint] = true;
    for j in joint + 1..joints.len() {
        one_place[j] = sits_here(j) && joints[j].parent.is_some_and(|p| one_place[p]);
    }
    // The longest: a hand's bone goes to its middle finger rather than to its thumb.
    bones.into_iter().filter(|b| one_place[b.joint]).max_by(|a, b| a.length().total_cmp(&b.length()))
}

/// The normal of parent bone and child bone at rest, in the parent's frame: turning about it by a positive angle bends
/// the joint further.
fn hinge(rig: &Rig, joint: usize) -> Result<DVec3, PoseError> {
    let joints = rig.skeleton.joints();
    if let Some(axis) = joints[joint].hinge {
        return Ok(axis);
    }
    let straight = || PoseError::Straight { name: joints[joint].name.clone() };
    let here = joints[joint].rest_position();
    let mut above = joints[joint].parent;
    while let Some(p) = above.filter(|&p| joints[p].rest_position().distance(here) <= 1e-6 * f64::from(rig.diagonal()))
    {
        above = joints[p].parent;
    }
    let (above, bone) = (above.ok_or_else(straight)?, bone_of(rig, joint).ok_or_else(straight)?);
    let incoming = (here - joints[above].rest_position()).normalize_or_zero();
    let outgoing = (bone.tail - bone.head).normalize_or_zero();
    let normal = incoming.cross(outgoing);
    if normal.length() < STRAIGHT_DEGREES.to_radians().sin() {
        return Err(straight());
    }
    let parent = joints[joint].parent.expect("it has an ancestor");
    Ok(joints[parent].joint_from_rest.transform_vector3(normal).normalize())
}
