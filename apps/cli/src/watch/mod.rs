//! The work is done by a second run of this program, and the first watches over it. A panic is caught where it happens, but
//! memory that is not to be had, a stack that is too short and a driver that fails end a program on the spot, and nothing
//! within it can help that. The first run says so in one line, clears up, and ends with exit code 2.

mod relay;

use crate::{
    args::Device,
    console::Console,
    fault::{REPORT, shows_backtrace},
};
use relay::Relay;
use std::{
    io::{IsTerminal, Read, Write},
    path::Path,
    process::{Child, Command, ExitCode, ExitStatus, Stdio},
};

/// Tells the second run whose it is, and whether a person looks on: the number of the first, and a word.
const NAME: &str = "SUPPLE_WATCHED";
const TERMINAL: &str = "terminal";

/// None where the work is to be done here: this is the second run, or there can be none.
pub fn over_second_run(device: Device) -> Option<ExitCode> {
    if watcher().is_some() {
        end_with_watcher();
        return None;
    }
    let second = start(device).ok()?;
    Some(watch(second))
}

/// Whether a person looks at standard error, though it goes through the first run.
pub fn is_terminal() -> bool {
    watcher().is_some_and(|word| word.ends_with(TERMINAL)) || std::io::stderr().is_terminal()
}

/// What the first run left word of. Programs that the second one starts have the word too, and it is not for them.
fn watcher() -> Option<String> {
    let word = std::env::var(NAME).ok()?;
    #[cfg(unix)]
    if word.split(' ').next() != Some(&std::os::unix::process::parent_id().to_string()) {
        return None;
    }
    Some(word)
}

/// Whoever ends the first run means the work.
fn end_with_watcher() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Where it fails the work goes on to its end, unwatched.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        if watcher().is_none() {
            std::process::exit(2);
        }
    }
    #[cfg(all(unix, not(target_os = "linux")))]
    std::thread::spawn(|| {
        while watcher().is_some() {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        std::process::exit(2);
    });
}

fn start(device: Device) -> std::io::Result<Child> {
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    #[cfg_attr(not(unix), expect(unused_variables, reason = "a program cannot be called by another name there"))]
    let called = arguments.next();
    #[cfg(unix)]
    if let Some(called) = called {
        std::os::unix::process::CommandExt::arg0(&mut command, called);
    }
    let eyes = if std::io::stderr().is_terminal() { TERMINAL } else { "pipe" };
    command.args(arguments).env(NAME, format!("{} {eyes}", std::process::id())).stderr(Stdio::piped());
    // Some graphics drivers print two lines of their own where this is not set, though nobody opens a window.
    const RUNTIME: &str = "XDG_RUNTIME_DIR";
    if cfg!(target_os = "linux") && device != Device::Cpu && std::env::var_os(RUNTIME).is_none() {
        command.env(RUNTIME, std::env::temp_dir());
    }
    command.spawn()
}

/// Hands on what the second run says, and ends as it does.
fn watch(mut second: Child) -> ExitCode {
    let mut relay = Relay::new(!shows_backtrace());
    let (mut from, mut to) = (second.stderr.take().expect("it is piped"), std::io::stderr());
    let mut bytes = [0; 4096];
    loop {
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => drop(to.write_all(&relay.pass(&bytes[..count]))),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let status = match second.wait() {
        Ok(status) => status,
        Err(error) => return fail(&format!("the work cannot be waited for: {error}")),
    };
    match status.code() {
        Some(code @ (0 | 2)) => {
            let _ = to.write_all(&relay.rest());
            ExitCode::from(code as u8)
        }
        _ => {
            for word in std::env::args_os().skip(1) {
                clear_up(Path::new(&word));
                // `-oFILE` and `--output=FILE`.
                let joined = word.to_str().and_then(|w| w.strip_prefix("-o").or_else(|| Some(w.split_once('=')?.1)));
                joined.into_iter().for_each(|file| clear_up(Path::new(file)));
            }
            fail(&why(status, relay.wanted_memory()))
        }
    }
}

fn fail(line: &str) -> ExitCode {
    Console::new(0).error(&anyhow::anyhow!("{line}"));
    ExitCode::from(2)
}

fn why(status: ExitStatus, wanted_memory: Option<u64>) -> String {
    if let Some(bytes) = wanted_memory {
        return format!("there is not enough memory: {bytes} bytes more were needed at once");
    }
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(9) {
        return "the work was ended from outside, most likely because there is not enough memory".to_owned();
    }
    #[cfg(target_os = "linux")]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(25) {
        return "the output is larger than files may be here (ulimit -f)".to_owned();
    }
    format!("internal error: the work ended with {status}; {REPORT}")
}

/// Removes what was left of an output that a word of the command line may name, or that lies in a folder of that name.
fn clear_up(path: &Path) {
    supple::write::clear_up(path);
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let output = name.to_str().and_then(|n| n.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.'));
        if let Some((output, _)) = output {
            supple::write::clear_up(&path.join(output));
        }
    }
}
