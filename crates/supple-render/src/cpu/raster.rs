//! Triangles to ids, barycentric coordinates and depth. Coverage is decided in whole numbers at 1/256 of a pixel with
//! the top-left rule, as graphics cards do it, so that neighbours leave neither gaps nor overlaps. Depth and barycentric
//! coordinates come from the unrounded, unclipped triangle in homogeneous coordinates, in double precision.

use crate::{geometry::DISC, geometry::Geometry, parallel::for_each_block, view::View};
use glam::{DMat3, DVec3, Vec2, Vec4};

/// Rows of a band. A thread takes one band at a time, and bands share nothing.
pub(crate) const BAND: u32 = 16;

const SUBPIXEL: f64 = 256.0;

/// Triangles projected to a picture of some size, and which of them touch each band of rows.
pub(crate) struct Projected<'a> {
    pub geometry: &'a Geometry<'a>,
    pub width: u32,
    pub height: u32,
    /// Clip coordinates of every position.
    clip: Vec<Vec4>,
    section: Option<Vec4>,
    starts: Vec<u32>,
    bins: Vec<u32>,
}

/// A band of rows being drawn.
pub(crate) struct Layer<'a> {
    pub first_row: u32,
    pub id: &'a mut [u32],
    pub depth: &'a mut [f32],
    pub barycentric: &'a mut [Vec2],
}

impl<'a> Projected<'a> {
    /// Projects to `scale` times the size of the view along each side.
    pub fn new(geometry: &'a Geometry<'a>, view: &View, scale: u32) -> Self {
        let (width, height) = (view.size[0] * scale, view.size[1] * scale);
        let clip_from_world = view.camera.clip_from_world(view.aspect());
        let mut clip = vec![Vec4::ZERO; geometry.positions.len()];
        for_each_block(&mut clip, 4096, |block, out| {
            for (c, p) in out.iter_mut().zip(&geometry.positions[block * 4096..]) {
                *c = clip_from_world * p.extend(1.0);
            }
        });
        let mut projected =
            Self { geometry, width, height, clip, section: view.section, starts: Vec::new(), bins: Vec::new() };
        projected.bin();
        projected
    }

