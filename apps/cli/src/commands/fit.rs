//! `supple fit`: a standard skeleton inside a bare mesh.

use super::bind::placement;
use crate::{
    args::fit::{Fit, Standing, Template},
    console::Console,
    output::Output,
    posing,
};
use anyhow::{Context, Result, bail};
use std::io::Write;
use supple::{
    fit::{self, FitOptions, FitReport, Heading},
    rig::{Rig, Skeleton},
    weights::{self, NearestOptions},
};

pub fn run(arguments: &Fit, console: &Console) -> Result<()> {
    let output = Output::of_rig(&arguments.mesh, &arguments.to, console)?;
    if output.ending() != "glb" {
        bail!("{}: a skeleton is kept in .glb files alone: name one with -o", output.path().display());
    }
    let read = posing::rig(&arguments.mesh, console)?;
    output.check()?;
    let placed = place(&read, arguments.template, &arguments.standing);
    let (skeleton, report) = placed.with_context(|| arguments.mesh.display().to_string())?;
    // What hung on another skeleton means nothing on this one.
    let mut rig = Rig { skeleton, weights: None, clips: Vec::new(), sphere_mesh: None, ..read };
    rig.weights = Some(weights::nearest(&rig.mesh, &rig.skeleton, &NearestOptions { influences: 1 })?.0);
    placement::doubt_written(&rig, output.path(), console);
    output.rig(&rig, console)?;
    console.say(&format!("supple: wrote {output} ({} joints)", rig.skeleton.len()));
    if report.confidence < super::bind::LOW_CONFIDENCE {
        let name = arguments.mesh.display();
        let sure = format!("the skeleton is hardly more than a guess (confidence {:.2})", report.confidence);
        console.warn(&format!("supple: {name}: warning: {sure}; look at it before you use it"));
    }
    print(&report, arguments.json)
}

/// A standard skeleton for the body of a rig.
pub fn place(rig: &Rig, template: Template, standing: &Standing) -> Result<(Skeleton, FitReport)> {
    let heading = |word: &Option<String>| {
        let known = |w: &String| Heading::ALL.iter().find(|(name, _)| name == w).map(|(_, heading)| *heading);
        word.as_ref().and_then(known)
    };
    let template = match template {
        Template::Human => fit::Template::Human,
        Template::Quadruped => fit::Template::Quadruped,
        Template::Hand => fit::Template::Hand,
    };
    let grid = standing.grid.unwrap_or(FitOptions::default().grid);
    let options = FitOptions { up: heading(&standing.up), facing: heading(&standing.facing), grid };
    Ok(fit::template(&fit::body(rig), template, &options)?)
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
