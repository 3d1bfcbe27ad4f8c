//! Robust tracking: where there was contact in the last frame, a point starts from where it was, carried along by its limb, and
//! not from the one-pass method. Skin that folds deeper and deeper then never starts on the wrong side.
//!
//! start' = start + b R (v_last - start_last), b = min(1, 2 β_last), R the turn of the point's limb since the last frame
//!
//! R. Vaillant, G. Guennebaud, L. Barthe, B. Wyvill, M.-P. Cani, *Robust iso-surface tracking for interactive character skinning*,
//! ACM Transactions on Graphics 33(6), 2014, start every point from the last frame. That drifts: an arm bent to 150 degrees and
//! back misses its rest pose by 2 to 6 % of the diagonal. Without contact there is no history here, and it returns exactly.
//!
//! A frame that does not follow the last one (the first, or one in which a joint jumps) is reached by a few steps from rest, so
//! that any frame can be asked for and frames rendered apart agree.

use crate::{
    math::angle_of,
    pose::{Motion, Pose},
    rig::Rig,
};
use glam::{DAffine3, DQuat, Mat3A, Vec3A};
use std::sync::Arc;

/// Turn of a joint in one frame, in degrees, above which the frame does not follow the last one: 1,200 degrees a second at 60 frames,
/// faster than motion is recorded. Skin carried over a larger turn could land on the wrong side; a smaller limit would start fast clips
/// anew from rest again and again.
const JUMP: f64 = 20.0;
/// Turn, in degrees, of the joint that turns most in a step from rest. Tracking was measured in frames of 3 degrees; larger steps cost
/// less time and carry skin farther at once.
const REST_STEP: f64 = 8.0;
/// Steps from rest at most, which bound the time of a frame: half a turn, the largest there is, takes 23.
const MOST_STEPS: usize = 24;

/// What is remembered of the last frame, with the memory to step there from rest.
pub struct History {
    skeleton: Arc<Skeleton>,
    kept: Kept,
    local: Vec<DAffine3>,
    step: Motion,
}

/// The joints at rest.
struct Skeleton {
    parents: Vec<Option<usize>>,
    rest_local: Vec<DAffine3>,
    joint_from_rest: Vec<DAffine3>,
    rest: Motion,
}

/// What is left of a frame when it is over.
#[derive(Clone)]
pub struct Kept {
    /// The motion of the frame; empty before the first.
    motion: Vec<DAffine3>,
    /// How far the points went from where they started, and how much of it they keep.
    gone: Vec<(Vec3A, f32)>,
}

impl History {
    /// Takes the memory.
    pub fn new(rig: &Rig, points: usize) -> Self {
        let joints = rig.skeleton.joints();
        let skeleton = Skeleton {
            parents: joints.iter().map(|j| j.parent).collect(),
            rest_local: (0..joints.len()).map(|j| rig.skeleton.rest_local(j)).collect(),
            joint_from_rest: joints.iter().map(|j| j.joint_from_rest).collect(),
            rest: Motion::of(rig, &Pose::rest(rig)),
        };
        Self::of(Arc::new(skeleton), points)
    }

    fn of(skeleton: Arc<Skeleton>, points: usize) -> Self {
        let joints = skeleton.parents.len();
        let kept = Kept { motion: Vec::with_capacity(joints), gone: vec![(Vec3A::ZERO, 0.0); points] };
        Self { kept, local: Vec::with_capacity(joints), step: skeleton.rest.clone(), skeleton }
    }

    /// Another of the same rig, which remembers nothing yet.
    pub fn another(&self) -> Self {
        Self::of(self.skeleton.clone(), self.kept.gone.len())
    }

    /// Forgets the last frame.
    pub fn forget(&mut self) {
        self.kept.motion.clear();
        self.kept.gone.fill((Vec3A::ZERO, 0.0));
    }

    /// What is remembered.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Goes on from what another has kept of the same skin.
    pub fn recall(&mut self, kept: &Kept) {
        self.kept.motion.clone_from(&kept.motion);
        self.kept.gone.clone_from(&kept.gone);
    }

