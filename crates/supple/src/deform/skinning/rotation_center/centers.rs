//! Where each vertex is turned about.
//!
//! s(w, w_t) = Σ_{j≠k} w_j w_k w_tj w_tk exp(-(w_j w_tk - w_k w_tj)² / σ²)
//!
//! Every term looks at two joints only, and at a triangle only through w_tj and w_tk. So for each pair of joints that meet on
//! some triangle, the triangles are put into the cells of a square grid over (w_tj, w_tk), a sixth of σ wide. A cell keeps
//! the exact sums of A w_tj w_tk, of the same times the centroid, and the mean of its weights, which stands for all of them
//! in the exponential. A vertex then visits cells instead of triangles.

use crate::{
    parallel::for_each_block,
    rig::{Mesh, Weights},
};
use glam::{DVec2, DVec3, Vec3};
use std::collections::HashMap;

/// Joints of a vertex or triangle that are looked at, heaviest first. What is left out weighs less than a ninth, and enters
/// only in products with another weight.
const MOST: usize = 8;
/// Cells along σ.
const CELLS: f64 = 6.0;
/// Beyond this many σ², a triangle is unlike.
const UNLIKE: f64 = 40.0;

/// Triangles with nearly the same weights for two joints.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Σ A w_j w_k.
    mass: f64,
    /// Centroid of that mass.
    center: DVec3,
    /// Mean of (w_j, w_k) over it.
    weights: DVec2,
}

/// The cells of every pair of joints, one pair after the other.
struct Cells {
    cells: Vec<Cell>,
    ranges: HashMap<[u16; 2], std::ops::Range<usize>>,
}

/// The centre of rotation of every vertex; the vertex itself where no triangle is like it, as where one joint owns it.
pub fn centers(mesh: &Mesh, weights: &Weights, sigma: f64) -> Vec<Vec3> {
    let cells = Cells::of(mesh, weights, sigma);
    let mut centers = mesh.positions.clone();
    for_each_block(&mut centers, 256, |first, block| {
        for (i, center) in block.iter_mut().enumerate() {
            if let Some(found) = cells.center(weights.row(first + i), sigma) {
                *center = found.as_vec3();
            }
        }
    });
    centers
}

impl Cells {
    fn of(mesh: &Mesh, weights: &Weights, sigma: f64) -> Self {
        let mut index = HashMap::<([u16; 2], [u16; 2]), usize>::new();
        let mut sums = Vec::<(([u16; 2], [u16; 2]), Cell)>::new();
        let mut row = Vec::new();
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize].as_dvec3());
            let (area, middle) = (0.5 * (b - a).cross(c - a).length(), (a + b + c) / 3.0);
            if !(area > 0.0 && area.is_finite()) {
                continue;
            }
            mean_row(weights, triangle, &mut row);
            for (i, &(j, wj)) in row.iter().enumerate() {
                for &(k, wk) in &row[i + 1..] {
                    let ((j, wj), (k, wk)) = if j < k { ((j, wj), (k, wk)) } else { ((k, wk), (j, wj)) };
                    let cell = |w: f64| (w * CELLS / sigma) as u16;
                    let key = ([j, k], [cell(wj), cell(wk)]);
                    let at = *index.entry(key).or_insert_with(|| {
                        sums.push((key, Cell::default()));
                        sums.len() - 1
                    });
                    let (sum, mass) = (&mut sums[at].1, area * wj * wk);
                    sum.mass += mass;
                    sum.center += mass * middle;
                    sum.weights += mass * DVec2::new(wj, wk);
                }
            }
        }
        sums.retain(|(_, sum)| sum.mass > 0.0);
        // In an order that does not come from the hash.
        sums.sort_unstable_by_key(|(key, _)| *key);
        let mut ranges = HashMap::<[u16; 2], std::ops::Range<usize>>::new();
        for (i, ((pair, _), _)) in sums.iter().enumerate() {
            ranges.entry(*pair).or_insert(i..i).end = i + 1;
        }
        let mean = |s: Cell| Cell { mass: s.mass, center: s.center / s.mass, weights: s.weights / s.mass };
        Self { cells: sums.into_iter().map(|(_, sum)| mean(sum)).collect(), ranges }
    }

    fn center(&self, (joints, values): (&[u16], &[f32]), sigma: f64) -> Option<DVec3> {
        let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
        let sharp = 1.0 / (sigma * sigma);
        let row: [(u16, f64); MOST] =
            std::array::from_fn(|i| joints.get(i).map_or((0, 0.0), |&j| (j, f64::from(values[i]))));
        let row = &row[..joints.len().min(MOST)];
        for (i, &(j, wj)) in row.iter().enumerate() {
            for &(k, wk) in &row[i + 1..] {
                let ((j, wj), (k, wk)) = if j < k { ((j, wj), (k, wk)) } else { ((k, wk), (j, wj)) };
                let Some(range) = self.ranges.get(&[j, k]) else { continue };
                for cell in &self.cells[range.clone()] {
                    let apart = wj * cell.weights.y - wk * cell.weights.x;
                    let exponent = apart * apart * sharp;
                    if exponent < UNLIKE {
                        let alike = wj * wk * cell.mass * (-exponent).exp();
                        mass += alike;
                        sum += alike * cell.center;
                    }
                }
            }
        }
        Some(sum / mass).filter(|c| c.is_finite())
    }
}

