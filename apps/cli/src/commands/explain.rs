//! `supple explain`: where each node of a graph runs.

use crate::{
    args::{Device, Explain},
    console::Console,
    device,
    posing::{self, Work},
    statistics::Timings,
};
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use supple::{deform::Clock, pose::Motion};
use supple_gpu::{Explained, Place};

/// Seconds of repeated frames behind the times.
const TIMED: f64 = 0.2;

pub fn run(arguments: &Explain, choice: Device, console: &Console) -> Result<()> {
    let Work { rig, graph, project } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to move", rig.name);
    }
    let pose = posing::pose(&rig, &arguments.pose, project.as_ref(), console)?;
    let opened = device::open(choice, usize::MAX, console);
    let mut engine = device::bind(&graph, &rig, &opened, console)?;
    let (motion, mut morphed) = (Motion::of(&rig, &pose), Vec::new());
    pose.morphed(&rig, &mut morphed);
    let mut clock = Clock::first(0.0);
    let mut of_nodes: Vec<Timings> = engine.binding().nodes().iter().map(|_| Timings::default()).collect();
    Timings::default().add(TIMED, || {
        engine.step(&morphed, &motion, clock);
        clock = Clock::after(clock, 0.0);
        for (timings, node) in of_nodes.iter_mut().zip(engine.explain()) {
            node.milliseconds.into_iter().for_each(|time| timings.push(time));
        }
    });
    let mut nodes = engine.explain();
    for (node, timings) in nodes.iter_mut().zip(&of_nodes) {
        node.milliseconds = node.milliseconds.map(|_| timings.median());
    }
    device::report(&mut engine, console);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let rows: Vec<_> = nodes.iter().map(row).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let widest = |of: fn(&Explained) -> usize| nodes.iter().map(of).max().unwrap_or(0);
    let (name, method) = (widest(|n| n.node.chars().count()), widest(|n| n.method.len()));
    for node in &nodes {
        let time = node.milliseconds.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.3}"));
        writeln!(out, "{:name$}  {:method$}  {time:>9} ms  {}", node.node, node.method, words(node))?;
    }
    Ok(())
}

/// Where a node runs and why, what becomes of its result, and whether it remembers.
fn words(node: &Explained) -> String {
    let mut words = match &node.place {
        Place::Device => "on the device".to_owned(),
        Place::Processor(why) => format!("on the processor: {why}"),
    };
    if node.crosses {
        words += match node.place {
            Place::Device => "; its result comes back to the processor",
            Place::Processor(_) => "; its result goes to the device",
        };
    }
    if node.remembers {
        words += "; it remembers earlier frames";
    }
    words
}

fn row(node: &Explained) -> serde_json::Value {
    let why = if let Place::Processor(why) = &node.place { Some(why) } else { None };
    json!({
        "node": node.node,
        "method": node.method,
        "on_device": node.place.is_device(),
        "why": why,
        "crosses": node.crosses,
        "remembers": node.remembers,
        "milliseconds": node.milliseconds,
    })
}
