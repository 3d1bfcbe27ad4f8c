use crate::number;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Fit {
    /// A mesh or point set
    pub mesh: PathBuf,
    /// Which skeleton
    #[arg(long, value_enum)]
    pub template: Template,
    /// Which way is up [default: guessed]
    #[arg(long, value_name = "AXIS", value_parser = ["+x", "-x", "+y", "-y", "+z", "-z"], allow_hyphen_values = true)]
    pub up: Option<String>,
    /// Which way the body looks [default: guessed]
    #[arg(long, value_name = "AXIS", value_parser = ["+x", "-x", "+y", "-y", "+z", "-z"], allow_hyphen_values = true)]
    pub facing: Option<String>,
    /// Cells along the longest side of the box
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub grid: usize,
    /// Where to write the mesh with the skeleton, each vertex owned by its nearest bone: .glb
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A standard skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A standing person
    Human,
    /// An animal on four legs
    Quadruped,
    /// One hand
    Hand,
}
