//! Rows of the tables as the kernels of `kernels/implicit/tables.wgsl` have them, and the tables of a frame.

use super::words::Crop;
use crate::operator::KernelOperator;
use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use std::mem::offset_of;
use supple::{constant::Constant, constants, deform::implicit::TrackerTables};

/// The kernels' `Params`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub points: u32,
    pub vertices: u32,
    pub limbs: u32,
    pub joined: u32,
    pub sigma: f32,
    pub contact: f32,
    pub least: f32,
    pub farthest: f32,
    pub diffusion: u32,
    pub folds: u32,
    pub carries: u32,
    pub groups: u32,
    pub turned: u32,
    pub first_of: u32,
    pub limb_joints: u32,
    pub chunk_joints: u32,
    pub ring_starts: u32,
    pub ring: u32,
    pub phi: u32,
    pub pair_of: u32,
    pub pairs: u32,
    pub doubts: u32,
}

/// The kernels' `Dispatch`: what differs between two uses of a kernel.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Dispatch {
    pub turn: u32,
    pub steps: u32,
    pub here: u32,
    pub round: u32,
}

/// The kernels' `Known`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Known {
    pub iso: f32,
    pub own: f32,
    pub deficit: f32,
    pub edge: f32,
    pub packed: u32,
    pub merged: [u32; 2],
    pub radius: f32,
    pub ring: [u32; 8],
    pub phi: [f32; 8],
    pub rest: Vec3,
    pub past: f32,
    pub pair: u32,
    pub other: u32,
    pub is_first: u32,
    pub is_doubted: u32,
}

/// The kernels' `Vertex`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    pub point: u32,
    pub amount: f32,
}

/// A pair of limbs whose operator is not a union: a row of words.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Pair {
    pub limbs: [u32; 2],
    pub widths: [f32; 2],
    pub operator: KernelOperator,
}

/// The kernels' `PosedLimb`: four vectors of a frame.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PosedLimb {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
    pub nodes: [u32; 3],
    pub first: u32,
}

/// The kernels' `Fold`: three vectors of a frame.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Fold {
    pub at: Vec3,
    pub bend: f32,
    pub towards: Vec3,
    pub turned: f32,
    pub across: Vec3,
    pub radius: f32,
}

/// Words of a [`Pair`], and where its parts begin.
pub(crate) const PAIR_WORDS: usize = size_of::<Pair>() / 4;
const PAIR_LIMBS: usize = offset_of!(Pair, limbs) / 4;
const PAIR_WIDTHS: usize = offset_of!(Pair, widths) / 4;
const PAIR_OPERATOR: usize = offset_of!(Pair, operator) / 4;
/// Vectors of a frame for each limb, for each pair, and for each map from rest.
pub(crate) const LIMB_VECTORS: usize = size_of::<PosedLimb>() / size_of::<Vec4>();
pub(crate) const FOLD_VECTORS: usize = size_of::<Fold>() / size_of::<Vec4>();
pub(crate) const CARRY_VECTORS: usize = 3;

/// The constants that say where rows begin.
pub(crate) fn constants() -> Vec<Constant> {
    let pairs = constants![PAIR_WORDS, PAIR_LIMBS, PAIR_WIDTHS, PAIR_OPERATOR];
    [pairs, constants![LIMB_VECTORS, FOLD_VECTORS, CARRY_VECTORS]].concat()
}

/// Limbs, folds, what limbs carry, groups and turns of the pose that the tables were given last.
pub(crate) fn frame(tables: &TrackerTables, crops: &[Crop], out: &mut Vec<u8>) {
    out.clear();
    for (limb, Crop { low, count, first }) in crops.iter().enumerate() {
        let rows = tables.limb_rows(limb);
        // Of a limb that is nowhere the rows are such that no point is inside, wherever the box begins.
        let [x, y, z] = std::array::from_fn(|k| rows[k] - Vec4::W * low[k] as f32);
        out.extend(bytemuck::bytes_of(&PosedLimb { x, y, z, nodes: *count, first: *first }));
    }
    for pair in 0..tables.body().pairs.len() {
        let &supple::field::compose::Fold { at, towards, across, bend, turned, radius } = tables.fold(pair);
        let (at, towards, across) = (at.into(), towards.into(), across.into());
        out.extend(bytemuck::bytes_of(&Fold { at, bend, towards, turned, across, radius }));
    }
    for limb in 0..crops.len() {
        out.extend(bytemuck::bytes_of::<[Vec4; CARRY_VECTORS]>(&tables.carry_rows(limb)));
    }
    let whole = |out: &mut Vec<u8>| out.resize(out.len().next_multiple_of(size_of::<Vec4>()), 0);
    let groups: Vec<f32> = tables.groups().iter().map(|g| f32::from(*g)).collect();
    out.extend(bytemuck::cast_slice(&groups));
    whole(out);
    out.extend(bytemuck::cast_slice(tables.turned()));
    whole(out);
}
