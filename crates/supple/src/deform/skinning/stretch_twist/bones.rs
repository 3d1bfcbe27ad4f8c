//! Which bone stretches and twists by how much in a frame.
//!
//! **One bone a joint.** A joint with several bones stretches along the longest if the others run beside it (helpers in a
//! forearm). Where they part (palm, chest, hips) it is a rigid body: taking the nearest bone of each vertex would tear the
//! skin where the nearest one changes.
//!
//! **The twist of a joint** is the part, about the joint's own direction, of its turn against its parent. About the parent's
//! bone, as one would think first, a raised leg counts as a twist of the hip bone it hangs on at a right angle. The more the
//! two agree the more the parent's bone is taken all the same: the tail of a leaf is a guess, and a bend of 135 degrees about
//! an axis that is 2 degrees off the square to it would count as a twist of 10.
//!
//! **Who takes it.** A joint that goes on in the direction of its parent's bone (a wrist) twists that bone at its tail, by
//! the cosine between the two. What is left the joint's own bone takes back at its head, so that the skin at a shoulder
//! stays and turns bit by bit down the upper arm.

use crate::{
    math::rigid_and_scale,
    pose::Motion,
    rig::{Bone, Rig},
};
use glam::{DQuat, DVec3, Vec3A};

/// Bones whose directions have at least this cosine run beside each other.
const BESIDE: f64 = 0.9;
/// Twists in radians, and stretches over the bone's length, up to this are noise of the file.
const NOISE: f64 = 5e-6;

/// How a joint's bone stretches and twists in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneMotion {
    /// Start of the bone at rest.
    pub head: Vec3A,
    /// Its direction at rest, of unit length.
    pub axis: Vec3A,
    /// Twist at head and tail, in radians.
    pub twists: [f32; 2],
    /// From where the joint would carry the tail to where the tail is.
    pub shift: Vec3A,
    /// Whether any of it differs from nothing.
    pub active: bool,
}

/// The bones of all joints, moved anew each frame.
#[derive(Clone, Debug)]
pub struct BoneMotions {
    /// One per joint.
    pub motions: Vec<BoneMotion>,
    at_rest: Vec<AtRest>,
    /// Of every joint; filled again each frame.
    rotations: Vec<DQuat>,
}

#[derive(Clone, Copy, Debug)]
struct AtRest {
    bone: Option<Bone>,
    parent: Option<usize>,
    /// The direction about which the joint's own turn counts as a twist.
    direction: DVec3,
    /// How much of the twist the parent's bone takes.
    share: f64,
}

impl BoneMotions {
    /// Finds the bone of every joint.
    pub fn of(rig: &Rig) -> Self {
        let joints = rig.skeleton.joints();
        // From joints alone: a prop that goes with a leaf would else turn and lengthen its bone.
        let (bones, _) = rig.skeleton.bones(&[], None);
        let mut of_joint: Vec<Vec<Bone>> = vec![Vec::new(); joints.len()];
        for bone in bones {
            of_joint[bone.joint].push(bone);
        }
        let mut at_rest: Vec<AtRest> = Vec::with_capacity(joints.len());
        for (i, (joint, bones)) in joints.iter().zip(&of_joint).enumerate() {
            let direction = bones.iter().map(|b| b.tail - b.head).sum::<DVec3>().normalize_or_zero();
            let parents = joint.parent.and_then(|p| at_rest[p].bone).filter(|b| b.tail_joint == Some(i));
            let share = parents.map_or(0.0, |b| along(&b).dot(direction).max(0.0));
            let before = parents.map_or(DVec3::ZERO, |b| along(&b));
            let direction = direction.lerp(before, share).normalize_or(direction);
            at_rest.push(AtRest { bone: only(bones), parent: joint.parent, direction, share });
        }
        let still = |at: &AtRest| BoneMotion {
            head: at.bone.map_or(DVec3::ZERO, |b| b.head).as_vec3a(),
            axis: at.bone.map_or(DVec3::ZERO, |b| along(&b)).as_vec3a(),
            ..BoneMotion::default()
        };
        let motions = at_rest.iter().map(still).collect();
        Self { motions, at_rest, rotations: Vec::with_capacity(joints.len()) }
    }

    /// How far along the bone of a joint a point lies, from 0 to 1; 0 where it has none.
    pub fn end(&self, joint: usize, p: DVec3) -> f64 {
        self.at_rest[joint].bone.map_or(0.0, |b| b.parameter(p))
    }

    /// Moves the bones and tells whether any stretches or twists.
    pub fn update(&mut self, motion: &Motion) -> bool {
        self.rotations.clear();
        self.rotations.extend(motion.exact.iter().map(|m| rigid_and_scale(m).rotation));
        for bone in &mut self.motions {
            (bone.twists, bone.shift, bone.active) = ([0.0; 2], Vec3A::ZERO, false);
        }
        for joint in 0..self.at_rest.len() {
            let at = self.at_rest[joint];
            if let Some((bone, tail)) = at.bone.and_then(|b| Some((b, b.tail_joint?))) {
                let (here, there) = (motion.exact[joint], motion.exact[tail]);
                let shift = there.transform_point3(bone.tail) - here.transform_point3(bone.tail);
                if shift.length() > NOISE * bone.length() {
                    self.motions[joint].shift = shift.as_vec3a();
                    self.motions[joint].active = true;
                }
            }
            let Some(parent) = at.parent else { continue };
            let twist = twist(self.rotations[parent].inverse() * self.rotations[joint], at.direction);
            if twist.abs() <= NOISE {
                continue;
            }
            let takers = [(parent, 1, at.share * twist), (joint, 0, (at.share - 1.0) * twist)];
            for (taker, end, twist) in takers {
                if self.at_rest[taker].bone.is_some() && twist != 0.0 {
                    self.motions[taker].twists[end] = twist as f32;
                    self.motions[taker].active = true;
                }
            }
        }
        self.motions.iter().any(|m| m.active)
    }
}

fn along(bone: &Bone) -> DVec3 {
    (bone.tail - bone.head).normalize_or_zero()
}

/// The longest of bones that run beside each other.
fn only(bones: &[Bone]) -> Option<Bone> {
    let longest = bones.iter().max_by(|a, b| a.length().total_cmp(&b.length()))?;
    bones.iter().all(|b| along(b).dot(along(longest)) >= BESIDE).then_some(*longest)
}

/// The angle of the part of a turn that is about an axis, from -π to π.
fn twist(turn: DQuat, axis: DVec3) -> f64 {
    let (about, rest) = (turn.xyz().dot(axis), turn.w);
    // A turn and its negative are one.
    let sign = if rest < 0.0 { -1.0 } else { 1.0 };
    2.0 * (sign * about).atan2(sign * rest)
}
