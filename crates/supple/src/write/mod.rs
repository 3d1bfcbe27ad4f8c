//! Rigs and points to files. Every writer takes bytes out (`&mut dyn Write`); the functions here take a path, choose
//! the writer by its ending, and write under a temporary name that is renamed at the end.
//!
//! | | glb | obj | ply | usda | pc2 |
//! |---|---|---|---|---|---|
//! | [`rig`]: everything a rig holds | yes | rest points | rest points | rest points | |
//! | [`posed`]: points in one pose | yes | yes | yes | yes | |
//! | [`Frames`]: points over time | yes | | | yes | yes |
//!
//! All keep the number and the order of the vertices, and none writes a number that is not finite.

pub mod gltf;
pub mod obj;
pub mod pc2;
pub mod ply;
pub mod usda;

mod check;
mod error;
mod file;
mod frames;
mod shading;

pub use error::Error;
pub use file::{AtomicFile, clear_up, file, refuse_folder, refuse_protected};
pub use frames::Frames;

use crate::rig::Rig;
use glam::Vec3;
use std::{io::Write, path::Path};

#[cfg(target_endian = "big")]
compile_error!("the binary formats are little-endian, and the writers copy arrays as they lie in memory");

/// Writes a rig: all of it as `.glb`; its rest points as `.obj`, `.ply` or `.usda`. Gives what could not be kept of the file
/// that the rig was read from, one line each.
pub fn rig(path: impl AsRef<Path>, rig: &Rig) -> Result<Vec<String>, Error> {
    let path = path.as_ref();
    let mut notes = Vec::new();
    match ending(path)?.as_str() {
        "glb" => file(path, |out| gltf::rig(rig, out).map(|said| notes = said))?,
        _ => posed(path, rig, &rig.mesh.positions)?,
    }
    Ok(notes)
}

/// Writes the skin of a rig with its points moved, as `.glb`, `.obj`, `.ply` or `.usda`.
pub fn posed(path: impl AsRef<Path>, rig: &Rig, points: &[Vec3]) -> Result<(), Error> {
    let path = path.as_ref();
    let write: fn(&Rig, &[Vec3], &mut dyn Write) -> Result<(), Error> = match ending(path)?.as_str() {
        "glb" => gltf::posed,
        "obj" => |rig, points, out| obj::posed(rig, points, obj::Options::default(), out),
        "ply" => |rig, points, out| ply::posed(rig, points, ply::Options::default(), out),
        "usda" => usda::posed,
        other => return Err(Error::unknown_ending(other, "glb, obj, ply and usda")),
    };
    file(path, |out| write(rig, points, out))
}

/// The ending of the name of a file to be written, in small letters.
fn ending(path: &Path) -> Result<String, Error> {
    refuse_folder(path)?;
    Ok(path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default())
}

/// A float in the fewest digits that read back as the same bits, with an exponent where that is shorter.
struct Short(f32);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let x = self.0;
        if x == x.trunc() && x.abs() < 1e7 { write!(f, "{x}") } else { write!(f, "{x:?}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_unknown_ending_lists_what_can_be_written() {
        let error = rig("a/b.fbx", &Rig::default()).unwrap_err().to_string();
        assert_eq!(error, "cannot write \".fbx\": glb, obj, ply and usda can be written here");
        let error = posed("noending", &Rig::default(), &[]).unwrap_err().to_string();
        assert!(error.contains("no ending"), "{error}");
    }

    proptest! {
        #[test]
        fn short_floats_read_back_as_the_same_bits(x in prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO) {
            let text = Short(x).to_string();
            prop_assert_eq!(text.parse::<f32>().unwrap().to_bits(), x.to_bits());
            prop_assert!(text.len() <= 18, "{}", text);
        }
    }
}
