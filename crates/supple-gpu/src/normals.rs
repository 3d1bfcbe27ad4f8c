use crate::{
    Gpu, GpuError,
    clock::{Clock, fetch},
    node::Stage,
};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use supple::rig::Normals;
use wgpu::BufferUsages;

/// The kernel's `Params`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub vertices: u32,
    pub triangles: u32,
    pub scale: f32,
    pub least: f32,
}

/// Normals of points that live on the device.
pub struct GpuNormals {
    gpu: Gpu,
    params: wgpu::Buffer,
    face: Stage,
    smooth: Stage,
    creased: Stage,
    vertex_normals: wgpu::Buffer,
    corner_normals: wgpu::Buffer,
    vertices: u32,
    triangles: u32,
    scale: f32,
    faces_listed: usize,
    clock: Option<Clock>,
}

/// Which normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shading {
    /// One per vertex.
    Smooth,
    /// One per corner; faces at more than so many degrees are left out.
    Creased(f32),
}

impl GpuNormals {
    /// Readies the normals of a mesh whose moved points are in `points`, three floats a vertex.
    pub fn new(gpu: &Gpu, normals: &Normals, points: &wgpu::Buffer) -> Result<Self, GpuError> {
        Self::with_source(gpu, normals, points, &crate::kernels::normals())
    }

    /// The same with another kernel: for tests that must see a broken one rejected.
    #[doc(hidden)]
    pub fn with_source(gpu: &Gpu, normals: &Normals, points: &wgpu::Buffer, source: &str) -> Result<Self, GpuError> {
        let tables = normals.tables();
        let (vertices, triangles) = (tables.welded_of.len(), tables.triangles.len());
        let corners = triangles as u64 * 3;
        let out = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let sent = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let params = gpu.room("normals parameters", size_of::<Params>() as u64, sent)?;
        let triangle_list = gpu.storage("triangles", tables.triangles)?;
        let welded_of = gpu.storage("welded points", tables.welded_of)?;
        let starts = gpu.storage("starts", tables.starts)?;
        let faces = gpu.storage("faces", tables.faces)?;
        let face_normals = gpu.room("face normals", triangles as u64 * 16, BufferUsages::STORAGE)?;
        let vertex_normals = gpu.room("vertex normals", vertices as u64 * 12, out)?;
        let corner_normals = gpu.room("corner normals", corners * 12, out)?;
        let module = gpu.module("normals", source);
        let stage = |entry: &str, elements: usize, buffers: &[(u32, &wgpu::Buffer)]| {
            Stage::new(gpu, &module, entry, elements, buffers)
        };
        let lists = [(0, &params), (3, &welded_of), (4, &starts), (5, &faces), (6, &face_normals)];
        let face = [(0, &params), (1, points), (2, &triangle_list), (6, &face_normals)];
        let smooth = [&lists[..], &[(7, &vertex_normals)]].concat();
        let creased = [&lists[..], &[(2, &triangle_list), (7, &corner_normals)]].concat();
        Ok(Self {
            face: stage("face", triangles, &face),
            smooth: stage("smooth_vertex", vertices, &smooth),
            creased: stage("creased_corner", corners as usize, &creased),
            gpu: gpu.clone(),
            params,
            vertex_normals,
            corner_normals,
            vertices: vertices as u32,
            triangles: triangles as u32,
            scale: tables.scale,
            faces_listed: tables.faces.len(),
            clock: Clock::new(gpu, 1)?,
        })
    }

    /// Computes the normals of the points as they are now.
    pub fn run(&self, shading: Shading) -> Result<(), GpuError> {
        self.gpu.trouble()?;
        let least = if let Shading::Creased(degrees) = shading { degrees.to_radians().cos() } else { 0.0 };
        let Self { vertices, triangles, scale, .. } = *self;
        let params = Params { vertices, triangles, scale, least: least * least.abs() };
        self.gpu.queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let timestamp_writes = self.clock.as_ref().map(|clock| clock.writes(0));
        {
            let descriptor = wgpu::ComputePassDescriptor { label: Some("normals"), timestamp_writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            self.face.encode(&mut pass);
            if shading == Shading::Smooth { &self.smooth } else { &self.creased }.encode(&mut pass);
        }
        if let Some(clock) = &self.clock {
            clock.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.trouble()
    }

    /// The buffer that the last run filled.
    pub fn normals(&self, shading: Shading) -> &wgpu::Buffer {
        if shading == Shading::Smooth { &self.vertex_normals } else { &self.corner_normals }
    }

    /// Fetches the normals: one per vertex, or three per triangle.
    pub fn read(&self, shading: Shading) -> Result<Vec<Vec3>, GpuError> {
        let count = if shading == Shading::Smooth { self.vertices } else { self.triangles * 3 };
        let bytes = u64::from(count) * 12;
        let staging = self.gpu.room("normals read-back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let mut out = vec![Vec3::ZERO; count as usize];
        fetch(&self.gpu, self.normals(shading), &staging, bytes, |view| {
            bytemuck::cast_slice_mut(&mut out).copy_from_slice(view);
        })?;
        Ok(out)
    }

    /// Milliseconds of the last run by the device's clock, where it has one.
    pub fn time(&self) -> Result<Option<f64>, GpuError> {
        self.clock.as_ref().map(|clock| clock.read(&self.gpu).map(|times| times[0])).transpose()
    }

    /// Bytes a run must move at the least: lists and points in, normals out, face normals out and in once.
    pub fn bytes_per_frame(&self, shading: Shading) -> usize {
        let (vertices, triangles) = (self.vertices as usize, self.triangles as usize);
        let out = if shading == Shading::Smooth { vertices * 12 } else { triangles * 36 };
        vertices * (12 + 4 + 4) + triangles * (12 + 32) + self.faces_listed * 4 + out
    }
}
