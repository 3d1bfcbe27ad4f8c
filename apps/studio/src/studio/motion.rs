//! Motions of other files on the character that is open.

use super::Studio;
use crate::model::{Command, Document};
use supple::pose::carry;

/// What a file is to the character that is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Dropped {
    /// Nothing: it is opened in its place.
    Document,
    /// A motion for it.
    Motion,
    /// A character of its own, whose clips could move this one.
    Both,
    /// A motion, but not for this character: why.
    Stranger(String),
}

impl Studio {
    /// What a file that was read is to the character that is open.
    pub fn meaning(&self, file: &Document) -> Dropped {
        let Some(open) = self.open.document.as_ref().map(Document::rig) else { return Dropped::Document };
        let can_move = !open.mesh.positions.is_empty() && !open.skeleton.is_empty();
        // A project is somebody's work on a character, not a motion.
        if file.file().clips.is_empty() || file.path.is_some() || !can_move {
            return Dropped::Document;
        }
        let is_bare = file.file().mesh.positions.is_empty();
        match carry(file.file(), open) {
            Ok(_) if is_bare => Dropped::Motion,
            // A hand and an arm share a name or two, and nobody means one to move the other.
            Ok(carried) if carried.matched > carried.unmatched.len() => Dropped::Both,
            Err(error) if is_bare => Dropped::Stranger(error.to_string()),
            _ => Dropped::Document,
        }
    }

    /// Moves the character that is open by the clips of a file.
    pub fn animate(&mut self, title: &str, file: &Document) {
        let Some(document) = &mut self.open.document else { return };
        match document.motion(file) {
            Err(error) => self.complain(format!("{title}: {error}")),
            Ok((edits, _)) if edits.is_empty() => self.say(format!("{title} moves this character already")),
            Ok((edits, matched)) => {
                let joints = file.file().skeleton.len();
                self.say(format!("{title}: {matched} of its {joints} joints move this character, by their names"));
                self.open.playback.time = 0.0;
                self.execute(Command::Settle);
                edits.into_iter().for_each(|edit| self.execute(Command::Change { edit }));
                self.execute(Command::Settle);
                self.execute(Command::Play { playing: true });
            }
        }
    }
}
