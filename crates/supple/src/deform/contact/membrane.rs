//! The membrane that hidden skin becomes.

use super::{
    crossings::{Beside, Crossings, Edges},
    hidden::Flood,
};
use crate::{math::smoothstep, parallel::for_each_block};
use glam::Vec3A;

/// Points a thread takes at a time.
const BLOCK: usize = 64;
/// Least share of an edge by which its weight is divided: a point that is on the line but for rounding.
const LEAST: f32 = 1e-3;
/// Sweeps over all hidden points. They start from places that go inwards from the line point by point; what is left to do is to even
/// those out.
const SWEEPS: usize = 40;
/// Spectral radius of a sweep that the sweeps are made for: of a membrane of some fifteen edges across.
const RADIUS: f32 = 0.98;
/// Ways to the other side, over how far a point has come or how far it is from the line, up to which it goes there, and from which on
/// that is not its other side: two surfaces that span one line are no farther apart.
const OTHER: [f32; 2] = [0.5, 1.0];
/// How often ways to the other side are made even with those beside them: where a line has drawn skin together normals have no
/// direction.
const EVENED: usize = 4;

/// Memory of a frame. All are of the hidden points, in the order in which they were found.
pub struct Membrane {
    at: Vec<Vec3A>,
    /// What the line of contact pulls each to, times its weight, and that weight.
    pulls: Vec<(Vec3A, f32)>,
    /// How many edges each is from the line, and all in the order of that.
    depths: Vec<u32>,
    inwards: Vec<u32>,
    /// How far each may be from the other side.
    reaches: Vec<f32>,
    ways: Vec<Vec3A>,
    /// Of the sweep before the last.
    before: Vec<Vec3A>,
}

impl Membrane {
    pub fn over(points: usize) -> Self {
        Self {
            at: vec![Vec3A::ZERO; points],
            pulls: vec![(Vec3A::ZERO, 0.0); points],
            depths: vec![0; points],
            inwards: Vec::with_capacity(points),
            reaches: vec![0.0; points],
            ways: vec![Vec3A::ZERO; points],
            before: vec![Vec3A::ZERO; points],
        }
    }

    /// Spans the membrane.
    pub fn span(&mut self, edges: &Edges, crossings: &Crossings, flood: &Flood, posed: &[Vec3A]) {
        let hidden = flood.hidden();
        for_each_block(&mut self.pulls[..hidden.len()], BLOCK, |first, block| {
            for (&i, pull) in hidden[first..].iter().zip(block) {
                *pull = (Vec3A::ZERO, 0.0);
                for beside in edges.beside(i).iter().filter(|b| !flood.is_hidden(b.point as usize)) {
                    let [seen, own] = [beside.point, i].map(|p| posed[p as usize]);
                    // Where an edge to hidden skin goes through none, a shell is open there: what is seen holds it.
                    let into = crossings.into(beside).unwrap_or(0.0);
                    let weight = beside.weight / (1.0 - into).max(LEAST);
                    pull.0 += weight * seen.lerp(own, into);
                    pull.1 += weight;
                }
            }
        });
        self.go_inwards(edges, flood, posed);
        self.before[..hidden.len()].copy_from_slice(&self.at[..hidden.len()]);
        // Jacobi's method, sped up by Chebyshev's polynomials.
        let mut speed = 1.0;
        for sweep in 0..SWEEPS {
            speed = match sweep {
                0 => 1.0,
                1 => 1.0 / (1.0 - 0.5 * RADIUS * RADIUS),
                _ => 1.0 / (1.0 - 0.25 * RADIUS * RADIUS * speed),
            };
            let (at, pulls) = (&self.at, &self.pulls);
            for_each_block(&mut self.before[..hidden.len()], BLOCK, |first, block| {
                for (k, before) in (first..).zip(block) {
                    let to = between(pulls[k], beside(edges, flood, hidden[k]), at).unwrap_or(at[k]);
                    *before += speed * (to - *before);
                }
            });
            std::mem::swap(&mut self.at, &mut self.before);
        }
        self.measure_reaches(edges, flood, posed);
    }

