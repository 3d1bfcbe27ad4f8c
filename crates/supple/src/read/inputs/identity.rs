use std::{
    fs::Metadata,
    path::{Path, PathBuf},
};

/// Which file a name leads to. Links, other spellings and letters of another case lead to the same path, hard links to the
/// same number.
#[derive(Clone, Debug)]
pub struct Identity {
    real: Option<PathBuf>,
    /// Device and number of the file on it, where the system tells them.
    number: Option<(u64, u64)>,
}

impl Identity {
    /// What a name leads to; none where nothing is there.
    pub fn of(path: &Path) -> Option<Self> {
        Some(Self::of_open(path, &std::fs::metadata(path).ok()?))
    }

    pub(super) fn of_open(path: &Path, found: &Metadata) -> Self {
        Self { real: std::fs::canonicalize(path).ok(), number: number(found) }
    }

    /// Whether both are one file.
    pub fn is(&self, other: &Self) -> bool {
        (self.real.is_some() && self.real == other.real) || (self.number.is_some() && self.number == other.number)
    }
}

#[cfg(unix)]
fn number(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}
