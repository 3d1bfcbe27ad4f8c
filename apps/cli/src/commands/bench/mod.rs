mod flexible;
mod heat;
mod volumes;

use crate::{
    args::{Bench, Device},
    console::Console,
    device, posing,
    statistics::{Timings, bandwidth},
    wording,
};
use anyhow::{Result, bail};
use glam::{DVec3, Vec3};
use heat::HeatRow;
use serde_json::json;
use std::{
    collections::HashMap,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};
use supple::{
    deform::Clock,
    example::{self, FigureOptions, HandOptions, StatueOptions},
    graph::{DeformGraph, methods},
    pose::{Motion, Pose},
    rig::{CREASE_DEGREES, Normals, Rig},
};
use supple_gpu::{Engine, Gpu, GpuNormals, Shading};
use volumes::VolumesRow;

/// Frames of a clip that are cycled through, so that no pose is favoured.
const FRAMES: usize = 24;
/// Seconds between two of them, for methods that ask.
const STEP: f64 = 1.0 / FRAMES as f64;
/// Every row is visited this many times in turn: on a shared machine the rows of one round see the same weather.
const ROUNDS: usize = 5;
/// Figures that are timed only where the filter names them: they take gigabytes, and seconds a frame.
const LARGE: [(&str, usize); 2] = [("figure-1m", 1_000_000), ("figure-10m", 10_000_000)];
/// A point set, timed only where the filter begins with its name.
const STATUE: &str = "statue";
/// How far each of its joints is turned, in degrees.
const TURN: f64 = 25.0;
/// Kernels timed by the device in each round.
const KERNEL_RUNS: usize = 50;
const WAKING: Duration = Duration::from_millis(100);

const SHADING: Shading = Shading::Creased(CREASE_DEGREES);

struct Row {
    rig: String,
    vertices: usize,
    method: &'static str,
    engine: Engine,
    /// The row times the creased normals of the moved points instead of moving them.
    normals: Option<(Normals, Option<GpuNormals>)>,
    rest: Vec<Vec3>,
    motions: Vec<Motion>,
    next: usize,
    /// Milliseconds that binding took, once and on the processor; none for rows that time something else.
    bind: Option<f64>,
    /// A frame as a caller sees it: on the device this includes bringing the points back.
    whole: Timings,
    /// The kernels alone, by the device's own clock.
    kernels: Timings,
}

