//! The report in short, for a terminal.

use super::Report;
use crate::{commands::measure::table, wording};
use std::{
    io::{self, Write},
    path::Path,
};

/// What tells most, in the width of a terminal.
const SHOWN: [(&str, &str); 6] = [
    ("overlap", "overlap"),
    ("volume_drift", "volume"),
    ("collapse", "collapse"),
    ("bulge", "bulge"),
    ("detail", "detail"),
    (table::FRAME_TIME, "ms"),
];

/// A line for each pose and method and, last, where the page is.
pub fn print(report: &Report, page: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for sheet in &report.sheets {
        let headings: String = SHOWN.iter().map(|(_, heading)| format!("{heading:>11}")).collect();
        writeln!(out, "{:<30}{headings}", wording::name(&sheet.name()))?;
        for entry in &sheet.entries {
            match &entry.outcome {
                Err(why) => writeln!(out, "  {:<28}  {}", entry.method.name, wording::line(why))?,
                Ok(outcome) => {
                    let text = |key: &str| table::text(&outcome.figures, key).unwrap_or_else(|| "-".to_owned());
                    let cells: String = SHOWN.iter().map(|(key, _)| format!("{:>11}", text(key))).collect();
                    writeln!(out, "  {:<28}{cells}", entry.method.name)?;
                }
            }
        }
    }
    writeln!(out, "\nThe report, with pictures: {}", page.display())
}
