//! Bytes to a [`Rig`]. Files are hostile: every number is checked before it sizes or indexes anything, and what cannot
//! be used is refused with one line that names it, or mended with a [`Warning`].

mod bvh;
mod content;
mod fbx;
pub(crate) mod gltf;
mod inputs;
mod obj;
mod ply;
mod sphere_mesh;
mod text;
mod tgf;
mod tree;
mod warning;

pub use inputs::{Identity, Inputs, Kind, Limits, Reach, beside};
pub use warning::{Warning, Warnings};

use crate::rig::Rig;
use std::{
    fmt,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Bytes of a vertex or triangle as the plainest files store it: three floats, or three indices. Files that pack them more
/// tightly have other bytes that make up for it, such as normals. What shows more of them than its bytes vouch for is a trick:
/// a triangle takes up to 430 bytes of memory once its surface is looked at.
const PLAIN: usize = 12;

/// Triangles that files of surfaces may have beyond what their bytes vouch for.
const MOST_FOR_NOTHING: usize = 1 << 18;

/// Refuses more triangles than a file of so many bytes can mean. Polygons of many corners, and of the same corners again and
/// again, make a triangle of every two bytes.
fn check_triangles(triangles: usize, bytes: usize) -> Result<(), String> {
    let most = bytes / PLAIN + MOST_FOR_NOTHING;
    if triangles > most { Err(format!("more than {most} triangles, in a file of {bytes} bytes")) } else { Ok(()) }
}

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
    /// It is no regular file.
    #[error("is {0}, and a regular file is expected")]
    Special(&'static str),
    /// It is larger than files of its kind may be.
    #[error(
        "has {}, and {} is the most that is read of {kind}; the variable {} raises this limit",
        size.map_or_else(|| format!("more than {}", inputs::size(*most)), inputs::size), inputs::size(*most), Limits::VARIABLE
    )]
    TooLarge {
        /// Its bytes, where they are known.
        size: Option<u64>,
        /// The limit in bytes.
        most: u64,
        /// What it is read as.
        kind: Kind,
    },
    /// Hardly anything of it is stored.
    #[error(
        "has {}, of which {} are stored: the rest is a hole; the variable {} lets it be read",
        inputs::size(*size), inputs::size(*stored), Limits::VARIABLE
    )]
    Hollow {
        /// Its bytes.
        size: u64,
        /// Those that are stored.
        stored: u64,
    },
    /// The limit that is asked for is none.
    #[error("{}=\"{word}\" is no size: give bytes, or a number with K, M, G or T", Limits::VARIABLE)]
    Limit {
        /// What is asked for.
        word: String,
    },
    /// A file names one that lies outside its folder.
    #[error("\"{name}\" {}outside the folder of the file", real.as_ref().map_or_else(|| "lies ".to_owned(), |r| format!("leads to {}, ", r.display())))]
    Outside {
        /// The name.
        name: String,
        /// Where it leads; not looked up where looking alone could do harm.
        real: Option<PathBuf>,
    },
    /// Bytes without a name that are none of the formats which can be read.
    #[error("nobody can tell what it is by its content: save it under a name that ends in its format")]
    UnknownContent,
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

    fn another_format(format: Format, kind: &str) -> Self {
        Self::invalid("file", format!("its name says {format}, but it looks like {kind}"))
    }

    /// For those who fetch on behalf of a reader.
    fn into_io(self) -> std::io::Error {
        match self {
            Self::Io(error) => error,
            other => std::io::Error::other(other),
        }
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
    /// Every one.
    pub const ALL: [Self; 7] = [Self::Gltf, Self::Fbx, Self::Obj, Self::Ply, Self::Bvh, Self::Tgf, Self::SphereMesh];

    /// By what is in the file.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        content::format(bytes)
    }

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

/// Reads a file by its path, within the limits that the environment sets: see [`Inputs`].
pub fn path(path: impl AsRef<Path>) -> Result<Loaded, ReadError> {
    Inputs::new(Limits::from_environment()?).rig(path)
}

/// Reads bytes. `name` becomes the name of the rig.
pub fn bytes(name: &str, format: Format, bytes: Vec<u8>, resolve: &Resolve<'_>) -> Result<Loaded, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::invalid("file", "it is empty"));
    }
    if let Some(kind) = content::looks_like(&bytes, format) {
        return Err(ReadError::another_format(format, kind));
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
