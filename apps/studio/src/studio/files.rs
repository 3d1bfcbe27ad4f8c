//! Files on their way into the studio and out of it.

use super::{
    Studio, deliver,
    record::Recorder,
    task::{Poll, Task, spawn},
};
use crate::model::{Document, ExportKind, OpenError, Origin, PictureOptions};
use std::path::{Path, PathBuf};
use supple::read::{self, Reach};

/// Files by name with their bytes, or why they did not come.
pub type Files = Result<Vec<(String, Vec<u8>)>, String>;

/// A file on its way in.
pub(super) struct Opening {
    title: String,
    task: Task<Result<Document, OpenError>>,
    then: Then,
}

/// A project that reaches out of its folder: opened only if the person says so, and then as it was first asked for.
pub struct Outside {
    /// How it reaches out.
    pub words: String,
    project: PathBuf,
    then: Then,
}

/// What is done with it.
#[derive(Clone, Copy)]
pub(super) enum Then {
    /// It is shown in place of what is open.
    Show,
    /// What it is decides, or the person.
    Ask,
    /// It moves what is open.
    Move,
}

pub(super) const NEEDS_DEVICE: &str = "a picture needs the graphics device, and it was lost";

impl Studio {
    pub(super) fn open(&mut self, path: PathBuf, then: Then) {
        self.open_reaching(path, then, Reach::Folder);
    }

    /// Opens a project that the person has allowed to take its files from anywhere.
    pub fn open_from_anywhere(&mut self, allowed: Outside) {
        self.open_reaching(allowed.project, allowed.then, Reach::Anywhere);
    }

    fn open_reaching(&mut self, path: PathBuf, then: Then, reach: Reach) {
        let title = file_name(&path);
        let task = spawn(&self.work.wake, move || async move { Document::open_reaching(&path, reach) });
        self.arrivals.opening = Some(Opening { title, task, then });
    }

    pub(super) fn open_with(&mut self, project: PathBuf, rig: PathBuf) {
        let title = file_name(&project);
        let task = spawn(&self.work.wake, move || async move { Document::open_with(&project, &rig) });
        self.arrivals.opening = Some(Opening { title, task, then: Then::Show });
    }

    pub(super) fn open_example(&mut self, name: String) {
        let title = name.clone();
        let task = spawn(&self.work.wake, move || async move { Document::example(&name) });
        self.arrivals.opening = Some(Opening { title, task, then: Then::Show });
    }

    /// Opens files that were dropped or picked together, as a browser hands them over: a rig finds what it refers to
    /// among them, and projects come last, to be laid over their rigs.
    pub fn open_files(&mut self, files: Vec<(String, Vec<u8>)>) {
        let read = self.read_files(files);
        self.take_files(read);
    }

