//! What the page of every method has.

use supple::graph::Method;

/// Looks for the parts of a page, and for every setting.
///
/// # Panics
/// When one is missing; the message says which.
pub fn check(method: &Method, text: &str) {
    for part in ["shortest program", "Settings", "How it works", "Where it fails", "Cost", "Paper"] {
        assert!(text.contains(part), "the page of {} has no part \"{part}\"", method.name);
    }
    for setting in method.settings {
        assert!(text.contains(&format!("`{}`", setting.name)), "{} does not explain {}", method.name, setting.name);
    }
}