    /// Lists the triangles of each band in ascending order.
    fn bin(&mut self) {
        let mut rows = vec![[0u32, 0]; self.geometry.triangles.len()];
        for_each_block(&mut rows, 4096, |block, out| {
            for (i, rows) in out.iter_mut().enumerate() {
                *rows = self.rows((block * 4096 + i) as u32);
            }
        });
        let bands = self.height.div_ceil(BAND) as usize;
        let mut starts = vec![0u32; bands + 1];
        let touched = |[from, to]: [u32; 2]| (from / BAND) as usize..to.div_ceil(BAND) as usize;
        for &r in rows.iter().filter(|r| r[0] < r[1]) {
            touched(r).for_each(|band| starts[band + 1] += 1);
        }
        for i in 0..bands {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut bins = vec![0u32; starts[bands] as usize];
        for (triangle, &r) in rows.iter().enumerate().filter(|(_, r)| r[0] < r[1]) {
            for band in touched(r) {
                bins[next[band] as usize] = triangle as u32;
                next[band] += 1;
            }
        }
        (self.starts, self.bins) = (starts, bins);
    }

    /// The rows a triangle may touch, or none.
    fn rows(&self, triangle: u32) -> [u32; 2] {
        let corners = self.corners(triangle);
        if !corners.iter().all(|c| c.is_finite()) || corners.iter().all(|c| c.z < 0.0) {
            return [0, 0];
        }
        if corners.iter().any(|c| c.z < 0.0 || c.w <= 0.0) {
            return [0, self.height];
        }
        let y = corners.map(|c| (0.5 - 0.5 * c.y / c.w) * self.height as f32);
        let low = y[0].min(y[1]).min(y[2]).floor().max(0.0);
        let high = (y[0].max(y[1]).max(y[2]).ceil() + 1.0).min(self.height as f32);
        if low < high { [low as u32, high as u32] } else { [0, 0] }
    }

    fn corners(&self, triangle: u32) -> [Vec4; 3] {
        self.geometry.triangles[triangle as usize].map(|i| self.clip[i as usize])
    }

    /// The corners of a triangle in pixels; none where a corner is behind the camera.
    pub fn pixels(&self, triangle: u32) -> Option<[Vec2; 3]> {
        let corners = self.corners(triangle);
        let half = Vec2::new(self.width as f32, self.height as f32) * 0.5;
        let place = |c: Vec4| Vec2::new(1.0 + c.x / c.w, 1.0 - c.y / c.w) * half;
        corners.iter().all(|c| c.w > 0.0).then(|| corners.map(place))
    }

    /// Draws a band: of all triangles over a pixel centre the nearest stays; at equal depth the one of smallest id.
    pub fn fill(&self, layer: &mut Layer<'_>) {
        layer.id.fill(0);
        layer.depth.fill(1.0);
        let band = (layer.first_row / BAND) as usize;
        for &triangle in &self.bins[self.starts[band] as usize..self.starts[band + 1] as usize] {
            self.draw(triangle, layer);
        }
    }

    fn draw(&self, triangle: u32, layer: &mut Layer<'_>) {
        let corners = self.corners(triangle);
        let Some(plane) = Plane::new(corners, self.width, self.height) else { return };
        let polygon = Polygon::clipped(corners, self.width, self.height);
        let cut = self.section.map(|s| {
            let corner = |i: u32| s.truncate().dot(self.geometry.positions[i as usize]) + s.w;
            self.geometry.triangles[triangle as usize].map(corner)
        });
        let splat = triangle >= self.geometry.first_splat;
        for i in 2..polygon.len {
            let fan = [polygon.points[0], polygon.points[i - 1], polygon.points[i]];
            self.cover(fan, layer.first_row, layer.id.len() as u32 / self.width, |x, y| {
                let at = ((y - layer.first_row) * self.width + x) as usize;
                let (depth, barycentric) = plane.at(x, y);
                if !(depth >= 0.0 && depth < layer.depth[at]) {
                    return;
                }
                if splat && disc(barycentric).length_squared() > 1.0 {
                    return;
                }
                if let Some([a, b, c]) = cut
                    && a + (b - a) * barycentric.x + (c - a) * barycentric.y > 0.0
                {
                    return;
                }
                layer.id[at] = triangle + 1;
                layer.depth[at] = depth;
                layer.barycentric[at] = barycentric;
            });
        }
    }

    /// Calls `pixel` for every pixel of the band whose centre lies in a triangle.
    fn cover(&self, mut points: [[i64; 2]; 3], first_row: u32, rows: u32, mut pixel: impl FnMut(u32, u32)) {
        let edge =
            |a: [i64; 2], b: [i64; 2], p: [i64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let area = edge(points[0], points[1], points[2]);
        if area == 0 {
            return;
        }
        if area < 0 {
            points.swap(1, 2);
        }
        let [a, b, c] = points;
        let range = |axis: usize, from: i64, to: i64| {
            let low = a[axis].min(b[axis]).min(c[axis]).div_euclid(256).max(from);
            (low, (a[axis].max(b[axis]).max(c[axis]).div_euclid(256) + 1).min(to))
        };
        let (x0, x1) = range(0, 0, i64::from(self.width));
        let (y0, y1) = range(1, i64::from(first_row), i64::from(first_row + rows));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        let sides = [(b, c), (c, a), (a, b)];
        // With y downwards and this order of corners, a top edge runs right and a left edge runs up.
        let bias = sides.map(|(p, q)| {
            let top_left = (p[1] == q[1] && q[0] > p[0]) || q[1] < p[1];
            i64::from(!top_left)
        });
        let start = [x0 * 256 + 128, y0 * 256 + 128];
        let mut row: [i64; 3] = std::array::from_fn(|i| edge(sides[i].0, sides[i].1, start) - bias[i]);
        let right = sides.map(|(p, q)| -(q[1] - p[1]) * 256);
        let down = sides.map(|(p, q)| (q[0] - p[0]) * 256);
        for y in y0..y1 {
            let mut e = row;
            for x in x0..x1 {
                if (e[0] | e[1] | e[2]) >= 0 {
                    pixel(x as u32, y as u32);
                }
                e = std::array::from_fn(|i| e[i] + right[i]);
            }
            row = std::array::from_fn(|i| row[i] + down[i]);
        }
    }
}

/// Where barycentric coordinates of a splat's triangle lie in its disc.
pub(crate) fn disc(barycentric: Vec2) -> Vec2 {
    DISC[0] + (DISC[1] - DISC[0]) * barycentric.x + (DISC[2] - DISC[0]) * barycentric.y
}

/// Depth and barycentric coordinates over the pixels of one triangle. With X, Y, w the corners in homogeneous pixels,
/// the pixel (x, y) sees the point with weights b where Σ b_i (X_i, Y_i, w_i) is along (x, y, 1).
struct Plane {
    weights_from_pixel: DMat3,
    depth: DVec3,
}

impl Plane {
    fn new(corners: [Vec4; 3], width: u32, height: u32) -> Option<Self> {
        let (wide, high) = (f64::from(width) * 0.5, f64::from(height) * 0.5);
        let column = |c: Vec4| {
            let c = c.as_dvec4();
            DVec3::new((c.w + c.x) * wide, (c.w - c.y) * high, c.w)
        };
        let [a, b, c] = corners.map(column);
        let matrix = DMat3::from_cols(a, b, c);
        let determinant = matrix.determinant();
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let weights_from_pixel = matrix.inverse();
        let [za, zb, zc] = corners.map(|c| f64::from(c.z));
        let depth = weights_from_pixel.transpose() * DVec3::new(za, zb, zc);
        Some(Self { weights_from_pixel, depth })
    }

    fn at(&self, x: u32, y: u32) -> (f32, Vec2) {
        let pixel = DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 1.0);
        let weights = self.weights_from_pixel * pixel;
        let sum = weights.x + weights.y + weights.z;
        // A centre on the rounded edge may lie a hair outside the unrounded one.
        let (u, v) = ((weights.y / sum).clamp(0.0, 1.0), (weights.z / sum).clamp(0.0, 1.0));
        let over = (u + v).max(1.0);
        (self.depth.dot(pixel) as f32, Vec2::new((u / over) as f32, (v / over) as f32))
    }
}

/// The part of a triangle before the near plane, in 1/256 of a pixel.
struct Polygon {
    points: [[i64; 2]; 4],
    len: usize,
}

impl Polygon {
    fn clipped(corners: [Vec4; 3], width: u32, height: u32) -> Self {
        let mut polygon = Self { points: [[0; 2]; 4], len: 0 };
        let mut push = |c: Vec4| {
            let (wide, high) = (f64::from(width) * 0.5, f64::from(height) * 0.5);
            let (x, y) = (f64::from(c.x) / f64::from(c.w), f64::from(c.y) / f64::from(c.w));
            // Far outside the picture the exact place does not matter, but products must not overflow.
            let place = |p: f64| (p * SUBPIXEL).round().clamp(-1e9, 1e9) as i64;
            polygon.points[polygon.len] = [place((1.0 + x) * wide), place((1.0 - y) * high)];
            polygon.len += 1;
        };
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            if a.z >= 0.0 {
                push(a);
            }
            if (a.z >= 0.0) != (b.z >= 0.0) {
                push(a.lerp(b, a.z / (a.z - b.z)));
            }
        }
        polygon
    }
}
