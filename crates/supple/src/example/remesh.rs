//! Even triangles on a field, and exactly as many vertices as asked.
//!
//! Long edges are split, short ones collapsed, valences evened out and vertices relaxed within the surface, as in
//! M. Botsch, L. Kobbelt, *A remeshing approach to multiresolution modeling*, SGP 2004; edges follow the grain of the
//! field, so that fingers keep their roundness at 600 vertices. Large meshes are quartered from a small one.

use super::{
    field::Shape,
    march::Grid,
    surface::{Surface, next},
};
use crate::parallel::for_each_block;
use glam::DVec3;
use std::cmp::Ordering;

/// Beyond so many vertices quartering a coarser mesh is faster and as good.
const LARGEST_BASE: usize = 14_000;
const ROUNDS: usize = 11;
/// Rounds in which the count may still be on its way down from the grid's.
const SETTLING: usize = 5;
const BLOCK: usize = 2048;

/// A mesh of a shape with exactly `vertices` vertices. `evenness` in 0..=1: how far grain is
/// ignored where there are vertices to spare.
pub(super) fn mesh(shape: &Shape, grid: &Grid, vertices: usize, evenness: f64) -> Surface {
    let (points, triangles) = grid.surface(shape);
    let mut base = vertices;
    let mut levels = 0;
    while base > LARGEST_BASE {
        base = (base + 6) / 4;
        levels += 1;
    }
    // A coarse mesh needs all its short edges on the thin parts, or it loses them.
    let evenness = evenness * ((base as f64 - 3000.0) / 7000.0).clamp(0.0, 1.0);
    let mut remesher = Remesher { shape, surface: Surface::new(points, &triangles), evenness, scale: 1.0 };
    remesher.reach(base);
    for _ in 0..levels {
        remesher.surface = remesher.surface.quartered();
        remesher.scale *= 0.5;
        remesher.relax(2);
    }
    if levels > 0 {
        remesher.exactly(vertices);
        remesher.surface = remesher.surface.compact();
        remesher.relax(1);
    }
    remesher.surface
}

struct Remesher<'a> {
    shape: &'a Shape,
    surface: Surface,
    evenness: f64,
    /// Edge length for a grain of one.
    scale: f64,
}

