use super::{
    Destination,
    fit::{Standing, Template},
};
use crate::number;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Bind {
    /// A mesh, a point set, or a rig whose weights are replaced
    pub mesh: PathBuf,
    /// The file with the joints (.glb, .bvh, .tgf, .fbx, …); without it, the joints of the rig itself
    #[arg(long, value_name = "FILE")]
    pub skeleton: Option<PathBuf>,
    /// A standard skeleton, placed inside the mesh
    #[arg(long, value_enum, conflicts_with = "skeleton")]
    pub template: Option<Template>,
    /// A joint that shall own no skin, as a control; may be repeated. Joints that the skeleton's own skin gives no weight are
    /// left out without asking
    #[arg(long, value_name = "JOINT")]
    pub exclude: Vec<String>,
    #[command(flatten)]
    pub standing: Standing,
    /// How the weights are made
    #[arg(long, value_enum, default_value_t = WeightMethod::Heat)]
    pub weights: WeightMethod,
    /// At most so many joints for a vertex; with flexible weights there is no limit unless it is given [default: 4]
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub influences: Option<usize>,
    #[command(flatten)]
    pub flexible: Flexible,
    /// Scale and move the skeleton so that its box fits into the mesh's
    #[arg(long, requires = "skeleton", conflicts_with = "template")]
    pub fit: bool,
    /// Print JSON: bones, notes, time
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub to: Destination,
}

/// What flexible weights can be told.
#[derive(Args, Debug)]
pub struct Flexible {
    /// Flexible weights: how soft joints are, 0.1 of wood, 2 of rubber [default: 0.5]
    #[arg(long, value_name = "K", value_parser = number::any, allow_negative_numbers = true)]
    pub k: Option<f64>,
    /// Flexible weights: another K for one joint; may be repeated for others
    #[arg(long, value_name = "JOINT=K")]
    pub joint_k: Vec<String>,
    /// Flexible weights: what is measured from the borders of the regions [default: geodesic]
    #[arg(long, value_enum)]
    pub distance: Option<Distance>,
    /// Flexible weights: how a weight falls across an overlap [default: cubic]
    #[arg(long, value_enum)]
    pub ramp: Option<Ramp>,
}

impl Flexible {
    /// Whether any of it was given.
    pub fn is_given(&self) -> bool {
        self.k.is_some() || !self.joint_k.is_empty() || self.distance.is_some() || self.ramp.is_some()
    }
}

/// How weights are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeightMethod {
    /// Bones warm the skin they see, and the warmth spreads
    Heat,
    /// Regions of the bones overlap by as much as K says
    Flexible,
    /// By distance to the bones alone, through walls
    Nearest,
}

impl WeightMethod {
    /// As on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
    }
}

/// What is measured from the borders of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Distance {
    /// Straight through the air: fastest, and wrong across gaps
    Euclidean,
    /// Along the skin
    Geodesic,
    /// Along the skin, and smoother than the skin
    Harmonic,
}

/// How a weight falls across an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ramp {
    /// Level at both ends
    Cubic,
    /// A straight line, which shows where the overlap begins
    Linear,
}
