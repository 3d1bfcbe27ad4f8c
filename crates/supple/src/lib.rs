//! Supple moves the skin of characters: it reads a file, moves its points by a method and writes them.
//!
//! The folders are the pipeline:
//!
//! | step | module | what it holds |
//! |---|---|---|
//! | 1 | [`read`] | bytes to a [`Rig`](rig::Rig): glTF, FBX, OBJ, PLY, BVH, TGF, sphere-meshes |
//! | 2 | [`rig`] | a character: mesh, topology, skeleton, weights, morphs |
//! | 3 | [`pose`] | the transforms of the joints: [`Pose`](pose::Pose), [`Clip`](pose::Clip), [`Motion`](pose::Motion) |
//! | 4 | [`weights`] | which joints move a vertex: bone heat, flexible weights, regions, tools to edit weights |
//! | 4 | [`fit`] | skeletons fitted into bare skins |
//! | 5 | [`deform`] | one room per method; *what* ([`Deformer`](deform::Deformer)), *ready* ([`Bound`](deform::Bound)) and *running* ([`State`](deform::State)) |
//! | 6 | [`graph`] | deformers wired together, and the registry of every method by name |
//! | 7 | [`mod@write`] | points to files: GLB, OBJ, PLY, PC2, USDA |
//! | 8 | [`measure`] | measures of the moved skin |
//! | | [`example`] | characters made by code |
//! | | [`names`] | suggestions for a name that is not known |
//! | | [`solve`] | sparse Cholesky and the Laplacians of a surface |
//! | | [`constant`] | constants that a method shares with its kernel |
//!
//! # The shortest program
//!
//! ```
//! use supple::{example, graph::DeformGraph, pose::{Motion, Pose}};
//!
//! let rig = example::arm(&example::ArmOptions { vertices: 800, ..Default::default() })?;
//! let mut bound = DeformGraph::single("dual-quaternion")?.bind(&rig)?;
//! let mut pose = Pose::rest(&rig);
//! pose.bend(&rig, "forearm", 90.0, None)?;
//! let motion = Motion::of(&rig, &pose);
//! let points = bound.evaluate(&rig.mesh.positions, &motion);
//! assert_eq!(points.len(), rig.mesh.positions.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything before `bind` returns a `Result` with the reason of a failure; nothing after it fails, allocates or locks.

pub mod constant;
pub mod deform;
pub mod example;
pub mod field;
pub mod fit;
pub mod graph;
mod json;
pub mod math;
pub mod measure;
pub mod names;
mod parallel;
pub mod pose;
pub mod project;
pub mod read;
pub mod rig;
mod sets;
pub mod solve;
pub mod weights;
pub mod write;

pub use glam;
