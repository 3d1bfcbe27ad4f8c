use super::{Viewport, layouts::Layouts, params::MaterialParams, stamp::Stamp};
use glam::Vec3;
use supple_gpu::{Gpu, GpuError, wgpu};
use supple_render::{Texture, textures};
use wgpu::util::DeviceExt;

/// A picture that lies in the scene, such as a section through a field.
#[derive(Clone, Debug)]
pub struct Image {
    texture: wgpu::Texture,
    pub(super) group: wgpu::BindGroup,
    pub(super) stamp: Stamp,
    size: [u32; 2],
}

impl Image {
    /// Pixels of sRGB with alpha, rows from the top.
    pub fn new(viewport: &Viewport, size: [u32; 2], pixels: &[[u8; 4]]) -> Result<Self, GpuError> {
        assert_eq!(pixels.len(), size[0] as usize * size[1] as usize, "an image has as many pixels as it says");
        let texture = Texture { width: size[0], height: size[1], pixels: pixels.to_vec() };
        let texture = upload(&viewport.gpu, "image", &[texture])?;
        let group = group(&viewport.gpu, &viewport.layouts, &texture, &viewport.clamped, Vec3::ONE, 0.0);
        Ok(Self { texture, group, stamp: Stamp::new(), size })
    }

    /// Other pixels for the same size: cheaper than another image.
    pub fn set(&self, viewport: &Viewport, pixels: &[[u8; 4]]) {
        assert_eq!(pixels.len(), self.size[0] as usize * self.size[1] as usize, "an image keeps its size");
        write(&viewport.gpu, &self.texture, 0, self.size, pixels);
        self.stamp.renew();
    }
}

/// A texture and how it is used, bound.
pub(super) fn group(
    gpu: &Gpu,
    layouts: &Layouts,
    texture: &wgpu::Texture,
    sampler: &wgpu::Sampler,
    color: Vec3,
    cutoff: f32,
) -> wgpu::BindGroup {
    let material = MaterialParams { color: color.extend(1.0), cutoff, unused: [0.0; 3] };
    let device = &gpu.device;
    let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("material"),
        contents: bytemuck::bytes_of(&material),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let view = texture.create_view(&Default::default());
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout: &layouts.material,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}

/// Sends a texture and its smaller copies, largest first.
pub(super) fn upload(gpu: &Gpu, label: &str, levels: &[Texture]) -> Result<wgpu::Texture, GpuError> {
    let most = gpu.device.limits().max_texture_dimension_2d;
    // What a device cannot hold is shown coarser.
    let fits = |t: &Texture| t.width.max(t.height) <= most && t.width.min(t.height) > 0;
    let first = levels.iter().position(fits).ok_or_else(|| {
        let longest = levels.last().map_or(0, |t| t.width.max(t.height));
        let what = format!("the texture \"{label}\"");
        GpuError::TooLarge { what, bytes: u64::from(longest) * 4, most: u64::from(most) * 4 }
    })?;
    let levels = &levels[first..];
    let size = wgpu::Extent3d { width: levels[0].width, height: levels[0].height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size,
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (i, level) in levels.iter().enumerate() {
        write(gpu, &texture, i as u32, [level.width, level.height], &level.pixels);
    }
    Ok(texture)
}

fn write(gpu: &Gpu, texture: &wgpu::Texture, mip_level: u32, size: [u32; 2], pixels: &[[u8; 4]]) {
    let [width, height] = size;
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
        pixels.as_flattened(),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}

/// The texture and its copies of half the size, down to one pixel: without them fine textures flicker.
pub(super) fn levels(texture: Texture) -> Vec<Texture> {
    let mut levels = vec![texture];
    while let Some(last) = levels.last().filter(|t| t.width.max(t.height) > 1) {
        let pixel = |x: u32, y: u32| last.pixels[y as usize * last.width as usize + x as usize];
        levels.push(textures::reduced([last.width, last.height], 2, pixel));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_copies_keep_the_light() {
        let pixels = (0..64).map(|i| if (i + i / 8) % 2 == 0 { [255, 0, 10, 255] } else { [0, 0, 10, 255] }).collect();
        let levels = levels(Texture { width: 8, height: 8, pixels });
        assert_eq!(levels.iter().map(|l| [l.width, l.height]).collect::<Vec<_>>(), [[8, 8], [4, 4], [2, 2], [1, 1]]);
        // Half of the light, which is more than half of the byte.
        let [r, g, b, a] = levels[3].pixels[0];
        assert!(r.abs_diff(188) <= 1 && g == 0 && b.abs_diff(10) <= 1 && a == 255, "{r} {g} {b} {a}");
    }
}
