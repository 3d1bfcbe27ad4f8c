//! The `supple` command: characters from file to moved points and back to a file.

mod args;
mod commands;
mod comparison;
mod console;
mod device;
mod drawing;
mod joints;
mod number;
mod output;
mod posing;
mod statistics;
mod usage;
mod wording;

use clap::Parser;
use std::{io::Write, process::ExitCode};

fn main() -> ExitCode {
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => return usage::report(&error),
        // Help and version are results, not errors.
        Err(error) => return finish(error.print().map_err(Into::into), &console::Console::new(false)),
    };
    if arguments.common.device != args::Device::Cpu {
        quieten_drivers();
    }
    let console = console::Console::new(arguments.common.quiet).flipping(arguments.common.flip);
    finish(commands::run(&arguments, &console), &console)
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

/// Some graphics drivers print two lines of their own when XDG_RUNTIME_DIR is not set, though nobody opens a window. A
/// variable can only be set for a new program, so this one takes its own place.
fn quieten_drivers() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        const NAME: &str = "XDG_RUNTIME_DIR";
        if std::env::var_os(NAME).is_none()
            && let Ok(program) = std::env::current_exe()
        {
            let mut arguments = std::env::args_os();
            let mut command = std::process::Command::new(program);
            if let Some(called) = arguments.next() {
                command.arg0(called);
            }
            // It returns only where it fails, and then the lines are bearable.
            let _ = command.args(arguments).env(NAME, std::env::temp_dir()).exec();
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|e| e.downcast_ref::<std::io::Error>());
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
