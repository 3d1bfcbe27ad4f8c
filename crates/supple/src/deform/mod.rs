//! The methods, one file or folder each. A [`Deformer`] holds the settings of a method: small, saved, comparable. Binding it to a rig
//! gives a [`Bound`]: everything precomputed, immutable and shared. Whoever moves the skin owns a [`State`] of it: the memory of a
//! frame, and what the method remembers of earlier frames.

pub mod baseline;
mod clock;
pub(crate) mod contact;
pub mod implicit;
mod mix;
mod port;
pub mod setting;
mod settings;
pub mod skinning;

pub use clock::Clock;
pub use mix::{BoundMix, Mix};
pub use port::{Kind, Port, Values, points_of};
pub use setting::SettingError;
pub use settings::Settings;

use crate::{names, pose::Motion, rig::Rig};
use std::{any::Any, fmt::Debug, sync::Arc};
use thiserror::Error;

/// Whether points are in the bind pose or already moved by the joints. Skinning turns the first into the second, so a graph that skins
/// twice is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In the bind pose.
    Rest,
    /// Moved by the joints.
    Posed,
    /// That of the inputs, which must agree.
    Same,
}

/// A method with its settings.
pub trait Deformer: Debug + Send + Sync {
    /// Its name in the registry.
    fn method(&self) -> &'static str;

    /// Its settings, complete with defaults.
    fn settings(&self) -> Settings;

    /// What it takes, in order.
    fn inputs(&self) -> &'static [Port] {
        const REST: [Port; 1] = [Port::new("points", Kind::Points(Space::Rest))];
        &REST
    }

    /// What it gives.
    fn output(&self) -> Kind {
        Kind::Points(Space::Posed)
    }

    /// Precomputes everything that depends on the rig alone.
    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError>;

    /// The same where the method is bound to this very rig already, with other settings: does what the change
    /// [costs](setting::Cost), and gives what a new binding would, bit for bit.
    fn rebind(&self, rig: &Rig, _before: &Arc<dyn Bound>) -> Result<Arc<dyn Bound>, BindError> {
        self.bind(rig)
    }
}

/// A deformer bound to one rig: what every run of it shares, on the processor and on a device.
pub trait Bound: Any + Send + Sync {
    /// The state of a new run.
    fn state(self: Arc<Self>) -> Box<dyn State>;

    /// Rows that it gives; most give one for each vertex.
    fn rows(&self, vertices: usize) -> usize {
        vertices
    }

    /// Whether a frame depends on the frames before it.
    fn remembers(&self) -> bool {
        false
    }

    /// What binding left out or guessed, in a line each.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// Bytes read and written per frame, at the least: what a perfect memory system would move.
    fn bytes_per_frame(&self) -> usize;
}

/// A bound deformer and the memory to run it: nothing below may fail, lock, or allocate, but for taking and recalling memories.
pub trait State: Send {
    /// Fills `out` for one frame, row after row.
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]);

    /// Forgets earlier frames, where a method remembers any.
    fn reset(&mut self) {}

    /// A copy of what it remembers of earlier frames; none where that is nothing.
    fn memory(&self) -> Option<Memory> {
        None
    }

    /// Goes on from what was remembered, by this state or another of the same method on the same rig.
    fn recall(&mut self, _memory: &Memory) {}
}

/// What a method remembers of earlier frames. Only the method knows what that is.
pub type Memory = Arc<dyn Any + Send + Sync>;

/// What a deformer sees of one frame.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// How the joints carry the skin.
    pub motion: &'a Motion,
    /// What came in at each port, in the order of [`Deformer::inputs`].
    pub inputs: &'a [Values<'a>],
    /// When it is, and whether it follows the frame before.
    pub clock: Clock,
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
    /// The method needs a model of the body, and there is none or a wrong one.
    #[error("{method}: the rig \"{rig}\" has no usable model of spheres and bones: {reason}")]
    Model {
        /// The method.
        method: &'static str,
        /// The rig.
        rig: String,
        /// What is wrong with it.
        reason: String,
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
    /// More limbs than volumes are made of.
    #[error("{method}: rig \"{rig}\" has {limbs} limbs, and {most} are the most")]
    TooManyLimbs {
        /// The method.
        method: &'static str,
        /// The rig.
        rig: String,
        /// How many joints of it have skin.
        limbs: usize,
        /// How many it may have.
        most: usize,
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
