//! From distances and K to weights.

use super::{FlexibleDistances, Options, Ramp, WidthRule};
use crate::{
    parallel,
    rig::{Weights, WeightsBuilder},
};
use std::{collections::VecDeque, f64::consts::PI};

/// Points that one thread takes at a time.
const BLOCK: usize = 1024;

/// Which regions a border can be crossed into, seen from each region: the one behind it, or both where neither is nearer.
pub(super) fn crossings(regions: usize, pairs: &[[usize; 2]]) -> Vec<[bool; 2]> {
    let mut ways = vec![[false; 2]; regions * pairs.len()];
    let mut beside = vec![Vec::new(); regions];
    for (b, &[x, y]) in pairs.iter().enumerate() {
        beside[x].push((b, y));
        beside[y].push((b, x));
    }
    for (b, &[first, second]) in pairs.iter().enumerate() {
        let hops = |from: usize| {
            let mut hops = vec![usize::MAX; regions];
            let mut queue = VecDeque::from([from]);
            hops[from] = 0;
            while let Some(at) = queue.pop_front() {
                for &(_, next) in beside[at].iter().filter(|(border, _)| *border != b) {
                    if hops[next] == usize::MAX {
                        hops[next] = hops[at] + 1;
                        queue.push_back(next);
                    }
                }
            }
            hops
        };
        let (to_first, to_second) = (hops(first), hops(second));
        for r in 0..regions {
            ways[r * pairs.len() + b] = [to_second[r] <= to_first[r], to_first[r] <= to_second[r]];
        }
    }
    ways
}

impl FlexibleDistances {
    /// How deep a point lies in each extended region R'_j: the distance to its border over `scale`, which is the width of
    /// the overlap (`relative`) or one length for all.
    fn depths(&self, point: usize, widths: &[f64], relative: bool, row: &mut Vec<(usize, f64)>) {
        let own = self.region_of[point] as usize;
        row.clear();
        row.push((own, f64::INFINITY));
        let count = self.pairs.len();
        let distances = &self.distances[point * count..][..count];
        for (b, &distance) in distances.iter().enumerate() {
            let (width, pair, distance) = (widths[b], self.pairs[b], f64::from(distance));
            if pair.contains(&own) {
                let deep = if !relative {
                    width + distance
                } else if width > 0.0 {
                    (width + distance) / (2.0 * width)
                } else {
                    1.0
                };
                row[0].1 = row[0].1.min(deep);
            }
            if distance >= width {
                continue;
            }
            let ways = self.ways[own * count + b];
            for (region, open) in pair.into_iter().zip(ways) {
                if region == own || !open {
                    continue;
                }
                let deep = if relative { (width - distance) / (2.0 * width) } else { width - distance };
                match row[1..].iter_mut().find(|(r, _)| *r == region) {
                    Some((_, known)) => *known = known.max(deep),
                    None => row.push((region, deep)),
                }
            }
        }
    }

    pub(super) fn blended(&self, options: &Options) -> Weights {
        let joint_k = |region: usize| options.per_joint_k.get(&usize::from(self.joints[region])).copied();
        let k = |&[a, b]: &[usize; 2], hangs: bool| {
            let (a, b) = (joint_k(a).unwrap_or(options.k), joint_k(b).unwrap_or(options.k));
            if hangs { b } else { 0.5 * (a + b) }
        };
        let boundaries = &self.segmentation.boundaries;
        let widths: Vec<f64> = self.pairs.iter().zip(boundaries).map(|(p, b)| k(p, b.hangs) * b.length / PI).collect();
        let relative = options.width_rule == WidthRule::Overlap;
        let deepest = if relative { Vec::new() } else { self.deepest(&widths) };
        let mut rows: Vec<Vec<(u16, f32)>> = vec![Vec::new(); self.region_of.len()];
        parallel::for_each_block(&mut rows, BLOCK, |first, block| {
            let mut depths = Vec::new();
            for (i, out) in block.iter_mut().enumerate() {
                self.depths(first + i, &widths, relative, &mut depths);
                let ramp = |&(region, depth): &(usize, f64)| {
                    let full = if relative { 1.0 } else { deepest[region] };
                    options.ramp.of(if full > 0.0 && depth < full { depth / full } else { 1.0 })
                };
                let sum: f64 = depths.iter().map(ramp).sum();
                let share = |d: &(usize, f64)| (self.joints[d.0], (ramp(d) / sum) as f32);
                // A region of no depth at all still owns itself.
                *out =
                    if sum > 0.0 { depths.iter().map(share).collect() } else { vec![(self.joints[depths[0].0], 1.0)] };
            }
        });
        let mut builder = WeightsBuilder::with_capacity(self.welded_of.len(), 2);
        for &point in &self.welded_of {
            builder.push(rows[point as usize].iter().copied());
        }
        builder.finish(|v| self.joints[self.region_of[self.welded_of[v] as usize] as usize]).0
    }

    /// δ_j: how deep the deepest point of each extended region lies.
    fn deepest(&self, widths: &[f64]) -> Vec<f64> {
        let (mut deepest, mut row) = (vec![0.0_f64; self.joints.len()], Vec::new());
        for point in 0..self.region_of.len() {
            self.depths(point, widths, false, &mut row);
            for &(region, depth) in row.iter().filter(|(_, depth)| depth.is_finite()) {
                deepest[region] = deepest[region].max(depth);
            }
        }
        deepest
    }
}

impl Ramp {
    /// From 0..=1 to 0..=1.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Self::Cubic => x * x * (3.0 - 2.0 * x),
            Self::Linear => x,
        }
    }
}
