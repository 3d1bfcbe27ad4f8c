//! A mesh and a skeleton in, a rig with weights out.

mod placement;

use crate::{
    args::{Bind, WeightMethod},
    console::Console,
    output, posing,
};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use std::{io::Write, path::Path, time::Instant};
use supple::{
    pose::{Channel, Clip},
    rig::{Mesh, Rig, Skeleton, Weights, WeightsBuilder},
    weights::{self, HeatOptions, NearestOptions},
    write,
};

pub fn run(arguments: &Bind, console: &Console) -> Result<()> {
    let (mesh, file) = (&arguments.mesh, &arguments.output);
    output::check(None, file)?;
    if [Some(mesh), arguments.skeleton.as_ref()].into_iter().flatten().any(|f| output::is_same_file(f, file)) {
        bail!("{}: is read for this; give the rig another name", file.display());
    }
    if !file.extension().is_some_and(|e| e.eq_ignore_ascii_case("glb")) {
        bail!("{}: a rig with weights can be written as .glb only", file.display());
    }
    let bar = console.progress("binding", 3);
    let name = mesh.display().to_string();
    let mut rig = posing::rig(mesh, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{name}: has no vertices to bind");
    }
    let own = arguments.skeleton.is_none();
    match &arguments.skeleton {
        Some(path) => take_skeleton(&mut rig, path, arguments.fit, console)?,
        None if rig.skeleton.is_empty() => bail!("{name}: has no skeleton of its own; give one with --skeleton"),
        None => {}
    }
    placement::doubt(&rig, arguments.skeleton.as_deref().unwrap_or(mesh), arguments.fit, console);
    bar.inc(1);
    let start = Instant::now();
    let (weights, notes) =
        weigh(arguments.weights, &rig.mesh, &rig.skeleton, arguments.influences).with_context(|| name.clone())?;
    let seconds = start.elapsed().as_secs_f64();
    for note in &notes {
        console.say(&format!("supple: {name}: warning: {note}"));
    }
    bar.inc(1);
    rig.weights = Some(if own { keep_props(&rig, weights) } else { weights });
    write::rig(file, &rig)?;
    bar.finish_and_clear();
    tell(arguments, &rig, seconds, &notes, console)
}

/// One arm for each way to make weights; what it had to decide comes back in lines.
fn weigh(method: WeightMethod, mesh: &Mesh, skeleton: &Skeleton, influences: usize) -> Result<(Weights, Vec<String>)> {
    Ok(match method {
        WeightMethod::Heat => {
            let (weights, notes) = weights::heat(mesh, skeleton, &HeatOptions { influences })?;
            (weights, notes.iter().map(ToString::to_string).collect())
        }
        WeightMethod::Nearest => {
            let (weights, nowhere) = weights::nearest(mesh, skeleton, &NearestOptions { influences })?;
            let note = || format!("{nowhere} vertices have positions that are not finite: they get the first bone");
            (weights, (nowhere > 0).then(note).into_iter().collect())
        }
    })
}

/// Replaces skeleton and clips by those of another file.
fn take_skeleton(rig: &mut Rig, path: &Path, fit: bool, console: &Console) -> Result<()> {
    let name = path.display().to_string();
    let source = posing::rig(path, console)?;
    if source.skeleton.is_empty() {
        bail!("{name}: holds no joints");
    }
    if !rig.clips.is_empty() {
        let count = rig.clips.len();
        console.say(&format!("supple: {}: warning: {count} clips of its own skeleton are left out", rig.name));
    }
    rig.skeleton = source.skeleton;
    rig.clips = source.clips.iter().filter_map(without_morphs).collect();
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    if fit {
        placement::fit(rig).map_err(|why| anyhow!("{name}: {why}"))?;
    }
    Ok(())
}

/// The clip without tracks for morphs, which are those of another mesh.
fn without_morphs(clip: &Clip) -> Option<Clip> {
    let tracks = clip.tracks().iter().filter(|t| !matches!(t.channel, Channel::Morph(_))).cloned().collect();
    Clip::new(clip.name.clone(), tracks).ok()
}

/// Props that follow one joint as a whole stay with it.
fn keep_props(rig: &Rig, weights: Weights) -> Weights {
    let Some(old) = rig.weights.as_ref().filter(|_| rig.parts.iter().any(|p| !p.skinned)) else { return weights };
    let mut rigid = vec![false; rig.mesh.positions.len()];
    for part in rig.parts.iter().filter(|p| !p.skinned) {
        rigid[part.vertices.start as usize..part.vertices.end as usize].fill(true);
    }
    let mut table = WeightsBuilder::with_capacity(weights.len(), 4);
    for (vertex, rigid) in rigid.into_iter().enumerate() {
        let (joints, values) = if rigid { old.row(vertex) } else { weights.row(vertex) };
        table.push(joints.iter().copied().zip(values.iter().copied()));
    }
    table.finish(|_| 0).0
}

fn tell(arguments: &Bind, rig: &Rig, seconds: f64, notes: &[String], console: &Console) -> Result<()> {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, None);
    let (file, vertices) = (arguments.output.display(), rig.mesh.positions.len());
    let method = arguments.weights.name();
    if arguments.json {
        let name = |joint: usize| rig.skeleton.joints()[joint].name.as_str();
        let bone = |b: &supple::rig::Bone| json!({"joint": name(b.joint), "head": b.head.to_array(), "tail": b.tail.to_array()});
        let facts = json!({
            "output": arguments.output, "weights": method, "influences": arguments.influences, "vertices": vertices,
            "triangles": rig.mesh.triangles.len(), "joints": rig.skeleton.len(),
            "bones": bones.iter().map(bone).collect::<Vec<_>>(), "seconds": seconds, "notes": notes,
        });
        writeln!(std::io::stdout(), "{facts}")?;
    }
    let counts = format!("{vertices} vertices, {} bones, {method} weights in {seconds:.3} s", bones.len());
    console.say(&format!("supple: wrote {file} ({counts})"));
    Ok(())
}
