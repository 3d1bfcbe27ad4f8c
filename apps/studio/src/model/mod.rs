//! What the studio knows, without a window: a [`Document`] (a rig and the project that edits it), its [`History`], and
//! what is selected and played. Everything that changes a document is an [`Edit`], everything else a person can do is a
//! [`Command`]; buttons, keys, tests and scripts all say the same words.

mod command;
mod document;
mod edit;
mod history;
mod paint;
mod playback;
mod samples;
mod theta;

pub use command::{Backdrop, Command, ExportKind, Layout, PictureOptions, PictureSize, Side, SkinView};
pub use document::{Change, Document, OpenError, Origin, Plan};
pub use edit::{Edit, EditError, Rows};
pub use history::History;
pub use paint::{Brush, BrushMode, Reach, dab};
pub use playback::Playback;
pub use samples::{Mark, Sampled};
pub use theta::Curve;
