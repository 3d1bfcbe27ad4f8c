//! A standard skeleton placed inside a skin.
//!
//! The inside is filled with cubic cells. Which way the body stands is read off its symmetry, its feet, and its toes or
//! its head. Limbs are the ways through the inside that reach farthest from the trunk, drawn to the middle of their
//! sections; joints go where limbs are thinnest, bend or fork, and else by the proportions of a grown person or animal.

mod draft;
mod frame;
mod hand;
mod human;
mod paths;
mod quadruped;
mod solid;
#[cfg(test)]
mod tests;

use crate::{
    measure::Facing,
    names,
    rig::{Joint, Mesh, Skeleton, SkeletonError},
};
use draft::Draft;
use frame::Frame;
use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};
use solid::{Shape, Solid};
use thiserror::Error;

/// Which skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// A standing person: 23 joints, named as those of the example figure.
    Human,
    /// An animal on four legs.
    Quadruped,
    /// One hand, named as the example hand.
    Hand,
}

/// A direction along an axis of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Heading {
    /// Greater x.
    #[serde(rename = "+x")]
    PlusX,
    /// Lesser x.
    #[serde(rename = "-x")]
    MinusX,
    /// Greater y.
    #[serde(rename = "+y")]
    PlusY,
    /// Lesser y.
    #[serde(rename = "-y")]
    MinusY,
    /// Greater z.
    #[serde(rename = "+z")]
    PlusZ,
    /// Lesser z.
    #[serde(rename = "-z")]
    MinusZ,
}

impl Heading {
    /// All six, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("+x", Self::PlusX),
        ("-x", Self::MinusX),
        ("+y", Self::PlusY),
        ("-y", Self::MinusY),
        ("+z", Self::PlusZ),
        ("-z", Self::MinusZ),
    ];

    /// As a unit vector.
    pub fn vector(self) -> DVec3 {
        DVec3::AXES[self.axis()] * if (self as usize).is_multiple_of(2) { 1.0 } else { -1.0 }
    }

    fn axis(self) -> usize {
        self as usize / 2
    }

    fn of(vector: DVec3) -> Self {
        let nearest =
            Self::ALL.into_iter().max_by(|a, b| a.1.vector().dot(vector).total_cmp(&b.1.vector().dot(vector)));
        nearest.map_or(Self::PlusY, |h| h.1)
    }
}

/// What is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitOptions {
    /// Which way is up; none: guessed. A hand does not need it.
    pub up: Option<Heading>,
    /// Which way the body looks; none: guessed. A hand does not need it.
    pub facing: Option<Heading>,
    /// Cells along the longest side of the box.
    pub grid: usize,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { up: None, facing: None, grid: 128 }
    }
}

/// How good the placing is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitReport {
    /// Which skeleton.
    pub template: Template,
    /// Up, as given or guessed; none for a hand.
    pub up: Option<Heading>,
    /// Where the body looks, as given or guessed; none for a hand.
    pub facing: Option<Heading>,
    /// 0 to 1: how clearly the body stands, the share of joints that the skin told, and of bones that lie inside.
    pub confidence: f64,
    /// Joints placed by proportions alone.
    pub guessed: Vec<String>,
    /// Joints that lie outside the skin.
    pub outside: Vec<String>,
    /// What else there is to know.
    pub notes: Vec<String>,
}

/// Why no skeleton can be placed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FitError {
    /// Nothing to look at.
    #[error("the mesh has no points with finite coordinates")]
    Empty,
    /// A point, a line, a sheet.
    #[error("the mesh encloses nothing: its {triangles} triangles and {points} points lie in a plane or a line")]
    Flat {
        /// How many triangles.
        triangles: usize,
        /// How many points.
        points: usize,
    },
    /// Up and ahead are square to each other.
    #[error("a body cannot look along {facing} while {up} is up")]
    Headings {
        /// Up.
        up: &'static str,
        /// Ahead.
        facing: &'static str,
    },
    /// Too coarse or too fine.
    #[error("a grid of {asked} cells: 32 to 256 are possible")]
    Grid {
        /// What was asked for.
        asked: usize,
    },
    /// The shape is another one.
    #[error("no five fingers were found in the mesh")]
    NoFingers,
    /// A place that is no place.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

