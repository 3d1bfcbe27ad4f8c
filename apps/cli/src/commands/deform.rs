use crate::{args::Deform, console::Console, posing};
use anyhow::{Result, bail};
use supple::{pose::Motion, write};

pub fn run(arguments: &Deform, console: &Console) -> Result<()> {
    let (rig, graph) = posing::rig_and_graph(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to move", rig.name);
    }
    let pose = posing::pose(&rig, &arguments.pose, console)?;
    let mut bound = graph.bind(&rig)?;
    let mut morphed = Vec::new();
    pose.morphed(&rig, &mut morphed);
    let points = bound.evaluate(&morphed, &Motion::of(&rig, &pose));
    write::posed(&arguments.output, &rig, points)?;
    console.say(&format!("supple: wrote {} ({} vertices)", arguments.output.display(), points.len()));
    Ok(())
}
