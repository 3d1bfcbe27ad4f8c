//! How often a surface goes round a point: the generalised winding number of a triangle soup.
//!
//! A closed surface that faces outwards has the number 1 inside and 0 outside; where two such surfaces overlap it is 2,
//! where one is turned inside out it is -1. Over an open surface it is the solid angle over 4π, any real number.
//!
//! Three ways to the same number:
//!
//! | file | for | how |
//! |---|---|---|
//! | here | one point, tests | the exact sum over all triangles |
//! | `tree` | any points | exact near, Taylor expansions far away (Barill et al. 2018) |
//! | `columns` | the cells of a grid | crossings along lines, exact; holes are closed by cones (`holes`), whose own number is taken off |
//!
//! The last is what the figures use. The boundary of a surface is a set of loops, so a cone over each loop closes it;
//! the number of the closed surface is an integer that lines count without error, and
//! `number(surface) = number(surface + cones) - number(cones)` with few cones where there are few holes.
//!
//! In a soup boundaries are as many as triangles, and more: the cones would only add to them, so the triangles themselves
//! go into the tree. What looks at every triangle from every cell would take minutes, so `open` looks at fewer cells then.
//!
//! Jacobson, Kavan, Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding numbers";
//! Barill, Dickson, Schmidt, Levin, Jacobson 2018, "Fast winding numbers for soups and clouds".

pub(crate) mod columns;
pub(crate) mod holes;
mod moments;
pub(crate) mod open;
mod tree;

pub use tree::WindingTree;

use glam::{DVec3, Vec3};
use std::f64::consts::PI;

/// The exact winding number of triangles at a point: the sum of their solid angles over 4π. Triangles of which a corner
/// is not finite, and a point on a corner, count as nothing.
///
/// # Panics
/// When a triangle names a point that does not exist.
pub fn winding_number(points: &[Vec3], triangles: &[[u32; 3]], at: DVec3) -> f64 {
    let corner = |i: u32| points[i as usize].as_dvec3();
    let angle = |t: &[u32; 3]| half_solid_angle(t.map(corner), at);
    triangles.iter().map(angle).filter(|a| a.is_finite()).sum::<f64>() / (2.0 * PI)
}

/// Half the signed solid angle of a triangle (van Oosterom, Strackee 1983); positive seen from behind.
fn half_solid_angle(corners: [DVec3; 3], at: DVec3) -> f64 {
    let [a, b, c] = corners.map(|p| p - at);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    // In the plane of the triangle there is no side to be on; atan2 would take the sign of the rounding.
    if volume == 0.0 {
        return 0.0;
    }
    volume.atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Eight octants of a sphere, cut finer `times` times.
    pub fn sphere(center: Vec3, radius: f32, times: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut points = vec![Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
        let mut triangles: Vec<[u32; 3]> =
            vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
        for _ in 0..times {
            let mut middle = std::collections::HashMap::new();
            let mut between = |a: u32, b: u32| {
                *middle.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    points.push((points[a as usize] + points[b as usize]).normalize());
                    points.len() as u32 - 1
                })
            };
            let cut = |&[a, b, c]: &[u32; 3]| {
                let [d, e, f] = [between(a, b), between(b, c), between(c, a)];
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            };
            triangles = triangles.iter().map(cut).collect::<Vec<_>>().concat();
        }
        (points.iter().map(|p| *p * radius + center).collect(), triangles)
    }

    /// Two meshes in one.
    pub fn joined(a: (Vec<Vec3>, Vec<[u32; 3]>), b: (Vec<Vec3>, Vec<[u32; 3]>)) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let first = a.0.len() as u32;
        let shifted = b.1.iter().map(|t| t.map(|i| i + first));
        ([a.0, b.0].concat(), a.1.into_iter().chain(shifted).collect())
    }

    /// Numbers in 0..1 that look random and are the same everywhere.
    pub fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(2).wrapping_add(1);
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    #[test]
    fn inside_is_one_outside_is_nought_overlap_is_two() {
        let (points, triangles) = joined(sphere(Vec3::ZERO, 1.0, 3), sphere(Vec3::X, 1.0, 3));
        let at = |x: f64| winding_number(&points, &triangles, DVec3::new(x, 0.01, 0.02));
        assert!((at(-0.5) - 1.0).abs() < 1e-9 && (at(0.5) - 2.0).abs() < 1e-9 && at(2.5).abs() < 1e-9);
        let inside_out: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert!((winding_number(&points, &inside_out, DVec3::new(-0.5, 0.0, 0.0)) + 1.0).abs() < 1e-9);
    }
}
