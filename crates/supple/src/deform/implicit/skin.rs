//! The skin of the tracker: welded points ordered so that those of one limb are together, with their one-rings, the lengths
//! of their edges, and their mean-value coordinates in their one-rings.

use crate::{parallel, rig::Topology};
use glam::{DVec3, Vec3, Vec3A};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Points of a block, along the order.
pub const SKIN_BLOCK: usize = 64;

/// See the module. All indices are in the tracker's order.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Welded point of each place in the order.
    pub order: Vec<u32>,
    /// Rest positions.
    pub rest: Vec<Vec3A>,
    /// Mean length of a point's edges at rest.
    pub edge: Vec<f32>,
    /// On a border or on an edge with other than two triangles.
    pub border: Vec<bool>,
    starts: Vec<u32>,
    ring: Vec<u32>,
    /// Blocks with neighbours of a block's points, block by block, and where those of each begin.
    beside: Vec<u32>,
    beside_starts: Vec<u32>,
    /// Mean-value coordinates, in the order of `ring`; all zero where there are none.
    phi: Vec<f32>,
    /// Whether a point has coordinates.
    has_phi: Vec<bool>,
    /// Middle of the box of what bends.
    pub middle: DVec3,
    /// Diagonal of that box.
    pub diagonal: f64,
}

impl Skin {
    /// Orders the points by their limb, then along a curve through the box of what bends.
    pub fn new(topology: &Topology, at: &[Vec3], normals: &[Vec3], limb_of: &[u32], (low, high): (Vec3, Vec3)) -> Self {
        let size = (high - low).max_element().max(f32::MIN_POSITIVE);
        let key = |i: u32| (limb_of[i as usize], curve((at[i as usize] - low) / size), i);
        let mut keys: Vec<(u32, u32, u32)> = (0..at.len() as u32).map(key).collect();
        parallel::sort_by(&mut keys, Ord::cmp);
        let order: Vec<u32> = keys.into_iter().map(|key| key.2).collect();
        let mut place = vec![0u32; at.len()];
        (0u32..).zip(&order).for_each(|(new, &old)| place[old as usize] = new);
        let mut border = vec![false; at.len()];
        for (e, uses) in topology.edges.iter().zip(&topology.edge_uses) {
            if *uses != 2 {
                e.iter().for_each(|&v| border[place[v as usize] as usize] = true);
            }
        }
        let (mut starts, mut ring, mut edge) = (vec![0u32], Vec::new(), Vec::new());
        for &old in &order {
            // A point that is not finite must not move its neighbours.
            let neighbours = topology.ring(old).iter().filter(|&&n| at[n as usize].is_finite());
            ring.extend(neighbours.clone().map(|&n| place[n as usize]));
            let count = ring.len() as u32 - starts.last().copied().unwrap_or(0);
            starts.push(ring.len() as u32);
            let length = |&n: &u32| at[old as usize].distance(at[n as usize]);
            edge.push(neighbours.map(length).sum::<f32>() / count.max(1) as f32);
        }
        let (mut beside, mut beside_starts) = (Vec::new(), vec![0u32]);
        for first in (0..at.len()).step_by(SKIN_BLOCK) {
            let [from, to] = [first, (first + SKIN_BLOCK).min(at.len())].map(|i| starts[i] as usize);
            let mut blocks: Vec<u32> = ring[from..to].iter().map(|n| n / SKIN_BLOCK as u32).collect();
            blocks.sort_unstable();
            blocks.dedup();
            beside.extend(blocks);
            beside_starts.push(beside.len() as u32);
        }
        let mut skin = Self {
            rest: order.iter().map(|&i| at[i as usize].into()).collect(),
            order,
            edge,
            border,
            starts,
            phi: vec![0.0; ring.len()],
            has_phi: vec![false; at.len()],
            ring,
            beside,
            beside_starts,
            middle: (0.5 * (low + high)).as_dvec3(),
            diagonal: f64::from(low.distance(high)),
        };
        skin.set_coordinates(topology, at, normals, &place);
        skin
    }

