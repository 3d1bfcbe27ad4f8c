use crate::{math::principal, measure::Facing, rig::Mesh};
use glam::{DMat3, DVec3};

/// Places that are looked at on each skin.
const COUNT: usize = 800;

/// Places spread over a skin by its area; the points of a set, or some of them.
pub(super) struct Samples {
    /// Vertices and their shares.
    pub corners: Vec<[(u32, f64); 3]>,
    pub points: Vec<DVec3>,
    /// Outwards; zero where unknown.
    pub normals: Vec<DVec3>,
}

impl Samples {
    pub fn of(mesh: &Mesh) -> Self {
        let mut samples = Self { corners: Vec::new(), points: Vec::new(), normals: Vec::new() };
        let facing = Facing::of(mesh);
        let corners = |t: [u32; 3]| t.map(|v| mesh.positions[v as usize].as_dvec3());
        let triangles: Vec<([u32; 3], DVec3)> = facing
            .outward(mesh)
            .into_iter()
            .filter_map(|t| {
                let [a, b, c] = corners(t);
                let normal = (b - a).cross(c - a);
                (normal.is_finite() && normal != DVec3::ZERO).then_some((t, normal))
            })
            .collect();
        let step = triangles.iter().map(|(_, n)| n.length()).sum::<f64>() / COUNT as f64;
        let mut passed = 0.0;
        for (t, normal) in triangles {
            passed += normal.length();
            // A triangle larger than a step is looked at in several places, one deeper in than the other.
            let first = samples.points.len();
            while samples.points.len() < COUNT && passed > step * (samples.points.len() as f64 + 0.5) {
                let (x, y) = spread(samples.points.len() - first);
                let shares = [1.0 - x - y, x, y];
                let points = corners(t);
                samples.corners.push(std::array::from_fn(|i| (t[i], shares[i])));
                samples.points.push((0..3).map(|i| points[i] * shares[i]).sum());
                samples.normals.push(normal.normalize_or_zero());
            }
        }
        if samples.points.is_empty() {
            let every = mesh.positions.len().div_ceil(COUNT).max(1);
            for (v, p) in mesh.positions.iter().enumerate().step_by(every).filter(|(_, p)| p.is_finite()) {
                let normal = mesh.normals.as_ref().and_then(|n| n.get(v)).map_or(DVec3::ZERO, |n| n.as_dvec3());
                samples.corners.push([(v as u32, 1.0), (0, 0.0), (0, 0.0)]);
                samples.points.push(p.as_dvec3());
                samples.normals.push(normal.normalize_or_zero());
            }
        }
        samples
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    pub fn center(&self) -> DVec3 {
        self.points.iter().sum::<DVec3>() / self.len().max(1) as f64
    }

    /// Of the box round the places.
    pub fn diagonal(&self) -> f64 {
        let low = self.points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = self.points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        low.distance(high)
    }

    /// How far the places lie from their centre, in the mean of squares.
    pub fn radius(&self) -> f64 {
        let center = self.center();
        (self.points.iter().map(|p| p.distance_squared(center)).sum::<f64>() / self.len().max(1) as f64).sqrt()
    }

    /// Directions in which the places spread most and least, square to each other.
    pub fn axes(&self) -> DMat3 {
        let center = self.center();
        let spread = |p: &DVec3| {
            let d = *p - center;
            DMat3::from_cols(d * d.x, d * d.y, d * d.z)
        };
        principal(self.points.iter().map(spread).fold(DMat3::ZERO, |a, b| a + b))
    }
}

/// Shares of two corners, for as many places of a triangle as are wanted: the middle first.
fn spread(nth: usize) -> (f64, f64) {
    const SPREAD: [(f64, f64); 7] =
        [(0.34, 0.33), (0.15, 0.15), (0.7, 0.15), (0.15, 0.7), (0.45, 0.1), (0.1, 0.45), (0.45, 0.45)];
    SPREAD[nth % SPREAD.len()]
}
