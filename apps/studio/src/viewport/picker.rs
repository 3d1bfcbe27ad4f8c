//! What of the skin lies under places in the picture, asked of the device: only there are its points, wherever a graph
//! has left them.
//!
//! The skin is drawn once more round those places, as ids, barycentric coordinates and depth, in buffers no larger than
//! the places need; kernels meet the exact ray of each place with the triangles that are seen there, and gather the
//! vertices round it for brushes. A few words come back some frames later; nothing waits, so a browser can do it too.

use super::{
    Shown, Skin,
    frame::widened,
    pick::{Hit, Ray},
};
use glam::{DMat4, DVec4, Mat4, Vec2, Vec3};
use std::slice;
use supple_gpu::{Fetch, Gpu, GpuError, wgpu};
use supple_render::Camera;
use wgpu::{BindGroupLayout, BindingType, BufferBindingType, BufferUsages, ShaderStages, TextureFormat};

/// A place in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// In pixels from the top left corner.
    pub at: Vec2,
    /// How far round the skin there vertices are wanted, in units of the world; 0 for none.
    pub radius: f32,
}

/// What lies under a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Where the ray of the place meets the skin first.
    pub hit: Hit,
    /// The corners of the triangle.
    pub corners: [Vec3; 3],
    /// The vertices round it, in their order, and how far each is from it.
    pub near: Vec<(u32, f32)>,
}

/// An answer of the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Of each place, where there is skin.
    pub spots: Vec<Option<Spot>>,
    /// So many vertices lie round the places.
    pub gathered: usize,
    /// So many there was room for: with fewer than there are, the answer is not whole.
    pub room: usize,
}

/// So many places are asked about at once.
pub const PLACES: usize = 64;
/// Words of a place's answer.
const FOUND: usize = 16;
/// Bytes of a place as the kernel takes it.
const PLACE: usize = 48;
/// Texels along a side of a pixel: triangles are smaller than pixels where a skin is dense.
const FINE: f32 = 4.0;
/// Texels along a side of the buffers at first.
const LEAST: u32 = 64;
/// Vertices that there is room for at first.
const ROOM: usize = 1 << 14;

const IDS: TextureFormat = TextureFormat::R32Uint;
const BARYCENTRICS: TextureFormat = TextureFormat::Rg32Float;
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// See the module.
pub struct Picker {
    gpu: Gpu,
    seen: wgpu::RenderPipeline,
    meet: wgpu::ComputePipeline,
    gather: wgpu::ComputePipeline,
    view: wgpu::Buffer,
    places: wgpu::Buffer,
    found: wgpu::Buffer,
    gathered: wgpu::Buffer,
    /// So many gathered vertices are brought back; the buffer may hold more.
    room: usize,
    buffers: Buffers,
}

