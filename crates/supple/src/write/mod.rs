//! Points to files.
