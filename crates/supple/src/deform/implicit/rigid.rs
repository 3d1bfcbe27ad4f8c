//! Separate pieces of skin that one joint alone moves: eyes, teeth, buttons, the links of a mannequin.
//!
//! Ours. They are not flesh: none of them folds, and where two of them touch neither gives way. The phalanges of a mannequin, pressed
//! into each other as skin is, shrank to stubs with gaps between them.

use crate::rig::{Topology, Weights};
use glam::Vec3;

/// Share of the weights that one joint must have.
const ALONE: f32 = 0.999;

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

    /// Leaves their skin out where the same joint has other skin: an eye or a spear does not shape the limb it goes with. Where a joint
    /// has nothing else, as those of a mannequin, they are the limb.
    pub fn leave_out(&self, topology: &Topology, joints: &[u32], skinned: &mut [bool]) {
        let mut has_flesh = vec![false; joints.iter().max().map_or(0, |last| *last as usize + 1)];
        for &v in topology.triangles.as_flattened().iter().filter(|v| !self.has[**v as usize]) {
            has_flesh[joints[v as usize] as usize] = true;
        }
        for ((skinned, is_rigid), joint) in skinned.iter_mut().zip(&self.has).zip(joints) {
            *skinned &= !(*is_rigid && has_flesh[*joint as usize]);
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
