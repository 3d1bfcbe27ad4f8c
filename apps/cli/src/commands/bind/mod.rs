//! A mesh and a skeleton in, a rig with weights out.

pub mod exclude;
pub mod placement;
mod weigh;

use super::fit;
use crate::{args::bind::Bind, console::Console, output::Output, posing, wording};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use std::{io::Write, path::Path, time::Instant};
use supple::{
    pose::{Channel, Clip},
    rig::{Bone, Rig, Weights},
    weights,
};

/// Below this a placed skeleton should be looked at: of 17 meshes tried, the ones that looked wrong had 0.3 and less.
pub const LOW_CONFIDENCE: f64 = 0.35;

pub fn run(arguments: &Bind, console: &Console) -> Result<()> {
    let mesh = &arguments.mesh;
    let output = Output::of_rig(mesh, &arguments.to, console)?;
    if output.ending() != "glb" {
        bail!("{}: a rig with weights can be written as .glb only", output.path().display());
    }
    let bar = console.progress("binding", 3);
    let name = mesh.display().to_string();
    let mut rig = posing::rig(mesh, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{name}: has no vertices to bind");
    }
    weigh::check(arguments, console)?;
    console.inside_out(&name, &rig.mesh);
    let own = arguments.skeleton.is_none() && arguments.template.is_none();
    let mut excluded = match (&arguments.skeleton, arguments.template) {
        (Some(path), _) => take_skeleton(&mut rig, path, arguments.fit, console)?,
        (None, Some(_)) => place_template(&mut rig, arguments, console)?,
        (None, None) if rig.skeleton.is_empty() => {
            bail!("{name}: has no skeleton of its own; give one with --skeleton or --template")
        }
        (None, None) => exclude::unweighted(&rig, &name, console),
    };
    output.check()?;
    excluded.extend(exclude::named(&rig.skeleton, &arguments.exclude)?);
    let without_bones = exclude::without_bones(&rig.skeleton, &excluded);
    let skeleton = std::mem::replace(&mut rig.skeleton, without_bones);
    if arguments.template.is_none() {
        placement::doubt(&rig, arguments.skeleton.as_deref().unwrap_or(mesh), arguments.fit, console);
    }
    bar.inc(1);
    let start = Instant::now();
    let (found, notes) = weigh::weigh(arguments, &rig, own).with_context(|| name.clone())?;
    let seconds = start.elapsed().as_secs_f64();
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, None);
    rig.skeleton = skeleton;
    console.guesses(&name, &notes);
    bar.inc(1);
    rig.weights = Some(if own { weights::keep_props(&rig, found) } else { found });
    output.rig(&rig, console)?;
    bar.finish_and_clear();
    tell(arguments, &output, &rig, &bones, seconds, &notes, console)
}

/// Replaces the skeleton by a standard one, and says what of it is a guess. All its joints may own skin.
fn place_template(rig: &mut Rig, arguments: &Bind, console: &Console) -> Result<Vec<usize>> {
    let name = arguments.mesh.display().to_string();
    let Some(template) = arguments.template else { return Ok(Vec::new()) };
    let (skeleton, report) = fit::place(rig, template, &arguments.standing).with_context(|| name.clone())?;
    if report.confidence < LOW_CONFIDENCE {
        let sure = format!("the standard skeleton is hardly more than a guess (confidence {:.2})", report.confidence);
        console.warn(&format!("supple: {name}: warning: {sure}; look at it before you use it"));
    }
    console.guesses(&name, &report.notes);
    for (what, joints) in [("guessed", &report.guessed), ("outside the skin", &report.outside)] {
        if !joints.is_empty() {
            console.warn(&format!("supple: {name}: warning: joints {what}: {}", joints.join(", ")));
        }
    }
    tell_clips(rig, console);
    // What hung on another skeleton means nothing on this one.
    (rig.skeleton, rig.clips, rig.sphere_mesh, rig.weights) = (skeleton, Vec::new(), None, None);
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    Ok(Vec::new())
}

/// Says that the clips of a rig go with its skeleton.
fn tell_clips(rig: &Rig, console: &Console) {
    if !rig.clips.is_empty() {
        let clips = wording::counted(rig.clips.len(), "clip of its own skeleton is", "clips of its own skeleton are");
        console.warn(&format!("supple: {}: warning: {clips} left out", rig.name));
    }
}

/// Replaces skeleton and clips by those of another file, and gives the joints that own no skin there.
fn take_skeleton(rig: &mut Rig, path: &Path, fit: bool, console: &Console) -> Result<Vec<usize>> {
    let name = path.display().to_string();
    let source = posing::rig(path, console)?;
    if source.skeleton.is_empty() {
        bail!("{name}: holds no joints");
    }
    tell_clips(rig, console);
    let unweighted = exclude::unweighted(&source, &name, console);
    rig.skeleton = source.skeleton.clone();
    rig.weights = None;
    rig.clips = source.clips.iter().filter_map(without_morphs).collect();
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    if fit {
        supple::fit::placement::box_onto_skin(rig).map_err(|why| anyhow!("{name}: --fit: {why}"))?;
    }
    Ok(unweighted)
}

/// The clip without tracks for morphs, which are those of another mesh.
fn without_morphs(clip: &Clip) -> Option<Clip> {
    let tracks = clip.tracks().iter().filter(|t| !matches!(t.channel, Channel::Morph(_))).cloned().collect();
    Clip::new(clip.name.clone(), tracks).ok()
}

fn tell(
    arguments: &Bind,
    output: &Output<'_>,
    rig: &Rig,
    bones: &[Bone],
    seconds: f64,
    notes: &[String],
    console: &Console,
) -> Result<()> {
    let vertices = rig.mesh.positions.len();
    let method = arguments.weights.name();
    if arguments.json {
        let name = |joint: usize| rig.skeleton.joints()[joint].name.as_str();
        let bone = |b: &Bone| json!({"joint": name(b.joint), "head": b.head.to_array(), "tail": b.tail.to_array()});
        let facts = json!({
            "output": output.path(), "weights": method, "influences": rig.weights.as_ref().map(Weights::most_influences), "vertices": vertices,
            "triangles": rig.mesh.triangles.len(), "joints": rig.skeleton.len(),
            "bones": bones.iter().map(bone).collect::<Vec<_>>(), "seconds": seconds, "notes": notes,
        });
        writeln!(std::io::stdout(), "{facts}")?;
    }
    let counts = format!("{vertices} vertices, {} bones, {method} weights in {seconds:.3} s", bones.len());
    console.say(&format!("supple: wrote {output} ({counts})"));
    Ok(())
}
