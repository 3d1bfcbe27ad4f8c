use super::Destination;
use crate::number;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Fit {
    /// A mesh or point set; each of its vertices is owned by the nearest bone
    pub mesh: PathBuf,
    /// Which skeleton
    #[arg(long, value_enum)]
    pub template: Template,
    #[command(flatten)]
    pub standing: Standing,
    #[command(flatten)]
    pub to: Destination,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How the body stands in its file.
#[derive(Args, Debug)]
pub struct Standing {
    /// With a standard skeleton: which way is up [default: guessed]
    #[arg(long, value_name = "AXIS", value_parser = ["+x", "-x", "+y", "-y", "+z", "-z"], allow_hyphen_values = true)]
    pub up: Option<String>,
    /// With a standard skeleton: which way the body looks [default: guessed]
    #[arg(long, value_name = "AXIS", value_parser = ["+x", "-x", "+y", "-y", "+z", "-z"], allow_hyphen_values = true)]
    pub facing: Option<String>,
    /// With a standard skeleton: cells along the longest side of the box [default: 128]
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub grid: Option<usize>,
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
