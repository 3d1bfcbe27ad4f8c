use super::Pose;
use crate::rig::Rig;
use glam::{Affine3A, DAffine3};

/// How every joint carries the rest skin: `posed_from_rest`, the identity at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Where each joint is, in double precision.
    pub posed_from_joint: Vec<DAffine3>,
    /// posed_from_rest in double precision, for decompositions.
    pub exact: Vec<DAffine3>,
    /// The same for the vertex loops.
    pub posed_from_rest: Vec<Affine3A>,
}

impl Motion {
    /// The motion of a pose.
    pub fn of(rig: &Rig, pose: &Pose) -> Self {
        let mut motion = Self::default();
        motion.update(rig, pose);
        motion
    }

    /// Like [`Motion::of`], reusing the memory: no allocation after the first call.
    pub fn update(&mut self, rig: &Rig, pose: &Pose) {
        self.posed_from_joint.clear();
        self.exact.clear();
        self.posed_from_rest.clear();
        for (joint, local) in rig.skeleton.joints().iter().zip(&pose.local) {
            let posed = joint.parent.map_or(*local, |p| self.posed_from_joint[p] * *local);
            let exact = posed * joint.joint_from_rest;
            self.posed_from_joint.push(posed);
            self.exact.push(exact);
            self.posed_from_rest.push(to_f32(&exact));
        }
    }

    /// One rigid motion for a rig without joints or for tests: every joint carries the skin the same way.
    pub fn uniform(joints: usize, motion: DAffine3) -> Self {
        Self {
            posed_from_joint: vec![motion; joints],
            exact: vec![motion; joints],
            posed_from_rest: vec![to_f32(&motion); joints],
        }
    }

    /// A rig that moves as a whole: skin and joints.
    pub fn rigid(rig: &Rig, motion: DAffine3) -> Self {
        let joints = rig.skeleton.joints();
        let posed_from_joint = joints.iter().map(|j| motion * j.rest_from_joint).collect();
        Self { posed_from_joint, ..Self::uniform(joints.len(), motion) }
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.exact.len()
    }

    /// True without joints.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }
}

fn to_f32(affine: &DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(affine.matrix3.as_mat3(), affine.translation.as_vec3())
}
