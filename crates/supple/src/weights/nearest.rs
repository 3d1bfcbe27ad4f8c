//! Weights by distance alone: a vertex belongs to its nearest bone, and is shared where another is about as near.
//!
//! w_j = d_j⁻⁴ / Σ d⁻⁴, with d_j the distance from the vertex to the nearest bone of joint j, through walls if need be.
//! It needs no surface and never fails; but a hand beside a hip belongs to the hip as well.

use super::limit::push_limited;
use crate::{
    parallel,
    rig::{Bone, Mesh, Skeleton, Weights, WeightsBuilder},
};
use glam::DVec3;
use thiserror::Error;

/// Vertices handed out to a thread at a time.
pub(super) const BLOCK: usize = 1024;

/// The most pairs of a vertex and a bone that are compared: a million vertices with two thousand bones, some ten seconds.
pub(super) const MOST_PAIRS: usize = 1 << 31;

/// How nearest weights are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestOptions {
    /// At most so many joints for a vertex.
    pub influences: usize,
}

impl Default for NearestOptions {
    fn default() -> Self {
        Self { influences: 4 }
    }
}

/// Why there are no nearest weights.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NearestError {
    /// Nobody to own the vertices.
    #[error("the skeleton has no bones: {joints} joints, none of them a bone")]
    NoBones {
        /// Joints that are frames.
        joints: usize,
    },
    /// A vertex must belong to somebody.
    #[error("0 influences asked for; a vertex needs at least 1")]
    NoInfluences,
    /// Every vertex is compared with every bone.
    #[error("{vertices} vertices and {bones} bones are too many: at most {MOST_PAIRS} pairs of them are compared")]
    TooLarge {
        /// Vertices of the mesh.
        vertices: usize,
        /// Bones of the skeleton.
        bones: usize,
    },
}

/// The weights, and how many vertices have no place (positions that are not finite) and got the first bone.
pub fn nearest(mesh: &Mesh, skeleton: &Skeleton, options: &NearestOptions) -> Result<(Weights, usize), NearestError> {
    if options.influences == 0 {
        return Err(NearestError::NoInfluences);
    }
    let (bones, _) = skeleton.bones(&mesh.positions, None);
    let Some(first) = bones.first() else { return Err(NearestError::NoBones { joints: skeleton.len() }) };
    if mesh.positions.len().saturating_mul(bones.len()) > MOST_PAIRS {
        return Err(NearestError::TooLarge { vertices: mesh.positions.len(), bones: bones.len() });
    }
    let mut rows = vec![Vec::new(); mesh.positions.len()];
    parallel::for_each_block(&mut rows, BLOCK, |start, block| {
        for (row, p) in block.iter_mut().zip(&mesh.positions[start..]) {
            *row = shares(&bones, p.as_dvec3());
            // The cut looks one share farther than it keeps; rows of thousands of bones would not fit side by side.
            row.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            row.truncate(options.influences.saturating_add(1));
            row.shrink_to_fit();
        }
    });
    let mut table = WeightsBuilder::with_capacity(rows.len(), options.influences);
    let mut homeless = 0;
    for row in &mut rows {
        if !push_limited(row, options.influences, &mut table) {
            table.push([(first.joint as u16, 1.0)]);
            homeless += 1;
        }
    }
    Ok((table.finish(|_| first.joint as u16).0, homeless))
}

/// Each joint's share of a point by inverse distance, those that come to nothing left out; empty only where the point is nowhere.
pub(super) fn shares(bones: &[Bone], p: DVec3) -> Vec<(u16, f64)> {
    if !p.is_finite() {
        return Vec::new();
    }
    let distances: Vec<f64> = bones.iter().map(|b| b.distance(p)).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    // The bones of a joint are neighbours in the list.
    let mut row: Vec<(u16, f64)> = Vec::new();
    for (bone, distance) in bones.iter().zip(distances) {
        let share = if distance <= least { 1.0 } else { (least / distance).powi(4) };
        match row.last_mut() {
            Some((joint, most)) if usize::from(*joint) == bone.joint => *most = most.max(share),
            _ => row.push((bone.joint as u16, share)),
        }
    }
    let sum: f64 = row.iter().map(|(_, share)| share).sum();
    row.retain_mut(|(_, share)| {
        // Among thousands of bones about as near even the nearest has less.
        let is_nearest = *share == 1.0;
        *share /= sum;
        is_nearest || *share > 1e-3
    });
    row
}
