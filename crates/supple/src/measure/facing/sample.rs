use super::pieces::Pieces;
use crate::measure::winding::WindingTree;
use glam::DVec3;

/// How far beside its triangle a place is looked at from, in roots of its area.
const BESIDE: f64 = 1e-3;

/// Two places, one on either side of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    sides: [DVec3; 2],
}

impl Sample {
    pub fn of([a, b, c]: [DVec3; 3]) -> Self {
        let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a));
        let step = normal.normalize_or_zero() * normal.length().sqrt() * BESIDE;
        Self { sides: [middle + step, middle - step] }
    }

    /// Clusters and triangles that are summed for both places.
    pub fn terms(&self, tree: &WindingTree) -> usize {
        self.sides.iter().map(|p| tree.terms(*p)).sum()
    }
}

/// Some of the triangles, each wound as it is or turned.
pub(super) fn tree(pieces: &Pieces, triangles: &[u32], turned: impl Fn(usize) -> bool) -> WindingTree {
    let corners = |&t: &u32| {
        let [a, b, c] = pieces.corners[t as usize];
        if turned(t as usize) { [a, c, b] } else { [a, b, c] }
    };
    WindingTree::of_corners(triangles.iter().map(corners).collect(), WindingTree::BETA)
}

/// The winding number on the surface: the mean of both sides, over all samples.
pub(super) fn number(tree: &WindingTree, samples: &[Sample]) -> f64 {
    let sum: f64 = samples.iter().flat_map(|s| s.sides).map(|p| tree.at(p)).sum();
    sum / (2 * samples.len()) as f64
}
