//! Names and numbers of files as a terminal should see them: files are hostile, and lines are read by people.

use supple::measure::InsideOut;

/// Longer names are cut.
const LONGEST_NAME: usize = 60;

/// Longer words are cut even outside quotes. The most that file systems allow: the name of a file stays whole.
const LONGEST_WORD: usize = 255;

/// A double needs no more digits than these to be told from every other.
const MOST_DIGITS: usize = 17;

/// Parts that are named one by one.
const MOST_PARTS: usize = 8;

/// A name on one line: control characters escaped, cut where it is long.
pub fn name(text: &str) -> String {
    cut(&printable(text), LONGEST_NAME)
}

/// A number of things: `counted(1, "joint", "joints")` is "1 joint".
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Parts that are inside out: how much of each; none where there are none.
pub fn inside_out(parts: &[InsideOut]) -> Option<String> {
    let part = |p: &InsideOut| {
        let triangles = counted(p.triangles, "triangle", "triangles");
        format!("\"{}\" ({} of {triangles})", name(&p.part), p.inside_out)
    };
    let mut told: Vec<String> = parts.iter().take(MOST_PARTS).map(part).collect();
    if parts.len() > MOST_PARTS {
        told.push(format!("and {} more", parts.len() - MOST_PARTS));
    }
    (!told.is_empty()).then(|| told.join(", "))
}

/// A whole line: control characters escaped, quoted names cut, endless numbers given by their exponent.
pub fn line(text: &str) -> String {
    let text = printable(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let opens = matches!(first, '"' | '\'') && !out.ends_with(char::is_alphanumeric);
        let closes = if opens { rest[1..].find(first) } else { None };
        let (taken, shown) = match closes {
            Some(end) => (end + 2, format!("{first}{}{first}", cut(&rest[1..=end], LONGEST_NAME))),
            None if separates(first) || opens => (first.len_utf8(), first.to_string()),
            None => {
                let end = rest.find(separates).unwrap_or(rest.len());
                (end, word(&rest[..end]))
            }
        };
        out.push_str(&shown);
        rest = &rest[taken..];
    }
    out
}

fn separates(c: char) -> bool {
    c.is_whitespace() || "=,:;()[]".contains(c)
}

fn word(text: &str) -> String {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b".-".contains(&b));
    match text.parse::<f64>() {
        Ok(value) if plain && text.len() > MOST_DIGITS => format!("{value:e}"),
        _ if text.contains(std::path::is_separator) => text.to_owned(),
        _ => cut(text, LONGEST_WORD),
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Escapes what a terminal obeys rather than shows, the marks that turn the direction of writing among it.
fn printable(text: &str) -> String {
    let obeyed = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(name("a\u{1b}[31mb\nc\u{202e}"), "a\\u{1b}[31mb\\nc\\u{202e}");
        assert_eq!(line("joint \"Arm\u{7}\" of Jürgen"), "joint \"Arm\\u{7}\" of Jürgen");
    }

    #[test]
    fn long_names_are_cut_and_file_names_are_not() {
        let long = "ä".repeat(100);
        assert_eq!(name(&long), format!("{}…", "ä".repeat(60)));
        assert_eq!(line(&format!("no joint \"{long}\"; why")), format!("no joint \"{}…\"; why", "ä".repeat(60)));
        assert_eq!(line(&format!("invalid value '{long}' for")), format!("invalid value '{}…' for", "ä".repeat(60)));
        assert_eq!(line(&format!("{long}.glb: cannot read it")), format!("{long}.glb: cannot read it"));
        let endless = "a".repeat(1000);
        assert_eq!(line(&format!("--bend {endless}=3: no")).chars().count(), "--bend =3: no".len() + LONGEST_WORD + 1);
    }

    #[test]
    fn endless_numbers_have_exponents() {
        assert_eq!(line(&format!("--fps {}: too much", 1e30)), "--fps 1e30: too much");
        assert_eq!(line(&format!("axis [{}, 0, 1]", -f32::MAX)), "axis [-3.4028235e38, 0, 1]");
        assert_eq!(line("0.1234567, 1200x900, 33554432"), "0.1234567, 1200x900, 33554432");
    }

    #[test]
    fn apostrophes_and_lone_quotes_are_left_alone() {
        let text = format!("the rig's joint and the file's {} \" clip", "word ".repeat(30));
        assert_eq!(line(&text), text);
    }
}
