//! The methods of one blend for each vertex: the same tables, another palette, and for some a table more.

use super::{GpuNode, Parts, Stage};
use crate::GpuError;
use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat3A, Vec3, Vec4};
use supple::{
    deform::{
        Clock,
        skinning::{BoundDualQuaternion, BoundLinear, BoundRotationCenter, BoundStretchTwist, Packed, RigidParts},
    },
    pose::Motion,
};
use wgpu::BufferUsages;

/// The kernels' `Params`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub vertices: u32,
    pub wide: u32,
    pub scaled: u32,
    pub unused: u32,
}

/// The kernels' `WideRow`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct WideRow {
    pub vertex: u32,
    pub begin: u32,
    pub end: u32,
}

/// The kernels' `WideInfluence`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct WideInfluence {
    pub joint: u32,
    pub weight: f32,
}

/// `Joint` of linear blend skinning.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LinearJoint {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
}

/// `Joint` of dual quaternions.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct DualQuaternionJoint {
    pub real: Vec4,
    pub dual: Vec4,
    pub stretch: [Vec4; 3],
}

/// `Joint` of stretchable and twistable bones.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StretchTwistJoint {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
    pub head: Vec3,
    pub head_twist: f32,
    pub axis: Vec3,
    pub tail_twist: f32,
    pub shift: Vec3,
    pub is_active: f32,
}

/// `Joint` of optimised centres of rotation.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RotationCenterJoint {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
    pub rotation: Vec4,
    pub stretch: [Vec4; 3],
}

/// Fills the palette for a motion; true where a joint scales.
type Fill<J> = Box<dyn FnMut(&Motion, &mut Vec<J>) -> bool + Send>;

struct SkinningNode<J> {
    main: Stage,
    wide: Option<Stage>,
    params: wgpu::Buffer,
    palette: wgpu::Buffer,
    joints: Vec<J>,
    fill: Fill<J>,
    vertices: u32,
    wide_vertices: u32,
    bytes: usize,
}

pub(super) fn linear(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let fill = |motion: &Motion, out: &mut Vec<LinearJoint>| {
        out.extend(motion.posed_from_rest.iter().map(rows).map(|[x, y, z]| LinearJoint { x, y, z }));
        false
    };
    skinning(parts, &parts.bound::<BoundLinear>()?.packed, Box::new(fill), None)
}

/// A matrix as kernels take it: applied to a point by three products.
pub(super) fn rows(map: &Affine3A) -> [Vec4; 3] {
    let (rows, t) = (map.matrix3.transpose(), map.translation);
    [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
}

/// The columns of a matrix as kernels hold a `mat3x3`: four numbers apart.
fn columns(matrix: &Mat3A) -> [Vec4; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.extend(0.0))
}

pub(super) fn dual_quaternion(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let mut split = RigidParts::with_capacity(parts.rig.skeleton.len());
    let fill = move |motion: &Motion, out: &mut Vec<DualQuaternionJoint>| {
        let scaled = split.update(motion);
        for (q, s) in split.motions.iter().zip(&split.stretches) {
            out.push(DualQuaternionJoint { real: q.real, dual: q.dual, stretch: columns(s) });
        }
        scaled
    };
    skinning(parts, &parts.bound::<BoundDualQuaternion>()?.packed, Box::new(fill), None)
}

pub(super) fn stretch_twist(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let bound = parts.bound::<BoundStretchTwist>()?;
    let mut bones = bound.bones.clone();
    let ends = [bound.ends.narrow.as_flattened(), &bound.ends.wide].concat();
    let ends = parts.gpu.storage("places along bones", &ends)?;
    let fill = move |motion: &Motion, out: &mut Vec<StretchTwistJoint>| {
        bones.update(motion);
        for (map, bone) in motion.posed_from_rest.iter().zip(&bones.motions) {
            let ([x, y, z], [head_twist, tail_twist]) = (rows(map), bone.twists);
            let (head, axis, shift) = (bone.head.into(), bone.axis.into(), bone.shift.into());
            let is_active = f32::from(u8::from(bone.active));
            out.push(StretchTwistJoint { x, y, z, head, head_twist, axis, tail_twist, shift, is_active });
        }
        false
    };
    skinning(parts, &bound.packed, Box::new(fill), Some(&ends))
}

