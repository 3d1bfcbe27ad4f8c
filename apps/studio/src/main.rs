//! `supple-studio`: the window as a program of its own. `supple studio` starts it; the command builds without a window.

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use clap::Parser;
    use std::{io::Write, panic, process::ExitCode};
    use supple_studio::{desktop, studio::fault};

    let arguments = program::Arguments::parse();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        fault::note(info);
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            before(info);
        }
    }));
    let ended = panic::catch_unwind(|| desktop::run(arguments.into())).unwrap_or_else(|payload| {
        Err(format!("internal error: {}; please report it with what you did", fault::told(&*payload)))
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "supple: {}", error.replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

#[cfg(not(target_family = "wasm"))]
mod program {
    use std::path::PathBuf;
    use supple_studio::desktop::Options;

    /// Look at characters, pose them, compare methods, edit what methods expose.
    ///
    /// The same window that `supple studio` opens. Without a file it begins with the built-in characters.
    #[derive(Debug, clap::Parser)]
    #[command(name = "supple-studio", version, max_term_width = 110)]
    pub struct Arguments {
        /// A rig, a mesh or a project
        file: Option<PathBuf>,
        /// Width and height of the window
        #[arg(long, value_name = "WxH", value_parser = size)]
        size: Option<[u32; 2]>,
        /// Follow a script: commands as lines of JSON
        #[arg(long, value_name = "FILE")]
        script: Option<PathBuf>,
        /// Move the skin on the graphics device even where that is a software driver
        #[arg(long)]
        insist: bool,
    }

    impl From<Arguments> for Options {
        fn from(arguments: Arguments) -> Self {
            let Arguments { file, size, script, insist } = arguments;
            Self { file, script, size: size.map(|sides| sides.map(|side| side as f32)), insist }
        }
    }

    fn size(word: &str) -> Result<[u32; 2], String> {
        let sides = word.split_once(['x', 'X']).map(|(w, h)| [w.trim().parse(), h.trim().parse()]);
        match sides {
            Some([Ok(w), Ok(h)]) => Ok([w, h]),
            _ => Err("expected WIDTHxHEIGHT, as in 1200x900".to_owned()),
        }
    }
}