    /// How many steps from rest lead to a motion that does not follow the last one; 0 where it does.
    pub fn steps_to(&mut self, motion: &Motion) -> usize {
        let follows = !self.kept.motion.is_empty()
            && (0..motion.len()).all(|j| self.turn_since(&self.kept.motion, &motion.exact, j) <= JUMP);
        if follows {
            return 0;
        }
        self.forget();
        let turned = |j: usize| {
            let local = self.local_of(motion, j);
            degrees(&DAffine3::from_mat3(local.matrix3 * self.skeleton.rest_local[j].matrix3.inverse()))
        };
        let most = (0..motion.len()).map(turned).fold(0.0, f64::max);
        ((most / REST_STEP).ceil() as usize).min(MOST_STEPS)
    }

    /// The turn of a joint against its parent between two motions, in degrees.
    fn turn_since(&self, from: &[DAffine3], to: &[DAffine3], joint: usize) -> f64 {
        let own = to[joint] * from[joint].inverse();
        let above = self.skeleton.parents[joint].map_or(DAffine3::IDENTITY, |p| to[p] * from[p].inverse());
        degrees(&(above.inverse() * own))
    }

    fn local_of(&self, motion: &Motion, joint: usize) -> DAffine3 {
        let posed = motion.posed_from_joint[joint];
        self.skeleton.parents[joint].map_or(posed, |p| motion.posed_from_joint[p].inverse() * posed)
    }

    /// A motion between rest and another, by turning each joint part of the way.
    pub fn between(&mut self, motion: &Motion, share: f64) -> &Motion {
        self.local.clear();
        for joint in 0..motion.len() {
            let (rest, posed) = (self.skeleton.rest_local[joint], self.local_of(motion, joint));
            let (s0, r0, t0) = rest.to_scale_rotation_translation();
            let (s1, r1, t1) = posed.to_scale_rotation_translation();
            let turned: DQuat = r0.slerp(r1, share);
            let local = DAffine3::from_scale_rotation_translation(s0.lerp(s1, share), turned, t0.lerp(t1, share));
            self.local.push(if local.is_finite() { local } else { posed });
        }
        for joint in 0..motion.len() {
            let above = self.skeleton.parents[joint].map(|p| self.step.posed_from_joint[p]);
            let posed = above.map_or(self.local[joint], |a| a * self.local[joint]);
            let exact = posed * self.skeleton.joint_from_rest[joint];
            self.step.posed_from_joint[joint] = posed;
            self.step.exact[joint] = exact;
            let (m, t) = (exact.matrix3.as_mat3(), exact.translation.as_vec3());
            self.step.posed_from_rest[joint] = glam::Affine3A::from_mat3_translation(m, t);
        }
        &self.step
    }

    /// Takes the motion that [`History::between`] has made; give it back with [`History::give_back`].
    pub fn take(&mut self) -> Motion {
        std::mem::take(&mut self.step)
    }

    /// See [`History::take`].
    pub fn give_back(&mut self, step: Motion) {
        self.step = step;
    }

    /// Moves the starts of a frame; `joint` is the joint of each point's limb.
    pub fn carry(&self, motion: &Motion, start: &mut [Vec3A], joint: impl Fn(usize) -> usize) {
        if self.kept.motion.is_empty() {
            return;
        }
        for (i, (at, (gone, share))) in start.iter_mut().zip(&self.kept.gone).enumerate() {
            if *share > 0.0 {
                let j = joint(i);
                let turn = motion.exact[j].matrix3 * self.kept.motion[j].matrix3.inverse();
                *at += *share * (Mat3A::from(turn.as_mat3()) * *gone);
            }
        }
    }

    /// Remembers a frame: how far each point went, and its share of contact.
    pub fn remember(&mut self, motion: &Motion, gone: impl Iterator<Item = (Vec3A, f32)>) {
        self.kept.motion.clear();
        self.kept.motion.extend_from_slice(&motion.exact);
        for (kept, (gone, beta)) in self.kept.gone.iter_mut().zip(gone) {
            *kept = (gone, (2.0 * beta).min(1.0));
        }
    }
}

/// The angle of a turn, in degrees; a joint that is squashed flat has none.
fn degrees(turn: &DAffine3) -> f64 {
    let angle = angle_of(turn);
    if angle.is_finite() { angle.to_degrees() } else { 0.0 }
}
