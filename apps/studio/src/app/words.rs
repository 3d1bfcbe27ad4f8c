//! What widgets ask for. They do nothing themselves: what they say is done when they have been drawn.

use super::dialog;
use crate::model::{Command, Edit, ExportKind};

/// What widgets ask for in one frame.
#[derive(Default)]
pub struct Words {
    pub(super) commands: Vec<Command>,
    pub(super) dialog: Option<dialog::Purpose>,
    pub(super) recover: bool,
    pub(super) discard: bool,
    pub(super) scroll_to_joint: bool,
}

impl Words {
    /// Asks for something.
    pub fn say(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Asks for a change of the document.
    pub fn edit(&mut self, edit: Edit) {
        self.commands.push(Command::Change { edit });
    }

    /// Asks which file to open.
    pub fn open_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Open);
    }

    /// Asks which file's clips shall move the character.
    pub fn motion_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Motion);
    }

    /// Asks where to save.
    pub fn save_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Save);
    }

    /// Asks where to write something.
    pub fn export_dialog(&mut self, kind: ExportKind, ending: &'static str) {
        self.dialog = Some(dialog::Purpose::Export(kind, ending));
    }
}
