//! The studio without its widgets: it takes [`Command`]s, keeps the document, and shows it on a device. What the window
//! draws round it is in [`crate::app`].

mod change;
pub mod deliver;
pub mod figures;
pub mod memory;
pub mod record;
pub mod recovery;
pub mod scene;
pub mod stage;
pub mod task;

use crate::{
    model::{Change, Command, Document, ExportKind, Layout, Origin, Playback, SkinView},
    viewport::{Shown, Skin, Viewport, orbit::Orbit},
};
use figures::LiveFigures;
use glam::Vec3;
use memory::Memory;
use record::Recorder;
use recovery::Recovery;
use stage::{Stage, Wish};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use supple::{graph::DeformGraph, pose::Pose, project::ViewPoint, read, rig::Rig};
use supple_gpu::{Gpu, GpuError};
use task::{Poll, Task, Wake, spawn};
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

/// Files by name with their bytes, or why they did not come.
pub type Files = Result<Vec<(String, Vec<u8>)>, String>;

/// The methods that the panes beside the first begin with: what everybody has today.
const BESIDE: [&str; 3] = ["linear", "dual-quaternion", "delta-mush"];

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
    pub beside: [String; 3],
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
    opening: Option<(String, Task<Result<Document, String>>)>,
    arriving: Option<(String, Task<Files>)>,
    /// Skin is moved by the device even where that is the processor in disguise, which the processor itself outruns.
    pub insist: bool,
    changing: change::Changing,
    /// What the skin's colours were made of, to make them again only when that changes.
    pub colored: scene::ColoredBy,
    /// What else is drawn over the skin: set by panels each frame.
    pub extras: scene::Extras,
    /// The program shall end.
    pub quitting: bool,
    framed: bool,
    /// Width over height of a pane; 0 before there is one.
    pub aspect: f32,
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
            beside: BESIDE.map(str::to_owned),
            overlay: false,
            dark: memory.dark,
            orbit: Orbit::default(),
            stages: Default::default(),
            skin: None,
            bare: None,
            figures: LiveFigures::default(),
            notices: Vec::new(),
            memory,
            recovery,
            recorder: None,
            exporting: None,
            opening: None,
            arriving: None,
            // A browser has one thread for everything, and what it calls software is still faster than that.
            insist: cfg!(target_family = "wasm"),
            changing: change::Changing::default(),
            colored: scene::ColoredBy::default(),
            extras: scene::Extras::default(),
            quitting: false,
            framed: false,
            aspect: 0.0,
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
        let text = text.into();
        // What goes wrong in every frame is said once.
        self.notices.retain(|n| n.text != text);
        self.notices.push(Notice { text, is_error: true, at: Instant::now() });
    }

    /// Does what a person asked for. What cannot be done is said, and nothing is lost.
    pub fn execute(&mut self, command: Command) {
        let Some(command) = self.changing.hold(command) else { return };
        match command {
            Command::Open { path } => self.open(path),
            Command::Example { name } => {
                let title = name.clone();
                self.opening = Some((
                    title,
                    spawn(&self.wake, move || async move { Document::example(&name).map_err(|e| e.to_string()) }),
                ));
            }
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
            Command::Panes { layout } => self.layout = layout,
            Command::PaneMethod { pane, method } => match self.beside.get_mut(pane.wrapping_sub(1)) {
                Some(slot) if supple::graph::method(&method).is_some_and(|m| m.stands_alone) => *slot = method,
                Some(_) => self.complain(format!("no method is called \"{method}\"")),
                None => self.complain(format!("there is no pane {pane}; panes beside the first are 1 to 3")),
            },
            Command::Overlay { shown } => self.overlay = shown,
            Command::Frame => self.frame(),
            Command::Save { path } => self.save(path),
            Command::Export { kind, path } => self.export(kind, path),
            Command::Dark { on } => {
                self.dark = on;
                self.memory.dark = on;
                self.memory.save();
            }
            Command::Quit => self.quitting = true,
        }
    }

    fn open(&mut self, path: PathBuf) {
        let title = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let task = spawn(&self.wake, move || async move { Document::open(&path).map_err(|e| e.to_string()) });
        self.opening = Some((title, task));
    }

    /// Opens files that were dropped or picked together, as a browser hands them over: a rig finds what it refers to
    /// among them, and projects come last, to be laid over their rigs.
    pub fn open_files(&mut self, files: Vec<(String, Vec<u8>)>) {
        let ending = |name: &str| Path::new(name).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let is_readable = |name: &str| ending(name).is_some_and(|e| read::Format::of_extension(&e).is_some());
        let (mut whole, beside): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| is_readable(name));
        if whole.is_empty() {
            whole.extend(beside.first().cloned());
        }
        whole.sort_by_key(|(name, _)| ending(name).is_some_and(|e| e == "json"));
        for (name, bytes) in whole {
            let opened = Document::from_bytes(&name, bytes, &beside, self.document.as_ref()).map_err(|e| e.to_string());
            match opened.and_then(|document| self.recovery.lay_over(&name, document)) {
                Ok(document) => self.take(document),
                Err(error) => self.complain(error),
            }
        }
    }

    /// Opens files that are on their way from the browser.
    #[cfg(target_family = "wasm")]
    pub fn await_files<F: Future<Output = Files> + 'static>(
        &mut self,
        title: String,
        files: impl FnOnce() -> F + 'static,
    ) {
        self.arriving = Some((title, spawn(&self.wake, files)));
    }

    /// What is being opened.
    pub fn opening(&self) -> Option<&str> {
        let arriving = self.arriving.as_ref().map(|(title, _)| title.as_str());
        self.opening.as_ref().map(|(title, _)| title.as_str()).or(arriving)
    }

    /// Stands where a project was last looked at from.
    fn look_as(&mut self, view: &ViewPoint) {
        let reach = self.document.as_ref().map_or(1.0, |d| d.rig().diagonal() * 0.5);
        match Orbit::from_view_point(view, reach) {
            Some(orbit) => (self.orbit, self.framed) = (orbit, true),
            None => self.framed = false,
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
        self.framed = false;
        self.document = Some(document);
        if let Some(view) = view {
            self.look_as(&view);
        }
    }

    fn close(&mut self) {
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
        self.recorder = None;
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

    /// Looks at the selected joint's surroundings, or at everything.
    pub fn frame(&mut self) {
        let Some(document) = &self.document else { return };
        let rig = document.rig();
        let joints: Vec<_> = rig.skeleton.joints().iter().map(|j| j.rest_position().as_vec3()).collect();
        let all: Vec<_> = if rig.mesh.positions.is_empty() { joints.clone() } else { rig.mesh.positions.clone() };
        let points = match (self.selected, &rig.weights) {
            (Some(joint), Some(weights)) if self.framed => {
                let own: Vec<_> = (0..all.len()).filter(|&v| weights.dominant(v) == joint).map(|v| all[v]).collect();
                if own.len() > 2 { own } else { all }
            }
            _ => all,
        };
        let aspect = if self.aspect > 0.0 { self.aspect } else { 1.0 };
        // As it stands, where that is known; at first with room for what will be moved.
        let posed = self.stages[0].bound().and_then(stage::Ready::host).map(|(_, points)| points);
        match posed.filter(|p| self.framed && self.selected.is_none() && p.len() == points.len()) {
            Some(posed) => self.orbit.frame(&posed, aspect),
            None => self.orbit.frame(&roomy(&points), aspect),
        }
        self.framed = true;
    }

    fn save(&mut self, path: Option<PathBuf>) {
        let Some(document) = &mut self.document else { return };
        let view = self.orbit.view_point();
        match deliver::save(document, path, view) {
            Ok(saved) => {
                document.mark_saved();
                self.recovery.done();
                if let Some(path) = &saved.path {
                    self.memory.opened(path);
                }
                self.say(saved.words);
            }
            Err(error) => self.complain(format!("not saved: {error}")),
        }
    }

    fn export(&mut self, kind: ExportKind, path: PathBuf) {
        let Some(document) = &self.document else { return };
        match kind {
            ExportKind::Picture | ExportKind::Gif | ExportKind::Frames => {
                match Recorder::new(&self.viewport, kind, path, document, self.playback.time) {
                    Ok(recorder) => self.recorder = Some(recorder),
                    Err(error) => self.complain(error),
                }
            }
            ExportKind::Pose | ExportKind::Clip => {
                let name = path.display().to_string();
                let pose = document.pose(self.playback.time);
                let work = deliver::Points::new(document, pose, path, kind == ExportKind::Clip);
                self.exporting = Some((name, spawn(&self.wake, move || async move { work.write().await })));
            }
        }
    }

    /// Lets time pass, takes what became ready, and moves the skin of every pane that is shown.
    pub fn tick(&mut self, seconds: f64) {
        self.receive();
        if let Err(error) = self.gpu.trouble() {
            self.lost(&error);
            return;
        }
        let Some(document) = &self.document else { return };
        self.playback.advance(seconds, document.duration());
        self.present();
        self.figures.touching = self.view == SkinView::Contact;
        self.figures.tick(&mut self.stages[0], self.document.as_ref(), &self.wake);
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
        // Before the first pane is laid out nobody knows how wide it is.
        if !self.framed && self.aspect > 0.0 {
            self.frame();
        }
        // First what is done, so that what is wanted now is begun in the same frame.
        if let Some((_, skin)) = &self.skin {
            self.stages.iter_mut().for_each(|stage| stage.receive(&self.viewport, skin));
        }
        self.want();
        self.show(&pose);
    }

    fn receive(&mut self) {
        self.receive_change();
        if let Some((_, task)) = &self.arriving {
            match task.poll() {
                Poll::Running => {}
                Poll::Done(Ok(files)) => {
                    self.arriving = None;
                    self.open_files(files);
                }
                Poll::Done(Err(error)) => {
                    self.arriving = None;
                    self.complain(error);
                }
                Poll::Lost => self.arriving = None,
            }
        }
        if let Some((title, task)) = &self.opening {
            let title = title.clone();
            match task.poll() {
                Poll::Running => {}
                Poll::Done(Ok(document)) => {
                    self.opening = None;
                    self.take(document);
                }
                Poll::Done(Err(error)) => {
                    self.opening = None;
                    self.complain(error);
                }
                Poll::Lost => {
                    self.opening = None;
                    self.complain(format!("{title}: reading it ended without a result"));
                }
            }
        }
        if let Some((name, task)) = &self.exporting {
            let name = name.clone();
            match task.poll() {
                Poll::Running => {}
                Poll::Done(done) => {
                    self.exporting = None;
                    match done {
                        Ok(words) => self.say(words),
                        Err(error) => self.complain(format!("not exported: {error}")),
                    }
                }
                Poll::Lost => {
                    self.exporting = None;
                    self.complain(format!("{name}: writing it ended without a result"));
                }
            }
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
        let Some(document) = &self.document else { return };
        if document.rig().mesh.positions.is_empty() {
            return;
        }
        let shown = if self.overlay { self.layout.panes().max(2) } else { self.layout.panes() };
        for (pane, stage) in self.stages.iter_mut().enumerate().take(shown) {
            let graph = match pane {
                0 => Ok(document.project().graph.clone()),
                _ => DeformGraph::single(&self.beside[pane - 1]).map(|g| g.to_file()),
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
            Some((_, skin)) if self.stages[0].error.is_some() => {
                if self.bare.is_none() {
                    self.bare = Shown::new(&self.viewport, skin).ok();
                }
            }
            _ => self.bare = None,
        }
        let mut wrong = None;
        let newest = self.document.as_ref().map(|d| d.rig().clone());
        let of_before = |rig: &Arc<Rig>| newest.as_ref().is_some_and(|n| !Arc::ptr_eq(n, rig));
        let before: Vec<Option<Pose>> = self
            .stages
            .iter()
            .map(|s| s.bound().map(|b| &b.rig).filter(|rig| of_before(rig)).and_then(|rig| self.pose_of(rig)))
            .collect();
        for (stage, before) in self.stages.iter_mut().zip(before) {
            let Some(ready) = stage.ready() else { continue };
            if let Err(error) = ready.move_to(before.as_ref().unwrap_or(pose)).and_then(|_| ready.fetch()) {
                wrong = Some(error);
            }
            ready.ask_times();
        }
        if let Some(error) = wrong {
            self.complain(error);
        }
    }

    /// The device is gone: the work is not.
    fn lost(&mut self, error: &GpuError) {
        let text = format!("{error}; your work is kept: save it, then start the studio again");
        if !self.notices.iter().any(|n| n.text == text) {
            self.complain(text);
        }
        if let Some(document) = &self.document {
            self.recovery.keep_now(document, self.orbit.view_point());
        }
    }

    /// Whether frames must follow one another without anybody touching anything.
    pub fn is_busy(&self) -> bool {
        self.playback.playing
            || self.opening.is_some()
            || self.arriving.is_some()
            || self.exporting.is_some()
            || self.changing.is_busy()
            || self.recorder.is_some()
            || self.stages.iter().any(Stage::is_binding)
            || self.figures.is_busy()
            || self.stages.iter().any(|s| s.bound().is_some_and(stage::Ready::is_fetching))
    }

    /// Nothing that was asked for is still to be done.
    pub fn is_settled(&self) -> bool {
        self.recorder.is_none() && self.is_ready()
    }

    /// What is shown is what was asked for; a recording may still be going on.
    pub fn is_ready(&self) -> bool {
        self.opening.is_none()
            && self.arriving.is_none()
            && self.exporting.is_none()
            && !self.changing.is_busy()
            && !self.stages.iter().any(Stage::is_binding)
    }

    /// The folder that dialogs begin in.
    pub fn folder(&self) -> Option<&Path> {
        let document = self.document.as_ref()?;
        let of_rig = match &document.origin {
            Origin::File(path) => Some(path.as_path()),
            _ => None,
        };
        document.path.as_deref().or(of_rig)?.parent()
    }
}

/// Ends of a cross as wide as the points, and somewhat more: limbs will be lifted out of the box they rest in.
fn roomy(points: &[Vec3]) -> Vec<Vec3> {
    let bounds = supple::math::Bounds::of(points);
    let (center, radius) = (bounds.center(), bounds.diagonal() * 0.42);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    axes.iter().flat_map(|axis| [center + *axis * radius, center - *axis * radius]).collect()
}
