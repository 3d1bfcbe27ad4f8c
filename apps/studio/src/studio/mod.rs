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
pub mod picking;
mod picture;
pub mod record;
pub mod recovery;
pub mod scale;
pub mod scene;
pub mod stage;
pub mod task;

use crate::{
    model::{Change, Command, Document, Layout, Origin, PictureOptions, Playback, SkinView},
    viewport::{Shown, Skin, Viewport, orbit::Orbit},
};
pub use beside::Beside;
use figures::LiveFigures;
pub use files::{Files, Outside, is_project, is_whole};
use files::{NEEDS_DEVICE, Then};
use memory::Memory;
pub use motion::Dropped;
use picking::Picking;
use record::Recorder;
use recovery::Recovery;
use stage::{Stage, Wish};
use std::{path::PathBuf, sync::Arc};
use supple::{pose::Pose, rig::Rig};
use supple_gpu::{Gpu, GpuError};
use task::{Task, Wake};
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
    /// The device.
    pub gpu: Gpu,
    /// Draws on it.
    pub viewport: Viewport,
    /// Wakes the window.
    pub wake: Wake,
    /// What is open.
    pub document: Option<Document>,
    /// The clock.
    pub playback: Playback,
    /// The selected joint.
    pub selected: Option<usize>,
    /// How skin is drawn.
    pub view: SkinView,
    /// Bones are drawn.
    pub bones: bool,
    /// How many panes.
    pub layout: Layout,
    /// Methods of the panes beside the first.
    pub beside: Beside,
    /// The second result is drawn over the first.
    pub overlay: bool,
    /// Dark colours.
    pub dark: bool,
    /// Where it is looked at from; all panes share it.
    pub orbit: Orbit,
    /// One for each pane.
    pub stages: [Stage; 4],
    /// The skin on the device, and the rig it is of.
    pub skin: Option<(Arc<Rig>, Skin)>,
    /// The skin at rest, where nothing can be bound: a mesh without a skeleton shall be seen while it gets one.
    pub bare: Option<Shown>,
    /// What lies under the mouse.
    pub picking: Picking,
    /// What is measured live.
    pub figures: LiveFigures,
    /// What was said lately.
    pub notices: Vec<Notice>,
    /// Recent files and the like.
    pub memory: Memory,
    /// What a crash left behind.
    pub recovery: Recovery,
    /// A clip being drawn to files.
    pub recorder: Option<Recorder>,
    /// Points being written.
    pub exporting: Option<(String, Task<Result<String, String>>)>,
    opening: Option<files::Opening>,
    /// A project that reaches out of its folder, and that the person is asked about.
    pub outside: Option<Outside>,
    arriving: Option<(String, Task<Files>)>,
    /// Files that a browser has handed over: to be opened once it is sure that no work is lost by it.
    pub arrived: Option<Vec<(String, Vec<u8>)>>,
    /// Files that were dropped, read, and wait for what shall be done with them.
    pub dropped: Option<Vec<(String, Document)>>,
    /// A project whose rig is not where it says: the project, and where it looked.
    pub moved: Option<(PathBuf, PathBuf)>,
    /// How pictures were asked for last.
    pub picture: PictureOptions,
    /// What could not be written last, and why.
    pub unwritten: Option<String>,
    /// Skin is moved by the device even where that is the processor in disguise, which the processor itself outruns.
    pub insist: bool,
    changing: change::Changing,
    /// Why the skin of the first pane could not be moved last.
    unmoved: Option<String>,
    /// What the skin's colours were made of, to make them again only when that changes.
    pub colored: scene::ColoredBy,
    /// What else is drawn over the skin: set by panels each frame.
    pub extras: scene::Extras,
    /// The program shall end.
    pub quitting: bool,
    /// Somebody has looked at what is open, or the studio has for them.
    looked: bool,
    framed: Option<framing::Framed>,
    /// Counts the documents that were opened: what belongs to one is put away with it.
    pub opened: u64,
    /// Width over height of a pane; 0 before there is one.
    pub aspect: f32,
    /// Width and height of the first pane, in points.
    pub pane: [f32; 2],
    /// Pixels of the screen for each point.
    pub density: f32,
    /// Pixels of a pane for each point of the window: what marks are measured in. Less where drawing must keep up.
    pub scale: f32,
}

