//! Distances that are as smooth as the skin allows: zero on the curve, the geodesic distance far from it, and harmonic
//! in between.
//!
//! G. Aujay et al., *Harmonic skeleton for realistic character animation*, 2007, fix the farthest points. A single fixed
//! point hardly holds a harmonic function (it makes a spike round itself), so here the farthest tenth of each side is
//! fixed; and what lies beyond any overlap keeps its geodesic distance.
//!
//! Such a function hardly rises where a limb is thick: between the shoulder and thin fingers an upper arm stays near zero,
//! and would belong to the chest at any K. So its levels are kept, and each is as far as its points are by geodesics, on
//! average.

use super::geodesic::{self, Fans};
use crate::{
    solve::{Cholesky, Laplacian, SolveError, Symmetric},
    weights::segment::{Boundary, Surface},
};

/// Overlaps wider than those of this K begin to feel the ends.
const WIDEST: f64 = 4.0;
/// What counts as the far end of a side.
const FAR: f64 = 0.9;
/// Levels that are measured on a side, and the fewest points of one.
const LEVELS: usize = 64;
const LEAST: usize = 8;
/// Ties points that a degenerate triangle leaves without stiffness to their geodesic distance.
const TIE: f64 = 1e-9;

pub(super) fn distances(
    surface: &Surface,
    fans: &Fans,
    laplacian: &Laplacian,
    boundary: &Boundary,
) -> Result<Vec<f64>, SolveError> {
    let mut distance = geodesic::distances(surface, fans, boundary);
    let mut free: Vec<bool> = distance.iter().map(|d| d.is_finite()).collect();
    boundary.triangles.iter().flatten().for_each(|&c| free[c as usize] = false);
    let sides = fix_far_ends(surface, &distance, WIDEST * boundary.length / std::f64::consts::PI, &mut free);

    let mut number = vec![u32::MAX; free.len()];
    let unknowns: Vec<usize> = (0..free.len()).filter(|&p| free[p]).collect();
    for (i, &p) in (0u32..).zip(&unknowns) {
        number[p] = i;
    }
    let whole = laplacian.stiffness.diagonal();
    let typical = whole.iter().sum::<f64>() / whole.len().max(1) as f64;
    let tie = TIE * typical.max(f64::MIN_POSITIVE);
    let diagonal: Vec<f64> = unknowns.iter().map(|&p| whole[p] + tie).collect();
    let mut right: Vec<f64> = unknowns.iter().map(|&p| tie * distance[p]).collect();
    let mut off = Vec::new();
    for p in 0..free.len() {
        let (rows, values) = laplacian.stiffness.column(p);
        for (&row, &value) in rows[1..].iter().zip(&values[1..]) {
            let q = row as usize;
            match (free[p], free[q]) {
                (true, true) => off.push(([number[p], number[q]], value)),
                (true, false) => right[number[p] as usize] -= value * finite(distance[q]),
                (false, true) => right[number[q] as usize] -= value * finite(distance[p]),
                (false, false) => {}
            }
        }
    }
    Cholesky::of(&Symmetric::new(&diagonal, off))?.solve(&mut right);
    for mut side in sides {
        side.retain(|&p| free[p]);
        measure_levels(&side, |p| right[number[p] as usize].max(0.0), &mut distance);
    }
    Ok(distance)
}

/// Gives the points of one side the mean distance of those on their level.
fn measure_levels(side: &[usize], level: impl Fn(usize) -> f64, distance: &mut [f64]) {
    let mut sorted: Vec<(f64, usize)> = side.iter().map(|&p| (level(p), p)).collect();
    sorted.sort_unstable_by(|a, b| a.partial_cmp(b).expect("solutions are finite"));
    let mut knots = vec![(0.0, 0.0)];
    for near in sorted.chunks(sorted.len().div_ceil(LEVELS).max(LEAST)) {
        let mean = |of: &dyn Fn(&(f64, usize)) -> f64| near.iter().map(of).sum::<f64>() / near.len() as f64;
        let knot = (mean(&|&(level, _)| level), mean(&|&(_, p)| distance[p]));
        let last: (f64, f64) = knots[knots.len() - 1];
        if knot.0 > last.0 {
            knots.push((knot.0, knot.1.max(last.1)));
        }
    }
    for (level, p) in sorted {
        // The ends go on as the stretch beside them.
        let next = knots.partition_point(|k| k.0 < level).clamp(1, knots.len().max(2) - 1);
        let [Some(&a), Some(&b)] = [knots.get(next - 1), knots.get(next)] else { return };
        distance[p] = (a.1 + (b.1 - a.1) * (level - a.0) / (b.0 - a.0)).max(0.0);
    }
}

fn finite(d: f64) -> f64 {
    if d.is_finite() { d } else { 0.0 }
}

/// Fixes what lies beyond `reach`, and the far end of every side that ends before. Returns the sides.
fn fix_far_ends(surface: &Surface, distance: &[f64], reach: f64, free: &mut [bool]) -> Vec<Vec<usize>> {
    let mut sides = Vec::new();
    let mut seen = vec![false; free.len()];
    for seed in 0..free.len() {
        if !free[seed] || seen[seed] {
            continue;
        }
        let (mut side, mut next) = (vec![seed], 0);
        seen[seed] = true;
        while let Some(&p) = side.get(next) {
            next += 1;
            for &q in surface.topology.ring(p as u32) {
                let q = q as usize;
                if free[q] && !seen[q] {
                    seen[q] = true;
                    side.push(q);
                }
            }
        }
        let farthest = side.iter().map(|&p| distance[p]).fold(0.0, f64::max);
        let limit = reach.min(FAR * farthest);
        side.iter().filter(|&&p| distance[p] >= limit).for_each(|&p| free[p] = false);
        sides.push(side);
    }
    sides
}
