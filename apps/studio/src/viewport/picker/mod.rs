//! What of the skin lies under places in the picture, asked of the device: only there are its points, wherever a graph
//! has left them.
//!
//! The skin is drawn once more round those places, as ids, barycentric coordinates and depth, in buffers no larger than
//! the places need; kernels meet the exact ray of each place with the triangles that are seen there, and gather the
//! vertices round it for brushes. A few words come back some frames later; nothing waits, so a browser can do it too.

mod buffers;
mod layouts;
mod params;
mod region;

use super::{Shown, Skin, pick::Hit};
use buffers::{Buffers, LEAST};
use glam::{Vec2, Vec3};
use layouts::{asked, draws, pipeline_layout, scene};
use params::{COUNT, Entry, Found, PlaceParams, ViewParams};
use region::Region;
use supple_gpu::{Fetch, Gpu, GpuError, wgpu};
use supple_render::Camera;
use wgpu::{BindGroupLayout, BufferUsages};

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
const SOURCE: &str = include_str!("../shaders/picker.wgsl");
/// Vertices that there is room for at first.
const ROOM: usize = 1 << 14;

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

impl Picker {
    /// Readies the shader and the kernels.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let device = &gpu.device;
        let source = wgpu::ShaderSource::Wgsl(SOURCE.into());
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
        let view = gpu.room("the view of places", size_of::<ViewParams>() as u64, BufferUsages::UNIFORM | to)?;
        let places = gpu.room("places", (PLACES * size_of::<PlaceParams>()) as u64, BufferUsages::STORAGE | to)?;
        let found = gpu.room("what lies there", (PLACES * size_of::<Found>()) as u64, BufferUsages::STORAGE | from)?;
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
        let (count, vertices, room) = (places.len(), skin.counts[0], self.room);
        let view = ViewParams { clip_from_world, places: count as u32, vertices, room: room as u32, unused: 0 };
        let params: Vec<PlaceParams> = places.iter().map(|place| region.place(camera, size, place)).collect();
        self.gpu.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        self.gpu.queue.write_buffer(&self.places, 0, bytemuck::cast_slice(&params));
        let (scene, asked) = self.groups(skin, shown);
        let gathers = places.iter().any(|place| place.radius > 0.0);
        let found = (count * size_of::<Found>()) as u64;
        let gathered = if gathers { bytes_of(room) } else { COUNT as u64 };
        let encode = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
            self.draw(encoder, &scene, region.size, skin.counts[1]);
            encoder.clear_buffer(&self.gathered, 0, Some(COUNT as u64));
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
        let decode = move |bytes: &[u8]| picked(bytes, count, room);
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

/// What came back.
fn picked(bytes: &[u8], places: usize, room: usize) -> Picked {
    let (found, gathered) = bytes.split_at(places * size_of::<Found>());
    let (count, entries) = gathered.split_at(COUNT);
    let found = bytemuck::pod_collect_to_vec::<u8, Found>(found);
    let entries = bytemuck::pod_collect_to_vec::<u8, Entry>(entries);
    let mut spots: Vec<Option<Spot>> = found.iter().map(spot).collect();
    let wanted = bytemuck::pod_read_unaligned::<u32>(count) as usize;
    for entry in entries.iter().take(wanted) {
        if let Some(Some(spot)) = spots.get_mut(entry.place as usize) {
            spot.near.push((entry.vertex, entry.distance));
        }
    }
    // Threads add theirs as they come.
    spots.iter_mut().flatten().for_each(|spot| spot.near.sort_unstable_by_key(|near| near.0));
    Picked { spots, gathered: wanted, room }
}

fn spot(found: &Found) -> Option<Spot> {
    let triangle = (found.id as usize).checked_sub(1)?;
    let Found { position, distance, a, b, c, weight_b, weight_c, .. } = *found;
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let hit = Hit { triangle, barycentric: Vec2::new(weight_b, weight_c), position, normal, distance };
    Some(Spot { hit, corners: [a, b, c], near: Vec::new() })
}

fn room(gpu: &Gpu, vertices: usize) -> Result<wgpu::Buffer, GpuError> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    gpu.room("vertices round places", bytes_of(vertices), usage)
}

/// How many there are, then each of them.
fn bytes_of(vertices: usize) -> u64 {
    (COUNT + vertices * size_of::<Entry>()) as u64
}

fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}
