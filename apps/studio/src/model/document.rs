use super::{Edit, EditError, History};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};
use supple::{
    example,
    graph::DeformGraph,
    pose::{Pose, RetargetError, carry},
    project::{PrepareError, Prepared, Project, ProjectError, Workshop, clip_names},
    read::{self, Format, Inputs, Kind, Limits, Reach, ReadError},
    rig::Rig,
};
use thiserror::Error;

/// Where a rig came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// Bytes handed over, as a browser does: only their name is known.
    Bytes(String),
    /// Made by code.
    Example(String),
}

/// Why something cannot be opened: one line.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Not readable as a rig.
    #[error("{0}: {1}")]
    Read(String, ReadError),
    /// Not readable as a project.
    #[error("{0}: {1}")]
    Project(String, ProjectError),
    /// The edits of the project do not fit.
    #[error("{0}: {1}")]
    Prepare(String, PrepareError),
    /// No such character.
    #[error("no built-in character is called \"{0}\"; there are arm, hand, figure and statue")]
    Example(String),
    /// It cannot be made.
    #[error(transparent)]
    Make(#[from] example::ExampleError),
    /// A project from bytes cannot fetch the rig beside it.
    #[error("{0}: open {1} first, then this project")]
    NeedsRig(String, String),
    /// A project whose rig is not where it says.
    #[error("{}: its rig {} is not there", .project.display(), .rig.display())]
    Moved {
        /// The project.
        project: PathBuf,
        /// Where it looks for the rig.
        rig: PathBuf,
    },
    /// A project that names a file outside its folder, which nobody has allowed.
    #[error("{}: its {what} {error}", .project.display())]
    Outside {
        /// The project.
        project: PathBuf,
        /// The rig, or a motion.
        what: &'static str,
        /// What it names.
        error: ReadError,
    },
    /// A project that names nothing.
    #[error("{0}: names no rig")]
    NoRig(String),
    /// Nothing to see.
    #[error("{0}: holds neither a skin nor a skeleton")]
    Empty(String),
}

/// A rig and the project that edits it.
pub struct Document {
    /// For the title.
    pub name: String,
    /// Where the rig came from.
    pub origin: Origin,
    /// Where the project is saved, once it is.
    pub path: Option<PathBuf>,
    /// What mending the file took.
    pub warnings: Vec<String>,
    /// What can be taken back.
    pub history: History,
    /// What the rig was read from, and the motions of its project.
    inputs: Arc<Inputs>,
    /// What motions that came later were read from.
    inputs_of_motions: Vec<Arc<Inputs>>,
    workshop: Arc<Mutex<Workshop>>,
    file: Arc<Rig>,
    prepared: Prepared,
    project: Arc<Project>,
    saved: Arc<Project>,
    /// Motions that were read, by the name that the project has for them.
    motions: BTreeMap<String, Arc<Rig>>,
}

/// The method a rig is opened with: what the studio is for.
const FIRST: &str = "implicit";

impl Document {
    /// Around a rig.
    pub fn new(name: String, origin: Origin, rig: Rig, warnings: Vec<String>) -> Result<Self, OpenError> {
        if rig.mesh.positions.is_empty() && rig.skeleton.is_empty() {
            return Err(OpenError::Empty(name));
        }
        // A point set has no surface for volumes; what cannot be tracked is opened with what can always be.
        let first = if rig.mesh.triangles.is_empty() { "linear" } else { FIRST };
        let graph = DeformGraph::single(first).expect("registered");
        let project = Arc::new(Project::new(None, &graph));
        let file = Arc::new(rig);
        let prepared = Prepared { rig: file.clone(), notes: Vec::new(), distances: None };
        let workshop = Arc::new(Mutex::new(Workshop::new(file.clone())));
        let (history, saved) = (History::default(), project.clone());
        Ok(Self {
            name,
            origin,
            path: None,
            warnings,
            history,
            inputs: Arc::default(),
            inputs_of_motions: Vec::new(),
            workshop,
            file,
            prepared,
            project,
            saved,
            motions: BTreeMap::new(),
        })
    }

    /// A character made by code.
    pub fn example(name: &str) -> Result<Self, OpenError> {
        let rig = match name {
            "arm" => example::arm(&Default::default())?,
            "hand" => example::hand(&Default::default())?,
            "figure" => example::figure(&Default::default())?,
            "statue" => example::statue(&Default::default())?,
            _ => return Err(OpenError::Example(name.to_owned())),
        };
        Self::new(name.to_owned(), Origin::Example(name.to_owned()), rig, Vec::new())
    }

