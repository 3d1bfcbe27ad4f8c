//! What a command has in hand besides its arguments: what it reads, and what a person sees besides the results, which are
//! warnings, progress and errors. All of that goes to standard error.

use crate::{watch, wording};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::{
    fmt::Display,
    io::{self, Read, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};
use supple::{
    graph::Binding,
    measure::{Facing, SurfaceGauge},
    read::{Inputs, Loaded, Warning},
    rig::{Mesh, Rig},
};

/// Lines about guesses at the most.
const MOST_GUESSES: usize = 20;

/// Standard error, and how quiet it should keep; every file that is read.
pub struct Console {
    quiet: u8,
    flip: bool,
    pub inputs: Inputs,
    /// Standard input can be read once.
    streamed: AtomicBool,
}

impl Console {
    pub fn new(quiet: u8) -> Self {
        Self { quiet, flip: false, inputs: Inputs::default(), streamed: AtomicBool::new(false) }
    }

    /// Whether rigs are turned where they are inside out, as they are read.
    pub fn flipping(self, flip: bool) -> Self {
        Self { flip, ..self }
    }

    /// Standard input, for the one file that is called `-`.
    pub fn stream(&self) -> Result<impl Read> {
        if self.streamed.swap(true, Ordering::Relaxed) {
            bail!("-: standard input can stand for one file only");
        }
        // A file that the shell opened is an input like any other.
        #[cfg(unix)]
        self.inputs.opened_elsewhere(Path::new("/dev/stdin"));
        Ok(io::stdin().lock())
    }

    /// One line for people; not shown with `--quiet`.
    pub fn say(&self, line: &str) {
        self.unless(1, line);
    }

    /// One line that a result should not be used without; not shown where `--quiet` is said twice.
    pub fn warn(&self, line: &str) {
        self.unless(2, line);
    }

    fn unless(&self, quiet: u8, line: &str) {
        if self.quiet < quiet {
            let _ = writeln!(std::io::stderr(), "{}", wording::line(line));
        }
    }

    /// What reading had to mend.
    pub fn warnings(&self, file: &str, warnings: &[Warning]) {
        for warning in warnings {
            self.warn(&format!("supple: {file}: warning: {warning}"));
        }
    }

    /// What a method had to decide by itself: the first lines, and how many more there are. A mesh of a thousand buttons
    /// would else bury what matters.
    pub fn guesses<T: Display>(&self, file: &str, notes: &[T]) {
        self.first(file, notes, "; --json of bind and segment has all");
    }

    /// What was decided elsewhere, cut short in the same way.
    pub fn told<T: Display>(&self, file: &str, notes: &[T]) {
        self.first(file, notes, "");
    }

    /// What binding a graph had to leave out, cut short in the same way.
    pub fn notes(&self, file: &str, binding: &Binding) {
        let notes: Vec<String> = binding.notes().map(|(node, note)| format!("{node}: {note}")).collect();
        self.first(file, &notes, "");
    }

    fn first<T: Display>(&self, file: &str, notes: &[T], where_all: &str) {
        for note in notes.iter().take(MOST_GUESSES) {
            self.warn(&format!("supple: {file}: warning: {note}"));
        }
        if notes.len() > MOST_GUESSES {
            let more = notes.len() - MOST_GUESSES;
            self.warn(&format!("supple: {file}: warning: and {more} more like these{where_all}"));
        }
    }

    /// Reports the warnings and hands the rig on, turned where it is inside out and that was asked for.
    pub fn rig(&self, file: &str, loaded: Loaded) -> Rig {
        self.warnings(file, &loaded.warnings);
        let mut rig = loaded.rig;
        if self.flip && !rig.mesh.triangles.is_empty() {
            let facing = Facing::of(&rig.mesh);
            facing.turn(&mut rig.mesh);
            match wording::inside_out(&facing.parts(&rig.parts)) {
                None => self.say(&format!("supple: {file}: nothing is inside out: --flip turned nothing")),
                Some(parts) => self.say(&format!("supple: {file}: turned what was inside out: {parts}")),
            }
        }
        rig
    }

    /// Says what of a mesh is inside out, where that is so.
    pub fn inside_out(&self, file: &str, mesh: &Mesh) {
        let turned = Facing::of(mesh).inside_out();
        if turned > 0 {
            let triangles = wording::counted(turned, "triangle is", "triangles are");
            self.warn(&format!("supple: {file}: {triangles} inside out (--flip turns them)"));
        }
    }

    /// Says what is measured the other way round, and what cannot be judged.
    pub fn facing(&self, file: &str, gauge: &SurfaceGauge) {
        let turned = gauge.facing().inside_out();
        if turned > 0 {
            let triangles = wording::counted(turned, "triangle is", "triangles are");
            self.warn(&format!(
                "supple: {file}: {triangles} inside out, and measured the other way round (see --flip)"
            ));
        }
        if let Some(why) = gauge.unjudged() {
            self.warn(&format!("supple: {file}: warning: overlap and volume cannot be judged: {why}"));
        }
    }

    /// What a written file could not keep of the one it was made from.
    pub fn kept(&self, file: &Path, notes: &[String]) {
        self.first(&file.display().to_string(), notes, "");
    }

    /// One clear line, whatever the depth of the causes.
    pub fn error(&self, error: &anyhow::Error) {
        let mut causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        if error.is::<std::io::Error>() && causes.len() == 1 {
            // Files are named by whoever opens them; only standard output has no name.
            causes.insert(0, "cannot write to standard output".to_owned());
        }
        let mut line = String::new();
        for cause in causes {
            // Some causes repeat what their effect already says.
            if !line.ends_with(&cause) {
                line = if line.is_empty() { cause } else { format!("{line}: {cause}") };
            }
        }
        let _ = writeln!(std::io::stderr(), "supple: {}", wording::line(&line.replace('\n', " ")));
    }

    /// A bar on a terminal, nothing elsewhere.
    pub fn progress(&self, what: &str, steps: usize) -> ProgressBar {
        if self.quiet > 0 || !watch::is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{msg:>12} [{bar:40}] {pos}/{len} {eta} left");
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(Line), 20);
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target)
            .with_style(style.expect("the template is sound").progress_chars("=> "));
        bar.set_message(what.to_owned());
        bar
    }
}

/// The line of a terminal that a bar is drawn on. Standard error is no terminal itself: it goes through the program that
/// watches over this one.
#[derive(Debug)]
struct Line;

impl Line {
    fn send(text: &str) -> io::Result<()> {
        std::io::stderr().write_all(text.as_bytes())
    }
}

impl TermLike for Line {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        if lines > 0 { Self::send(&format!("\x1b[{lines}A")) } else { Ok(()) }
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        if lines > 0 { Self::send(&format!("\x1b[{lines}B")) } else { Ok(()) }
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        if columns > 0 { Self::send(&format!("\x1b[{columns}C")) } else { Ok(()) }
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        if columns > 0 { Self::send(&format!("\x1b[{columns}D")) } else { Ok(()) }
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        Self::send(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        Self::send(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        Self::send("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        std::io::stderr().flush()
    }
}
