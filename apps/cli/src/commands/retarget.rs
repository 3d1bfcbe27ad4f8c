//! `supple retarget`: a motion made for another skeleton becomes a clip of a rig.

use crate::{args::retarget::Retarget, console::Console, output, posing};
use anyhow::{Result, bail};
use supple::write;

pub fn run(arguments: &Retarget, console: &Console) -> Result<()> {
    let Retarget { rig: path, clip: motion, take, name, output: file } = arguments;
    output::check(None, file)?;
    if [path, motion].into_iter().any(|f| output::is_same_file(f, file)) {
        bail!("{}: is read for this; give the rig another name", file.display());
    }
    if !file.extension().is_some_and(|e| e.eq_ignore_ascii_case("glb")) {
        bail!("{}: a rig with clips can be written as .glb only", file.display());
    }
    let mut rig = posing::rig(path, console)?;
    let mut carried = posing::motion(&rig, motion, take.as_deref(), console)?;
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
        bail!("{}: has a clip \"{name}\" already; give the new one another with --name", path.display());
    }
    rig.clips.push(carried);
    console.kept(file, &write::rig(file, &rig)?);
    console.say(&format!("supple: wrote {} (with the clip \"{name}\")", file.display()));
    Ok(())
}
