//! Four grids side by side.

use super::grid::blocks_of;
use glam::{Vec3A, Vec4};

/// The places of a point in the grids of four limbs at once: most points are in few of the grids near by.
#[derive(Clone, Copy, Debug)]
pub struct FourGrids {
    /// For each axis of the grids: what is multiplied by x, y and z, and what is added.
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

    /// Where a point is in each grid, axis by axis: the same bits as one by one.
    #[inline(always)]
    pub fn places(&self, at: Vec3A) -> [Vec4; 3] {
        self.rows.map(|[x, y, z, t]| x * at.x + y * at.y + z * at.z + t)
    }

    /// Which of the limbs can be felt within a distance of places, a bit for each.
    #[inline(always)]
    pub fn within(&self, places: &[Vec4; 3], distance: f32) -> u32 {
        let within = |axis: usize| {
            let margin = distance * self.nodes[axis];
            (places[axis] + margin).cmpge(Vec4::ZERO) & (places[axis] - margin).cmple(self.last)
        };
        (within(0) & within(1) & within(2)).bitmask()
    }

    /// The block of each grid that a place is in, where it is inside.
    #[inline(always)]
    pub fn blocks(&self, places: &[Vec4; 3]) -> [usize; 4] {
        blocks_of(places, self.blocks)
    }
}
