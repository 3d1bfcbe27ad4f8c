//! What touches in a pose, for people to read.

use crate::wording;
use serde_json::Value;
use std::fmt::Write;

/// A row for each pair of limbs that touch; nothing where none do.
pub fn table(contacts: &Value) -> String {
    let mut text = String::new();
    for (i, row) in contacts.as_array().into_iter().flatten().enumerate() {
        if i == 0 {
            let _ = writeln!(
                text,
                "{:<34}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
                "contact", "points", "area", "mean", "largest", "reach", "full at"
            );
        }
        let name = |k: usize| wording::name(row["limbs"][k].as_str().unwrap_or_default());
        let number = |key: &str, digits: usize| row[key].as_f64().map_or("-".to_owned(), |v| format!("{v:.digits$}"));
        let _ = writeln!(
            text,
            "{:<34}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
            format!("{} on {}", name(0), name(1)),
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
