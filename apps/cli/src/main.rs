//! The `supple` command: characters from file to moved points and back to a file.

mod args;
mod commands;
mod console;
mod posing;
mod statistics;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
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

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|e| e.downcast_ref::<std::io::Error>());
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
