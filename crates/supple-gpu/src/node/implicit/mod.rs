//! Implicit skinning: a start by a node of one pass, then the stages of `kernels/implicit/track.wgsl`. Nothing comes back
//! between them; how long each list is only the device knows.

pub(crate) mod rows;
mod stages;
mod words;

pub use stages::{ImplicitStages, StageState};

use super::{GpuNode, Parts, Stage, twins};
use crate::{Gpu, GpuError};
use glam::{Vec3, Vec4};
use rows::{Dispatch, Params, Vertex};
use supple::{
    deform::{
        Clock,
        implicit::{BoundImplicit, Implicit, TrackerTables, Tracking},
    },
    pose::Motion,
};
use wgpu::BufferUsages;
pub(crate) use words::NEAR_BYTES;
pub(super) use words::constants;
use words::{COUNTS, Crop, LISTS, VECTOR_LISTS, Words};

/// Workgroups of a kernel that goes through a list of unknown length: enough to fill a card of 132 processors
/// sixteen times.
const MOST_GROUPS: usize = 2112;
/// Places are kept twice, since smoothing reads the neighbours' and writes others.
const FIRST: u32 = 0;

struct Named {
    /// As the processor's steps are called.
    name: &'static str,
    stage: Stage,
    /// Which list of places holds the result.
    after: u32,
}

pub(crate) struct ImplicitNode {
    start: Box<dyn GpuNode>,
    stages: Vec<Named>,
    tables: TrackerTables,
    words: Words,
    crops: Vec<Crop>,
    buffers: Buffers,
    frame: Vec<u8>,
    bytes: usize,
}

struct Buffers {
    params: wgpu::Buffer,
    tables: wgpu::Buffer,
    known: wgpu::Buffer,
    frame: wgpu::Buffer,
    atlas: wgpu::Buffer,
    near: wgpu::Buffer,
    points: wgpu::Buffer,
    counts: wgpu::Buffer,
    lists: wgpu::Buffer,
    posed: wgpu::Buffer,
    vertices: wgpu::Buffer,
}

pub(super) fn implicit(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    Ok(Box::new(ImplicitNode::new(parts)?))
}

impl ImplicitNode {
    fn new(parts: &Parts<'_>) -> Result<Self, GpuError> {
        let (gpu, rig) = (parts.gpu, parts.rig);
        let bound = parts.bound::<BoundImplicit>()?;
        let method = &bound.method;
        if method.steps.relaxation > 0.0 {
            let reason = "with relaxation every round waits for the one before, which the processor does as fast";
            return Err(GpuError::NoKernel { method: parts.method.into(), reason: reason.into() });
        }
        if method.tracking == Tracking::Robust {
            let reason = "robust tracking remembers the last frame, which lies with the processor";
            return Err(GpuError::NoKernel { method: parts.method.into(), reason: reason.into() });
        }
        let tables = TrackerTables::of(bound.clone());
        if (0..tables.first_of().len() as u32).any(|i| tables.ring(i).0.len() > words::LONGEST_RING) {
            let reason = format!("a point of the rig has more than {} neighbours", words::LONGEST_RING);
            return Err(GpuError::NoKernel { method: parts.method.into(), reason });
        }
        let words = Words::of(&tables, rig, &method.steps);
        let (nodes, crops) = words::atlas(tables.body());
        let buffers = Buffers::new(gpu, &tables, &words, &nodes, rig.mesh.positions.len())?;
        let twin = twins().iter().find(|t| t.method == method.start).ok_or_else(|| GpuError::NoKernel {
            method: parts.method.into(),
            reason: format!("it starts from {}, which has none", method.start),
        })?;
        let start = (twin.make)(&Parts {
            gpu,
            rig,
            method: twin.method,
            bound: &bound.start,
            inputs: parts.inputs.clone(),
            given: &buffers.posed,
            source: &twin.source,
        })?;
        let stages = stages_of(parts, method, &words, &buffers)?;
        let vertices = rig.mesh.positions.len();
        Ok(Self {
            // The start, places twice, walks and shares written and read once, rows of known numbers.
            bytes: start.bytes_per_frame() + vertices * (2 * 12 + 8) + words.points * (4 * 16 + 8 + 32 + 2 * 16),
            start,
            stages,
            frame: Vec::with_capacity(words.frame * size_of::<Vec4>()),
            tables,
            words,
            crops,
            buffers,
        })
    }
}

impl Buffers {
    fn new(
        gpu: &Gpu,
        tables: &TrackerTables,
        words: &Words,
        nodes: &[Vec4],
        vertices: usize,
    ) -> Result<Self, GpuError> {
        let n = words.points as u64;
        let kept = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let sent = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let amount = |v: usize| *tables.amount().get(v).unwrap_or(&tables.amount()[0]);
        let places = tables.place_of().iter().enumerate();
        let of_vertices: Vec<Vertex> = places.map(|(v, &point)| Vertex { point, amount: amount(v) }).collect();
        Ok(Self {
            params: gpu.room(
                "parameters of tracking",
                size_of::<Params>() as u64,
                BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            )?,
            tables: gpu.storage("tables of tracking", &words.tables)?,
            known: gpu.storage("points at rest", &words::known(tables))?,
            frame: gpu.room("posed limbs", words.frame as u64 * 16, sent)?,
            atlas: gpu.storage("fields of limbs", nodes)?,
            near: gpu.room("limbs near chunks", (words.chunks * NEAR_BYTES) as u64, kept)?,
            points: gpu.room("tracked points", VECTOR_LISTS as u64 * n * 16, kept)?,
            counts: gpu.room("lengths of lists", COUNTS as u64 * 4, kept)?,
            lists: gpu.room("lists of tracking", LISTS as u64 * n * 4, kept)?,
            posed: gpu.room("start of tracking", vertices as u64 * 12, kept)?,
            vertices: gpu.storage("points of vertices", &of_vertices)?,
        })
    }
}

