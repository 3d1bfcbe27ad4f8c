//! Distances along the skin, by marching a front over the triangles from a curve.
//!
//! Within a triangle whose corners a and b are known, the front is a straight line that moves at unit speed:
//! |∇d| = 1 with d(a), d(b) given has one solution that comes in between a and b, and it tells d(c) (R. Kimmel, J.
//! Sethian, *Computing geodesic paths on manifolds*, 1998). A front that came in elsewhere goes along an edge. Corners
//! are visited nearest first, and again where a later corner makes them nearer, which is what obtuse triangles need. The
//! curve itself cuts triangles, so their corners start with their true distance within the triangle.

use super::euclidean;
use crate::weights::segment::{Boundary, Surface};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Less than this share nearer is not nearer: rounding must not keep the front going.
const NEARER: f64 = 1e-9;

/// The triangles round every point.
pub(super) struct Fans {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fans {
    pub fn of(surface: &Surface) -> Self {
        let mut starts = vec![0u32; surface.points.len() + 1];
        for &c in surface.triangles.iter().flatten() {
            starts[c as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; surface.triangles.len() * 3];
        for (t, corners) in (0u32..).zip(&surface.triangles) {
            for &c in corners {
                triangles[next[c as usize] as usize] = t;
                next[c as usize] += 1;
            }
        }
        Self { starts, triangles }
    }

    fn round(&self, point: u32) -> &[u32] {
        &self.triangles[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }
}

/// Distance of every welded point from a curve; infinite where the skin does not lead there.
pub(super) fn distances(surface: &Surface, fans: &Fans, boundary: &Boundary) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; surface.points.len()];
    for (i, corners) in boundary.triangles.iter().enumerate() {
        let ends = euclidean::ends(surface, boundary, i);
        for &c in corners {
            let d = euclidean::to_segment(surface.point(c), ends);
            distance[c as usize] = distance[c as usize].min(d);
        }
    }
    // Distances are not negative, so their bits are ordered as they are.
    let mut front = BinaryHeap::new();
    let mut starts: Vec<u32> = boundary.triangles.iter().flatten().copied().collect();
    starts.sort_unstable();
    starts.dedup();
    front.extend(starts.into_iter().map(|p| Reverse((distance[p as usize].to_bits(), p))));
    while let Some(Reverse((bits, point))) = front.pop() {
        if f64::from_bits(bits) > distance[point as usize] {
            continue;
        }
        for &t in fans.round(point) {
            let corners = surface.triangles[t as usize];
            let others = corners.iter().copied().filter(|&c| c != point);
            for c in others {
                let known = distance[c as usize];
                if known <= distance[point as usize] {
                    continue;
                }
                let third = corners.iter().copied().find(|&b| b != point && b != c).unwrap_or(point);
                let found = arrival(surface, &distance, point, third, c);
                if found < known * (1.0 - NEARER) {
                    distance[c as usize] = found;
                    front.push(Reverse((found.to_bits(), c)));
                }
            }
        }
    }
    distance
}

/// When a front that has reached a and b reaches c.
fn arrival(surface: &Surface, distance: &[f64], a: u32, b: u32, c: u32) -> f64 {
    let (da, db) = (distance[a as usize], distance[b as usize]);
    let (pa, pb, pc) = (surface.point(a), surface.point(b), surface.point(c));
    let ac = pc - pa;
    let along_edge = da + ac.length();
    let ab = pb - pa;
    let length = ab.length();
    let slope = (db - da) / length;
    // A missing distance or a zero length gives no number.
    if slope.is_nan() || slope.abs() >= 1.0 {
        return along_edge;
    }
    let x = ac.dot(ab) / length;
    let y = (ac.length_squared() - x * x).max(0.0).sqrt();
    let rise = (1.0 - slope * slope).sqrt();
    let entry = x - y * slope / rise;
    if (0.0..=length).contains(&entry) { (da + slope * x + rise * y).min(along_edge) } else { along_edge }
}