    /// A rig, a mesh, or a project with the rig it names, which must lie in its folder.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_reaching(path, Reach::Folder)
    }

    /// The same; the project may reach so far.
    pub fn open_reaching(path: &Path, reach: Reach) -> Result<Self, OpenError> {
        let Some(project) = read_project(path)? else { return Self::open_rig(path) };
        for motion in &project.motions {
            // One that is not there is left out with a word later.
            named(path, "motion", motion, reach)?;
        }
        let rig = project.rig.as_ref().ok_or_else(|| OpenError::NoRig(path.display().to_string()))?;
        let rig = named(path, "rig", rig, reach)?;
        if !rig.exists() {
            return Err(OpenError::Moved { project: path.to_owned(), rig });
        }
        Self::open_over(path, project, &rig)
    }

    /// A project, with the rig that it no longer finds: saved again, it names that one.
    pub fn open_with(path: &Path, rig: &Path) -> Result<Self, OpenError> {
        let Some(project) = read_project(path)? else { return Self::open_rig(path) };
        let mut document = Self::open_over(path, project, rig)?;
        let found = Project { rig: Some(rig.display().to_string()), ..Project::clone(&document.project) };
        document.project = Arc::new(found);
        Ok(document)
    }

    fn open_over(path: &Path, mut project: Project, rig: &Path) -> Result<Self, OpenError> {
        let mut document = Self::open_rig(rig)?;
        // While it is open motions are known by where they are, seen from anywhere: it may be saved elsewhere.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        project.motions.iter_mut().for_each(|motion| *motion = beside(&whole, motion).display().to_string());
        document.take_project(project).map_err(|e| OpenError::Prepare(path.display().to_string(), e))?;
        document.name = name_of(&whole);
        document.path = Some(whole);
        Ok(document)
    }

    fn open_rig(path: &Path) -> Result<Self, OpenError> {
        let shown = path.display().to_string();
        let inputs = inputs(&shown)?;
        let loaded = inputs.rig(path).map_err(|e| OpenError::Read(shown, e))?;
        let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
        let document = Self::new(name_of(path), Origin::File(path.to_owned()), loaded.rig, warnings)?;
        Ok(Self { inputs: Arc::new(inputs), ..document })
    }

    /// Refuses to write over what the rig and its motions were read from.
    pub fn refuse_replacing(&self, path: &Path) -> Result<(), String> {
        let mut all = self.inputs_of_motions.iter().chain([&self.inputs]);
        all.try_for_each(|inputs| inputs.refuse_replacing(path)).map_err(|e| e.to_string())
    }

    /// The same from bytes, as a browser hands them over, with the files that came along: what a rig refers to must be
    /// among them. A project is laid over its rig, which is looked for among `known`, and so are its motions.
    pub fn from_bytes(
        name: &str,
        bytes: Vec<u8>,
        beside: &[(String, Vec<u8>)],
        known: &[&Self],
    ) -> Result<Self, OpenError> {
        let extension = Path::new(name).extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        if extension.eq_ignore_ascii_case("json")
            && let Ok(text) = std::str::from_utf8(&bytes)
            && text.contains("\"supple-project\"")
        {
            let project = Project::from_json(text).map_err(|e| OpenError::Project(name.to_owned(), e))?;
            let rig = project.rig.clone().ok_or_else(|| OpenError::NoRig(name.to_owned()))?;
            let stem = name_of(Path::new(&rig));
            let is_named = |o: &Self, name: &str| matches!(&o.origin, Origin::Bytes(n) if n == name);
            let open = known.iter().rfind(|o| o.name == stem || is_named(o, &rig));
            let open = open.ok_or_else(|| OpenError::NeedsRig(name.to_owned(), rig))?;
            let mut document =
                Self::new(open.name.clone(), open.origin.clone(), Rig::clone(&open.file), open.warnings.clone())?;
            for motion in &project.motions {
                // Browsers do not tell folders.
                let file = motion.rsplit(['/', '\\']).next().unwrap_or(motion);
                if let Some(of) = known.iter().rfind(|o| is_named(o, file)) {
                    document.motions.insert(motion.clone(), of.file.clone());
                }
            }
            document.take_project(project).map_err(|e| OpenError::Prepare(name.to_owned(), e))?;
            return Ok(document);
        }
        let format = Format::of_extension(&extension);
        let unknown = || OpenError::Read(name.to_owned(), ReadError::UnknownFormat(extension.clone()));
        let title = name_of(Path::new(name));
        let resolve = |wanted: &str| {
            // Browsers do not tell folders.
            let file = Path::new(wanted).file_name().map(|f| f.to_string_lossy());
            let found = beside.iter().find(|(known, _)| file.as_ref().is_some_and(|f| f == known));
            found.map_or_else(|| read::resolve_nothing(wanted), |(_, bytes)| Ok(bytes.clone()))
        };
        let loaded = read::bytes(&title, format.ok_or_else(unknown)?, bytes, &resolve);
        let loaded = loaded.map_err(|e| OpenError::Read(name.to_owned(), e))?;
        let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
        Self::new(title, Origin::Bytes(name.to_owned()), loaded.rig, warnings)
    }

    /// Takes a whole project, as it was saved or recovered.
    pub fn take_project(&mut self, project: Project) -> Result<(), PrepareError> {
        for name in &project.motions {
            if self.motions.contains_key(name) {
                continue;
            }
            match self.inputs.rig(Path::new(name)) {
                Ok(loaded) => drop(self.motions.insert(name.clone(), Arc::new(loaded.rig))),
                Err(error) => self.warnings.push(format!("{name}: {error}; its clips are left out")),
            }
        }
        let mut workshop = self.workshop.lock().unwrap_or_else(|e| e.into_inner());
        know(&mut workshop, &self.motions);
        self.prepared = workshop.prepare(&project)?;
        drop(workshop);
        self.project = Arc::new(project);
        self.saved = self.project.clone();
        Ok(())
    }

    /// Has the motion of another document at hand: the edits that add it, and how many joints it moves. Nothing is
    /// changed yet.
    pub fn motion(&mut self, of: &Self) -> Result<(Vec<Edit>, usize), RetargetError> {
        let matched = carry(of.file(), self.rig())?.matched;
        let name = match &of.origin {
            Origin::File(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string(),
            Origin::Bytes(name) | Origin::Example(name) => name.clone(),
        };
        let mut files = self.project.motions.clone();
        if files.contains(&name) {
            return Ok((Vec::new(), matched));
        }
        let clip = clip_names(&self.rig().clips, of.file(), &name).into_iter().next();
        self.motions.insert(name.clone(), of.file().clone());
        // It stays one where the motion is taken back: it can be brought again.
        self.inputs_of_motions.push(of.inputs.clone());
        files.push(name);
        Ok((vec![Edit::Motions { files }, Edit::Clip { name: clip }], matched))
    }

    /// Changes the project, and prepares the rig anew where the edit concerns it. All at once: what may take long is
    /// planned, prepared elsewhere and [carried out](Self::carry_out) instead.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.change(Change::Edit(edit.clone()))
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) {
        // It could be prepared once, so it can again.
        let _ = self.change(Change::Undo);
    }

    /// Brings the last undone edit again.
    pub fn redo(&mut self) {
        let _ = self.change(Change::Redo);
    }

    fn change(&mut self, change: Change) -> Result<(), EditError> {
        let Some(plan) = self.plan(change)? else { return Ok(()) };
        let prepared = plan.prepare()?;
        self.carry_out(plan, prepared);
        Ok(())
    }

    /// What a change would lead to; none where it changes nothing. Nothing is done yet.
    pub fn plan(&self, change: Change) -> Result<Option<Plan>, EditError> {
        let next = match &change {
            Change::Edit(edit) => Some(Arc::new(edit.apply(&self.project, &self.prepared.rig)?)),
            Change::Undo => self.history.before().cloned(),
            Change::Redo => self.history.after().cloned(),
        };
        let is_new = |next: &Arc<Project>| !matches!(change, Change::Edit(_)) || *next != self.project;
        let Some(next) = next.filter(is_new) else { return Ok(None) };
        let now = &self.project;
        let concerns_rig = next.skeleton != now.skeleton || next.weights != now.weights || next.motions != now.motions;
        let workshop = concerns_rig.then(|| self.workshop.clone());
        Ok(Some(Plan { change, next, workshop, motions: self.motions.clone() }))
    }

    /// Does what was planned, with the rig that was prepared for it. Nothing else may have changed in between.
    pub fn carry_out(&mut self, plan: Plan, prepared: Option<Prepared>) {
        match &plan.change {
            Change::Edit(edit) => self.history.note(edit, self.project.clone()),
            Change::Undo => drop(self.history.undo(self.project.clone())),
            Change::Redo => drop(self.history.redo(self.project.clone())),
        }
        self.project = plan.next;
        if let Some(prepared) = prepared {
            self.prepared = prepared;
        }
    }

    /// The project as it is.
    pub fn project(&self) -> &Arc<Project> {
        &self.project
    }

    /// The rig with the edits of the project.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.prepared.rig
    }

    /// The rig with what is known of its regions and what had to be decided.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The rig as the file has it.
    pub fn file(&self) -> &Arc<Rig> {
        &self.file
    }

    /// Whether there is something to lose.
    pub fn is_changed(&self) -> bool {
        !Arc::ptr_eq(&self.project, &self.saved) && self.project != self.saved
    }

    /// What is on disk is this, and not what is here: for work that was recovered.
    pub fn unsave(&mut self, on_disk: Arc<Project>) {
        self.saved = on_disk;
    }

    /// What is on disk is what is here.
    pub fn mark_saved(&mut self) {
        self.saved = self.project.clone();
    }

    /// The pose at a moment of the clip, with the joints posed by hand in front; what the file shows where there is
    /// neither.
    pub fn pose(&self, seconds: f64) -> Pose {
        self.pose_of(self.rig(), seconds)
    }

    /// The same of a rig that was prepared before, and is shown until the newest is bound.
    pub fn pose_of(&self, rig: &Rig, seconds: f64) -> Pose {
        let clip = self.project.clip.as_ref().and_then(|c| rig.clip(&c.name));
        let mut pose = match clip {
            Some(clip) => clip.sample(rig, seconds),
            None => Pose::shown(rig),
        };
        if let Some(by_hand) = &self.project.pose {
            // Checked when it was edited or opened; a joint that is gone with its skeleton is left out.
            let _ = by_hand.apply(rig, &mut pose);
        }
        pose
    }

    /// Seconds of the clip that is shown.
    pub fn duration(&self) -> f64 {
        let clip = self.project.clip.as_ref().and_then(|c| self.rig().clip(&c.name));
        clip.map_or(0.0, |c| f64::from(c.duration()))
    }
}

