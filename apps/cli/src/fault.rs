//! Faults of our own. A panic on any thread ends the work in order, so that nothing half done is left, and becomes one line.

use anyhow::{Result, anyhow};
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::{Mutex, PoisonError},
};

/// Panics as they happened, with their words and in one line. Not all of them end the work: some are caught on the way.
static NOTED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());
/// As many threads as one fault may have, and more.
const MOST: usize = 256;

/// What to do about any of them.
pub const REPORT: &str = "please report it with the command and the file";

/// Does the work; a panic in it is an error like any other.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        note(info);
        if shows_backtrace() {
            before(info);
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(anyhow!("internal error: {}; {REPORT}", told(&*payload))))
}

/// Whether somebody wants to see more than a line.
pub fn shows_backtrace() -> bool {
    std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0")
}

fn note(info: &PanicHookInfo) {
    let words = info.payload_as_str().unwrap_or(WORDLESS);
    let line = info.location().map_or_else(|| words.to_owned(), |at| format!("{words} ({}:{})", at.file(), at.line()));
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if noted.len() == MOST {
        noted.remove(0);
    }
    noted.push((words.to_owned(), line));
}

/// The panic that ended the work. It is known by its words, on whichever thread it was: those that others have caught, as
/// the studio does with work beside its window, are none of its causes.
fn told(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied());
    let words = text.unwrap_or(WORDLESS);
    let mut noted = std::mem::take(&mut *NOTED.lock().unwrap_or_else(PoisonError::into_inner));
    if is_of_another_thread(words) {
        noted.retain(|(of, _)| !is_of_another_thread(of));
        return noted.pop().map_or_else(|| words.to_owned(), |(_, line)| line);
    }
    let found = noted.into_iter().rfind(|(of, _)| of == words);
    found.map_or_else(|| words.to_owned(), |(_, line)| line)
}

/// What the standard library says where somebody waits for a thread that panicked: the words that matter are that thread's.
fn is_of_another_thread(words: &str) -> bool {
    words.contains("Any { .. }") || words == "a scoped thread panicked"
}

const WORDLESS: &str = "a panic without a word";

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
        assert!(lost.unwrap_err().to_string().starts_with("internal error: later ("));
        let lost = caught(|| -> Result<()> {
            std::thread::scope(|scope| drop(scope.spawn(|| panic!("in between"))));
            Ok(())
        });
        assert!(lost.unwrap_err().to_string().contains("in between"));
        // One that was caught on the way is not the one that ends the work.
        let last = caught(|| -> Result<()> {
            assert!(std::thread::spawn(|| panic!("told elsewhere")).join().is_err());
            panic!("the {} one", "last")
        });
        let text = last.unwrap_err().to_string();
        assert!(text.starts_with("internal error: the last one (") && !text.contains("elsewhere"), "{text}");
    }
}