impl Studio {
    /// Readies a device.
    pub fn new(gpu: Gpu, wake: Wake, memory: Memory, recovery: Recovery) -> Result<Self, GpuError> {
        let viewport = Viewport::new(&gpu)?;
        Ok(Self {
            viewport,
            wake,
            document: None,
            playback: Playback::default(),
            selected: None,
            view: SkinView::default(),
            bones: true,
            layout: Layout::default(),
            beside: Beside::default(),
            overlay: false,
            dark: memory.dark,
            orbit: Orbit::default(),
            stages: Default::default(),
            skin: None,
            bare: None,
            picking: Picking::default(),
            figures: LiveFigures::default(),
            notices: Vec::new(),
            memory,
            recovery,
            recorder: None,
            exporting: None,
            opening: None,
            outside: None,
            arriving: None,
            arrived: None,
            dropped: None,
            moved: None,
            unwritten: None,
            picture: PictureOptions::default(),
            // A browser has one thread for everything, and what it calls software is still faster than that.
            insist: cfg!(target_family = "wasm"),
            changing: change::Changing::default(),
            unmoved: None,
            colored: scene::ColoredBy::default(),
            extras: scene::Extras::default(),
            quitting: false,
            looked: false,
            framed: None,
            opened: 0,
            aspect: 0.0,
            pane: [0.0; 2],
            density: 1.0,
            scale: 1.0,
            gpu,
        })
    }