/// What can be done to a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// An edit.
    Edit(Edit),
    /// The last one taken back.
    Undo,
    /// The last one taken back, again.
    Redo,
}

/// A change that is known but not done: preparing the rig for it may take seconds, and can be done on another thread.
#[derive(Debug)]
pub struct Plan {
    change: Change,
    next: Arc<Project>,
    workshop: Option<Arc<Mutex<Workshop>>>,
    motions: BTreeMap<String, Arc<Rig>>,
}

impl Plan {
    /// Whether preparing it takes no longer than a frame.
    pub fn is_quick(&self) -> bool {
        let Some(workshop) = &self.workshop else { return true };
        // Locked, it is at work, and waiting for it is what must not be.
        workshop.try_lock().is_ok_and(|w| w.knows(&self.next))
    }

    /// Makes the rig that it needs, if it needs another one.
    pub fn prepare(&self) -> Result<Option<Prepared>, EditError> {
        let Some(workshop) = &self.workshop else { return Ok(None) };
        let mut workshop = workshop.lock().unwrap_or_else(|e| e.into_inner());
        know(&mut workshop, &self.motions);
        let prepared = workshop.prepare(&self.next);
        prepared.map(Some).map_err(|e| EditError::Form(e.to_string()))
    }

    /// For the person who waits.
    pub fn words(&self) -> String {
        match &self.change {
            Change::Edit(edit) => edit.words(),
            Change::Undo => "undo".into(),
            Change::Redo => "redo".into(),
        }
    }
}

