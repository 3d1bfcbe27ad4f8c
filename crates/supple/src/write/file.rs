use super::Error;
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes a file whole or not at all: see [`AtomicFile`].
pub fn file(path: impl AsRef<Path>, write: impl FnOnce(&mut dyn Write) -> Result<(), Error>) -> Result<(), Error> {
    let mut out = AtomicFile::create(path)?;
    write(&mut out).map_err(|error| error.about(&out.path))?;
    out.finish()
}

/// A file that appears under its name only once it is complete. Until [`AtomicFile::finish`] the bytes go to
/// `.NAME.RANDOM.tmp` in the same folder; dropping it without finishing removes that. A killed run leaves the `.tmp`
/// at most, never half an output, and nobody trips over it: the next run takes another name and removes the old one. The
/// file is locked while it is written, so that runs which write the same name at once leave each other's alone.
///
/// A file that may not be written is not replaced, though its folder would allow it, and one that is replaced keeps its
/// permissions. Where the name is a device or a pipe (`/dev/stdout`) the bytes go straight there.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    path: PathBuf,
    /// None where the bytes go straight to their place, and once the file is renamed.
    temporary: Option<PathBuf>,
}

impl AtomicFile {
    /// Opens the temporary file; an existing file of the name is untouched until the end.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut path = followed(path.as_ref())?;
        refuse_folder(&path)?;
        let Some(name) = path.file_name().map(OsString::from) else { return Err(Error::NotAFile(path)) };
        let found = fs::metadata(&path);
        match &found {
            // Renaming onto a link would replace the link rather than what it leads to.
            Ok(found) if found.is_file() => {
                refuse_protected(&path)?;
                path = fs::canonicalize(&path).unwrap_or(path);
            }
            Ok(_) => match fs::OpenOptions::new().write(true).open(&path) {
                Ok(file) => return Ok(Self { out: BufWriter::new(file), path, temporary: None }),
                Err(source) => return Err(Error::File { path, source }),
            },
            Err(_) => {}
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if !folder.as_os_str().is_empty() && !folder.is_dir() {
            return Err(Error::NoFolder { path, folder });
        }
        sweep(&folder, &name);
        loop {
            let mut hidden = OsString::from(".");
            hidden.push(&name);
            // Not the process number: in a browser or a container there is none, or it is always the same.
            hidden.push(format!(".{:08x}.tmp", RandomState::new().build_hasher().finish() as u32));
            let temporary = folder.join(hidden);
            match File::create_new(&temporary) {
                // Swept away by another run before it could be locked.
                Ok(file) if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !temporary.exists() => {}
                Ok(file) => {
                    if let Ok(found) = found {
                        // Where they cannot be kept, as on a share of another system, there are none to keep.
                        let _ = file.set_permissions(found.permissions());
                    }
                    return Ok(Self { out: BufWriter::with_capacity(1 << 18, file), path, temporary: Some(temporary) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(Error::File { path, source }),
            }
        }
    }

    /// Makes sure that the bytes are stored, and gives the file its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.out.flush().map_err(|e| self.error(e))?;
        if let Some(temporary) = &self.temporary {
            self.out.get_ref().sync_all().map_err(|e| self.error(e))?;
            fs::rename(temporary, &self.path).map_err(|e| self.error(e))?;
            self.temporary = None;
        }
        Ok(())
    }

    fn error(&self, source: io::Error) -> Error {
        Error::File { path: self.path.clone(), source }
    }
}

/// Removes the temporaries that a run left of this output when it was ended; none that is being written.
pub fn clear_up(path: &Path) {
    // A link that leads nowhere yet has its temporaries where the file is made.
    let Ok(path) = followed(path) else { return };
    let path = fs::canonicalize(&path).unwrap_or(path);
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
        sweep(folder, name);
    }
}

/// Removes the temporaries that killed runs left beside an output. Those that are locked are being written, and where
/// files cannot be locked nobody can tell, so that all stay.
fn sweep(folder: &Path, name: &OsStr) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // By bytes: a name need not be text.
    let prefix = [b".", name.as_encoded_bytes(), b"."].concat();
    let stale = |found: &[u8]| {
        let digits = found.strip_prefix(&prefix[..]).and_then(|rest| rest.strip_suffix(b".tmp"));
        digits.is_some_and(|d| d.len() == 8 && d.iter().all(u8::is_ascii_hexdigit))
    };
    for entry in fs::read_dir(here).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && stale(entry.file_name().as_encoded_bytes()) {
            // It is opened for writing because some systems lock nothing else.
            let left = fs::OpenOptions::new().write(true).open(entry.path());
            if left.is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Refuses a name that a folder has: before its ending is looked at, which a folder seldom has, and before long work.
pub fn refuse_folder(path: &Path) -> Result<(), Error> {
    if path.is_dir() { Err(Error::Folder(path.to_owned())) } else { Ok(()) }
}

/// Refuses a file that may not be written. A rename asks for the permission of the folder alone, so that the file has to be
/// asked itself: by its bits, which do not bind an administrator, and by opening it, which other owners and mounts forbid.
pub fn refuse_protected(path: &Path) -> Result<(), Error> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    if !found.is_file() {
        return Ok(());
    }
    if found.permissions().readonly() {
        return Err(Error::Protected(path.to_owned()));
    }
    match fs::OpenOptions::new().write(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(Error::Protected(path.to_owned())),
        Err(source) => Err(Error::File { path: path.to_owned(), source }),
    }
}

/// Where a link leads that leads to nothing yet: the file is made there, and the link stays.
fn followed(path: &Path) -> Result<PathBuf, Error> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    let source = io::Error::other("it is a link that leads to itself");
    Err(Error::File { path, source })
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Nothing useful can be done about a failure here: the output itself was never touched.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_error_inside_leaves_nothing_and_touches_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.obj");
        let fail = |out: &mut dyn Write| {
            out.write_all(&[7; 1 << 20])?;
            assert!(names(folder.path()).iter().any(|n| n.starts_with(".out.obj.") && n.ends_with(".tmp")));
            Err(Error::Rate(0.0))
        };
        assert!(matches!(file(&path, fail), Err(Error::Rate(_))));
        assert!(names(folder.path()).is_empty());

