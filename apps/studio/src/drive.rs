//! A script in place of a hand: commands as lines of JSON, each begun when all before it is done. It goes the way of
//! buttons and keys, so what it can do is what a person can do. Tests and the pictures of the book are made with it.

use crate::{
    model::Command,
    studio::{Studio, figures},
};
use eframe::egui;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};
use web_time::Instant;

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// What a person can do.
    Command(Command),
    /// What only a script wants.
    Script(Script),
}

/// What only a script wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "script", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Script {
    /// Lets time pass.
    Wait {
        /// Seconds.
        seconds: f64,
    },
    /// Turns the camera: degrees round and up from the front.
    Look {
        /// Round.
        azimuth: f32,
        /// Up.
        elevation: f32,
    },
    /// Sets the clock of the clip.
    At {
        /// Seconds.
        seconds: f64,
    },
    /// Chooses the panel on the right.
    Tab {
        /// As its title.
        name: String,
    },
    /// Writes what is shown, in figures, to a file (or to the page).
    Report {
        /// Where.
        path: Option<PathBuf>,
    },
    /// Writes a picture of the whole window.
    Window {
        /// Where.
        path: PathBuf,
    },
    /// Takes the graphics device away, as a driver does that fails: for tests.
    LoseDevice {
        /// After so many seconds, whatever is being drawn then; at once and between two frames where it is none.
        #[serde(default)]
        after: Option<f64>,
    },
}

/// See the module.
#[derive(Default)]
pub struct Drive {
    steps: VecDeque<Step>,
    /// How many were begun.
    pub begun: Arc<AtomicUsize>,
    until: Option<Instant>,
    settled: u32,
    shot: Option<(PathBuf, mpsc::Receiver<Arc<egui::ColorImage>>)>,
    /// The panel that was asked for.
    pub tab: Option<String>,
    /// What was reported last.
    pub report: Option<Value>,
}

/// Frames without work before a step counts as done: what it changed has been drawn by then.
const CALM: u32 = 3;

impl Drive {
    /// From lines of JSON; empty ones and those with # are left out.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut drive = Self::default();
        drive.push(text)?;
        Ok(drive)
    }

    /// Adds lines.
    pub fn push(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |e: serde_json::Error| format!("line {}: {e}", number + 1);
            let value: Value = serde_json::from_str(line).map_err(wrong)?;
            // Which of the two it is decides which fault is told.
            let step = if value.get("script").is_some() {
                Step::Script(serde_json::from_value(value).map_err(wrong)?)
            } else {
                Step::Command(serde_json::from_value(value).map_err(wrong)?)
            };
            self.steps.push_back(step);
        }
        // What happened just before, such as a drop, is looked at first.
        self.settled = 0;
        Ok(())
    }

    /// Leaves out what was begun before the studio was started again.
    pub fn skip(&mut self, steps: usize) {
        self.steps.drain(..steps.min(self.steps.len()));
        self.begun.store(steps, Ordering::Relaxed);
    }

    /// Whether everything was done.
    pub fn is_done(&self) -> bool {
        self.steps.is_empty() && self.shot.is_none() && self.until.is_none()
    }

    /// Goes on, if what was begun is done.
    pub fn tick(&mut self, studio: &mut Studio, ctx: &egui::Context) {
        self.take_shot(studio);
        if self.until.is_some_and(|until| Instant::now() < until) || self.shot.is_some() {
            return;
        }
        self.until = None;
        self.settled = if studio.is_settled() { self.settled + 1 } else { 0 };
        if self.settled < CALM {
            return;
        }
        let Some(step) = self.steps.front() else { return };
        if let (Step::Script(Script::Report { .. }), Some(ready)) = (step, studio.drawn.stages[0].ready()) {
            // Its points come back from the device some frames later.
            ready.host_wanted = true;
            if ready.host().is_none_or(|(frame, _)| frame != ready.frame) {
                return;
            }
        }
        self.settled = 0;
        self.begun.fetch_add(1, Ordering::Relaxed);
        match self.steps.pop_front() {
            None => {}
            Some(Step::Command(command)) => studio.execute(command),
            Some(Step::Script(script)) => self.run(script, studio, ctx),
        }
    }

    fn run(&mut self, script: Script, studio: &mut Studio, ctx: &egui::Context) {
        match script {
            Script::Wait { seconds } => {
                let seconds = std::time::Duration::from_secs_f64(seconds.clamp(0.0, 600.0));
                self.until = Some(Instant::now() + seconds);
            }
            Script::Look { azimuth, elevation } => {
                (studio.sight.orbit.yaw, studio.sight.orbit.pitch) = (azimuth.to_radians(), elevation.to_radians());
            }
            Script::At { seconds } => studio.open.playback.time = seconds,
            Script::Tab { name } => self.tab = Some(name),
            Script::Window { path } => {
                let (sender, receiver) = mpsc::channel();
                self.shot = Some((path, receiver));
                let wake = ctx.clone();
                ctx.request_screenshot(move |image| {
                    let _ = sender.send(image);
                    wake.request_repaint();
                });
            }
            Script::LoseDevice { after: None } => {
                // A device that is taken away says so when it has nothing left to do.
                let _ = studio.device.gpu.wait();
                studio.device.gpu.device.destroy();
            }
            Script::LoseDevice { after: Some(seconds) } => {
                let device = studio.device.gpu.device.clone();
                let seconds = std::time::Duration::from_secs_f64(seconds.clamp(0.0, 600.0));
                drop(std::thread::Builder::new().spawn(move || {
                    std::thread::sleep(seconds);
                    device.destroy();
                }));
            }
            Script::Report { path } => {
                let report = report(studio);
                if let Some(path) = path {
                    let text = format!("{report}\n");
                    if let Err(error) = crate::studio::deliver::hand_over(&path, text.as_bytes()) {
                        studio.complain(error);
                    }
                }
                self.report = Some(report);
            }
        }
    }

    fn take_shot(&mut self, studio: &mut Studio) {
        let Some((path, receiver)) = &self.shot else { return };
        let Ok(image) = receiver.try_recv() else { return };
        let [width, height] = image.size;
        let bytes: Vec<u8> = image.pixels.iter().flat_map(|p| [p.r(), p.g(), p.b(), 255]).collect();
        let picture = image::RgbaImage::from_raw(width as u32, height as u32, bytes);
        let mut png = std::io::Cursor::new(Vec::new());
        let written = picture.ok_or_else(|| "the picture has no pixels".to_owned()).and_then(|picture| {
            picture.write_to(&mut png, image::ImageFormat::Png).map_err(|e| e.to_string())?;
            crate::studio::deliver::hand_over(path, png.get_ref())
        });
        if let Err(error) = written {
            studio.complain(error);
        }
        self.shot = None;
    }
}

/// What is shown, in figures that do not hang on where it was computed.
pub fn report(studio: &Studio) -> Value {
    let Some(ready) = studio.drawn.stages[0].bound() else { return json!({ "error": studio.drawn.stages[0].error }) };
    let Some((_, points)) = ready.host() else { return Value::Null };
    let (centroid, volume, largest_move) = figures::plain(&ready.rig, &points);
    json!({
        "vertices": points.len(),
        "centroid": centroid,
        "volume": volume,
        "largest_move": largest_move,
        "diagonal": ready.rig.diagonal(),
        "on_device": ready.engine.on_device(),
        "device": studio.device.gpu.name(),
        "method": studio.open.document.as_ref().map(|d| d.project().graph.output.clone()),
        "notices": studio.said.notices.iter().map(|n| n.text.clone()).collect::<Vec<_>>(),
    })
}
