//! Who owns a vertex.

pub mod edit;
