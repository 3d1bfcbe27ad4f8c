//! The studio without its widgets: it takes [`Command`]s, keeps the document, and shows it on a device. What the window
//! draws round it is in [`crate::app`].

mod beside;
mod change;
pub mod deliver;
#[cfg(not(target_family = "wasm"))]
pub mod fault;
pub mod figures;
mod files;
pub mod frames;
mod framing;
pub mod memory;
mod motion;
mod parts;
pub mod picking;
mod picture;
pub mod record;
pub mod recovery;
pub mod scale;
pub mod scene;
pub mod stage;
pub mod task;

use crate::{
    model::{Change, Command, Document, Origin, PictureOptions, Playback, SkinView},
    viewport::{Shown, Skin, Viewport},
};
pub use beside::Beside;
use figures::LiveFigures;
pub use files::{Files, Outside, is_project, is_whole};
use files::{NEEDS_DEVICE, Then};
use memory::Memory;
pub use motion::Dropped;
pub use parts::{Arrivals, Device, Drawn, Kept, Open, Said, Sight, Work};
use recovery::Recovery;
use stage::{Stage, Wish};
use std::sync::Arc;
use supple::{pose::Pose, rig::Rig};
use supple_gpu::{Gpu, GpuError};
use task::Wake;
use web_time::Instant;

/// A line for the person in front, and how bad it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// One line.
    pub text: String,
    /// Something did not work.
    pub is_error: bool,
    /// When it was said, to let it fade.
    pub at: Instant,
}

/// See the module.
pub struct Studio {
    /// What it draws and computes with.
    pub device: Device,
    /// What is open.
    pub open: Open,
    /// How it is looked at.
    pub sight: Sight,
    /// What is drawn.
    pub drawn: Drawn,
    /// What goes on beside the window.
    pub work: Work,
    /// What was said.
    pub said: Said,
    /// Files on their way in.
    pub arrivals: Arrivals,
    /// What is kept for another time.
    pub kept: Kept,
    /// The program shall end.
    pub quitting: bool,
}

impl Studio {
    /// Readies a device.
    pub fn new(gpu: Gpu, wake: Wake, memory: Memory, recovery: Recovery) -> Result<Self, GpuError> {
        let viewport = Viewport::new(&gpu)?;
        Ok(Self {
            // A browser has one thread for everything, and what it calls software is still faster than that.
            device: Device { gpu, viewport, insist: cfg!(target_family = "wasm") },
            open: Open::default(),
            sight: Sight::new(memory.dark),
            drawn: Drawn::default(),
            work: Work::new(wake),
            said: Said::default(),
            arrivals: Arrivals::default(),
            kept: Kept { memory, recovery, picture: PictureOptions::default() },
            quitting: false,
        })
    }

