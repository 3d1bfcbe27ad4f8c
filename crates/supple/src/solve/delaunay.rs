//! A surface known by its edge lengths alone, with edges flipped until it is Delaunay.
//!
//! Slivers give the cotangent Laplacian negative weights, and with them weights of a skin below zero and above one.
//! Flipping an edge inside the two triangles it separates changes neither the surface nor its points, and after enough of
//! it no pair of cotangents is negative (A. Bobenko, B. Springborn, *A discrete Laplace-Beltrami operator for simplicial
//! surfaces*, 2007). Lengths that no triangle can have are first made longer, all by the same little (N. Sharp, K. Crane,
//! *A Laplacian for nonmanifold triangle meshes*, 2020).

use crate::{parallel::for_each_block, rig::ByPoint};
use glam::{DVec2, Vec3};

/// No neighbour across this side: a boundary, more than two triangles, or two that face opposite ways.
const NONE: u32 = u32::MAX;
/// Triangles a thread looks at at a time.
const BLOCK: usize = 4096;

/// Triangles by their corners and the lengths of their sides; side `i` runs from corner `i` to the next.
pub(super) struct Intrinsic {
    pub corners: Vec<[u32; 3]>,
    pub lengths: Vec<[f64; 3]>,
    /// Half-edge across each side, as three times its triangle plus its side.
    across: Vec<[u32; 3]>,
}

