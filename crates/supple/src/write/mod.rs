//! Rigs and points to files.

mod error;
mod file;

pub use error::Error;
pub use file::{AtomicFile, file};
