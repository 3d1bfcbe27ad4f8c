//! A plane through a joint meets the skin in curves; this finds them, their lengths, and which goes round the joint.

use super::surface::Surface;
use glam::{DVec2, DVec3};

/// Directions in which a curve must be met for it to count as going round a point.
const DIRECTIONS: usize = 16;

/// A plane, by a point and its unit normal, which points to the child's side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub origin: DVec3,
    pub normal: DVec3,
}

/// A connected piece of where a plane meets the skin.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// The edges it crosses, and where along each.
    pub crossings: Vec<(u32, f64)>,
    pub length: f64,
    /// The share of directions from the origin that meet it an odd number of times: 1 for a closed curve round it.
    pub share: f64,
    /// Distance from the origin.
    pub distance: f64,
    /// It goes on beyond the triangles looked at.
    pub clipped: bool,
    /// Component of the mesh it lies on.
    pub component: u32,
    segments: Vec<[DVec2; 2]>,
}

impl Plane {
    pub fn height(&self, p: DVec3) -> f64 {
        (p - self.origin).dot(self.normal)
    }

    /// The place in the plane below or above a point.
    pub fn flat(&self, p: DVec3) -> DVec2 {
        let (u, v) = self.normal.any_orthonormal_pair();
        DVec2::new((p - self.origin).dot(u), (p - self.origin).dot(v))
    }

    /// The curves in which the plane meets the given triangles.
    pub fn curves(&self, surface: &Surface, triangles: &[u32]) -> Vec<Curve> {
        self.curves_by(surface, triangles, &|p| self.height(surface.smooth_point(p)))
    }

    /// The curves along which a height, mostly that above the plane, changes its sign.
    pub fn curves_by(&self, surface: &Surface, triangles: &[u32], height: &dyn Fn(u32) -> f64) -> Vec<Curve> {
        let mut segments = Vec::new();
        for &t in triangles {
            let corners = surface.triangles[t as usize];
            let heights = corners.map(height);
            let above = heights.map(|h| h >= 0.0);
            if above[0] == above[1] && above[1] == above[2] {
                continue;
            }
            let mut ends = (0..3).filter(|&k| above[k] != above[(k + 1) % 3]).map(|k| surface.sides[t as usize][k]);
            if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                segments.push([a, b]);
            }
        }
        self.joined(surface, &segments, height)
    }

    fn joined(&self, surface: &Surface, segments: &[[u32; 2]], height: &dyn Fn(u32) -> f64) -> Vec<Curve> {
        let mut edges: Vec<u32> = segments.iter().flatten().copied().collect();
        edges.sort_unstable();
        edges.dedup();
        let index = |edge: u32| edges.binary_search(&edge).unwrap_or_default();
        let mut sets = crate::sets::Sets::new(edges.len());
        let mut used = vec![0u32; edges.len()];
        for [a, b] in segments {
            sets.join(index(*a), index(*b));
            used[index(*a)] += 1;
            used[index(*b)] += 1;
        }
        let places: Vec<f64> = edges.iter().map(|&e| place(surface.topology.edges[e as usize].map(height))).collect();
        let (labels, count) = sets.labels();
        let mut curves: Vec<Curve> = (0..count)
            .map(|_| Curve {
                crossings: Vec::new(),
                length: 0.0,
                share: 0.0,
                distance: f64::INFINITY,
                clipped: false,
                component: 0,
                segments: Vec::new(),
            })
            .collect();
        for (i, &edge) in edges.iter().enumerate() {
            let curve = &mut curves[labels[i]];
            curve.crossings.push((edge, places[i]));
            curve.clipped |= used[i] < surface.uses[edge as usize];
            curve.component = surface.topology.component_of[surface.topology.edges[edge as usize][0] as usize];
        }
        for [a, b] in segments {
            let [p, q] = [index(*a), index(*b)].map(|i| self.flat(surface.on_edge(edges[i], places[i])));
            let curve = &mut curves[labels[index(*a)]];
            curve.length += p.distance(q);
            curve.distance = curve.distance.min(distance_to_origin(p, q));
            curve.segments.push([p, q]);
        }
        for curve in &mut curves {
            curve.share = curve.share_round(DVec2::ZERO);
        }
        curves
    }
}

impl Curve {
    /// Whether the curve goes round the origin, if need be with holes.
    pub fn encloses(&self) -> bool {
        self.share > 0.5
    }

    /// Whether the curve goes round a place in its plane.
    pub fn is_round(&self, place: DVec2) -> bool {
        self.share_round(place) > 0.5
    }

    /// Whether most of this curve lies within another one of the same plane.
    pub fn is_within(&self, other: &Curve) -> bool {
        let inside = self.segments.iter().filter(|s| other.is_round(s[0])).count();
        2 * inside > self.segments.len()
    }

    /// Length of the whole way round, with what holes leave out.
    pub fn whole_length(&self) -> f64 {
        if self.encloses() { self.length / self.share } else { self.length }
    }

    fn share_round(&self, centre: DVec2) -> f64 {
        let odd = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * (k as f64 + 0.31) / DIRECTIONS as f64).sin_cos();
            let direction = DVec2::new(cos, sin);
            let meets = |[p, q]: &&[DVec2; 2]| {
                let (p, q) = (*p - centre, *q - centre);
                let (a, b) = (direction.perp_dot(p), direction.perp_dot(q));
                (a < 0.0) != (b < 0.0) && direction.dot(p) * b.abs() + direction.dot(q) * a.abs() > 0.0
            };
            self.segments.iter().filter(meets).count() % 2 == 1
        };
        (0..DIRECTIONS).filter(|&k| odd(k)).count() as f64 / DIRECTIONS as f64
    }
}

/// Where an edge between two heights is crossed, from 0 to 1.
fn place([a, b]: [f64; 2]) -> f64 {
    let t = a / (a - b);
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 }
}

fn distance_to_origin(p: DVec2, q: DVec2) -> f64 {
    let along = q - p;
    let l2 = along.length_squared();
    let t = if l2 > 0.0 { (-p.dot(along) / l2).clamp(0.0, 1.0) } else { 0.0 };
    (p + along * t).length()
}
