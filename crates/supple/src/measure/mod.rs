//! How good moved skin is, in figures. `docs/src/figures.md` of the book has every definition in full.
//!
//! | what is there | figures | function | many frames |
//! |---|---|---|---|
//! | a surface at rest and moved | overlap, inverted, volume drift, stretch, largest move | [`surface`] | [`SurfaceGauge`] |
//! | a rig besides | collapse, bulge, flipped, detail | [`rig`] | [`RigGauge`] |
//! | a method besides | rest error, rigid error; flicker | [`errors`]; [`flicker`] | |
//! | its start besides | withering, gape, tear; pop | | [`HarmGauge`]; [`Pop`] |
//! | a reference shape besides | distance, missing, extra, overlapping, wrong | | [`ReferenceGauge`] |
//! | a point set at rest and moved | coverage, growth, crack | [`points`] | [`PointGauge`] |
//! | a sphere-mesh besides | sunk, offset | [`over_model`] | |
//! | a method and a pose | there and back | [`there_and_back`] | |
//! | a mesh | which way its pieces face | | [`Facing`] |
//! | a rig, a graph and a pose | all that apply, by name | | [`PoseGauge`] |
//!
//! ```
//! use supple::{example, graph::DeformGraph, measure, pose::{Motion, Pose}};
//!
//! let rig = example::arm(&example::ArmOptions { vertices: 2000, plain: true, ..Default::default() })?;
//! let mut bound = DeformGraph::single("linear")?.bind(&rig)?;
//! let mut pose = Pose::rest(&rig);
//! pose.bend(&rig, "forearm", 135.0, None)?;
//! let moved = bound.evaluate(&rig.mesh.positions, &Motion::of(&rig, &pose));
//! let figures = measure::surface(&rig.mesh.positions, moved, &rig.mesh.triangles, Default::default())?;
//! assert!(figures.overlap.is_some_and(|o| o > 0.05));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod cells;
mod detail;
mod errors;
mod facing;
mod flicker;
mod flipped;
mod harm;
mod model;
pub(crate) mod neighbours;
mod percentile;
mod points;
mod posed;
mod reference;
mod rigged;
mod surface;
#[cfg(test)]
mod tests;
mod weld;
pub(crate) mod winding;

pub use errors::{ErrorFigures, errors};
pub use facing::{Facing, InsideOut, Side};
pub use flicker::{FlickerError, FlickerFigures, flicker};
pub use flipped::{field_outward, flipped, joint_outward};
pub use harm::{HarmFigures, HarmGauge, Pop, Start};
pub use model::{ModelFigures, ReturnFigures, moved_model, over_model, there_and_back};
pub use points::{PointFigures, PointGauge};
pub use posed::{CONTACT, Figures, Gauge, PoseGauge, as_map};
pub use reference::{
    Reference, ReferenceCase, ReferenceCases, ReferenceError, ReferenceFigures, ReferenceGauge, ReferenceSolid,
};
pub use rigged::{RigFigures, RigGauge};
pub use surface::{Cube, CubeFigures, SurfaceFigures, SurfaceGauge, SurfaceOptions, Unjudged};
pub use winding::{WindingTree, winding_number};

use crate::{pose::Motion, rig::Rig};
use glam::Vec3;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How many cells a grid may have along its longest side.
pub const GRIDS: RangeInclusive<usize> = 2..=1024;

/// Why something cannot be measured.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeasureError {
    /// Figures compare vertex by vertex.
    #[error("{rest} vertices at rest and {posed} moved ones: they must be the same vertices in the same order")]
    Counts {
        /// How many there are at rest.
        rest: usize,
        /// How many were moved.
        posed: usize,
    },
    /// A point set has no surface figures.
    #[error("{points} points without triangles are no surface")]
    NoTriangles {
        /// How many points there are.
        points: usize,
    },
    /// Nothing to look at.
    #[error("there are no points to measure")]
    NoPoints,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, and there are {vertices}")]
    Triangle {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// Too coarse to show anything, or too fine to finish.
    #[error("a grid of {asked} cells: {} to {} are possible", GRIDS.start(), GRIDS.end())]
    Grid {
        /// What was asked for.
        asked: usize,
    },
    /// The motion is of another skeleton.
    #[error("the motion is of {motion} joints, the rig has {rig}")]
    Joints {
        /// Joints of the rig.
        rig: usize,
        /// Joints of the motion.
        motion: usize,
    },
    /// A box has a size.
    #[error("a box of radius {radius} is no box: the radius must be finite and more than zero")]
    Cube {
        /// What was asked for.
        radius: f64,
    },
}

/// Figures of a moved surface against the surface at rest: overlap, volume, stretch.
pub fn surface(
    rest: &[Vec3],
    posed: &[Vec3],
    triangles: &[[u32; 3]],
    options: SurfaceOptions,
) -> Result<SurfaceFigures, MeasureError> {
    SurfaceGauge::new(rest, triangles, options)?.figures(posed)
}

/// Figures of a moved point set against the set at rest: coverage, growth, crack.
pub fn points(rest: &[Vec3], posed: &[Vec3]) -> Result<PointFigures, MeasureError> {
    PointGauge::new(rest)?.figures(posed)
}

/// Figures that need the rig and how its joints moved: collapse, bulge, flipped, detail.
pub fn rig(rig: &Rig, motion: &Motion, posed: &[Vec3]) -> Result<RigFigures, MeasureError> {
    RigGauge::new(rig)?.figures(motion, posed)
}
