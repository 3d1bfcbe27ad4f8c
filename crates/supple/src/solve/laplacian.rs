use super::{Symmetric, delaunay::Intrinsic};
use crate::{
    parallel::for_each_block,
    rig::{ByPoint, Topology},
};
use glam::Vec3;

/// Triangles a thread measures at a time.
const BLOCK: usize = 4096;

/// How far a quantity at each point is from the average of its neighbours, over the welded points of a surface.
///
/// (L x)_i = Σ_j c_ij (x_i - x_j), c_ij = ½ (cot α + cot β) ≥ 0: symmetric, its rows sum to zero, and since no c_ij is
/// negative a solution never leaves the range of what it is tied to.
#[derive(Clone, Debug, PartialEq)]
pub struct Laplacian {
    /// L, without unit.
    pub stiffness: Symmetric,
    /// A third of the area of the triangles round each point; zero where there is none.
    pub mass: Vec<f64>,
}

impl Laplacian {
    /// Over the intrinsic Delaunay triangulation of the surface: the same function for a good mesh and for a bad mesh of
    /// the same surface. Edges with more than two triangles stay where they are, their negative weights clamped to zero.
    pub fn delaunay(topology: &Topology, positions: &[Vec3]) -> Self {
        #[cfg(test)]
        crate::rig::built::count("delaunay", positions.len());
        let mut surface = Intrinsic::of(topology.points(), &topology.triangles, |i| {
            positions[topology.weld.first_of[i as usize] as usize]
        });
        surface.flip();
        Self::of(topology.points(), &surface)
    }

    /// Over the triangles as they are, negative weights clamped to zero: its pattern is the mesh's own.
    pub fn clamped(topology: &Topology, positions: &[Vec3]) -> Self {
        #[cfg(test)]
        crate::rig::built::count("clamped", positions.len());
        let surface = Intrinsic::of(topology.points(), &topology.triangles, |i| {
            positions[topology.weld.first_of[i as usize] as usize]
        });
        Self::of(topology.points(), &surface)
    }

    fn of(points: usize, surface: &Intrinsic) -> Self {
        let corners = &surface.corners;
        // Of each triangle: half the cotangents opposite its sides, and its area.
        let mut measured = vec![([0.0; 3], 0.0); corners.len()];
        for_each_block(&mut measured, BLOCK, |first, block| {
            for (t, (cotangents, area)) in (first as u32..).zip(block) {
                *cotangents = std::array::from_fn(|i| 0.5 * surface.cotangent(t, i as u32));
                *area = surface.area(t);
            }
        });
        let mut mass = vec![0.0; points];
        for (corners, (_, area)) in corners.iter().zip(&measured) {
            corners.iter().for_each(|&i| mass[i as usize] += area / 3.0);
        }
        let mut edges = ByPoint::of(points, || {
            corners.iter().zip(&measured).flat_map(|(corners, (cotangents, _))| {
                let side = |i: usize| (corners[i], corners[(i + 1) % 3], cotangents[i]);
                [side(0), side(1), side(2)].map(|(a, b, weight)| (a.min(b), (a.max(b), weight)))
            })
        });
        edges.sort_by_key(|(other, _)| *other);
        let mut diagonal = vec![0.0; points];
        let mut off: Vec<([u32; 2], f64)> = Vec::with_capacity(corners.len() * 3 / 2);
        for (a, others) in edges.lists() {
            for same in others.chunk_by(|x, y| x.0 == y.0) {
                let (b, weight) = (same[0].0, same.iter().map(|(_, w)| w).sum::<f64>().max(0.0));
                if a != b {
                    diagonal[a as usize] += weight;
                    diagonal[b as usize] += weight;
                    off.push(([a, b], -weight));
                }
            }
        }
        Self { stiffness: Symmetric::new(&diagonal, off), mass }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh;

    /// A unit square cut into columns so narrow that most cotangents of its diagonals would be negative.
    fn bad_square() -> (Topology, Vec<Vec3>) {
        let (columns, rows) = (40u32, 4u32);
        let mut mesh = Mesh::default();
        for y in 0..=rows {
            for x in 0..=columns {
                // Sheared and uneven, so that errors cannot cancel by symmetry.
                let uneven = if x % columns == 0 { 0.0 } else { 0.3 * ((7 * x + 3 * y) as f32).sin() };
                let across = (x as f32 + uneven) / columns as f32 + 0.3 * y as f32 / rows as f32;
                mesh.positions.push(Vec3::new(across, y as f32 / rows as f32, 0.0));
            }
        }
        for y in 0..rows {
            for x in 0..columns {
                let i = y * (columns + 1) + x;
                mesh.triangles.push([i, i + 1, i + columns + 2]);
                mesh.triangles.push([i, i + columns + 2, i + columns + 1]);
            }
        }
        (Topology::of(&mesh), mesh.positions)
    }

    #[test]
    fn flipped_edges_keep_area_and_reproduce_linear_functions() {
        let (topology, positions) = bad_square();
        let laplacian = Laplacian::delaunay(&topology, &positions);
        assert!((laplacian.mass.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        let x: Vec<f64> = topology.weld.first_of.iter().map(|&v| f64::from(positions[v as usize].x)).collect();
        let lx = laplacian.stiffness.times(&x);
        let mut inside = vec![true; topology.points()];
        topology.boundary_edges().flatten().for_each(|i| inside[i as usize] = false);
        assert!(inside.iter().any(|&i| i));
        for (i, value) in lx.iter().enumerate().filter(|(i, _)| inside[*i]) {
            // x is harmonic; clamping cotangents instead of flipping edges leaves an error a hundred times as large.
            assert!(value.abs() < 1e-4, "point {i}: {value}");
        }
        let clamped = Laplacian::clamped(&topology, &positions).stiffness.times(&x);
        let worst = clamped.iter().zip(&inside).filter(|(_, i)| **i).map(|(v, _)| v.abs()).fold(0.0, f64::max);
        assert!(worst > 0.01, "{worst}");
    }

    #[test]
    fn a_triangle_listed_twice_counts_once() {
        let (topology, positions) = bad_square();
        let mut twice = topology.clone();
        twice.triangles.push(twice.triangles[7]);
        twice.triangles.push([twice.triangles[9][1], twice.triangles[9][0], twice.triangles[9][2]]);
        assert_eq!(Laplacian::delaunay(&topology, &positions), Laplacian::delaunay(&twice, &positions));
    }
}
