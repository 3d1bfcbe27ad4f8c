//! What clap has to say, in one line. It explains at length, and some of its tips are wrong here.

use crate::console::Console;
use std::process::ExitCode;

/// Reports wrong options.
pub fn report(error: &clap::Error) -> ExitCode {
    Console::new(0).say(&format!("supple: {} (see --help)", line(&error.to_string())));
    ExitCode::from(2)
}

fn line(text: &str) -> String {
    let said = text.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"));
    let mut line = String::new();
    for part in said.filter(|l| !l.is_empty()) {
        match part.strip_prefix("tip: ") {
            None => {
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(part);
            }
            // "a similar argument exists: '--bend'", "some similar subcommands exist: 'bench', 'bake'".
            Some(tip) => {
                if let Some((_, names)) = tip.split_once("similar").and_then(|(_, rest)| rest.split_once(": ")) {
                    line = format!("{line}; did you mean {}?", names.replace("', '", "' or '"));
                }
                // Other tips tell how to pass a mistyped option as the name of a file.
            }
        }
    }
    line.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_tip_is_a_question_or_left_out() {
        let text = "error: unexpected argument '--bnd' found\n\n  tip: a similar argument exists: '--bend'\n\nUsage: x";
        assert_eq!(line(text), "unexpected argument '--bnd' found; did you mean '--bend'?");
        let text = "error: unexpected argument '-1' found\n\n  tip: to pass '-1' as a value, use '-- -1'\n\nUsage: x";
        assert_eq!(line(text), "unexpected argument '-1' found");
        let text = "error: unrecognized subcommand 'b'\n\n  tip: some similar subcommands exist: 'bench', 'bake'\n";
        assert_eq!(line(text), "unrecognized subcommand 'b'; did you mean 'bench' or 'bake'?");
    }
}
