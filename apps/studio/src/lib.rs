//! Supple in a window.

pub mod viewport;
