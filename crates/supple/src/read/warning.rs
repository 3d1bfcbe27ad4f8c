use std::fmt;

/// Something that was mended while reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where: a JSON path, a line, an element.
    pub place: String,
    /// What was wrong and what was done about it.
    pub what: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Collects warnings, and keeps a broken file from filling the screen with them.
#[derive(Debug, Default)]
pub struct Warnings {
    list: Vec<Warning>,
    left_out: usize,
}

/// More than anybody reads.
const MOST: usize = 50;

impl Warnings {
    /// Adds one.
    pub fn push(&mut self, place: impl Into<String>, what: impl Into<String>) {
        if self.list.len() < MOST {
            self.list.push(Warning { place: place.into(), what: what.into() });
        } else {
            self.left_out += 1;
        }
    }

    /// The warnings, with a closing count where some were left out.
    pub fn into_vec(mut self) -> Vec<Warning> {
        if self.left_out > 0 {
            self.list.push(Warning { place: "file".into(), what: format!("{} more warnings", self.left_out) });
        }
        self.list
    }
}
