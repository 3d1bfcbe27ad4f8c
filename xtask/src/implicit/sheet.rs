//! Tables in which a missed limit is bold and listed.

use std::fmt::Write;

/// What a figure must not pass.
#[derive(Clone, Copy)]
pub enum Limit {
    Most(f64),
    Least(f64),
}

/// The page under way.
#[derive(Default)]
pub struct Sheet {
    pub text: String,
    missed: Vec<String>,
    judged: usize,
    printed: usize,
}

impl Sheet {
    pub fn heading(&mut self, title: &str, words: &str) {
        writeln!(self.text, "## {title}\n\n{words}\n").expect("strings can be written");
    }

    pub fn columns<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        let names: Vec<&str> = names.into_iter().collect();
        self.row(names.iter().map(|n| (*n).to_owned()));
        writeln!(self.text, "{}|", "|---".repeat(names.len())).expect("strings can be written");
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        writeln!(self.text, "| {} |", cells.join(" | ")).expect("strings can be written");
    }

    pub fn end(&mut self) {
        self.text.push('\n');
    }

    /// A figure as shown, bold where it misses its limit; then what it is a figure of is remembered. A figure that is not
    /// there misses.
    pub fn judge(&mut self, what: &str, value: Option<f64>, limit: Limit, show: impl Fn(f64) -> String) -> String {
        self.judged += 1;
        let kept = value.is_some_and(|v| match limit {
            Limit::Most(most) => v <= most,
            Limit::Least(least) => v >= least,
        });
        let shown = value.map_or("-".into(), &show);
        if kept {
            return shown;
        }
        let words = match limit {
            Limit::Most(most) => format!("at most {}", show(most)),
            Limit::Least(least) => format!("at least {}", show(least)),
        };
        self.missed.push(format!("{what}: {shown}, where {words} is asked"));
        format!("**{shown}**")
    }

    /// What was written since this was asked last.
    pub fn fresh(&mut self) -> &str {
        let from = std::mem::replace(&mut self.printed, self.text.len());
        &self.text[from..]
    }

    /// The limits that were missed.
    pub fn misses(&self) -> String {
        let (missed, judged) = (self.missed.len(), self.judged);
        let mut text = format!("Of {judged} figures with a limit, {missed} miss it.\n");
        for miss in &self.missed {
            write!(text, "\n- {miss}").expect("strings can be written");
        }
        text.push('\n');
        text
    }
}
