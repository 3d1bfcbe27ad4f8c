//! What a crash must not take: every few seconds the project is written beside the settings, and removed when it is
//! saved or closed. One that is still there at the next start was left by a program that did not end as it should.

use super::memory::Store;
use crate::model::{Document, Origin};
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};
use supple::project::{Project, ViewPoint};
use web_time::Instant;

/// Seconds between two writings.
const EVERY: f64 = 5.0;

/// See the module.
#[derive(Default)]
pub struct Recovery {
    store: Option<Store>,
    left: Option<Arc<Left>>,
    awaits_rig: bool,
    written: Option<Arc<Project>>,
    last: Option<Instant>,
    latest: Latest,
    /// Said once: that nothing can be kept.
    pub trouble: Option<String>,
}

/// The work as it was after the last frame.
#[derive(Clone, Default)]
pub struct Latest(Arc<Mutex<Option<(Store, Work)>>>);

/// What is written of a document; cheap to make.
struct Work {
    before: Option<Arc<Left>>,
    name: String,
    origin: Origin,
    path: Option<PathBuf>,
    project: Arc<Project>,
    view: ViewPoint,
}

/// Work that was left behind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Left {
    /// Of the document.
    pub name: String,
    /// The character, where it was a built-in one.
    pub example: Option<String>,
    /// The file of the project, where it had one.
    pub path: Option<PathBuf>,
    /// The work; its rig is an absolute path.
    pub project: Project,
    /// What was left before that, and neither taken up nor refused.
    #[serde(default)]
    before: Option<Box<Left>>,
}

impl Recovery {
    /// Looks whether something was left.
    pub fn new(store: Store) -> Self {
        let left = store.read().and_then(|text| serde_json::from_str(&text).ok());
        Self { store: Some(store), left: left.map(Arc::new), ..Self::default() }
    }

    /// What was left behind, to be offered.
    pub fn left(&self) -> Option<&Left> {
        self.left.as_deref()
    }

    /// Takes it up again. Where that does not work it stays, to be tried once more.
    pub fn recover(&mut self) -> Option<Result<Document, String>> {
        let left = Left::clone(self.left.as_deref()?);
        let before = left.before.clone();
        // A page cannot fetch a file: it is given it again by hand.
        if let (true, None, Some(rig)) = (cfg!(target_family = "wasm"), &left.example, &left.project.rig) {
            let words = format!("drop {rig} on the page, or open it, and the work is laid over it");
            self.await_rig();
            return Some(Err(words));
        }
        let opened = left.open();
        if opened.is_ok() {
            self.left = before.map(|left| Arc::new(*left));
        }
        Some(opened)
    }

    /// Waits until somebody opens the rig of what was left.
    pub fn await_rig(&mut self) {
        self.awaits_rig = true;
    }

    /// The name of the rig that it waits for.
    pub fn awaited(&self) -> Option<&str> {
        self.left.as_ref().filter(|_| self.awaits_rig)?.project.rig.as_deref()
    }

    /// Lays what was left over the rig it was waiting for; any other comes back as it is.
    pub fn lay_over(&mut self, name: &str, document: Document) -> Result<Document, String> {
        let Some(left) = self.left.clone().filter(|_| self.awaited() == Some(name)) else { return Ok(document) };
        let document = Left::clone(&left).lay_over(document)?;
        self.left = left.before.clone().map(|left| Arc::new(*left));
        self.awaits_rig = false;
        Ok(document)
    }

    /// It is not wanted.
    pub fn discard(&mut self) {
        self.left = self.left.take().and_then(|left| left.before.clone()).map(|left| Arc::new(*left));
        self.put_back();
    }

    /// Nothing but what was left before is in the store.
    fn put_back(&self) {
        let Some(store) = &self.store else { return };
        match self.left.as_deref().map(serde_json::to_string) {
            Some(Ok(text)) => drop(store.write(&text)),
            _ => store.clear(),
        }
    }

