//! One room per method. A [`Deformer`] says *what* to do: small, saved, comparable. Binding it to a rig makes it
//! [`Bound`]: ready, with everything precomputed, unable to fail.

pub mod implicit;
mod mix;
pub mod skinning;

pub use mix::Mix;

use crate::{names, pose::Motion, rig::Rig};
use glam::Vec3;
use serde_json::{Map, Value};
use std::fmt::Debug;
use thiserror::Error;

/// Whether points are still where the rig was bound or already carried by the joints. Skinning turns one into the
/// other, so a graph that skins twice is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// At the bind pose.
    Rest,
    /// Carried by the joints.
    Posed,
    /// Whatever the inputs are, as long as they agree.
    Same,
}

/// Settings of a method as JSON, the way they are saved and given by `--set`.
pub type Settings = Map<String, Value>;

/// A method with its settings.
pub trait Deformer: Debug + Send + Sync {
    /// Its name in the registry.
    fn method(&self) -> &'static str;

    /// Its settings, complete with defaults.
    fn settings(&self) -> Settings;

    /// What it takes, in order.
    fn inputs(&self) -> &'static [Space] {
        &[Space::Rest]
    }

    /// What it gives.
    fn output(&self) -> Space {
        Space::Posed
    }

    /// Precomputes everything that depends on the rig alone.
    fn bind(&self, rig: &Rig) -> Result<Box<dyn Bound>, BindError>;
}

/// A deformer ready to run on one rig: nothing below may fail, allocate or lock.
pub trait Bound: Send {
    /// Moves the points of one frame.
    fn deform(&mut self, frame: &Frame<'_>, out: &mut [Vec3]);

    /// Forgets earlier frames, where a method remembers any.
    fn reset(&mut self) {}

    /// What binding had to leave out or guess, a line each.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// Bytes read and written per frame, at the least: what a perfect memory system would move.
    fn bytes_per_frame(&self) -> usize;
}

/// What a deformer sees of one frame.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// How the joints carry the skin.
    pub motion: &'a Motion,
    /// The points of each input, in the order of [`Deformer::inputs`].
    pub inputs: &'a [&'a [Vec3]],
}

/// Why a method cannot be bound to a rig.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BindError {
    /// The method needs weights.
    #[error("{method} needs skin weights, and the rig \"{rig}\" has none: `supple bind` makes them")]
    NoWeights {
        /// The method.
        method: &'static str,
        /// The rig.
        rig: String,
    },
    /// The method needs triangles.
    #[error("{method} needs triangles, and the rig \"{rig}\" is a point set")]
    NoTriangles {
        /// The method.
        method: &'static str,
        /// The rig.
        rig: String,
    },
    /// A triangle names a vertex that is not there.
    #[error("{method}: triangle {triangle} names a vertex that is not there: there are {vertices}")]
    Corner {
        /// The method.
        method: &'static str,
        /// Which triangle.
        triangle: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// The weights do not belong to this mesh or skeleton.
    #[error("the weights are for {rows} vertices and {joints} joints, the rig has {vertices} and {skeleton}")]
    WeightsMismatch {
        /// Rows in the table.
        rows: usize,
        /// Joints the table names.
        joints: usize,
        /// Vertices of the rig.
        vertices: usize,
        /// Joints of the rig.
        skeleton: usize,
    },
    /// A setting names a joint that the rig does not have.
    #[error("{method}: there is no joint \"{joint}\"{}", names::hint(.joint, .known.iter().map(String::as_str)))]
    NoJoint {
        /// The method.
        method: &'static str,
        /// What was named.
        joint: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A sample is given a place that has nothing to do with its limb.
    #[error(
        "{method}: joint \"{joint}\": {what} {distance:.4} away from its bones, and the whole rig is {diagonal:.4} long"
    )]
    FarSample {
        /// The method.
        method: &'static str,
        /// The joint of the limb.
        joint: String,
        /// Which sample, and what was done to it.
        what: String,
        /// How far from the bones it is.
        distance: f64,
        /// The diagonal of the rig.
        diagonal: f64,
    },
    /// A per-vertex setting has the wrong length.
    #[error("{method}: setting \"{setting}\" has {found} values for {vertices} vertices")]
    PerVertex {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        vertices: usize,
    },
}

/// The number a setting holds, where it is one of those that fit.
pub(crate) fn number(
    method: &'static str,
    setting: &str,
    value: &Value,
    fits: std::ops::RangeInclusive<f64>,
    expected: &'static str,
) -> Result<f64, SettingError> {
    value.as_f64().filter(|x| fits.contains(x)).ok_or_else(|| SettingError::Value {
        method,
        setting: setting.to_owned(),
        value: value.to_string(),
        expected,
    })
}

/// A setting that a method does not have, or that has the wrong form.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SettingError {
    /// Not a setting of this method.
    #[error("{method} has no setting \"{setting}\"{}", names::hint(.setting, .known.split(", ").filter(|k| *k != "none")))]
    Unknown {
        /// The method.
        method: &'static str,
        /// What was given.
        setting: String,
        /// What there is, parted by commas; "none" for a method without settings.
        known: String,
    },
    /// The value is of a form that is read by its own rules.
    #[error("{method}: setting \"{setting}\": {reason}")]
    Form {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The value does not fit.
    #[error("{method}: setting \"{setting}\" cannot be {value}: {expected} is expected")]
    Value {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: String,
        /// What was given.
        value: String,
        /// What would fit.
        expected: &'static str,
    },
}
