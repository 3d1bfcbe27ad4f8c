//! Contact of skin with skin. Where skin passes through skin, the two surfaces cross in a line: the line of contact. What lies beyond it,
//! inside other flesh, nobody sees. It becomes a membrane that the line spans:
//!
//! Σ_j w_ij (x_j - x_i) = 0
//!
//! | symbol | meaning |
//! |---|---|
//! | x_i | a hidden point |
//! | x_j | each point beside it; where that is seen, the place at which the edge between the two goes through other skin |
//! | w_ij | one over the length of the edge at rest; the edge up to the line of contact is as much shorter as it is in the pose |
//!
//! Both sides span the same line, so they meet in the same membrane, whatever their shapes (`membrane.rs`); nobody asks which limbs may
//! touch. What is seen stays where it was. A point that comes to the line is on it already, so that nothing jumps.
//!
//! A point is hidden where flesh lies on its outer side: a ray along its normal comes out of flesh more often than it goes in.
//! Skin that is so at rest, as teeth are and what other shells cover, is left alone, and so is what is wholly in other flesh. Sheets
//! have no flesh, and take no part.

mod crossings;
mod hidden;
mod membrane;
mod tree;

use crate::{parallel::for_each_block, rig::ByPoint};
use crossings::{Crossings, Edges};
use glam::Vec3A;
use hidden::Flood;
use membrane::Membrane;
use tree::{Moved, Tree};

/// Points a thread looks at at a time.
const BLOCK: usize = 64;
/// Added to the normals along which rays go: skins are symmetric, and a ray from the middle of one would go along the edges in the
/// middle of others.
const ASIDE: Vec3A = Vec3A::new(0.0137, -0.0071, 0.0113);
/// How often the two sides of a membrane are laid on each other.
const LAID: usize = 2;

/// A skin at rest, ready to be looked at in any pose.
pub struct Contact {
    tree: Tree,
    edges: Edges,
    /// The triangles of each point.
    facets_of: ByPoint<[u32; 3]>,
    /// How often flesh lies on the outer side of each point at rest.
    covered: Vec<i32>,
}

/// Memory of a frame.
pub struct Meeting {
    moved: Moved,
    crossings: Crossings,
    flood: Flood,
    membrane: Membrane,
}

impl Contact {
    /// Of points at rest, and the triangles between them that have flesh below them.
    pub fn of(triangles: &[[u32; 3]], rest: &[Vec3A]) -> Self {
        let (points, at) = (rest.len(), |i: u32| rest[i as usize]);
        let tree = Tree::of(triangles, points, at);
        let edges = Edges::of(&tree, points, at);
        let facets_of = ByPoint::of(points, || triangles.iter().flat_map(|t| t.map(|i| (i, *t))));
        let mut contact = Self { tree, edges, facets_of, covered: Vec::new() };
        let mut moved = contact.tree.memory();
        contact.tree.measure(&mut moved, at);
        let mut covered = vec![0; rest.len()];
        for_each_block(&mut covered, BLOCK, |first, block| {
            for (i, covered) in (first as u32..).zip(block) {
                *covered = contact.covers(&moved, i, at).max(0);
            }
        });
        contact.covered = covered;
        contact
    }

    /// Memory for a frame.
    pub fn memory(&self) -> Meeting {
        let points = self.covered.len();
        Meeting {
            moved: self.tree.memory(),
            crossings: self.edges.memory(),
            flood: Flood::over(points),
            membrane: Membrane::over(points),
        }
    }

    /// Takes the points of a pose that are hidden to the membrane.
    pub fn meet(&self, meeting: &mut Meeting, points: &mut [Vec3A]) {
        let Meeting { moved, crossings, flood, membrane } = meeting;
        let posed = &*points;
        let at = |i: u32| posed[i as usize];
        self.tree.measure(moved, at);
        self.edges.cross(crossings, &self.tree, moved);
        flood.find(&self.edges, crossings, |i| self.covers(moved, i, at) > self.covered[i as usize]);
        membrane.span(&self.edges, crossings, flood, posed);
        membrane.give(flood, points);
    }

    /// Lays the two sides of the membrane on each other, after points have met: they span the same line, but not by the same triangles.
    pub fn lay(&self, meeting: &mut Meeting, points: &mut [Vec3A]) {
        let Meeting { moved, flood, membrane, .. } = meeting;
        if flood.hidden().is_empty() {
            return;
        }
        let is_hidden = |t: &[u32; 3]| t.iter().any(|&k| flood.is_hidden(k as usize));
        for _ in 0..LAID {
            let met = &*points;
            let at = |i: u32| met[i as usize];
            self.tree.measure(moved, at);
            membrane.lay(&self.edges, flood, |i, reach| {
                let line = reach * self.normal(i, at).normalize_or_zero();
                let to = self.tree.across(moved, at(i), line, |t| !t.contains(&i) && is_hidden(t))?;
                Some(to * line)
            });
            membrane.give(flood, points);
        }
    }

    /// How often flesh lies on the outer side of a point.
    fn covers(&self, moved: &Moved, point: u32, at: impl Fn(u32) -> Vec3A) -> i32 {
        let ray = self.normal(point, &at).normalize_or_zero() + ASIDE;
        self.tree.winding(moved, at(point), ray, point)
    }

    fn normal(&self, point: u32, at: impl Fn(u32) -> Vec3A) -> Vec3A {
        let corners = self.facets_of.at(point).iter().map(|t| t.map(&at));
        corners.map(|[a, b, c]| (b - a).cross(c - a)).sum()
    }
}

impl Meeting {
    /// Whether a point is hidden.
    pub fn is_hidden(&self, point: usize) -> bool {
        self.flood.is_hidden(point)
    }
}

#[cfg(test)]
mod tests;
