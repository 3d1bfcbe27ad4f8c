//! The folder of a report.

use super::{Entry, Report, Sheet, page};
use crate::{
    console::Console,
    output::{self, Output},
};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};
use supple::write;

const FIGURES: &str = "figures.json";
const PAGE: &str = "index.html";

/// Refuses a folder where the two files cannot be written, or would replace what is not ours.
pub fn check(folder: &Path, console: &Console) -> Result<()> {
    output::refuse_file(folder)?;
    if folder.is_dir() {
        for name in [FIGURES, PAGE] {
            ours(folder, name, console)?;
        }
    }
    Ok(())
}

/// Writes both files, each whole or not at all, the page last. Returns where the page is.
pub fn save(report: &Report, folder: &Path, console: &Console) -> Result<PathBuf> {
    let figures = serde_json::to_string_pretty(&figures(report))?;
    let html = page::html(report)?;
    let (at_figures, at_page) = (ours(folder, FIGURES, console)?, ours(folder, PAGE, console)?);
    at_figures.write(|path| write::file(path, |out| Ok(writeln!(out, "{figures}")?)))?;
    at_page.write(|path| write::file(path, |out| Ok(out.write_all(html.as_bytes())?)))?;
    Ok(at_page.path().to_owned())
}

/// One of the two files, which is free or was made by such a command.
fn ours<'a>(folder: &Path, name: &str, console: &'a Console) -> Result<Output<'a>> {
    let output = Output::file(folder.join(name), console)?;
    let path = output.path();
    if path.is_file() && !is_ours(path) {
        bail!("{}: is there already and was not made by supple; give another folder", path.display());
    }
    Ok(output)
}

/// By the first bytes, the first lines of a page or of its figures. Those made before either named its maker are known by
/// what only they say.
fn is_ours(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let says = |all: &[&str]| all.iter().all(|words| head.contains(words));
    read.is_ok()
        && (says(&[page::GENERATOR])
            || says(&["<dt>made by</dt><dd>supple "])
            || says(&["\"generator\": \"supple"])
            || (head.starts_with("{\n  \"computed_on\": ") && says(&["\n  \"drawn_on\": ", "\n  \"poses\": "])))
}

fn figures(report: &Report) -> Value {
    let entry = |e: &Entry| match &e.outcome {
        Ok(outcome) => json!({"method": e.method.name, "figures": outcome.figures}),
        Err(why) => json!({"method": e.method.name, "refused": why}),
    };
    let sheet = |s: &Sheet| {
        let entries: Vec<Value> = s.entries.iter().map(entry).collect();
        json!({"character": s.character, "pose": s.title, "vertices": s.vertices, "methods": entries})
    };
    json!({
        "version": 1,
        "generator": format!("supple {}", env!("CARGO_PKG_VERSION")),
        "computed_on": report.computed_on,
        "drawn_on": report.drawn_on,
        "poses": report.sheets.iter().map(sheet).collect::<Vec<_>>(),
    })
}
