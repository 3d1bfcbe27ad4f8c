//! What a command reads, by name or, where the name is `-`, from standard input.

use crate::console::Console;
use anyhow::{Context, Result, anyhow};
use std::path::{Path, PathBuf};
use supple::{
    read::{self, Kind, Reach, ReadError},
    rig::Rig,
};

/// Whether standard input is meant.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// As errors and warnings call it.
fn name(path: &Path) -> String {
    if is_stream(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a rig and reports what had to be mended.
pub fn rig(path: &Path, console: &Console) -> Result<Rig> {
    let loaded =
        if is_stream(path) { console.inputs.rig_from("stdin", console.stream()?) } else { console.inputs.rig(path) };
    let name = name(path);
    let loaded = loaded.with_context(|| name.clone())?;
    Ok(console.rig(&name, loaded))
}

/// Reads a file of text.
pub fn text(path: &Path, kind: Kind, console: &Console) -> Result<String> {
    let text = if is_stream(path) {
        console.inputs.text_from(console.stream()?, kind)
    } else {
        console.inputs.text(path, kind)
    };
    text.with_context(|| name(path))
}

/// A file that a project names: its "rig", or a "motion".
pub fn of_project(project: &Path, what: &str, named: &str, reach: Reach) -> Result<PathBuf> {
    let of = format!("{}: its {what}", name(project));
    read::beside(project, named, reach).map_err(|error| match error {
        ReadError::Outside { .. } => anyhow!("{of} {error}; --allow-outside lets it"),
        _ => anyhow!(error).context(format!("{of} \"{named}\"")),
    })
}