pub(super) fn rotation_center(parts: &Parts<'_>) -> Result<Box<dyn GpuNode>, GpuError> {
    let bound = parts.bound::<BoundRotationCenter>()?;
    let centers = parts.gpu.storage("centres of rotation", &bound.centers)?;
    let mut split = RigidParts::with_capacity(parts.rig.skeleton.len());
    let fill = move |motion: &Motion, out: &mut Vec<RotationCenterJoint>| {
        let scaled = split.update(motion);
        for (map, (q, s)) in motion.posed_from_rest.iter().zip(split.motions.iter().zip(&split.stretches)) {
            let [x, y, z] = rows(map);
            out.push(RotationCenterJoint { x, y, z, rotation: q.real, stretch: columns(s) });
        }
        scaled
    };
    skinning(parts, &bound.packed, Box::new(fill), Some(&centers))
}

/// `table`: a method's own numbers, one or more for each vertex or influence.
fn skinning<J: Pod + Send>(
    parts: &Parts<'_>,
    packed: &Packed,
    fill: Fill<J>,
    table: Option<&wgpu::Buffer>,
) -> Result<Box<dyn GpuNode>, GpuError> {
    let (gpu, rig) = (parts.gpu, parts.rig);
    let (rows, influences) = wide_tables(packed);
    let joints = rig.skeleton.len();
    let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
    let params = gpu.room("skinning parameters", size_of::<Params>() as u64, uniform)?;
    let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    let palette = gpu.room("palette", (joints * size_of::<J>()) as u64, storage)?;
    let joints_of = gpu.storage("joints", &packed.joints)?;
    let weights = gpu.storage("weights", &packed.weights)?;
    let wide_rows = gpu.storage("wide rows", &rows)?;
    let wide_influences = gpu.storage("wide influences", &influences)?;
    let module = parts.module();
    let mut shared = vec![(0, &params), (1, parts.inputs[0]), (4, &palette), (7, parts.given)];
    shared.extend(table.map(|table| (8, table)));
    let narrow = [(2, &joints_of), (3, &weights)];
    let broad = [(5, &wide_rows), (6, &wide_influences)];
    let vertices = rig.mesh.positions.len();
    let main = Stage::new(gpu, &module, "main", vertices, &[&shared[..], &narrow].concat());
    let wide =
        (!rows.is_empty()).then(|| Stage::new(gpu, &module, "wide", rows.len(), &[&shared[..], &broad].concat()));
    Ok(Box::new(SkinningNode {
        main,
        wide,
        params,
        palette,
        joints: Vec::with_capacity(joints),
        fill,
        vertices: vertices as u32,
        wide_vertices: rows.len() as u32,
        // Weights are read four at a time, whether they are zero or not.
        bytes: vertices * (12 + 8 + 16 + 12) + influences.len() * 8 + table.map_or(0, |t| t.size() as usize),
    }))
}

/// Rows and influences of the vertices with more than four influences.
fn wide_tables(packed: &Packed) -> (Vec<WideRow>, Vec<WideInfluence>) {
    let (mut rows, mut influences) = (Vec::new(), Vec::new());
    let Some(table) = &packed.wide_rows else { return (rows, influences) };
    for &vertex in &packed.wide {
        let (joints, weights) = table.row(vertex as usize);
        let begin = influences.len() as u32;
        let own = joints.iter().zip(weights);
        influences.extend(own.map(|(&joint, &weight)| WideInfluence { joint: u32::from(joint), weight }));
        rows.push(WideRow { vertex, begin, end: influences.len() as u32 });
    }
    (rows, influences)
}

impl<J: Pod + Send> GpuNode for SkinningNode<J> {
    fn prepare(&mut self, queue: &wgpu::Queue, motion: &Motion, _: Clock) {
        self.joints.clear();
        let scaled = u32::from((self.fill)(motion, &mut self.joints));
        let params = Params { vertices: self.vertices, wide: self.wide_vertices, scaled, unused: 0 };
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&self.palette, 0, bytemuck::cast_slice(&self.joints));
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
