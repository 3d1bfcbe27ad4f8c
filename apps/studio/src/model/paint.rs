//! A brush on weights. What it does to a row is the same for every vertex: the joint's share changes, the other joints
//! keep their proportions among what is left.

use super::Rows;
use std::collections::{BTreeMap, BTreeSet};
use supple::rig::{Rig, Topology, Weights};

/// What the brush does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrushMode {
    /// Gives skin to the joint.
    #[default]
    Add,
    /// Takes it away.
    Take,
    /// Evens its share out with the neighbours'.
    Smooth,
}

/// A brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// In units of the rig.
    pub radius: f32,
    /// Share of the way that one dab goes, from 0 to 1.
    pub strength: f32,
    /// What it does.
    pub mode: BrushMode,
}

impl Brush {
    /// How much of its strength reaches so far from its middle: level there and at its rim.
    pub fn reaches(&self, distance: f32) -> f32 {
        let x = (distance / self.radius.max(f32::MIN_POSITIVE)).min(1.0);
        (1.0 - x * x).powi(2) * self.strength.clamp(0.0, 1.0)
    }
}

/// Where the brush is, and what of the skin it can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    /// The triangle that its middle is on.
    pub triangle: usize,
    /// How far the corners of that are from its middle.
    pub corners: [f32; 3],
    /// Vertices within its radius, in their order, and how far they are from its middle.
    pub near: &'a [(u32, f32)],
}

/// The rows that one dab changes, for the joint: vertex, then joint and weight. The brush flows along the skin from the
/// triangle it is on, so that it does not reach the other side of a limb or the next finger. One that is smaller than the
/// triangle paints its nearest corner.
pub fn dab(rig: &Rig, topology: &Topology, at: &Reach<'_>, joint: usize, brush: &Brush) -> Rows {
    let mut rows = Rows::new();
    let (Some(weights), Some(start)) = (&rig.weights, rig.mesh.triangles.get(at.triangle)) else { return rows };
    if rig.mesh.positions.len() != weights.len() || joint >= rig.skeleton.len() {
        return rows;
    }
    let weld = &topology.weld;
    let distance = |welded: u32| {
        let first = weld.first_of[welded as usize];
        let near = at.near.binary_search_by_key(&first, |near| near.0).ok().map(|i| at.near[i].1);
        // The first corners let the brush flow on even where it is smaller than a triangle.
        let corner = || (0..3).find(|&i| weld.welded_of[start[i] as usize] == welded).map(|i| at.corners[i]);
        near.or_else(corner)
    };
    let share = |welded: u32| share_of(weights, weld.first_of[welded as usize] as usize, joint);
    let mut reached: BTreeSet<u32> = start.iter().map(|&v| weld.welded_of[v as usize]).collect();
    let mut open: Vec<u32> = reached.iter().copied().collect();
    let mut changed: BTreeMap<u32, f32> = BTreeMap::new();
    let far = |welded: u32| distance(welded).unwrap_or(f32::INFINITY);
    let nearest = open.iter().copied().min_by(|&a, &b| far(a).total_cmp(&far(b)));
    let too_small = nearest.filter(|&n| far(n) >= brush.radius);
    while let Some(welded) = open.pop() {
        let Some(distance) = distance(welded) else { continue };
        let distance = if too_small == Some(welded) { 0.0 } else { distance };
        let (reach, now) = (brush.reaches(distance), share(welded));
        let wanted = match brush.mode {
            BrushMode::Add => now + (1.0 - now) * reach,
            BrushMode::Take => now - now * reach,
            BrushMode::Smooth => {
                let ring = topology.ring(welded);
                let mean = ring.iter().map(|&r| share(r)).sum::<f32>() / ring.len().max(1) as f32;
                if ring.is_empty() { now } else { now + (mean - now) * reach }
            }
        };
        if (wanted - now).abs() > 1e-6 {
            changed.insert(welded, wanted.clamp(0.0, 1.0));
        }
        open.extend(topology.ring(welded).iter().filter(|&&next| reached.insert(next)));
    }
    if changed.is_empty() {
        return rows;
    }
    // Every copy of a welded point, so that seams stay closed.
    for vertex in 0..weights.len() {
        if let Some(&wanted) = changed.get(&weld.welded_of[vertex])
            && let Some(row) = row(rig, weights, vertex, joint, wanted)
        {
            rows.insert(vertex as u32, row);
        }
    }
    rows
}

fn share_of(weights: &Weights, vertex: usize, joint: usize) -> f32 {
    let (joints, values) = weights.row(vertex);
    joints.iter().zip(values).find(|(j, _)| usize::from(**j) == joint).map_or(0.0, |(_, w)| *w)
}

/// A row in which the joint has another share. What it gives up where it had everything goes to its parent, or to its
/// first child where it has none; none where there is nobody to take it.
fn row(rig: &Rig, weights: &Weights, vertex: usize, joint: usize, wanted: f32) -> Option<Vec<(String, f32)>> {
    let skeleton = &rig.skeleton;
    let (joints, values) = weights.row(vertex);
    let others = || joints.iter().zip(values).filter(|(j, _)| usize::from(**j) != joint);
    let rest: f32 = others().map(|(_, w)| w).sum();
    let name = |j: usize| skeleton.joints()[j].name.clone();
    let mut row = Vec::with_capacity(joints.len() + 1);
    if wanted > 0.0 {
        row.push((name(joint), wanted));
    }
    if rest > 1e-6 {
        let scale = (1.0 - wanted) / rest;
        row.extend(others().map(|(&j, &w)| (name(usize::from(j)), w * scale)).filter(|(_, w)| *w > 1e-5));
    } else if wanted < 1.0 {
        let heir = skeleton.joints()[joint].parent.or_else(|| skeleton.children(joint).next())?;
        row.push((name(heir), 1.0 - wanted));
    }
    let sum: f32 = row.iter().map(|(_, w)| w).sum();
    row.iter_mut().for_each(|(_, w)| *w /= sum);
    (sum > 0.0).then_some(row)
}
