//! Deeply bent, the skin on the inner side of a joint passes through the plane that parts the bones, and through itself:
//! the plane then meets a calf far below the knee. What does not fold is the skin on the outer side and on the flanks.
//! So in the wedge between the two bones the height above the plane is not that of the points: it is the harmonic
//! function that goes on from the flanks, and the cut is where that one is zero.

use super::{regions::Regions, search::Cut, surface::Surface};
use crate::solve::{Cholesky, Symmetric};
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Joints bent by less do not fold the skin.
const LEAST_BEND: f64 = 0.9;
/// How far from the joint the wedge reaches, in lengths of the curve round it: of a knee that is bent by 137 degrees,
/// the calf passes the plane as far down as half of that.
const REACH: f64 = 0.8;

/// Heights above the plane of a cut that go on smoothly through the crease, by point; none where there is no crease.
pub(crate) fn heights(surface: &Surface, regions: &Regions, cut: &Cut) -> BTreeMap<u32, f64> {
    let wedge = wedge(surface, regions, cut).unwrap_or_default();
    let points: Vec<u32> = wedge.iter().copied().collect();
    let (mut diagonal, mut known) = (vec![0.0; points.len()], vec![0.0; points.len()]);
    let mut off = Vec::new();
    let mut held = false;
    for (i, &p) in points.iter().enumerate() {
        for &q in surface.topology.ring(p) {
            if let Ok(j) = points.binary_search(&q) {
                diagonal[i] += 1.0;
                if i < j {
                    off.push(([i as u32, j as u32], -1.0));
                }
            } else if is_near(surface, cut, q) {
                diagonal[i] += 1.0;
                known[i] += cut.plane.height(surface.smooth_point(q));
                held = true;
            }
        }
        // Patches that hang on nothing known stay at zero instead of failing.
        diagonal[i] += 1e-9;
    }
    if !held {
        return BTreeMap::new();
    }
    let Ok(factor) = Cholesky::of(&Symmetric::new(&diagonal, off)) else { return BTreeMap::new() };
    factor.solve(&mut known);
    points.into_iter().zip(known).collect()
}

/// The points between the two bones that hang together with the curve.
fn wedge(surface: &Surface, regions: &Regions, cut: &Cut) -> Option<BTreeSet<u32>> {
    let from = (cut.plane.origin - regions.heads[regions.parents[cut.region]?]).try_normalize()?;
    let to = regions.directions[cut.region].try_normalize()?;
    if from.angle_between(to) < LEAST_BEND {
        return None;
    }
    let inner = (to - from).try_normalize()?;
    let sides = [from, to].map(|along| inner - along * inner.dot(along));
    let within = |p: &u32| {
        let place: DVec3 = surface.smooth_point(*p) - cut.plane.origin;
        is_near(surface, cut, *p) && sides.iter().all(|side| place.dot(*side) > 0.0)
    };
    let ends = cut.crossings.iter().flat_map(|(edge, _)| surface.topology.edges[*edge as usize]);
    let mut open: Vec<u32> = ends.filter(within).collect();
    let mut found = BTreeSet::new();
    while let Some(p) = open.pop() {
        if found.insert(p) {
            open.extend(surface.topology.ring(p).iter().filter(|q| within(q)));
        }
    }
    Some(found)
}

fn is_near(surface: &Surface, cut: &Cut, p: u32) -> bool {
    surface.smooth_point(p).distance(cut.plane.origin) <= REACH * cut.length
}
