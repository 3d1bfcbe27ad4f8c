//! `supple measure`: figures of a rig that is moved here, or of two files somebody else moved.

mod contact;
mod reference;
pub mod table;

use super::bake::frame_count;
use crate::{
    args::{Measure, turns::Kind},
    console::Console,
    device, joints,
    posing::{self, Work},
};
use anyhow::{Context, Result, anyhow, bail};
use glam::Vec3;
use serde_json::json;
use std::{io::Write, path::Path};
use supple::{
    deform::Clock,
    graph::BoundGraph,
    measure::{self, Cube, PoseGauge},
    pose::{Motion, Pose},
    rig::{Rig, SphereMesh},
};

pub use supple::measure::{Figures, Gauge, as_map};

pub fn run(arguments: &Measure, console: &Console) -> Result<()> {
    if let (Some(rest), Some(posed)) = (&arguments.rig, &arguments.posed) {
        return print(&files(rest, posed, arguments.grid, console)?, arguments.json);
    }
    if let Some(list) =
        arguments.reference.as_deref().filter(|_| arguments.rig.is_none() && arguments.how.project.is_none())
    {
        if arguments.around.is_some() || !arguments.pose.is_nothing() {
            bail!("--reference {}: a list says itself which joint and which pose is meant", list.display());
        }
        return reference::list(list, arguments, console);
    }
    let Work { rig, graph, project } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to measure", rig.name);
    }
    let around = arguments.around.as_deref().map(|word| joints::with_radius(&rig, "--box", word)).transpose()?;
    if around.is_some() && rig.mesh.is_point_set() {
        bail!("--box: a point set has no volume to overlap");
    }
    let bar = console.progress("measuring", 3);
    let mut bound = graph.bind(&rig)?;
    bar.suspend(|| console.notes(&rig.name, bound.binding()));
    bar.inc(1);
    let mut figures = as_map(&measure::errors(&rig, &mut bound));
    if let Some(word) = &arguments.flicker {
        let (joint, degrees, axis) = posing::turn(word, true).with_context(|| format!("--flicker {word}"))?;
        let found = measure::flicker(&rig, &mut bound, joint, degrees, axis);
        figures.extend(as_map(&found.with_context(|| format!("--flicker {word}"))?));
        if let (None, Some(joint)) = (axis, rig.skeleton.find_forgiving(joint)) {
            posing::tell_doubts(&rig, &[(Kind::Bend, joint, degrees)], console);
        }
    }
    let model = arguments.how.model.as_ref().and(rig.sphere_mesh.clone());
    let gauge = PoseGauge::new(&rig, bound.binding(), arguments.grid)?;
    bar.suspend(|| say_notes(&rig.name, &gauge.mesh, console));
    bar.inc(1);
    let mut bench = Bench { model, gauge, rig: &rig, bound, around, motion: Motion::default(), morphed: Vec::new() };
    if let Some(name) = arguments.pose.clip.as_ref().filter(|_| arguments.all) {
        bar.finish_and_clear();
        return whole_clip(&mut bench, name, figures, arguments, console);
    }
    let pose = posing::pose(&rig, &arguments.pose, project.as_ref(), console)?;
    bar.suspend(|| device::starts_anew(bench.bound.binding(), &rig.name, console));
    figures.extend(bench.figures(&pose, Clock::first(0.0))?);
    if let Some(path) = &arguments.reference {
        figures.extend(bench.beside(path, &pose, console)?);
    }
    if rig.mesh.is_point_set() {
        figures.extend(as_map(&measure::there_and_back(&rig, &graph, &mut bench.bound, &pose)?));
    }
    bar.finish_and_clear();
    bench.warn(console);
    print(&figures, arguments.json)
}

fn say_notes(name: &str, gauge: &Gauge, console: &Console) {
    if let Gauge::Surface(gauge) = gauge {
        console.facing(name, gauge);
    }
    gauge.note().iter().for_each(|note| console.warn(&format!("supple: {name}: warning: {note}")));
}

/// Two files with the same vertices.
fn files(rest: &Path, posed: &Path, grid: usize, console: &Console) -> Result<Figures> {
    let (before, after) = (posing::rig(rest, console)?, posing::rig(posed, console)?);
    let names = || format!("{} and {}", rest.display(), posed.display());
    let (a, b) = (before.mesh.triangles.len(), after.mesh.triangles.len());
    if a != b {
        bail!("{}: {a} triangles at rest and {b} moved ones: they must be the same", names());
    }
    let bar = console.progress("measuring", 2);
    let gauge = Gauge::of(&before, grid).with_context(|| rest.display().to_string())?;
    bar.suspend(|| say_notes(&rest.display().to_string(), &gauge, console));
    bar.inc(1);
    let figures = gauge.figures(&after.mesh.positions).with_context(names);
    bar.finish_and_clear();
    figures
}