impl Remesher<'_> {
    fn reach(&mut self, vertices: usize) {
        self.take_grain();
        self.scale = self.scale_for(vertices);
        for round in 0..ROUNDS {
            let before = self.surface.len();
            self.split_long();
            self.collapse_short();
            self.flip();
            self.surface = self.surface.compact();
            self.relax(if round < SETTLING { 1 } else { 3 });
            let (now, ratio) = (self.surface.len(), self.surface.len() as f64 / vertices as f64);
            // Where the bands for splitting and collapsing settle is measured, not known; but not before they have.
            if round >= SETTLING || before.abs_diff(now) * 10 < now {
                self.scale *= ratio.sqrt().clamp(0.93, 1.07);
            }
        }
        for _ in 0..3 {
            self.exactly(vertices);
            self.flip();
            self.surface = self.surface.compact();
            self.relax(3);
        }
    }

    fn take_grain(&mut self) {
        let (shape, points, evenness) = (self.shape, &self.surface.points, self.evenness);
        for_each_block(&mut self.surface.grain, BLOCK, |first, block| {
            for (g, p) in block.iter_mut().zip(&points[first..]) {
                *g = even(shape.sample(*p).grain, evenness);
            }
        });
    }

    /// The scale at which equilateral triangles of the wanted sizes would number twice the vertices.
    fn scale_for(&self, vertices: usize) -> f64 {
        let s = &self.surface;
        let mut count = 0.0;
        for h in (0..s.halves()).step_by(3) {
            let [a, b, c, _] = s.diamond(h).map(|v| v as usize);
            let area = 0.5 * (s.points[b] - s.points[a]).cross(s.points[c] - s.points[a]).length();
            let grain = (s.grain[a] + s.grain[b] + s.grain[c]) / 3.0;
            count += area / (0.866 * grain * grain);
        }
        (count / vertices as f64).sqrt()
    }

    /// Length of an edge over the length it should have.
    fn excess(&self, h: u32) -> f64 {
        let (a, b) = self.surface.ends(h);
        let grain = self.surface.grain[a as usize].min(self.surface.grain[b as usize]);
        self.surface.length(h) / (self.scale * grain)
    }

    /// Longest first: splitting a shorter side of a triangle leaves needles, which would be split for ever.
    fn split_long(&mut self) {
        for _ in 0..8 {
            let halves = (0..self.surface.halves()).filter(|&h| self.surface.is_edge(h));
            let mut long: Vec<(f64, u32)> = halves.map(|h| (self.excess(h), h)).filter(|e| e.0 > 4.0 / 3.0).collect();
            if long.is_empty() {
                return;
            }
            long.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (_, h) in long {
                self.surface.split(h);
            }
        }
    }

    fn collapse_short(&mut self) {
        for h in 0..self.surface.halves() {
            if self.surface.is_edge(h) && self.excess(h) < 0.8 {
                self.try_collapse(h, 4.0 / 3.0);
            }
        }
    }

    /// Collapses where nothing turns over and no edge grows beyond `longest` times its proper length.
    fn try_collapse(&mut self, h: u32, longest: f64) -> bool {
        let s = &self.surface;
        let (a, b) = s.ends(h);
        let at = (s.points[a as usize] + s.points[b as usize]) * 0.5;
        let grain = s.grain[a as usize].min(s.grain[b as usize]);
        if s.valence[a as usize] + s.valence[b as usize] > 14 {
            return false;
        }
        for v in [a, b] {
            for g in s.fan(v) {
                let (_, p) = s.ends(g);
                let q = s.ends(next(g)).1;
                let limit = longest * self.scale * grain.min(s.grain[p as usize]);
                if p != a && p != b && s.points[p as usize].distance(at) > limit {
                    return false;
                }
                if [a, b].contains(&p) || [a, b].contains(&q) {
                    continue;
                }
                let [o, p, q] = [v, p, q].map(|i| s.points[i as usize]);
                let (before, after) = ((p - o).cross(q - o), (p - at).cross(q - at));
                if before.dot(after) < 0.4 * before.length() * after.length() {
                    return false;
                }
            }
        }
        if !s.may_collapse(h) {
            return false;
        }
        // A middle far off the skin means that a tip or a web is about to be cut off.
        let length = self.scale * grain;
        if self.shape.sample(at).value.abs() > 0.2 * (longest - 0.33) * length {
            return false;
        }
        let (at, _) = self.shape.project(at, 0.5 * length);
        self.surface.collapse(h, at);
        true
    }

    /// Evens out valences.
    fn flip(&mut self) {
        for h in 0..self.surface.halves() {
            let s = &self.surface;
            if !s.is_edge(h) {
                continue;
            }
            let corners = s.diamond(h);
            let [va, vb, vc, vd] = corners.map(|v| s.valence[v as usize] as i32 - 6);
            let before = va * va + vb * vb + vc * vc + vd * vd;
            let after = (va - 1).pow(2) + (vb - 1).pow(2) + (vc + 1).pow(2) + (vd + 1).pow(2);
            if after >= before || !s.may_flip(h) {
                continue;
            }
            let [a, b, c, d] = corners.map(|v| s.points[v as usize]);
            let whole = (b - a).cross(c - a) + (a - b).cross(d - b);
            let (one, two) = ((d - c).cross(b - c), (c - d).cross(a - d));
            let flat = |n: DVec3| n.dot(whole) > 0.5 * n.length() * whole.length();
            if flat(one) && flat(two) && c.distance(d) < 1.6 * a.distance(b) {
                self.surface.flip(h);
            }
        }
    }

    /// Splits the longest or collapses the shortest edges until the count is right.
    fn exactly(&mut self, vertices: usize) {
        for attempt in 0..60 {
            let missing = vertices as i64 - self.surface.len() as i64;
            if missing == 0 {
                return;
            }
            let halves = (0..self.surface.halves()).filter(|&h| self.surface.is_edge(h));
            let mut edges: Vec<(f64, u32)> = halves.map(|h| (self.excess(h), h)).collect();
            let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if missing > 0 {
                let kept = edges.len().saturating_sub(missing as usize);
                let longest = sorted_part(&mut edges, kept, order).1;
                longest.sort_unstable_by(order);
                for &(_, h) in longest.iter().rev() {
                    self.surface.split(h);
                }
                return;
            }
            let mut left = -missing;
            let longest = 1.6 + 0.2 * f64::from(attempt);
            // The worst tenth at a time: lengths change as neighbours go.
            let batch = (edges.len() / 10).max(20 * left as usize).min(edges.len());
            let shortest = sorted_part(&mut edges, batch, order).0;
            shortest.sort_unstable_by(order);
            for &(_, h) in &*shortest {
                if left == 0 {
                    return;
                }
                if self.surface.is_edge(h) && self.try_collapse(h, longest) {
                    left -= 1;
                }
            }
        }
    }

    /// Moves vertices towards the middle of their neighbours within the surface, and back onto it.
    fn relax(&mut self, rounds: usize) {
        let mut moved = vec![(DVec3::ZERO, 0.0); self.surface.points.len()];
        for _ in 0..rounds {
            let (s, shape, scale, evenness) = (&self.surface, self.shape, self.scale, self.evenness);
            for_each_block(&mut moved, BLOCK, |first, block| {
                for (v, out) in (first as u32..).zip(block) {
                    let p = s.points[v as usize];
                    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
                    for w in s.ring(v) {
                        // Longer edges pull harder: lengths even out, not only angles.
                        let q = s.points[w as usize];
                        let weight = p.distance(q) / (s.grain[w as usize] + s.grain[v as usize]);
                        sum += q * weight;
                        weights += weight;
                    }
                    let middle = if weights > 0.0 { sum / weights } else { p };
                    let normal = shape.sample(p).gradient.normalize_or(DVec3::Y);
                    let pull = middle - p;
                    let slide = pull - normal * normal.dot(pull);
                    let (q, sample) = shape.project(p + slide * 0.6, 0.5 * scale * s.grain[v as usize]);
                    *out = (q, even(sample.grain, evenness));
                }
            });
            for (v, &(p, grain)) in moved.iter().enumerate() {
                self.surface.points[v] = p;
                self.surface.grain[v] = grain;
            }
        }
    }
}

/// The first so many by an order, and the others: sorting all of millions would take longer than what is done with them.
fn sorted_part<T>(all: &mut [T], first: usize, order: impl Fn(&T, &T) -> Ordering) -> (&mut [T], &mut [T]) {
    if (1..all.len()).contains(&first) {
        all.select_nth_unstable_by(first, order);
    }
    all.split_at_mut(first)
}

fn even(grain: f64, evenness: f64) -> f64 {
    grain + (grain.sqrt() - grain) * evenness
}
