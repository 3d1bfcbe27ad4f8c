//! The page: one file with everything in it, no scripts, nothing fetched.

use super::{Report, cards, tables, words::WORDS};
use std::fmt::{self, Write};

/// How a page begins to say who made it; such a page may be replaced by another.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"supple";
const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn html(report: &Report) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let title = escape(&report.title);
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "{GENERATOR} {}\">", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">")?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<header>\n<h1>{title}</h1>\n<p class=\"lead\">{}</p>", escape(&report.lead))?;
    writeln!(out, "<dl class=\"facts\">")?;
    for (name, value) in facts(report) {
        writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value))?;
    }
    writeln!(out, "</dl>\n{LEGEND}\n</header>")?;
    if report.sheets.len() > 1 {
        contents(&mut out, report)?;
        writeln!(out, "<section id=\"worst\">\n<h2>The worst of every figure, over all poses</h2>")?;
        tables::worst(&mut out, report)?;
        writeln!(out, "</section>")?;
    }
    for (i, sheet) in report.sheets.iter().enumerate() {
        writeln!(out, "<section id=\"pose-{i}\">\n<h2>{}</h2>", escape(&capital(&sheet.name())))?;
        writeln!(out, "<p class=\"small\">{}</p>", size(sheet.vertices, sheet.triangles))?;
        cards::write(&mut out, sheet)?;
        tables::of_sheet(&mut out, sheet)?;
        writeln!(out, "</section>")?;
    }
    methods(&mut out, report)?;
    definitions(&mut out, report)?;
    writeln!(out, "</main>\n</body>\n</html>")?;
    Ok(out)
}

const LEGEND: &str = "<p class=\"legend\"><span class=\"best\">best</span> and <span class=\"worst\">worst</span> of a row \
                      are marked where methods differ. In pictures that are cut open, what lies before the joint is \
                      taken away, and the inside of the skin is blue.</p>";

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    vec![
        ("computed on", report.computed_on.clone()),
        ("drawn on", report.drawn_on.clone()),
        ("took", format!("{:.1} s", report.seconds)),
        ("made by", format!("supple {}", env!("CARGO_PKG_VERSION"))),
    ]
}

fn contents(out: &mut String, report: &Report) -> fmt::Result {
    writeln!(out, "<nav aria-label=\"contents\"><ul>\n<li><a href=\"#worst\">Overview</a></li>")?;
    for (i, sheet) in report.sheets.iter().enumerate() {
        writeln!(out, "<li><a href=\"#pose-{i}\">{}</a></li>", escape(&capital(&sheet.name())))?;
    }
    writeln!(out, "<li><a href=\"#methods\">Methods</a></li>\n<li><a href=\"#figures\">Figures</a></li>\n</ul></nav>")
}

fn methods(out: &mut String, report: &Report) -> fmt::Result {
    writeln!(out, "<section id=\"methods\">\n<h2>The methods</h2>\n<dl class=\"words\">")?;
    for m in &report.methods {
        let (summary, paper) = (escape(&capital(m.summary)), escape(m.paper));
        writeln!(out, "<dt>{}</dt><dd>{summary}. <span class=\"small\">{paper}</span></dd>", escape(m.name))?;
    }
    writeln!(out, "</dl>\n</section>")
}

fn definitions(out: &mut String, report: &Report) -> fmt::Result {
    writeln!(out, "<section id=\"figures\">\n<h2>What the figures mean</h2>\n<dl class=\"words\">")?;
    let outcomes = || report.sheets.iter().flat_map(|s| &s.entries).filter_map(|e| e.outcome.as_ref().ok());
    for word in WORDS.iter().filter(|w| outcomes().any(|o| o.figures.contains_key(w.key))) {
        writeln!(out, "<dt>{}</dt><dd>{}</dd>", word.name, escape(word.full))?;
    }
    writeln!(out, "</dl>\n</section>")
}

fn size(vertices: usize, triangles: usize) -> String {
    match triangles {
        0 => format!("{} points", grouped(vertices)),
        _ => format!("{} vertices, {} triangles", grouped(vertices), grouped(triangles)),
    }
}

/// Digits in threes.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Names come from files: they may hold anything.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // HTML has no place for them.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&\u{7}"), "&lt;b a=&quot;1&quot;&gt;&amp; ");
    }

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([7, 1000, 31_750, 1_000_000].map(grouped), ["7", "1,000", "31,750", "1,000,000"]);
    }
}
