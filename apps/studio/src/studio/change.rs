//! Changes of the document beside the window: most are done at once, but heat, distances and standard skeletons of large
//! meshes take seconds. Those are prepared elsewhere; what is asked for meanwhile waits its turn, so that undo sees every
//! edit in the order in which it was made.

use super::{
    Studio,
    task::{Poll, Task, spawn},
};
use crate::model::{Change, Command, Edit, EditError, Plan};
use std::collections::VecDeque;
use supple::project::Prepared;

/// What comes back: the plan, and the rig for it.
type Ready = (Plan, Result<Option<Prepared>, EditError>);

/// A change on its way.
#[derive(Default)]
pub(super) struct Changing {
    preparing: Option<(String, Task<Ready>)>,
    waiting: VecDeque<Command>,
}

impl Changing {
    /// Something is on its way.
    pub fn is_busy(&self) -> bool {
        self.preparing.is_some() || !self.waiting.is_empty()
    }

    /// Gives a command back, or keeps it until the change before it is done.
    pub fn hold(&mut self, command: Command) -> Option<Command> {
        let concerns_document = matches!(
            command,
            Command::Change { .. }
                | Command::Undo
                | Command::Redo
                | Command::Settle
                | Command::Play { .. }
                | Command::Save { .. }
                | Command::Export { .. }
        );
        if self.preparing.is_none() || !concerns_document {
            return Some(command);
        }
        match (self.waiting.back_mut(), command) {
            // A drag says something in every frame; only the last of it counts.
            (Some(Command::Change { edit: last }), Command::Change { edit }) if edit.continues(last) => {
                join(last, edit)
            }
            (_, command) => self.waiting.push_back(command),
        }
        None
    }
}

fn join(last: &mut Edit, next: Edit) {
    match (last, next) {
        (Edit::Paint { rows, .. }, Edit::Paint { rows: more, .. }) => rows.extend(more),
        (last, next) => *last = next,
    }
}

impl Studio {
    pub(super) fn change(&mut self, change: Change) {
        let Some(document) = &self.open.document else { return };
        let plan = match document.plan(change) {
            Ok(Some(plan)) => plan,
            Ok(None) => return,
            Err(error) => return self.complain(error.to_string()),
        };
        if plan.is_quick() {
            let prepared = plan.prepare();
            return self.carry_out((plan, prepared));
        }
        let words = plan.words();
        let task = spawn(&self.work.wake, move || async move {
            let prepared = plan.prepare();
            (plan, prepared)
        });
        self.work.changing.preparing = Some((words, task));
    }

    pub(super) fn settle(&mut self) {
        if let Some(document) = &mut self.open.document {
            document.history.close();
        }
    }

    /// What is being prepared.
    pub fn preparing(&self) -> Option<&str> {
        self.work.changing.preparing.as_ref().map(|(words, _)| words.as_str())
    }

    fn carry_out(&mut self, (plan, prepared): Ready) {
        let Some(document) = &mut self.open.document else { return };
        match prepared {
            Ok(prepared) => {
                let name =
                    self.open.selected.and_then(|j| document.rig().skeleton.joints().get(j)).map(|j| j.name.clone());
                document.carry_out(plan, prepared);
                // Another skeleton has other joints, or the same in other places of its list.
                self.open.selected = name.and_then(|name| document.rig().skeleton.find(&name));
            }
            Err(error) => self.complain(error.to_string()),
        }
    }

    pub(super) fn receive_change(&mut self) {
        if let Some((words, task)) = &self.work.changing.preparing {
            match task.poll() {
                Poll::Running => return,
                Poll::Done(ready) => {
                    self.work.changing.preparing = None;
                    self.carry_out(ready);
                }
                Poll::Lost(why) => {
                    let text = format!("{words}: preparing it ended without a result: {why}; nothing was changed");
                    self.work.changing.preparing = None;
                    self.complain(text);
                }
            }
        }
        while self.work.changing.preparing.is_none()
            && let Some(command) = self.work.changing.waiting.pop_front()
        {
            self.execute(command);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Document, studio::task::Wake};
    use std::{collections::BTreeMap, sync::mpsc};

    /// A change that is on its way for as long as the sender lives.
    fn busy() -> (Changing, mpsc::Sender<()>) {
        let (go, wait) = mpsc::channel();
        let arm = Document::example("arm").unwrap();
        let plan = arm.plan(Change::Edit(Edit::K { k: 1.0 })).unwrap().unwrap();
        let task = spawn(&Wake::nobody(), move || async move {
            let _ = wait.recv();
            (plan, Ok(None))
        });
        (Changing { preparing: Some(("K".into(), task)), waiting: VecDeque::new() }, go)
    }

    fn k(k: f64) -> Command {
        Command::Change { edit: Edit::K { k } }
    }

    #[test]
    fn what_changes_nothing_does_not_wait() {
        let (mut changing, _go) = busy();
        assert!(changing.hold(Command::Bones { shown: false }).is_some());
        assert!(Changing::default().hold(k(1.0)).is_some());
        assert!(changing.hold(Command::Undo).is_none() && changing.is_busy());
    }

    #[test]
    fn of_a_drag_that_waits_the_last_counts_and_the_next_drag_is_another() {
        let (mut changing, _go) = busy();
        let said = [k(0.1), k(0.2), Command::Settle, k(0.3), k(0.4), Command::Undo];
        assert!(said.into_iter().all(|command| changing.hold(command).is_none()));
        assert_eq!(changing.waiting, [k(0.2), Command::Settle, k(0.4), Command::Undo]);
    }

    #[test]
    fn a_stroke_that_waits_loses_no_dab() {
        let (mut changing, _go) = busy();
        let dab = |stroke, vertex| {
            let rows = BTreeMap::from([(vertex, vec![("forearm".to_owned(), 1.0)])]);
            Command::Change { edit: Edit::Paint { stroke, rows } }
        };
        for command in [dab(1, 0), dab(1, 5), dab(2, 7)] {
            changing.hold(command);
        }
        let rows = |command: &Command| match command {
            Command::Change { edit: Edit::Paint { rows, .. } } => rows.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(changing.waiting.iter().map(rows).collect::<Vec<_>>(), [2, 1]);
    }
}
