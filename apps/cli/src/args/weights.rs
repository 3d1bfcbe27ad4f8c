use super::Destination;
use crate::number;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Weights {
    #[command(subcommand)]
    pub tool: Tool,
}

#[derive(Debug, Subcommand)]
pub enum Tool {
    /// Average weights with their neighbours'
    Smooth(Smooth),
    /// Keep the heaviest joints of each vertex
    Limit(Limit),
    /// Make rows sum to one exactly, and copies along seams one
    Normalize(Normalize),
    /// Drop small weights
    Prune(Prune),
    /// Give the weights of one side to the other
    Mirror(Mirror),
    /// Take the weights of another rig over
    Transfer(Transfer),
}

/// What goes in and what comes out.
#[derive(Args, Debug)]
pub struct Files {
    /// The rig
    pub rig: PathBuf,
    #[command(flatten)]
    pub to: Destination,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Smooth {
    #[command(flatten)]
    pub files: Files,
    /// How much of a row its neighbours replace each time, 0 to 1
    #[arg(long, value_name = "A", default_value_t = 0.5, value_parser = number::any, allow_negative_numbers = true)]
    pub amount: f64,
    /// How many times; weights flow so many edges far
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub iterations: usize,
}

#[derive(Args, Debug)]
pub struct Limit {
    #[command(flatten)]
    pub files: Files,
    /// The most joints a vertex keeps
    #[arg(long, short = 'n', value_name = "N", default_value_t = 4, value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub influences: usize,
    /// Let a joint fade before it goes, so that neighbouring vertices do not jump apart
    #[arg(long)]
    pub continuous: bool,
}

#[derive(Args, Debug)]
pub struct Normalize {
    #[command(flatten)]
    pub files: Files,
    /// Round to whole steps of bytes (8) or words (16), as engines store weights
    #[arg(long, value_name = "8|16", value_parser = number::whole::<u32>, allow_negative_numbers = true)]
    pub bits: Option<u32>,
}

#[derive(Args, Debug)]
pub struct Prune {
    #[command(flatten)]
    pub files: Files,
    /// Weights below this go, but for the heaviest of a vertex
    #[arg(long, value_name = "W", default_value_t = 0.01, value_parser = number::any, allow_negative_numbers = true)]
    pub below: f64,
}

#[derive(Args, Debug)]
pub struct Mirror {
    #[command(flatten)]
    pub files: Files,
    /// The side that is kept: left or right by the names of the joints, or +x, -x, +y, …
    #[arg(long, value_name = "SIDE", default_value = "left", allow_hyphen_values = true)]
    pub from: String,
    /// The axis square to the mirror [default: the one along which left and right lie apart]
    #[arg(long, value_enum)]
    pub axis: Option<Axis>,
    /// Where the mirror is along the axis [default: between left and right]
    #[arg(long, value_name = "PLACE", value_parser = number::any, allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// How far from the mirrored surface a vertex may lie, in diagonals of the box
    #[arg(long, value_name = "D", default_value_t = 0.02, value_parser = number::any, allow_negative_numbers = true)]
    pub distance: f64,
}

/// An axis of the rest space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Axis {
    X,
    Y,
    Z,
}

#[derive(Args, Debug)]
pub struct Transfer {
    #[command(flatten)]
    pub files: Files,
    /// The rig to take weights from
    #[arg(long, value_name = "RIG")]
    pub from: PathBuf,
    /// How far from the other surface a vertex may lie, in diagonals of its box
    #[arg(long, value_name = "D", default_value_t = 0.05, value_parser = number::any, allow_negative_numbers = true)]
    pub distance: f64,
    /// How far its normal may be turned against the one there, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 35.0, value_parser = number::any, allow_negative_numbers = true)]
    pub angle: f64,
    /// How often the weights round what was continued are smoothed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub smooth: usize,
    /// Lay the other rig over the mesh first: turned, scaled and moved as a whole, then limb by limb; a bare mesh gets its
    /// skeleton and clips where they then lie
    #[arg(long)]
    pub align: bool,
}
