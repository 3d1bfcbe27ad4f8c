//! The `supple` command: characters from file to moved points and back to a file. A program that adds methods of its own to the
//! registry first has them in its command.

mod args;
mod commands;
mod comparison;
mod console;
mod device;
mod drawing;
mod fault;
mod input;
mod joints;
mod number;
mod output;
mod posing;
mod statistics;
mod usage;
mod watch;
mod wording;

use clap::Parser;
use std::{io::Write, process::ExitCode};
use supple::read::{Inputs, Limits};

/// Does what the arguments of this program ask for.
pub fn main() -> ExitCode {
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => return usage::report(&error),
        // Help and version are results, not errors.
        Err(error) => return finish(error.print().map_err(Into::into), &console::Console::new(0)),
    };
    if let Some(code) = watch::over_second_run(arguments.common.device) {
        return code;
    }
    let mut console = console::Console::new(arguments.common.quiet).flipping(arguments.common.flip);
    let limits = Limits::from_environment().map(|limits| console.inputs = Inputs::new(limits));
    let work = || limits.map_err(Into::into).and_then(|()| commands::run(&arguments, &console));
    finish(fault::caught(work), &console)
}

/// The exit code, with the last of standard output sent on: what cannot be printed was not done.
fn finish(done: anyhow::Result<()>, console: &console::Console) -> ExitCode {
    match done.and_then(|()| Ok(std::io::stdout().flush()?)) {
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
