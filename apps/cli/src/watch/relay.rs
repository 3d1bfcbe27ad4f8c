//! What the second run says goes on as it comes, except for the last words of Rust itself: those are said in one line.

/// How the lines begin that Rust writes as it aborts. None of ours does.
const LAST_WORDS: [&str; 5] =
    ["memory allocation of ", "note: run with `RUST_BACKTRACE", "thread ", "fatal runtime error: ", "\n"];

/// A bar of progress is a line without an end; this much of it is enough to know it by.
const LONGEST: usize = 4096;

pub struct Relay {
    holds: bool,
    /// The line that is coming, and how much of it has gone on.
    line: Vec<u8>,
    sent: usize,
    /// It is known not to be one of the last.
    is_passing: bool,
    /// Last words, kept until the end is known.
    held: Vec<u8>,
    wanted: Option<u64>,
}

impl Relay {
    /// One that holds last words back, or one that lets all pass.
    pub fn new(holds: bool) -> Self {
        Self { holds, line: Vec::new(), sent: 0, is_passing: false, held: Vec::new(), wanted: None }
    }

    /// What can go on of these bytes, and of those before.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            self.line.push(byte);
            if !self.is_passing && (!self.holds || !may_be_last(&self.line)) {
                out.append(&mut self.held);
                self.is_passing = true;
            }
            if self.is_passing {
                out.extend_from_slice(&self.line[self.sent..]);
                self.sent = self.line.len();
            }
            if byte == b'\n' {
                self.wanted = wanted_memory(&self.line).or(self.wanted);
                self.held.extend_from_slice(&self.line[self.sent..]);
                self.is_passing = false;
            }
            if byte == b'\n' || self.sent > LONGEST {
                self.line.clear();
                self.sent = 0;
            }
        }
        out
    }

    /// What was held back.
    pub fn rest(mut self) -> Vec<u8> {
        self.held.extend_from_slice(&self.line[self.sent..]);
        self.held
    }

    /// The bytes that could not be had, if that was it.
    pub fn wanted_memory(&self) -> Option<u64> {
        self.wanted
    }
}

fn wanted_memory(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?.trim_end();
    text.strip_prefix(LAST_WORDS[0])?.strip_suffix(" bytes failed")?.parse().ok()
}

fn may_be_last(line: &[u8]) -> bool {
    LAST_WORDS.iter().any(|words| line.starts_with(words.as_bytes()) || words.as_bytes().starts_with(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets a text pass in pieces of some length, and returns what went on and what was held back.
    fn relayed(text: &str, length: usize) -> (String, String, Option<u64>) {
        let mut relay = Relay::new(true);
        let passed: Vec<u8> = text.as_bytes().chunks(length).flat_map(|piece| relay.pass(piece)).collect();
        let wanted = relay.wanted_memory();
        (String::from_utf8(passed).unwrap(), String::from_utf8(relay.rest()).unwrap(), wanted)
    }

    #[test]
    fn last_words_are_held_back_and_all_else_goes_on() {
        let ours = "supple: a.glb: warning: thread\nmemory\nnot\n\r  bind [===>  ] 3/7";
        let memory = "memory allocation of 123 bytes failed\nnote: run with `RUST_BACKTRACE=1` environment variable\n";
        let stack = "\nthread 'main' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        for length in [1, 2, 7, 1000] {
            assert_eq!(relayed(ours, length), (ours.to_owned(), String::new(), None));
            let lines = "supple: reading\n";
            assert_eq!(relayed(&format!("{lines}{memory}"), length), (lines.to_owned(), memory.to_owned(), Some(123)));
            assert_eq!(relayed(&format!("{lines}{stack}"), length), (lines.to_owned(), stack.to_owned(), None));
            // What looked like them and was not.
            assert_eq!(relayed(&format!("\n{lines}"), length).0, format!("\n{lines}"));
        }
    }

    #[test]
    fn what_is_unfinished_goes_on_at_once() {
        let mut relay = Relay::new(true);
        assert_eq!(relay.pass(b"\r  bind [=="), b"\r  bind [==");
        assert_eq!(relay.pass(b"==>"), b"==>");
        assert_eq!(Relay::new(false).pass(b"thread 'a'"), b"thread 'a'");
    }
}
