//! How figures are shown to people, and which of two is the worse.

use super::Figures;
use serde_json::{Value, json};
use std::fmt::Write;
use supple::math::rounded;

/// One figure: JSON name, heading of its column, how it is shown, which end of it is bad.
struct Column {
    key: &'static str,
    heading: &'static str,
    form: Form,
    bad: Bad,
}

#[derive(Clone, Copy)]
enum Form {
    /// A fraction, shown in per cent.
    Percent,
    Plain,
    /// Far below one.
    Tiny,
    /// As JSON has it.
    Word,
}

#[derive(Clone, Copy)]
enum Bad {
    High,
    Low,
    /// Far from nought, either way.
    Far,
    /// The same in every frame, or true in every frame.
    No,
}

/// The time of a frame, which a comparison adds to what is measured.
pub const FRAME_TIME: &str = "frame_ms";

const fn column(key: &'static str, heading: &'static str, form: Form, bad: Bad) -> Column {
    Column { key, heading, form, bad }
}

/// In the order in which they are shown.
static COLUMNS: &[Column] = &[
    column("rest_error", "rest", Form::Tiny, Bad::High),
    column("rigid_error", "rigid", Form::Tiny, Bad::High),
    column("overlap", "overlap", Form::Percent, Bad::High),
    column("inverted", "inverted", Form::Percent, Bad::High),
    column("box_overlap", "box over", Form::Percent, Bad::High),
    column("box_inverted", "box inv", Form::Percent, Bad::High),
    column("volume_drift", "volume", Form::Percent, Bad::Far),
    column("collapse", "collapse", Form::Plain, Bad::Low),
    column("bulge", "bulge", Form::Plain, Bad::High),
    column("stretch_p1", "p1", Form::Plain, Bad::Low),
    column("stretch_p99", "p99", Form::Plain, Bad::High),
    column("stretch_max", "max", Form::Plain, Bad::High),
    column("flipped", "flipped", Form::Percent, Bad::High),
    column("detail", "detail", Form::Percent, Bad::High),
    column("flicker", "flicker", Form::Plain, Bad::High),
    column("flicker_second", "second", Form::Plain, Bad::High),
    column("withering", "withering", Form::Plain, Bad::Low),
    column("gape", "gape", Form::Percent, Bad::High),
    column("tear", "tear", Form::Plain, Bad::High),
    column("pop", "pop", Form::Percent, Bad::High),
    column("reference_vertices", "compared", Form::Word, Bad::No),
    column("reference_rms", "rms", Form::Percent, Bad::High),
    column("reference_p95", "p95", Form::Percent, Bad::High),
    column("reference_max", "farthest", Form::Percent, Bad::High),
    column("reference_normal_rms", "normal", Form::Percent, Bad::High),
    column("reference_normal_p95", "normal p95", Form::Percent, Bad::High),
    column("reference_normal_mean", "fat", Form::Percent, Bad::Far),
    column("missing", "missing", Form::Percent, Bad::High),
    column("extra", "extra", Form::Percent, Bad::High),
    column("overlapping", "overlapping", Form::Percent, Bad::High),
    column("wrong", "wrong", Form::Percent, Bad::High),
    column("coverage", "coverage", Form::Plain, Bad::High),
    column("growth", "growth", Form::Plain, Bad::High),
    column("crack", "crack", Form::Percent, Bad::High),
    column("sunk", "sunk", Form::Percent, Bad::High),
    column("offset", "offset", Form::Percent, Bad::High),
    column("there_and_back", "back", Form::Tiny, Bad::High),
    column("encoded_again", "again", Form::Tiny, Bad::High),
    column("largest_move", "move", Form::Plain, Bad::High),
    column(FRAME_TIME, "ms", Form::Plain, Bad::High),
    column("finite", "finite", Form::Word, Bad::No),
    column("vertices", "vertices", Form::Word, Bad::No),
    column("welded", "welded", Form::Word, Bad::No),
    column("points", "points", Form::Word, Bad::No),
];

/// Width of a column of names.
const WIDE: usize = 28;
/// Figures from here on are rounded.
const LARGE: f64 = 1e5;