/// Tells a workshop of motions that it has not seen yet.
fn know(workshop: &mut Workshop, motions: &BTreeMap<String, Arc<Rig>>) {
    for (name, motion) in motions {
        if !workshop.has_motion(name) {
            workshop.add_motion(name, motion);
        }
    }
}

/// A file that a project names, as seen from where the project is.
fn beside(project: &Path, name: &str) -> PathBuf {
    project.parent().unwrap_or(Path::new("")).join(name)
}

/// The same, refused where it lies further away than the project may reach.
fn named(project: &Path, what: &'static str, name: &str, reach: Reach) -> Result<PathBuf, OpenError> {
    match read::beside(project, name, reach) {
        Err(error @ ReadError::Outside { .. }) => Err(OpenError::Outside { project: project.to_owned(), what, error }),
        _ => Ok(beside(project, name)),
    }
}

/// The project in a file; none where it holds something else.
fn read_project(path: &Path) -> Result<Option<Project>, OpenError> {
    let shown = path.display().to_string();
    let of_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let text = if of_json { inputs(&shown)?.text(path, Kind::Project).ok() } else { None };
    let Some(text) = text.filter(|text| text.contains("\"supple-project\"")) else { return Ok(None) };
    Ok(Some(Project::from_json(&text).map_err(|e| OpenError::Project(shown, e))?))
}

/// Files within the limits of the environment.
fn inputs(shown: &str) -> Result<Inputs, OpenError> {
    Ok(Inputs::new(Limits::from_environment().map_err(|e| OpenError::Read(shown.to_owned(), e))?))
}

fn name_of(path: &Path) -> String {
    path.file_stem().map_or_else(|| "rig".to_owned(), |s| s.to_string_lossy().into_owned())
}
