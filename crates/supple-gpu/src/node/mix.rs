use super::{GpuNode, Parts, Stage, module};
use crate::GpuError;
use supple::{
    deform::{Deformer, Mix},
    pose::Motion,
};

struct MixNode {
    stage: Stage,
    vertices: usize,
}

pub(super) fn mix(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let mix = Mix::from_settings(&parts.deformer.settings()).map_err(|e| GpuError::Bind(e.to_string()))?;
    // Binding on the CPU checks the length of the list.
    mix.bind(parts.rig).map_err(|e| GpuError::Bind(e.to_string()))?;
    let vertices = parts.rig.mesh.positions.len();
    let amount = if let [one] = mix.amount[..] { vec![one; vertices] } else { mix.amount };
    let amount = parts.gpu.storage("mix amount", &amount)?;
    let buffers = [(0, parts.inputs[0]), (1, parts.inputs[1]), (2, &amount), (3, parts.points)];
    let stage = Stage::new(parts.gpu, &module(parts), "main", vertices * 3, &buffers);
    Ok(Box::new(MixNode { stage, vertices }))
}

impl GpuNode for MixNode {
    fn prepare(&mut self, _: &wgpu::Queue, _: &Motion) {}

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.encode(pass);
    }

    fn bytes_per_frame(&self) -> usize {
        self.vertices * (4 + 3 * 12)
    }
}
