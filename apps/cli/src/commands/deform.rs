use crate::{
    args::{Deform, Device},
    console::Console,
    device, output,
    posing::{self, Work},
};
use anyhow::{Result, bail};
use supple::{pose::Motion, write};

pub fn run(arguments: &Deform, choice: Device, console: &Console) -> Result<()> {
    output::check(arguments.rig.as_deref(), &arguments.output)?;
    let Work { rig, graph, project } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to move", rig.name);
    }
    let pose = posing::pose(&rig, &arguments.pose, project.as_ref(), console)?;
    let gpu = device::open(choice, rig.mesh.positions.len(), console);
    let mut engine = device::bind(&graph, &rig, gpu.as_ref(), console)?;
    let mut morphed = Vec::new();
    pose.morphed(&rig, &mut morphed);
    let points = engine.evaluate(&morphed, &Motion::of(&rig, &pose)).to_vec();
    device::report(&mut engine, console);
    write::posed(&arguments.output, &rig, &points)?;
    console.say(&format!("supple: wrote {} ({} vertices)", arguments.output.display(), points.len()));
    Ok(())
}
