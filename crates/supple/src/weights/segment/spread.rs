//! From cuts to an owner for every point: the cuts part the skin into pieces, and each piece belongs to the region that
//! all cuts round it agree on.

use super::{
    Note,
    regions::Regions,
    search::Cut,
    sides,
    surface::Surface,
    walk::{Claims, Walk},
};
use crate::sets::Sets;
use std::collections::{BTreeMap, BTreeSet};

/// A separate piece of which so much has the same nearest bone is taken for a rigid one.
const RIGID: f64 = 0.75;

/// Separate pieces that are told one by one; the rest are counted.
const MOST: usize = 20;

/// Region of every welded point.
pub(crate) fn owners(
    surface: &Surface,
    regions: &Regions,
    cuts: &[Option<Cut>],
    names: &dyn Fn(usize) -> String,
    notes: &mut Vec<Note>,
) -> Vec<u32> {
    let topology = &surface.topology;
    let mut barred = vec![false; topology.edges.len()];
    cuts.iter().flatten().flat_map(|c| &c.crossings).for_each(|(edge, _)| barred[*edge as usize] = true);
    let mut sets = Sets::new(surface.points.len());
    for (&[a, b], barred) in topology.edges.iter().zip(&barred) {
        if !barred {
            sets.join(a as usize, b as usize);
        }
    }
    let (piece_of, pieces) = sets.labels();
    let mut members = vec![Vec::new(); pieces];
    for (point, &piece) in piece_of.iter().enumerate() {
        members[piece].push(point);
    }
    let mut claims = vec![Claims::new(); pieces];
    for cut in cuts.iter().flatten() {
        for &(edge, _) in &cut.crossings {
            for point in topology.edges[edge as usize] {
                let below = cut.is_below(surface, point);
                *claims[piece_of[point as usize]].entry((cut.region, below)).or_default() += 1;
            }
        }
    }
    let sides = sides::sides(surface, cuts, &piece_of, &claims);

    let mut islands = Vec::new();
    let mut owner = vec![0u32; surface.points.len()];
    let (mut shared, mut loose) = (BTreeMap::<usize, (BTreeSet<usize>, usize)>::new(), Vec::new());
    for ((points, claims), sides) in members.iter().zip(&claims).zip(&sides) {
        let Some(&first) = points.first() else { continue };
        let lonely = topology.ring(first as u32).is_empty();
        if lonely {
            loose.push(first);
        }
        if claims.is_empty() {
            let given = island(surface, regions, points, &mut owner);
            if regions.len() > 1 && !lonely {
                islands.push(Note::Island {
                    vertex: topology.weld.first_of[first] as usize,
                    points: points.len(),
                    joints: given.into_iter().map(names).collect(),
                });
            }
            continue;
        }
        let walk = Walk::new(regions, cuts, claims, sides);
        for &point in points {
            owner[point] = walk.owner(surface, point as u32) as u32;
        }
        if !walk.agreed {
            let (joints, count) = shared.entry(walk.top).or_default();
            joints.extend(points.iter().map(|&p| owner[p] as usize));
            *count += points.len();
        }
    }
    let left_out = islands.split_off(MOST.min(islands.len()));
    notes.extend(islands);
    if !left_out.is_empty() {
        let size = |note: &Note| if let Note::Island { points, .. } = note { *points } else { 0 };
        notes.push(Note::MoreIslands { pieces: left_out.len(), points: left_out.iter().map(size).sum() });
    }
    for (top, (joints, points)) in shared {
        let joints = joints.into_iter().map(names).collect();
        notes.push(Note::Shared { top: names(top), joints, points });
    }
    if let Some(&first) = loose.first() {
        notes.push(Note::LooseVertices { count: loose.len(), vertex: topology.weld.first_of[first] as usize });
    }
    owner
}

/// Gives a piece without a cut to its nearest bones, and says to which.
fn island(surface: &Surface, regions: &Regions, points: &[usize], owner: &mut [u32]) -> Vec<usize> {
    let among: Vec<usize> = (0..regions.len()).collect();
    let mut counts = BTreeMap::<usize, usize>::new();
    for &point in points {
        let region = regions.nearest(&among, surface.points[point]);
        owner[point] = region as u32;
        *counts.entry(region).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(region, count)| (**count, usize::MAX - **region));
    match most {
        Some((&region, &count)) if count as f64 >= RIGID * points.len() as f64 => {
            points.iter().for_each(|&p| owner[p] = region as u32);
            vec![region]
        }
        _ => counts.into_keys().collect(),
    }
}