    /// Tells the person something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notices.push(Notice { text: text.into(), is_error: false, at: Instant::now() });
    }

    /// Tells the person that something did not work.
    pub fn complain(&mut self, text: impl Into<String>) {
        let text = plain(text.into());
        // What goes wrong in every frame is said once.
        self.notices.retain(|n| n.text != text);
        self.notices.push(Notice { text, is_error: true, at: Instant::now() });
    }

    /// Does what a person asked for. What cannot be done is said, and nothing is lost.
    pub fn execute(&mut self, command: Command) {
        let Some(command) = self.changing.hold(command) else { return };
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
                let Some(document) = &self.document else { return };
                let skeleton = &document.rig().skeleton;
                self.selected = joint.as_deref().and_then(|name| skeleton.find_forgiving(name));
                if let (Some(name), None) = (&joint, self.selected) {
                    self.complain(format!("no joint is called \"{name}\""));
                }
            }
            Command::Play { playing } => self.play(playing),
            Command::Pace { speed, looped } => {
                if speed.is_finite() {
                    (self.playback.speed, self.playback.looped) = (speed, looped);
                }
            }
            Command::Show { view } => self.view = view,
            Command::Bones { shown } => self.bones = shown,
            Command::Fold { side, folded } => {
                self.memory.folded[side as usize] = folded;
                self.memory.save();
            }
            Command::Panes { layout } => self.layout = layout,
            Command::PaneMethod { pane, method } => {
                if let Err(error) = self.beside.choose(pane, method) {
                    self.complain(error);
                }
            }
            Command::Overlay { shown } => self.overlay = shown,
            Command::Frame => self.frame(),
            Command::Save { path } => self.save(path),
            Command::Export { kind, path, picture } => self.export(kind, path, &picture),
            Command::StopExport => {
                if let Some(kept) = self.stop_recording() {
                    self.say(format!("the export was stopped{kept}"));
                }
            }
            Command::Dark { on } => {
                self.dark = on;
                self.memory.dark = on;
                self.memory.save();
            }
            Command::Quit => self.quitting = true,
        }
    }

    /// Shows a document in place of the last.
    pub fn take(&mut self, document: Document) {
        self.close();
        for warning in &document.warnings {
            self.notices.push(Notice { text: warning.clone(), is_error: false, at: Instant::now() });
        }
        if let Origin::File(path) = &document.origin {
            self.memory.opened(document.path.as_deref().unwrap_or(path));
        }
        if let Some(clip) = &document.project().clip {
            self.playback.time = clip.time;
        }
        let view = document.project().view;
        (self.looked, self.framed) = (false, None);
        self.document = Some(document);
        self.opened += 1;
        if let Some(view) = view {
            self.look_as(&view);
        }
    }

    fn close(&mut self) {
        if let Some(kept) = self.stop_recording() {
            self.complain(format!("not exported: the character was closed{kept}"));
        }
        self.recovery.done();
        self.document = None;
        self.changing = change::Changing::default();
        self.selected = None;
        (self.skin, self.bare) = (None, None);
        self.stages = Default::default();
        self.playback = Playback { speed: self.playback.speed, looped: self.playback.looped, ..Playback::default() };
        self.figures = LiveFigures::default();
        self.extras = scene::Extras::default();
        self.colored = scene::ColoredBy::default();
        self.picking.clear();
    }

    fn play(&mut self, playing: bool) {
        let Some(document) = &mut self.document else { return };
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
        if playing && !self.playback.looped && self.playback.time >= duration {
            self.playback.time = 0.0;
        }
        self.playback.playing = playing;
        if !playing {
            let seconds = self.playback.time;
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
        let Some(document) = &self.document else { return };
        self.playback.advance(seconds, document.duration());
        self.present();
        self.figures.touching = self.view == SkinView::Contact;
        self.figures.tick(&mut self.stages[0], self.document.as_ref(), &self.wake);
        if let Some(words) = self.figures.lost.take() {
            self.complain(words);
        }
        self.record();
        if let (Some(document), false) = (&self.document, self.playback.playing) {
            self.recovery.tick(document, self.orbit.view_point());
        }
        self.notices.retain(|n| n.at.elapsed().as_secs_f64() < if n.is_error { 30.0 } else { 10.0 });
    }

    /// Moves the skin of every pane to where the document says, and begins what it needs for that. Costs little where
    /// nothing has changed.
    pub fn present(&mut self) {
        let Some(pose) = self.pose() else { return };
        self.prepare_skin();
        self.keep_framed();
        // First what is done, so that what is wanted now is begun in the same frame.
        if let Some((_, skin)) = &self.skin {
            self.stages.iter_mut().for_each(|stage| stage.receive(&self.viewport, skin));
        }
        self.want();
        self.show(&pose);
        // What is asked about the skin is asked of the skin that is drawn next.
        let skin = self.skin.as_ref().zip(self.stages[0].bound());
        let sent = self.picking.send(&self.viewport, skin.map(|((_, skin), ready)| (skin, &ready.shown)));
        if let Err(error) = sent {
            self.complain(error.to_string());
        }
    }

    fn receive(&mut self) {
        self.receive_change();
        self.receive_files();
        if let Err(error) = self.picking.receive() {
            self.complain(error.to_string());
        }
    }

    fn prepare_skin(&mut self) {
        let Some(document) = &self.document else { return };
        let rig = document.rig();
        // Weights and joints change often, the surface never: it is sent once.
        if let Some((of, _)) = &mut self.skin
            && of.mesh.positions.len() == rig.mesh.positions.len()
        {
            *of = rig.clone();
            return;
        }
        match Skin::new(&self.viewport, rig) {
            Ok((skin, faults)) => {
                self.skin = Some((rig.clone(), skin));
                faults.into_iter().for_each(|fault| self.say(fault));
            }
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Which methods are shown where.
    fn want(&mut self) {
        self.vary_beside();
        let Some(document) = &self.document else { return };
        if document.rig().mesh.positions.is_empty() {
            return;
        }
        let shown = if self.overlay { self.layout.panes().max(2) } else { self.layout.panes() };
        for (pane, stage) in self.stages.iter_mut().enumerate().take(shown) {
            let graph = match pane {
                0 => Ok(document.project().graph.clone()),
                _ => document.project().graph_of(self.beside.of(pane)).map(|g| g.to_file()),
            };
            if let Ok(graph) = graph {
                let gpu = (self.insist || !self.gpu.is_software()).then_some(&self.gpu);
                stage.want(Wish { rig: document.rig().clone(), graph }, gpu, &self.wake);
            }
        }
        self.stages[shown..].iter_mut().for_each(|stage| *stage = Stage::default());
    }

    fn show(&mut self, pose: &Pose) {
        match &self.skin {
            Some((_, skin)) if self.stages[0].is_bare() => {
                if self.bare.is_none() {
                    self.bare = Shown::new(&self.viewport, skin).ok();
                }
            }
            _ => self.bare = None,
        }
        let time = self.playback.time;
        let mut wrong: [Option<String>; 4] = Default::default();
        let newest = self.document.as_ref().map(|d| d.rig().clone());
        let of_before = |rig: &Arc<Rig>| newest.as_ref().is_some_and(|n| !Arc::ptr_eq(n, rig));
        let before: Vec<Option<Pose>> = self
            .stages
            .iter()
            .map(|s| s.bound().map(|b| &b.rig).filter(|rig| of_before(rig)).and_then(|rig| self.pose_of(rig)))
            .collect();
        for ((stage, before), wrong) in self.stages.iter_mut().zip(before).zip(&mut wrong) {
            let Some(ready) = stage.ready() else { continue };
            *wrong = ready.move_to(before.as_ref().unwrap_or(pose), time).and_then(|_| ready.fetch()).err();
            ready.ask_times();
        }
        self.unmoved = wrong[0].clone();
        if let Some(error) = wrong.into_iter().flatten().last() {
            self.complain(error);
        }
    }

    /// Asks the device for news: that it is lost is told to nobody who does not ask.
    pub fn device_works(&self) -> Result<(), GpuError> {
        let _ = self.gpu.device.poll(supple_gpu::wgpu::PollType::Poll);
        self.gpu.trouble()
    }

    /// The device is gone: the work is not. It is kept whether it was saved or not, so that it can be shown again.
    pub fn lost(&mut self, error: &GpuError) {
        let text = format!("{error}; your work is kept: save it, then start the studio again");
        if !self.notices.iter().any(|n| n.text == text) {
            self.complain(text);
        }
        self.playback.playing = false;
        if let Some(kept) = self.stop_recording() {
            self.not_written("not exported", &format!("{NEEDS_DEVICE}{kept}"));
        }
        if let Some(document) = &self.document {
            self.recovery.keep(document, self.orbit.view_point());
        }
    }

    /// Goes on with what was kept when the device was lost.
    pub fn resume(&mut self, why: &str) {
        match self.recovery.recover() {
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
        self.playback.playing
            || self.opening.is_some()
            || self.arriving.is_some()
            || self.arrived.is_some()
            || self.dropped.is_some()
            || self.exporting.is_some()
            || self.changing.is_busy()
            || self.recorder.is_some()
            || self.stages.iter().any(Stage::is_binding)
            || self.figures.is_busy()
            || self.picking.is_busy()
            || self.stages.iter().any(|s| s.bound().is_some_and(stage::Ready::is_fetching))
    }

    /// Nothing that was asked for is still to be done.
    pub fn is_settled(&self) -> bool {
        self.recorder.is_none() && !self.picking.is_busy() && self.is_ready()
    }

    /// What is shown is what was asked for; a recording may still be going on.
    pub fn is_ready(&self) -> bool {
        self.opening.is_none()
            && self.arriving.is_none()
            && self.arrived.is_none()
            && self.dropped.is_none()
            && self.exporting.is_none()
            && !self.changing.is_busy()
            && !self.stages.iter().any(Stage::is_binding)
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
            && let Some(document) = self.document.as_ref()
        {
            self.recovery.keep(document, self.orbit.view_point());
        }
    }
}
