//! The methods of the panes beside the first: others than its own, unless somebody wants the same.

use super::Studio;
use supple::graph::{method, methods};

/// Which methods, and which of them somebody has chosen.
pub struct Beside {
    methods: [String; 3],
    chosen: [bool; 3],
}

/// What they begin with: what everybody has today.
const FIRST: [&str; 3] = ["linear", "dual-quaternion", "delta-mush"];

impl Default for Beside {
    fn default() -> Self {
        Self { methods: FIRST.map(str::to_owned), chosen: [false; 3] }
    }
}

impl Beside {
    /// The method of a pane, from 1 on.
    pub fn of(&self, pane: usize) -> &str {
        &self.methods[pane - 1]
    }

    /// Somebody chooses one.
    pub fn choose(&mut self, pane: usize, name: String) -> Result<(), String> {
        let at = pane.wrapping_sub(1);
        if at >= self.methods.len() {
            return Err(format!("there is no pane {pane}; panes beside the first are 1 to 3"));
        }
        if !method(&name).is_some_and(|m| m.stands_alone) {
            return Err(format!("no method is called \"{name}\""));
        }
        (self.methods[at], self.chosen[at]) = (name, true);
        Ok(())
    }

    /// Replaces what nobody chose where it is shown elsewhere already; everything else stays.
    fn vary(&mut self, first: &str) {
        for pane in 0..self.methods.len() {
            let is_shown = |methods: &[String; 3], name: &str| {
                // Of two that are the same, the one that was chosen stays, else the one before.
                let other = |at: usize| at != pane && methods[at] == name && (at < pane || self.chosen[at]);
                name == first || (0..methods.len()).any(other)
            };
            if self.chosen[pane] || !is_shown(&self.methods, &self.methods[pane]) {
                continue;
            }
            let known = methods().iter().rev().filter(|m| m.stands_alone).map(|m| m.name);
            let free = |name: &&str| *name != first && !self.methods.iter().any(|m| m == name);
            if let Some(name) = FIRST.into_iter().chain(known).find(free) {
                self.methods[pane] = name.to_owned();
            }
        }
    }
}

impl Studio {
    /// Panes beside the first show something else than it does.
    pub(super) fn vary_beside(&mut self) {
        let Some(document) = &self.open.document else { return };
        let graph = &document.project().graph;
        let output = graph.nodes.iter().find(|n| n.name == graph.output);
        self.sight.beside.vary(output.map_or("", |n| n.method.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(beside: &Beside) -> [&str; 3] {
        [1, 2, 3].map(|pane| beside.of(pane))
    }

    #[test]
    fn panes_differ_from_the_first_and_from_each_other() {
        let mut beside = Beside::default();
        beside.vary("implicit");
        assert_eq!(shown(&beside), FIRST);
        beside.vary("dual-quaternion");
        assert_eq!(shown(&beside), ["linear", "implicit", "delta-mush"]);
        beside.vary("implicit");
        assert_eq!(shown(&beside), FIRST);
        beside.vary("linear");
        assert_eq!(shown(&beside), ["implicit", "dual-quaternion", "delta-mush"]);
    }

    #[test]
    fn what_somebody_chose_stays() {
        let mut beside = Beside::default();
        beside.choose(2, "linear".into()).unwrap();
        beside.vary("linear");
        assert_eq!(shown(&beside), ["dual-quaternion", "linear", "delta-mush"]);
        for (pane, name) in [(0, "linear"), (4, "linear"), (1, "magic"), (1, "mix")] {
            assert!(beside.choose(pane, name.into()).is_err(), "{pane} {name}");
        }
    }
}
