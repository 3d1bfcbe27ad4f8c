//! Panics of work beside the window, in words. Where one happened is known only while it happens, and on the thread that
//! it happens on; its words arrive where the work is waited for. The one is found by the other.

use std::{
    any::Any,
    panic::PanicHookInfo,
    sync::{Mutex, PoisonError},
};

/// Words and places of panics that nobody was told of yet.
static NOTED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());
/// Many threads may panic over one fault, and only one of them is asked about.
const MOST: usize = 32;
/// A line that a person can read.
const LONGEST: usize = 300;

/// Notes where a panic happens: for a hook.
pub fn note(info: &PanicHookInfo) {
    let Some(at) = info.location() else { return };
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if noted.len() == MOST {
        noted.remove(0);
    }
    noted.push((line(info.payload_as_str()), format!("{}:{}", at.file(), at.line())));
}

/// What a panic that was caught said, in one line, and where it was if that was [noted](note).
pub fn told(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied());
    let words = line(text);
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    let found = noted.iter().rposition(|(of, _)| *of == words).map(|at| noted.remove(at).1);
    found.map_or(words.clone(), |at| format!("{words} ({at})"))
}

fn line(text: Option<&str>) -> String {
    let text = text.unwrap_or("a panic without a word");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST { line.chars().take(LONGEST).chain(['…']).collect() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{catch_unwind, set_hook, take_hook};

    #[test]
    fn a_panic_is_told_with_its_own_words_and_place() {
        let before = take_hook();
        set_hook(Box::new(note));
        let first = catch_unwind(|| panic!("the first\nof {}", 2)).unwrap_err();
        let second = catch_unwind(|| panic!("the second")).unwrap_err();
        set_hook(before);
        let (second, first) = (told(&*second), told(&*first));
        assert!(second.starts_with("the second (") && second.contains("fault.rs:"), "{second}");
        assert!(first.starts_with("the first of 2 (") && first.contains("fault.rs:"), "{first}");
        // One that no hook has seen.
        assert_eq!(told(&"x".repeat(1000)).chars().count(), LONGEST + 1);
        assert_eq!(told(&7_u8), "a panic without a word");
    }
}
