//! Limits of the harm that a method may do to its start; what they are is in the book's page of figures.

use super::sheet::{Limit, Sheet};
use supple::measure::HarmFigures;

/// The columns.
pub const COLUMNS: [&str; 3] = ["withering", "gape", "tear"];
/// Thinnest section over that of the start.
pub const WITHERING: f64 = 0.9;
/// Of a square radius: a vertex at the mouth of a crease may see across it.
pub const GAPE: f64 = 0.005;
/// Stretch beside a crease over that of the start.
pub const TEAR: f64 = 1.5;
/// Change of the correction between two frames, over the diagonal.
pub const POP: f64 = 0.01;

/// The cells of a pose by our method, judged, or of another one, as they are. Where nothing touches nothing can tear.
pub fn cells(sheet: &mut Sheet, what: &dyn Fn(&str) -> String, ours: bool, found: &HarmFigures) -> [String; 3] {
    let values = [found.withering, found.gape, found.tear];
    let limits = [Limit::Least(WITHERING), Limit::Most(GAPE), Limit::Most(TEAR)];
    std::array::from_fn(|i| match values[i] {
        Some(_) if ours => sheet.judge(&what(COLUMNS[i]), values[i], limits[i], three),
        value => value.map_or("-".into(), three),
    })
}

fn three(v: f64) -> String {
    format!("{v:.3}")
}
