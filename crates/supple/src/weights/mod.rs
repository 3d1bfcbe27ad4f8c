//! Who owns a vertex: from a mesh and a skeleton to [`Weights`](crate::rig::Weights), and from weights to better ones.
//!
//! [`heat()`] is the everyday method for closed bodies, [`flexible`] has one number from wood to rubber, [`nearest()`] looks
//! at distances alone and works on anything. [`segment`] cuts the skin into one region for each bone; [`edit`] mends what
//! is there.

pub mod edit;
pub mod flexible;
mod heat;
mod limit;
mod nearest;
mod own;
pub mod segment;

pub use heat::{HeatError, HeatNote, HeatOptions, IdleReason, heat};
pub use nearest::{NearestError, NearestOptions, nearest};
pub use own::{controls, exclude_controls, keep_props};
