//! Separate pieces of skin that one joint alone moves: eyes, teeth, buttons, the links of a mannequin.
//!
//! Ours. They are not flesh: none of them folds, and where two of them touch neither gives way. The phalanges of a mannequin, pressed
//! into each other as skin is, shrank to stubs with gaps between them.

use crate::rig::{Topology, Weights};
use glam::Vec3;

/// Share of the weights that one joint must have.
const ALONE: f32 = 0.999;
/// Distance from the other skin of its joint, over the diagonal of the box of that, beyond which a piece is not of the limb. Chosen so
/// that eyes, buttons and the balls in a mannequin's joints stay what they were, and not measured.
const FAR: f32 = 1.0;

/// The pieces, and who belongs to one.
pub struct Rigid {
    /// How many there are.
    pub pieces: usize,
    /// Of each welded point.
    pub has: Vec<bool>,
}

impl Rigid {
    /// Finds them. Where all of the skin is one piece it is none: it is a limb.
    pub fn of(topology: &Topology, weights: &Weights) -> Self {
        let mut joint_of = vec![None; topology.components];
        let mut is_rigid = vec![topology.components > 1; topology.components];
        for (&piece, &vertex) in topology.component_of.iter().zip(&topology.weld.first_of) {
            let (joints, values) = weights.row(vertex as usize);
            let one = joints.first().copied().filter(|_| values[0] >= ALONE);
            let known = joint_of[piece as usize].get_or_insert(one);
            is_rigid[piece as usize] &= one.is_some() && *known == one;
        }
        let pieces = is_rigid.iter().filter(|r| **r).count();
        Self { pieces, has: topology.component_of.iter().map(|&piece| is_rigid[piece as usize]).collect() }
    }

    /// Leaves out what a character carries: pieces that reach far from the other skin of their joint, as a spear does, and an eye does
    /// not. They do not shape the limb. Where a joint has nothing else, as those of a mannequin, they are the limb.
    pub fn leave_out(&self, topology: &Topology, at: &[Vec3], joints: &[u32], skinned: &mut [bool]) {
        let is_piece = |i: usize| self.has[i] || topology.ring(i as u32).is_empty();
        let mut flesh = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); joints.iter().max().map_or(0, |j| *j as usize + 1)];
        for (i, p) in at.iter().enumerate().filter(|(i, p)| p.is_finite() && !is_piece(*i)) {
            let (low, high) = &mut flesh[joints[i] as usize];
            (*low, *high) = (low.min(*p), high.max(*p));
        }
        let mut reaches = vec![false; topology.components];
        for (i, p) in at.iter().enumerate().filter(|(i, _)| is_piece(*i)) {
            let (low, high) = flesh[joints[i] as usize];
            if low.x <= high.x && p.distance(p.max(low).min(high)) > FAR * low.distance(high) {
                reaches[topology.component_of[i] as usize] = true;
            }
        }
        for (skinned, piece) in skinned.iter_mut().zip(&topology.component_of) {
            *skinned &= !reaches[*piece as usize];
        }
    }

    /// The box of all skin that is in no such piece: of what bends, whatever is carried along. Of all points where there is none.
    pub fn flesh(&self, topology: &Topology, at: &[Vec3]) -> (Vec3, Vec3) {
        let bounds = |counts: &dyn Fn(usize) -> bool| {
            let points = at.iter().enumerate().filter(|(i, p)| p.is_finite() && counts(*i));
            points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), (_, p)| (low.min(*p), high.max(*p)))
        };
        let flesh = bounds(&|i| !self.has[i] && !topology.ring(i as u32).is_empty());
        if flesh.0.x <= flesh.1.x { flesh } else { bounds(&|_| true) }
    }
}
