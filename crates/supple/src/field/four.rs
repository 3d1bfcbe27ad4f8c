//! The grids of four limbs, side by side in vector registers.

use super::grid::blocks_of;
use glam::{Vec3A, Vec4};

/// Finds the places of a point in the grids of four limbs at once: most points are outside of most grids near them.
#[derive(Clone, Copy, Debug)]
pub struct FourGrids {
    /// The maps from a posed place to the nodes of the grids. For each axis: the factors of x, y and z, and the summand.
    pub(super) rows: [[Vec4; 4]; 3],
    pub(super) nodes: [Vec4; 3],
    pub(super) last: Vec4,
    pub(super) blocks: Vec4,
}

impl FourGrids {
    pub(super) const NOWHERE: Self = {
        let row = [Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::splat(-9.0)];
        Self { rows: [row; 3], nodes: [Vec4::ZERO; 3], last: Vec4::ZERO, blocks: Vec4::ZERO }
    };

    /// The place of a point in each grid, axis by axis, with the same bits as one by one.
    #[inline(always)]
    pub fn places(&self, at: Vec3A) -> [Vec4; 3] {
        self.rows.map(|[x, y, z, t]| x * at.x + y * at.y + z * at.z + t)
    }

    /// The limbs whose grids reach within a distance of a place, a bit for each.
    #[inline(always)]
    pub fn within(&self, places: &[Vec4; 3], distance: f32) -> u32 {
        let within = |axis: usize| {
            let margin = distance * self.nodes[axis];
            (places[axis] + margin).cmpge(Vec4::ZERO) & (places[axis] - margin).cmple(self.last)
        };
        (within(0) & within(1) & within(2)).bitmask()
    }

    /// The block of each grid that contains a place, where the grid does.
    #[inline(always)]
    pub fn blocks(&self, places: &[Vec4; 3]) -> [usize; 4] {
        blocks_of(places, self.blocks)
    }
}
