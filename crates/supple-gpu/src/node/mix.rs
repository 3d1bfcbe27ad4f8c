use super::{GpuNode, Parts, Stage};
use crate::GpuError;
use supple::{
    deform::{BoundMix, Clock},
    pose::Motion,
};

struct MixNode {
    stage: Stage,
    vertices: usize,
}

pub(super) fn mix(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let vertices = parts.rig.mesh.positions.len();
    let amount = match parts.inputs.get(2) {
        Some(&given) => given.clone(),
        None => parts.gpu.storage("mix amount", &parts.bound::<BoundMix>()?.amount)?,
    };
    let buffers = [(0, parts.inputs[0]), (1, parts.inputs[1]), (2, &amount), (3, parts.given)];
    let stage = Stage::new(parts.gpu, &parts.module(), "main", vertices * 3, &buffers);
    Ok(Box::new(MixNode { stage, vertices }))
}

impl GpuNode for MixNode {
    fn prepare(&mut self, _: &wgpu::Queue, _: &Motion, _: Clock) {}

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.encode(pass);
    }

    fn bytes_per_frame(&self) -> usize {
        self.vertices * (4 + 3 * 12)
    }
}
