use crate::{
    parallel::for_each_block,
    solve::{Cholesky, Laplacian, SolveError},
};

/// Implicit smoothing over a surface: each step solves (D + λ L) x = D b, D = diag L.
pub(super) struct Smoothing {
    factor: Cholesky,
    diagonal: Vec<f64>,
    steps: u32,
}

impl Smoothing {
    pub fn new(laplacian: &Laplacian, strength: f64, steps: u32) -> Result<Self, SolveError> {
        let mut diagonal = laplacian.stiffness.diagonal();
        // A point without neighbours has nothing to be smoothed with, and keeps what it has.
        diagonal.iter_mut().filter(|d| **d <= 0.0).for_each(|d| *d = 1.0);
        let factor = Cholesky::of(&laplacian.stiffness.scaled(strength).plus_diagonal(&diagonal))?;
        Ok(Self { factor, diagonal, steps })
    }

    /// Smooths any number of functions over the points, one after another in `columns`.
    pub fn smooth(&self, columns: &mut [f64]) {
        if self.diagonal.is_empty() {
            return;
        }
        for _ in 0..self.steps {
            for_each_block(columns, self.diagonal.len(), |_, column| {
                column.iter_mut().zip(&self.diagonal).for_each(|(x, d)| *x *= d);
            });
            self.factor.solve(columns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        example::{self, FigureOptions},
        rig::{Mesh, Topology},
    };
    use glam::Vec3;

    fn largest_error(mesh: &Mesh) -> f64 {
        let topology = Topology::of(mesh);
        let smoothing = Smoothing::new(&Laplacian::delaunay(&topology, &mesh.positions), 30.0, 20).unwrap();
        let mut ones = vec![1.0; topology.points()];
        smoothing.smooth(&mut ones);
        ones.iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn constants_are_kept() {
        let mut mesh = example::figure(&FigureOptions { vertices: 2000, ..FigureOptions::default() }).unwrap().mesh;
        assert!(largest_error(&mesh) < 1e-6);
        // A hole, an island, a fin, an unused vertex, triangles without area.
        mesh.triangles.drain(100..140);
        let first = mesh.positions.len() as u32;
        mesh.positions.extend([Vec3::splat(5.0), Vec3::splat(5.5), Vec3::new(5.0, 6.0, 7.0), Vec3::splat(9.0)]);
        let fin = [mesh.triangles[0][0], mesh.triangles[0][1], first];
        mesh.triangles.extend([[first, first + 1, first + 2], fin, [1, 1, 2], [3, 4, 3]]);
        assert!(largest_error(&mesh) < 1e-6);
    }
}