/// Places a standard skeleton inside a mesh, or among the points of a set.
pub fn template(mesh: &Mesh, template: Template, options: &FitOptions) -> Result<(Skeleton, FitReport), FitError> {
    if !(32..=256).contains(&options.grid) {
        return Err(FitError::Grid { asked: options.grid });
    }
    if let (Some(up), Some(facing)) = (options.up, options.facing)
        && up.axis() == facing.axis()
    {
        let name = |h: Heading| Heading::ALL[h as usize].0;
        return Err(FitError::Headings { up: name(up), facing: name(facing) });
    }
    let facing = Facing::of(mesh);
    let shape = Shape::of(&mesh.positions, &facing.outward(mesh));
    if shape.points.is_empty() {
        return Err(FitError::Empty);
    }
    let flat = || FitError::Flat { triangles: shape.triangles.len(), points: shape.points.len() };
    let low = shape.points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = shape.points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    if (high - low).min_element() <= 1e-4 * (high - low).max_element() {
        return Err(flat());
    }
    let mut report = FitReport {
        template,
        up: None,
        facing: None,
        confidence: 1.0,
        guessed: Vec::new(),
        outside: Vec::new(),
        notes: facing.note().into_iter().collect(),
    };
    let frame = if template == Template::Hand {
        Frame { left: DVec3::X, up: DVec3::Y, ahead: DVec3::Z, sure: 1.0 }
    } else {
        let coarse = Solid::of(&shape, options.grid.min(64)).ok_or_else(flat)?;
        let frame = Frame::guess(&coarse, template, options);
        (report.up, report.facing) = (Some(Heading::of(frame.up)), Some(Heading::of(frame.ahead)));
        frame
    };
    let solid = Solid::filling(&shape.moved(|p| frame.body_from_file(p)), options.grid).ok_or_else(flat)?;
    let mut draft = match template {
        Template::Human => human::joints(&solid),
        Template::Quadruped => quadruped::joints(&solid),
        Template::Hand => hand::joints(&solid).ok_or(FitError::NoFingers)?,
    };
    report.outside = draft.pushed_inside(&solid);
    report.guessed = draft.joints.iter().filter(|j| !j.seen).map(|j| j.name.clone()).collect();
    let told = 1.0 - report.guessed.len() as f64 / draft.joints.len().max(1) as f64;
    let (bare, air) = draft.in_air(&solid);
    report.confidence = frame.sure * (0.2 + 0.8 * told) * if solid.guessed { 0.7 } else { 1.0 } * (1.0 - air).powi(2);
    report.notes.append(&mut draft.notes);
    if !bare.is_empty() {
        let bare: Vec<&str> = bare.iter().map(String::as_str).collect();
        report.notes.push(format!("bones outside of the skin lead to {}: is it another shape?", names::list(&bare)));
    }
    if solid.guessed {
        report.notes.push("the skin encloses next to nothing: its inside was guessed".into());
    }
    Ok((skeleton(&draft, &frame)?, report))
}

/// Joints with the axes of the file, so that hinges read as they are seen.
fn skeleton(draft: &Draft, frame: &Frame) -> Result<Skeleton, SkeletonError> {
    let joint = |j: &draft::Placed| {
        Joint::new(j.name.clone(), j.parent, DAffine3::from_translation(frame.file_from_body(j.at)))
    };
    let mut skeleton = Skeleton::new(draft.joints.iter().map(joint).collect())?;
    for (i, placed) in draft.joints.iter().enumerate() {
        if let Some(axis) = placed.hinge {
            skeleton.set_hinge(i, frame.file_from_body(axis));
        }
    }
    Ok(skeleton.show_rest())
}
