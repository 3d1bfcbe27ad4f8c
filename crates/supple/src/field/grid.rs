//! A limb's field cached on a grid in the limb's own frame: value and gradient at every node, so that a look-up costs
//! eight reads instead of a sum over all samples.
//!
//! f = t_r(d), t_r(d) = -3/16 u⁵ + 5/8 u³ - 15/16 u + 1/2, u = d/r: 1 deep inside, 0 farther out than r.
//!
//! f(x) = Σ w_i (f_i + ½ ∇f_i · (x - x_i)), ∇f(x) = Σ w_i ∇f_i, trilinear w_i. The gradient is stored and not derived from the
//! values: a derived one jumps from cell to cell, and a jump of the gradient means contact. The added term makes quadratics
//! exact; with it 32³ nodes are better than 64³ without (largest error 0.0022 against 0.0046 on an arm).
//!
//! Far out the signed distance can fall below r again: only the region connected with the samples belongs to the support.

use super::{Hrbf, Point, Sample};
use crate::parallel::for_each_block;
use glam::{DAffine3, DMat3, DVec3, Vec3A, Vec4};

/// Nodes on a side of the coarse grid that finds the extent of the support.
const COARSE_SIDE: usize = 20;
/// Margin of the coarse grid round the samples, over the radius of the support, which ends about one radius from the skin.
const COARSE_MARGIN: f64 = 1.8;
/// Nodes of the coarse grid that one thread evaluates at a time.
const FLOOD_BLOCK: usize = 64;
/// Cells on a side of a block that shares one ceiling: 4 KB a limb at 32 nodes a side, which stay in the cache.
const CEILING_BLOCK: usize = 2;
/// Ceilings are stored as bytes in steps of one over this; a value is at most 1 and a byte's largest number means no bound.
const CEILING_STEPS: f32 = 128.0;
/// Ceilings are raised by this factor, so that rounding never takes a value above its ceiling.
const CEILING_ROUNDING: f32 = 1.001;
/// 2²³: from here on single-precision numbers have no fraction, and their lowest bits are the integer.
const INTEGERS: f32 = 8_388_608.0;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// From rest positions to node numbers.
    pub grid_from_rest: DAffine3,
    /// Nodes on a side.
    pub side: usize,
    /// Gradient, in nodes, and value of each node, x fastest.
    pub nodes: Vec<Vec4>,
    /// An upper bound of the value in each block of cells: small enough to stay in the cache, which the nodes are not.
    ceilings: Vec<u8>,
}

/// The compact support t_r: value and derivative at a signed distance.
pub fn support(d: f64, radius: f64) -> (f64, f64) {
    let u = d / radius;
    if u <= -1.0 {
        return (1.0, 0.0);
    }
    if u >= 1.0 {
        return (0.0, 0.0);
    }
    let u2 = u * u;
    let value = ((-3.0 / 16.0 * u2 + 5.0 / 8.0) * u2 - 15.0 / 16.0) * u + 0.5;
    (value, -15.0 / (16.0 * radius) * (1.0 - u2) * (1.0 - u2))
}

/// A box of nodes in a limb's frame.
struct Lattice {
    rest_from_frame: DAffine3,
    low: DVec3,
    step: DVec3,
    side: usize,
}

impl Lattice {
    fn at(&self, node: usize) -> DVec3 {
        let n = self.side;
        let index = DVec3::new((node % n) as f64, (node / n % n) as f64, (node / n / n) as f64);
        self.rest_from_frame.transform_point3(self.low + index * self.step)
    }

    fn nearest(&self, frame: DVec3) -> [usize; 3] {
        [0, 1, 2].map(|axis| self.nearest_along(axis, frame[axis]))
    }

    fn nearest_along(&self, axis: usize, frame: f64) -> usize {
        ((frame - self.low[axis]) / self.step[axis]).round().clamp(0.0, (self.side - 1) as f64) as usize
    }

    fn flat(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.side + y) * self.side + x
    }
}

