//! Marching tetrahedra: a closed manifold from a field, on a grid whose planes may lie closer where parts are thin.

use super::field::Shape;
use crate::parallel::for_each_block;
use glam::DVec3;

/// Planes of a grid, ascending.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub planes: [Vec<f64>; 3],
}

/// Planes from `low` to `high`, `step` apart but `fine` within the given stretches.
pub(super) fn planes(low: f64, high: f64, step: f64, fine: &[(f64, f64, f64)]) -> Vec<f64> {
    let mut at = low - step;
    let mut all = vec![at];
    while at < high + step {
        let inside = fine.iter().filter(|(from, to, _)| at >= from - step && at < *to);
        at += inside.fold(step, |least, &(_, _, fine)| least.min(fine));
        all.push(at);
    }
    all
}

impl Grid {
    /// A box round the shape in equal steps.
    pub fn even(shape: &Shape, step: f64) -> Self {
        let (low, high) = shape.bounds();
        Self { planes: std::array::from_fn(|k| planes(low[k], high[k], step, &[])) }
    }

    fn counts(&self) -> [usize; 3] {
        std::array::from_fn(|k| self.planes[k].len())
    }

    fn at(&self, node: [usize; 3]) -> DVec3 {
        DVec3::new(self.planes[0][node[0]], self.planes[1][node[1]], self.planes[2][node[2]])
    }

    /// Field values at all nodes. Blocks far from the surface get one value.
    fn values(&self, shape: &Shape) -> Vec<f64> {
        const BLOCK: usize = 6;
        let [nx, ny, nz] = self.counts();
        let mut values = vec![0.0; nx * ny * nz];
        // One slab of BLOCK x-planes at a time.
        for_each_block(&mut values, BLOCK * ny * nz, |first, slab| {
            let x0 = first / (ny * nz);
            let x1 = x0 + slab.len() / (ny * nz);
            for y0 in (0..ny).step_by(BLOCK) {
                let y1 = (y0 + BLOCK).min(ny);
                for z0 in (0..nz).step_by(BLOCK) {
                    let z1 = (z0 + BLOCK).min(nz);
                    let (low, high) = (self.at([x0, y0, z0]), self.at([x1 - 1, y1 - 1, z1 - 1]));
                    let middle = shape.sample((low + high) * 0.5).value;
                    // Flattened solids overstate distances off their axes, hence the factor.
                    let far = middle.abs() > 1.5 * low.distance(high);
                    for x in x0..x1 {
                        for y in y0..y1 {
                            let row = ((x - x0) * ny + y) * nz;
                            for z in z0..z1 {
                                slab[row + z] = if far { middle } else { shape.sample(self.at([x, y, z])).value };
                            }
                        }
                    }
                }
            }
        });
        values
    }

    /// The zero surface, outwards.
    pub fn surface(&self, shape: &Shape) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let [nx, ny, nz] = self.counts();
        let values = self.values(shape);
        let index = |n: [usize; 3]| (n[0] * ny + n[1]) * nz + n[2];
        let mut marcher = Marcher { on_edge: vec![u32::MAX; values.len() * 7], points: vec![], triangles: vec![] };
        for x in 0..nx - 1 {
            for y in 0..ny - 1 {
                for z in 0..nz - 1 {
                    let corner = |c: usize| [x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)];
                    let inside = (0..8).filter(|&c| values[index(corner(c))] < 0.0).count();
                    if inside == 0 || inside == 8 {
                        continue;
                    }
                    // Six tetrahedra share the diagonal; each walks it axis by axis in another order.
                    for [first, second] in [[1, 2], [1, 4], [2, 1], [2, 4], [4, 1], [4, 2]] {
                        let corners = [0, first, first | second, 7];
                        let nodes = corners.map(|c| (index(corner(c)), c));
                        marcher.tetrahedron(nodes, |c| self.at(corner(c)), &values);
                    }
                }
            }
        }
        (marcher.points, marcher.triangles)
    }
}

struct Marcher {
    /// Seven edges leave each node upwards, one per non-empty set of axes.
    on_edge: Vec<u32>,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Marcher {
    fn tetrahedron(&mut self, nodes: [(usize, usize); 4], at: impl Fn(usize) -> DVec3, values: &[f64]) {
        let is_inside = nodes.map(|(i, _)| values[i] < 0.0);
        let (mut inside, mut outside) = ([0; 4], [0; 4]);
        let (mut ins, mut outs) = (0, 0);
        for (k, is_inside) in is_inside.into_iter().enumerate() {
            if is_inside {
                inside[ins] = k;
                ins += 1;
            } else {
                outside[outs] = k;
                outs += 1;
            }
        }
        if ins == 0 || outs == 0 {
            return;
        }
        let place = nodes.map(|(_, c)| at(c));
        let middle = |i: usize, o: usize| (place[i] + place[o]) * 0.5;
        let pairs: &[(usize, usize)] = match (ins, outs) {
            (1, _) => &[(0, 0), (0, 1), (0, 2)],
            (_, 1) => &[(0, 0), (1, 0), (2, 0)],
            _ => &[(0, 0), (0, 1), (1, 1), (1, 0)],
        };
        // Orientation from the middles of the edges: never degenerate, whatever the field says.
        let m = |k: usize| middle(inside[pairs[k].0], outside[pairs[k].1]);
        let normal = (m(1) - m(0)).cross(m(2) - m(0));
        let outwards = normal.dot(place[outside[0]] - place[inside[0]]) > 0.0;
        let mut ring = [0; 4];
        for (slot, &(i, o)) in ring.iter_mut().zip(pairs) {
            *slot = self.vertex(nodes[inside[i]], nodes[outside[o]], place[inside[i]], place[outside[o]], values);
        }
        for k in 2..pairs.len() {
            let (b, c) = if outwards { (k - 1, k) } else { (k, k - 1) };
            self.triangles.push([ring[0], ring[b], ring[c]]);
        }
    }

    fn vertex(&mut self, i: (usize, usize), o: (usize, usize), at_i: DVec3, at_o: DVec3, values: &[f64]) -> u32 {
        let lower = if i.1 < o.1 { i.0 } else { o.0 };
        let slot = &mut self.on_edge[lower * 7 + (i.1 ^ o.1) - 1];
        if *slot == u32::MAX {
            *slot = self.points.len() as u32;
            let (a, b) = (values[i.0], values[o.0]);
            // Away from the ends, so that no two vertices coincide.
            self.points.push(at_i.lerp(at_o, (a / (a - b)).clamp(0.1, 0.9)));
        }
        *slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        example::field::Cone,
        rig::{Mesh, Topology},
    };

    #[test]
    fn a_ball_comes_out_closed_and_outwards() {
        let mut shape = Shape::new(1.0);
        shape.add(0.0, &[Cone::ball([0.1, 0.2, 0.3], 1.0)]);
        let (points, triangles) = Grid::even(&shape, 0.21).surface(&shape);
        let positions = points.iter().map(|p| p.as_vec3()).collect();
        let mesh = Mesh { positions, triangles, ..Mesh::default() };
        let t = Topology::of(&mesh);
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        assert_eq!(t.components, 1);
        assert!((mesh.volume() - 4.19).abs() < 0.2, "{}", mesh.volume());
    }
}
