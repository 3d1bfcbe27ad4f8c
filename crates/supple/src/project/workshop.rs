//! From the rig of the file to the rig that is bound. What is slow (a fit, distances, heat) is done again only where what
//! it hangs on has changed, so that a slider for K can be dragged.

use super::{PaintedWeights, Project, SkeletonEdits, WeightSource, motions};
use crate::{
    fit::{self, FitError, FitOptions, Template},
    names,
    pose::{Channel, Clip},
    rig::{Rig, Skeleton, SkeletonError, Weights, WeightsBuilder},
    weights::{
        self, HeatError, HeatOptions,
        flexible::{self, Distance, FlexibleDistances},
    },
};
use glam::DVec3;
use std::{collections::BTreeMap, sync::Arc};
use thiserror::Error;

/// Why the edits of a project do not fit its rig.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PrepareError {
    /// The project names a joint that is not there.
    #[error("the project {what} joint \"{name}\", which the rig does not have{hint}")]
    UnknownJoint {
        /// What it does to it.
        what: &'static str,
        /// What it names.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A place that is none.
    #[error("the project moves joint \"{joint}\" to {at:?}, which is not finite")]
    NotFinite {
        /// The joint.
        joint: String,
        /// Where to.
        at: [f64; 3],
    },
    /// A painted vertex that is not there.
    #[error("the project paints vertex {vertex}, but the rig has {count}")]
    NoSuchVertex {
        /// The vertex.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// A painted row that is none.
    #[error("the weights painted on vertex {vertex} are {row:?}: {why}")]
    BadRow {
        /// The vertex.
        vertex: u32,
        /// What is painted.
        row: Vec<(u16, f32)>,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file has no weights to be painted over.
    #[error("the rig has no weights of its own to paint over; let the project make some (heat or flexible)")]
    NothingToPaint,
    /// The standard skeleton cannot be placed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// Joints cannot be put there.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Bone heat refuses.
    #[error(transparent)]
    Heat(#[from] HeatError),
    /// Flexible weights refuse.
    #[error(transparent)]
    Flexible(#[from] flexible::Error),
}

/// A rig with the edits of a project, and what had to be decided.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Ready to bind.
    pub rig: Arc<Rig>,
    /// One line each.
    pub notes: Vec<String>,
    /// Regions and distances, where the weights are flexible.
    pub distances: Option<Arc<FlexibleDistances>>,
}

/// Makes rigs to bind, again and again, from the same file.
#[derive(Debug)]
pub struct Workshop {
    file: Arc<Rig>,
    fitted: Option<(Template, Arc<Rig>, Vec<String>)>,
    placed: Option<(SkeletonEdits, Arc<Rig>)>,
    distances: Option<(Distance, Arc<FlexibleDistances>)>,
    heated: Option<(usize, Weights, Vec<String>)>,
    /// By the name that projects have for them.
    motions: BTreeMap<String, Arc<Rig>>,
    /// Why others cannot be had.
    missing: BTreeMap<String, String>,
    /// Their clips on the skeleton as it is placed, or why they do not fit it.
    carried: BTreeMap<String, Result<Vec<Clip>, String>>,
}

impl Workshop {
    /// Around a rig as it was read.
    pub fn new(file: Arc<Rig>) -> Self {
        let (motions, missing, carried) = Default::default();
        Self { file, fitted: None, placed: None, distances: None, heated: None, motions, missing, carried }
    }

    /// The rig as it was read.
    pub fn file(&self) -> &Arc<Rig> {
        &self.file
    }

    /// Has a motion at hand, for projects that name it.
    pub fn add_motion(&mut self, name: &str, motion: &Rig) {
        self.carried.remove(name);
        self.motions.insert(name.to_owned(), Arc::new(motions::bare(motion)));
    }

    /// Remembers why a motion cannot be had, for the note of [`Workshop::prepare`].
    pub fn miss_motion(&mut self, name: &str, why: impl ToString) {
        self.missing.insert(name.to_owned(), why.to_string());
    }

    /// Whether it has a motion of this name.
    pub fn has_motion(&self, name: &str) -> bool {
        self.motions.contains_key(name)
    }

    /// The rig with the edits of a project. Motions that it does not have, or that do not fit, are left out with a note.
    pub fn prepare(&mut self, project: &Project) -> Result<Prepared, PrepareError> {
        if project.skeleton.is_empty() && project.weights.is_empty() && project.motions.is_empty() {
            return Ok(Prepared { rig: self.file.clone(), notes: Vec::new(), distances: None });
        }
        let mut notes = Vec::new();
        let placed = self.place(&project.skeleton, &mut notes)?;
        let source = &source_of(project);
        let mut rig = Rig::clone(&placed);
        let mut known = None;
        match source {
            WeightSource::File => {}
            WeightSource::Heat { influences } => {
                if self.heated.as_ref().is_none_or(|h| h.0 != *influences) {
                    let options = HeatOptions { influences: *influences };
                    let (weights, said) = weights::heat(&placed.mesh, &placed.skeleton, &options)?;
                    self.heated = Some((*influences, weights, said.iter().map(ToString::to_string).collect()));
                }
                let (_, weights, said) = self.heated.as_ref().expect("made above");
                notes.extend(said.iter().cloned());
                rig.weights = Some(weights::keep_props(&placed, weights.clone()));
            }
            WeightSource::Flexible { k, joints, distance, ramp } => {
                let mut options = flexible::Options { k: *k, distance: *distance, ramp: *ramp, ..Default::default() };
                for (name, k) in joints {
                    options.per_joint_k.insert(joint(&placed.skeleton, "gives a K to", name)?, *k);
                }
                if self.distances.as_ref().is_none_or(|d| d.0 != *distance) {
                    self.distances = Some((*distance, Arc::new(FlexibleDistances::of(&placed, *distance)?)));
                }
                let distances = &self.distances.as_ref().expect("made above").1;
                notes.extend(distances.notes.iter().map(ToString::to_string));
                rig.weights = Some(weights::keep_props(&placed, distances.weights(&options)?));
                known = Some(distances.clone());
            }
        }
        if !project.weights.painted.is_empty() {
            let under = rig.weights.as_ref().ok_or(PrepareError::NothingToPaint)?;
            rig.weights = Some(painted(&rig.skeleton, under, &project.weights.painted)?);
        }
        self.carry(&mut rig, &project.motions, &mut notes);
        Ok(Prepared { rig: Arc::new(rig), notes, distances: known })
    }

    fn carry(&mut self, rig: &mut Rig, wanted: &[String], notes: &mut Vec<String>) {
        for name in wanted {
            let Some(motion) = self.motions.get(name) else {
                let why = self.missing.get(name).map_or("it is not at hand", String::as_str);
                notes.push(format!("the motion \"{name}\": {why}: its clips are left out"));
                continue;
            };
            let carried = self.carried.entry(name.clone());
            match carried.or_insert_with(|| motions::carried(motion, rig).map_err(|e| e.to_string())) {
                Ok(clips) => {
                    let names = motions::clip_names(&rig.clips, motion, name);
                    rig.clips.extend(clips.iter().cloned().zip(names).map(|(mut clip, name)| {
                        clip.name = name;
                        clip
                    }));
                }
                Err(why) => notes.push(format!("the motion {name} is left out: {why}")),
            }
        }
    }

    /// Whether everything slow that a project needs (a fit, distances, heat) is known already, so that preparing it takes
    /// no longer than a frame.
    pub fn knows(&self, project: &Project) -> bool {
        let edits = &project.skeleton;
        if edits.template.is_some_and(|t| self.fitted.as_ref().is_none_or(|f| f.0 != t)) {
            return false;
        }
        let placed = self.placed.as_ref().is_some_and(|(known, _)| known == edits);
        let carries = |name: &String| !self.motions.contains_key(name) || (placed && self.carried.contains_key(name));
        if !project.motions.iter().all(carries) {
            return false;
        }
        match &source_of(project) {
            WeightSource::File => true,
            WeightSource::Heat { influences } => placed && self.heated.as_ref().is_some_and(|h| h.0 == *influences),
            WeightSource::Flexible { distance, .. } => {
                placed && self.distances.as_ref().is_some_and(|d| d.0 == *distance)
            }
        }
    }

    /// The rig with its joints where the project has them.
    fn place(&mut self, edits: &SkeletonEdits, notes: &mut Vec<String>) -> Result<Arc<Rig>, PrepareError> {
        let base = match edits.template {
            None => self.file.clone(),
            Some(template) => {
                if self.fitted.as_ref().is_none_or(|f| f.0 != template) {
                    let (rig, said) = fitted(&self.file, template)?;
                    self.fitted = Some((template, Arc::new(rig), said));
                }
                let (_, rig, said) = self.fitted.as_ref().expect("made above");
                notes.extend(said.iter().cloned());
                rig.clone()
            }
        };
        if let Some((known, rig)) = &self.placed
            && known == edits
        {
            return Ok(rig.clone());
        }
        let rig = if edits.moved.is_empty() { base } else { Arc::new(moved(&base, edits)?) };
        // All hang on where the joints are.
        (self.distances, self.heated) = (None, None);
        self.carried.clear();
        self.placed = Some((edits.clone(), rig.clone()));
        Ok(rig)
    }
}

/// Weights of the file hang on its skeleton, and mean nothing on another.
fn source_of(project: &Project) -> WeightSource {
    match &project.weights.source {
        WeightSource::File if project.skeleton.template.is_some() => WeightSource::heat(),
        source => source.clone(),
    }
}

fn fitted(file: &Rig, template: Template) -> Result<(Rig, Vec<String>), PrepareError> {
    let (skeleton, report) = fit::template(&fit::body(file), template, &FitOptions::default())?;
    let mut notes = report.notes;
    for (what, joints) in [("guessed", &report.guessed), ("outside the skin", &report.outside)] {
        if !joints.is_empty() {
            notes.push(format!("joints {what}: {}", joints.join(", ")));
        }
    }
    let mut rig = Rig { skeleton, weights: None, clips: Vec::new(), sphere_mesh: None, ..file.clone() };
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    Ok((rig, notes))
}

/// Joints put elsewhere. Clips say where joints are in their parents: what they say moves by as much.
fn moved(base: &Rig, edits: &SkeletonEdits) -> Result<Rig, PrepareError> {
    let mut places = Vec::new();
    for (name, at) in &edits.moved {
        if !DVec3::from(*at).is_finite() {
            return Err(PrepareError::NotFinite { joint: name.clone(), at: *at });
        }
        places.push((joint(&base.skeleton, "moves", name)?, DVec3::from(*at)));
    }
    let skeleton = base.skeleton.with_joints_at(places)?;
    let shift = |j: usize| skeleton.rest_local(j).translation - base.skeleton.rest_local(j).translation;
    let clips = base.clips.iter().map(|clip| shifted(clip, &shift)).collect();
    Ok(Rig { clips, skeleton, ..base.clone() })
}

fn shifted(clip: &Clip, shift: &impl Fn(usize) -> DVec3) -> Clip {
    let mut tracks = clip.tracks().to_vec();
    for track in &mut tracks {
        let Channel::Translation(joint) = track.channel else { continue };
        let by = shift(joint).as_vec3();
        if by == glam::Vec3::ZERO {
            continue;
        }
        let cubic = track.interpolation == crate::pose::Interpolation::CubicSpline;
        // A cubic key is tangent, value, tangent; tangents are not places.
        let is_place = |i: usize| !cubic || i / 3 % 3 == 1;
        let moved = |(i, &v): (usize, &f32)| if is_place(i) { v + by[i % 3] } else { v };
        track.values = track.values.iter().enumerate().map(moved).collect();
    }
    Clip::new(clip.name.clone(), tracks).unwrap_or_else(|_| clip.clone())
}

fn painted(skeleton: &Skeleton, under: &Weights, paint: &PaintedWeights) -> Result<Weights, PrepareError> {
    let numbers = paint.joints.iter().map(|name| joint(skeleton, "paints", name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(vertex) = paint.rows.last().filter(|&vertex| vertex as usize >= under.len()) {
        return Err(PrepareError::NoSuchVertex { vertex, count: under.len() });
    }
    let rows = paint.rows.table(under.len());
    let mut table = WeightsBuilder::with_capacity(under.len(), 4);
    for (vertex, row) in rows.into_iter().enumerate() {
        let Some(row) = row else {
            let (joints, values) = under.row(vertex);
            table.push(joints.iter().copied().zip(values.iter().copied()));
            continue;
        };
        let bad = |why| PrepareError::BadRow { vertex: vertex as u32, row: row.to_vec(), why };
        if row.iter().any(|(joint, _)| usize::from(*joint) >= numbers.len()) {
            return Err(bad("a joint that is not in its list"));
        }
        if row.iter().any(|(_, w)| !w.is_finite() || *w < 0.0) || row.iter().all(|(_, w)| *w == 0.0) {
            return Err(bad("weights are numbers from 0 on, and not all 0"));
        }
        table.push(row.iter().map(|&(joint, w)| (numbers[usize::from(joint)] as u16, w)));
    }
    Ok(table.finish(|_| 0).0)
}

fn joint(skeleton: &Skeleton, what: &'static str, name: &str) -> Result<usize, PrepareError> {
    skeleton.find_forgiving(name).ok_or_else(|| PrepareError::UnknownJoint {
        what,
        name: name.to_owned(),
        hint: names::hint(name, skeleton.names()),
    })
}
