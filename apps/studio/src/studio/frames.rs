//! Numbered pictures on their way to their files. Until the last of them is there they lie in a hidden folder beside their
//! place, so that a film that does not come to its end has replaced nothing and leaves nothing.

use crate::model::Document;
use std::{
    fs::{self, File, TryLockError},
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};
use supple::write;

/// The file of one frame.
pub fn path(film: &Path, frame: usize) -> PathBuf {
    film.with_file_name(format!("{}-{frame:04}.png", stem(film)))
}

/// What all of their names begin with.
pub fn stem(film: &Path) -> String {
    film.file_stem().map_or_else(|| "frame".into(), |s| s.to_string_lossy().into_owned())
}

/// Those of a film's files that are there already.
pub fn there(film: &Path, count: usize) -> Vec<PathBuf> {
    let paths = (0..count).map(|frame| path(film, frame));
    paths.filter(|path| path.symlink_metadata().is_ok()).collect()
}

/// Refuses a film that would take the place of what it is made from, of a folder, or of a file that may not be written.
pub fn refuse(film: &Path, count: usize, document: &Document) -> Result<(), String> {
    there(film, count).iter().try_for_each(|path| {
        document.refuse_replacing(path)?;
        write::refuse_folder(path).and_then(|()| write::refuse_protected(path)).map_err(|e| e.to_string())
    })
}

/// Frames that have no name yet. They go where it is dropped.
pub struct Pending {
    film: PathBuf,
    folder: PathBuf,
    /// Says that the folder is in use while it is locked.
    lock: Option<File>,
    count: usize,
}

const LOCK: &str = "lock";

impl Pending {
    /// Makes the hidden folder.
    pub fn new(film: &Path) -> Result<Self, String> {
        if cfg!(target_family = "wasm") {
            return Err("a browser takes no numbered pictures; a film is a GIF there".to_owned());
        }
        let first = path(film, 0);
        let beside = film.parent().unwrap_or(Path::new(""));
        if !beside.as_os_str().is_empty() && !beside.is_dir() {
            return Err(write::Error::NoFolder { path: first, folder: beside.to_owned() }.to_string());
        }
        let prefix = format!(".{}-frames.", stem(film));
        sweep(beside, &prefix);
        loop {
            let random = RandomState::new().build_hasher().finish() as u32;
            let folder = beside.join(format!("{prefix}{random:08x}.tmp"));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                made => made.map_err(|e| cannot_write(&first, &e))?,
            }
            let mut pending = Self { film: film.to_owned(), folder, lock: None, count: 0 };
            let lock = File::create_new(pending.folder.join(LOCK)).map_err(|e| cannot_write(&first, &e))?;
            // Another run took it for one that was left, and is removing it.
            if !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
                pending.lock = Some(lock);
                return Ok(pending);
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes the next.
    pub fn keep(&mut self, png: &[u8]) -> Result<(), String> {
        let write = |path: PathBuf| {
            let mut file = File::create_new(path)?;
            file.write_all(png)?;
            file.sync_all()
        };
        write(self.of(self.count)).map_err(|e| cannot_write(&path(&self.film, self.count), &e))?;
        self.count += 1;
        Ok(())
    }

    /// Gives all of them their names.
    pub fn finish(self) -> Result<(), String> {
        let (mut new, mut replaced) = (Vec::new(), 0);
        for frame in 0..self.count {
            let to = path(&self.film, frame);
            let is_new = to.symlink_metadata().is_err();
            if let Err(error) = rename(&self.of(frame), &to) {
                new.iter().for_each(|path| drop(fs::remove_file(path)));
                let left = match replaced {
                    0 => "; nothing was written".to_owned(),
                    _ => format!("; {replaced} files of that name were replaced before it"),
                };
                return Err(cannot_write(&to, &error) + &left);
            }
            if is_new { new.push(to) } else { replaced += 1 }
        }
        Ok(())
    }

    fn of(&self, frame: usize) -> PathBuf {
        self.folder.join(format!("{frame:04}.png"))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.lock = None;
        // Nothing useful can be done about a failure here: it is a hidden folder at the worst.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Replaces what a link leads to rather than the link, and keeps the permissions of what is replaced.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if let Ok(found) = fs::metadata(to) {
        let _ = fs::set_permissions(from, found.permissions());
    }
    let to = fs::canonicalize(to).unwrap_or_else(|_| to.to_owned());
    match fs::rename(from, &to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => fs::copy(from, &to).map(drop),
        done => done,
    }
}

/// Removes what killed runs left of the same film; none that is locked, for it is in use.
fn sweep(folder: &Path, prefix: &str) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(here).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let digits = name.to_str().and_then(|name| name.strip_prefix(prefix)?.strip_suffix(".tmp"));
        let is_ours = digits.is_some_and(|d| d.len() == 8 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        // A link is no folder of ours.
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let lock = fs::OpenOptions::new().write(true).open(entry.path().join(LOCK));
            if lock.is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_killed_film_is_swept_away_by_the_next_and_one_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let film = folder.path().join("film.png");
        let left = folder.path().join(".film-frames.0123abcd.tmp");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        let mut first = Pending::new(&film).unwrap();
        assert!(!left.exists());
        first.keep(b"one").unwrap();
        let second = Pending::new(&film).unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(second);
        first.finish().unwrap();
        assert_eq!(names(folder.path()), ["film-0000.png"]);
    }

    #[test]
    fn a_name_that_cannot_be_given_takes_the_others_back() {
        let folder = tempfile::tempdir().unwrap();
        let film = folder.path().join("film.png");
        let mut pending = Pending::new(&film).unwrap();
        (0..3).for_each(|_| pending.keep(b"new").unwrap());
        // It came while the film was drawn.
        fs::create_dir(path(&film, 2)).unwrap();
        let error = pending.finish().unwrap_err();
        assert!(error.contains("film-0002.png") && error.contains("nothing was written"), "{error}");
        assert_eq!(names(folder.path()), ["film-0002.png"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (film, real) = (folder.path().join("film.png"), folder.path().join("real.png"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink("real.png", path(&film, 0)).unwrap();
        let mut pending = Pending::new(&film).unwrap();
        pending.keep(b"new").unwrap();
        pending.finish().unwrap();
        assert!(path(&film, 0).is_symlink() && fs::read(&real).unwrap() == b"new");
    }
}
