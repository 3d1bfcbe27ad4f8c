use crate::math::Trs;
use glam::{DAffine3, DVec3};
use thiserror::Error;

/// Joints, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// A node that moves things.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique within the skeleton.
    pub name: String,
    /// Index of the joint it hangs on; always smaller than its own.
    pub parent: Option<usize>,
    /// Where the joint is in the bind pose.
    pub rest_from_joint: DAffine3,
    /// Inverse of the above, kept because files state it and it may be the exact one.
    pub joint_from_rest: DAffine3,
    /// The local transform the file shows when nothing is animated; equal to the local bind transform in most files.
    pub shown_local: DAffine3,
    /// What it is for.
    pub role: Role,
    /// Axis of the natural bend, in the frame of the parent, where the maker of the rig knows it.
    pub hinge: Option<DVec3>,
}

/// What a joint is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Part of the skeleton: makes bones, owns skin.
    #[default]
    Bone,
    /// Carries other joints or a rigid prop (a scene root, a sword); makes no bones.
    Frame,
}

/// Why joints do not make a skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SkeletonError {
    /// Parents must come first, which also rules out cycles.
    #[error("joint {joint} \"{name}\" comes before its parent {parent}")]
    ParentAfterChild {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// Its parent.
        parent: usize,
    },
    /// A transform holds NaN or infinity.
    #[error("joint {joint} \"{name}\" has a transform that is not finite")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// Weights name joints by 16-bit numbers.
    #[error("{count} joints, but at most 65535 are supported")]
    TooMany {
        /// How many.
        count: usize,
    },
}

impl Joint {
    /// A joint of the skeleton at a bind transform; the file shows it where it was bound once [`Skeleton::new`] knows
    /// its parent, see [`Skeleton::show_rest`].
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest_from_joint: DAffine3) -> Self {
        Self {
            name: name.into(),
            parent,
            rest_from_joint,
            joint_from_rest: rest_from_joint.inverse(),
            shown_local: DAffine3::IDENTITY,
            role: Role::Bone,
            hinge: None,
        }
    }

    /// Position in the bind pose.
    pub fn rest_position(&self) -> DVec3 {
        self.rest_from_joint.translation
    }
}

impl Skeleton {
    /// Checks the order and the numbers, and makes names unique by a suffix.
    pub fn new(mut joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.len() > usize::from(u16::MAX) {
            return Err(SkeletonError::TooMany { count: joints.len() });
        }
        for (joint, j) in joints.iter().enumerate() {
            if let Some(parent) = j.parent.filter(|&p| p >= joint) {
                return Err(SkeletonError::ParentAfterChild { joint, name: j.name.clone(), parent });
            }
            if !(j.rest_from_joint.is_finite() && j.joint_from_rest.is_finite() && j.shown_local.is_finite()) {
                return Err(SkeletonError::NotFinite { joint, name: j.name.clone() });
            }
        }
        // How often each name was seen: counting on from there keeps a file of equal names from taking for ever.
        let mut taken = std::collections::HashMap::<String, usize>::with_capacity(joints.len());
        for (i, joint) in joints.iter_mut().enumerate() {
            if joint.name.is_empty() {
                joint.name = format!("joint {i}");
            }
            let Some(&seen) = taken.get(&joint.name) else {
                taken.insert(joint.name.clone(), 1);
                continue;
            };
            let mut copy = seen + 1;
            while taken.contains_key(&format!("{}.{copy}", joint.name)) {
                copy += 1;
            }
            taken.insert(joint.name.clone(), copy);
            joint.name = format!("{}.{copy}", joint.name);
            taken.insert(joint.name.clone(), 1);
        }
        Ok(Self { joints })
    }

    /// Makes the shown pose the bind pose.
    pub fn show_rest(mut self) -> Self {
        for i in 0..self.joints.len() {
            self.joints[i].shown_local = self.rest_local(i);
        }
        self
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The names of all joints, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|j| j.name.as_str())
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True for a bare mesh.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Index of a joint by its name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// A joint by name or, where no joint has that name, ignoring case.
    pub fn find_forgiving(&self, name: &str) -> Option<usize> {
        self.find(name).or_else(|| self.joints.iter().position(|j| j.name.eq_ignore_ascii_case(name)))
    }

    /// Children of a joint, ascending.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        (joint + 1..self.joints.len()).filter(move |&c| self.joints[c].parent == Some(joint))
    }

    /// Local bind transform of a joint: parent_from_joint at rest.
    pub fn rest_local(&self, joint: usize) -> DAffine3 {
        let j = &self.joints[joint];
        match j.parent {
            Some(p) => self.joints[p].joint_from_rest * j.rest_from_joint,
            None => j.rest_from_joint,
        }
    }

    /// Local bind transform in parts.
    pub fn rest_trs(&self, joint: usize) -> Trs {
        Trs::of(&self.rest_local(joint))
    }

    /// The same skeleton with some joints elsewhere at rest; all others stay where they are, children too. What is shown moves
    /// by as much.
    pub fn with_joints_at(&self, places: impl IntoIterator<Item = (usize, DVec3)>) -> Result<Self, SkeletonError> {
        let mut joints = self.joints.clone();
        for (joint, place) in places {
            joints[joint].rest_from_joint.translation = place;
            joints[joint].joint_from_rest = joints[joint].rest_from_joint.inverse();
        }
        let mut moved = Self::new(joints)?;
        for i in 0..moved.len() {
            let shift = moved.rest_local(i).translation - self.rest_local(i).translation;
            moved.joints[i].shown_local.translation += shift;
        }
        Ok(moved)
    }

    /// Gives a joint a bone, or takes it away.
    pub fn set_role(&mut self, joint: usize, role: Role) {
        self.joints[joint].role = role;
    }

    /// Notes the natural bending axis of a joint, in its parent's frame.
    pub fn set_hinge(&mut self, joint: usize, axis: DVec3) {
        self.joints[joint].hinge = axis.try_normalize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_cannot_be_written_down() {
        let loops = vec![Joint::new("a", Some(1), DAffine3::IDENTITY), Joint::new("b", Some(0), DAffine3::IDENTITY)];
        assert!(matches!(Skeleton::new(loops), Err(SkeletonError::ParentAfterChild { joint: 0, .. })));
    }

    #[test]
    fn names_become_unique() {
        let twice = vec![Joint::new("a", None, DAffine3::IDENTITY), Joint::new("a", Some(0), DAffine3::IDENTITY)];
        let skeleton = Skeleton::new(twice).unwrap();
        assert_eq!(skeleton.joints()[1].name, "a.2");
        let many = ["a", "a.2", "a", "a", "a.2"].map(|n| Joint::new(n, None, DAffine3::IDENTITY)).to_vec();
        let skeleton = Skeleton::new(many).unwrap();
        let names: Vec<_> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["a", "a.2", "a.3", "a.4", "a.2.2"]);
    }
}
