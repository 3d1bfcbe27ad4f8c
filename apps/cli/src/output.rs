//! Where results go: looked at before the work, which would else be lost.

use anyhow::{Context, Result, bail};
use std::path::Path;
use supple::write;

/// Refuses outputs that cannot be meant: a folder, and the file that is being read, because a rig moved
/// onto itself would lose its bones and clips.
pub fn check(input: Option<&Path>, output: &Path) -> Result<()> {
    write::refuse_folder(output)?;
    if let Some(folder) = output.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        return Err(write::Error::NoFolder { path: output.to_owned(), folder: folder.to_owned() }.into());
    }
    if input.is_some_and(|i| is_same_file(i, output)) {
        bail!("{}: is the rig itself; moved points would replace its bones and clips", output.display());
    }
    Ok(())
}

/// True where both names lead to one file that is there.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |p: &Path| std::fs::canonicalize(p).ok();
    real(a).is_some() && real(a) == real(b)
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
