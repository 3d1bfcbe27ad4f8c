//! The kernels, each ready to take its place in a graph.
//!
//! A node has any number of stages, in order: one of them several times where it iterates, over as many workgroups as another has
//! found where only the device knows. What it remembers lies in buffers of its own, which `reset` clears and `memory` copies.

pub(crate) mod delta_mush;
pub(crate) mod implicit;
mod mix;
pub(crate) mod skinning;

use crate::{
    Gpu, GpuError,
    kernels::{kernel, text},
};
use glam::Vec3;
use std::{
    any::Any,
    sync::{Arc, OnceLock},
};
use supple::{
    constant::Constant,
    deform::{
        Bound, Clock, Memory,
        skinning::{DeltaMush, StretchTwist},
    },
    graph::RegisterError,
    pose::Motion,
    rig::Rig,
};

/// A method's kernel and how it is made ready.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Name of the method.
    pub method: &'static str,
    /// Its file under `kernels`.
    pub file: &'static str,
    /// Its whole text, with what kernels share before its own.
    pub source: String,
    /// The constants that the text declares for it.
    pub constants: Vec<Constant>,
    pub(crate) make: MakeNode,
}

/// Makes a method ready, or says why the device cannot run it.
pub type MakeNode = fn(&Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError>;

impl Twin {
    /// The kernel of a method: the constants it declares, and the text of its own files. What every kernel starts with goes before them.
    pub fn new(
        method: &'static str,
        file: &'static str,
        constants: Vec<Constant>,
        files: &str,
        make: MakeNode,
    ) -> Self {
        Self { method, file, source: text(constants.clone(), files), constants, make }
    }
}

/// What a node is made from.
pub struct Parts<'a> {
    /// The device.
    pub gpu: &'a Gpu,
    /// The rig that the method is bound to.
    pub rig: &'a Rig,
    /// The name of the method.
    pub method: &'static str,
    /// The method bound to the rig, as the processor runs it.
    pub bound: &'a Arc<dyn Bound>,
    /// What other nodes give, in the order of the method's ports; optional ones may be missing.
    pub inputs: Vec<&'a wgpu::Buffer>,
    /// Where the node puts what it gives.
    pub given: &'a wgpu::Buffer,
    /// The whole text of its kernel.
    pub source: &'a str,
}

impl Parts<'_> {
    /// The method as its twin on the processor has bound it.
    pub fn bound<B: Bound>(&self) -> Result<Arc<B>, GpuError> {
        let any: Arc<dyn Any + Send + Sync> = self.bound.clone();
        any.downcast().map_err(|_| GpuError::Bind(format!("{} is bound as another method", self.method)))
    }

    /// The kernel, compiled.
    pub fn module(&self) -> wgpu::ShaderModule {
        self.gpu.module(self.method, self.source)
    }
}

/// A method ready to run on the device.
pub trait GpuNode: Send {
    /// Sends what this frame needs.
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, clock: Clock);

    /// Adds its work to a pass.
    fn encode(&self, pass: &mut wgpu::ComputePass<'_>);

    /// Takes note of rest points with other morphs, which its input holds already.
    fn set_rest(&mut self, _: &wgpu::Queue, _: &[Vec3]) {}

    /// Forgets earlier frames, where it remembers any.
    fn reset(&mut self, _: &wgpu::Queue) {}

    /// A copy of what it remembers, as its twin on the processor would have it. Waits for the device.
    fn memory(&self, _: &Gpu) -> Result<Option<Memory>, GpuError> {
        Ok(None)
    }

    /// Goes on from what it or its twin has remembered.
    fn recall(&mut self, _: &wgpu::Queue, _: &Memory) {}

    /// Bytes read and written per frame, at the least.
    fn bytes_per_frame(&self) -> usize;
}

