//! `supple retarget`: a motion made for another skeleton becomes a clip of a rig.

use super::bind::placement;
use crate::{args::retarget::Retarget, console::Console, output::Output, posing};
use anyhow::{Result, bail};

pub fn run(arguments: &Retarget, console: &Console) -> Result<()> {
    let Retarget { rig: path, clip: motion, take, name, to } = arguments;
    let output = Output::of_rig(path, to, console)?;
    if output.ending() != "glb" {
        bail!("{}: a rig with clips can be written as .glb only", output.path().display());
    }
    let mut rig = posing::rig(path, console)?;
    let mut carried = posing::motion(&rig, motion, take.as_deref(), console)?;
    output.check()?;
    // A BVH does not say what its motion is called.
    let stem = motion.file_stem().filter(|_| motion.extension().is_some_and(|e| e.eq_ignore_ascii_case("bvh")));
    match (name, stem) {
        (Some(name), _) => carried.name.clone_from(name),
        (None, Some(stem)) => carried.name = stem.to_string_lossy().into_owned(),
        (None, None) => {}
    }
    let name = carried.name.clone();
    if name.is_empty() {
        bail!("--name: a clip needs a name");
    }
    if rig.clips.iter().any(|c| c.name == name) {
        bail!("{}: has a clip \"{name}\" already; give the new one another name with --name", path.display());
    }
    rig.clips.push(carried);
    placement::doubt_written(&rig, output.path(), console);
    output.rig(&rig, console)?;
    console.say(&format!("supple: wrote {output} (with the clip \"{name}\")"));
    Ok(())
}
