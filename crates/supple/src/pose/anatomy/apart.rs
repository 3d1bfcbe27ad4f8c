//! The hinge that keeps limbs apart, for joints of which nothing else is known.

use crate::rig::{Bone, Skeleton};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Axes that are tried, and the bends that each is tried with.
const AXES: usize = 12;
const BENDS: [f64; 3] = [45.0, 90.0, 135.0];
/// Bones that move, and bones that stay, at the most: of trees of thousands of joints only so many are looked at.
const MOVED: usize = 16;
const STAYING: usize = 128;
/// The best axis must keep this much farther away than the worst, relative to what moves: else it is chance.
const MATTERS: f64 = 0.02;

/// Of larger skeletons the hinge is looked for only where a joint is to be bent: about a millisecond a joint is seconds for all.
pub(super) const MOST_LISTED: usize = 4096;

/// Bones in the order of a walk through the tree, in which what hangs on a joint stands together.
pub(super) struct Tree {
    bones: Vec<usize>,
    below: Vec<Range<usize>>,
}

impl Tree {
    pub fn of(skeleton: &Skeleton, bones: &[Bone]) -> Self {
        let joints = skeleton.joints();
        let mut own = vec![0usize; joints.len()];
        bones.iter().for_each(|b| own[b.joint] += 1);
        // Parents come first: sizes from the leaves up, then places from the roots down.
        let mut all = own.clone();
        for j in (0..joints.len()).rev() {
            if let Some(parent) = joints[j].parent {
                all[parent] += all[j];
            }
        }
        let mut taken = own;
        let mut roots = 0;
        let mut below: Vec<Range<usize>> = Vec::with_capacity(joints.len());
        for (j, joint) in joints.iter().enumerate() {
            let (first, taken) = match joint.parent {
                Some(parent) => (below[parent].start, &mut taken[parent]),
                None => (0, &mut roots),
            };
            let start = first + *taken;
            *taken += all[j];
            below.push(start..start + all[j]);
        }
        let mut place: Vec<usize> = below.iter().map(|b| b.start).collect();
        let mut order = vec![0; bones.len()];
        for (i, bone) in bones.iter().enumerate() {
            order[place[bone.joint]] = i;
            place[bone.joint] += 1;
        }
        Self { bones: order, below }
    }

    /// The axis square to a joint's bone, in the space of the skin, which keeps all below it farthest from all other bones
    /// while it is bent; none where it does not matter. `level` is a direction to begin with, so that both sides try alike.
    pub fn hinge(&self, bones: &[Bone], bone: &Bone, joint: usize, incoming: DVec3, level: DVec3) -> Option<DVec3> {
        let Range { start, end } = self.below[joint].clone();
        let spread = |count: usize, most: usize| (0..count).step_by(count.div_ceil(most).max(1));
        let moved = spread(end - start, MOVED).map(|i| &bones[self.bones[start + i]]);
        let points: Vec<DVec3> = moved.flat_map(|b| [b.head.lerp(b.tail, 0.5), b.tail]).collect();
        let staying = spread(self.bones.len() - (end - start), STAYING);
        let staying = staying.map(|i| &bones[self.bones[if i < start { i } else { i + end - start }]]);
        // Bones that meet at the joint are as near however it is bent.
        let apart = |b: &&Bone| b.tail.distance(bone.head) > 0.0 && b.head.distance(bone.head) > 0.0;
        let staying: Vec<&Bone> = staying.filter(apart).collect();

        let along = (bone.tail - bone.head).try_normalize()?;
        let first = level.reject_from_normalized(along).try_normalize();
        let first = first.unwrap_or_else(|| along.any_orthonormal_vector());
        let distance = |axis: DVec3, degrees: f64| {
            let turn = DQuat::from_axis_angle(axis, degrees.to_radians());
            let turned = points.iter().map(|p| bone.head + turn * (*p - bone.head));
            turned.flat_map(|p| staying.iter().map(move |b| b.distance(p))).fold(f64::INFINITY, f64::min)
        };
        let tried: Vec<(f64, DVec3)> = (0..AXES)
            .map(|k| {
                let axis = DQuat::from_axis_angle(along, std::f64::consts::TAU * k as f64 / AXES as f64) * first;
                (BENDS.iter().map(|&degrees| distance(axis, degrees)).fold(f64::INFINITY, f64::min), axis)
            })
            .collect();
        let size = points.iter().map(|p| p.distance(bone.head)).fold(0.0, f64::max);
        let worst = tried.iter().map(|t| t.0).fold(f64::INFINITY, f64::min);
        let best = tried.iter().map(|t| t.0).fold(0.0, f64::max);
        if !best.is_finite() || best - worst <= MATTERS * size {
            return None;
        }
        // Of several that are as good, the one that bends the joint farther the way it is bent.
        let natural = incoming.cross(along);
        let good = tried.into_iter().filter(|t| t.0 >= best - 1e-3 * size);
        good.max_by(|a, b| a.1.dot(natural).total_cmp(&b.1.dot(natural))).map(|t| t.1)
    }
}
