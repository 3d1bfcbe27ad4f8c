//! The stages one at a time, with what they leave: for tests that compare every step from the same state, and for profiles.

use super::{
    COUNTS, ImplicitNode, Named,
    words::{
        AROUND_CONTACT, BETAS, COUNT_AROUND_CONTACT, COUNT_WALKERS, FROM, LISTS, PRESSED, VECTOR_LISTS, WALKERS, WALKS,
    },
};
use crate::{
    Gpu, GpuError,
    clock::{Clock, fetch},
    node::{GpuNode, Parts, twins},
};
use glam::{Vec3, Vec4};
use supple::{
    deform::{Clock as FrameClock, Deformer, implicit::Implicit},
    pose::Motion,
    rig::Rig,
};
use wgpu::BufferUsages;

/// See the module.
pub struct ImplicitStages {
    gpu: Gpu,
    node: ImplicitNode,
    moved: wgpu::Buffer,
    staging: wgpu::Buffer,
    clock: Option<Clock>,
}

/// Points between two stages, in the tracker's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageState {
    /// Their positions.
    pub at: Vec<Vec3>,
    /// Their positions before the owner rule.
    pub from: Vec<Vec3>,
    /// Lengths of their walks, for each turn of the rule.
    pub walks: Vec<[f32; 3]>,
    /// Marks: 1 where one was deep in another limb at the start, across its crease or where the two have room, 2 where it is held
    /// in a crease, 4 where something near it moves.
    pub marks: Vec<u32>,
    /// Shares of smoothing.
    pub beta: Vec<f32>,
    /// Points around contact, in any order.
    pub around_contact: Vec<u32>,
}

impl ImplicitStages {
    /// Readies a method for a rig.
    pub fn new(gpu: &Gpu, method: &Implicit, rig: &Rig, change: impl Fn(&str) -> String) -> Result<Self, GpuError> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let rest = gpu.storage("rest points", &rig.mesh.positions)?;
        let moved = gpu.room("moved points", rig.mesh.positions.len() as u64 * 12, usage)?;
        let twin = twins().iter().find(|t| t.method == method.method());
        let source = change(twin.map_or("", |t| &t.source));
        let bound = method.bind(rig).map_err(|e| GpuError::Bind(e.to_string()))?;
        let method = method.method();
        let parts = Parts { gpu, rig, method, bound: &bound, inputs: vec![&rest], given: &moved, source: &source };
        let node = ImplicitNode::new(&parts)?;
        let most = node.buffers.points.size().max(node.buffers.counts.size()).max(moved.size());
        let staging = gpu.room("read-back", most, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let clock = Clock::new(gpu, node.stages.len() + 1)?;
        Ok(Self { gpu: gpu.clone(), node, moved, staging, clock })
    }

