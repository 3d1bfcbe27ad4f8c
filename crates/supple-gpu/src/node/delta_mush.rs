use super::{GpuNode, Parts, Stage, skinning::rows};
use crate::GpuError;
use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Vec4};
use supple::{
    deform::{
        Clock,
        skinning::{BoundDeltaMush, RigidParts},
    },
    pose::Motion,
};
use wgpu::BufferUsages;

/// The kernel's `Params`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub vertices: u32,
    pub scaled: u32,
    pub unit: f32,
    pub keep: f32,
}

/// The kernel's `Joint`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Joint {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
    pub stretch_x: Vec4,
    pub stretch_y: Vec4,
    pub stretch_z: Vec4,
}

struct DeltaMushNode {
    stage: Stage,
    params: wgpu::Buffer,
    palette: wgpu::Buffer,
    joints: Vec<Joint>,
    split: RigidParts,
    vertices: u32,
    unit: f32,
    keep: f32,
    bytes: usize,
}

pub(super) fn delta_mush(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let (gpu, rig) = (parts.gpu, parts.rig);
    let bound = parts.bound::<BoundDeltaMush>()?;
    let moments = &bound.moments;
    let influences = gpu.storage("influences", &moments.influences)?;
    let of_vertices = gpu.storage("rows", &moments.rows)?;
    let centers = gpu.storage("smoothed points", &moments.centers)?;
    let joints = rig.skeleton.len();
    let params =
        gpu.room("delta-mush parameters", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
    let palette =
        gpu.room("palette", (joints * size_of::<Joint>()) as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
    let tables = [(2, &of_vertices), (3, &centers), (4, &palette), (5, &influences)];
    let buffers = [&[(0, &params), (1, parts.inputs[0]), (6, parts.given)], &tables[..]].concat();
    Ok(Box::new(DeltaMushNode {
        stage: Stage::new(gpu, &parts.module(), "main", rig.mesh.positions.len(), &buffers),
        params,
        palette,
        joints: Vec::with_capacity(joints),
        split: RigidParts::with_capacity(joints),
        vertices: rig.mesh.positions.len() as u32,
        unit: moments.unit,
        keep: bound.keep,
        bytes: moments.bytes_per_frame(),
    }))
}

impl GpuNode for DeltaMushNode {
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, _: Clock) {
        let scaled = self.split.update(motion);
        self.joints.clear();
        for (exact, stretch) in motion.exact.iter().zip(&self.split.stretches) {
            let small = (exact.translation / f64::from(self.unit)).as_vec3();
            let [x, y, z] = rows(&Affine3A::from_mat3_translation(exact.matrix3.as_mat3(), small));
            let [stretch_x, stretch_y, stretch_z] =
                rows(&Affine3A { matrix3: *stretch, translation: Default::default() });
            self.joints.push(Joint { x, y, z, stretch_x, stretch_y, stretch_z });
        }
        let Self { vertices, unit, keep, .. } = *self;
        let params = Params { vertices, scaled: u32::from(scaled), unit, keep };
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&self.palette, 0, bytemuck::cast_slice(&self.joints));
    }

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.encode(pass);
    }

    fn bytes_per_frame(&self) -> usize {
        self.bytes
    }
}
