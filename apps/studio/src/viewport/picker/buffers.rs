//! Ids, barycentric coordinates and depth.

use supple_gpu::{Gpu, GpuError, wgpu};
use wgpu::TextureFormat;

pub const IDS: TextureFormat = TextureFormat::R32Uint;
pub const BARYCENTRICS: TextureFormat = TextureFormat::Rg32Float;
pub const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Texels along a side of the buffers at first.
pub const LEAST: u32 = 64;

/// What the skin is drawn into.
pub struct Buffers {
    size: [u32; 2],
    pub ids: wgpu::TextureView,
    pub barycentrics: wgpu::TextureView,
    pub depth: wgpu::TextureView,
}

impl Buffers {
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let view = |label: &str, format: TextureFormat| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let (ids, barycentrics) = (view("ids", IDS), view("barycentric", BARYCENTRICS));
        Self { size, ids, barycentrics, depth: view("depth of the ids", DEPTH) }
    }

    /// Makes them larger where they are too small.
    pub fn fit(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), GpuError> {
        let most = gpu.device.limits().max_texture_dimension_2d;
        if let Some(long) = size.into_iter().find(|&s| s > most) {
            let what = format!("picking in {} by {} pixels", size[0], size[1]);
            return Err(GpuError::TooLarge { what, bytes: u64::from(long) * 4, most: u64::from(most) * 4 });
        }
        if (0..2).any(|i| size[i] > self.size[i]) {
            let larger = [0, 1].map(|i| size[i].max(self.size[i]).next_power_of_two().min(most));
            *self = Self::new(gpu, larger);
        }
        Ok(())
    }
}
