use crate::{
    args::{Deform, Device},
    console::Console,
    device,
    output::Output,
    posing::{self, Work},
};
use anyhow::{Result, bail};
use supple::{pose::Motion, write};

pub fn run(arguments: &Deform, choice: Device, console: &Console) -> Result<()> {
    let output = Output::file(&arguments.output, console)?;
    let Work { rig, graph, project } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to move", rig.name);
    }
    let pose = posing::pose(&rig, &arguments.pose, project.as_ref(), console)?;
    output.check()?;
    let opened = device::open(choice, rig.mesh.positions.len(), console);
    let mut engine = device::bind(&graph, &rig, &opened, console)?;
    let mut morphed = Vec::new();
    pose.morphed(&rig, &mut morphed);
    let points = device::evaluate(&mut engine, &rig, &morphed, &Motion::of(&rig, &pose), console);
    output.write(|path| write::posed(path, &rig, &points))?;
    console.say(&format!("supple: wrote {output} ({} vertices)", points.len()));
    Ok(())
}
