//! Numbers on the command line. The standard library's words for a bad one are meant for programmers.

use std::str::FromStr;

/// A whole number.
pub fn whole<T: FromStr>(word: &str) -> Result<T, &'static str> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let why = if digits { "it is too large" } else { "a whole number, not below 0, is expected" };
    word.parse().map_err(|_| why)
}

/// Any number; who uses it knows its range.
pub fn any(word: &str) -> Result<f64, &'static str> {
    word.parse().map_err(|_| "a number is expected")
}
