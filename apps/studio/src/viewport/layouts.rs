//! What is bound where: 0 the frame, 1 what is drawn, 2 its material, 3 what lies behind it.

use super::params::{FrameParams, LookParams, MaterialParams};
use supple_gpu::wgpu;
use wgpu::{BindingType, BufferBindingType, ShaderStages, TextureSampleType};

pub(super) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    pub mesh: wgpu::BindGroupLayout,
    pub items: wgpu::BindGroupLayout,
    pub material: wgpu::BindGroupLayout,
    pub depth: wgpu::BindGroupLayout,
    pub behind: wgpu::BindGroupLayout,
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        let layout = |label: &str, visibility: ShaderStages, types: &[BindingType]| {
            let entry = |(i, &ty): (usize, &BindingType)| wgpu::BindGroupLayoutEntry {
                binding: i as u32,
                visibility,
                ty,
                count: None,
            };
            let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries };
            device.create_bind_group_layout(&descriptor)
        };
        let uniform = |bytes: usize, has_dynamic_offset: bool| BindingType::Buffer {
            ty: BufferBindingType::Uniform,
            has_dynamic_offset,
            min_binding_size: wgpu::BufferSize::new(bytes as u64),
        };
        let read = BindingType::Buffer {
            ty: BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = |sample_type: TextureSampleType, multisampled: bool| BindingType::Texture {
            sample_type,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled,
        };
        let depth = texture(TextureSampleType::Depth, true);
        let open = texture(TextureSampleType::Float { filterable: false }, false);
        let color = texture(TextureSampleType::Float { filterable: true }, false);
        let sampler = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let frame = [uniform(size_of::<FrameParams>(), false), uniform(size_of::<LookParams>(), true)];
        Self {
            frame: layout("frame", ShaderStages::VERTEX_FRAGMENT, &frame),
            mesh: layout("mesh", ShaderStages::VERTEX, &[read; 7]),
            items: layout("items", ShaderStages::VERTEX, &[read]),
            material: layout(
                "material",
                ShaderStages::FRAGMENT,
                &[uniform(size_of::<MaterialParams>(), false), color, sampler],
            ),
            depth: layout("depth", ShaderStages::FRAGMENT, &[depth]),
            behind: layout("behind", ShaderStages::FRAGMENT, &[depth, open]),
        }
    }
}
