//! Supple's deformers as compute kernels. A [`GpuGraph`] is a [`DeformGraph`](supple::graph::DeformGraph) on a device: points stay there
//! between nodes and come back on request only.
//!
//! Every kernel is the twin of a file of the library with the same stem, and computes the same numbers: tests compare
//! them one step at a time, on a software driver, to 1e-6 of the diagonal.
//!
//! | | CPU | GPU |
//! |---|---|---|
//! | settings | [`Deformer`](supple::deform::Deformer) | the same |
//! | ready | [`BoundGraph`](supple::graph::BoundGraph) | [`GpuGraph`] |
//! | fails | at bind only | at bind, and when the device is lost |
//!
//! [`Engine`] runs both: each node on the device while it can, all of them on the processor once the device is lost. Callers use the
//! engine alone.

mod bandwidth;
mod buffer;
mod clock;
mod device;
mod engine;
mod fetch;
mod graph;
mod kernels;
#[cfg(test)]
mod layout;
mod node;
mod normals;
mod open;
mod operator;
mod place;

pub use bandwidth::bandwidth;
pub use clock::{Clock, fetch};
pub use device::{Gpu, GpuError};
pub use engine::{Engine, Explained};
pub use fetch::Fetch;
pub use graph::{GpuGraph, NodeTime};
#[doc(hidden)]
pub use kernels::other_kernels;
#[doc(hidden)]
pub use node::implicit::{ImplicitStages, StageState};
pub use node::{GpuNode, MakeNode, Parts, Stage, Twin, pipeline, register, twins};
pub use normals::{GpuNormals, Shading};
pub use open::Choice;
#[doc(hidden)]
pub use operator::{KernelOperator, operator_text};
pub use place::Place;
pub use wgpu;
