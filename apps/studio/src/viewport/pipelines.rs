use super::{
    layouts::Layouts,
    params::{frame_constants, overlay_constants, skin_constants},
};
use supple::constant::Constant;
use supple_gpu::{Gpu, declared, wgpu};
use wgpu::{BindGroupLayout, BlendState, ColorWrites, CompareFunction};

/// What is drawn into; the hardware turns linear colours into sRGB, once, after blending them.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// The same bytes as they stand, which is what egui wants to read.
pub(super) const BYTES: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const OPEN: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Every device can do four.
pub(super) const SAMPLES: u32 = 4;

/// The whole text of every shader, with what they share put before it.
pub fn sources() -> [(&'static str, String); 4] {
    let text = |own: Vec<Constant>, file: &str| {
        [&declared(&[frame_constants(), own].concat()), include_str!("shaders/frame.wgsl"), file].join("\n")
    };
    [
        ("background", text(Vec::new(), include_str!("shaders/background.wgsl"))),
        ("skin", text(skin_constants(), include_str!("shaders/skin.wgsl"))),
        ("overlay", text(overlay_constants(), include_str!("shaders/overlay.wgsl"))),
        ("occlusion", text(Vec::new(), include_str!("shaders/occlusion.wgsl"))),
    ]
}

/// A way to draw triangles or discs: at once, or first the depth of the nearest layer and then its colour.
pub(super) struct Layered {
    pub opaque: wgpu::RenderPipeline,
    pub depth: wgpu::RenderPipeline,
    pub blended: wgpu::RenderPipeline,
}

/// A kind of overlay, in the scene and over it.
pub(super) struct Kind {
    pub within: wgpu::RenderPipeline,
    pub over: wgpu::RenderPipeline,
}

pub(super) struct Pipelines {
    pub sky: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub skin: Layered,
    pub draft: Layered,
    pub discs: Layered,
    pub faces: Kind,
    pub strokes: Kind,
    pub spots: Kind,
    pub sheets: Kind,
    pub bone_depth: wgpu::RenderPipeline,
    pub bones: wgpu::RenderPipeline,
    pub occlude: wgpu::RenderPipeline,
    pub darken: wgpu::RenderPipeline,
}

struct Recipe<'a> {
    module: &'a wgpu::ShaderModule,
    entries: [&'a str; 2],
    groups: [Option<&'a BindGroupLayout>; 4],
    is_strip: bool,
    /// Compared how, and whether written.
    depth: Option<(CompareFunction, bool)>,
    blend: Option<BlendState>,
    writes: ColorWrites,
    format: wgpu::TextureFormat,
}

impl Recipe<'_> {
    fn make(&self, gpu: &Gpu) -> wgpu::RenderPipeline {
        let Self { module, entries: [vertex, fragment], .. } = *self;
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(fragment),
            bind_group_layouts: &self.groups,
            immediate_size: 0,
        });
        let topology = match self.is_strip {
            true => wgpu::PrimitiveTopology::TriangleStrip,
            false => wgpu::PrimitiveTopology::TriangleList,
        };
        let target = wgpu::ColorTargetState { format: self.format, blend: self.blend, write_mask: self.writes };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: self.depth.map(|(compare, writes)| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(writes),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: if self.depth.is_some() { SAMPLES } else { 1 },
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// What is there, times what comes.
const MULTIPLY: BlendState = BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Dst,
        dst_factor: wgpu::BlendFactor::Zero,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

impl Pipelines {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let [background, skin, overlay, occlusion] = &sources().map(|(name, source)| {
            let source = wgpu::ShaderSource::Wgsl(source.into());
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
        });
        let frame = Some(&layouts.frame);
        let plain = Recipe {
            module: background,
            entries: ["sky_corner", "sky"],
            groups: [frame, None, None, None],
            is_strip: false,
            depth: Some((CompareFunction::Always, false)),
            blend: None,
            writes: ColorWrites::ALL,
            format: COLOR,
        };
        let blend = Some(BlendState::ALPHA_BLENDING);
        let layered = |entries: [&'static str; 2]| {
            let groups = [frame, Some(&layouts.mesh), Some(&layouts.material), None];
            let opaque = Recipe { module: skin, entries, groups, depth: Some((CompareFunction::Less, true)), ..plain };
            Layered {
                depth: Recipe { writes: ColorWrites::empty(), ..opaque }.make(gpu),
                blended: Recipe { depth: Some((CompareFunction::LessEqual, false)), blend, ..opaque }.make(gpu),
                opaque: opaque.make(gpu),
            }
        };
        let items = |entries: [&'static str; 2], is_over: bool| {
            let material = entries[0].starts_with("sheet").then_some(&layouts.material);
            let groups = [frame, Some(&layouts.items), material, is_over.then_some(&layouts.behind)];
            let compare = if is_over { CompareFunction::Always } else { CompareFunction::LessEqual };
            let is_strip = entries[0].starts_with("s");
            Recipe { module: overlay, entries, groups, is_strip, depth: Some((compare, false)), blend, ..plain }
        };
        let kind = |within: [&'static str; 2], over: [&'static str; 2]| Kind {
            within: items(within, false).make(gpu),
            over: items(over, true).make(gpu),
        };
        let bones = items(["face_corner", "face_over"], true);
        let ground = Recipe {
            entries: ["ground_corner", "ground"],
            is_strip: true,
            depth: Some((CompareFunction::Less, false)),
            blend,
            ..plain
        };
        let seen = Recipe { module: occlusion, entries: ["screen_corner", "occlude"], ..plain };
        Self {
            skin: layered(["corner", "skin"]),
            draft: layered(["draft_corner", "skin"]),
            discs: layered(["disc_corner", "disc"]),
            faces: kind(["face_corner", "face"], ["face_corner", "face_over"]),
            strokes: kind(["stroke_in", "stroke"], ["stroke_on", "stroke_over"]),
            spots: kind(["spot_in", "spot"], ["spot_on", "spot_over"]),
            sheets: kind(["sheet_corner", "sheet"], ["sheet_corner", "sheet_over"]),
            bone_depth: Recipe { depth: Some((CompareFunction::Less, true)), writes: ColorWrites::empty(), ..bones }
                .make(gpu),
            bones: Recipe { depth: Some((CompareFunction::LessEqual, false)), ..bones }.make(gpu),
            occlude: Recipe { groups: [frame, None, None, Some(&layouts.depth)], depth: None, format: OPEN, ..seen }
                .make(gpu),
            darken: Recipe {
                entries: ["screen_corner", "darken"],
                groups: [frame, None, None, Some(&layouts.behind)],
                blend: Some(MULTIPLY),
                ..seen
            }
            .make(gpu),
            ground: ground.make(gpu),
            sky: plain.make(gpu),
        }
    }
}