    /// Reads such files and shows none of them yet; says what cannot be read.
    pub fn read_files(&mut self, files: Vec<(String, Vec<u8>)>) -> Vec<(String, Document)> {
        let (whole, beside): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| is_whole(Path::new(name)));
        // Where nothing can be read, the first is what is complained about.
        let mut whole = if whole.is_empty() { beside.first().cloned().into_iter().collect() } else { whole };
        whole.sort_by_key(|(name, _)| is_project(Path::new(name)));
        let mut read: Vec<(String, Document)> = Vec::new();
        for (name, bytes) in whole {
            let known: Vec<&Document> =
                self.open.document.iter().chain(read.iter().map(|(_, document)| document)).collect();
            match Document::from_bytes(&name, bytes, &beside, &known) {
                Ok(document) => read.push((name, document)),
                Err(error) => self.complain(error.to_string()),
            }
        }
        read
    }

    /// Shows files that were read, the last of them in the end.
    pub fn take_files(&mut self, read: Vec<(String, Document)>) {
        for (name, document) in read {
            match self.kept.recovery.lay_over(&name, document) {
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
        self.arrivals.arriving = Some((title, spawn(&self.work.wake, files)));
    }

    /// What is being opened.
    pub fn opening(&self) -> Option<&str> {
        let arriving = self.arrivals.arriving.as_ref().map(|(title, _)| title.as_str());
        self.arrivals.opening.as_ref().map(|opening| opening.title.as_str()).or(arriving)
    }

    /// Tells that something could not be written; who asked for it may ask for another place.
    pub fn not_written(&mut self, what: &str, error: &str) {
        let text = format!("{what}: {error}");
        self.said.unwritten = Some(text.clone());
        self.complain(text);
    }

    pub(super) fn save(&mut self, path: Option<PathBuf>) {
        self.said.unwritten = None;
        let Some(document) = &mut self.open.document else { return };
        let view = self.sight.orbit.view_point();
        match deliver::save(document, path, view) {
            Ok(saved) => {
                document.mark_saved();
                self.kept.recovery.done();
                if let Some(path) = &saved.path {
                    self.kept.memory.opened(path);
                }
                self.say(saved.words);
            }
            Err(error) => self.not_written("not saved", &error),
        }
    }

    pub(super) fn export(&mut self, kind: ExportKind, path: PathBuf, options: &PictureOptions) {
        self.said.unwritten = None;
        if let Some(busy) = self.busy_writing() {
            return self.not_written("not exported", &busy);
        }
        let Some(document) = &self.open.document else { return };
        let is_picture = matches!(kind, ExportKind::Picture | ExportKind::Gif | ExportKind::Frames);
        // What a film writes has other names, and the recorder asks about them.
        if let Err(error) = if is_picture { Ok(()) } else { document.refuse_replacing(&path) } {
            return self.not_written("not exported", &error);
        }
        match kind {
            ExportKind::Picture | ExportKind::Gif | ExportKind::Frames if self.device.gpu.trouble().is_err() => {
                self.not_written("not exported", NEEDS_DEVICE);
            }
            ExportKind::Picture | ExportKind::Gif | ExportKind::Frames => {
                let shown = self.sight.pane.map(|side| (side * self.sight.density).round() as u32);
                let moment = self.open.playback.time;
                match Recorder::new(&self.device.viewport, kind, path, options.clone(), shown, document, moment) {
                    Ok(recorder) => self.work.recorder = Some(recorder),
                    Err(error) => self.not_written("not exported", &error),
                }
            }
            ExportKind::Rig => {
                let (name, rig) = (path.display().to_string(), document.rig().clone());
                let written = move || async move { deliver::write_rig(&rig, &path) };
                self.work.exporting = Some((name, spawn(&self.work.wake, written)));
            }
            ExportKind::Pose | ExportKind::Clip => {
                let name = path.display().to_string();
                let pose = document.pose(self.open.playback.time);
                let work =
                    deliver::Points::new(document, self.drawn.stages[0].bound(), pose, path, kind == ExportKind::Clip);
                self.work.exporting = Some((name, spawn(&self.work.wake, move || async move { work.write().await })));
            }
        }
    }

    /// What is being written: one thing after the other, so that none is dropped for the next.
    fn busy_writing(&self) -> Option<String> {
        let points = self.work.exporting.as_ref().map(|(name, _)| format!("{name} is still being written"));
        let film = |recorder: &Recorder| match recorder.is_film() {
            true => "a film is being written; wait for its end, or cancel it in the line below".to_owned(),
            false => "a picture is still being drawn".to_owned(),
        };
        self.work.recorder.as_ref().map(film).or(points)
    }

    /// Takes what has come in or gone out.
    pub(super) fn receive_files(&mut self) {
        if let Some((_, task)) = &self.arrivals.arriving {
            match task.poll() {
                Poll::Running => {}
                Poll::Done(Ok(files)) => {
                    self.arrivals.arriving = None;
                    self.arrivals.arrived = Some(files);
                }
                Poll::Done(Err(error)) => {
                    self.arrivals.arriving = None;
                    self.complain(error);
                }
                Poll::Lost(why) => {
                    self.arrivals.arriving = None;
                    self.complain(format!("fetching the files ended without a result: {why}"));
                }
            }
        }
        if let Some(opening) = self.arrivals.opening.take() {
            match (opening.task.poll(), opening.then) {
                (Poll::Running, _) => self.arrivals.opening = Some(opening),
                (Poll::Done(Ok(document)), Then::Show) => self.take(document),
                (Poll::Done(Ok(document)), Then::Ask) => self.arrivals.dropped = Some(vec![(opening.title, document)]),
                (Poll::Done(Ok(document)), Then::Move) => self.animate(&opening.title, &document),
                (Poll::Done(Err(OpenError::Moved { project, rig })), _) => self.arrivals.moved = Some((project, rig)),
                (Poll::Done(Err(error)), then) => {
                    let words = error.to_string();
                    match error {
                        OpenError::Outside { project, .. } => {
                            self.arrivals.outside = Some(Outside { words, project, then })
                        }
                        _ => self.complain(words),
                    }
                }
                (Poll::Lost(why), _) => {
                    self.complain(format!("{}: reading it ended without a result: {why}", opening.title));
                }
            }
        }
        if let Some((name, task)) = &self.work.exporting {
            let name = name.clone();
            match task.poll() {
                Poll::Running => {}
                Poll::Done(done) => {
                    self.work.exporting = None;
                    match done {
                        Ok(words) => self.say(words),
                        Err(error) => self.not_written("not exported", &error),
                    }
                }
                Poll::Lost(why) => {
                    self.work.exporting = None;
                    self.not_written("not exported", &format!("{name}: writing it ended without a result: {why}"));
                }
            }
        }
    }

    /// The folder that dialogs begin in.
    pub fn folder(&self) -> Option<&Path> {
        let document = self.open.document.as_ref()?;
        let of_rig = match &document.origin {
            Origin::File(path) => Some(path.as_path()),
            _ => None,
        };
        document.path.as_deref().or(of_rig)?.parent()
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// Whether a file is opened by itself: others are what a rig refers to.
pub fn is_whole(path: &Path) -> bool {
    path.extension().is_some_and(|e| read::Format::of_extension(&e.to_string_lossy()).is_some())
}

/// Whether a file may be a project, which comes after its rig.
pub fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}
