//! Straight distances from every point to a curve.

use crate::weights::segment::{Boundary, Surface};
use glam::DVec3;

/// Segments that share a ball: a point farther from it than from the best so far looks at none of them.
const TOGETHER: usize = 8;

struct Ball {
    centre: DVec3,
    radius: f64,
    segments: Vec<[DVec3; 2]>,
}

pub(super) fn distances(surface: &Surface, boundary: &Boundary) -> Vec<f64> {
    let balls = balls(surface, boundary);
    let nearest = |p: &DVec3| {
        let mut best = f64::INFINITY;
        for ball in &balls {
            if p.distance(ball.centre) - ball.radius < best {
                best = ball.segments.iter().map(|s| to_segment(*p, *s)).fold(best, f64::min);
            }
        }
        best
    };
    surface.points.iter().map(nearest).collect()
}

/// Neighbours along the longest side of the curve's box, in groups.
fn balls(surface: &Surface, boundary: &Boundary) -> Vec<Ball> {
    let mut segments: Vec<[DVec3; 2]> = (0..boundary.segments.len()).map(|i| ends(surface, boundary, i)).collect();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in segments.iter().flatten() {
        low = low.min(*p);
        high = high.max(*p);
    }
    let size = high - low;
    let longest = if size.x >= size.y && size.x >= size.z { DVec3::X } else { DVec3::Y };
    let longest = if size.z > size.x && size.z > size.y { DVec3::Z } else { longest };
    let across = if longest == DVec3::X { DVec3::Y } else { DVec3::X };
    let middle = (low + high).dot(across);
    // The two flanks of a closed curve apart, or every ball would span it.
    let place = |s: &[DVec3; 2]| ((s[0] + s[1]).dot(across) < middle, (s[0] + s[1]).dot(longest));
    segments.sort_by(|a, b| {
        let (a, b) = (place(a), place(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let ball = |segments: &[[DVec3; 2]]| {
        let ends = || segments.iter().flatten();
        let centre = ends().sum::<DVec3>() / (2 * segments.len()) as f64;
        let radius = ends().map(|p| p.distance(centre)).fold(0.0, f64::max);
        Ball { centre, radius, segments: segments.to_vec() }
    };
    segments.chunks(TOGETHER).map(ball).collect()
}

/// The two ends of a piece of a border.
pub(super) fn ends(surface: &Surface, boundary: &Boundary, segment: usize) -> [DVec3; 2] {
    boundary.segments[segment].map(|c| surface.point(c.edge[0]).lerp(surface.point(c.edge[1]), c.t))
}

pub(super) fn to_segment(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let l2 = along.length_squared();
    let t = if l2 > 0.0 { ((p - a).dot(along) / l2).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a.lerp(b, t))
}
