//! The `supple` command: characters from file to moved points and back to a file.

mod args;
mod commands;
mod comparison;
mod console;
mod device;
mod drawing;
mod posing;
mod statistics;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => return usage(&error),
        // Help and version are results, not errors.
        Err(error) => error.exit(),
    };
    let console = console::Console::new(arguments.common.quiet);
    match commands::run(&arguments, &console) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that went away (`supple info | head`) is no failure of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            console.error(&error);
            ExitCode::from(2)
        }
    }
}

/// clap explains at length; here, too, an error is one line.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.to_string();
    let said = text.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"));
    let words: Vec<&str> = said.filter(|l| !l.is_empty()).collect();
    let line = words.join(" ");
    console::Console::new(false).say(&format!("supple: {} (see --help)", line.trim_start_matches("error: ")));
    ExitCode::from(2)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|e| e.downcast_ref::<std::io::Error>());
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
