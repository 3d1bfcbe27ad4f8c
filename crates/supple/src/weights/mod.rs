//! Who owns a vertex: which joint each part of the skin belongs to, and how much of it.

pub mod edit;
pub mod flexible;
pub mod segment;
