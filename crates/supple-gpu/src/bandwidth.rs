use crate::{Gpu, GpuError, clock::Clock, node::Stage};
use wgpu::BufferUsages;

/// Bytes a second that a kernel which only copies reads and writes; none where the device has no clock. The best of
/// several sweeps over `bytes` in all: as much as the work it is compared with, since caches count too.
pub fn bandwidth(gpu: &Gpu, bytes: u64) -> Result<Option<f64>, GpuError> {
    let Some(clock) = Clock::new(gpu, 1)? else { return Ok(None) };
    let half = (bytes / 2).next_multiple_of(16).max(1 << 16);
    let from = gpu.room("copied from", half, BufferUsages::STORAGE)?;
    let to = gpu.room("copied to", half, BufferUsages::STORAGE)?;
    let source = wgpu::ShaderSource::Wgsl(include_str!("../kernels/copy.wgsl").into());
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("copy"), source });
    let stage = Stage::new(gpu, &module, "main", (half / 16) as usize, &[(0, &from), (1, &to)]);
    let mut best = f64::INFINITY;
    for _ in 0..40 {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let descriptor = wgpu::ComputePassDescriptor { label: Some("copy"), timestamp_writes: Some(clock.writes(0)) };
        stage.encode(&mut encoder.begin_compute_pass(&descriptor));
        clock.resolve(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let time = clock.read(gpu)?[0];
        if time > 0.0 {
            best = best.min(time);
        }
    }
    Ok(best.is_finite().then(|| (half * 2) as f64 / (best * 1e-3)))
}