fn stages_of(parts: &Parts<'_>, method: &Implicit, words: &Words, buffers: &Buffers) -> Result<Vec<Named>, GpuError> {
    let gpu = parts.gpu;
    let module = parts.module();
    // Where no operator asks for more, four threads a point: on an H200 eight take 328 µs for the fist of 31,750 vertices and two
    // 354, where four take 306.
    let lanes = if words.joins { 8 } else { 4 };
    let constants = [("joins", f64::from(u8::from(words.joins))), ("lanes", lanes as f64)];
    // As many threads as the longest list can use: a point that waits for another doubles the time of a short list.
    let fitted = (words.points * lanes).min(MOST_GROUPS * 64);
    let mut stages: Vec<Named> = Vec::new();
    let mut add = |name, entry: &'static str, elements, dispatch: Dispatch, after| {
        let dispatch = gpu.uniform("dispatch of tracking", bytemuck::bytes_of(&dispatch));
        let b = buffers;
        let field = [(2, &b.tables), (3, &b.known), (4, &b.frame), (5, &b.atlas), (6, &b.near)];
        let state = [(7, &b.points), (8, &b.counts), (9, &b.lists)];
        let bound: Vec<(u32, &wgpu::Buffer)> = match entry {
            "look" => {
                let read = [(2, &b.tables), (3, &b.known), (4, &b.frame), (10, &b.near), (11, &b.posed)];
                [&[(0, &b.params)], &read[..], &state].concat()
            }
            "spread" => {
                vec![(0, &b.params), (1, &dispatch), (2, &b.tables), (3, &b.known), (8, &b.counts), (9, &b.lists)]
            }
            "smooth_once" => {
                vec![(0, &b.params), (1, &dispatch), (2, &b.tables), (3, &b.known), (7, &b.points), (9, &b.lists)]
            }
            "scatter" => {
                let known = [(2, &b.tables), (3, &b.known), (4, &b.frame), (7, &b.points), (9, &b.lists)];
                let vertices = [(11, &b.posed), (12, parts.given), (13, &b.vertices)];
                [&[(0, &b.params), (1, &dispatch)], &known[..], &vertices].concat()
            }
            "sift" => [&[(0, &b.params)], &field[..], &state].concat(),
            _ => [&[(0, &b.params), (1, &dispatch)], &field[..], &state].concat(),
        };
        let constants: &[(&str, f64)] = if entry == "fit" { &constants } else { &[] };
        let pipeline = gpu.pipeline(&module, entry, constants);
        stages.push(Named { name, stage: Stage::of(gpu, &pipeline, elements, &bound), after });
        Ok::<_, GpuError>(())
    };
    let steps = &method.steps;
    let mut here = FIRST;
    add("start", "look", words.points, Dispatch::default(), here)?;
    let first = Dispatch { turn: 0, steps: 2 * steps.rounds as u32, here, round: 0 };
    add("leave", "sift", words.points, first, here)?;
    add("leave", "fit", fitted, first, here)?;
    add("fit", "fit", fitted, Dispatch { round: 1, ..first }, here)?;
    // Without any round the last one only makes the list.
    let rounds = steps.diffusion as u32;
    for round in rounds.min(1)..=rounds {
        add("contact", "spread", words.points, Dispatch { round, ..Dispatch::default() }, here)?;
    }
    for _ in 0..steps.smoothing {
        add("smooth", "smooth_once", words.points, Dispatch { here, ..Dispatch::default() }, 1 - here)?;
        here = 1 - here;
    }
    let second = Dispatch { turn: 1, steps: 2 * (steps.rounds / 2) as u32, here, round: 0 };
    add("leave again", "fit", fitted, second, here)?;
    add("fit again", "fit", fitted, Dispatch { round: 1, ..second }, here)?;
    for _ in 0..steps.last_smoothing {
        add("smooth again", "smooth_once", words.points, Dispatch { here, round: 1, ..Dispatch::default() }, 1 - here)?;
        here = 1 - here;
    }
    let last = Dispatch { turn: 2, steps: 0, here, round: 0 };
    add("last leave", "fit", fitted, last, here)?;
    add("end", "scatter", parts.rig.mesh.positions.len(), last, here)?;
    Ok(stages)
}

impl GpuNode for ImplicitNode {
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, clock: Clock) {
        self.start.prepare(queue, motion, clock);
        self.tables.pose(motion);
        rows::frame(&self.tables, &self.crops, &mut self.frame);
        queue.write_buffer(&self.buffers.frame, 0, &self.frame);
        queue.write_buffer(&self.buffers.params, 0, bytemuck::bytes_of(&self.words.params(&self.tables)));
        queue.write_buffer(&self.buffers.counts, 0, bytemuck::cast_slice(&[0u32; COUNTS]));
    }

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.start.encode(pass);
        for named in &self.stages {
            named.stage.encode(pass);
        }
    }

    fn set_rest(&mut self, queue: &wgpu::Queue, rest: &[Vec3]) {
        self.start.set_rest(queue, rest);
        if self.tables.revalue(rest) {
            queue.write_buffer(&self.buffers.known, 0, bytemuck::cast_slice(&words::known(&self.tables)));
        }
    }

    fn bytes_per_frame(&self) -> usize {
        self.bytes
    }
}
