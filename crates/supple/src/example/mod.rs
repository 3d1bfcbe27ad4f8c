//! Characters made by code.
