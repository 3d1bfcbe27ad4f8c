//! Moved skin against reference shapes: of one pose, or every case of a list.

use super::{Figures, print, table};
use crate::{
    args::{Arguments, Command, Measure, PoseWords},
    commands::example,
    console::Console,
    device, posing,
};
use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use glam::DVec3;
use serde_json::json;
use std::{io::Write, path::Path};
use supple::{
    graph::{BoundGraph, DeformGraph},
    measure::{Cube, Reference, ReferenceCase, ReferenceCases, ReferenceError, ReferenceGauge, ReferenceSolid, as_map},
    pose::{Motion, Pose},
    read::ReadError,
    rig::Rig,
};

/// What of a list is shown in rows, beside the name.
const SHOWN: [&str; 9] = [
    "reference_vertices",
    "reference_rms",
    "reference_p95",
    "reference_max",
    "reference_normal_rms",
    "missing",
    "extra",
    "overlapping",
    "wrong",
];

/// A gauge for one pose of a rig: a mesh with its vertices is the shape, and its own surface the solid.
pub fn gauge(path: &Path, rig: &Rig, at_rest: Cube, posed_joint: DVec3, console: &Console) -> Result<ReferenceGauge> {
    let shape = posing::rig(path, console)?.mesh;
    let (found, wanted) = (shape.positions.len(), rig.mesh.positions.len());
    if found != wanted {
        bail!("--reference {}: it has {found} vertices, and the rig {wanted}", path.display());
    }
    let points = shape.positions.iter().map(|p| Some(p.as_dvec3())).collect();
    let triangles = rig.mesh.triangles.clone();
    let solid = ReferenceSolid { posed_joint, points: shape.positions, triangles, keep: Vec::new() };
    let reference = Reference { joint: at_rest.center, radius: at_rest.radius, points, solid: Some(solid) };
    Ok(ReferenceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, &reference))
}

/// Vertices of a character that a list has made: a word of a file could else ask for ten million.
const MOST_VERTICES: usize = 200_000;

/// What is wrong with a list, and how a name is let out of its folder.
fn told(error: ReferenceError) -> anyhow::Error {
    match error {
        ReferenceError::Read { fault: fault @ ReadError::Outside { .. }, .. } => {
            anyhow!("{fault}; --allow-outside lets it")
        }
        other => other.into(),
    }
}

/// A rig of the list, bound.
struct Bound {
    from: String,
    rig: Rig,
    graph: BoundGraph,
}

/// Measures every case of a list.
pub fn list(path: &Path, arguments: &Measure, console: &Console) -> Result<()> {
    let cases = ReferenceCases::read(path, arguments.how.reach(), &console.inputs)?;
    let asked = arguments.case.as_deref().unwrap_or("");
    let wanted: Vec<&ReferenceCase> = cases.cases.iter().filter(|c| c.name.contains(asked)).collect();
    if wanted.is_empty() {
        bail!("{}: none of its {} cases is called like \"{asked}\"", path.display(), cases.cases.len());
    }
    let graph = DeformGraph::single_with(&arguments.how.method, &posing::settings(&arguments.how.settings)?)?;
    let bar = console.progress("measuring", wanted.len());
    // One rig at a time: a list may name any number of them.
    let mut last: Option<Bound> = None;
    let mut all = Figures::new();
    for (number, case) in wanted.into_iter().enumerate() {
        if last.as_ref().is_none_or(|bound| bound.from != case.rig_from) {
            drop(last.take());
            let rig = bar.suspend(|| rig(&cases, case, console)).with_context(|| format!("case \"{}\"", case.name))?;
            let bound = graph.bind(&rig)?;
            bar.suspend(|| console.notes(&rig.name, bound.binding()));
            bar.suspend(|| device::starts_anew(bound.binding(), &rig.name, console));
            last = Some(Bound { from: case.rig_from.clone(), rig, graph: bound });
        }
        let Bound { rig, graph, .. } = last.as_mut().expect("bound above");
        let reference = cases.reference(case, rig.mesh.positions.len(), &console.inputs).map_err(told)?;
        let pose = bar.suspend(|| pose(rig, case, console)).with_context(|| format!("case \"{}\"", case.name))?;
        let mut morphed = Vec::new();
        pose.morphed(rig, &mut morphed);
        let points = graph.evaluate(&morphed, &Motion::of(rig, &pose));
        let gauge = ReferenceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, &reference);
        let figures = as_map(&gauge.figures(points));
        if !arguments.json {
            let rows = bar.suspend(|| {
                let mut out = std::io::stdout().lock();
                if number == 0 {
                    writeln!(out, "{}", table::titles("case", &SHOWN))?;
                }
                writeln!(out, "{}", table::row(&case.name, &figures, &SHOWN))
            });
            rows?;
        }
        all.insert(case.name.clone(), json!(figures));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.json { print(&all, true) } else { Ok(()) }
}

/// The rig of a case: made here where a command makes it.
fn rig(cases: &ReferenceCases, case: &ReferenceCase, console: &Console) -> Result<Rig> {
    if !case.rig_from.starts_with("supple ") {
        return posing::rig(&cases.rig(case).map_err(told)?, console);
    }
    let words = Arguments::try_parse_from(case.rig_from.split_whitespace()).ok().map(|all| all.command);
    match words {
        Some(Some(Command::Example(made))) if made.vertices.is_some_and(|asked| asked > MOST_VERTICES) => {
            bail!("\"{}\": a list can have characters of {MOST_VERTICES} vertices made at most", case.rig_from)
        }
        Some(Some(Command::Example(made))) => example::make(&made),
        _ => Err(anyhow!("\"{}\" makes no character", case.rig_from)),
    }
}

/// The pose of a case. A list reads no files but those that it names as rigs and shapes.
fn pose(rig: &Rig, case: &ReferenceCase, console: &Console) -> Result<Pose> {
    let words = PoseWords::try_parse_from(&case.pose).map_err(|_| anyhow!("\"{}\" is no pose", case.pose.join(" ")))?;
    let reads = words.pose.pose.is_some() || words.pose.clip.as_ref().is_some_and(|name| rig.clip(name).is_none());
    if reads {
        bail!("its pose \"{}\" is not one of the rig's own", case.pose.join(" "));
    }
    posing::pose(rig, &words.pose, None, console)
}
