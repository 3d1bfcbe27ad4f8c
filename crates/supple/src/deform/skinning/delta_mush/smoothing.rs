//! Implicit smoothing over a surface: each step solves (D + λ L) x = D b, D = diag L.
//!
//! With the walk W = 1 - D⁻¹ L that is x = (1 + λ (1 - W))⁻¹ b, and all steps together are a function of W that few Chebyshev
//! polynomials add up to (see `series.rs`): as many as smoothing reaches rings, whatever the size of the mesh. Nothing is
//! factored, and only points are visited from where what is smoothed can come to where it counts.

use super::{
    series::Series,
    walk::{Patch, Walk},
};
use crate::parallel::for_each_block;

/// Points a thread takes at a time.
const BLOCK: usize = 1024;

impl Patch {
    /// Smooths a function, given at the first points of the patch and zero at all others, and gives it up to `wanted` rings away.
    ///
    /// Clenshaw's sum: b_k = c_k f + 2 W b_{k+1} - b_{k+2}, the result is c_0 f + W b_1 - b_2. What is K - 1 - k rings away from
    /// the first points is still zero in b_k, and what is further than k from those that are wanted is not asked for any more.
    pub fn smoothed<const N: usize>(&self, series: &Series, given: &[[f64; N]], wanted: usize) -> Vec<[f64; N]> {
        let mut after = vec![[0.0; N]; self.points.len()];
        let mut sum = after.clone();
        let last = series.terms.len() - 1;
        for (k, &term) in series.terms.iter().enumerate().rev() {
            let points = self.within((last - k).min(wanted + k));
            let weight = if k == 0 { 0.5 } else { 1.0 };
            for_each_block(&mut sum[..points], BLOCK, |first, out| {
                let step = Step { walk: &self.twice, from: &after, given, term, weight, first, out };
                pulp::Arch::new().dispatch(step);
            });
            std::mem::swap(&mut sum, &mut after);
        }
        after.truncate(self.within(wanted));
        after
    }
}

/// One step of the sum for some points in a row, by the widest instructions there are: the same bits as by others.
struct Step<'a, const N: usize> {
    walk: &'a Walk,
    from: &'a [[f64; N]],
    given: &'a [[f64; N]],
    term: f64,
    weight: f64,
    first: usize,
    out: &'a mut [[f64; N]],
}

impl<const N: usize> pulp::WithSimd for Step<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for (point, out) in (self.first..).zip(self.out) {
            let mut sum = [0.0; N];
            for (to, share) in self.walk.row(point) {
                let from = &self.from[to as usize];
                for i in 0..N {
                    sum[i] += share * from[i];
                }
            }
            for i in 0..N {
                out[i] = self.weight * sum[i] - out[i];
            }
            if let Some(given) = self.given.get(point) {
                for i in 0..N {
                    out[i] += self.term * given[i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        example::{self, FigureOptions},
        rig::{Mesh, Topology},
        solve::{Cholesky, Laplacian},
    };
    use glam::Vec3;

    fn figure() -> Mesh {
        example::figure(&FigureOptions { vertices: 2000, ..FigureOptions::default() }).unwrap().mesh
    }

    fn largest_error(mesh: &Mesh) -> f64 {
        let topology = Topology::of(mesh);
        let walk = Walk::over(&Laplacian::delaunay(&topology, &mesh.positions));
        let ones = vec![[1.0]; topology.points()];
        let patch = walk.patch(0..topology.points() as u32, 0);
        let smoothed = patch.smoothed(&Series::of(30.0, 20), &ones, 0);
        assert_eq!(smoothed.len(), ones.len());
        smoothed.iter().map(|[x]| (x - 1.0).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn constants_are_kept() {
        let mut mesh = figure();
        assert!(largest_error(&mesh) < 1e-9);
        // A hole, an island, a fin, an unused vertex, triangles without area.
        mesh.triangles.drain(100..140);
        let first = mesh.positions.len() as u32;
        mesh.positions.extend([Vec3::splat(5.0), Vec3::splat(5.5), Vec3::new(5.0, 6.0, 7.0), Vec3::splat(9.0)]);
        let fin = [mesh.triangles[0][0], mesh.triangles[0][1], first];
        mesh.triangles.extend([[first, first + 1, first + 2], fin, [1, 1, 2], [3, 4, 3]]);
        assert!(largest_error(&mesh) < 1e-9);
    }

    #[test]
    fn a_patch_of_the_surface_is_smoothed_as_solving_over_all_of_it_does() {
        let mesh = figure();
        let topology = Topology::of(&mesh);
        let laplacian = Laplacian::delaunay(&topology, &mesh.positions);
        let diagonal = laplacian.stiffness.diagonal();
        let (walk, some) = (Walk::over(&laplacian), 300..420u32);
        for (strength, steps) in [(8.0, 6), (1.0, 3), (300.0, 2)] {
            let factor = Cholesky::of(&laplacian.stiffness.scaled(strength).plus_diagonal(&diagonal)).unwrap();
            let mut truth = vec![0.0; topology.points()];
            some.clone().for_each(|p| truth[p as usize] = f64::from(p % 7) / 7.0);
            for _ in 0..steps {
                truth.iter_mut().zip(&diagonal).for_each(|(x, d)| *x *= d);
                factor.solve(&mut truth);
            }
            for wanted in [0, 5, 30] {
                let series = Series::of(strength, steps);
                let patch = walk.patch(some.clone(), (series.terms.len() - 1 + wanted) / 2);
                let given: Vec<[f64; 1]> =
                    patch.points[..some.len()].iter().map(|p| [f64::from(p % 7) / 7.0]).collect();
                let found = patch.smoothed(&series, &given, wanted);
                assert!(found.len() >= some.len());
                for ([x], &point) in found.iter().zip(&patch.points) {
                    assert!((x - truth[point as usize]).abs() < 1e-8, "{strength}, {steps}, {wanted}: point {point}");
                }
            }
        }
    }
}