/// What the skin is drawn into.
struct Buffers {
    size: [u32; 2],
    ids: wgpu::TextureView,
    barycentrics: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Picker {
    /// Readies the shader and the kernels.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let device = &gpu.device;
        let source = wgpu::ShaderSource::Wgsl(include_str!("shaders/picker.wgsl").into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("picker"), source });
        let seen = draws(device, &module);
        let kernel = |entry: &str| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&pipeline_layout(device, &[Some(&scene(device)), Some(&asked(device))])),
                module: &module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let (meet, gather) = (kernel("meet"), kernel("gather"));
        let (to, from) = (BufferUsages::COPY_DST, BufferUsages::COPY_SRC);
        let view = gpu.room("the view of places", 80, BufferUsages::UNIFORM | to)?;
        let places = gpu.room("places", (PLACES * PLACE) as u64, BufferUsages::STORAGE | to)?;
        let found = gpu.room("what lies there", (PLACES * FOUND * 4) as u64, BufferUsages::STORAGE | from)?;
        let (gathered, buffers) = (room(gpu, ROOM)?, Buffers::new(gpu, [LEAST; 2]));
        gpu.trouble()?;
        Ok(Self { gpu: gpu.clone(), seen, meet, gather, view, places, found, gathered, room: ROOM, buffers })
    }

    /// Brings back so many vertices round the places that are asked about at once, from now on.
    pub fn make_room(&mut self, vertices: usize) -> Result<(), GpuError> {
        let wanted = vertices.max(ROOM).next_power_of_two();
        if bytes_of(wanted) > self.gathered.size() {
            self.gathered = room(&self.gpu, wanted)?;
        }
        self.room = wanted;
        Ok(())
    }

    /// Asks what lies under places of a picture of this size, in the skin as it is on the device after the work sent so
    /// far. Returns at once. Of a point set there is nothing to tell.
    ///
    /// # Panics
    /// When there are no places, or more than [`PLACES`].
    pub fn ask(
        &mut self,
        skin: &Skin,
        shown: &Shown,
        camera: &Camera,
        size: [u32; 2],
        places: &[Place],
    ) -> Result<Fetch<Picked>, GpuError> {
        assert!((1..=PLACES).contains(&places.len()), "{} places", places.len());
        let region = Region::round(places);
        self.buffers.fit(&self.gpu, region.size)?;
        let clip_from_world = region.clip_from_world(camera, skin.bounds.diagonal(), size);
        let counts = [places.len() as u32, skin.counts[0], self.room as u32, 0];
        let mut view = [0_u8; 80];
        view[..64].copy_from_slice(bytemuck::bytes_of(&clip_from_world));
        view[64..].copy_from_slice(bytemuck::bytes_of(&counts));
        let rows: Vec<[u32; PLACE / 4]> = places.iter().map(|place| region.row(camera, size, place)).collect();
        self.gpu.queue.write_buffer(&self.view, 0, &view);
        self.gpu.queue.write_buffer(&self.places, 0, bytemuck::cast_slice(&rows));
        let (scene, asked) = self.groups(skin, shown);
        let gathers = places.iter().any(|place| place.radius > 0.0);
        let found = (places.len() * FOUND * 4) as u64;
        let gathered = if gathers { bytes_of(self.room) } else { 4 };
        let encode = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
            self.draw(encoder, &scene, region.size, skin.counts[1]);
            encoder.clear_buffer(&self.gathered, 0, Some(4));
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_bind_group(0, &scene, &[]);
            pass.set_bind_group(1, &asked, &[]);
            pass.set_pipeline(&self.meet);
            pass.dispatch_workgroups(1, 1, 1);
            if gathers {
                // In two dimensions, because one holds 65,535 groups at most.
                let groups = skin.counts[0].div_ceil(64);
                let across = groups.clamp(1, 65_535);
                pass.set_pipeline(&self.gather);
                pass.dispatch_workgroups(across, groups.div_ceil(across), 1);
            }
            drop(pass);
            encoder.copy_buffer_to_buffer(&self.found, 0, staging, 0, found);
            encoder.copy_buffer_to_buffer(&self.gathered, 0, staging, found, gathered);
        };
        let (count, room) = (places.len(), self.room);
        let decode = move |bytes: &[u8]| picked(&bytemuck::pod_collect_to_vec::<u8, u32>(bytes), count, room);
        Fetch::with_copy(&self.gpu, found + gathered, encode, decode)
    }

    fn groups(&self, skin: &Skin, shown: &Shown) -> (wgpu::BindGroup, wgpu::BindGroup) {
        let texture =
            |binding: u32, view| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) };
        let group = |layout: &BindGroupLayout, entries: &[wgpu::BindGroupEntry<'_>]| {
            let descriptor = wgpu::BindGroupDescriptor { label: Some("picker"), layout, entries };
            self.gpu.device.create_bind_group(&descriptor)
        };
        let of_scene = [whole(0, &self.view), whole(1, shown.points()), whole(2, &skin.triangles)];
        let of_places = [
            texture(0, &self.buffers.ids),
            texture(1, &self.buffers.barycentrics),
            whole(2, &self.places),
            whole(3, &self.found),
            whole(4, &self.gathered),
        ];
        (group(&scene(&self.gpu.device), &of_scene), group(&asked(&self.gpu.device), &of_places))
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, scene: &wgpu::BindGroup, size: [u32; 2], triangles: u32) {
        let nothing = |view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picker"),
            color_attachments: &[nothing(&self.buffers.ids), nothing(&self.buffers.barycentrics)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.buffers.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_viewport(0.0, 0.0, size[0] as f32, size[1] as f32, 0.0, 1.0);
        pass.set_scissor_rect(0, 0, size[0], size[1]);
        pass.set_bind_group(0, scene, &[]);
        pass.set_pipeline(&self.seen);
        pass.draw(0..3 * triangles, 0..1);
    }
}

/// The part of a picture that is drawn: a box round the places, with a texel more on each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    corner: [i32; 2],
    size: [u32; 2],
}

impl Region {
    fn round(places: &[Place]) -> Self {
        let texels = places.iter().map(Self::texel);
        let (low, high) = texels.fold((glam::IVec2::MAX, glam::IVec2::MIN), |(low, high), t| (low.min(t), high.max(t)));
        Self { corner: (low - 1).to_array(), size: (high - low + 3).as_uvec2().to_array() }
    }

    fn texel(place: &Place) -> glam::IVec2 {
        (place.at * FINE).floor().as_ivec2()
    }

