use glam::Vec3;
use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why something could not be written: one line that names it.
#[derive(Debug, Error)]
pub enum Error {
    /// The bytes could not be handed on.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// The file could not be made, filled or renamed.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder it should go to does not exist.
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder {
        /// What was to be written.
        path: PathBuf,
        /// What is missing.
        folder: PathBuf,
    },
    /// A folder has that name.
    #[error("cannot write {}: it is a folder; give the name of a file", .0.display())]
    Folder(PathBuf),
    /// The file is there, and its permissions forbid writing.
    #[error("cannot write {}: the file is there and may not be written", .0.display())]
    Protected(PathBuf),
    /// The file is one of those that the work is made from.
    #[error("cannot write {}: {} is read for this; give the output another name", path.display(), called(path, input))]
    Input {
        /// What was to be written.
        path: PathBuf,
        /// The same file by the name under which it was read.
        input: PathBuf,
    },
    /// The name is empty, or ends in dots.
    #[error("cannot write \"{}\": that is not the name of a file", .0.display())]
    NotAFile(PathBuf),
    /// The ending of the name says no format that holds this.
    #[error("cannot write {ending}: {known} can be written here")]
    UnknownEnding {
        /// The ending, quoted.
        ending: String,
        /// What could be written.
        known: &'static str,
    },
    /// A number is NaN or infinite.
    #[error("{what} {index} is {value}, which is not finite")]
    NotFinite {
        /// Of what: a point, a texture coordinate, the displacement of a morph or of a frame.
        what: &'static str,
        /// Which.
        index: usize,
        /// Its coordinates.
        value: Vec3,
    },
    /// Two things that go together have different lengths.
    #[error("{found} {what}, expected {expected}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A part of the rig does not fit its mesh.
    #[error("part {part} \"{name}\" {what}")]
    Part {
        /// Which.
        part: usize,
        /// Its name.
        name: String,
        /// What is wrong, with the value.
        what: String,
    },
    /// A joint that no file can hold.
    #[error("joint {joint} \"{name}\" has a transform too large for a file")]
    Joint {
        /// Which.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// Weights without their joint.
    #[error("weights name joint {joint}, but there are {joints} joints")]
    NoJoint {
        /// The largest joint named.
        joint: u16,
        /// Number of joints.
        joints: usize,
    },
    /// Frames per second must be positive.
    #[error("{0} frames per second: the rate must be positive and finite")]
    Rate(f64),
    /// More than most programs can open.
    #[error("the file would be larger than {} MiB, more than most programs open: {advice}", most >> 20)]
    TooLarge {
        /// The limit in bytes.
        most: usize,
        /// What to do instead.
        advice: &'static str,
    },
}

/// The input, where it goes by another name than the output.
fn called(path: &Path, input: &Path) -> String {
    if path == input { "it".to_owned() } else { format!("it leads to {}, which", input.display()) }
}

impl Error {
    /// A bare I/O error does not know which file it was about; the caller does.
    pub(super) fn about(self, path: &Path) -> Self {
        match self {
            Self::Io(source) => Self::File { path: path.to_owned(), source },
            other => other,
        }
    }

    pub(super) fn unknown_ending(ending: &str, known: &'static str) -> Self {
        let ending = if ending.is_empty() { "a name with no ending".to_owned() } else { format!("\".{ending}\"") };
        Self::UnknownEnding { ending, known }
    }
}
