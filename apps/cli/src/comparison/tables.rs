//! Figures side by side, the best and the worst of each row marked.

use super::{
    Report, Sheet,
    page::escape,
    words::{WORDS, Word},
};
use crate::commands::measure::{Figures, table};
use std::fmt::{self, Write};

/// Errors below this are rounding, and no method is better for less of it.
const SOUND: f64 = 1e-5;

/// What stands in a column: the name of the method, and its figures where it has any.
type Column<'a> = (&'a str, Option<&'a Figures>);

pub fn of_sheet(out: &mut String, sheet: &Sheet) -> fmt::Result {
    let column = |e: &'_ super::Entry| -> (&'static str, Option<Figures>) {
        (e.method.name, e.outcome.as_ref().ok().map(|o| o.figures.clone()))
    };
    let owned: Vec<_> = sheet.entries.iter().map(column).collect();
    write(out, &borrowed(&owned), &sheet.name())?;
    if let Some(why) = owned.iter().flat_map(|(_, f)| f).find_map(table::unjudged) {
        writeln!(out, "<p class=\"small\">Overlap, inverted and volume cannot be judged: {}.</p>", escape(why))?;
    }
    Ok(())
}

/// The worst figure of each method over all poses that it could be moved to.
pub fn worst(out: &mut String, report: &Report) -> fmt::Result {
    let of = |name: &str| {
        let entries = report.sheets.iter().flat_map(|s| &s.entries).filter(|e| e.method.name == name);
        let rows: Vec<Figures> = entries.filter_map(|e| Some(e.outcome.as_ref().ok()?.figures.clone())).collect();
        (!rows.is_empty()).then(|| table::worst(&rows))
    };
    let owned: Vec<_> = report.methods.iter().map(|m| (m.name, of(m.name))).collect();
    write(out, &borrowed(&owned), "the worst over all poses")
}

fn borrowed<'a>(columns: &'a [(&'static str, Option<Figures>)]) -> Vec<Column<'a>> {
    columns.iter().map(|(name, figures)| (*name, figures.as_ref())).collect()
}

fn write(out: &mut String, columns: &[Column<'_>], label: &str) -> fmt::Result {
    let label = escape(&format!("figures: {label}"));
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n<table>\n<thead><tr>"
    )?;
    write!(out, "<th scope=\"col\">figure</th>")?;
    for (name, _) in columns {
        write!(out, "<th scope=\"col\">{}</th>", escape(name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for word in WORDS.iter().filter(|w| columns.iter().any(|(_, f)| f.is_some_and(|f| f.contains_key(w.key)))) {
        row(out, word, columns)?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}

fn row(out: &mut String, word: &Word, columns: &[Column<'_>]) -> fmt::Result {
    let (name, short) = (word.name, escape(word.short));
    write!(out, "<tr><th scope=\"row\" title=\"{short}\">{name}<small>{short}</small></th>")?;
    let texts: Vec<Option<String>> = columns.iter().map(|(_, f)| table::text((*f)?, word.key)).collect();
    let marks = marks(word.key, columns, &texts);
    for (text, mark) in texts.iter().zip(marks) {
        match (text, mark) {
            (None, _) => write!(out, "<td>\u{2013}</td>")?,
            (Some(text), "") => write!(out, "<td>{text}</td>")?,
            (Some(text), mark) => {
                write!(out, "<td><span class=\"{mark}\" title=\"{mark} of the row\">{text}</span></td>")?
            }
        }
    }
    writeln!(out, "</tr>")
}

/// `best`, `worst` or nothing for each column. What reads the same is the same.
fn marks(key: &str, columns: &[Column<'_>], texts: &[Option<String>]) -> Vec<&'static str> {
    let bad: Vec<Option<f64>> = columns.iter().map(|(_, f)| table::badness((*f)?, key)).collect();
    let known = || (0..bad.len()).filter_map(|i| Some((i, bad[i]?)));
    let least = known().min_by(|a, b| a.1.total_cmp(&b.1));
    let most = known().max_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(least), Some(most)) = (least, most) else { return vec![""; columns.len()] };
    let sound = key.ends_with("_error") && most.1 <= SOUND;
    let mark = |i: usize| match bad[i] {
        _ if sound || texts[least.0] == texts[most.0] || least.1 == most.1 => "",
        Some(b) if b == least.1 || texts[i] == texts[least.0] => "best",
        Some(b) if b == most.1 || texts[i] == texts[most.0] => "worst",
        _ => "",
    };
    (0..bad.len()).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn marked(key: &str, values: &[Value]) -> Vec<&'static str> {
        let figures: Vec<Figures> = values.iter().map(|v| Figures::from_iter([(key.to_owned(), v.clone())])).collect();
        let columns: Vec<Column<'_>> = figures.iter().map(|f| ("", Some(f))).collect();
        let texts: Vec<_> = figures.iter().map(|f| table::text(f, key)).collect();
        marks(key, &columns, &texts)
    }

    #[test]
    fn the_ends_of_a_row_are_marked_by_what_is_good() {
        assert_eq!(marked("overlap", &[json!(0.1), json!(0.0), json!(0.05)]), ["worst", "best", ""]);
        assert_eq!(marked("collapse", &[json!(0.1), json!(0.9), json!(null)]), ["worst", "best", ""]);
        assert_eq!(marked("volume_drift", &[json!(-0.1), json!(0.01)]), ["worst", "best"]);
    }

    #[test]
    fn what_reads_the_same_is_not_marked() {
        assert_eq!(marked("overlap", &[json!(0.1), json!(0.100_000_1)]), ["", ""]);
        assert_eq!(marked("rest_error", &[json!(1e-8), json!(1e-6)]), ["", ""]);
        assert_eq!(marked("rest_error", &[json!(1e-8), json!(1e-3)]), ["best", "worst"]);
        assert_eq!(marked("collapse", &[json!(1.1), json!(1.2)]), ["", ""]);
        assert_eq!(marked("overlap", &[json!(0.1)]), [""]);
    }
}