impl Grid {
    /// Caches a field of the given radius. `axis` is the direction its box is aligned with. None where no node is inside
    /// the support.
    pub fn bake(field: &Hrbf, radius: f64, samples: &[Point], axis: DVec3, side: usize) -> Option<Self> {
        let x = axis.try_normalize().unwrap_or(DVec3::X);
        let y = x.any_orthonormal_vector();
        let rotation = DMat3::from_cols(x, y, x.cross(y));
        let rest_from_frame = DAffine3::from_mat3(rotation);
        let placed: Vec<DVec3> = samples.iter().map(|p| rotation.transpose() * p.at).collect();
        let margin = DVec3::splat(COARSE_MARGIN * radius);
        let low = placed.iter().copied().reduce(DVec3::min)? - margin;
        let high = placed.iter().copied().reduce(DVec3::max)? + margin;
        let coarse = Lattice { rest_from_frame, low, step: (high - low) / (COARSE_SIDE - 1) as f64, side: COARSE_SIDE };
        let reached = flood(&coarse, field, radius, &placed);
        let (mut first, mut last) = ([COARSE_SIDE; 3], [0; 3]);
        for node in (0..reached.len()).filter(|&n| reached[n]) {
            let index = coarse_index(node);
            for k in 0..3 {
                first[k] = first[k].min(index[k]);
                last[k] = last[k].max(index[k]);
            }
        }
        if first[0] > last[0] {
            return None;
        }
        let place = |index: [usize; 3]| coarse.low + DVec3::from(index.map(|i| i as f64)) * coarse.step;
        let low = place(first.map(|i| i.saturating_sub(1)));
        let high = place(last.map(|i| (i + 1).min(COARSE_SIDE - 1)));
        let fine = Lattice { rest_from_frame, low, step: (high - low) / (side - 1) as f64, side };
        let near = widened(&reached);
        // Both grids lie along the same axes.
        let coarse_of = |axis, i| coarse.nearest_along(axis, fine.low[axis] + i as f64 * fine.step[axis]);
        let [xs, ys, zs] = [0, 1, 2].map(|axis| (0..side).map(|i| coarse_of(axis, i)).collect::<Vec<usize>>());
        let mut nodes = vec![Vec4::ZERO; side * side * side];
        for_each_block(&mut nodes, side * side, |first, block| {
            let z = zs[first / side / side];
            let is_near = |i: usize| near[coarse.flat([xs[i % side], ys[i / side], z])];
            let near: Vec<usize> = (0..block.len()).filter(|i| is_near(*i)).collect();
            for four in near.chunks(4) {
                let at = [0, 1, 2, 3].map(|k| fine.at(first + four[k.min(four.len() - 1)]));
                for (&i, (d, gradient)) in four.iter().zip(field.four_distances(at)) {
                    let (value, slope) = support(d, radius);
                    let gradient = rotation.transpose() * (slope * gradient) * fine.step;
                    block[i] = gradient.as_vec3().extend(value as f32);
                }
            }
        });
        let grid_from_frame = DAffine3::from_scale(fine.step.recip()) * DAffine3::from_translation(-low);
        let grid_from_rest = grid_from_frame * DAffine3::from_mat3(rotation.transpose());
        Some(Self::new(grid_from_rest, side, nodes))
    }

    fn new(grid_from_rest: DAffine3, side: usize, nodes: Vec<Vec4>) -> Self {
        let blocks = side.div_ceil(CEILING_BLOCK);
        let mut ceilings = vec![0u8; blocks * blocks * blocks];
        for (node, at) in nodes.iter().enumerate().filter(|(_, at)| **at != Vec4::ZERO) {
            // It is a corner of the cells on both sides of it: a cell, and the most that half its slope adds there.
            let both = |i: usize, slope: f32| [(i, slope.max(0.0)), (i.saturating_sub(1), (-slope).max(0.0))];
            for (z, up_z) in both(node / side / side, at.z) {
                for (y, up_y) in both(node / side % side, at.y) {
                    for (x, up_x) in both(node % side, at.x) {
                        let most = at.w + 0.5 * (up_x + up_y + up_z);
                        let ceiling = (CEILING_ROUNDING * most * CEILING_STEPS).ceil() as u8;
                        let highest = &mut ceilings
                            [(z / CEILING_BLOCK * blocks + y / CEILING_BLOCK) * blocks + x / CEILING_BLOCK];
                        *highest = ceiling.max(*highest);
                    }
                }
            }
        }
        Self { grid_from_rest, side, nodes, ceilings }
    }

    /// Blocks on a side.
    pub fn blocks(&self) -> usize {
        self.side.div_ceil(CEILING_BLOCK)
    }

    /// An upper bound of the value in a block: 0 outside of the support.
    #[inline(always)]
    pub fn ceiling(&self, block: usize) -> f32 {
        let found = self.ceilings[block];
        if found == u8::MAX { f32::INFINITY } else { f32::from(found) * (1.0 / CEILING_STEPS) }
    }

