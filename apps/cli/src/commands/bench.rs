use crate::{
    args::Bench,
    console::Console,
    posing,
    statistics::{Timings, bandwidth},
};
use anyhow::{Result, bail};
use glam::Vec3;
use serde_json::json;
use std::{collections::HashMap, io::Write, path::Path};
use supple::{
    example::{self, FigureOptions, HandOptions},
    graph::{BoundGraph, DeformGraph, methods},
    pose::Motion,
    rig::Rig,
};

/// Frames of a clip that are cycled through, so that no pose is favoured.
const FRAMES: usize = 24;
/// Every row is visited this many times in turn: on a shared machine the rows of one round see the same weather.
const ROUNDS: usize = 5;

struct Row {
    rig: String,
    vertices: usize,
    method: &'static str,
    bound: BoundGraph,
    rest: Vec<Vec3>,
    motions: Vec<Motion>,
    next: usize,
    timings: Timings,
}

pub fn run(arguments: &Bench, console: &Console) -> Result<()> {
    let mut rows = Vec::new();
    for (name, rig) in rigs(arguments, console)? {
        add_rows(&mut rows, &name, &rig, &arguments.filter)?;
    }
    if rows.is_empty() {
        bail!("nothing to time: no row contains \"{}\"", arguments.filter);
    }
    let bar = console.progress("timing", rows.len() * ROUNDS);
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let Row { bound, rest, motions, next, timings, .. } = row;
            timings.add(arguments.seconds / ROUNDS as f64, || {
                *next = (*next + 1) % motions.len();
                std::hint::black_box(bound.evaluate(rest, &motions[*next]));
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    print(&rows, arguments.json)
}

fn print(rows: &[Row], as_json: bool) -> Result<()> {
    let threads = rayon::current_num_threads();
    let mut measured = HashMap::new();
    let mut out = std::io::stdout().lock();
    if !as_json {
        writeln!(
            out,
            "{threads} threads; medians of {ROUNDS} interleaved rounds; bytes are the least a frame can move"
        )?;
        writeln!(
            out,
            "{:<28}{:<18}{:>10}{:>10}{:>10}{:>10}{:>12}",
            "rig", "method", "ms", "min ms", "MB", "GB/s", "of memory"
        )?;
    }
    for row in rows {
        let bytes = row.bound.bytes_per_frame();
        let memory = *measured.entry(bytes).or_insert_with(|| bandwidth(bytes));
        let (ms, min) = (row.timings.median(), row.timings.min());
        let rate = bytes as f64 / (ms * 1e-3);
        if as_json {
            let job = if row.method == "linear" {
                "lbs"
            } else if row.method == "dual-quaternion" {
                "dqs"
            } else {
                row.method
            };
            writeln!(
                out,
                "{}",
                json!({
                    "peer": "supple", "job": job, "method": row.method, "rig": row.rig, "vertices": row.vertices,
                    "threads": threads.to_string(), "ms": round(ms, 4), "min_ms": round(min, 4), "runs": row.timings.runs(),
                    "bytes": bytes, "gb_per_s": round(rate / 1e9, 3), "memory_gb_per_s": round(memory / 1e9, 3),
                    "memory_share": round(rate / memory, 4),
                })
            )?;
        } else {
            writeln!(
                out,
                "{:<28}{:<18}{ms:>10.3}{min:>10.3}{:>10.2}{:>10.2}{:>11.0}%",
                format!("{} {}", row.rig, row.vertices),
                row.method,
                bytes as f64 / 1e6,
                rate / 1e9,
                rate / memory * 100.0
            )?;
        }
    }
    Ok(())
}

fn round(x: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (x * scale).round() / scale
}

fn rigs(arguments: &Bench, console: &Console) -> Result<Vec<(String, Rig)>> {
    let mut rigs = Vec::new();
    for path in &arguments.rigs {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        rigs.push((name, posing::rig(Path::new(path), console)?));
    }
    if rigs.is_empty() {
        rigs.push(("hand".into(), example::hand(&HandOptions { vertices: 31_750 })?));
        rigs.push(("figure".into(), example::figure(&FigureOptions { vertices: 172_974, ..Default::default() })?));
    }
    Ok(rigs)
}

fn add_rows(rows: &mut Vec<Row>, name: &str, rig: &Rig, filter: &str) -> Result<()> {
    let Some(clip) = rig.clips.first() else { bail!("{name}: has no clip to run through") };
    let last = f64::from(clip.duration());
    let motion = |k: usize| Motion::of(rig, &clip.sample(rig, last * k as f64 / FRAMES as f64));
    let motions: Vec<Motion> = (0..FRAMES).map(motion).collect();
    for method in methods().iter().filter(|m| m.stands_alone) {
        if !format!("{name} {}", method.name).contains(filter) {
            continue;
        }
        rows.push(Row {
            rig: name.to_owned(),
            vertices: rig.mesh.positions.len(),
            method: method.name,
            bound: DeformGraph::single(method.name)?.bind(rig)?,
            rest: rig.mesh.positions.clone(),
            motions: motions.clone(),
            next: 0,
            timings: Timings::default(),
        });
    }
    Ok(())
}
