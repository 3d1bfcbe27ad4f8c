//! What the studio knows, without a window: a [`Document`] (a rig and the project that edits it), its [`History`], and
//! what is selected and played. Everything that changes a document is an [`Edit`], everything else a person can do is a
//! [`Command`]; buttons, keys, tests and scripts all say the same words.

mod command;
mod document;
mod edit;
mod history;
mod playback;

pub use command::{Command, ExportKind, Layout, SkinView};
pub use document::{Document, OpenError, Origin};
pub use edit::{Edit, EditError};
pub use history::History;
pub use playback::Playback;
