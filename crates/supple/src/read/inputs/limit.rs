use crate::read::{Format, ReadError};
use std::{env, fmt, fs::Metadata};

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A rig, mesh, point set, skeleton or motion.
    Rig(Format),
    /// A rig whose format is not known before it is read.
    Stream,
    /// A buffer or picture that a rig names.
    Beside,
    /// A project.
    Project,
    /// A pose.
    Pose,
    /// A script of the studio.
    Script,
    /// A reference shape.
    Reference,
    /// A list of reference shapes.
    References,
}

/// The most bytes that are read of a file, by its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// For every kind, in place of its own.
    every: Option<u64>,
}

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Up to here a file may be a hole: it takes no more memory than a small one could ask for.
const MOST_HOLE: u64 = 64 * MIB;
/// A larger file has at most so many bytes for each that is stored. File systems that compress what they hold make floats and
/// text some five times smaller.
const MOST_SWELLING: u64 = 16;

impl Limits {
    /// The variable that sets one limit for every kind.
    pub const VARIABLE: &str = "SUPPLE_MAX_FILE_SIZE";

    /// The same limit for every kind.
    pub fn of_every_kind(most: u64) -> Self {
        Self { every: Some(most) }
    }

    /// As the environment says.
    pub fn from_environment() -> Result<Self, ReadError> {
        let Some(word) = env::var_os(Self::VARIABLE) else { return Ok(Self::default()) };
        let word = word.to_string_lossy();
        let most = bytes(&word).ok_or_else(|| ReadError::Limit { word: word.clone().into_owned() })?;
        Ok(Self::of_every_kind(most))
    }

    /// The limit of a kind. What is large in practice is surfaces and motions; all else is written by hand or by us.
    pub fn most(&self, kind: Kind) -> u64 {
        self.every.unwrap_or(match kind {
            Kind::Rig(Format::Tgf | Format::SphereMesh) | Kind::Pose | Kind::Script | Kind::Reference => 64 * MIB,
            // A few words for each shape.
            Kind::References => 4 * MIB,
            // Painted weights may be many.
            Kind::Project => 512 * MIB,
            // It may be endless, and is held while it comes.
            Kind::Stream => 128 * MIB,
            Kind::Rig(_) | Kind::Beside => 2 * GIB,
        })
    }

    /// Refuses a file that is hardly more than a hole: it lies on a disk like a small one and asks for the memory of a large one.
    /// Who sets a limit knows what is read.
    pub(super) fn refuse_hollow(&self, found: &Metadata) -> Result<(), ReadError> {
        let size = found.len();
        match stored(found) {
            Some(stored) if self.every.is_none() && size > MOST_HOLE && size / MOST_SWELLING > stored => {
                Err(ReadError::Hollow { size, stored })
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of a file that are stored, where the system tells; files that still lie on a server have none.
#[cfg(unix)]
fn stored(found: &Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    // POSIX leaves the unit open; every system has this one.
    const UNIT: u64 = 512;
    Some(found.blocks().saturating_mul(UNIT)).filter(|&stored| stored > 0)
}

#[cfg(not(unix))]
fn stored(_: &Metadata) -> Option<u64> {
    None
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rig(Format::Gltf) => "a glTF file",
            Self::Rig(Format::Fbx) => "an FBX file",
            Self::Rig(Format::Obj) => "an OBJ file",
            Self::Rig(Format::Ply) => "a PLY file",
            Self::Rig(Format::Bvh) => "a BVH file",
            Self::Rig(Format::Tgf) => "a TGF file",
            Self::Rig(Format::SphereMesh) => "a sphere-mesh",
            Self::Stream => "a stream",
            Self::Beside => "a rig with the files it names",
            Self::Project => "a project",
            Self::Pose => "a pose file",
            Self::Script => "a script",
            Self::Reference => "a reference",
            Self::References => "a list of references",
        })
    }
}

const UNITS: [(&str, u64); 4] = [("TiB", GIB << 10), ("GiB", GIB), ("MiB", MIB), ("KiB", 1 << 10)];

/// A size in words, in the largest unit of which there is one.
pub fn size(bytes: u64) -> String {
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{} {name}", (bytes as f64 / *unit as f64 * 10.0).round() / 10.0),
        None => format!("{bytes} bytes"),
    }
}

/// `800000`, `300M`, `4G`, `4 GiB`.
fn bytes(word: &str) -> Option<u64> {
    let word = word.trim();
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let (digits, unit) = (&word[..end], word[end..].trim());
    let is = |name: &str| [name, &name[..1], &name.replace('i', "")].iter().any(|n| n.eq_ignore_ascii_case(unit));
    let unit = if unit.is_empty() { 1 } else { UNITS.iter().find(|(name, _)| is(name))?.1 };
    digits.parse::<u64>().ok()?.checked_mul(unit).filter(|&most| most > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_the_units_that_people_write() {
        for (word, most) in [("800", 800), ("3k", 3 << 10), ("300M", 300 << 20), ("4 GiB", 4 << 30), ("1TB", 1 << 40)] {
            assert_eq!(bytes(word), Some(most), "{word}");
        }
        for word in ["", "0", "G", "-1", "1.5G", "4 parsecs", "99999999999T"] {
            assert_eq!(bytes(word), None, "{word}");
        }
    }

    #[test]
    fn sizes_are_said_in_the_largest_unit() {
        assert_eq!([700, 1 << 20, 1 << 40, 3 << 29].map(size), ["700 bytes", "1 MiB", "1 TiB", "1.5 GiB"]);
    }
}
