use super::body::Sight;
use crate::{
    parallel,
    rig::{Bone, Mesh, Topology},
    weights::nearest::BLOCK,
};
use glam::DVec3;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bones count as equally near within this share of the distance.
const TIE: f64 = 1e-4;
/// Nearer than this share of the diagonal is as near as can be: heat stays finite where a bone touches the skin.
const NEAREST: f64 = 1e-4;

/// How strongly bones heat, against how fast heat spreads: c of the paper, which takes 1. Measured on a capsule and a tube
/// of 8k vertices, before `Sight::slant` was known: the mean difference from Blender's weights is 0.000 and 0.007 with 4,
/// 0.007 and 0.037 with 3, 0.044 and 0.186 with 1.
const STRENGTH: f64 = 4.0;

/// The most pairs of a point and a joint that are looked at as the nearest of each other. An ordinary skin has hardly more
/// than one for each point; where thousands of joints lie on one another, there are thousands for each.
pub(super) const MOST: usize = 1 << 22;

/// A joint that heats a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    pub joint: u16,
    pub point: u32,
    /// c / d².
    pub heat: f64,
}

/// What a run of points found.
#[derive(Default)]
struct Found {
    first: u32,
    sources: Vec<Source>,
    /// Joints that are nearest to some point and hidden from it.
    hidden: Vec<u16>,
}

/// The sources of a surface, by points, and the joints that were nearest to some point but hidden from it.
pub(super) struct Sources {
    pub list: Vec<Source>,
    pub hidden: Vec<bool>,
}

/// For each of `points`, its nearest bones; with `sight` only if it sees them, which leaves some points to the heat of
/// their neighbours. None where there are more than [`MOST`].
pub(super) fn find(
    topology: &Topology,
    mesh: &Mesh,
    bones: &[Bone],
    points: &[u32],
    joints: usize,
    sight: Option<&Sight<'_>>,
) -> Option<Sources> {
    let mut blocks: Vec<Found> =
        (0..points.len().div_ceil(BLOCK)).map(|b| Found { first: (b * BLOCK) as u32, ..Found::default() }).collect();
    // Which block is the one to pass the limit is chance; whether one does is not.
    let count = AtomicUsize::new(0);
    parallel::for_each_block(&mut blocks, 1, |_, block| {
        let mut near = Vec::with_capacity(bones.len());
        for found in block {
            let first = found.first as usize;
            for &point in &points[first..points.len().min(first + BLOCK)] {
                let place = mesh.positions[topology.weld.first_of[point as usize] as usize].as_dvec3();
                let pairs = found.add(point, place, bones, sight, &mut near);
                if count.fetch_add(pairs, Ordering::Relaxed) > MOST {
                    return;
                }
            }
            found.hidden.sort_unstable();
            found.hidden.dedup();
        }
    });
    if count.into_inner() > MOST {
        return None;
    }
    let mut hidden = vec![false; joints];
    blocks.iter().flat_map(|b| &b.hidden).for_each(|&j| hidden[usize::from(j)] = true);
    Some(Sources { list: blocks.into_iter().flat_map(|b| b.sources).collect(), hidden })
}

impl Found {
    /// Adds the nearest bones of a point, and says how many there are.
    fn add(
        &mut self,
        point: u32,
        place: DVec3,
        bones: &[Bone],
        sight: Option<&Sight<'_>>,
        near: &mut Vec<(f64, u16, DVec3)>,
    ) -> usize {
        near.clear();
        near.extend(bones.iter().map(|b| {
            let foot = b.head.lerp(b.tail, b.parameter(place));
            let slant = sight.map_or(1.0, |s| s.slant(point, foot - place));
            (foot.distance(place) * slant, b.joint as u16, foot)
        }));
        let least = near.iter().map(|n| n.0).fold(f64::INFINITY, f64::min);
        // Bones that meet in a joint share its foot: one look is enough.
        let mut looked: Option<(DVec3, bool)> = None;
        let (start, mut pairs) = (self.sources.len(), 0);
        for &(distance, joint, foot) in near.iter().filter(|n| n.0 <= least * (1.0 + TIE)) {
            let seen = match (sight, looked) {
                (None, _) => true,
                (_, Some((same, seen))) if same == foot => seen,
                (Some(sight), _) => sight.sees(point, foot),
            };
            looked = Some((foot, seen));
            pairs += 1;
            if !seen {
                self.hidden.push(joint);
            } else if self.sources[start..].last().is_none_or(|s| s.joint != joint) {
                // A joint heats once, however many of its bones meet here; they are neighbours in the list.
                let distance = distance.max(NEAREST);
                self.sources.push(Source { joint, point, heat: STRENGTH / (distance * distance) });
            }
        }
        pairs
    }
}