    /// Mean-value coordinates of each point in its ring, laid into the tangent plane (Hormann, Floater 2006).
    fn set_coordinates(&mut self, topology: &Topology, at: &[Vec3], normals: &[Vec3], place: &[u32]) {
        for t in topology.triangles.iter().filter(|t| t.iter().all(|&v| at[v as usize].is_finite())) {
            for corner in 0..3 {
                let [i, j, k] = [0, 1, 2].map(|n| t[(corner + n) % 3]);
                let (here, n) = (at[i as usize].as_dvec3(), normals[i as usize].as_dvec3());
                let flat = |v: u32| (at[v as usize].as_dvec3() - here).reject_from_normalized(n);
                let (a, b) = (flat(j), flat(k));
                let half = (0.5 * a.cross(b).dot(n).atan2(a.dot(b))).tan();
                let row = place[i as usize] as usize;
                for (v, length) in [(j, a.length()), (k, b.length())] {
                    let ring = self.starts[row] as usize..self.starts[row + 1] as usize;
                    let slot = ring.clone().find(|&q| self.ring[q] == place[v as usize]).expect("in its ring");
                    self.phi[slot] += (half / length) as f32;
                }
            }
        }
        for (row, border) in self.border.iter().enumerate() {
            let ring = self.starts[row] as usize..self.starts[row + 1] as usize;
            let phi = &mut self.phi[ring];
            let sum: f32 = phi.iter().sum();
            let bad = *border || !(sum > 0.0 && sum.is_finite()) || phi.iter().any(|w| *w < 0.0);
            phi.iter_mut().for_each(|w| *w = if bad { 0.0 } else { *w / sum });
            self.has_phi[row] = phi.iter().any(|w| *w != 0.0);
        }
    }

    /// Neighbours of a point.
    #[inline(always)]
    pub fn ring(&self, point: u32) -> &[u32] {
        &self.ring[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }

    /// The blocks in which a block's points have neighbours.
    #[inline(always)]
    pub fn beside(&self, block: usize) -> &[u32] {
        &self.beside[self.beside_starts[block] as usize..self.beside_starts[block + 1] as usize]
    }

    /// Coordinates of a point among its neighbours.
    #[inline(always)]
    pub fn coordinates(&self, point: u32) -> &[f32] {
        &self.phi[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }

    /// A quantity of its one-ring, interpolated at a point by its coordinates; none where it has none.
    #[inline(always)]
    pub fn interpolated(&self, point: u32, of: impl Fn(u32) -> Vec3A) -> Option<Vec3A> {
        let all = || self.ring(point).iter().zip(self.coordinates(point));
        self.has_phi[point as usize].then(|| all().map(|(&n, w)| *w * of(n)).sum())
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Mean of a quantity over a one-ring.
    #[inline(always)]
    pub fn mean(&self, point: u32, of: impl Fn(u32) -> Vec3A) -> Vec3A {
        let ring = self.ring(point);
        ring.iter().map(|&n| of(n)).sum::<Vec3A>() / ring.len().max(1) as f32
    }
}

/// Shortest paths along edges at rest, from a piece of skin to the points round it. Reuses its memory.
pub struct Ways {
    way: Vec<f32>,
    reached: Vec<u32>,
    ahead: BinaryHeap<(Reverse<u32>, u32)>,
}

impl Ways {
    /// For so many points.
    pub fn new(points: usize) -> Self {
        Self { way: vec![f32::INFINITY; points], reached: Vec::new(), ahead: BinaryHeap::new() }
    }

    /// Calls `tell` with every point that is not in the piece and nearer to it than `farthest`, and its distance.
    pub fn find(
        &mut self,
        skin: &Skin,
        farthest: f32,
        piece: &[u32],
        is_in: impl Fn(u32) -> bool,
        mut tell: impl FnMut(u32, f32),
    ) {
        for &i in piece {
            self.way[i as usize] = 0.0;
            self.reached.push(i);
            if skin.ring(i).iter().any(|&n| !is_in(n)) {
                self.ahead.push((Reverse(0), i));
            }
        }
        // Lengths are not negative, so that their bits are in their order.
        while let Some((Reverse(bits), i)) = self.ahead.pop() {
            let gone = f32::from_bits(bits);
            if gone > self.way[i as usize] {
                continue;
            }
            for &n in skin.ring(i) {
                let way = gone + skin.rest[i as usize].distance(skin.rest[n as usize]);
                if way < farthest && way < self.way[n as usize] {
                    if self.way[n as usize] == f32::INFINITY {
                        self.reached.push(n);
                    }
                    self.way[n as usize] = way;
                    self.ahead.push((Reverse(way.to_bits()), n));
                }
            }
        }
        for i in self.reached.drain(..) {
            let way = std::mem::replace(&mut self.way[i as usize], f32::INFINITY);
            if !is_in(i) {
                tell(i, way);
            }
        }
    }
}

/// The position of a place in the unit cube along the Morton curve, on which near places are close together.
fn curve(p: Vec3) -> u32 {
    let spread = |x: f32| {
        let mut v = (x * 1023.0).clamp(0.0, 1023.0) as u32;
        v = (v | (v << 16)) & 0x0300_00FF;
        v = (v | (v << 8)) & 0x0300_F00F;
        v = (v | (v << 4)) & 0x030C_30C3;
        (v | (v << 2)) & 0x0924_9249
    };
    spread(p.x) | (spread(p.y) << 1) | (spread(p.z) << 2)
}
