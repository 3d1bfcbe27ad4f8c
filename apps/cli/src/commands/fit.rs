//! `supple fit`: a standard skeleton inside a bare mesh.

use crate::{
    args::fit::{Fit, Template},
    console::Console,
    posing,
};
use anyhow::{Context, Result, bail};
use std::io::Write;
use supple::{
    fit::{self, FitOptions, FitReport, Heading},
    rig::{Mesh, Rig, Weights},
    write,
};

pub fn run(arguments: &Fit, console: &Console) -> Result<()> {
    if !arguments.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("glb")) {
        bail!("{}: a skeleton is kept in .glb files alone", arguments.output.display());
    }
    let heading = |word: &Option<String>| {
        let known = |w: &String| Heading::ALL.iter().find(|(name, _)| name == w).map(|(_, heading)| *heading);
        word.as_ref().and_then(known)
    };
    let template = match arguments.template {
        Template::Human => fit::Template::Human,
        Template::Quadruped => fit::Template::Quadruped,
        Template::Hand => fit::Template::Hand,
    };
    let options = FitOptions { up: heading(&arguments.up), facing: heading(&arguments.facing), grid: arguments.grid };
    let read = posing::rig(&arguments.mesh, console)?;
    let placed = fit::template(&body(&read), template, &options);
    let (skeleton, report) = placed.with_context(|| arguments.mesh.display().to_string())?;
    // What hung on another skeleton means nothing on this one.
    let mut rig = Rig { skeleton, weights: None, clips: Vec::new(), sphere_mesh: None, ..read };
    rig.weights = Some(nearest_bones(&rig));
    write::rig(&arguments.output, &rig)?;
    console.say(&format!("supple: wrote {} ({} joints)", arguments.output.display(), rig.skeleton.len()));
    print(&report, arguments.json)
}

/// The skinned parts alone: a sword is no part of a body.
fn body(rig: &Rig) -> Mesh {
    let mut mesh = rig.mesh.clone();
    if rig.parts.iter().any(|p| !p.skinned) && rig.parts.iter().any(|p| p.skinned) {
        let parts = rig.parts.iter().filter(|p| p.skinned);
        let triangles =
            parts.filter_map(|p| rig.mesh.triangles.get(p.triangles.start as usize..p.triangles.end as usize));
        mesh.triangles = triangles.flatten().copied().collect();
    }
    mesh
}

fn nearest_bones(rig: &Rig) -> Weights {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, None);
    let owner = |p: &glam::Vec3| {
        let distance = |b: &supple::rig::Bone| b.distance(p.as_dvec3());
        let nearest = bones.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(0, |b| b.joint as u16)
    };
    Weights::rigid(rig.mesh.positions.iter().map(owner))
}

fn print(report: &FitReport, json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(report)?)?;
        return Ok(());
    }
    let name = |heading: Heading| Heading::ALL.iter().find(|(_, h)| *h == heading).map_or("", |(name, _)| *name);
    if let (Some(up), Some(facing)) = (report.up, report.facing) {
        writeln!(out, "stands        up {}, looks along {}", name(up), name(facing))?;
    }
    writeln!(out, "confidence    {:.2}", report.confidence)?;
    for (what, joints) in [("guessed", &report.guessed), ("outside", &report.outside)] {
        if !joints.is_empty() {
            writeln!(out, "{what:<14}{}", joints.join(", "))?;
        }
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "note          {note}"))?;
    Ok(())
}