    /// The field at a place given in nodes, its gradient in nodes too; none outside of the box.
    #[inline(always)]
    pub fn look_up(&self, at: Vec3A) -> Option<Sample> {
        let last = (self.side - 1) as f32;
        if at.cmplt(Vec3A::ZERO).any() || !at.cmple(Vec3A::splat(last)).all() {
            return None;
        }
        // The nearest integer, or the one below it where that is larger: floor without a call.
        let next = (at + Vec3A::splat(INTEGERS)) - Vec3A::splat(INTEGERS);
        let below = next - Vec3A::select(next.cmpgt(at), Vec3A::ONE, Vec3A::ZERO);
        let cell = below.min(Vec3A::splat(last - 1.0));
        let t = at - cell;
        let u = Vec3A::ONE - t;
        let side = self.side;
        let [x, y, z] = (cell + Vec3A::splat(INTEGERS)).to_array().map(integer);
        let first = (z * side + y) * side + x;
        let block = &self.nodes[first..first + (side + 1) * side + 2];
        let (yz00, yz10, yz01, yz11) = (u.y * u.z, t.y * u.z, u.y * t.z, t.y * t.z);
        let n000 = block[0] * (u.x * yz00);
        let n100 = block[1] * (t.x * yz00);
        let n010 = block[side] * (u.x * yz10);
        let n110 = block[side + 1] * (t.x * yz10);
        let n001 = block[side * side] * (u.x * yz01);
        let n101 = block[side * side + 1] * (t.x * yz01);
        let n011 = block[side * side + side] * (u.x * yz11);
        let n111 = block[side * side + side + 1] * (t.x * yz11);
        let x1 = (n100 + n110) + (n101 + n111);
        let x0 = (n000 + n010) + (n001 + n011);
        let y1 = (n010 + n110) + (n011 + n111);
        let z1 = (n001 + n101) + (n011 + n111);
        let sum = x0 + x1;
        let gradient = Vec3A::from_vec4(sum);
        let correction = t.dot(gradient) - (x1.x + y1.y + z1.z);
        Some(Sample { value: sum.w + 0.5 * correction, gradient })
    }

    /// The largest length of the gradient at a node, at rest.
    pub fn steepest(&self) -> f64 {
        let to_rest = self.grid_from_rest.matrix3.transpose();
        self.nodes.iter().map(|n| (to_rest * n.truncate().as_dvec3()).length()).fold(0.0, f64::max)
    }

    /// The largest slope of the values from a node to the next, at rest: more than [`Self::steepest`] where a part of the field
    /// is cut off that is not connected with the samples, and no bound at all where the box cuts it.
    pub fn sharpest(&self) -> f64 {
        let (to_rest, side) = (self.grid_from_rest.matrix3.transpose(), self.side);
        let mut sharpest = 0f64;
        for (node, at) in self.nodes.iter().enumerate() {
            let index = [node % side, node / side % side, node / side / side];
            if at.w != 0.0 && index.iter().any(|i| *i == 0 || i + 1 == side) {
                return f64::INFINITY;
            }
            let next =
                |axis: usize| if index[axis] + 1 < side { self.nodes[node + side.pow(axis as u32)].w } else { at.w };
            let slope = DVec3::from([0, 1, 2].map(|axis| f64::from(next(axis) - at.w)));
            if slope != DVec3::ZERO {
                sharpest = sharpest.max((to_rest * slope).length_squared());
            }
        }
        sharpest.sqrt()
    }

    /// Bytes of the nodes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Vec4>()
    }
}

/// A number that [`INTEGERS`] was added to, as an index.
#[inline(always)]
fn integer(number: f32) -> usize {
    number.to_bits().wrapping_sub(INTEGERS.to_bits()) as usize
}

/// The blocks of places inside of four grids, given in nodes, axis by axis; `blocks` are those on a side.
#[inline(always)]
pub fn blocks_of(places: &[Vec4; 3], blocks: Vec4) -> [usize; 4] {
    let [x, y, z] = places.map(|place| {
        let block = place * (1.0 / CEILING_BLOCK as f32);
        let next = (block + Vec4::splat(INTEGERS)) - Vec4::splat(INTEGERS);
        next - Vec4::select(next.cmpgt(block), Vec4::ONE, Vec4::ZERO)
    });
    ((z * blocks + y) * blocks + x + Vec4::splat(INTEGERS)).to_array().map(integer)
}

fn coarse_index(node: usize) -> [usize; 3] {
    [node % COARSE_SIDE, node / COARSE_SIDE % COARSE_SIDE, node / COARSE_SIDE / COARSE_SIDE]
}

/// A node of the coarse grid and all it touches.
fn around([x, y, z]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let span = |i: usize| i.saturating_sub(1)..=(i + 1).min(COARSE_SIDE - 1);
    span(z).flat_map(move |z| span(y).flat_map(move |y| span(x).map(move |x| [x, y, z])))
}

/// Those nodes of the coarse grid and all they touch.
fn widened(reached: &[bool]) -> Vec<bool> {
    let mut wide = vec![false; reached.len()];
    for node in (0..reached.len()).filter(|&n| reached[n]) {
        for [x, y, z] in around(coarse_index(node)) {
            wide[(z * COARSE_SIDE + y) * COARSE_SIDE + x] = true;
        }
    }
    wide
}

