use super::BLOCK;
use crate::{
    deform::BindError,
    parallel::for_each_block,
    rig::{Rig, Weights},
};
use glam::Vec3;

/// The weights as the vertex loops want them: four influences side by side, heaviest first, and the few vertices that
/// have more in a list of their own.
#[derive(Debug)]
pub struct Packed {
    /// Padded with the first joint at weight zero.
    pub joints: Vec<[u16; 4]>,
    /// The weights of `joints`.
    pub weights: Vec<[f32; 4]>,
    /// The most influences of each run of [`RUN`] vertices, at most four: the loop stops there.
    pub widths: Vec<u8>,
    /// Vertices with more than four influences, ascending.
    pub wide: Vec<u32>,
    /// The whole rows of all vertices, kept only where some are wide.
    pub wide_rows: Option<Weights>,
    entries: usize,
}

/// Vertices that share one loop bound. Neighbours in a file mostly have as many influences as each other.
pub const RUN: usize = 16;

impl Packed {
    /// Packs the weights of a rig for a method, or says why that cannot be.
    pub fn of(method: &'static str, rig: &Rig) -> Result<Self, BindError> {
        let weights = rig.weights.as_ref().ok_or_else(|| BindError::NoWeights { method, rig: rig.name.clone() })?;
        let vertices = rig.mesh.positions.len();
        let named = weights.largest_joint().map_or(0, |j| usize::from(j) + 1);
        if weights.len() != vertices || named > rig.skeleton.len() {
            let (rows, skeleton) = (weights.len(), rig.skeleton.len());
            return Err(BindError::WeightsMismatch { rows, joints: named, vertices, skeleton });
        }
        if let Some(triangle) = rig.mesh.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= vertices)) {
            return Err(BindError::Corner { method, triangle, vertices });
        }
        let mut packed = Self {
            joints: Vec::with_capacity(vertices),
            weights: Vec::with_capacity(vertices),
            widths: vec![1; vertices.div_ceil(RUN)],
            wide: Vec::new(),
            wide_rows: None,
            entries: weights.entries(),
        };
        for v in 0..vertices {
            let (joints, values) = weights.row(v);
            packed.joints.push(std::array::from_fn(|k| joints.get(k).copied().unwrap_or(joints[0])));
            packed.weights.push(std::array::from_fn(|k| values.get(k).copied().unwrap_or(0.0)));
            let width = &mut packed.widths[v / RUN];
            *width = (*width).max(joints.len().min(4) as u8);
            if joints.len() > 4 {
                packed.wide.push(v as u32);
            }
        }
        packed.wide_rows = (!packed.wide.is_empty()).then(|| weights.clone());
        Ok(packed)
    }

    /// Calls `run(first, width, rest, joints, weights, out)` for every run of vertices, on all threads.
    #[inline(always)]
    pub(crate) fn for_each_run(
        &self,
        rest: &[Vec3],
        out: &mut [Vec3],
        run: impl Fn(usize, u8, &[Vec3], &[[u16; 4]], &[[f32; 4]], &mut [Vec3]) + Sync + Send,
    ) {
        for_each_block(out, BLOCK, |first, block| {
            for (i, out) in block.chunks_mut(RUN).enumerate() {
                let v = first + i * RUN;
                let range = v..v + out.len();
                let (joints, weights) = (&self.joints[range.clone()], &self.weights[range.clone()]);
                run(v, self.widths[v / RUN], &rest[range], joints, weights, out);
            }
        });
    }

    /// Influences of all vertices together.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Rest position in, moved position out, and the weights that are not zero.
    pub fn bytes_per_frame(&self) -> usize {
        self.joints.len() * 2 * size_of::<Vec3>() + self.entries * (size_of::<u16>() + size_of::<f32>())
    }
}
