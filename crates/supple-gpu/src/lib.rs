//! Supple's deformers as compute kernels. An [`Engine`] runs a [`Binding`](supple::graph::Binding): each node on the device while it
//! can, and on the processor otherwise. Callers use the engine alone.
//!
//! Every kernel is the twin of a file of the library with the same stem, and computes the same numbers: tests compare
//! them one step at a time, on a software driver, to 1e-6 of the diagonal.
//!
//! | | CPU | GPU |
//! |---|---|---|
//! | settings | [`Deformer`](supple::deform::Deformer) | the same |
//! | ready | [`Binding`](supple::graph::Binding), shared by both | the same, with kernels and tables on the device |
//! | runs | [`BoundGraph`](supple::graph::BoundGraph) | [`GpuGraph`]: points stay there between nodes and come back on request only |
//! | fails | at bind only | at bind, node by node, and when the device is lost |

mod bandwidth;
mod buffer;
mod clock;
mod compiled;
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
mod past;
mod place;

pub use bandwidth::bandwidth;
pub use clock::{Clock, fetch};
pub use device::{Gpu, GpuError};
pub use engine::{Engine, Explained};
pub use fetch::Fetch;
pub use graph::{GpuGraph, NodeTime};
pub use kernels::declared;
#[doc(hidden)]
pub use kernels::other_kernels;
#[doc(hidden)]
pub use node::implicit::{ImplicitStages, StageState};
pub use node::{GpuNode, MakeNode, Parts, Stage, Twin, register, twins};
pub use normals::{GpuNormals, Shading};
pub use open::{Choice, Opened};
#[doc(hidden)]
pub use operator::{KernelOperator, operator_text};
pub use place::Place;
pub use wgpu;