/// The mean weights of a triangle's corners, heaviest first.
fn mean_row(weights: &Weights, triangle: &[u32; 3], row: &mut Vec<(u16, f64)>) {
    row.clear();
    for &corner in triangle {
        let (joints, values) = weights.row(corner as usize);
        for (&joint, &w) in joints.iter().zip(values).take(MOST) {
            match row.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += f64::from(w) / 3.0,
                None => row.push((joint, f64::from(w) / 3.0)),
            }
        }
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    row.truncate(MOST);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{self, FigureOptions};

    /// The sum over all triangles and all joints, as printed in the paper.
    fn plain(mesh: &Mesh, weights: &Weights, vertices: impl Iterator<Item = usize>, sigma: f64) -> Vec<Vec3> {
        let dense = |(joints, values): (&[u16], &[f32])| -> Vec<(u16, f64)> {
            joints.iter().copied().zip(values.iter().map(|&w| f64::from(w))).collect()
        };
        let triangle = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| mesh.positions[i as usize].as_dvec3());
            let mut row: Vec<(u16, f64)> = Vec::new();
            for (j, w) in t.iter().flat_map(|&i| dense(weights.row(i as usize))) {
                match row.iter_mut().find(|(k, _)| *k == j) {
                    Some((_, sum)) => *sum += w / 3.0,
                    None => row.push((j, w / 3.0)),
                }
            }
            (0.5 * (b - a).cross(c - a).length(), (a + b + c) / 3.0, row)
        };
        let triangles: Vec<_> = mesh.triangles.iter().map(triangle).collect();
        let center = |v: usize| {
            let row = dense(weights.row(v));
            let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
            for (area, middle, other) in &triangles {
                let of = |j: u16| other.iter().find(|(k, _)| *k == j).map_or(0.0, |o| o.1);
                let mut alike = 0.0;
                for (i, &(j, wj)) in row.iter().enumerate() {
                    for &(k, wk) in &row[i + 1..] {
                        let (oj, ok) = (of(j), of(k));
                        let apart = wj * ok - wk * oj;
                        alike += 2.0 * wj * wk * oj * ok * (-apart * apart / (sigma * sigma)).exp();
                    }
                }
                mass += alike * area;
                sum += alike * area * *middle;
            }
            if mass > 0.0 { (sum / mass).as_vec3() } else { mesh.positions[v] }
        };
        vertices.map(center).collect()
    }

    fn farthest(vertices: usize, step: usize) -> f64 {
        let rig = example::figure(&FigureOptions { vertices, ..FigureOptions::default() }).unwrap();
        let weights = rig.weights.as_ref().unwrap();
        let fast = centers(&rig.mesh, weights, 0.1);
        let slow = plain(&rig.mesh, weights, (0..vertices).step_by(step), 0.1);
        let apart = slow.iter().zip(fast.iter().step_by(step)).map(|(a, b)| a.distance(*b));
        f64::from(apart.fold(0.0, f32::max)) / f64::from(rig.diagonal())
    }

    #[test]
    fn cells_give_the_centres_that_triangles_give() {
        let far = farthest(1200, 1);
        assert!(far < 1e-3, "{far} of the diagonal");
    }

    #[test]
    fn cells_give_the_centres_that_triangles_give_on_8311_vertices() {
        // One vertex in twenty: the plain sum over all of them takes ten seconds.
        let far = farthest(8311, 20);
        assert!(far < 1e-3, "{far} of the diagonal");
    }

    #[test]
    fn a_vertex_of_one_joint_is_its_own_centre() {
        let rig = example::figure(&FigureOptions { vertices: 1200, ..FigureOptions::default() }).unwrap();
        let weights = rig.weights.as_ref().unwrap();
        let found = centers(&rig.mesh, weights, 0.1);
        let owned: Vec<usize> = (0..weights.len()).filter(|&v| weights.row(v).0.len() == 1).collect();
        assert!(!owned.is_empty());
        assert!(owned.iter().all(|&v| found[v] == rig.mesh.positions[v]));
    }
}
