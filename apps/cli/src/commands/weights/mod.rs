//! `supple weights`: the tools of the library on a rig, and what they did in words or JSON.

mod words;

use super::bind::placement;
use crate::{
    args::weights::{Axis, Files, Mirror, Tool, Transfer, Weights},
    console::Console,
    output::Output,
    posing, wording,
};
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use std::{io::Write, path::Path};
use supple::{
    rig::{self, Rig},
    weights::edit::{
        self, EditError, EditReport, LimitOptions, MirrorOptions, NormalizeOptions, PruneOptions, Side, SmoothOptions,
        TransferOptions, Transferred,
    },
};

pub fn run(arguments: &Weights, console: &Console) -> Result<()> {
    match &arguments.tool {
        Tool::Smooth(a) => edited(&a.files, console, |rig, weights| {
            edit::smooth(&rig.mesh, weights, &SmoothOptions { amount: a.amount, iterations: a.iterations })
        }),
        Tool::Limit(a) => edited(&a.files, console, |_, weights| {
            edit::limit(weights, &LimitOptions { influences: a.influences, continuous: a.continuous })
        }),
        Tool::Normalize(a) => edited(&a.files, console, |rig, weights| {
            edit::normalize(&rig.mesh, weights, &NormalizeOptions { bits: a.bits })
        }),
        Tool::Prune(a) => {
            edited(&a.files, console, |_, weights| edit::prune(weights, &PruneOptions { below: a.below }))
        }
        Tool::Mirror(a) => mirror(a, console),
        Tool::Transfer(a) => transfer(a, console),
    }
}

/// A setting out of range by the option that set it.
fn in_options(error: EditError) -> anyhow::Error {
    match error {
        EditError::Setting { setting, value, range } => anyhow!("--{setting} {value}: {range}"),
        other => other.into(),
    }
}

/// Reads the rig, and refuses early what could not be written.
fn read<'a>(files: &Files, console: &'a Console) -> Result<(Rig, Output<'a>)> {
    let output = Output::of_rig(&files.rig, &files.to, console)?;
    if output.ending() != "glb" {
        bail!("{}: weights are kept in .glb files alone: name one with -o", output.path().display());
    }
    let rig = posing::rig(&files.rig, console)?;
    output.check()?;
    Ok((rig, output))
}

fn weights_of<'a>(rig: &'a Rig, path: &Path) -> Result<&'a rig::Weights> {
    rig.weights.as_ref().with_context(|| format!("{}: the rig has no weights", path.display()))
}

fn edited(
    files: &Files,
    console: &Console,
    tool: impl FnOnce(&Rig, &rig::Weights) -> Result<(rig::Weights, EditReport), EditError>,
) -> Result<()> {
    let (mut rig, output) = read(files, console)?;
    let (weights, report) =
        tool(&rig, weights_of(&rig, &files.rig)?).map_err(in_options).with_context(|| name(files))?;
    rig.weights = Some(weights);
    finish(files, &output, &rig, &report, &words::edit(&report), console)
}

fn mirror(arguments: &Mirror, console: &Console) -> Result<()> {
    let files = &arguments.files;
    let (from, axis) = side(&arguments.from, arguments.axis)?;
    let options = MirrorOptions { axis, place: arguments.at, from, distance: arguments.distance };
    let (mut rig, output) = read(files, console)?;
    let (weights, report) = edit::mirror(&rig, &options).map_err(in_options).with_context(|| name(files))?;
    rig.weights = Some(weights);
    finish(files, &output, &rig, &report, &words::mirror(&report), console)
}

/// `left`, `right`, or a sign and an axis.
fn side(word: &str, axis: Option<Axis>) -> Result<(Side, Option<edit::Axis>)> {
    let known = |axis: Axis| match axis {
        Axis::X => edit::Axis::X,
        Axis::Y => edit::Axis::Y,
        Axis::Z => edit::Axis::Z,
    };
    let lower = word.to_ascii_lowercase();
    let (from, named) = match lower.as_str() {
        "left" => (Side::Left, None),
        "right" => (Side::Right, None),
        "+x" | "x" => (Side::Positive, Some(Axis::X)),
        "+y" | "y" => (Side::Positive, Some(Axis::Y)),
        "+z" | "z" => (Side::Positive, Some(Axis::Z)),
        "-x" => (Side::Negative, Some(Axis::X)),
        "-y" => (Side::Negative, Some(Axis::Y)),
        "-z" => (Side::Negative, Some(Axis::Z)),
        _ => bail!("--from {word}: expected left, right, +x, -x, +y, -y, +z or -z"),
    };
    if let (Some(a), Some(b)) = (axis, named)
        && a != b
    {
        bail!("--from {word}: the mirror is square to another axis, as --axis says");
    }
    Ok((from, axis.or(named).map(known)))
}

fn transfer(arguments: &Transfer, console: &Console) -> Result<()> {
    let Transfer { files, from, distance, angle, smooth, align } = arguments;
    let options = TransferOptions { distance: *distance, angle: *angle, smooth: *smooth, align: *align };
    let (mut rig, output) = read(files, console)?;
    let source = posing::rig(from, console)?;
    output.check()?;
    for (file, mesh) in [(&files.rig, &rig.mesh), (from, &source.mesh)] {
        console.inside_out(&file.display().to_string(), mesh);
    }
    let found = edit::transfer(&source, &rig, &options);
    let Transferred { skeleton, weights, clips, report } =
        found.map_err(in_options).with_context(|| format!("--from {}", from.display()))?;
    if skeleton != rig.skeleton {
        // What hung on a node of the file is skin of the new skeleton.
        rig.parts.iter_mut().for_each(|p| p.skinned = true);
    }
    (rig.skeleton, rig.weights, rig.clips) = (skeleton, Some(weights), clips);
    for doubt in words::doubts(&report, *align) {
        console.warn(&format!("supple: {}: warning: {doubt}", name(files)));
    }
    finish(files, &output, &rig, &report, &words::transfer(&report), console)
}

fn name(files: &Files) -> String {
    files.rig.display().to_string()
}

fn finish(
    files: &Files,
    output: &Output<'_>,
    rig: &Rig,
    report: &impl Serialize,
    words: &[String],
    console: &Console,
) -> Result<()> {
    placement::doubt_written(rig, output.path(), console);
    output.rig(rig, console)?;
    console.say(&format!("supple: wrote {output}"));
    let mut out = std::io::stdout().lock();
    if files.json {
        writeln!(out, "{}", serde_json::to_string_pretty(report)?)?;
    } else {
        words.iter().try_for_each(|line| writeln!(out, "{}", wording::line(line)))?;
    }
    Ok(())
}
