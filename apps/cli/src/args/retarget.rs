use super::Destination;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Retarget {
    /// The rig that the motion is given to
    pub rig: PathBuf,
    /// The file with the motion (.bvh, .glb, .gltf, .fbx); its joints are matched by name
    #[arg(long, value_name = "FILE")]
    pub clip: PathBuf,
    /// Which clip of that file, by name or number; the first if not given
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub take: Option<String>,
    /// What the new clip is called [default: as in the file, or as the .bvh file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub to: Destination,
}
