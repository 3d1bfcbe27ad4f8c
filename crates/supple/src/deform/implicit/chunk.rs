//! Chunks: runs of points that lie together share the list of limbs near them, and whether anything near them moves.

use super::{skin::Skin, track::NEAR_RADIUS};
use crate::{
    constant::Constant,
    field::{
        Body, FourGrids,
        compose::{MOST, Posed, joined},
    },
    pose::Motion,
};
use glam::Vec3A;

/// Points in a chunk.
pub const CHUNK: usize = 64;
/// Limbs near a chunk at most, and pairs; further ones are ignored.
pub const MOST_NEAR: usize = 4 * MOST;
/// Margin round the points of a chunk, over the radius of their limb, within which limbs are near: points move while they are tracked.
/// No less than [`NEAR_RADIUS`], or a point would miss limbs near it where it starts. More costs time: each point looks through
/// all limbs of its chunk.
const CHUNK_MARGIN: f32 = NEAR_RADIUS;
/// Motions are the same that differ by less than this at the middle of what bends, over its diagonal, and in their axes: a tenth of what
/// every method may miss, and far above the rounding of double precision.
const SAME_MOTION: f64 = 1e-6;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    crate::constants![CHUNK, MOST_NEAR, CHUNK_MARGIN]
}

/// What is near one chunk.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Positions at which its points begin.
    pub begin: Vec<Vec3A>,
    /// Limbs whose grids its points can enter.
    pub near: Vec<u16>,
    /// The same four by four, for look-ups.
    pub fours: Vec<FourGrids>,
    /// Pairs of those whose operator is not a union.
    pub pairs: Vec<u16>,
    /// Everything near it moves by one motion: there is nothing to do.
    pub still: bool,
}

impl Chunk {
    /// Takes the memory.
    pub fn new() -> Self {
        let most = |n| Vec::with_capacity(n);
        let fours = Vec::with_capacity(MOST_NEAR.div_ceil(4));
        let begin = Vec::with_capacity(CHUNK);
        Self { begin, near: most(MOST_NEAR), fours, pairs: most(MOST_NEAR), still: false }
    }

    /// Finds the limbs near its points where they begin.
    pub fn look(&mut self, body: &Body, posed: &Posed, radius: f32) {
        self.near.clear();
        self.fours.clear();
        self.pairs.clear();
        let (mut low, mut high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for p in self.begin.iter().filter(|p| p.is_finite()) {
            (low, high) = (low.min(*p), high.max(*p));
        }
        let half = 0.5 * (high - low) + Vec3A::splat(CHUNK_MARGIN * radius);
        let middle = 0.5 * (low + high);
        for limb in 0..body.limbs.len() {
            if self.near.len() < MOST_NEAR && posed.touches(limb, middle, half) {
                self.near.push(limb as u16);
            }
        }
        self.fours.extend(self.near.chunks(4).map(|limbs| posed.four(limbs)));
        let most = self.pairs.capacity();
        self.pairs.extend(joined(body, &self.near).take(most));
    }

    /// Whether all joints that matter here have moved by one motion: those near, and `joints`, which have a say at rest.
    pub fn rest_together(&self, joints: &[u16], body: &Body, groups: &[u16]) -> bool {
        let limbs = self.near.iter().map(|l| body.limbs[usize::from(*l)].limb.joint);
        let mut all = joints.iter().map(|j| usize::from(*j)).chain(limbs).map(|j| groups[j]);
        let Some(first) = all.next() else { return true };
        all.all(|g| g == first)
    }
}

/// Joints that have moved by the same motion get the same number.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Number of each joint.
    pub of: Vec<u16>,
    first: Vec<u16>,
}

impl Groups {
    /// Takes the memory.
    pub fn new(joints: usize) -> Self {
        Self { of: Vec::with_capacity(joints), first: Vec::with_capacity(joints) }
    }

    /// Compares the joints of a frame.
    pub fn update(&mut self, motion: &Motion, skin: &Skin) {
        self.of.clear();
        self.first.clear();
        for (joint, m) in motion.exact.iter().enumerate() {
            let same = |other: &u16| {
                let o = &motion.exact[usize::from(*other)];
                let turned = [
                    m.matrix3.x_axis - o.matrix3.x_axis,
                    m.matrix3.y_axis - o.matrix3.y_axis,
                    m.matrix3.z_axis - o.matrix3.z_axis,
                ];
                let moved = m.transform_point3(skin.middle).distance(o.transform_point3(skin.middle));
                turned.iter().all(|d| d.length() < SAME_MOTION) && moved < SAME_MOTION * skin.diagonal
            };
            match self.first.iter().position(same) {
                Some(group) => self.of.push(group as u16),
                None => {
                    self.of.push(self.first.len() as u16);
                    self.first.push(joint as u16);
                }
            }
        }
    }
}
