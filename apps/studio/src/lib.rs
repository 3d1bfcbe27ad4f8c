//! Supple in a window.
