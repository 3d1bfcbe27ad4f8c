//! What is bound where: 0 the view and the skin, 1 what was drawn of it, the places, and what lies there.

use super::buffers::{BARYCENTRICS, DEPTH, IDS};
use std::slice;
use supple_gpu::wgpu;
use wgpu::{BindGroupLayout, BindingType, BufferBindingType, ShaderStages};

/// The view and the skin.
pub fn scene(device: &wgpu::Device) -> BindGroupLayout {
    let visibility = ShaderStages::VERTEX | ShaderStages::COMPUTE;
    let types = [buffer(BufferBindingType::Uniform), storage(true), storage(true)];
    layout(device, visibility, &types)
}

/// What was drawn, the places, and what lies there.
pub fn asked(device: &wgpu::Device) -> BindGroupLayout {
    let texture = |sample_type| BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let ids = texture(wgpu::TextureSampleType::Uint);
    let barycentrics = texture(wgpu::TextureSampleType::Float { filterable: false });
    let types = [ids, barycentrics, storage(true), storage(false), storage(false)];
    layout(device, ShaderStages::COMPUTE, &types)
}

fn storage(read_only: bool) -> BindingType {
    buffer(BufferBindingType::Storage { read_only })
}

fn buffer(ty: BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn layout(device: &wgpu::Device, visibility: ShaderStages, types: &[BindingType]) -> BindGroupLayout {
    let entry =
        |(i, &ty): (usize, &BindingType)| wgpu::BindGroupLayoutEntry { binding: i as u32, visibility, ty, count: None };
    let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("picker"), entries: &entries })
}

/// Of a pipeline that takes these.
pub fn pipeline_layout(device: &wgpu::Device, groups: &[Option<&BindGroupLayout>]) -> wgpu::PipelineLayout {
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("picker"),
        bind_group_layouts: groups,
        immediate_size: 0,
    })
}

/// What draws the skin.
pub fn draws(device: &wgpu::Device, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
    let target = |format| Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("picker"),
        layout: Some(&pipeline_layout(device, slice::from_ref(&Some(&scene(device))))),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("corner"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("seen"),
            compilation_options: Default::default(),
            targets: &[target(IDS), target(BARYCENTRICS)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
