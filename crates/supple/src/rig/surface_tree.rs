use super::Mesh;
use glam::Vec3;
use parry3d::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy},
    query::{PointQuery, Ray, details::local_ray_intersection_with_triangle},
    shape::Triangle,
};

/// The triangles of a mesh in a tree of boxes: the nearest point of the surface, and what a segment passes through.
/// Triangles with a corner that is not finite are left out.
pub struct SurfaceTree {
    triangles: Vec<[Vec3; 3]>,
    /// The mesh's own number of each.
    numbers: Vec<u32>,
    tree: Bvh,
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Which triangle of the mesh.
    pub triangle: u32,
    /// Its three corners' shares, summing to one.
    pub shares: Vec3,
    /// Where.
    pub point: Vec3,
}

/// Where a segment passes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// Which triangle of the mesh.
    pub triangle: u32,
    /// 0 at the start of the segment, 1 at its end.
    pub along: f32,
}

impl SurfaceTree {
    /// Sorts the triangles of a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        #[cfg(test)]
        super::rest_surface::built::count("tree", mesh.positions.len());
        Self::of_some(mesh, 0..mesh.triangles.len() as u32)
    }

    /// Sorts some triangles of a mesh.
    pub(crate) fn of_some(mesh: &Mesh, numbers: impl Iterator<Item = u32>) -> Self {
        let corners = |n: u32| (n, mesh.triangles[n as usize].map(|i| mesh.positions[i as usize]));
        let sound = |t: &[Vec3; 3]| t.iter().all(|p| p.is_finite());
        let (numbers, triangles): (Vec<u32>, Vec<[Vec3; 3]>) = numbers.map(corners).filter(|(_, t)| sound(t)).unzip();
        let boxes = triangles.iter().map(|&[a, b, c]| Aabb { mins: a.min(b).min(c), maxs: a.max(b).max(c) });
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
        Self { triangles, numbers, tree }
    }

    /// The nearest point of the surface; none where there is no surface.
    pub fn nearest(&self, to: Vec3) -> Option<SurfacePoint> {
        if !to.is_finite() {
            return None;
        }
        let project = |i: u32, _| {
            let [a, b, c] = self.triangles[i as usize];
            Some(Triangle::new(a, b, c).project_local_point(to, false))
        };
        let (i, (_, foot)) = self.tree.project_point(to, f32::MAX, project)?;
        let shares = shares(self.triangles[i as usize], foot.point);
        Some(SurfacePoint { triangle: self.numbers[i as usize], shares, point: foot.point })
    }

    /// Calls `each` for every triangle that a segment passes through, in no particular order, until it answers false.
    pub fn hits(&self, from: Vec3, to: Vec3, mut each: impl FnMut(SurfaceHit) -> bool) {
        if !(from.is_finite() && to.is_finite()) {
            return;
        }
        let ray = Ray::new(from, to - from);
        for i in self.tree.leaves(|node| node.cast_ray(&ray, 1.0) <= 1.0) {
            let [a, b, c] = self.triangles[i as usize];
            if let Some((hit, _)) = local_ray_intersection_with_triangle(a, b, c, &ray)
                && hit.time_of_impact <= 1.0
                && !each(SurfaceHit { triangle: self.numbers[i as usize], along: hit.time_of_impact })
            {
                return;
            }
        }
    }

    /// True where nothing lies between two points; `trim` of the segment is not looked at on either side, so that a point
    /// of the surface does not hide itself.
    pub fn sees(&self, from: Vec3, to: Vec3, trim: f32) -> bool {
        let mut free = true;
        self.hits(from, to, |hit| {
            free = hit.along < trim || hit.along > 1.0 - trim;
            free
        });
        free
    }
}

/// Shares of the corners in a point of the triangle; all of the nearest corner where it has no area.
fn shares([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let [a, b, c, p] = [a, b, c, p].map(|v| v.as_dvec3());
    let normal = (b - a).cross(c - a);
    let twice = normal.length_squared();
    if twice > 0.0 {
        let v = (c - b).cross(p - b).dot(normal) / twice;
        let w = (a - c).cross(p - c).dot(normal) / twice;
        let shares = glam::DVec3::new(v, w, 1.0 - v - w).clamp(glam::DVec3::ZERO, glam::DVec3::ONE);
        let sum = shares.element_sum();
        if sum > 0.0 && sum.is_finite() {
            return (shares / sum).as_vec3();
        }
    }
    let nearest = [a, b, c].map(|q| q.distance_squared(p));
    let first = (0..3).min_by(|&i, &j| nearest[i].total_cmp(&nearest[j])).expect("three corners");
    [Vec3::X, Vec3::Y, Vec3::Z][first]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn octahedron() -> Mesh {
        let positions = vec![Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let mut triangles = Vec::new();
        for i in 0..4u32 {
            triangles.extend([[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]]);
        }
        Mesh { positions, triangles, ..Mesh::default() }
    }

    #[test]
    fn a_wall_hides_and_the_own_surface_does_not() {
        let tree = SurfaceTree::of(&octahedron());
        assert!(tree.sees(Vec3::X, Vec3::new(-0.4, 0.1, 0.1), 1e-3));
        assert!(!tree.sees(Vec3::X, Vec3::new(-2.0, 0.1, 0.2), 1e-3));
    }

    #[test]
    fn a_mesh_without_sound_triangles_has_no_nearest_point() {
        let mut mesh = octahedron();
        mesh.positions.fill(Vec3::NAN);
        assert_eq!(SurfaceTree::of(&mesh).nearest(Vec3::ZERO), None);
        assert!(SurfaceTree::of(&Mesh::default()).sees(Vec3::ZERO, Vec3::X, 0.0));
    }

    proptest! {
        #[test]
        fn the_nearest_point_is_on_the_surface_and_no_sample_is_nearer(to in prop::array::uniform3(-3.0f32..3.0)) {
            let (mesh, to) = (octahedron(), Vec3::from(to));
            let found = SurfaceTree::of(&mesh).nearest(to).unwrap();
            let corners = mesh.triangles[found.triangle as usize].map(|i| mesh.positions[i as usize]);
            let rebuilt = corners[0] * found.shares.x + corners[1] * found.shares.y + corners[2] * found.shares.z;
            prop_assert!(rebuilt.distance(found.point) < 1e-5);
            for t in &mesh.triangles {
                for (i, j) in (0..=10).flat_map(|i| (0..=10 - i).map(move |j| (i, j))) {
                    let shares = [i as f32 / 10.0, j as f32 / 10.0, (10 - i - j) as f32 / 10.0];
                    let sample: Vec3 = t.iter().zip(shares).map(|(&v, s)| mesh.positions[v as usize] * s).sum();
                    prop_assert!(sample.distance(to) >= found.point.distance(to) - 1e-5);
                }
            }
        }
    }
}
