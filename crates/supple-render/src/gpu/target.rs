use super::pipelines::{DEPTH, VISIBLE};
use crate::Error;
use supple_gpu::{Gpu, GpuError, wgpu};

/// What a raster pass draws into.
pub(super) struct Target {
    pub visible: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Target {
    /// Refused where the device has no textures of that size: fewer samples would be another picture.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self, Error> {
        let most = u64::from(gpu.device.limits().max_texture_dimension_2d);
        let longest = u64::from(width.max(height));
        if longest > most {
            let what = format!("{width} by {height} samples");
            // A row of texels, each four words.
            return Err(GpuError::TooLarge { what, bytes: longest * 16, most: most * 16 }.into());
        }
        let texture = |format, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("samples"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        Ok(Self {
            visible: texture(VISIBLE, wgpu::TextureUsages::TEXTURE_BINDING),
            depth: texture(DEPTH, wgpu::TextureUsages::empty()),
        })
    }

    /// A pass that begins with nothing seen.
    pub fn begin<'a>(&'a self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store };
        let depth = wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("raster"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.visible,
                depth_slice: None,
                resolve_target: None,
                ops,
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(depth),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        })
    }
}
