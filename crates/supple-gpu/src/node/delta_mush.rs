use super::{GpuNode, Parts, Stage, module, skinning::rows};
use crate::GpuError;
use glam::{Affine3A, Vec4};
use supple::{
    deform::{
        Clock,
        skinning::{BoundDeltaMush, RigidParts},
    },
    pose::Motion,
};
use wgpu::BufferUsages;

struct DeltaMushNode {
    stage: Stage,
    params: wgpu::Buffer,
    palette: wgpu::Buffer,
    vectors: Vec<Vec4>,
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
    let words = moments.influences.iter().flat_map(|i| {
        let [a, b, c] = i.first.map(f32::to_bits);
        let [xx, xy, xz, yy, yz, zz] = i.second.map(f32::to_bits);
        [i.joint, i.share.to_bits(), a, b, c, xx, xy, xz, yy, yz, zz]
    });
    let influences = gpu.storage("influences", &words.collect::<Vec<u32>>())?;
    let of_vertices = gpu.storage("rows", &moments.rows)?;
    let centers = gpu.storage("smoothed points", &moments.centers)?;
    let vectors = rig.skeleton.len() * 6;
    let params = gpu.room("delta-mush parameters", 16, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
    let palette = gpu.room("palette", vectors as u64 * 16, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
    let tables = [(2, &of_vertices), (3, &centers), (4, &palette), (5, &influences)];
    let buffers = [&[(0, &params), (1, parts.inputs[0]), (6, parts.given)], &tables[..]].concat();
    Ok(Box::new(DeltaMushNode {
        stage: Stage::new(gpu, &module(parts), "main", rig.mesh.positions.len(), &buffers),
        params,
        palette,
        vectors: Vec::with_capacity(vectors),
        split: RigidParts::with_capacity(rig.skeleton.len()),
        vertices: rig.mesh.positions.len() as u32,
        unit: moments.unit,
        keep: bound.keep,
        bytes: moments.bytes_per_frame(),
    }))
}

impl GpuNode for DeltaMushNode {
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, _: Clock) {
        let scaled = self.split.update(motion);
        self.vectors.clear();
        for (exact, stretch) in motion.exact.iter().zip(&self.split.stretches) {
            let small = (exact.translation / f64::from(self.unit)).as_vec3();
            self.vectors.extend(rows(&Affine3A::from_mat3_translation(exact.matrix3.as_mat3(), small)));
            self.vectors.extend(rows(&Affine3A { matrix3: *stretch, translation: Default::default() }));
        }
        let params = [self.vertices, u32::from(scaled), self.unit.to_bits(), self.keep.to_bits()];
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&self.palette, 0, bytemuck::cast_slice(&self.vectors));
    }

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.encode(pass);
    }

    fn bytes_per_frame(&self) -> usize {
        self.bytes
    }
}
