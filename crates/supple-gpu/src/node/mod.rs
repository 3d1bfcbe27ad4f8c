//! The kernels, each ready to take its place in a graph.

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
    sync::{Arc, LazyLock},
};
use supple::{
    constant::Constant,
    deform::{
        Bound, Clock, Memory,
        skinning::{DeltaMush, StretchTwist},
    },
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
    pub(crate) make: Make,
}

type Make = fn(&Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError>;

/// What a node is made from.
pub(crate) struct Parts<'a> {
    pub gpu: &'a Gpu,
    pub rig: &'a Rig,
    pub method: &'static str,
    /// The method bound to the rig, as the processor runs it.
    pub bound: &'a Arc<dyn Bound>,
    /// What other nodes give, in the order of the method's ports; optional ones may be missing.
    pub inputs: Vec<&'a wgpu::Buffer>,
    /// Where the node puts what it gives.
    pub given: &'a wgpu::Buffer,
    pub source: &'a str,
}

impl Parts<'_> {
    /// The method as its twin on the processor has bound it.
    pub fn bound<B: Bound>(&self) -> Result<Arc<B>, GpuError> {
        let any: Arc<dyn Any + Send + Sync> = self.bound.clone();
        any.downcast().map_err(|_| GpuError::Bind(format!("{} is bound as another method", self.method)))
    }
}

/// A method ready to run on the device.
pub(crate) trait GpuNode: Send {
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

static TWINS: LazyLock<[Twin; 7]> = LazyLock::new(|| {
    let twin = |method, file, constants: Vec<Constant>, files, make: Make| {
        let source = text(constants.clone(), files);
        Twin { method, file, source, constants, make }
    };
    [
        twin(
            "linear",
            "skinning/linear.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/linear.wgsl"),
            skinning::linear,
        ),
        twin(
            "dual-quaternion",
            "skinning/dual_quaternion.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/dual_quaternion.wgsl"),
            skinning::dual_quaternion,
        ),
        twin(
            "stretch-twist",
            "skinning/stretch_twist.wgsl",
            StretchTwist::constants(),
            kernel!("skinning/influences.wgsl", "skinning/stretch_twist.wgsl"),
            skinning::stretch_twist,
        ),
        twin(
            "rotation-center",
            "skinning/rotation_center.wgsl",
            Vec::new(),
            kernel!("skinning/influences.wgsl", "skinning/rotation_center.wgsl"),
            skinning::rotation_center,
        ),
        twin(
            "delta-mush",
            "skinning/delta_mush.wgsl",
            DeltaMush::constants(),
            kernel!("skinning/delta_mush.wgsl"),
            delta_mush::delta_mush,
        ),
        twin(
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
        twin("mix", "mix.wgsl", Vec::new(), kernel!("mix.wgsl"), mix::mix),
    ]
});

/// Every kernel.
pub fn twins() -> &'static [Twin] {
    &*TWINS
}

/// A pipeline and everything bound to it.
pub(crate) struct Stage {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    groups: [u32; 2],
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
        Self::of(gpu, &pipeline(gpu, module, entry, &[]), elements, buffers)
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
        Self { pipeline: pipeline.clone(), bindings, groups: crate::buffer::groups(elements) }
    }

    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}

/// An entry point of a kernel, with the constants that it leaves open.
pub(crate) fn pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    entry: &str,
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: None,
        module,
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    })
}

/// Compiles a kernel.
pub(crate) fn module(parts: &Parts<'_>) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(parts.source.into());
    let label = Some(parts.method);
    parts.gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source })
}
