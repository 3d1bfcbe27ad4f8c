//! Flexible weights grow the region of each bone over its borders by a width that one number K sets, and blend where
//! regions overlap: a small K makes joints of wood, a large one of rubber.
//!
//! Paper: F. Hétroy, C. Gérot, L. Lu, B. Thibert, *Simple flexible skinning based on manifold modeling*, GRAPP 2009.
//!
//! width = K L / π;   x_j = clamp(d_j / (2 width));   ω_j = s(x_j) / Σ_i s(x_i);   s(x) = 3 x² - 2 x³
//!
//! | symbol | here |
//! |---|---|
//! | R_j, B_{j,k}, L_{j,k} | [`Segmentation`], [`Boundary`](crate::weights::segment::Boundary) and its `length` |
//! | K | [`Options::k`], [`Options::per_joint_k`] |
//! | R'_j | where `depths` finds region j |
//! | d_j | distance to the border of R'_j: width plus distance to B inside R_j, width less distance outside |
//! | s | [`Ramp`] |
//! | δ_j | [`WidthRule::Region`]; ours divides by twice the width, see there |
//!
//! It fails where the segmentation does. Where three overlaps meet, weights are continuous but have a kink. Overlaps wider
//! than a bone reach over the next joint, which is what rubber does and bone does not. Euclidean distances jump over gaps:
//! a hand at rest on a thigh takes part of it along.

mod blend;
mod euclidean;
mod geodesic;
mod harmonic;

use crate::{
    parallel,
    rig::{Rig, Weights},
    solve::Laplacian,
    weights::segment::{self, Segmentation, Surface},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, sync::Arc};
use thiserror::Error;

/// What is measured from the borders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distance {
    /// Straight through the air: fastest, and wrong across gaps.
    Euclidean,
    /// Along the skin.
    #[default]
    Geodesic,
    /// Along the skin, and smoother than the skin.
    Harmonic,
}

/// How a weight falls across an overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ramp {
    /// Level at both ends: no crease where an overlap begins.
    #[default]
    Cubic,
    /// A straight line, which shows where the overlap begins.
    Linear,
}

/// What depths are divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WidthRule {
    /// By the width of the overlap: the border stays at one half, and the ramp is the ramp.
    #[default]
    Overlap,
    /// By the largest depth in the region, as the paper has it (δ_j). Bones of unequal length then shift the blend towards
    /// the longer: regions of length 1 and 4 with an overlap of 0.4 meet at 0.92 and 0.08.
    Region,
}

/// How flexible weights are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Width of the overlaps, in diameters of a round limb: 0.1 is nearly rigid, 0.5 natural, 2 rubber.
    pub k: f64,
    /// A K of their own for some joints, by number. Between siblings the mean of both counts.
    pub per_joint_k: BTreeMap<usize, f64>,
    /// What is measured.
    pub distance: Distance,
    /// How weights fall.
    pub ramp: Ramp,
    /// What depths are divided by.
    pub width_rule: WidthRule,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            k: 0.5,
            per_joint_k: BTreeMap::new(),
            distance: Distance::default(),
            ramp: Ramp::default(),
            width_rule: WidthRule::default(),
        }
    }
}

/// The most distances that are kept, in a quarter of a gigabyte: half a million points with a hundred borders.
const MOST_DISTANCES: usize = 1 << 26;

/// Borders that are measured at a time, in double precision.
const TOGETHER: usize = 16;

/// Why there are no weights.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Error {
    /// The skin cannot be cut into regions.
    #[error(transparent)]
    Segment(#[from] segment::Error),
    /// Overlaps cannot be narrower than nothing.
    #[error("K is {k}: it must be a number from 0 on")]
    K {
        /// The K.
        k: f64,
    },
    /// Every point has a distance from every border.
    #[error("{points} points and {borders} borders between bones are too many to keep a distance for each")]
    TooLarge {
        /// Points of the skin.
        points: usize,
        /// Where regions meet.
        borders: usize,
    },
    /// A K for a joint that is not there.
    #[error("K is given for joint {joint}, but there are {count}")]
    NoSuchJoint {
        /// The joint.
        joint: usize,
        /// How many there are.
        count: usize,
    },
}

/// What had to be guessed on the way to weights, one line each.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// About the regions.
    Segment(segment::Note),
    /// The harmonic system of a border has no solution: its geodesic distances are used.
    NotHarmonic {
        /// Joint of the region above.
        parent: String,
        /// Joint of the region below.
        child: String,
        /// Why.
        why: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Segment(note) => note.fmt(f),
            Self::NotHarmonic { parent, child, why } => write!(
                f,
                "no harmonic distance from the border of \"{parent}\" and \"{child}\" ({why}): geodesic instead"
            ),
        }
    }
}

/// Flexible weights of a rig at rest, and what had to be guessed.
///
/// ```
/// use supple::{example, weights::flexible::{self, Options}};
///
/// let mut rig = example::arm(&example::ArmOptions { vertices: 800, ..Default::default() })?;
/// let (weights, notes) = flexible::weights(&rig, &Options { k: 1.0, ..Default::default() })?;
/// assert!(notes.is_empty());
/// rig.weights = Some(weights);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn weights(rig: &Rig, options: &Options) -> Result<(Weights, Vec<Note>), Error> {
    let distances = FlexibleDistances::of(rig, options.distance)?;
    Ok((distances.weights(options)?, distances.notes))
}

