//! Characters to cut, and what is done to them.

use glam::{DVec3, Vec3};
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::{Rig, Skeleton},
};

pub fn arm() -> Rig {
    example::arm(&ArmOptions { vertices: 8003, ..ArmOptions::default() }).unwrap()
}

pub fn plain_arm() -> Rig {
    example::arm(&ArmOptions { vertices: 4000, plain: true, ..ArmOptions::default() }).unwrap()
}

pub fn hand() -> Rig {
    example::hand(&HandOptions { vertices: 8000, ..Default::default() }).unwrap()
}

pub fn figure() -> Rig {
    example::figure(&FigureOptions { vertices: 10_000, ..FigureOptions::default() }).unwrap()
}

/// Numbers in -1..1 that are the same every time.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Every vertex moved along its normal, by up to a hundredth of the diagonal.
pub fn noisy(rig: &Rig, seed: u64) -> Rig {
    let mut noise = Noise::new(seed);
    let amplitude = 0.01 * rig.diagonal();
    let normals = rig.mesh.computed_normals();
    let mut moved = rig.clone();
    for (p, n) in moved.mesh.positions.iter_mut().zip(normals) {
        *p += n * amplitude * noise.next() as f32;
    }
    moved
}

/// Some joints moved in some direction, by a tenth of their bones.
pub fn with_moved_joints(rig: &Rig, seed: u64, moves: impl Fn(usize) -> bool) -> Rig {
    let mut noise = Noise::new(seed);
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
    let mut joints = rig.skeleton.joints().to_vec();
    for (i, joint) in joints.iter_mut().enumerate().filter(|(i, _)| moves(*i)) {
        let length = bones.iter().find(|b| b.joint == i).map_or(0.0, |b| b.length());
        let direction = DVec3::new(noise.next(), noise.next(), noise.next()).normalize_or_zero();
        joint.rest_from_joint.translation += direction * 0.1 * length;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
    }
    Rig { skeleton: Skeleton::new(joints).unwrap().show_rest(), ..rig.clone() }
}

/// The character as it stands in a pose, as if it had been modelled so.
pub fn modelled_in(rig: &Rig, pose: &Pose) -> Rig {
    let motion = Motion::of(rig, pose);
    let mut bound = DeformGraph::single("dual-quaternion").unwrap().bind(rig).unwrap();
    let points: Vec<Vec3> = bound.evaluate(&rig.mesh.positions, &motion).to_vec();
    let mut joints = rig.skeleton.joints().to_vec();
    for (joint, posed) in joints.iter_mut().zip(&motion.posed_from_joint) {
        joint.rest_from_joint = *posed;
        joint.joint_from_rest = posed.inverse();
    }
    let mut posed = Rig { skeleton: Skeleton::new(joints).unwrap().show_rest(), ..rig.clone() };
    posed.mesh.positions = points;
    posed
}

pub fn scaled(rig: &Rig, scale: f64) -> Rig {
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.rest_from_joint.translation *= scale;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
    }
    let mut scaled = Rig { skeleton: Skeleton::new(joints).unwrap().show_rest(), ..rig.clone() };
    scaled.mesh.positions.iter_mut().for_each(|p| *p = (p.as_dvec3() * scale).as_vec3());
    scaled
}