    /// Tells the person something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.said.notices.push(Notice { text: text.into(), is_error: false, at: Instant::now() });
    }

    /// Tells the person that something did not work.
    pub fn complain(&mut self, text: impl Into<String>) {
        let text = plain(text.into());
        // What goes wrong in every frame is said once.
        self.said.notices.retain(|n| n.text != text);
        self.said.notices.push(Notice { text, is_error: true, at: Instant::now() });
    }

    /// Does what a person asked for. What cannot be done is said, and nothing is lost.
    pub fn execute(&mut self, command: Command) {
        let Some(command) = self.work.changing.hold(command) else { return };
        match command {
            Command::Open { path } => self.open(path, Then::Show),
            Command::OpenWith { project, rig } => self.open_with(project, rig),
            Command::Drop { path } => self.open(path, Then::Ask),
            Command::Motion { path } => self.open(path, Then::Move),
            Command::Example { name } => self.open_example(name),
            Command::Close => self.close(),
            Command::Change { edit } => self.change(Change::Edit(edit)),
            Command::Undo => self.change(Change::Undo),
            Command::Redo => self.change(Change::Redo),
            Command::Settle => self.settle(),
            Command::Select { joint } => {
                let Some(document) = &self.open.document else { return };
                let skeleton = &document.rig().skeleton;
                self.open.selected = joint.as_deref().and_then(|name| skeleton.find_forgiving(name));
                if let (Some(name), None) = (&joint, self.open.selected) {
                    self.complain(format!("no joint is called \"{name}\""));
                }
            }
            Command::Play { playing } => self.play(playing),
            Command::Pace { speed, looped } => {
                if speed.is_finite() {
                    (self.open.playback.speed, self.open.playback.looped) = (speed, looped);
                }
            }
            Command::Show { view } => self.sight.view = view,
            Command::Bones { shown } => self.sight.bones = shown,
            Command::Fold { side, folded } => {
                self.kept.memory.folded[side as usize] = folded;
                self.kept.memory.save();
            }
            Command::Panes { layout } => self.sight.layout = layout,
            Command::PaneMethod { pane, method } => {
                if let Err(error) = self.sight.beside.choose(pane, method) {
                    self.complain(error);
                }
            }
            Command::Overlay { shown } => self.sight.overlay = shown,
            Command::Frame => self.frame(),
            Command::Save { path } => self.save(path),
            Command::Export { kind, path, picture } => self.export(kind, path, &picture),
            Command::StopExport => {
                if let Some(kept) = self.stop_recording() {
                    self.say(format!("the export was stopped{kept}"));
                }
            }
            Command::Dark { on } => {
                self.sight.dark = on;
                self.kept.memory.dark = on;
                self.kept.memory.save();
            }
            Command::Quit => self.quitting = true,
        }
    }

    /// Shows a document in place of the last.
    pub fn take(&mut self, document: Document) {
        self.close();
        for warning in &document.warnings {
            self.said.notices.push(Notice { text: warning.clone(), is_error: false, at: Instant::now() });
        }
        if let Origin::File(path) = &document.origin {
            self.kept.memory.opened(document.path.as_deref().unwrap_or(path));
        }
        if let Some(clip) = &document.project().clip {
            self.open.playback.time = clip.time;
        }
        let view = document.project().view;
        (self.sight.looked, self.sight.framed) = (false, None);
        self.open.document = Some(document);
        self.open.opened += 1;
        if let Some(view) = view {
            self.look_as(&view);
        }
    }

    fn close(&mut self) {
        if let Some(kept) = self.stop_recording() {
            self.complain(format!("not exported: the character was closed{kept}"));
        }
        self.kept.recovery.done();
        self.open.document = None;
        self.work.changing = change::Changing::default();
        self.open.selected = None;
        (self.drawn.skin, self.drawn.bare) = (None, None);
        self.drawn.stages = Default::default();
        self.open.playback =
            Playback { speed: self.open.playback.speed, looped: self.open.playback.looped, ..Playback::default() };
        self.work.figures = LiveFigures::default();
        self.drawn.extras = scene::Extras::default();
        self.drawn.colored = scene::ColoredBy::default();
        self.work.picking.clear();
    }

    fn play(&mut self, playing: bool) {
        let Some(document) = &mut self.open.document else { return };
        if playing && document.project().clip.is_none() {
            // A rig with clips and none chosen: the first is what play means.
            let Some(first) = document.rig().clips.first() else {
                return self.complain("this character has no clips to play");
            };
            let name = Some(first.name.clone());
            if let Err(error) = document.edit(&crate::model::Edit::Clip { name }) {
                return self.complain(error.to_string());
            }
        }
        let duration = document.duration();
        if playing && !self.open.playback.looped && self.open.playback.time >= duration {
            self.open.playback.time = 0.0;
        }
        self.open.playback.playing = playing;
        if !playing {
            let seconds = self.open.playback.time;
            let _ = document.edit(&crate::model::Edit::Time { seconds });
            document.history.close();
        }
    }

    /// Lets time pass, takes what became ready, and moves the skin of every pane that is shown.
    pub fn tick(&mut self, seconds: f64) {
        self.receive();
        if let Err(error) = self.device_works() {
            return self.lost(&error);
        }
        let Some(document) = &self.open.document else { return };
        self.open.playback.advance(seconds, document.duration());
        self.present();
        self.work.figures.touching = self.sight.view == SkinView::Contact;
        self.work.figures.tick(&mut self.drawn.stages[0], self.open.document.as_ref(), &self.work.wake);
        if let Some(words) = self.work.figures.lost.take() {
            self.complain(words);
        }
        self.record();
        if let (Some(document), false) = (&self.open.document, self.open.playback.playing) {
            self.kept.recovery.tick(document, self.sight.orbit.view_point());
        }
        self.said.notices.retain(|n| n.at.elapsed().as_secs_f64() < if n.is_error { 30.0 } else { 10.0 });
    }

    /// Moves the skin of every pane to where the document says, and begins what it needs for that. Costs little where
    /// nothing has changed.
    pub fn present(&mut self) {
        let Some(pose) = self.pose() else { return };
        self.prepare_skin();
        self.keep_framed();
        // First what is done, so that what is wanted now is begun in the same frame.
        if let Some((_, skin)) = &self.drawn.skin {
            self.drawn.stages.iter_mut().for_each(|stage| stage.receive(&self.device.viewport, skin));
        }
        self.want();
        self.show(&pose);
        // What is asked about the skin is asked of the skin that is drawn next.
        let skin = self.drawn.skin.as_ref().zip(self.drawn.stages[0].bound());
        let sent = self.work.picking.send(&self.device.viewport, skin.map(|((_, skin), ready)| (skin, &ready.shown)));
        if let Err(error) = sent {
            self.complain(error.to_string());
        }
    }

    fn receive(&mut self) {
        self.receive_change();
        self.receive_files();
        if let Err(error) = self.work.picking.receive() {
            self.complain(error.to_string());
        }
    }

    fn prepare_skin(&mut self) {
        let Some(document) = &self.open.document else { return };
        let rig = document.rig();
        // Weights and joints change often, the surface never: it is sent once.
        if let Some((of, _)) = &mut self.drawn.skin
            && of.mesh.positions.len() == rig.mesh.positions.len()
        {
            *of = rig.clone();
            return;
        }
        match Skin::new(&self.device.viewport, rig) {
            Ok((skin, faults)) => {
                self.drawn.skin = Some((rig.clone(), skin));
                faults.into_iter().for_each(|fault| self.say(fault));
            }
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Which methods are shown where.
    fn want(&mut self) {
        self.vary_beside();
        let Some(document) = &self.open.document else { return };
        if document.rig().mesh.positions.is_empty() {
            return;
        }
        let shown = if self.sight.overlay { self.sight.layout.panes().max(2) } else { self.sight.layout.panes() };
        for (pane, stage) in self.drawn.stages.iter_mut().enumerate().take(shown) {
            let graph = match pane {
                0 => Ok(document.project().graph.clone()),
                _ => document.project().graph_of(self.sight.beside.of(pane)).map(|g| g.to_file()),
            };
            if let Ok(graph) = graph {
                stage.want(Wish { rig: document.rig().clone(), graph }, self.device.computing(), &self.work.wake);
            }
        }
        self.drawn.stages[shown..].iter_mut().for_each(|stage| *stage = Stage::default());
    }

    fn show(&mut self, pose: &Pose) {
        match &self.drawn.skin {
            Some((_, skin)) if self.drawn.stages[0].is_bare() => {
                if self.drawn.bare.is_none() {
                    self.drawn.bare = Shown::new(&self.device.viewport, skin).ok();
                }
            }
            _ => self.drawn.bare = None,
        }
        let moment = self.moment();
        let mut wrong: [Option<String>; 4] = Default::default();
        let newest = self.open.document.as_ref().map(|d| d.rig().clone());
        let of_before = |rig: &Arc<Rig>| newest.as_ref().is_some_and(|n| !Arc::ptr_eq(n, rig));
        let before: Vec<Option<Pose>> = self
            .drawn
            .stages
            .iter()
            .map(|s| s.bound().map(|b| &b.rig).filter(|rig| of_before(rig)).and_then(|rig| self.pose_of(rig)))
            .collect();
        for ((stage, before), wrong) in self.drawn.stages.iter_mut().zip(before).zip(&mut wrong) {
            let Some(ready) = stage.ready() else { continue };
            *wrong = ready.move_to(before.as_ref().unwrap_or(pose), moment).and_then(|_| ready.fetch()).err();
            ready.ask_times();
        }
        self.drawn.unmoved = wrong[0].clone();
        if let Some(error) = wrong.into_iter().flatten().last() {
            self.complain(error);
        }
    }

    /// Asks the device for news: that it is lost is told to nobody who does not ask.
    pub fn device_works(&self) -> Result<(), GpuError> {
        let _ = self.device.gpu.device.poll(supple_gpu::wgpu::PollType::Poll);
        self.device.gpu.trouble()
    }

    /// The device is gone: the work is not. It is kept whether it was saved or not, so that it can be shown again.
    pub fn lost(&mut self, error: &GpuError) {
        let text = format!("{error}; your work is kept: save it, then start the studio again");
        if !self.said.notices.iter().any(|n| n.text == text) {
            self.complain(text);
        }
        self.open.playback.playing = false;
        if let Some(kept) = self.stop_recording() {
            self.not_written("not exported", &format!("{NEEDS_DEVICE}{kept}"));
        }
        if let Some(document) = &self.open.document {
            self.kept.recovery.keep(document, self.sight.orbit.view_point());
        }
    }

    /// Goes on with what was kept when the device was lost.
    pub fn resume(&mut self, why: &str) {
        match self.kept.recovery.recover() {
            Some(Ok(document)) => {
                self.take(document);
                self.say(format!("{why}; the studio was started again, with your work"));
            }
            Some(Err(error)) => self.complain(format!("{why}; your work cannot be taken up: {error}")),
            None => self.complain(format!("{why}; the studio was started again")),
        }
    }

    /// Whether frames must follow one another without anybody touching anything.
    pub fn is_busy(&self) -> bool {
        self.open.playback.playing
            || self.arrivals.opening.is_some()
            || self.arrivals.arriving.is_some()
            || self.arrivals.arrived.is_some()
            || self.arrivals.dropped.is_some()
            || self.work.exporting.is_some()
            || self.work.changing.is_busy()
            || self.work.recorder.is_some()
            || self.drawn.stages.iter().any(Stage::is_binding)
            || self.work.figures.is_busy()
            || self.work.picking.is_busy()
            || self.drawn.stages.iter().any(|s| s.bound().is_some_and(stage::Ready::is_fetching))
    }

    /// Nothing that was asked for is still to be done.
    pub fn is_settled(&self) -> bool {
        self.work.recorder.is_none() && !self.work.picking.is_busy() && self.is_ready()
    }

    /// What is shown is what was asked for; a recording may still be going on.
    pub fn is_ready(&self) -> bool {
        self.arrivals.opening.is_none()
            && self.arrivals.arriving.is_none()
            && self.arrivals.arrived.is_none()
            && self.arrivals.dropped.is_none()
            && self.work.exporting.is_none()
            && !self.work.changing.is_busy()
            && !self.drawn.stages.iter().any(Stage::is_binding)
    }
}

/// Without what the library advises who has a shell: here are buttons.
pub(crate) fn plain(text: String) -> String {
    let hint = [": `supple ", ": use it as --"].iter().filter_map(|hint| text.find(hint)).min();
    hint.map_or(text.clone(), |at| text[..at].to_owned())
}

impl Drop for Studio {
    /// Whatever went wrong in the window must not cost the last seconds of work.
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(document) = self.open.document.as_ref()
        {
            self.kept.recovery.keep(document, self.sight.orbit.view_point());
        }
    }
}
