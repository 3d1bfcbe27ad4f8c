//! Draws on a graphics device: the same buffers as [`cpu::render`], to the limits that tests/gpu.rs states.
//!
//! | pass | shader | gives |
//! |---|---|---|
//! | raster, at the picture's size | raster.wgsl | id, barycentric coordinates, depth |
//! | resolve | resolve.wgsl | position, normal |
//! | occlude, average | occlusion.wgsl | light |
//! | raster, at the samples' size: skin, bones | raster.wgsl | the same of every sample |
//! | shade | shade.wgsl, paint.wgsl, light.wgsl | the picture |
//!
//! Words, legends and paths are drawn on the finished picture by the processor.

mod packed;
mod params;
mod pipelines;
mod target;

pub use pipelines::sources;

use crate::{Buffers, Error, Geometry, Scene, View, annotate, cpu};
use packed::{Material, Packed};
use params::{Pixel, ViewParams};
use pipelines::Pipelines;
use supple_gpu::{
    Gpu, GpuError, fetch,
    wgpu::{self, BufferUsages, util::DeviceExt},
};
use target::Target;

/// Draws scenes on a device. Making one compiles the shaders: keep it.
pub struct Renderer {
    gpu: Gpu,
    pipelines: Pipelines,
}

/// Draws on the device, or on the processor where there is none or it cannot; then with one line that says why.
pub fn draw(scene: &Scene, view: &View, gpu: Option<&Renderer>) -> Result<(Buffers, Option<String>), Error> {
    let notice = match gpu.map(|renderer| renderer.render(scene, view)) {
        None => None,
        Some(Ok(buffers)) => return Ok((buffers, None)),
        Some(Err(error)) => Some(format!("{error}; drawn by the processor")),
    };
    Ok((cpu::render(scene, view)?, notice))
}

impl From<GpuError> for Error {
    fn from(error: GpuError) -> Self {
        Self::Device(error.to_string())
    }
}

impl Renderer {
    /// Readies a device.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Self::with_sources(gpu, sources())
    }

    /// The same with other shaders: for tests that must see broken ones rejected.
    #[doc(hidden)]
    pub fn with_sources(gpu: &Gpu, sources: [(&'static str, String); 4]) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let pipelines = Pipelines::new(gpu, sources);
        gpu.trouble()?;
        Ok(Self { gpu: gpu.clone(), pipelines })
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws a scene and waits for it, which a browser does not allow.
    pub fn render(&self, scene: &Scene, view: &View) -> Result<Buffers, Error> {
        scene.check()?;
        let mut buffers = Buffers::new(view)?;
        let geometry = Geometry::of(scene, view)?;
        let packed = Packed::new(&geometry, &Geometry::of_bones(scene), view)?;
        let frame = Frame::new(self, &packed, view)?;
        let uniform = |scale| {
            self.gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("view"),
                contents: bytemuck::bytes_of(&ViewParams::new(&geometry, &packed, view, scale)),
                usage: BufferUsages::UNIFORM,
            })
        };
        let (once, often) = (uniform(1), uniform(view.supersampling));
        frame.encode(&once, &often)?;
        frame.read(&mut buffers)?;
        annotate::draw(scene, view, &mut buffers.color);
        Ok(buffers)
    }
}

/// Everything on the device for one picture.
struct Frame<'a> {
    renderer: &'a Renderer,
    size: [u32; 2],
    scale: u32,
    skin: std::ops::Range<u32>,
    bones: std::ops::Range<u32>,
    triangles: wgpu::Buffer,
    numbers: wgpu::Buffer,
    materials: wgpu::Buffer,
    texels: wgpu::Buffer,
    pixels: wgpu::Buffer,
    raw: wgpu::Buffer,
    light: wgpu::Buffer,
    picture: wgpu::Buffer,
}

impl<'a> Frame<'a> {
    fn new(renderer: &'a Renderer, packed: &Packed, view: &View) -> Result<Self, Error> {
        let gpu = &renderer.gpu;
        gpu.trouble()?;
        let count = u64::from(view.size[0]) * u64::from(view.size[1]);
        let out = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        Ok(Self {
            renderer,
            size: view.size,
            scale: view.supersampling,
            skin: 0..3 * packed.first_bone,
            bones: 3 * packed.first_bone..3 * (packed.first_bone + packed.bones),
            triangles: gpu.storage("triangles", &packed.triangles)?,
            numbers: gpu.storage("positions, normals and colours", &packed.numbers)?,
            materials: match &packed.materials[..] {
                [] => gpu.storage("materials", &[Material::default()])?,
                materials => gpu.storage("materials", materials)?,
            },
            texels: gpu.storage("textures", &packed.texels)?,
            pixels: gpu.room("pixels", count * size_of::<Pixel>() as u64, out)?,
            raw: gpu.room("light", count * 8, BufferUsages::STORAGE)?,
            light: gpu.room("light", count * 8, out)?,
            picture: gpu.room("picture", count * 4, out)?,
        })
    }