    /// The first places: between those that are nearer to the line. What no line reaches stays.
    fn go_inwards(&mut self, edges: &Edges, flood: &Flood, posed: &[Vec3A]) {
        let Self { at, pulls, depths, inwards, .. } = self;
        let hidden = flood.hidden();
        inwards.clear();
        for (k, depth) in depths[..hidden.len()].iter_mut().enumerate() {
            *depth = if pulls[k].1 > 0.0 { 0 } else { u32::MAX };
            inwards.extend((*depth == 0).then_some(k as u32));
            at[k] = posed[hidden[k] as usize];
        }
        let mut next = 0;
        while let Some(&k) = inwards.get(next) {
            let (k, depth) = (k as usize, depths[k as usize]);
            next += 1;
            let nearer = beside(edges, flood, hidden[k]).filter(|(other, _)| depths[*other] < depth);
            at[k] = between(pulls[k], nearer, at).unwrap_or(at[k]);
            for (other, _) in beside(edges, flood, hidden[k]) {
                if depths[other] == u32::MAX {
                    depths[other] = depth + 1;
                    inwards.push(other as u32);
                }
            }
        }
    }

    /// How far each point has come, or is from the line of contact along the membrane, whichever is less.
    fn measure_reaches(&mut self, edges: &Edges, flood: &Flood, posed: &[Vec3A]) {
        let Self { at, pulls, depths, inwards, reaches, .. } = self;
        let hidden = flood.hidden();
        reaches[..hidden.len()].fill(0.0);
        for &k in &*inwards {
            let (k, (pull, weight)) = (k as usize, pulls[k as usize]);
            let from_line = if weight > 0.0 { at[k].distance(pull / weight) } else { f32::INFINITY };
            let nearer = beside(edges, flood, hidden[k]).filter(|(other, _)| depths[*other] < depths[k]);
            let along = nearer.map(|(other, _)| reaches[other] + at[k].distance(at[other]));
            reaches[k] = along.fold(from_line, f32::min);
        }
        for (k, &i) in hidden.iter().enumerate() {
            reaches[k] = reaches[k].min(at[k].distance(posed[i as usize]));
        }
    }

    /// Lays its two sides on each other: each point goes half the way. `across` gives the way of a point to the other side, within reach.
    pub fn lay(&mut self, edges: &Edges, flood: &Flood, across: impl Fn(u32, f32) -> Option<Vec3A> + Sync + Send) {
        let hidden = flood.hidden();
        let reaches = &self.reaches;
        for_each_block(&mut self.ways[..hidden.len()], BLOCK, |first, block| {
            for (k, to) in (first..).zip(block) {
                let way = across(hidden[k], reaches[k]).unwrap_or(Vec3A::ZERO);
                let share = 1.0 - smoothstep(OTHER, way.length() / reaches[k].max(f32::MIN_POSITIVE));
                *to = 0.5 * share * way;
            }
        });
        for _ in 0..EVENED {
            let ways = &self.ways;
            for_each_block(&mut self.before[..hidden.len()], BLOCK, |first, block| {
                for (k, to) in (first..).zip(block) {
                    // What is seen stays.
                    let sum = ways[k] + beside(edges, flood, hidden[k]).map(|(other, _)| ways[other]).sum::<Vec3A>();
                    *to = sum / (1 + edges.beside(hidden[k]).len()) as f32;
                }
            });
            std::mem::swap(&mut self.ways, &mut self.before);
        }
        self.at.iter_mut().zip(&self.ways[..hidden.len()]).for_each(|(at, way)| *at += *way);
    }

    /// Gives hidden points their places.
    pub fn give(&self, flood: &Flood, points: &mut [Vec3A]) {
        flood.hidden().iter().zip(&self.at).for_each(|(&i, at)| points[i as usize] = *at);
    }
}

/// The hidden points beside a point, by their place among those that are hidden, and the edges to them.
fn beside<'a>(edges: &'a Edges, flood: &'a Flood, point: u32) -> impl Iterator<Item = (usize, &'a Beside)> {
    edges.beside(point).iter().filter_map(|beside| Some((flood.place(beside.point)?, beside)))
}

/// The place between what a line of contact pulls to and points beside a point; none where there is neither.
fn between<'a>(
    (mut sum, mut weights): (Vec3A, f32),
    beside: impl Iterator<Item = (usize, &'a Beside)>,
    at: &[Vec3A],
) -> Option<Vec3A> {
    for (other, beside) in beside {
        sum += beside.weight * at[other];
        weights += beside.weight;
    }
    (weights > 0.0).then(|| sum / weights)
}