impl Intrinsic {
    /// `triangles` are over so many welded points; each is taken once however often it is listed.
    pub fn of(points: usize, triangles: &[[u32; 3]], point: impl Fn(u32) -> Vec3) -> Self {
        let sorted = |t: &[u32; 3]| {
            let mut sorted = *t;
            sorted.sort_unstable();
            sorted
        };
        let mut listed = ByPoint::of(points, || {
            (0u32..).zip(triangles).map(|(i, t)| {
                let [a, b, c] = sorted(t);
                (a, (b, c, i))
            })
        });
        listed.sort_by_key(|&(b, c, _)| (b, c));
        let mut again = vec![false; triangles.len()];
        for (_, others) in listed.lists() {
            let same = others.windows(2).filter(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1));
            same.for_each(|w| again[w[1].2 as usize] = true);
        }
        let corners: Vec<[u32; 3]> = triangles.iter().zip(&again).filter(|(_, a)| !**a).map(|(t, _)| *t).collect();
        let finite = |i| Some(point(i).as_dvec3()).filter(|p| p.is_finite()).unwrap_or_default();
        let lengths = corners.iter().map(|t| std::array::from_fn(|i| finite(t[i]).distance(finite(t[(i + 1) % 3]))));
        let mut surface = Self { lengths: lengths.collect(), across: vec![[NONE; 3]; corners.len()], corners };
        surface.lengthen();
        surface.pair_sides(points);
        surface
    }

    fn lengthen(&mut self) {
        let mean = self.lengths.iter().flatten().sum::<f64>() / (3 * self.lengths.len()).max(1) as f64;
        let slack = |l: &[f64; 3]| (0..3).map(|i| l[(i + 1) % 3] + l[(i + 2) % 3] - l[i]).fold(f64::INFINITY, f64::min);
        let missing = self.lengths.iter().map(|l| 1e-5 * mean - slack(l)).fold(0.0, f64::max);
        for length in self.lengths.iter_mut().flatten() {
            *length += missing;
        }
    }

    fn pair_sides(&mut self, points: usize) {
        let mut sides = ByPoint::of(points, || {
            (0u32..).zip(&self.corners).flat_map(|(t, corners)| {
                [0, 1, 2].map(|i| {
                    let (a, b) = (corners[i], corners[(i + 1) % 3]);
                    (a.min(b), (a.max(b), t * 3 + i as u32, a < b))
                })
            })
        });
        sides.sort_by_key(|&(other, ..)| other);
        for (_, others) in sides.lists() {
            for same in others.chunk_by(|x, y| x.0 == y.0) {
                if let [(_, one, up), (_, other, down)] = *same
                    && up != down
                {
                    *self.side(one) = other;
                    *self.side(other) = one;
                }
            }
        }
    }

    fn side(&mut self, half: u32) -> &mut u32 {
        &mut self.across[(half / 3) as usize][(half % 3) as usize]
    }

    /// Flips until every pair of opposite angles sums to at most half a circle.
    pub fn flip(&mut self) {
        let mut bad = vec![[false; 3]; self.corners.len()];
        let surface = &*self;
        for_each_block(&mut bad, BLOCK, |first, block| {
            for (t, bad) in (first..).zip(block) {
                *bad = std::array::from_fn(|i| surface.is_bad(t as u32 * 3 + i as u32, surface.across[t][i]));
            }
        });
        // A side gets bad only by a flip beside it, which puts it on the stack.
        let mut stack: Vec<u32> = (0u32..).zip(bad.as_flattened()).filter(|(_, b)| **b).map(|(half, _)| half).collect();
        // Flipping ends by itself; the bound is for lengths so far from a surface that rounding keeps it going.
        let mut left = 150 * self.corners.len();
        while let Some(half) = stack.pop() {
            let other = *self.side(half);
            if left == 0 || !self.is_bad(half, other) {
                continue;
            }
            left -= 1;
            self.flip_side(half, other);
            stack.extend((0..3).flat_map(|i| [half / 3 * 3 + i, other / 3 * 3 + i]));
        }
    }

    /// Whether the angles opposite a side sum to more than half a circle, and it can be flipped.
    fn is_bad(&self, half: u32, other: u32) -> bool {
        other != NONE && !self.glued_twice(half, other) && {
            let sum = self.cotangent(half / 3, half % 3) + self.cotangent(other / 3, other % 3);
            sum < -1e-10 || sum.is_nan()
        }
    }

    /// A triangle glued to itself, or two glued along more than one side, have no other diagonal.
    fn glued_twice(&self, half: u32, other: u32) -> bool {
        let sides = self.across[(half / 3) as usize];
        half / 3 == other / 3 || sides.iter().filter(|&&o| o != NONE && o / 3 == other / 3).count() > 1
    }

    fn flip_side(&mut self, half: u32, other: u32) {
        let (t, i) = ((half / 3) as usize, (half % 3) as usize);
        let (u, j) = ((other / 3) as usize, (other % 3) as usize);
        let (next, last) = (|k: usize| (k + 1) % 3, |k: usize| (k + 2) % 3);
        let [a, b, c] = [self.corners[t][i], self.corners[t][next(i)], self.corners[t][last(i)]];
        let d = self.corners[u][last(j)];
        let (ab, bc, ca) = (self.lengths[t][i], self.lengths[t][next(i)], self.lengths[t][last(i)]);
        let (ad, db) = (self.lengths[u][next(j)], self.lengths[u][last(j)]);
        let (over_bc, over_ca) = (self.across[t][next(i)], self.across[t][last(i)]);
        let (over_ad, over_db) = (self.across[u][next(j)], self.across[u][last(j)]);

        // Both triangles laid flat with a at the origin and b on the x axis.
        let apex = |near: f64, far: f64| {
            let x = (ab * ab + near * near - far * far) / (2.0 * ab);
            DVec2::new(x, (near * near - x * x).max(0.0).sqrt())
        };
        let (above, below) = (apex(ca, bc), apex(ad, db));
        let cd = DVec2::new(above.x - below.x, above.y + below.y).length();

        self.corners[t] = [a, d, c];
        self.lengths[t] = [ad, cd, ca];
        self.corners[u] = [d, b, c];
        self.lengths[u] = [db, bc, cd];
        let (t, u) = (t as u32 * 3, u as u32 * 3);
        for (half, over) in [(t, over_ad), (t + 1, u + 2), (t + 2, over_ca), (u, over_db), (u + 1, over_bc)] {
            *self.side(half) = over;
            if over != NONE {
                *self.side(over) = half;
            }
        }
    }

    /// Cotangent of the angle opposite a side.
    pub fn cotangent(&self, triangle: u32, side: u32) -> f64 {
        let l = &self.lengths[triangle as usize];
        let [a, b, c] = [l[side as usize], l[(side as usize + 1) % 3], l[(side as usize + 2) % 3]];
        (b * b + c * c - a * a) / (4.0 * self.area(triangle)).max(f64::MIN_POSITIVE)
    }

    /// Area, by Heron's formula with the sides in the order that loses least (W. Kahan).
    pub fn area(&self, triangle: u32) -> f64 {
        let mut l = self.lengths[triangle as usize];
        l.sort_unstable_by(f64::total_cmp);
        let [c, b, a] = l;
        0.25 * ((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed needle, flat as paper: two fans over the same points, whose tips flip down to two edges.
    fn needle() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let count = 12u32;
        let mut points = vec![Vec3::new(-9.0, 0.0, 0.0), Vec3::new(9.0, 0.01, 0.0)];
        points.extend((0..count).map(|i| {
            let (sin, cos) = (std::f32::consts::TAU * i as f32 / count as f32).sin_cos();
            Vec3::new(0.3 * (i as f32).sin(), 0.2 * sin, 1e-3 * cos)
        }));
        let ring = |i: u32| 2 + i % count;
        let fans = (0..count).flat_map(|i| [[0, ring(i + 1), ring(i)], [1, ring(i), ring(i + 1)]]);
        (points, fans.collect())
    }

    #[test]
    fn flipping_keeps_every_side_paired_with_one_of_the_same_length() {
        let (points, triangles) = needle();
        let mut surface = Intrinsic::of(points.len(), &triangles, |i| points[i as usize]);
        surface.flip();
        for half in 0..surface.corners.len() as u32 * 3 {
            let other = *surface.side(half);
            assert!(other == NONE || *surface.side(other) == half, "{half}");
            if other != NONE {
                let length = |h: u32| surface.lengths[(h / 3) as usize][(h % 3) as usize];
                assert!((length(half) - length(other)).abs() <= 1e-12 * length(half), "{half}");
            }
        }
    }
}
