//! Its kernel: it iterates, over as many workgroups as the first stage has found, and remembers on the device.

use super::{BoundToy, Followed, NAME};
use bytemuck::{Pod, Zeroable};
use glam::Vec4;
use std::sync::Arc;
use supple::{
    deform::{Bound, Clock, Memory},
    pose::Motion,
};
use supple_gpu::{
    Gpu, GpuError, GpuNode, Parts, Stage, Twin, fetch,
    wgpu::{Buffer, BufferUsages, ComputePass, Queue},
};

/// Its line among the kernels.
pub fn twin() -> Twin {
    Twin::new(NAME, "toy.wgsl", Vec::new(), include_str!("toy.wgsl"), |parts| Ok(Box::new(ToyNode::new(parts)?)))
}

/// The kernel's `Params`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Params {
    vertices: u32,
    drift: f32,
    rise: f32,
    wind: f32,
    /// Of the frame's clock, in seconds.
    step: f32,
    time: f32,
}

struct ToyNode {
    find: Stage,
    push: Stage,
    remember: Stage,
    times: usize,
    params: Params,
    uniform: Buffer,
    workgroups: Buffer,
    count: Buffer,
    followed: Buffer,
    staging: Buffer,
    remembers: bool,
    vertices: usize,
}

impl ToyNode {
    fn new(parts: &Parts<'_>) -> Result<Self, GpuError> {
        let (gpu, bound) = (parts.gpu, parts.bound::<BoundToy>()?);
        let vertices = bound.pushes.len();
        let BoundToy { drift, rise, wind, .. } = *bound;
        let params = Params { vertices: vertices as u32, drift, rise, wind, step: 0.0, time: 0.0 };
        let uniform =
            gpu.room("toy parameters", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        let pushes: Vec<Vec4> = bound.pushes.iter().map(|push| push.extend(0.0)).collect();
        let pushes = gpu.storage("pushes", &pushes)?;
        let kept = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let followed = gpu.room("frames that followed", size_of::<Followed>() as u64, kept | BufferUsages::COPY_SRC)?;
        let workgroups = gpu.room("workgroups of pushes", 12, kept | BufferUsages::INDIRECT)?;
        let count = gpu.room("count of pushed vertices", 4, kept)?;
        let pushed = gpu.room("pushed vertices", vertices as u64 * 4, kept)?;
        let staging =
            gpu.room("read-back", size_of::<Followed>() as u64, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let module = parts.module();
        let all = [
            (0, &uniform),
            (1, parts.inputs[0]),
            (2, &pushes),
            (3, &followed),
            (4, &workgroups),
            (5, &pushed),
            (6, parts.given),
            (7, &count),
        ];
        let of = |bindings: &[u32]| all.into_iter().filter(|(i, _)| bindings.contains(i)).collect::<Vec<_>>();
        let find = Stage::new(gpu, &module, "find", vertices, &all);
        let push = Stage::indirect(gpu, &module, "push", &workgroups, &of(&[2, 5, 6, 7]));
        let remember = Stage::new(gpu, &module, "remember", 1, &of(&[0, 3]));
        Ok(Self {
            find,
            push,
            remember,
            times: bound.times,
            params,
            uniform,
            workgroups,
            count,
            followed,
            staging,
            remembers: bound.remembers(),
            vertices,
        })
    }
}

impl GpuNode for ToyNode {
    fn prepare(&mut self, queue: &Queue, _: &Motion, clock: Clock) {
        (self.params.step, self.params.time) = (clock.step as f32, clock.time as f32);
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.params));
        queue.write_buffer(&self.workgroups, 0, bytemuck::cast_slice(&[0u32, 1, 1]));
        queue.write_buffer(&self.count, 0, bytemuck::bytes_of(&0u32));
    }

    fn encode(&self, pass: &mut ComputePass<'_>) {
        self.find.encode(pass);
        (0..self.times).for_each(|_| self.push.encode(pass));
        self.remember.encode(pass);
    }

    fn reset(&mut self, queue: &Queue) {
        queue.write_buffer(&self.followed, 0, bytemuck::bytes_of(&Followed::default()));
    }

    fn memory(&self, gpu: &Gpu) -> Result<Option<Memory>, GpuError> {
        if !self.remembers {
            return Ok(None);
        }
        let mut followed = Followed::default();
        let take = |view: &[u8]| followed = bytemuck::pod_read_unaligned(view);
        fetch(gpu, &self.followed, &self.staging, size_of::<Followed>() as u64, take)?;
        Ok(Some(Arc::new(followed)))
    }

    fn recall(&mut self, queue: &Queue, memory: &Memory) {
        if let Some(followed) = memory.downcast_ref::<Followed>() {
            queue.write_buffer(&self.followed, 0, bytemuck::bytes_of(followed));
        }
    }

    fn bytes_per_frame(&self) -> usize {
        self.vertices * (12 + 16 + 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    #[test]
    fn its_parameters_lie_where_its_kernel_reads_them() {
        let twin = twin();
        let params = layout!(Params: vertices, drift, rise, wind, step, time);
        let structs = [("Params", params), ("Followed", layout!(Followed: frames, seconds))];
        layout::assert_same(twin.file, &twin.source, &structs, &[]);
    }
}