        fs::write(&path, "before").unwrap();
        assert!(file(&path, fail).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(folder.path()), ["out.obj"]);
    }

    #[test]
    fn the_name_appears_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ply");
        let mut out = AtomicFile::create(&path).unwrap();
        out.write_all(b"half").unwrap();
        assert!(!path.exists());
        out.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
        assert_eq!(names(folder.path()), ["out.ply"]);
    }

    #[test]
    fn a_stale_temporary_is_swept_away_and_one_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ply");
        let others = [".out.ply.mine.tmp", ".out.obj.00000000.tmp", "out.ply.00000000.tmp"];
        for name in [".out.ply.00000000.tmp", others[0], others[1], others[2]] {
            fs::write(folder.path().join(name), "old").unwrap();
        }
        let mut slow = AtomicFile::create(&path).unwrap();
        slow.write_all(b"slow").unwrap();
        file(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        slow.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"slow");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [others[1], others[0], "out.ply", others[2]]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_stale_temporary_of_a_name_that_is_no_text_is_swept_away() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"out-\xff.ply"));
        let other = folder.path().join(OsStr::from_bytes(b".out-\xfe.ply.00000000.tmp"));
        fs::write(folder.path().join(OsStr::from_bytes(b".out-\xff.ply.00000000.tmp")), "old").unwrap();
        fs::write(&other, "of another").unwrap();
        file(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
        left.sort();
        assert_eq!(left, [other, path]);
    }

    #[test]
    fn a_file_that_may_not_be_written_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.obj");
        fs::write(&path, "before").unwrap();
        let mut kept = fs::metadata(&path).unwrap().permissions();
        kept.set_readonly(true);
        fs::set_permissions(&path, kept).unwrap();
        let error = file(&path, |out| Ok(out.write_all(b"after")?)).unwrap_err();
        assert!(matches!(error, Error::Protected(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(folder.path()), ["out.obj"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.obj");
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        file(&path, |out| Ok(out.write_all(b"after")?)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(folder.path().join("no/out.obj")).unwrap_err();
        assert!(matches!(&error, Error::NoFolder { folder, .. } if folder.ends_with("no")), "{error}");
        assert!(matches!(AtomicFile::create(folder.path()), Err(Error::Folder(_))));
        assert!(matches!(AtomicFile::create(""), Err(Error::NotAFile(_))));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through_and_a_device_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.obj"), folder.path().join("link.obj"));
        fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        file(&link, |out| Ok(out.write_all(b"after")?)).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        file("/dev/null", |out| Ok(out.write_all(b"gone")?)).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn temporaries_are_cleared_up_where_a_link_leads_that_leads_nowhere_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (there, link) = (folder.path().join("there"), folder.path().join("link.obj"));
        fs::create_dir(&there).unwrap();
        std::os::unix::fs::symlink("there/real.obj", &link).unwrap();
        fs::write(there.join(".real.obj.00000000.tmp"), "of a run that was ended").unwrap();
        clear_up(&link);
        assert!(names(&there).is_empty(), "{:?}", names(&there));
    }
}