/// Nodes inside the support that are connected with a sample.
fn flood(coarse: &Lattice, field: &Hrbf, radius: f64, placed: &[DVec3]) -> Vec<bool> {
    let mut reached = vec![false; COARSE_SIDE * COARSE_SIDE * COARSE_SIDE];
    let mut tried = reached.clone();
    let mut front: Vec<[usize; 3]> = placed.iter().map(|p| coarse.nearest(*p)).collect();
    // A node next to a sample counts even if the limb is so thin that the node is outside: the sample is inside.
    front.iter().for_each(|n| reached[coarse.flat(*n)] = true);
    // Ring by ring, so that many nodes are evaluated at once.
    while !front.is_empty() {
        front.retain(|n| !std::mem::replace(&mut tried[coarse.flat(*n)], true));
        let mut inside: Vec<(usize, bool)> = front.iter().map(|n| (coarse.flat(*n), true)).collect();
        for_each_block(&mut inside, FLOOD_BLOCK, |_, block| {
            for four in block.chunks_mut(4) {
                let at = [0, 1, 2, 3].map(|k| coarse.at(four[k.min(four.len() - 1)].0));
                for (node, (d, _)) in four.iter_mut().zip(field.four_distances(at)) {
                    node.1 = d < radius;
                }
            }
        });
        let mut next = Vec::new();
        for (node, (flat, inside)) in front.iter().zip(inside) {
            reached[flat] |= inside;
            if reached[flat] {
                next.extend(around(*node).filter(|n| !tried[coarse.flat(*n)]));
            }
        }
        front = next;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field that is quadratic, put on a grid by hand.
    fn quadratic() -> Grid {
        let side = 5;
        let value = |p: DVec3| 0.3 + 0.1 * p.x - 0.02 * p.y * p.z + 0.03 * p.x * p.x;
        let slope = |p: DVec3| DVec3::new(0.1 + 0.06 * p.x, -0.02 * p.z, -0.02 * p.y);
        let node = |i: usize| {
            let p = DVec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
            slope(p).as_vec3().extend(value(p) as f32)
        };
        Grid::new(DAffine3::IDENTITY, side, (0..side * side * side).map(node).collect())
    }

    #[test]
    fn quadratics_are_looked_up_exactly() {
        let grid = quadratic();
        for at in [Vec3A::new(1.3, 2.7, 0.2), Vec3A::new(0.0, 4.0, 3.99), Vec3A::splat(4.0)] {
            let found = grid.look_up(at).unwrap();
            let p = at.as_dvec3();
            let exact = 0.3 + 0.1 * p.x - 0.02 * p.y * p.z + 0.03 * p.x * p.x;
            assert!((f64::from(found.value) - exact).abs() < 1e-6, "{at}: {} is not {exact}", found.value);
            assert!((found.gradient.x - (0.1 + 0.06 * at.x)).abs() < 1e-6);
        }
    }

    fn ceiling(grid: &Grid, at: Vec3A) -> f32 {
        let places = at.to_array().map(Vec4::splat);
        grid.ceiling(blocks_of(&places, Vec4::splat(grid.blocks() as f32))[2])
    }

    #[test]
    fn no_value_exceeds_its_ceiling() {
        let grid = quadratic();
        for i in 0..9 * 9 * 9 {
            let at = Vec3A::new((i % 9) as f32, (i / 9 % 9) as f32, (i / 81) as f32) * 0.5;
            assert!(grid.look_up(at).unwrap().value <= ceiling(&grid, at), "{at}");
        }
        let mut nodes = vec![Vec4::ZERO; 125];
        nodes[0].w = 0.5;
        let grid = Grid::new(DAffine3::IDENTITY, 5, nodes);
        assert_eq!([0.9, 2.1].map(|x| ceiling(&grid, Vec3A::new(x, 0.1, 1.9))), [65.0 / 128.0, 0.0]);
    }

    #[test]
    fn outside_of_the_box_there_is_nothing() {
        let grid = quadratic();
        for at in [Vec3A::new(-0.01, 1.0, 1.0), Vec3A::new(1.0, 4.01, 1.0), Vec3A::NAN, Vec3A::splat(1e30)] {
            assert_eq!(grid.look_up(at), None);
        }
    }

    #[test]
    fn the_support_is_smooth_at_its_ends_and_half_on_the_surface() {
        assert_eq!(support(0.0, 2.0).0, 0.5);
        assert_eq!(support(-2.0, 2.0), (1.0, 0.0));
        assert_eq!(support(2.0, 2.0), (0.0, 0.0));
        let h = 1e-6;
        let slope = (support(0.7 + h, 2.0).0 - support(0.7 - h, 2.0).0) / (2.0 * h);
        assert!((slope - support(0.7, 2.0).1).abs() < 1e-8);
    }
}
