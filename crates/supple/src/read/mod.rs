//! Bytes to a [`Rig`]. Files are hostile: every number is checked before it sizes or indexes anything, and what cannot
//! be used is refused with one line that names it, or mended with a [`Warning`].

mod bvh;
mod content;
mod fbx;
pub(crate) mod gltf;
mod obj;
mod ply;
mod sphere_mesh;
mod text;
mod tgf;
mod tree;
mod warning;

pub use warning::{Warning, Warnings};

use crate::rig::Rig;
use std::{
    fmt,
    path::{Component, Path},
};
use thiserror::Error;

/// A rig and what had to be mended to get it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The rig.
    pub rig: Rig,
    /// What was mended, one line each.
    pub warnings: Vec<Warning>,
}

/// File formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0, binary or JSON.
    Gltf,
    /// Autodesk FBX.
    Fbx,
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY.
    Ply,
    /// Biovision motion.
    Bvh,
    /// Trivial graph format: a skeleton.
    Tgf,
    /// Sphere-mesh, text or JSON.
    SphereMesh,
}

/// Why a file cannot be used: one line that names what is wrong and where.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read it: {0}")]
    Io(#[from] std::io::Error),
    /// There is a folder of that name.
    #[error("is a folder, and a file is expected")]
    Folder,
    /// The ending of the name is not one of those that can be read.
    #[error("unknown format{}: glb, gltf, fbx, obj, ply, bvh, tgf, sm and sphere-mesh json can be read", ending(.0))]
    UnknownFormat(String),
    /// Something in it is wrong.
    #[error("{place}: {what}")]
    Invalid {
        /// Where: a JSON path, a line, an element.
        place: String,
        /// What is wrong there, with the value.
        what: String,
    },
}

fn ending(extension: &str) -> String {
    if extension.is_empty() { String::new() } else { format!(" \".{extension}\"") }
}

impl ReadError {
    pub(crate) fn invalid(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Invalid { place: place.into(), what: what.into() }
    }
}

/// Fetches what a file refers to by relative name (buffers and images of a `.gltf`).
pub type Resolve<'a> = dyn Fn(&str) -> Result<Vec<u8>, std::io::Error> + 'a;

/// For files that must stand alone, as in a browser.
pub fn resolve_nothing(name: &str) -> Result<Vec<u8>, std::io::Error> {
    let what = format!("{name} is another file, and only one was given");
    Err(std::io::Error::new(std::io::ErrorKind::NotFound, what))
}

impl Format {
    /// By the ending of a name.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "glb" | "gltf" => Self::Gltf,
            "fbx" => Self::Fbx,
            "obj" => Self::Obj,
            "ply" => Self::Ply,
            "bvh" => Self::Bvh,
            "tgf" => Self::Tgf,
            "sm" | "json" => Self::SphereMesh,
            _ => return None,
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gltf => "glTF",
            Self::Fbx => "FBX",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Bvh => "BVH",
            Self::Tgf => "TGF",
            Self::SphereMesh => "sphere-mesh",
        })
    }
}

/// Reads a file by its path.
pub fn path(path: impl AsRef<Path>) -> Result<Loaded, ReadError> {
    let path = path.as_ref();
    if path.is_dir() {
        return Err(ReadError::Folder);
    }
    let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    let format = Format::of_extension(&extension).ok_or(ReadError::UnknownFormat(extension))?;
    let bytes = std::fs::read(path)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let resolve = move |relative: &str| neighbour(&folder, relative);
    self::bytes(&name, format, bytes, &resolve)
}

/// A file beside the one being read. Names that leave its folder are refused: a model has no business there.
fn neighbour(folder: &Path, relative: &str) -> Result<Vec<u8>, std::io::Error> {
    let path = Path::new(relative);
    let inside = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    if path.is_absolute() || !path.components().all(inside) {
        let what = "it lies outside the folder of the file";
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, what));
    }
    std::fs::read(folder.join(path))
}

/// Reads bytes. `name` becomes the name of the rig.
pub fn bytes(name: &str, format: Format, bytes: Vec<u8>, resolve: &Resolve<'_>) -> Result<Loaded, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::invalid("file", "it is empty"));
    }
    if let Some(kind) = content::looks_like(&bytes, format) {
        return Err(ReadError::invalid("file", format!("its name says {format}, but it looks like {kind}")));
    }
    let mut warnings = Warnings::default();
    let mut rig = match format {
        Format::Gltf => gltf::read(bytes, resolve, &mut warnings)?,
        Format::Fbx => fbx::read(&bytes, &mut warnings)?,
        Format::Obj => obj::read(&bytes, &mut warnings)?,
        Format::Ply => ply::read(&bytes, &mut warnings)?,
        Format::Bvh => bvh::read(&bytes, &mut warnings)?,
        Format::Tgf => tgf::read(&bytes, &mut warnings)?,
        Format::SphereMesh => sphere_mesh::read(&bytes, &mut warnings)?,
    };
    rig.name = name.to_owned();
    for part in rig.parts.iter_mut().filter(|p| p.name.is_empty()) {
        part.name = name.to_owned();
    }
    if rig.mesh.positions.is_empty() && rig.skeleton.is_empty() && rig.sphere_mesh.is_none() {
        warnings.push("file", "holds neither points nor joints");
    }
    Ok(Loaded { rig, warnings: warnings.into_vec() })
}