/// The kernels of this crate. A new one adds its line here.
fn own() -> Vec<Twin> {
    vec![
        Twin::new(
            "linear",
            "skinning/linear.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/linear.wgsl"),
            skinning::linear,
        ),
        Twin::new(
            "dual-quaternion",
            "skinning/dual_quaternion.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/dual_quaternion.wgsl"),
            skinning::dual_quaternion,
        ),
        Twin::new(
            "stretch-twist",
            "skinning/stretch_twist.wgsl",
            StretchTwist::constants(),
            kernel!("skinning/influences.wgsl", "skinning/stretch_twist.wgsl"),
            skinning::stretch_twist,
        ),
        Twin::new(
            "rotation-center",
            "skinning/rotation_center.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/rotation_center.wgsl"),
            skinning::rotation_center,
        ),
        Twin::new(
            "delta-mush",
            "skinning/delta_mush.wgsl",
            DeltaMush::constants(),
            kernel!("skinning/delta_mush.wgsl"),
            delta_mush::delta_mush,
        ),
        Twin::new(
            "implicit",
            "implicit/track.wgsl",
            implicit::constants(),
            kernel!(
                "implicit/operator.wgsl",
                "implicit/tables.wgsl",
                "implicit/field.wgsl",
                "implicit/crease.wgsl",
                "implicit/march.wgsl",
                "implicit/track.wgsl"
            ),
            implicit::implicit,
        ),
        Twin::new("mix", "mix.wgsl", Vec::new(), kernel!("mix.wgsl"), mix::mix),
    ]
}

/// Those of this crate and those that were added to them.
static ALL: OnceLock<Vec<Twin>> = OnceLock::new();

/// Every kernel.
pub fn twins() -> &'static [Twin] {
    ALL.get_or_init(own)
}

/// Adds kernels of other crates to those of this one, as [`supple::graph::register`] adds their methods.
pub fn register(more: Vec<Twin>) -> Result<(), RegisterError> {
    let mut all = own();
    for twin in more {
        if all.iter().any(|t| t.method == twin.method) {
            return Err(RegisterError::Taken(twin.method));
        }
        all.push(twin);
    }
    ALL.set(all).map_err(|_| RegisterError::TooLate)
}

/// A pipeline and everything bound to it.
pub struct Stage {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    groups: Groups,
}

/// How many workgroups a stage has.
enum Groups {
    Known([u32; 2]),
    /// Three words in this buffer, which an earlier stage may have written.
    Told(wgpu::Buffer),
}

impl Stage {
    /// The entry point `entry` of a kernel over so many elements, with buffers at bindings 0, 1, …
    pub fn new(
        gpu: &Gpu,
        module: &wgpu::ShaderModule,
        entry: &str,
        elements: usize,
        buffers: &[(u32, &wgpu::Buffer)],
    ) -> Self {
        Self::of(gpu, &gpu.pipeline(module, entry, &[]), elements, buffers)
    }

    /// The same over as many workgroups as the three words of `told` say when it runs: its buffer is [`wgpu::BufferUsages::INDIRECT`].
    pub fn indirect(
        gpu: &Gpu,
        module: &wgpu::ShaderModule,
        entry: &str,
        told: &wgpu::Buffer,
        buffers: &[(u32, &wgpu::Buffer)],
    ) -> Self {
        Self { groups: Groups::Told(told.clone()), ..Self::new(gpu, module, entry, 0, buffers) }
    }

    /// A pipeline that others may use too.
    pub fn of(gpu: &Gpu, pipeline: &wgpu::ComputePipeline, elements: usize, buffers: &[(u32, &wgpu::Buffer)]) -> Self {
        let mut entries = Vec::with_capacity(buffers.len());
        for &(binding, buffer) in buffers {
            entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        }
        let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        Self { pipeline: pipeline.clone(), bindings, groups: Groups::Known(crate::buffer::groups(elements)) }
    }

    /// Adds it to a pass. Stages of a pass see what those before them have written; one may be added several times.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        match &self.groups {
            Groups::Known([x, y]) => pass.dispatch_workgroups(*x, *y, 1),
            Groups::Told(words) => pass.dispatch_workgroups_indirect(words, 0),
        }
    }
}
