//! The methods of one blend for each vertex: the same tables, another palette, and for some a table more.

use super::{GpuNode, Parts, Stage, module};
use crate::GpuError;
use glam::{Affine3A, Vec4};
use supple::{
    deform::{
        Clock,
        skinning::{BoundDualQuaternion, BoundLinear, BoundRotationCenter, BoundStretchTwist, Packed, RigidParts},
    },
    pose::Motion,
};
use wgpu::BufferUsages;

/// Writes a motion as the kernel wants it; true where a joint scales.
type Fill = Box<dyn FnMut(&Motion, &mut Vec<Vec4>) -> bool + Send>;

struct SkinningNode {
    main: Stage,
    wide: Option<Stage>,
    params: wgpu::Buffer,
    palette: wgpu::Buffer,
    vectors: Vec<Vec4>,
    fill: Fill,
    counts: [u32; 2],
    bytes: usize,
}

pub(super) fn linear(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let fill = |motion: &Motion, out: &mut Vec<Vec4>| {
        out.extend(motion.posed_from_rest.iter().flat_map(rows));
        false
    };
    skinning(parts, &parts.bound::<BoundLinear>()?.packed, 3, Box::new(fill), None)
}

/// A matrix as kernels take it: applied to a point by three products.
pub(super) fn rows(map: &Affine3A) -> [Vec4; 3] {
    let (rows, t) = (map.matrix3.transpose(), map.translation);
    [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
}

pub(super) fn dual_quaternion(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let mut split = RigidParts::with_capacity(parts.rig.skeleton.len());
    let fill = move |motion: &Motion, out: &mut Vec<Vec4>| {
        let scaled = split.update(motion);
        for (q, s) in split.motions.iter().zip(&split.stretches) {
            out.extend([q.real, q.dual, s.x_axis.extend(0.0), s.y_axis.extend(0.0), s.z_axis.extend(0.0)]);
        }
        scaled
    };
    skinning(parts, &parts.bound::<BoundDualQuaternion>()?.packed, 5, Box::new(fill), None)
}

pub(super) fn stretch_twist(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let bound = parts.bound::<BoundStretchTwist>()?;
    let mut bones = bound.bones.clone();
    let ends = [bound.ends.narrow.as_flattened(), &bound.ends.wide].concat();
    let ends = parts.gpu.storage("places along bones", &ends)?;
    let fill = move |motion: &Motion, out: &mut Vec<Vec4>| {
        bones.update(motion);
        for (map, bone) in motion.posed_from_rest.iter().zip(&bones.motions) {
            let active = f32::from(u8::from(bone.active));
            out.extend(rows(map));
            out.extend([bone.head.extend(bone.twists[0]), bone.axis.extend(bone.twists[1]), bone.shift.extend(active)]);
        }
        false
    };
    skinning(parts, &bound.packed, 6, Box::new(fill), Some(&ends))
}

pub(super) fn rotation_center(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let bound = parts.bound::<BoundRotationCenter>()?;
    let centers = parts.gpu.storage("centres of rotation", &bound.centers)?;
    let mut split = RigidParts::with_capacity(parts.rig.skeleton.len());
    let fill = move |motion: &Motion, out: &mut Vec<Vec4>| {
        let scaled = split.update(motion);
        for (map, (q, s)) in motion.posed_from_rest.iter().zip(split.motions.iter().zip(&split.stretches)) {
            out.extend(rows(map));
            out.extend([q.real, s.x_axis.extend(0.0), s.y_axis.extend(0.0), s.z_axis.extend(0.0)]);
        }
        scaled
    };
    skinning(parts, &bound.packed, 7, Box::new(fill), Some(&centers))
}

/// `table`: a method's own numbers, one or more for each vertex or influence.
fn skinning(
    parts: &Parts<'_>,
    packed: &Packed,
    vectors_per_joint: usize,
    fill: Fill,
    table: Option<&wgpu::Buffer>,
) -> Result<Box<dyn GpuNode>, GpuError> {
    let (gpu, rig) = (parts.gpu, parts.rig);
    let (rows, entries) = wide_tables(packed);
    let vectors = rig.skeleton.len() * vectors_per_joint;
    let params = gpu.room("skinning parameters", 16, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
    let palette = gpu.room("palette", vectors as u64 * 16, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
    let joints = gpu.storage("joints", &packed.joints)?;
    let weights = gpu.storage("weights", &packed.weights)?;
    let wide_rows = gpu.storage("wide rows", &rows)?;
    let wide_entries = gpu.storage("wide entries", &entries)?;
    let module = module(parts);
    let mut shared = vec![(0, &params), (1, parts.inputs[0]), (4, &palette), (7, parts.given)];
    shared.extend(table.map(|table| (8, table)));
    let narrow = [(2, &joints), (3, &weights)];
    let broad = [(5, &wide_rows), (6, &wide_entries)];
    let vertices = rig.mesh.positions.len();
    let main = Stage::new(gpu, &module, "main", vertices, &[&shared[..], &narrow].concat());
    let wide =
        (!rows.is_empty()).then(|| Stage::new(gpu, &module, "wide", rows.len(), &[&shared[..], &broad].concat()));
    Ok(Box::new(SkinningNode {
        main,
        wide,
        params,
        palette,
        vectors: Vec::with_capacity(vectors),
        fill,
        counts: [vertices as u32, rows.len() as u32],
        // Weights are read four at a time, whether they are zero or not.
        bytes: vertices * (12 + 8 + 16 + 12) + entries.len() * 8 + table.map_or(0, |t| t.size() as usize),
    }))
}

/// Rows (vertex, first entry, end) and entries (joint, weight) of the vertices with more than four influences.
fn wide_tables(packed: &Packed) -> (Vec<[u32; 4]>, Vec<[u32; 2]>) {
    let (mut rows, mut entries) = (Vec::new(), Vec::new());
    let Some(table) = &packed.wide_rows else { return (rows, entries) };
    for &vertex in &packed.wide {
        let (joints, weights) = table.row(vertex as usize);
        let first = entries.len() as u32;
        entries.extend(joints.iter().zip(weights).map(|(&j, w)| [u32::from(j), w.to_bits()]));
        rows.push([vertex, first, entries.len() as u32, 0]);
    }
    (rows, entries)
}

impl GpuNode for SkinningNode {
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, _: Clock) {
        self.vectors.clear();
        let scaled = (self.fill)(motion, &mut self.vectors);
        let params = [self.counts[0], self.counts[1], u32::from(scaled), 0];
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&self.palette, 0, bytemuck::cast_slice(&self.vectors));
    }

    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.main.encode(pass);
        if let Some(wide) = &self.wide {
            wide.encode(pass);
        }
    }

    fn bytes_per_frame(&self) -> usize {
        self.bytes
    }
}