fn shown(form: Form, value: &Value) -> String {
    match (form, value.as_f64()) {
        (Form::Word, _) => value.to_string(),
        (_, None) => "-".to_owned(),
        // Nobody counts the digits of a character that has flown away.
        (Form::Percent, Some(v)) if v.abs() >= LARGE => format!("{} %", rounded(100.0 * v)),
        (Form::Plain, Some(v)) if v.abs() >= LARGE => rounded(v),
        // Rounded first, so that a hair below nought is not shown as -0.000.
        (Form::Percent, Some(v)) => format!("{:.3} %", (v * 1e5).round() / 1e3 + 0.0),
        (Form::Plain, Some(v)) => format!("{v:.4}"),
        (Form::Tiny, Some(v)) => format!("{v:.1e}"),
    }
}

/// A figure by its name, as people read it.
pub fn text(figures: &Figures, key: &str) -> Option<String> {
    let column = COLUMNS.iter().find(|c| c.key == key)?;
    figures.get(key).map(|value| shown(column.form, value))
}

/// How bad a figure is: the larger, the worse. Ratios to the rest pose are at their best at one, so that skin which
/// only grew is not praised for not shrinking. None where there is no such figure.
pub fn badness(figures: &Figures, key: &str) -> Option<f64> {
    let column = COLUMNS.iter().find(|c| c.key == key)?;
    let value = figures.get(key)?.as_f64()?;
    let ratio = matches!(column.form, Form::Plain) && key != FRAME_TIME;
    match column.bad {
        Bad::High if ratio => Some(value.max(1.0)),
        Bad::High => Some(value),
        Bad::Low if ratio => Some(-value.min(1.0)),
        Bad::Low => Some(-value),
        Bad::Far => Some(value.abs()),
        Bad::No => None,
    }
}

/// Why nothing is said of overlap and volume, where that is so.
pub fn unjudged(figures: &Figures) -> Option<&str> {
    figures.get("cannot_be_judged")?.as_str()
}

/// One figure a line.
pub fn list(figures: &Figures) -> String {
    let mut text = String::new();
    for c in COLUMNS {
        if let Some(value) = figures.get(c.key) {
            let _ = writeln!(text, "{:<16}{:>12}", c.key.replace('_', " "), shown(c.form, value));
        }
    }
    if let Some(why) = unjudged(figures) {
        let _ = writeln!(text, "overlap, inverted and volume cannot be judged: {why}");
    }
    text
}

/// What varies from frame to frame, side by side.
fn in_rows(row: &Figures) -> impl Iterator<Item = &'static Column> {
    let varies = |c: &&Column| !matches!(c.bad, Bad::No) || c.key == "finite";
    COLUMNS.iter().filter(varies).filter(|c| row.contains_key(c.key))
}

/// The headings of the figures that a row has.
pub fn heading(row: &Figures) -> String {
    in_rows(row).fold(format!("{:<6}", "frame"), |text, c| format!("{text}{:>11}", c.heading))
}

/// One row.
pub fn line(name: &str, row: &Figures) -> String {
    in_rows(row).fold(format!("{name:<6}"), |text, c| format!("{text}{:>11}", shown(c.form, &row[c.key])))
}

/// The headings of some figures, after a wide column.
pub fn titles(first: &str, keys: &[&str]) -> String {
    let headings = keys.iter().filter_map(|key| COLUMNS.iter().find(|c| c.key == *key));
    headings.fold(format!("{first:<WIDE$}"), |text, c| format!("{text}{:>13}", c.heading))
}

/// Some figures in a row, after a wide column.
pub fn row(name: &str, row: &Figures, keys: &[&str]) -> String {
    let shown = keys.iter().map(|key| row.get(*key).and_then(|_| text(row, key)).unwrap_or_else(|| "-".to_owned()));
    shown.fold(format!("{name:<WIDE$}"), |text, figure| format!("{text}{figure:>13}"))
}

/// The worst of every figure over the rows that have it.
pub fn worst(rows: &[Figures]) -> Figures {
    let mut worst = Figures::new();
    for c in COLUMNS.iter().filter(|c| rows.iter().any(|r| r.contains_key(c.key))) {
        let numbers = rows.iter().filter_map(|r| r.get(c.key)?.as_f64());
        let found = match c.bad {
            Bad::High => json!(numbers.max_by(f64::total_cmp)),
            Bad::Low => json!(numbers.min_by(f64::total_cmp)),
            Bad::Far => json!(numbers.max_by(|a, b| a.abs().total_cmp(&b.abs()))),
            Bad::No if c.key == "finite" => json!(rows.iter().all(|r| r.get(c.key).is_none_or(|f| *f == true))),
            Bad::No => rows.iter().find_map(|r| r.get(c.key)).cloned().unwrap_or_default(),
        };
        worst.insert(c.key.to_owned(), found);
    }
    worst
}
