//! The folder of a report.

use super::{Entry, Report, Sheet, page};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use supple::write;

/// Writes both files, each whole or not at all, the page last. Returns where the page is.
pub fn save(report: &Report, folder: &Path) -> Result<PathBuf> {
    let figures = serde_json::to_string_pretty(&figures(report))?;
    let html = page::html(report)?;
    write::file(folder.join("figures.json"), |out| Ok(writeln!(out, "{figures}")?))?;
    let page = folder.join("index.html");
    write::file(&page, |out| Ok(out.write_all(html.as_bytes())?))?;
    Ok(page)
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
        "computed_on": report.computed_on,
        "drawn_on": report.drawn_on,
        "poses": report.sheets.iter().map(sheet).collect::<Vec<_>>(),
    })
}