    /// Names of the stages, in order; some are several kernels.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.node.stages.iter().map(|s| s.name).collect();
        names.dedup();
        names
    }

    /// Sends a motion and starts from it.
    pub fn start(&mut self, motion: &Motion) {
        self.node.prepare(&self.gpu.queue, motion, FrameClock::first(0.0));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.node.start.encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Runs a stage.
    pub fn run(&self, name: &str) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            self.node.stages.iter().filter(|s| s.name == name).for_each(|s| s.stage.encode(&mut pass));
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Milliseconds of every kernel of a frame, each in a pass of its own; empty without a clock.
    pub fn profile(&mut self, motion: &Motion) -> Result<Vec<(&'static str, f64)>, GpuError> {
        self.node.prepare(&self.gpu.queue, motion, FrameClock::first(0.0));
        let Some(clock) = &self.clock else { return Ok(Vec::new()) };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = |i, encode: &dyn Fn(&mut wgpu::ComputePass<'_>)| {
            let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(clock.writes(i)) };
            encode(&mut encoder.begin_compute_pass(&descriptor));
        };
        pass(0, &|pass| self.node.start.encode(pass));
        for (i, named) in self.node.stages.iter().enumerate() {
            pass(i + 1, &|pass| named.stage.encode(pass));
        }
        clock.resolve(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        let names = std::iter::once("one pass").chain(self.node.stages.iter().map(|s| s.name));
        Ok(names.zip(clock.read(&self.gpu)?).collect())
    }

    /// Milliseconds of a whole frame in one pass; none without a clock.
    pub fn whole(&mut self, motion: &Motion) -> Result<Option<f64>, GpuError> {
        self.node.prepare(&self.gpu.queue, motion, FrameClock::first(0.0));
        let Some(clock) = &self.clock else { return Ok(None) };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(clock.writes(0)) };
        self.node.encode(&mut encoder.begin_compute_pass(&descriptor));
        // Timestamps that were never written cannot be resolved.
        for i in 1..=self.node.stages.len() {
            let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(clock.writes(i)) };
            drop(encoder.begin_compute_pass(&descriptor));
        }
        clock.resolve(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        Ok(clock.read(&self.gpu)?.first().copied())
    }

    /// Lengths of the lists: points to track, walkers of each turn, points around contact, points not at their value at the start.
    pub fn counts(&self) -> Result<[u32; COUNTS], GpuError> {
        let words: Vec<u32> = self.fetch(&self.node.buffers.counts, 0, COUNTS)?;
        Ok(words.try_into().expect("as many as were asked for"))
    }

    fn fetch<T: bytemuck::Pod>(&self, from: &wgpu::Buffer, first: usize, count: usize) -> Result<Vec<T>, GpuError> {
        let mut out = vec![T::zeroed(); first + count];
        let bytes = size_of_val(&out[..]) as u64;
        let take = |view: &[u8]| bytemuck::cast_slice_mut(&mut out).copy_from_slice(view);
        fetch(&self.gpu, from, &self.staging, bytes, take)?;
        Ok(out.split_off(first))
    }

    fn named(&self, name: &str) -> &Named {
        self.node.stages.iter().rfind(|s| s.name == name).expect("a stage of this name")
    }

    /// What a stage that has just run has left.
    pub fn read(&self, name: &str) -> Result<StageState, GpuError> {
        let n = self.node.words.points;
        let points: Vec<Vec4> = self.fetch(&self.node.buffers.points, 0, VECTOR_LISTS * n)?;
        let list = |k: usize| points[k * n..(k + 1) * n].iter();
        let lists: Vec<u32> = self.fetch(&self.node.buffers.lists, 0, LISTS * n)?;
        let diffusion = self.node.words.diffusion as usize;
        let spread = !matches!(name, "start" | "leave" | "fit");
        let of = BETAS + if spread { diffusion % 2 } else { 0 };
        let around_contact = self.counts()?[COUNT_AROUND_CONTACT] as usize;
        Ok(StageState {
            at: list(self.named(name).after as usize).map(|p| p.truncate()).collect(),
            from: list(FROM).map(|p| p.truncate()).collect(),
            walks: list(WALKS).map(|p| [p.x, p.y, p.z]).collect(),
            marks: list(WALKS).map(|p| p.w as u32).collect(),
            beta: lists[of * n..(of + 1) * n].iter().map(|w| f32::from_bits(*w)).collect(),
            around_contact: lists[AROUND_CONTACT * n..AROUND_CONTACT * n + around_contact].to_vec(),
        })
    }

    /// Puts a state in the place of what the stages before have left; those that walked in a turn are on its list.
    pub fn write(&self, state: &StageState) {
        let (queue, buffers) = (&self.gpu.queue, &self.node.buffers);
        let at = || state.at.iter().map(|p| p.extend(0.0));
        let walks = state.walks.iter().zip(&state.marks).map(|([a, b, c], m)| Vec4::new(*a, *b, *c, *m as f32));
        let points: Vec<Vec4> = at().chain(at()).chain(state.from.iter().map(|p| p.extend(0.0))).chain(walks).collect();
        queue.write_buffer(&buffers.points, 0, bytemuck::cast_slice(&points));
        let n = state.at.len();
        // From the list of walkers on, up to the last shares of smoothing.
        let mut lists = vec![0u32; 4 * n];
        let first_of = |list: usize| (list - WALKERS) * n;
        lists[first_of(AROUND_CONTACT)..][..state.around_contact.len()].copy_from_slice(&state.around_contact);
        for k in 0..2 {
            (0..n).for_each(|i| lists[first_of(BETAS + k) + i] = state.beta[i].to_bits());
        }
        let mut counts = [0u32; COUNTS];
        // What is held in a crease is not compared with its ring.
        let walks = |i: usize, turn: usize| state.walks[i][turn] > 0.0 && state.marks[i] & PRESSED == 0;
        for turn in 0..2 {
            let walkers: Vec<u32> = (0..n as u32).filter(|&i| walks(i as usize, turn)).collect();
            counts[COUNT_WALKERS + turn] = walkers.len() as u32;
            if turn == 0 || !walkers.is_empty() {
                lists[..walkers.len()].copy_from_slice(&walkers);
            }
        }
        counts[COUNT_AROUND_CONTACT] = state.around_contact.len() as u32;
        queue.write_buffer(&buffers.lists, (WALKERS * n * 4) as u64, bytemuck::cast_slice(&lists));
        queue.write_buffer(&buffers.counts, 4, bytemuck::cast_slice(&counts[1..]));
    }

    /// The moved vertices, after the last stage.
    pub fn moved(&self) -> Result<Vec<Vec3>, GpuError> {
        let floats: Vec<f32> = self.fetch(&self.moved, 0, self.node.tables.place_of().len() * 3)?;
        Ok(floats.chunks(3).map(Vec3::from_slice).collect())
    }

    /// The vertices as the first stage finds them.
    pub fn posed(&self) -> Result<Vec<Vec3>, GpuError> {
        let floats: Vec<f32> = self.fetch(&self.node.buffers.posed, 0, self.node.tables.place_of().len() * 3)?;
        Ok(floats.chunks(3).map(Vec3::from_slice).collect())
    }
}
