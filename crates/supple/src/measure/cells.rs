use glam::DVec3;
use std::ops::Range;

/// Cubic cells of a box, looked at in their middles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    pub low: DVec3,
    pub step: f64,
    pub count: [usize; 3],
}

impl Cells {
    /// Round points: the box grows by 1 % of its longest side on every side, and has `grid` cells along the longest.
    /// None where there is no box.
    pub fn round(points: &[DVec3], grid: usize) -> Option<Self> {
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let pad = (high - low).max_element() * 0.01;
        Self::over(low - pad, high + pad, grid)
    }

    /// A cube round a point, not padded.
    pub fn cube(center: DVec3, radius: f64, grid: usize) -> Option<Self> {
        Self::over(center - radius, center + radius, grid)
    }

    fn over(low: DVec3, high: DVec3, grid: usize) -> Option<Self> {
        let step = (high - low).max_element() / grid as f64;
        if !(step.is_finite() && step > 0.0 && low.is_finite()) {
            return None;
        }
        // A cube must not gain a layer of cells by rounding.
        let count = ((high - low) / step).to_array().map(|n| ((n - 1e-9).ceil().max(1.0) as usize).min(grid));
        Some(Self { low, step, count })
    }

    /// Volume of a cell.
    pub fn volume(&self) -> f64 {
        self.step.powi(3)
    }

    /// Middle of the cell so far along an axis.
    pub fn middle(&self, axis: usize, i: usize) -> f64 {
        self.low[axis] + (i as f64 + 0.5) * self.step
    }

    pub fn center(&self, [x, y, z]: [usize; 3]) -> DVec3 {
        DVec3::new(self.middle(0, x), self.middle(1, y), self.middle(2, z))
    }

    /// The cells whose middles lie between two places along an axis, or a hair outside.
    pub fn between(&self, axis: usize, from: f64, to: f64) -> Range<usize> {
        const HAIR: f64 = 1e-6;
        let index = |at: f64| (at - self.low[axis]) / self.step - 0.5;
        let first = (index(from) - HAIR).ceil().max(0.0);
        let end = (index(to) + HAIR).floor() + 1.0;
        let clamped = |i: f64| (i.max(0.0) as usize).min(self.count[axis]);
        clamped(first)..clamped(end).max(clamped(first))
    }

    /// The first cell along an axis whose middle is not below a place; the number of cells where there is none.
    pub fn first_above(&self, axis: usize, at: f64) -> usize {
        (((at - self.low[axis]) / self.step - 0.5).ceil().max(0.0) as usize).min(self.count[axis])
    }
}
