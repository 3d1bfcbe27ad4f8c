//! What a piece of work is made from: every file is opened here, and remembered by what it is rather than by what it is
//! called, so that no result can take its place.
//!
//! Only regular files are opened: a device or a pipe has no end that could be known before. A file is held against the limit
//! of its kind before a byte of it is read, and its first bytes and what is stored of it against its size before the rest is.

mod beside;
mod head;
mod identity;
mod limit;
mod materials;

pub use beside::{Reach, beside};
pub use identity::Identity;
pub(super) use limit::size;
pub use limit::{Kind, Limits};

use super::{Format, Loaded, ReadError, content};
use crate::write;
use std::{
    cell::Cell,
    fs::{File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// See the module.
#[derive(Debug, Default)]
pub struct Inputs {
    limits: Limits,
    known: Mutex<Vec<(PathBuf, Identity)>>,
}

impl Inputs {
    /// Nothing read yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, known: Mutex::default() }
    }

    /// A rig by its path, with what it names beside it.
    pub fn rig(&self, path: impl AsRef<Path>) -> Result<Loaded, ReadError> {
        let path = path.as_ref();
        if path.is_dir() {
            return Err(ReadError::Folder);
        }
        let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let format = Format::of_extension(&extension).ok_or(ReadError::UnknownFormat(extension))?;
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = self.bytes(path, Kind::Rig(format))?;
        if format == Format::Obj {
            self.remember_materials(path, &bytes);
        }
        // What it names counts towards the same limit: a small file could else name a large one again and again.
        let most = self.limits.most(Kind::Rig(format));
        let left = Cell::new(most.saturating_sub(bytes.len() as u64));
        let resolve = |relative: &str| self.neighbour(path, relative, &left, most).map_err(ReadError::into_io);
        super::bytes(&name, format, bytes, &resolve)
    }

    /// A rig from a stream, its format told by what it holds. It must stand alone. What does not begin like a rig is not read
    /// on: a stream may be endless.
    pub fn rig_from(&self, name: &str, mut stream: impl Read) -> Result<Loaded, ReadError> {
        let most = self.limits.most(Kind::Stream);
        let mut head = Vec::new();
        (&mut stream).take(head::LENGTH).read_to_end(&mut head)?;
        if !content::may_be_rig(&head) {
            return Err(ReadError::UnknownContent);
        }
        let bytes = all(head.as_slice().chain(stream), 0, most, Kind::Stream)?;
        let format = Format::of_content(&bytes).ok_or(ReadError::UnknownContent)?;
        super::bytes(name, format, bytes, &super::resolve_nothing)
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &Path, kind: Kind) -> Result<Vec<u8>, ReadError> {
        self.at_most(path, kind, self.limits.most(kind))
    }

    /// A file of text.
    pub fn text(&self, path: &Path, kind: Kind) -> Result<String, ReadError> {
        text(self.bytes(path, kind)?)
    }

    /// Text from a stream.
    pub fn text_from(&self, stream: impl Read, kind: Kind) -> Result<String, ReadError> {
        text(all(stream, 0, self.limits.most(kind), kind)?)
    }

    /// Refuses an output that is one of the files read so far, whatever it is called.
    pub fn refuse_replacing(&self, output: &Path) -> Result<(), write::Error> {
        let Some(there) = Identity::of(output) else { return Ok(()) };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.iter().find(|(_, identity)| identity.is(&there)) {
            Some((input, _)) => Err(write::Error::Input { path: output.to_owned(), input: input.clone() }),
            None => Ok(()),
        }
    }

    /// A file that another names; `left` of the `most` bytes that all of them may have together.
    fn neighbour(&self, file: &Path, name: &str, left: &Cell<u64>, most: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.at_most(&beside(file, name, Reach::Folder)?, Kind::Beside, left.get());
        let bytes = bytes.map_err(|error| match error {
            ReadError::TooLarge { size, kind, .. } => {
                let together = size.map(|size| size.saturating_add(most.saturating_sub(left.get())));
                ReadError::TooLarge { size: together, most, kind }
            }
            other => other,
        })?;
        left.set(left.get().saturating_sub(bytes.len() as u64));
        Ok(bytes)
    }

    fn at_most(&self, path: &Path, kind: Kind, most: u64) -> Result<Vec<u8>, ReadError> {
        // Looked at before it is opened, because opening a pipe waits for whoever writes into it; and again after, because
        // the name may lead elsewhere by then.
        refuse_special(&std::fs::metadata(path)?)?;
        let mut file = File::open(path)?;
        let found = file.metadata()?;
        refuse_special(&found)?;
        self.remember(path, &found);
        let size = found.len();
        if size > most {
            return Err(ReadError::TooLarge { size: Some(size), most, kind });
        }
        let mut head = Vec::new();
        (&mut file).take(head::LENGTH).read_to_end(&mut head)?;
        if let Kind::Rig(format) = kind
            && size > head::LENGTH
        {
            head::check(format, &head, size)?;
        }
        self.limits.refuse_hollow(&found)?;
        all(head.as_slice().chain(file), size, most, kind)
    }

    /// Remembers a file that somebody else has opened; pipes and terminals are nothing that could be replaced.
    pub fn opened_elsewhere(&self, path: &Path) {
        if let Ok(found) = std::fs::metadata(path)
            && found.is_file()
        {
            self.remember(path, &found);
        }
    }

    fn remember(&self, path: &Path, found: &Metadata) {
        let identity = Identity::of_open(path, found);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), identity));
    }
}

/// Everything that comes, up to a limit; `size` is what is expected.
fn all(stream: impl Read, size: u64, most: u64, kind: Kind) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let room = usize::try_from(size).ok().and_then(|size| bytes.try_reserve_exact(size).ok());
    room.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // A file may grow while it is read, and some say that they are empty.
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge { size: None, most, kind });
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|e| {
        let place = format!("byte {}", e.utf8_error().valid_up_to());
        ReadError::invalid(place, "is not UTF-8")
    })
}

fn refuse_special(found: &Metadata) -> Result<(), ReadError> {
    if found.is_file() {
        return Ok(());
    }
    if found.is_dir() {
        return Err(ReadError::Folder);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return Err(ReadError::Special("a pipe"));
        }
        if kind.is_socket() {
            return Err(ReadError::Special("a socket"));
        }
    }
    Err(ReadError::Special("a device"))
}
