use crate::{Fetch, Gpu, GpuError};
use std::sync::mpsc;
use wgpu::BufferUsages;

/// Timestamps round a number of passes.
pub struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
    passes: u32,
}

impl Clock {
    /// None where the device has no clock.
    pub fn new(gpu: &Gpu, passes: usize) -> Result<Option<Self>, GpuError> {
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        let passes = passes as u32;
        let ty = wgpu::QueryType::Timestamp;
        let descriptor = wgpu::QuerySetDescriptor { label: None, ty, count: passes * 2 };
        let bytes = u64::from(passes) * 16;
        Ok(Some(Self {
            queries: gpu.device.create_query_set(&descriptor),
            resolved: gpu.room("timestamps", bytes, BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC)?,
            readable: gpu.room("timestamps read-back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
            passes,
        }))
    }

    /// Asks for timestamps before and after a pass.
    pub fn writes(&self, pass: usize) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass as u32),
            end_of_pass_write_index: Some(2 * pass as u32 + 1),
        }
    }

    /// The same for a pass that draws.
    pub fn draws(&self, pass: usize) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass as u32),
            end_of_pass_write_index: Some(2 * pass as u32 + 1),
        }
    }

    /// Closes the passes of a frame.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2 * self.passes, &self.resolved, 0);
    }

    /// Milliseconds of each pass of the last frame; waits for them.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<f64>, GpuError> {
        let bytes = u64::from(self.passes) * 16;
        let period = f64::from(gpu.queue.get_timestamp_period());
        let mut times = Vec::new();
        fetch(gpu, &self.resolved, &self.readable, bytes, |view| times = milliseconds(view, period))?;
        Ok(times)
    }

    /// The same without waiting.
    pub fn request(&self, gpu: &Gpu) -> Result<Fetch<Vec<f64>>, GpuError> {
        let period = f64::from(gpu.queue.get_timestamp_period());
        Fetch::new(gpu, &self.resolved, u64::from(self.passes) * 16, move |view| milliseconds(view, period))
    }
}

fn milliseconds(view: &[u8], period: f64) -> Vec<f64> {
    let tick = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let pass = |both: &[u8]| tick(&both[8..]).saturating_sub(tick(&both[..8])) as f64 * period * 1e-6;
    view.chunks_exact(16).map(pass).collect()
}

/// Copies a buffer to one that can be mapped, waits, and shows its bytes.
pub fn fetch(
    gpu: &Gpu,
    from: &wgpu::Buffer,
    staging: &wgpu::Buffer,
    bytes: u64,
    mut take: impl FnMut(&[u8]),
) -> Result<(), GpuError> {
    gpu.trouble()?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(from, 0, staging, 0, bytes);
    gpu.queue.submit([encoder.finish()]);
    let (send, receive) = mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
        let _ = send.send(result.map_err(|e| e.to_string()));
    });
    gpu.wait()?;
    // It has come by now, except in a browser, where nothing comes while one waits: then this is said, and nothing hangs.
    receive.try_recv().map_err(|e| GpuError::Lost(e.to_string()))?.map_err(GpuError::Lost)?;
    let view = staging.get_mapped_range(0..bytes).map_err(|e| GpuError::Lost(e.to_string()))?;
    take(&view);
    drop(view);
    staging.unmap();
    Ok(())
}
