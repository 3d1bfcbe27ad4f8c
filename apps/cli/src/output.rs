//! Where results go. Every file that a command writes gets its name here, so that one rule holds for all of them: what is
//! there already and was read for the work is not replaced, whatever it is called. It is looked at twice: before the work,
//! which would else be lost, and where the file gets its name.

use crate::{args::Destination, console::Console, input};
use anyhow::{Context, Result, anyhow, bail};
use std::{
    ffi::OsString,
    fmt,
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
    /// It was asked for: the old one goes here.
    Keeping(PathBuf),
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
        Self::new(rig.to_owned(), Replacing::Keeping(beside(rig)), console)
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
            Replacing::Keeping(kept) => {
                can_be_written(kept)?;
                self.inputs.refuse_replacing(kept)?;
            }
        }
        Ok(())
    }

    /// Gives the file its name; where it replaces the rig, after the old one is safe.
    pub fn write<T>(&self, write: impl FnOnce(&Path) -> Result<T, write::Error>) -> Result<T> {
        self.check()?;
        if let Replacing::Keeping(kept) = &self.replacing {
            let mut old = std::fs::File::open(&self.path).with_context(|| self.path.display().to_string())?;
            write::file(kept, |out| Ok(std::io::copy(&mut old, out).map(drop)?))?;
        }
        Ok(write(&self.path)?)
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
            Replacing::Keeping(kept) => write!(f, ", the old one is {}", kept.display()),
            _ => Ok(()),
        }
    }
}

/// Where an old file goes: `x.glb~`, or `x.glb~2` and so on, because one that was kept before may be the only one of its kind.
fn beside(file: &Path) -> PathBuf {
    let numbered = |number: usize| {
        let mut name = OsString::from(file);
        name.push(if number == 1 { "~".to_owned() } else { format!("~{number}") });
        PathBuf::from(name)
    };
    (1..).map(numbered).find(|path| path.symlink_metadata().is_err()).expect("numbers do not end")
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
