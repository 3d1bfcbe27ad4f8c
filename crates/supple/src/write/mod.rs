//! Rigs and points to files.

pub mod gltf;
pub mod obj;
pub mod pc2;
pub mod ply;
pub mod usda;

mod check;
mod error;
mod file;
mod shading;

pub use error::Error;
pub use file::{AtomicFile, file};

#[cfg(target_endian = "big")]
compile_error!("the binary formats are little-endian, and the writers copy arrays as they lie in memory");

/// A float in the fewest digits that read back as the same bits, with an exponent where that is shorter.
struct Short(f32);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let x = self.0;
        if x == x.trunc() && x.abs() < 1e7 { write!(f, "{x}") } else { write!(f, "{x:?}") }
    }
}
