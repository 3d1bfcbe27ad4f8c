use super::Edit;
use std::{collections::BTreeMap, sync::Arc};
use supple::project::Project;

/// Projects before and after: what undo goes back to. Whole ones are kept, so that nothing can be forgotten when an edit is
/// taken back: a project is small, and what is large in it (painted rows, lists in settings) it shares with the others.
#[derive(Debug, Default)]
pub struct History {
    before: Vec<Step>,
    after: Vec<Step>,
    /// False once the mouse is let go: the next edit is a step of its own.
    open: bool,
}

#[derive(Debug)]
struct Step {
    edit: Edit,
    project: Arc<Project>,
}

/// So many steps.
const MOST: usize = 200;
/// And so many bytes of painted rows and lists: the oldest steps go where strokes over millions of vertices need more.
const MOST_BYTES: usize = 512 << 20;

impl History {
    /// Notes what the project was before an edit.
    pub fn note(&mut self, edit: &Edit, was: Arc<Project>) {
        self.after.clear();
        let goes_on = self.open && self.before.last().is_some_and(|last| edit.continues(&last.edit));
        self.open = true;
        if goes_on {
            return;
        }
        self.before.push(Step { edit: edit.without_data(), project: was });
        while self.before.len() > MOST || (self.before.len() > 1 && self.bytes() > MOST_BYTES) {
            self.before.remove(0);
        }
    }

    /// Bytes of the painted rows and lists that all steps hold, each counted once however many share it.
    pub fn bytes(&self) -> usize {
        let steps = self.before.iter().chain(&self.after);
        let shared: BTreeMap<usize, usize> = steps.flat_map(|s| s.project.memory()).collect();
        shared.values().sum()
    }

    /// Ends a drag.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// The project before the last edit.
    pub fn undo(&mut self, now: Arc<Project>) -> Option<Arc<Project>> {
        Self::step(&mut self.before, &mut self.after, &mut self.open, now)
    }

    /// The project before the last undo.
    pub fn redo(&mut self, now: Arc<Project>) -> Option<Arc<Project>> {
        Self::step(&mut self.after, &mut self.before, &mut self.open, now)
    }

    /// Where undo would lead.
    pub fn before(&self) -> Option<&Arc<Project>> {
        self.before.last().map(|s| &s.project)
    }

    /// Where redo would lead.
    pub fn after(&self) -> Option<&Arc<Project>> {
        self.after.last().map(|s| &s.project)
    }

    fn step(from: &mut Vec<Step>, to: &mut Vec<Step>, open: &mut bool, now: Arc<Project>) -> Option<Arc<Project>> {
        *open = false;
        let step = from.pop()?;
        to.push(Step { edit: step.edit, project: now });
        Some(step.project)
    }

    /// What undo would take back.
    pub fn undo_words(&self) -> Option<String> {
        self.before.last().map(|s| s.edit.words())
    }

    /// What redo would bring again.
    pub fn redo_words(&self) -> Option<String> {
        self.after.last().map(|s| s.edit.words())
    }
}
