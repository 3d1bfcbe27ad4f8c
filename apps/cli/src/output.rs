//! Where results go. Every file that a command writes gets its name here, so that one rule holds for all of them: what is
//! there already and was read for the work is not replaced, whatever it is called. It is looked at twice: before the work,
//! which would else be lost, and where the file gets its name.

use crate::{args::Destination, console::Console, input};
use anyhow::{Context, Result, anyhow, bail};
use std::{
    cell::OnceCell,
    ffi::OsString,
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
};
use supple::{read::Inputs, rig::Rig, write};

/// A file to be written.
pub struct Output<'a> {
    path: PathBuf,
    inputs: &'a Inputs,
    replacing: Replacing,
}

/// What happens to the rig that is read, where its name is that of the output.
enum Replacing {
    /// It is refused.
    Never,
    /// It is refused, and could be asked for.
    Offered { rig: PathBuf },
    /// It was asked for: where the old one went, once it has.
    Keeping(OnceCell<PathBuf>),
}

impl<'a> Output<'a> {
    /// A file by its name, refused where it cannot be written.
    pub fn file(path: impl Into<PathBuf>, console: &'a Console) -> Result<Self> {
        Self::new(path.into(), Replacing::Never, console)
    }

    /// Another file, or the rig itself in place.
    pub fn of_rig(rig: &Path, to: &Destination, console: &'a Console) -> Result<Self> {
        if let Some(path) = &to.output {
            return Self::new(path.clone(), Replacing::Offered { rig: rig.to_owned() }, console);
        }
        if input::is_stream(rig) {
            bail!("--in-place: standard input is no file; name the output with -o");
        }
        Self::new(rig.to_owned(), Replacing::Keeping(OnceCell::new()), console)
    }

    fn new(path: PathBuf, replacing: Replacing, console: &'a Console) -> Result<Self> {
        let output = Self { path, inputs: &console.inputs, replacing };
        output.check()?;
        Ok(output)
    }

    /// The name as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The ending of the name in small letters.
    pub fn ending(&self) -> String {
        self.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
    }

    /// Refuses what is now known to be an input, and what cannot be written. Called as soon as everything is read.
    pub fn check(&self) -> Result<()> {
        can_be_written(&self.path)?;
        match &self.replacing {
            Replacing::Never => self.inputs.refuse_replacing(&self.path)?,
            Replacing::Offered { rig } => {
                self.inputs.refuse_replacing(&self.path).map_err(|error| match &error {
                    write::Error::Input { input, .. } if input == rig => anyhow!("{error}, or use --in-place"),
                    _ => error.into(),
                })?;
            }
            Replacing::Keeping(_) => {}
        }
        Ok(())
    }

    /// Gives the file its name; where it replaces the rig, after the old one is safe.
    pub fn write<T>(&self, write: impl FnOnce(&Path) -> Result<T, write::Error>) -> Result<T> {
        self.check()?;
        let Replacing::Keeping(kept) = &self.replacing else { return Ok(write(&self.path)?) };
        let old = keep(&self.path).with_context(|| format!("{}: cannot be kept", self.path.display()))?;
        let written = write(&self.path);
        match written {
            Ok(_) => drop(kept.set(old)),
            // The file is as it was: a second name for it would only puzzle.
            Err(_) => drop(std::fs::remove_file(old)),
        }
        Ok(written?)
    }

    /// Writes a whole rig, and says what of its source could not be kept.
    pub fn rig(&self, rig: &Rig, console: &Console) -> Result<()> {
        console.kept(&self.path, &self.write(|path| write::rig(path, rig))?);
        Ok(())
    }
}

impl fmt::Display for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match &self.replacing {
            Replacing::Keeping(kept) => {
                kept.get().map_or(Ok(()), |old| write!(f, ", the old one is {}", old.display()))
            }
            _ => Ok(()),
        }
    }
}

/// Gives a file a second name, under which it stays: `x.glb~`, or `x.glb~2` and so on. A name that is taken is never
/// replaced, not even where two runs want it at once, because what was kept before may be the only one of its kind.
fn keep(file: &Path) -> io::Result<PathBuf> {
    let numbered = |number: usize| {
        let mut name = OsString::from(file);
        name.push(if number == 1 { "~".to_owned() } else { format!("~{number}") });
        PathBuf::from(name)
    };
    let content = std::fs::canonicalize(file)?;
    let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    for kept in (1..).map(numbered) {
        // Some file systems have no links.
        let named = match std::fs::hard_link(&content, &kept) {
            Err(error) if !is_taken(&error) => copy(&content, &kept),
            linked => linked,
        };
        match named {
            Ok(()) => return Ok(kept),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Copies a file to a name that is free, whole or not at all.
fn copy(file: &Path, to: &Path) -> io::Result<()> {
    let mut out = File::create_new(to)?;
    let copied = File::open(file).and_then(|mut old| io::copy(&mut old, &mut out)).and_then(|_| out.sync_all());
    copied.inspect_err(|_| drop(std::fs::remove_file(to)))
}

fn can_be_written(path: &Path) -> Result<()> {
    write::refuse_folder(path)?;
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        return Err(write::Error::NoFolder { path: path.to_owned(), folder: folder.to_owned() }.into());
    }
    Ok(write::refuse_protected(path)?)
}

/// Refuses a file where a folder is to be made.
pub fn refuse_file(folder: &Path) -> Result<()> {
    if folder.is_file() {
        bail!("{}: is a file, and a folder is expected", folder.display());
    }
    Ok(())
}

/// Makes the folder of an output where it is missing.
pub fn make_folder(folder: &Path) -> Result<()> {
    refuse_file(folder)?;
    std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot make this folder", folder.display()))
}
