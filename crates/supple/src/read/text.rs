//! What the readers of text files share: lines with numbers, numbers with places, values short enough to print.

use super::{ReadError, Warnings};
use glam::{DVec3, Vec3};
use std::borrow::Cow;

/// The largest coordinate taken: squares of distances still fit single precision. More than any length in metres.
const FARTHEST: f64 = 1e18;

/// Bytes to text. Names may be in any old encoding, so what is not UTF-8 is replaced, not refused; keywords and
/// numbers are ASCII and survive it.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// Trimmed lines with their numbers from 1. Ends may be `\n`, `\r\n` or, in a file without `\n`, `\r`.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).enumerate().map(|(i, line)| (i + 1, line.trim()))
}

/// A value of the file in quotes, cut where a hostile file would fill the screen.
pub(super) fn quoted(value: &str) -> String {
    const MOST: usize = 40;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("\"{}…\"", value[..end].escape_debug()),
        None => format!("\"{}\"", value.escape_debug()),
    }
}

/// A finite number, or what is wrong with it.
pub(super) fn number(token: &str) -> Result<f64, String> {
    match token.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("{} is not finite", quoted(token))),
        Err(_) => Err(format!("{} is not a number", quoted(token))),
    }
}

/// A coordinate: finite, and small enough to compute with.
pub(super) fn coordinate(token: &str) -> Result<f64, String> {
    let value = number(token)?;
    if usable(value) { Ok(value) } else { Err(format!("{} is too large for a coordinate", quoted(token))) }
}

/// Whether a coordinate is finite and small enough to compute with.
pub(super) fn usable(value: f64) -> bool {
    value.abs() <= FARTHEST
}

/// The next three coordinates of a line, where something called `of` is.
pub(super) fn point<'a>(
    line: usize,
    of: impl Fn() -> String,
    tokens: &mut impl Iterator<Item = &'a str>,
) -> Result<DVec3, ReadError> {
    let mut p = [0.0; 3];
    for (axis, value) in ["x", "y", "z"].iter().zip(&mut p) {
        let token = tokens.next().ok_or_else(|| at_line(line, format!("{axis} of {} is missing", of())))?;
        *value = coordinate(token).map_err(|what| at_line(line, format!("{axis} of {}: {what}", of())))?;
    }
    Ok(p.into())
}

/// An error at a line.
pub(super) fn at_line(line: usize, what: impl Into<String>) -> ReadError {
    ReadError::invalid(format!("line {line}"), what)
}

/// Normals of unit length. Those that are not finite become zero, which means that there is none.
pub(super) fn unit_normals(mut normals: Vec<Vec3>, warnings: &mut Warnings) -> Vec<Vec3> {
    let mut bad = None;
    for (i, n) in normals.iter_mut().enumerate() {
        if !n.is_finite() {
            bad = Some(bad.map_or((1usize, i), |(count, first)| (count + 1, first)));
            *n = Vec3::ZERO;
        } else if (n.length_squared() - 1.0).abs() > 1e-3 {
            *n = n.as_dvec3().try_normalize().map_or(Vec3::ZERO, |n| n.as_vec3());
        }
    }
    if let Some((count, first)) = bad {
        warnings.push("normals", format!("{count} are not finite (read as none), the first is of vertex {first}"));
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_ending_counts_lines() {
        for text in ["a\nb\n", "a\r\nb\r\n", "a\rb\r"] {
            let seen: Vec<_> = lines(text).filter(|(_, l)| !l.is_empty()).collect();
            assert_eq!(seen, [(1, "a"), (2, "b")]);
        }
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(quoted("a\n"), "\"a\\n\"");
        assert!(quoted(&"ä".repeat(1000)).chars().count() < 50);
    }

    #[test]
    fn numbers_that_cannot_be_used_say_why() {
        assert_eq!(coordinate("1.5e2"), Ok(150.0));
        assert!(coordinate("nan").unwrap_err().contains("not finite"));
        assert!(coordinate("1e30").unwrap_err().contains("too large"));
        assert!(coordinate("one").unwrap_err().contains("not a number"));
    }
}
