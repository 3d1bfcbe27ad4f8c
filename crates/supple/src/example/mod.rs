//! Characters made by code, at any resolution: an [`arm`], a [`hand`], a [`figure`] and a [`statue`].
//!
//! Each is a signed distance field of rounded cones (`field`), cut to triangles by marching tetrahedra (`march`),
//! remeshed to exactly the vertices asked for (`remesh`, on the half-edges of `surface`), given creases and ridges where
//! the mesh is fine enough to carry them (`relief`), and owned by its bones through smooth cuts at the joints (`skin`).
//! The same options give the same mesh and weights, bit for bit, on every machine and with any number of threads.

mod arm;
mod field;
mod figure;
mod hand;
mod march;
mod motion;
mod relief;
mod remesh;
mod skin;
mod statue;
mod surface;
#[cfg(test)]
mod tests;

pub use arm::{ArmOptions, arm};
pub use figure::{FigureOptions, figure};
pub use hand::{HandOptions, hand};
pub use statue::{StatueOptions, statue};

use crate::rig::{Material, Mesh, Rig};
use field::Shape;
use relief::Spot;
use skin::Limb;
use std::ops::RangeInclusive;
use surface::Surface;
use thiserror::Error;

/// How many vertices or points a character may have.
pub const VERTICES: RangeInclusive<usize> = 600..=10_000_000;

/// Why a character cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ExampleError {
    /// Too few to show the shape, or too many.
    #[error("{asked} vertices asked for; characters have {} to {}", VERTICES.start(), VERTICES.end())]
    Vertices {
        /// What was asked for.
        asked: usize,
    },
    /// The figure's own bones are the fewest, the hand's the most.
    #[error("{asked} bones asked for; the {who} has {least} to {most}")]
    Bones {
        /// The character.
        who: &'static str,
        /// What was asked for.
        asked: usize,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },
    /// A band has a width.
    #[error("a weight band of {band} radii is not a width: it must be finite and more than zero")]
    Band {
        /// What was asked for.
        band: f64,
    },
}

fn check_count(asked: usize) -> Result<(), ExampleError> {
    if VERTICES.contains(&asked) { Ok(()) } else { Err(ExampleError::Vertices { asked }) }
}

/// Draws the relief and leaves half-edges behind.
fn finished(mut surface: Surface, shape: &Shape, height: impl Fn(&Spot) -> f64 + Sync + Send) -> Mesh {
    relief::raise(&mut surface, shape, height);
    let positions = surface.points.iter().map(|p| p.as_vec3()).collect();
    Mesh { positions, triangles: surface.triangles(), ..Mesh::default() }
}

/// A rig of one part in the colour of clay.
fn assemble(name: &str, mesh: Mesh, limbs: &[Limb], band: f64) -> Rig {
    let weights = skin::weights(limbs, &mesh.positions, band);
    let mut rig = Rig::of_mesh(name, mesh);
    rig.skeleton = skin::skeleton(limbs);
    rig.weights = Some(weights);
    rig.materials = vec![Material {
        name: "clay".into(),
        base_color: [0.62, 0.4, 0.3, 1.0],
        roughness: 0.7,
        ..Material::default()
    }];
    rig.parts[0].material = Some(0);
    rig
}
