use super::{Kept, RestSurface};
use crate::math::Bounds;
use glam::{Vec2, Vec3};

/// Positions and triangles, plain arrays. No triangles means a point set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// One per vertex.
    pub positions: Vec<Vec3>,
    /// Three vertices each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// One per vertex, or none.
    pub normals: Option<Vec<Vec3>>,
    /// First texture coordinates, one per vertex, or none.
    pub uvs: Option<Vec<Vec2>>,
    /// Colours, linear, one per vertex, or none.
    pub colors: Option<Vec<[u8; 4]>>,
    /// What [`Mesh::surface`] has made so far.
    #[doc(hidden)]
    pub kept: Kept,
}

/// What is unusual about a mesh; nothing here is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshReport {
    /// Triangles with no area.
    pub zero_area: usize,
    /// Triangles that name a vertex twice.
    pub degenerate: usize,
    /// Vertices no triangle uses (all of them in a point set, which is not counted).
    pub unused_vertices: usize,
}

impl Mesh {
    /// The surface of these positions and triangles, with what was made of it before.
    pub fn surface(&self) -> RestSurface<'_> {
        RestSurface::of(self)
    }

    /// The box round the points.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.positions)
    }

    /// True for a point set.
    pub fn is_point_set(&self) -> bool {
        self.triangles.is_empty() && !self.positions.is_empty()
    }

    /// Area of the triangles; those with a corner that is not finite have none.
    pub fn area(&self) -> f64 {
        let corners = self.triangles.iter().map(|t| t.map(|v| self.positions[v as usize]));
        let doubled = corners.map(|[a, b, c]| f64::from((b - a).cross(c - a).length()));
        0.5 * doubled.filter(|d| d.is_finite()).sum::<f64>()
    }

    /// Signed volume enclosed by the triangles (positive when they face outwards).
    pub fn volume(&self) -> f64 {
        volume(&self.positions, &self.triangles)
    }

    /// Normals by area-weighted average over the triangles round each vertex; zero where there is none.
    pub fn computed_normals(&self) -> Vec<Vec3> {
        normals(&self.positions, &self.triangles)
    }

    /// Counts what is unusual.
    pub fn report(&self) -> MeshReport {
        let mut used = vec![false; self.positions.len()];
        let mut report = MeshReport::default();
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| i as usize);
            used[a] = true;
            used[b] = true;
            used[c] = true;
            if a == b || b == c || c == a {
                report.degenerate += 1;
            } else {
                let p = &self.positions;
                if (p[b] - p[a]).as_dvec3().cross((p[c] - p[a]).as_dvec3()).length_squared() == 0.0 {
                    report.zero_area += 1;
                }
            }
        }
        if !self.triangles.is_empty() {
            report.unused_vertices = used.iter().filter(|&&u| !u).count();
        }
        report
    }
}

/// Signed volume enclosed by triangles over moved points.
pub fn volume(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let at = |i: u32| points[i as usize].as_dvec3();
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f64>() / 6.0
}

/// Area-weighted vertex normals of moved points.
pub fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sum = vec![Vec3::ZERO; points.len()];
    for t in triangles {
        let [a, b, c] = t.map(|i| points[i as usize]);
        let n = (b - a).cross(c - a);
        for &i in t {
            sum[i as usize] += n;
        }
    }
    sum.iter().map(|n| n.as_dvec3().try_normalize().map_or(Vec3::ZERO, |n| n.as_vec3())).collect()
}