    /// Writes the project now and then, where there is something to lose. What was left before is kept with it until it
    /// has been taken up or refused.
    pub fn tick(&mut self, document: &Document, view: ViewPoint) {
        let due = self.last.is_none_or(|last| last.elapsed().as_secs_f64() > EVERY);
        if due && document.is_changed() {
            self.keep(document, view);
        }
    }

    /// How long until it is to be written, where there is something to write: a window that rests must be woken for it.
    pub fn due_in(&self, document: &Document) -> Option<Duration> {
        let is_written = self.written.as_ref().is_some_and(|w| Arc::ptr_eq(w, document.project()));
        let waited = self.last.map_or(EVERY, |last| last.elapsed().as_secs_f64());
        let waits = self.store.is_some() && document.is_changed() && !is_written;
        waits.then(|| Duration::from_secs_f64((EVERY - waited).max(0.0) + 0.05))
    }

    /// Writes it at once, unless it is written already.
    pub fn keep(&mut self, document: &Document, view: ViewPoint) {
        if !self.written.as_ref().is_some_and(|w| Arc::ptr_eq(w, document.project())) {
            self.keep_now(document, view);
        }
    }

    /// Writes it at once.
    pub fn keep_now(&mut self, document: &Document, view: ViewPoint) {
        let Some(store) = &self.store else { return };
        self.last = Some(Instant::now());
        self.written = Some(document.project().clone());
        if let Err(error) = Work::of(document, view, self.left.clone()).write(store) {
            self.trouble.get_or_insert(format!("autosave does not work: {error}"));
        }
    }

    /// Has the work at hand, for the last moment of a program that can ask nobody any more.
    pub fn note(&self, document: Option<&Document>, view: ViewPoint) {
        let work = |document| Work::of(document, view, self.left.clone());
        let noted = self.store.clone().zip(document.map(work));
        *self.latest.0.lock().unwrap_or_else(|e| e.into_inner()) = noted;
    }

    /// What was [noted](Self::note) last.
    pub fn latest(&self) -> Latest {
        self.latest.clone()
    }

    /// Nothing is left to recover: it was saved or closed.
    pub fn done(&mut self) {
        (self.written, self.last) = (None, None);
        self.put_back();
    }
}

impl Latest {
    /// Writes it.
    pub fn keep(&self) {
        if let Some((store, work)) = self.0.lock().unwrap_or_else(|e| e.into_inner()).as_ref() {
            let _ = work.write(store);
        }
    }
}

impl Work {
    fn of(document: &Document, view: ViewPoint, before: Option<Arc<Left>>) -> Self {
        let (name, origin, path) = (document.name.clone(), document.origin.clone(), document.path.clone());
        Self { before, name, origin, path, project: document.project().clone(), view }
    }

    fn write(&self, store: &Store) -> Result<(), String> {
        let mut project = Project::clone(&self.project);
        project.view = Some(self.view);
        let mut example = None;
        match &self.origin {
            Origin::File(file) => {
                let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
                project.rig = Some(file.display().to_string());
            }
            Origin::Example(name) => example = Some(name.clone()),
            Origin::Bytes(name) => project.rig = Some(name.clone()),
        }
        let before = self.before.as_deref().map(|left| Box::new(left.clone()));
        let left = Left { name: self.name.clone(), example, path: self.path.clone(), project, before };
        serde_json::to_string(&left).map_err(|e| e.to_string()).and_then(|text| store.write(&text))
    }
}

impl Left {
    fn open(self) -> Result<Document, String> {
        let document = match (&self.example, &self.project.rig) {
            (Some(name), _) => Document::example(name).map_err(|e| e.to_string())?,
            (None, Some(rig)) => Document::open(std::path::Path::new(rig)).map_err(|e| e.to_string())?,
            (None, None) => return Err("what was left names no rig".to_owned()),
        };
        self.lay_over(document)
    }

    fn lay_over(self, mut document: Document) -> Result<Document, String> {
        let before = document.project().clone();
        document.take_project(self.project).map_err(|e| e.to_string())?;
        document.unsave(before);
        (document.name, document.path) = (self.name, self.path);
        Ok(document)
    }
}
