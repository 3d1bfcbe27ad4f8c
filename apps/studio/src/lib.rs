//! Supple in a window, on the desktop and in the browser: look at characters, pose them, compare methods, edit what
//! methods expose.
//!
//! | module | what it holds |
//! |---|---|
//! | [`model`] | the document, its edits and their history, without a window |
//! | [`studio`] | the model on a device: binding, moving, measuring, writing |
//! | [`viewport`] | drawing skins, bones and marks into a texture |
//! | [`app`] | panels and keys round it |
//! | [`drive`] | scripts in place of a hand |

pub mod app;
#[cfg(not(target_family = "wasm"))]
pub mod desktop;
pub mod drive;
pub mod model;
mod pictures;
#[cfg(not(target_family = "wasm"))]
mod resume;
pub mod studio;
pub mod viewport;
#[cfg(target_family = "wasm")]
pub mod web;
