//! Files that other files name. A model has no business outside its folder, nor has a project; what counts is where a name
//! leads, not how it is spelt.

use crate::read::ReadError;
use std::path::{Path, PathBuf};

/// How far the names in a file may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// No further than the folder of the file. A file may come from anybody.
    #[default]
    Folder,
    /// Anywhere: whoever opens the file knows what it names.
    Anywhere,
}

/// The path of a file that another file names.
pub fn beside(file: &Path, name: &str, reach: Reach) -> Result<PathBuf, ReadError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    match inside(folder, name) {
        Err(ReadError::Outside { .. }) if reach == Reach::Anywhere => Ok(folder.join(name)),
        found => found,
    }
}

/// The path of a file that is named relative to a folder, where it lies inside of it.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, ReadError> {
    let outside = |real: Option<PathBuf>| ReadError::Outside { name: name.to_owned(), real };
    if reaches_elsewhere(name) {
        return Err(outside(None));
    }
    let path = folder.join(name);
    let real = std::fs::canonicalize(&path)?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if real.starts_with(std::fs::canonicalize(here)?) { Ok(path) } else { Err(outside(Some(real))) }
}

/// Names that must not even be looked up: on Windows that alone greets a server or wakes a device. They are refused on every
/// system, so that a file which is read on one is read on all.
fn reaches_elsewhere(name: &str) -> bool {
    let slash = ['/', '\\'];
    let has_drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    name.starts_with(slash) || has_drive || name.contains("://") || name.split(slash).any(is_device)
}

/// The names of DOS, with any ending.
fn is_device(component: &str) -> bool {
    let stem = component.split(['.', ':']).next().unwrap_or_default().trim_end();
    let numbered = |prefix: &str| {
        let digit = stem
            .get(prefix.len()..)
            .filter(|_| stem.get(..prefix.len()).is_some_and(|p| p.eq_ignore_ascii_case(prefix)));
        digit.is_some_and(|d| matches!(d, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"))
    };
    let names = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    names.iter().any(|n| stem.eq_ignore_ascii_case(n)) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_are_judged_by_where_they_lead() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("model");
        fs::create_dir_all(folder.join("parts")).unwrap();
        fs::write(folder.join("a.bin"), "a").unwrap();
        fs::write(folder.join("parts/b..bin"), "b").unwrap();
        fs::write(all.path().join("secret"), "no").unwrap();
        for name in ["a.bin", "./a.bin", "parts/b..bin", "parts/../a.bin", "../model/a.bin"] {
            let real = inside(&folder, name).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(fs::read(real).is_ok());
        }
        let absolute = folder.join("a.bin").display().to_string();
        for name in ["../secret", "parts/../../secret", "..", "../model/../secret", &absolute] {
            assert!(matches!(inside(&folder, name), Err(ReadError::Outside { .. })), "{name}");
        }
        assert!(matches!(inside(&folder, "none.bin"), Err(ReadError::Io(_))));
        assert!(matches!(inside(&folder, "a\0.bin"), Err(ReadError::Io(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_they_are_judged() {
        use std::os::unix::fs::symlink;
        let all = tempfile::tempdir().unwrap();
        let (folder, other) = (all.path().join("model"), all.path().join("other"));
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(folder.join("a.bin"), "a").unwrap();
        fs::write(other.join("secret"), "no").unwrap();
        symlink("a.bin", folder.join("inner")).unwrap();
        symlink(other.join("secret"), folder.join("outer")).unwrap();
        symlink(&other, folder.join("textures")).unwrap();
        symlink("/dev/zero", folder.join("endless")).unwrap();
        assert!(inside(&folder, "inner").is_ok());
        for name in ["outer", "textures/secret", "endless"] {
            assert!(matches!(inside(&folder, name), Err(ReadError::Outside { real: Some(_), .. })), "{name}");
        }
        // The folder itself may be reached by a link.
        symlink(&folder, all.path().join("short")).unwrap();
        assert!(inside(&all.path().join("short"), "a.bin").is_ok());
    }

    #[test]
    fn servers_drives_and_devices_are_never_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            r"\\server\share\a.bin",
            "//server/share/a.bin",
            r"\\?\C:\a.bin",
            r"\a.bin",
            "C:a.bin",
            r"c:\a.bin",
            "http://server/a.bin",
            "NUL",
            "parts/con.png",
            r"parts\Com1",
            "aux .txt",
            "lpt¹.png",
        ];
        for name in names {
            assert!(matches!(inside(folder.path(), name), Err(ReadError::Outside { real: None, .. })), "{name}");
        }
        for name in ["console.png", "com.bin", "nullable", "ab:c"] {
            assert!(matches!(inside(folder.path(), name), Err(ReadError::Io(_))), "{name}");
        }
    }
}