pub fn run(arguments: &Bench, choice: Device, console: &Console) -> Result<()> {
    if !(0.0..=3600.0).contains(&arguments.seconds) {
        bail!("--seconds {}: 0 to 3600 are possible", arguments.seconds);
    }
    // Times are those of the processor where nobody asks for the device.
    let choice = if choice == Device::Gpu { choice } else { Device::Cpu };
    let opened = device::open(choice, usize::MAX, console);
    let rigs = rigs(arguments, console)?;
    let (mut rows, mut heats, mut volumes) = (Vec::new(), Vec::new(), Vec::new());
    for (name, rig) in &rigs {
        add_rows(&mut rows, name, rig, &arguments.filter, opened.computing(), console)?;
        heats.extend(HeatRow::of(name, rig, &arguments.filter));
        volumes.extend(VolumesRow::of(name, rig, &arguments.filter));
    }
    if arguments.rigs.is_empty() && "figure heat".contains(&arguments.filter) {
        let rig = example::figure(&FigureOptions { vertices: 31_750, ..Default::default() })?;
        heats.extend(HeatRow::of("figure", &rig, &arguments.filter));
    }
    let others = flexible::run(arguments, &rigs, console)?;
    let none = rows.is_empty() && heats.is_empty() && volumes.is_empty();
    if others && none {
        return Ok(());
    }
    if none {
        bail!("nothing to time: no row contains \"{}\"", arguments.filter);
    }
    let bar = console.progress("timing", (rows.len() + heats.len() + volumes.len()) * ROUNDS);
    for _ in 0..ROUNDS {
        for heat in &mut heats {
            heat.time();
            bar.inc(1);
        }
        for volumes in &mut volumes {
            volumes.time();
            bar.inc(1);
        }
        for row in &mut rows {
            row.time(arguments.seconds / ROUNDS as f64);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    for row in &mut rows {
        device::report(&mut row.engine, console);
    }
    if !rows.is_empty() {
        print(&mut rows, arguments.json, opened.computing().ok())?;
    }
    heat::print(&heats, arguments.json)?;
    volumes::print(&volumes, arguments.json)
}

/// Keeps the device busy until its clocks are up: left alone between two rows an H200 falls from 1980 to 345 MHz, and the
/// next kernel takes four times as long.
fn wake(once: &mut impl FnMut() -> Option<f64>) {
    let start = Instant::now();
    while start.elapsed() < WAKING && once().is_some() {}
}

impl Row {
    fn new(name: &str, rig: &Rig, method: &'static str, engine: Engine, motions: &[Motion]) -> Self {
        Self {
            rig: name.to_owned(),
            vertices: rig.mesh.positions.len(),
            method,
            engine,
            normals: None,
            rest: rig.mesh.positions.clone(),
            motions: motions.to_vec(),
            next: 0,
            bind: None,
            whole: Timings::default(),
            kernels: Timings::default(),
        }
    }

    fn time(&mut self, seconds: f64) {
        let Self { engine, rest, motions, next, whole, kernels, .. } = self;
        let mut step = || {
            *next = (*next + 1) % motions.len();
            &motions[*next]
        };
        if let Some((on_processor, on_device)) = &mut self.normals {
            let points = engine.evaluate(rest, step()).to_vec();
            let Some(on_device) = on_device else {
                whole.add(seconds, || {
                    std::hint::black_box(on_processor.creased(&points, CREASE_DEGREES));
                });
                return;
            };
            let mut once = || on_device.run(SHADING).and_then(|()| on_device.time()).ok().flatten();
            wake(&mut once);
            (0..KERNEL_RUNS).map_while(|_| once()).for_each(|time| kernels.push(time));
            return;
        }
        whole.add(seconds, || {
            std::hint::black_box(engine.frame(rest, step(), Clock::after(Clock::first(0.0), STEP)));
        });
        if !engine.on_device() {
            return;
        }
        let mut once = || {
            engine.step(rest, step(), Clock::first(0.0));
            let all = |times: &Vec<_>| engine.on_device() && times.len() == engine.binding().nodes().len();
            let times = engine.node_times().ok().filter(all)?;
            Some(times.iter().map(|t| t.milliseconds).sum())
        };
        wake(&mut once);
        (0..KERNEL_RUNS).map_while(|_| once()).for_each(|time| kernels.push(time));
    }

    /// Bytes a frame must move at the least, on the device it ran on.
    fn bytes(&mut self) -> usize {
        if let Some((normals, on_device)) = &self.normals {
            return match on_device {
                Some(on_device) => on_device.bytes_per_frame(SHADING),
                None => normals.bytes_per_frame(),
            };
        }
        self.engine.bytes_per_frame()
    }
}

fn print(rows: &mut [Row], as_json: bool, gpu: Option<&Gpu>) -> Result<()> {
    let threads = rayon::current_num_threads();
    let mut measured = HashMap::new();
    let mut out = std::io::stdout().lock();
    if !as_json {
        writeln!(out, "medians of {ROUNDS} interleaved rounds; bytes are the least a frame can move")?;
        writeln!(
            out,
            "{:<22}{:<17}{:<9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}",
            "rig", "method", "on", "bind ms", "ms", "min ms", "MB", "GB/s", "floor ms", "of memory"
        )?;
    }
    for row in rows {
        let (bytes, on_device) = (row.bytes(), row.engine.on_device());
        let memory = *measured.entry((bytes, on_device)).or_insert_with(|| match gpu.filter(|_| on_device) {
            Some(gpu) => supple_gpu::bandwidth(gpu).ok().flatten().unwrap_or(f64::NAN),
            None => bandwidth(bytes),
        });
        let place = if on_device { "device" } else { "cpu" };
        if row.whole.runs() > 0 {
            row.print(&mut out, as_json, place, threads, memory, false)?;
        }
        if row.kernels.runs() > 0 {
            row.print(&mut out, as_json, "kernels", threads, memory, true)?;
        }
    }
    if let Some(gpu) = gpu.filter(|_| !as_json) {
        writeln!(out, "device: {}; \"device\" rows bring the points back, \"kernels\" are timed by it", gpu.name())?;
    }
    Ok(())
}

impl Row {
    fn print(
        &mut self,
        out: &mut dyn Write,
        json: bool,
        on: &str,
        threads: usize,
        memory: f64,
        kernels: bool,
    ) -> Result<()> {
        let bytes = self.bytes();
        let timings = if kernels { &self.kernels } else { &self.whole };
        let (ms, min) = (timings.median(), timings.min());
        let (rate, floor) = (bytes as f64 / (ms * 1e-3), bytes as f64 / memory * 1e3);
        if json {
            let job = match self.method {
                "linear" => "lbs",
                "dual-quaternion" => "dqs",
                other => other,
            };
            let line = json!({
                "peer": "supple", "job": job, "method": self.method, "rig": self.rig, "vertices": self.vertices, "on": on,
                "threads": threads.to_string(), "bind_ms": self.bind.map(|ms| round(ms, 3)), "ms": round(ms, 4), "min_ms": round(min, 4), "runs": timings.runs(),
                "bytes": bytes, "gb_per_s": round(rate / 1e9, 3), "memory_gb_per_s": round(memory / 1e9, 3),
                "floor_ms": round(floor, 4), "memory_share": round(rate / memory, 4),
            });
            writeln!(out, "{line}")?;
        } else {
            let bind = self.bind.map_or("-".into(), |ms| format!("{ms:.1}"));
            writeln!(
                out,
                "{:<22}{:<17}{on:<9}{bind:>9}{ms:>9.3}{min:>9.3}{:>9.2}{:>9.2}{floor:>9.3}{:>10.0}%",
                format!("{} {}", wording::name(&self.rig), self.vertices),
                self.method,
                bytes as f64 / 1e6,
                rate / 1e9,
                rate / memory * 100.0
            )?;
        }
        Ok(())
    }
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
    if rigs.is_empty() && arguments.filter.starts_with(STATUE) {
        console.say("supple: making a statue of 520000 points");
        rigs.push((STATUE.into(), example::statue(&StatueOptions::default())?));
    } else if rigs.is_empty()
        && let Some((name, vertices)) = LARGE.iter().find(|(name, _)| arguments.filter.contains(name))
    {
        console.say(&format!("supple: making a figure of {vertices} vertices"));
        let options = FigureOptions { vertices: *vertices, ..FigureOptions::default() };
        rigs.push(((*name).to_owned(), example::figure(&options)?));
    } else if rigs.is_empty() {
        rigs.push(("hand".into(), example::hand(&HandOptions { vertices: 31_750, ..Default::default() })?));
        rigs.push(("figure".into(), example::figure(&FigureOptions { vertices: 172_974, ..Default::default() })?));
    }
    Ok(rigs)
}

/// The first clip; of the statue, which has none, every joint turned as far as it goes.
fn motions(name: &str, rig: &Rig) -> Result<Vec<Motion>> {
    let share = |k: usize| k as f64 / FRAMES as f64;
    if let Some(clip) = rig.clips.first() {
        let last = f64::from(clip.duration());
        return Ok((0..FRAMES).map(|k| Motion::of(rig, &clip.sample(rig, last * share(k)))).collect());
    }
    if rig.sphere_mesh.is_none() {
        bail!("{name}: has no clip to run through");
    }
    let motion = |k: usize| {
        let mut pose = Pose::rest(rig);
        for joint in rig.skeleton.joints().iter().skip(1) {
            pose.bend(rig, &joint.name, TURN * share(k), Some(DVec3::X))?;
        }
        Ok(Motion::of(rig, &pose))
    };
    (0..FRAMES).map(motion).collect()
}

fn add_rows(
    rows: &mut Vec<Row>,
    name: &str,
    rig: &Rig,
    filter: &str,
    gpu: Result<&Gpu, &str>,
    console: &Console,
) -> Result<()> {
    let motions = motions(name, rig)?;
    for method in methods().iter().filter(|m| m.stands_alone) {
        if !format!("{name} {}", method.name).contains(filter) {
            continue;
        }
        let graph = DeformGraph::single(method.name)?;
        // A point set or a bare mesh suits some methods only.
        let start = std::time::Instant::now();
        let binding = match graph.binding(rig) {
            Ok(binding) => binding,
            Err(refused) => {
                console.say(&format!("supple: {name}: {refused}"));
                continue;
            }
        };
        let bind = start.elapsed().as_secs_f64() * 1e3;
        let mut engine = pollster::block_on(Engine::of(binding, rig, gpu));
        device::report(&mut engine, console);
        console.notes(name, engine.binding());
        let mut row = Row::new(name, rig, method.name, engine, &motions);
        row.bind = Some(bind);
        rows.push(row);
    }
    if format!("{name} normals").contains(filter) && !rig.mesh.triangles.is_empty() {
        let engine = pollster::block_on(Engine::bind(&DeformGraph::single("linear")?, rig, gpu))?;
        let normals = Normals::of(&rig.mesh);
        let on_device = match (gpu, engine.points_on_device()) {
            (Ok(gpu), Some(points)) => GpuNormals::new(gpu, &normals, points).ok(),
            _ => None,
        };
        let mut row = Row::new(name, rig, "normals", engine, &motions);
        row.normals = Some((normals, on_device));
        rows.push(row);
    }
    Ok(())
}