/// Frame by frame, then the worst of each figure.
fn whole_clip(
    bench: &mut Bench<'_>,
    name: &str,
    mut figures: Figures,
    arguments: &Measure,
    console: &Console,
) -> Result<()> {
    let clip = posing::clip(bench.rig, name, console)?;
    let count = frame_count(&clip, arguments.fps)?;
    let bar = console.progress("measuring", count);
    let mut rows = Vec::with_capacity(count);
    let mut out = std::io::stdout();
    let say = |out: &mut dyn Write, line: &str| bar.suspend(|| writeln!(out, "{line}"));
    for frame in 0..count {
        let time = frame as f64 / arguments.fps;
        let mut row = bench.figures(&clip.sample(bench.rig, time), Clock::frame(frame, 0, arguments.fps))?;
        row.extend([("frame".to_owned(), json!(frame)), ("time".to_owned(), json!(time))]);
        if !arguments.json {
            if frame == 0 {
                say(&mut out, &table::heading(&row))?;
            }
            say(&mut out, &table::line(&format!("{frame}"), &row))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    bench.warn(console);
    let worst = table::worst(&rows);
    if arguments.json {
        figures.extend([("worst".to_owned(), json!(worst)), ("frames".to_owned(), json!(rows))]);
        return print(&figures, true);
    }
    writeln!(out, "{}", table::line("worst", &worst))?;
    print(&figures, false)
}

/// A rig being moved and measured.
struct Bench<'a> {
    rig: &'a Rig,
    model: Option<SphereMesh>,
    bound: BoundGraph,
    gauge: PoseGauge,
    around: Option<(usize, f64)>,
    motion: Motion,
    morphed: Vec<Vec3>,
}

impl Bench<'_> {
    /// The figures of a pose against a reference shape.
    fn beside(&mut self, path: &Path, pose: &Pose, console: &Console) -> Result<Figures> {
        let (joint, radius) = self.around.context("--reference: --box JOINT=RADIUS says round which joint")?;
        self.motion.update(self.rig, pose);
        let at_rest = Cube { center: self.rig.skeleton.joints()[joint].rest_position(), radius };
        let posed_joint = self.motion.posed_from_joint[joint].translation;
        let gauge = reference::gauge(path, self.rig, at_rest, posed_joint, console)?;
        pose.morphed(self.rig, &mut self.morphed);
        Ok(as_map(&gauge.figures(self.bound.evaluate(&self.morphed, &self.motion))))
    }

    fn figures(&mut self, pose: &Pose, clock: Clock) -> Result<Figures> {
        self.motion.update(self.rig, pose);
        pose.morphed(self.rig, &mut self.morphed);
        let points = self.bound.step(&self.morphed, &self.motion, clock);
        let mut figures = self.gauge.figures(self.rig, &self.morphed, &self.motion, clock, points)?;
        if let Some(model) = &self.model {
            let moved = measure::moved_model(model, self.rig, &self.motion);
            let moved = moved.ok_or_else(|| anyhow!("--model: a sphere has no joint of the rig in its centre"))?;
            figures.extend(as_map(&measure::over_model(model, &moved, &self.rig.mesh.positions, points)?));
        }
        if let (Some((joint, radius)), Gauge::Surface(gauge)) = (self.around, &self.gauge.mesh) {
            let at_rest = Cube { center: self.rig.skeleton.joints()[joint].rest_position(), radius };
            let in_pose = Cube { center: self.motion.posed_from_joint[joint].translation, radius };
            figures.extend(as_map(&gauge.cube(points, at_rest, in_pose)?));
        }
        Ok(figures)
    }

    fn warn(&self, console: &Console) {
        for joint in self.gauge.overbent() {
            console.warn(&format!("supple: {}: warning: {joint}", self.rig.name));
        }
    }
}

fn print(figures: &Figures, as_json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if as_json {
        writeln!(out, "{}", serde_json::to_string_pretty(figures)?)?;
    } else {
        write!(out, "{}", table::list(figures))?;
        if let Some(found) = figures.get(measure::CONTACT) {
            write!(out, "{}", contact::table(found))?;
        }
    }
    Ok(())
}