/// The slow part, known once for a rig: its regions, and the distance of every point from every border. From here weights
/// for any K are a matter of milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleDistances {
    /// The regions.
    pub segmentation: Segmentation,
    /// What had to be guessed.
    pub notes: Vec<Note>,
    distance: Distance,
    joint_count: usize,
    /// Joint of each region that owns points.
    joints: Vec<u16>,
    /// Region of each welded point.
    region_of: Vec<u32>,
    welded_of: Vec<u32>,
    /// The two regions of each border.
    pairs: Vec<[usize; 2]>,
    /// For each region and border, into which of the two regions the border leads.
    ways: Vec<[bool; 2]>,
    /// For each point and border.
    distances: Vec<f32>,
}

impl FlexibleDistances {
    /// Cuts the skin and measures it.
    pub fn of(rig: &Rig, distance: Distance) -> Result<Self, Error> {
        segment::check(rig)?;
        let surface = Surface::of(rig);
        let segmentation = Segmentation::on(&surface, rig);
        let (points, borders) = (surface.points.len(), segmentation.boundaries.len());
        if points.saturating_mul(borders) > MOST_DISTANCES {
            return Err(Error::TooLarge { points, borders });
        }
        let mut notes: Vec<Note> = segmentation.notes.iter().cloned().map(Note::Segment).collect();
        let distances = measured(rig, &surface, &segmentation, distance, &mut notes);

        let mut joints: Vec<u16> = segmentation.vertices.clone();
        joints.sort_unstable();
        joints.dedup();
        let region = |joint: u16| joints.binary_search(&joint).unwrap_or_default();
        let first_of = &surface.topology.weld.first_of;
        // What closes a hole is no vertex of the rig, and asked by nobody.
        let joint_of = |v: &u32| segmentation.vertices.get(*v as usize).copied().unwrap_or_default();
        let region_of: Vec<u32> = first_of.iter().map(|v| region(joint_of(v)) as u32).collect();
        let boundaries = &segmentation.boundaries;
        let pairs: Vec<[usize; 2]> =
            boundaries.iter().map(|b| [region(b.parent as u16), region(b.child as u16)]).collect();
        let ways = blend::crossings(joints.len(), &pairs);
        let mut welded_of = surface.topology.weld.welded_of.clone();
        welded_of.truncate(rig.mesh.positions.len());
        let joint_count = rig.skeleton.len();
        Ok(Self { segmentation, notes, distance, joint_count, joints, region_of, welded_of, pairs, ways, distances })
    }

    /// What is measured.
    pub fn distance(&self) -> Distance {
        self.distance
    }

    /// Distance of a vertex from a border of the segmentation; infinite where the skin does not lead there.
    pub fn from_boundary(&self, boundary: usize, vertex: usize) -> f64 {
        f64::from(self.distances[self.welded_of[vertex] as usize * self.pairs.len() + boundary])
    }

    /// Weights for a choice of K and ramp. The distance is the one measured here, whatever the options say.
    pub fn weights(&self, options: &Options) -> Result<Weights, Error> {
        let bad = |k: &f64| !(k.is_finite() && *k >= 0.0);
        if let Some(&k) = std::iter::once(&options.k).chain(options.per_joint_k.values()).find(|k| bad(k)) {
            return Err(Error::K { k });
        }
        if let Some(&joint) = options.per_joint_k.keys().find(|&&j| j >= self.joint_count) {
            return Err(Error::NoSuchJoint { joint, count: self.joint_count });
        }
        Ok(self.blended(options))
    }
}

/// The distances of each point, from border to border.
fn measured(rig: &Rig, surface: &Surface, parts: &Segmentation, distance: Distance, notes: &mut Vec<Note>) -> Vec<f32> {
    let fans = geodesic::Fans::of(surface);
    let rest = rig.surface();
    // What was mended for the cuts is another surface.
    let mended = !Arc::ptr_eq(rest.topology(), &surface.topology);
    let mended = mended.then(|| Laplacian::delaunay(&surface.topology, &surface.vertices));
    let laplacian = (distance == Distance::Harmonic).then(|| mended.as_ref().unwrap_or_else(|| rest.laplacian()));
    let count = parts.boundaries.len();
    let name = |joint: usize| rig.skeleton.joints()[joint].name.clone();
    let mut distances = vec![0.0; surface.points.len() * count];
    for first in (0..count).step_by(TOGETHER) {
        let boundaries = &parts.boundaries[first..count.min(first + TOGETHER)];
        let mut columns: Vec<(Vec<f64>, Option<String>)> = vec![(Vec::new(), None); boundaries.len()];
        parallel::for_each_block(&mut columns, 1, |b, out| {
            let boundary = &boundaries[b];
            let along = || geodesic::distances(surface, &fans, boundary);
            out[0] = match (distance, laplacian) {
                (Distance::Euclidean, _) => (euclidean::distances(surface, boundary), None),
                (Distance::Harmonic, Some(laplacian)) => {
                    match harmonic::distances(surface, &fans, laplacian, boundary) {
                        Ok(found) => (found, None),
                        Err(why) => (along(), Some(why.to_string())),
                    }
                }
                _ => (along(), None),
            };
        });
        for (b, (boundary, (column, why))) in (first..).zip(boundaries.iter().zip(columns)) {
            column.iter().enumerate().for_each(|(p, &d)| distances[p * count + b] = d as f32);
            if let Some(why) = why {
                notes.push(Note::NotHarmonic { parent: name(boundary.parent), child: name(boundary.child), why });
            }
        }
    }
    distances
}
