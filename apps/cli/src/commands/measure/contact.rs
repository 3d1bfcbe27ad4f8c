//! What touches in a pose, for people to read.

use crate::wording;
use serde_json::Value;
use std::fmt::Write;

/// A row for each pair of limbs that touch; nothing where none do.
pub fn table(contacts: &Value) -> String {
    let rows = contacts.as_array().map(Vec::as_slice).unwrap_or_default();
    let names = rows.iter().map(|row| {
        let name = |k: usize| wording::name(row["limbs"][k].as_str().unwrap_or_default());
        format!("{} on {}", name(0), name(1))
    });
    let names: Vec<String> = names.collect();
    let Some(longest) = names.iter().map(|n| n.chars().count()).max() else { return String::new() };
    let wide = longest.max(32) + 2;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:<wide$}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
        "contact", "points", "area", "mean", "largest", "reach", "full at"
    );
    for (row, name) in rows.iter().zip(&names) {
        let number = |key: &str, digits: usize| row[key].as_f64().map_or("-".to_owned(), |v| format!("{v:.digits$}"));
        let _ = writeln!(
            text,
            "{name:<wide$}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
            row["points"].as_u64().unwrap_or(0),
            row["area"].as_f64().map_or("-".to_owned(), |v| format!("{v:.4e}")),
            number("mean_pressure", 3),
            number("largest_pressure", 3),
            number("reach", 2),
            number("full_contact_angle", 1),
        );
    }
    text
}
