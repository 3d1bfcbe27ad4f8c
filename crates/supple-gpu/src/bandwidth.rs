use crate::{Gpu, GpuError, clock::Clock, node::Stage};
use wgpu::BufferUsages;

/// Bytes a second that a kernel which only copies reads and writes; none where the device has no clock. The best of
/// several sweeps, over enough memory that starting the kernel does not count (on a card; a software driver is slow
/// enough with less).
pub fn bandwidth(gpu: &Gpu) -> Result<Option<f64>, GpuError> {
    let Some(clock) = Clock::new(gpu, 1)? else { return Ok(None) };
    let most = gpu.device.limits().max_storage_buffer_binding_size;
    let half: u64 = if gpu.is_software() { 8 << 20 } else { most.min(512 << 20) & !15 };
    let from = gpu.room("copied from", half, BufferUsages::STORAGE)?;
    let to = gpu.room("copied to", half, BufferUsages::STORAGE)?;
    let module = gpu.module("copy", &crate::kernels::copy());
    let stage = Stage::new(gpu, &module, "main", (half / 16) as usize, &[(0, &from), (1, &to)]);
    let mut best = f64::INFINITY;
    // A card that lay idle needs a quarter of a second until its clocks are up.
    let sweeps = if gpu.is_software() { 20 } else { 400 };
    for _ in 0..sweeps {
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
