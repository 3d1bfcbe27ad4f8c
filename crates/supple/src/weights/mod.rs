//! Who owns a vertex: from a mesh and a skeleton to [`Weights`](crate::rig::Weights).
//!
//! [`heat`] is the everyday method for closed bodies; [`nearest`] looks at distances alone and works on anything.

mod heat;
mod limit;
mod nearest;

pub use heat::{HeatError, HeatNote, HeatOptions, IdleReason, heat};
pub use nearest::{NearestError, NearestOptions, nearest};
