//! Buffers with their sizes checked first: a device refuses what it cannot hold, and the CPU takes over.

use crate::{Gpu, GpuError};
use wgpu::{BufferUsages, util::DeviceExt};

impl Gpu {
    /// A storage buffer with these contents; never empty, since bindings may not be.
    pub fn storage<T: bytemuck::NoUninit>(&self, what: &str, data: &[T]) -> Result<wgpu::Buffer, GpuError> {
        self.fits(what, size_of_val(data) as u64)?;
        let bytes: &[u8] = if data.is_empty() { &[0; 16] } else { bytemuck::cast_slice(data) };
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        Ok(self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(what),
            contents: bytes,
            usage,
        }))
    }

    /// A uniform buffer with these contents.
    pub(crate) fn uniform(&self, what: &str, contents: &[u8]) -> wgpu::Buffer {
        let usage = BufferUsages::UNIFORM;
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(what), contents, usage })
    }

    /// An empty buffer of `bytes`.
    pub fn room(&self, what: &str, bytes: u64, usage: BufferUsages) -> Result<wgpu::Buffer, GpuError> {
        self.fits(what, bytes)?;
        let descriptor =
            wgpu::BufferDescriptor { label: Some(what), size: bytes.max(16), usage, mapped_at_creation: false };
        Ok(self.device.create_buffer(&descriptor))
    }

    fn fits(&self, what: &str, bytes: u64) -> Result<(), GpuError> {
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if bytes > most {
            return Err(GpuError::TooLarge { what: what.into(), bytes, most });
        }
        Ok(())
    }
}

/// Threads of a workgroup, in every kernel: the fewest that fill every card.
pub(crate) const WORKGROUP: usize = 64;

/// Workgroups for so many elements, in two dimensions because one holds 65,535 at most.
pub(crate) fn groups(elements: usize) -> [u32; 2] {
    let groups = elements.div_ceil(WORKGROUP) as u32;
    let across = groups.clamp(1, 65_535);
    [across, groups.div_ceil(across).max(1)]
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn groups_cover_every_element_and_respect_the_limit() {
        for elements in [0usize, 1, 64, 65, 172_974, 4_194_240, 4_194_241, 100_000_000] {
            let [x, y] = groups(elements);
            assert!(x <= 65_535 && y <= 65_535);
            assert!(u64::from(x) * u64::from(y) * 64 >= elements as u64);
        }
    }
}
