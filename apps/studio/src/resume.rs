//! A lost graphics device takes the window with it, and a program can open only one. So the program takes its own place
//! once more, with the work that was kept and where the script stood.

use crate::studio::{fault, recovery::Latest};
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    panic,
    process::Command,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use supple_gpu::Gpu;

/// Why the program was started again, and how many steps of its script were begun before.
#[derive(Debug, Serialize, Deserialize)]
pub struct Resumed {
    pub why: String,
    pub steps: usize,
}

/// Tells the next program.
const NAME: &str = "SUPPLE_RESUMED";
/// A device that is lost again so soon will be lost every time.
const SOON: Duration = Duration::from_secs(60);

impl Resumed {
    /// What the program before this one left word of.
    pub fn from_environment() -> Option<Self> {
        serde_json::from_str(&std::env::var(NAME).ok()?).ok()
    }

    /// Starts the program again. Where that works it comes back only at the end of the other, or not at all.
    fn start_again(&self) -> Result<(), String> {
        let word = serde_json::to_string(self).map_err(|e| e.to_string())?;
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command.args(std::env::args_os().skip(1)).env(NAME, word);
        #[cfg(unix)]
        {
            Err(std::os::unix::process::CommandExt::exec(&mut command).to_string())
        }
        #[cfg(not(unix))]
        match command.status().map_err(|e| e.to_string())? {
            status if status.success() => Ok(()),
            status => Err(format!("it ended with {status}")),
        }
    }
}

/// Watches over the device of the window.
#[derive(Clone)]
pub struct Watch {
    device: Arc<OnceLock<(Gpu, Latest)>>,
    steps: Arc<AtomicUsize>,
    is_second: bool,
    started: Instant,
}

impl Watch {
    /// From the start of the program on.
    pub fn new(resumed: Option<Resumed>, steps: Arc<AtomicUsize>) -> Self {
        Self { device: Arc::default(), steps, is_second: resumed.is_some(), started: Instant::now() }
    }

    /// The window has its device.
    pub fn over(&self, gpu: Gpu, latest: Latest) {
        let _ = self.device.set((gpu, latest));
    }

    /// None while the device is there; else what came of starting the program again.
    pub fn go_on_if_lost(&self) -> Option<Result<(), String>> {
        let (gpu, latest) = self.device.get()?;
        let why = gpu.wait().err()?.to_string();
        latest.keep();
        let kept = "your work is kept, and the next start of the studio offers it";
        if self.is_second && self.started.elapsed() < SOON {
            return Some(Err(format!("{why}, for the second time; {kept}")));
        }
        let steps = self.steps.load(Ordering::Relaxed);
        let went_on = Resumed { why: why.clone(), steps }.start_again();
        Some(went_on.map_err(|error| format!("{why}, and the studio could not be started again: {error}; {kept}")))
    }

    /// Where nobody noticed in time, egui panics as it draws on a device that is gone. Unwinding from there ends in a
    /// second panic, so that the way on begins here.
    pub fn catch_panics(&self) {
        let (watch, before) = (self.clone(), panic::take_hook());
        panic::set_hook(Box::new(move |info| {
            fault::note(info);
            let in_drawing = info.location().is_some_and(|at| at.file().contains("wgpu"));
            match in_drawing.then(|| watch.go_on_if_lost()).flatten() {
                None => before(info),
                Some(went_on) => {
                    if let Err(error) = &went_on {
                        // Nobody is left whom it could be handed to.
                        let _ = writeln!(std::io::stderr(), "error: {error}");
                    }
                    std::process::exit(if went_on.is_ok() { 0 } else { 2 });
                }
            }
        }));
    }
}
