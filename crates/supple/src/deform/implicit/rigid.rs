//! Separate pieces of skin that one joint alone moves: eyes, teeth, buttons, the links of a mannequin.
//!
//! Ours. They are not flesh: none of them folds, and where two of them touch neither gives way. The phalanges of a mannequin, pressed
//! into each other as skin is, shrank to stubs with gaps between them.

use crate::rig::{Topology, Weights};

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
}
