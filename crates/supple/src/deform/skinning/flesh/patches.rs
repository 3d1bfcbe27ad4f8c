//! Patches: small pieces of skin over which quantities are gathered, spread, and given back. What is spread over a radius of a limb
//! costs the same on a coarse and on a dense mesh, and nothing is solved.

use super::rows::Rows;
use crate::{parallel::for_each_block, rig::Topology};
use glam::DVec3;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Every point lies within this many radii of the middle of a patch, along the edges: a third of the shortest distance over which
/// anything is spread.
const SIZE: f64 = 0.35;
/// Where the share of a patch ends, in radii from its middle: neighbours overlap, so that what is given back is smooth.
const END: f64 = 2.0 * SIZE;
/// How far gathering and giving back spread a quantity by themselves: its variance in square radii along each axis, twice that of
/// (1 - (d/END)²)² in the plane, which is END²/8.
const OWN_VARIANCE: f64 = END * END / 4.0;
/// Deviations after which a kernel ends.
const DEVIATIONS: f64 = 3.0;

/// The patches of a surface.
pub(super) struct Patches {
    /// How much of each patch a point takes.
    pub of_point: Rows,
    /// How much of each point a patch takes.
    pub of_patch: Rows,
    middles: Vec<u32>,
    masses: Vec<f64>,
    /// Ways between patches that lie side by side, in radii.
    beside: Vec<Vec<(u32, f64)>>,
}

impl Patches {
    /// Over a surface at rest, whose points have an area and the radius of their limb.
    pub fn of(topology: &Topology, rest: &[DVec3], areas: &[f64], radii: &[f64]) -> Self {
        let points = topology.points();
        let long = |a: u32, b: u32| {
            let [i, j] = [a as usize, b as usize];
            2.0 * rest[i].distance(rest[j]) / (radii[i] + radii[j])
        };
        let ring = |a: u32| topology.ring(a).iter().map(move |&b| (b, long(a, b)));
        let (mut covered, mut middles) = (vec![false; points], Vec::new());
        let mut shares: Vec<Vec<(u32, f64)>> = vec![Vec::new(); points];
        let mut nearest = vec![(f64::INFINITY, 0u32); points];
        let mut ways = Ways::over(points);
        for point in 0..points as u32 {
            if covered[point as usize] {
                continue;
            }
            let patch = middles.len() as u32;
            middles.push(point);
            ways.from(point, END, ring, |at, way| {
                covered[at as usize] |= way <= SIZE;
                let share = (1.0 - (way / END).powi(2)).powi(2);
                shares[at as usize].push((patch, share));
                let near = &mut nearest[at as usize];
                *near = if way < near.0 { (way, patch) } else { *near };
            });
        }
        let of_point = Rows::of(&shares);
        let (mut taken, mut masses) = (vec![Vec::new(); middles.len()], vec![0.0; middles.len()]);
        for (point, area) in areas.iter().enumerate() {
            for &(patch, share) in of_point.row(point) {
                let mass = f64::from(share) * area;
                taken[patch as usize].push((point as u32, mass));
                masses[patch as usize] += mass;
            }
        }
        let mut beside = vec![Vec::new(); middles.len()];
        let patch_of = |point: u32| nearest[point as usize].1;
        for &[a, b] in &topology.edges {
            let [p, q] = [a, b].map(patch_of);
            if p != q {
                let way = long(middles[p as usize], middles[q as usize]);
                beside[p as usize].push((q, way));
                beside[q as usize].push((p, way));
            }
        }
        for list in &mut beside {
            list.sort_by_key(|(patch, _)| *patch);
            list.dedup_by_key(|(patch, _)| *patch);
        }
        Self { of_point, of_patch: Rows::of(&taken), middles, masses, beside }
    }

    /// Number of patches.
    pub fn len(&self) -> usize {
        self.middles.len()
    }

    /// How patches spread what they have so that it ends up spread by this deviation, in radii: by areas and a bell over the ways
    /// between their middles.
    pub fn kernel(&self, deviation: f64) -> Rows {
        let variance = (deviation * deviation - OWN_VARIANCE).max(OWN_VARIANCE);
        let end = DEVIATIONS * variance.sqrt();
        let mut lists = vec![Vec::new(); self.len()];
        for_each_block(&mut lists, 64, |first, block| {
            let mut ways = Ways::over(self.len());
            for (patch, list) in (first as u32..).zip(block) {
                ways.from(
                    patch,
                    end,
                    |p| self.beside[p as usize].iter().copied(),
                    |other, way| {
                        let bell = (-way * way / (2.0 * variance)).exp() * (1.0 - (way / end).powi(2));
                        list.push((other, bell * self.masses[other as usize]));
                    },
                );
            }
        });
        Rows::of(&lists)
    }
}

/// Shortest ways along a graph.
struct Ways {
    /// Of things reached in this round.
    best: Vec<f64>,
    reached: Vec<u32>,
    waiting: BinaryHeap<Reverse<(Way, u32)>>,
}

/// A length without NaN, in order.
#[derive(Clone, Copy, PartialEq)]
struct Way(f64);

impl Eq for Way {}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Way {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Ways {
    fn over(things: usize) -> Self {
        Self { best: vec![f64::INFINITY; things], reached: Vec::new(), waiting: BinaryHeap::new() }
    }

    /// Calls `found` for everything nearer than `end`, nearest first.
    fn from<I: Iterator<Item = (u32, f64)>>(
        &mut self,
        start: u32,
        end: f64,
        beside: impl Fn(u32) -> I,
        mut found: impl FnMut(u32, f64),
    ) {
        self.best[start as usize] = 0.0;
        self.reached.push(start);
        self.waiting.push(Reverse((Way(0.0), start)));
        while let Some(Reverse((Way(way), at))) = self.waiting.pop() {
            if way > self.best[at as usize] {
                continue;
            }
            found(at, way);
            for (next, long) in beside(at) {
                let (way, best) = (way + long, &mut self.best[next as usize]);
                if way < end && way < *best {
                    if best.is_infinite() {
                        self.reached.push(next);
                    }
                    *best = way;
                    self.waiting.push(Reverse((Way(way), next)));
                }
            }
        }
        self.reached.drain(..).for_each(|i| self.best[i as usize] = f64::INFINITY);
    }
}
