use super::super::{
    ReadError,
    text::{at_line, quoted},
};

/// The words of a text with their lines.
pub(super) struct Words<'a> {
    left: &'a str,
    line: usize,
    again: Option<(usize, &'a str)>,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { left: text, line: 1, again: None }
    }

    /// The next word and its line. A brace is a word of its own even where it touches another.
    pub(super) fn next(&mut self) -> Option<(usize, &'a str)> {
        if let Some(word) = self.again.take() {
            return Some(word);
        }
        let start = self.left.find(|c: char| !c.is_whitespace())?;
        self.line += newlines(&self.left[..start]);
        let left = &self.left[start..];
        let end = match left.as_bytes()[0] {
            b'{' | b'}' => 1,
            _ => left.find(|c: char| c.is_whitespace() || c == '{' || c == '}').unwrap_or(left.len()),
        };
        self.left = &left[end..];
        Some((self.line, &left[..end]))
    }

    /// Hands the last word out once more.
    pub(super) fn back(&mut self, line: usize, word: &'a str) {
        self.again = Some((line, word));
    }

    /// What is left of the line up to a brace, trimmed.
    pub(super) fn rest_of_line(&mut self) -> &'a str {
        let end = self.left.find(['\n', '\r', '{']).unwrap_or(self.left.len());
        let rest = &self.left[..end];
        self.left = &self.left[end..];
        rest.trim()
    }

    /// The opening brace of what was just named.
    pub(super) fn brace(&mut self, of: &str) -> Result<(), ReadError> {
        match self.next() {
            Some((_, "{")) => Ok(()),
            Some((line, word)) => {
                Err(at_line(line, format!("expected {{ after {}, found {}", quoted(of), quoted(word))))
            }
            None => Err(ReadError::invalid("end of file", format!("expected {{ after {}", quoted(of)))),
        }
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}