    fn encode(&self, once: &wgpu::Buffer, often: &wgpu::Buffer) -> Result<(), Error> {
        let (gpu, p) = (&self.renderer.gpu, &self.renderer.pipelines);
        let [width, height] = self.size;
        let first = Target::new(gpu, width, height)?;
        let samples = Target::new(gpu, width * self.scale, height * self.scale)?;
        // A binding cannot be left out; without bones a single texel stands in.
        let bone_size = if self.bones.is_empty() { [1, 1] } else { self.size.map(|s| s * self.scale) };
        let bones = Target::new(gpu, bone_size[0], bone_size[1])?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.raster(&mut encoder, &first, once, self.skin.clone());
        self.raster(&mut encoder, &samples, often, self.skin.clone());
        self.raster(&mut encoder, &bones, often, self.bones.clone());
        let geometry = [(1, &self.triangles), (2, &self.numbers), (3, &self.materials)];
        let seen = [(0, once), (6, &self.pixels)];
        let resolve = [&geometry[..], &seen].concat();
        self.run(&mut encoder, &p.resolve, &resolve, &[(5, &first)]);
        self.run(&mut encoder, &p.occlude, &[&seen[..], &[(8, &self.raw)]].concat(), &[]);
        self.run(&mut encoder, &p.average, &[&seen[..], &[(7, &self.raw), (8, &self.light)]].concat(), &[]);
        let shaded = [(0, often), (4, &self.texels), (6, &self.pixels), (7, &self.light), (8, &self.picture)];
        self.run(&mut encoder, &p.shade, &[&geometry[..], &shaded].concat(), &[(5, &samples), (9, &bones)]);
        gpu.queue.submit([encoder.finish()]);
        gpu.trouble()?;
        Ok(())
    }

    fn raster(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &Target,
        view: &wgpu::Buffer,
        corners: std::ops::Range<u32>,
    ) {
        let pipeline = &self.renderer.pipelines.raster;
        let buffers = [(0, view), (1, &self.triangles), (2, &self.numbers)];
        let bindings = self.bind(&pipeline.get_bind_group_layout(0), &buffers, &[]);
        let mut pass = target.begin(encoder);
        if !corners.is_empty() {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            pass.draw(corners, 0..1);
        }
    }

    fn run(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::ComputePipeline,
        buffers: &[(u32, &wgpu::Buffer)],
        textures: &[(u32, &Target)],
    ) {
        let bindings = self.bind(&pipeline.get_bind_group_layout(0), buffers, textures);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(self.size[0].div_ceil(8), self.size[1].div_ceil(8), 1);
    }

    fn bind(
        &self,
        layout: &wgpu::BindGroupLayout,
        buffers: &[(u32, &wgpu::Buffer)],
        textures: &[(u32, &Target)],
    ) -> wgpu::BindGroup {
        let buffers = buffers.iter().map(|&(binding, b)| (binding, b.as_entire_binding()));
        let textures = textures.iter().map(|&(binding, t)| (binding, wgpu::BindingResource::TextureView(&t.visible)));
        let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
        let entries: Vec<_> = buffers.chain(textures).map(entry).collect();
        self.renderer.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    }

    fn read(&self, out: &mut Buffers) -> Result<(), Error> {
        let gpu = &self.renderer.gpu;
        let count = out.id.len();
        let bytes = (count * size_of::<Pixel>()) as u64;
        let staging = gpu.room("read-back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        fetch(gpu, &self.pixels, &staging, bytes, |view| {
            for (i, bytes) in view.chunks_exact(size_of::<Pixel>()).enumerate() {
                let pixel: Pixel = bytemuck::pod_read_unaligned(bytes);
                (out.position[i], out.id[i], out.normal[i]) = (pixel.position, pixel.id, pixel.normal);
                (out.depth[i], out.barycentric[i]) = (pixel.depth, pixel.barycentric);
            }
        })?;
        fetch(gpu, &self.light, &staging, count as u64 * 8, |view| {
            bytemuck::cast_slice_mut(&mut out.light).copy_from_slice(view);
        })?;
        fetch(gpu, &self.picture, &staging, count as u64 * 4, |view| {
            out.color.as_flattened_mut().copy_from_slice(view);
        })?;
        Ok(())
    }
}