    fn clip_from_world(&self, camera: &Camera, diagonal: f32, size: [u32; 2]) -> Mat4 {
        let [width, height] = size.map(|s| f64::from(s.max(1)));
        let whole = widened(camera, diagonal).clip_from_world((width / height) as f32).as_dmat4();
        let [width, height] = [width, height].map(|side| side * f64::from(FINE));
        let ([x, y], [w, h]) = (self.corner.map(f64::from), self.size.map(f64::from));
        // From the whole picture to this part of it, both from -1 to 1.
        let part = DMat4::from_cols(
            DVec4::new(width / w, 0.0, 0.0, 0.0),
            DVec4::new(0.0, height / h, 0.0, 0.0),
            DVec4::Z,
            DVec4::new((width - 2.0 * x) / w - 1.0, 1.0 - (height - 2.0 * y) / h, 0.0, 1.0),
        );
        (part * whole).as_mat4()
    }

    fn row(&self, camera: &Camera, size: [u32; 2], place: &Place) -> [u32; PLACE / 4] {
        let ray = Ray::through(camera, size, place.at);
        let texel = Self::texel(place) - glam::IVec2::from(self.corner);
        let (o, d) = (ray.origin, ray.direction);
        let numbers = [o.x, o.y, o.z, place.radius, d.x, d.y, d.z, 0.0].map(f32::to_bits);
        let mut row = [0; PLACE / 4];
        row[..8].copy_from_slice(&numbers);
        row[8..10].copy_from_slice(&[texel.x as u32, texel.y as u32]);
        row
    }
}

impl Buffers {
    fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
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
    fn fit(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), GpuError> {
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

/// What came back, in words.
fn picked(words: &[u32], count: usize, room: usize) -> Picked {
    let (found, gathered) = words.split_at(count * FOUND);
    let mut spots: Vec<Option<Spot>> = found.chunks_exact(FOUND).map(spot).collect();
    let wanted = gathered[0] as usize;
    for entry in gathered[1..].chunks_exact(3).take(wanted) {
        if let Some(Some(spot)) = spots.get_mut(entry[0] as usize) {
            spot.near.push((entry[1], f32::from_bits(entry[2])));
        }
    }
    // Threads add theirs as they come.
    spots.iter_mut().flatten().for_each(|spot| spot.near.sort_unstable_by_key(|near| near.0));
    Picked { spots, gathered: wanted, room }
}

fn spot(words: &[u32]) -> Option<Spot> {
    let triangle = (words[0] as usize).checked_sub(1)?;
    let number = |i: usize| f32::from_bits(words[i]);
    let vector = |i: usize| Vec3::new(number(i), number(i + 1), number(i + 2));
    let corners = [4, 7, 10].map(vector);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    let (barycentric, distance) = (Vec2::new(number(1), number(2)), number(3));
    let hit = Hit { triangle, barycentric, position: vector(13), normal, distance };
    Some(Spot { hit, corners, near: Vec::new() })
}

fn room(gpu: &Gpu, vertices: usize) -> Result<wgpu::Buffer, GpuError> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    gpu.room("vertices round places", bytes_of(vertices), usage)
}

/// How many there are, then three words for each.
fn bytes_of(vertices: usize) -> u64 {
    4 + vertices as u64 * 12
}

fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}

/// The view and the skin.
fn scene(device: &wgpu::Device) -> BindGroupLayout {
    let visibility = ShaderStages::VERTEX | ShaderStages::COMPUTE;
    let types = [buffer(BufferBindingType::Uniform), storage(true), storage(true)];
    layout(device, visibility, &types)
}

/// What was drawn, the places, and what lies there.
fn asked(device: &wgpu::Device) -> BindGroupLayout {
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

fn pipeline_layout(device: &wgpu::Device, groups: &[Option<&BindGroupLayout>]) -> wgpu::PipelineLayout {
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("picker"),
        bind_group_layouts: groups,
        immediate_size: 0,
    })
}

fn draws(device: &wgpu::Device, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
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

#[cfg(test)]
mod tests {
    use super::*;
    use supple_render::Direction;

    #[test]
    fn a_part_of_the_picture_shows_what_the_whole_shows_there() {
        let size = [320, 240];
        for perspective in [true, false] {
            let camera = Camera::framing(&[Vec3::splat(-1.0), Vec3::ONE], Direction::Front, 320.0 / 240.0, perspective);
            let places = [Vec2::new(100.5, 40.25), Vec2::new(131.0, 52.75)].map(|at| Place { at, radius: 0.0 });
            let region = Region::round(&places);
            assert_eq!(region, Region { corner: [401, 160], size: [125, 53] });
            let clip_from_world = region.clip_from_world(&camera, 3.5, size);
            for p in [Vec3::ZERO, Vec3::new(0.4, -0.7, 0.2), Vec3::new(-0.9, 0.8, -0.6)] {
                let whole = camera.pixel(p, size).expect("before the eye");
                let clip = clip_from_world.project_point3(p);
                let place = Vec2::new(clip.x * 0.5 + 0.5, 0.5 - clip.y * 0.5) * Vec2::new(125.0, 53.0);
                let seen = (place + Vec2::new(401.0, 160.0)) / FINE;
                assert!(seen.distance(whole) < 1e-2, "{seen} for {whole}");
            }
        }
    }
}
