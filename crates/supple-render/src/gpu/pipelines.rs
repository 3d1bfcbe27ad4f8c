//! The shaders, compiled.

use super::packed;
use crate::{cpu::occlusion, geometry, light};
use supple::constant::Constant;
use supple_gpu::{Gpu, declared, wgpu};

/// What a raster pass writes: id, barycentric coordinates and depth as bits, in one texture.
pub(super) const VISIBLE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

const VIEW: &str = include_str!("../../shaders/view.wgsl");
const GEOMETRY: &str = include_str!("../../shaders/geometry.wgsl");

/// Every module with its name: constants that the processor uses too, then files put together, since WGSL has no way to name another
/// file.
pub fn sources() -> [(&'static str, String); 4] {
    let join = |constants: &[Constant], files: &[&str]| [&[&declared(constants)[..]], files].concat().join("\n");
    let (normals, disc) = (packed::normal_constants(), geometry::constants());
    let shade = [normals.clone(), packed::paint_constants(), light::constants()].concat();
    let lit = include_str!("../../shaders/light.wgsl");
    let paint = include_str!("../../shaders/paint.wgsl");
    [
        (
            "raster",
            join(&[normals.clone(), disc].concat(), &[VIEW, GEOMETRY, include_str!("../../shaders/raster.wgsl")]),
        ),
        ("resolve", join(&normals, &[VIEW, GEOMETRY, include_str!("../../shaders/resolve.wgsl")])),
        ("occlusion", join(&occlusion::constants(), &[VIEW, include_str!("../../shaders/occlusion.wgsl")])),
        ("shade", join(&shade, &[VIEW, GEOMETRY, paint, lit, include_str!("../../shaders/shade.wgsl")])),
    ]
}

pub(super) struct Pipelines {
    pub raster: wgpu::RenderPipeline,
    pub resolve: wgpu::ComputePipeline,
    pub occlude: wgpu::ComputePipeline,
    pub average: wgpu::ComputePipeline,
    pub shade: wgpu::ComputePipeline,
}

impl Pipelines {
    pub fn new(gpu: &Gpu, sources: [(&'static str, String); 4]) -> Self {
        let [raster, resolve, occlusion, shade] = sources.map(|(name, source)| {
            let source = wgpu::ShaderSource::Wgsl(source.into());
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
        });
        Self {
            raster: render(gpu, &raster),
            resolve: compute(gpu, &resolve, "resolve"),
            occlude: compute(gpu, &occlusion, "occlude"),
            average: compute(gpu, &occlusion, "average"),
            shade: compute(gpu, &shade, "shade"),
        }
    }
}

fn render(gpu: &Gpu, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
    let target = wgpu::ColorTargetState { format: VISIBLE, blend: None, write_mask: wgpu::ColorWrites::ALL };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("raster"),
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("corner"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        // Lists of triangles, no culling.
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            // Triangles are drawn in ascending order: at equal depth the smaller id stays.
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("seen"),
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn compute(gpu: &Gpu, module: &wgpu::ShaderModule, entry: &str) -> wgpu::ComputePipeline {
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: None,
        module,
        entry_point: Some(entry),
        compilation_options: Default::default(),
        cache: None,
    })
}
