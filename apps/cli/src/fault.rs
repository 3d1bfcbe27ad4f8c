//! Faults of our own. A panic on any thread ends the work in order, so that nothing half done is left, and becomes one line.

use anyhow::{Result, anyhow};
use std::{
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::OnceLock,
};

/// The first, because those after it are its consequences.
static FIRST: OnceLock<String> = OnceLock::new();

/// What to do about any of them.
pub const REPORT: &str = "please report it with the command and the file";

/// Does the work; a panic in it is an error like any other.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let _ = FIRST.set(described(info));
        if shows_backtrace() {
            before(info);
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let what = FIRST.get().map_or("nobody knows what", String::as_str);
        Err(anyhow!("internal error: {what}; {REPORT}"))
    })
}

/// Whether somebody wants to see more than a line.
pub fn shows_backtrace() -> bool {
    std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0")
}

fn described(info: &PanicHookInfo) -> String {
    let what = info.payload_as_str().unwrap_or("a panic without a word");
    info.location().map_or_else(|| what.to_owned(), |at| format!("{what} ({}:{})", at.file(), at.line()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn a_panic_on_any_thread_is_one_error() {
        // Panics are told to the whole process, so that this is one test.
        assert_eq!(caught(|| Ok(7)).unwrap(), 7);
        assert_eq!(caught(|| -> Result<()> { Err(anyhow!("refused")) }).unwrap_err().to_string(), "refused");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.obj");
        let error = caught(|| {
            let _out = supple::write::AtomicFile::create(&path)?;
            assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
            (0..1000).into_par_iter().for_each(|number| assert!(number != 500, "number {number}\nis wrong"));
            Ok(())
        });
        let text = error.unwrap_err().to_string();
        assert!(text.starts_with("internal error: number 500") && text.ends_with(REPORT), "{text}");
        assert!(text.contains("fault.rs:"), "{text}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing half done is left");
        // One that a thread of its own had, found when it is waited for.
        let lost = caught(|| Ok(std::thread::spawn(|| panic!("later")).join().unwrap()));
        assert!(lost.unwrap_err().to_string().contains("number 500"), "the first one is told");
    }
}
