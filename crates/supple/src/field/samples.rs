//! Samples that a limb's field interpolates: points spread evenly over its skin with their normals, none too near a joint, and one
//! cap beyond each joint that closes the hole where the skin was cut.
//!
//! Section 4.1 of the paper. Poisson disks by dart throwing: of a sequence of random points on the skin those are kept that
//! lie farther than a radius from all kept before; a bisection finds the radius at which about the wanted number remain.
//!
//! Samples past the plane at `BARE_SHARE` of the bone before a joint are culled if they are near that joint (a pelvis is wider
//! than its hips), and so are samples that face the bone.

use super::{End, Limb};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Share of the bone next to a joint that has no samples (the paper's h).
const BARE_SHARE: f64 = 0.05;
/// Distances from a joint, over the joint's distance to the skin, within which samples are culled: the first that leaves half of the
/// samples is used. A limb that is shorter than thick, as a neck or a hip is, would lose nearly all of them at the first.
const CULLED_WITHIN: [f64; 2] = [2.0, 1.3];
/// Darts thrown for each wanted sample: with more the disks are packed more densely, and thinning them takes longer.
const DARTS_PER_SAMPLE: usize = 24;
/// Darts thrown at least, so that a few samples are spread evenly too.
const LEAST_DARTS: usize = 200;
/// Bisections of the radius of the disks: it is then known to 1/16000 of the limb's extent.
const RADIUS_BISECTIONS: usize = 14;

/// A point that a field goes through, with the outward normal it has there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// At rest.
    pub at: DVec3,
    /// Of unit length.
    pub normal: DVec3,
}

/// How limbs are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// How many samples a limb should have before some are culled.
    pub count: usize,
    /// Where given, the count is doubled until the field misses the skin by less than this (root mean square, over the limb's
    /// radius).
    pub error: Option<f64>,
    /// Selects a sequence of darts.
    pub seed: u64,
    /// Distance of the caps from their joint, over the joint's distance to the skin.
    pub cap: f64,
}

/// The welded skin of a character: points, their normals, triangles over them.
#[derive(Clone, Copy)]
pub struct Skin<'a> {
    /// Welded points at rest.
    pub points: &'a [Vec3],
    /// Normals of the welded points; zero where there is none.
    pub normals: &'a [Vec3],
    /// Triangles over welded points.
    pub triangles: &'a [[u32; 3]],
}

/// Pseudorandom numbers, the same on every machine: SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / (u64::MAX as f64 + 1.0)
    }
}

/// Samples of a limb's skin, about `count` before those near joints are culled. Caps are not among them.
pub fn surface(skin: Skin<'_>, limb: &Limb, count: usize, seed: u64) -> Vec<Point> {
    let darts = throw(skin, limb, (count * DARTS_PER_SAMPLE).max(LEAST_DARTS), seed ^ ((limb.joint as u64) << 32));
    let spread = spread(&darts, count);
    let kept = |within: f64| spread.iter().filter(|p| !is_culled(limb, p, within)).copied().collect::<Vec<_>>();
    let is_enough = |kept: &Vec<Point>| 2 * kept.len() >= spread.len();
    CULLED_WITHIN.into_iter().map(kept).find(is_enough).unwrap_or_else(|| kept(0.0))
}

/// One cap for each jointed end.
pub fn caps(limb: &Limb, scale: f64) -> Vec<Point> {
    let cap = |e: &End| Point { at: e.at + scale * e.clearance * e.outward, normal: e.outward };
    limb.ends.iter().filter(|e| e.clearance > 0.0).map(cap).collect()
}

fn is_culled(limb: &Limb, p: &Point, within: f64) -> bool {
    let beyond = |e: &End| {
        let is_near = p.at.distance(e.at) < within * e.clearance;
        is_near && (p.at - e.at).dot(e.outward) > -BARE_SHARE * e.length
    };
    limb.ends.iter().any(beyond) || (p.at - limb.foot(p.at)).dot(p.normal) < 0.0
}

fn throw(skin: Skin<'_>, limb: &Limb, count: usize, seed: u64) -> Vec<Point> {
    let corners = |t: u32| skin.triangles[t as usize].map(|v| skin.points[v as usize].as_dvec3());
    let mut sums = Vec::with_capacity(limb.triangles.len());
    let mut area = 0.0;
    for &t in &limb.triangles {
        let [a, b, c] = corners(t);
        area += (b - a).cross(c - a).length();
        sums.push(area);
    }
    if !(area > 0.0 && area.is_finite()) {
        return Vec::new();
    }
    let mut dice = Dice(seed);
    let mut darts = Vec::with_capacity(count);
    for _ in 0..count {
        let hit = dice.next() * area;
        let t = limb.triangles[sums.partition_point(|s| *s <= hit).min(sums.len() - 1)];
        let (mut u, mut v) = (dice.next(), dice.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [a, b, c] = corners(t);
        let [na, nb, nc] = skin.triangles[t as usize].map(|i| skin.normals[i as usize].as_dvec3());
        let normal = (1.0 - u - v) * na + u * nb + v * nc;
        if let Some(normal) = normal.try_normalize() {
            darts.push(Point { at: a + u * (b - a) + v * (c - a), normal });
        }
    }
    darts
}

/// The radius at which about `count` darts remain, and those darts.
fn spread(darts: &[Point], count: usize) -> Vec<Point> {
    let disks = |radius: f64| {
        let mut kept: Vec<Point> = Vec::with_capacity(count + 1);
        for dart in darts {
            if kept.iter().all(|k| k.at.distance_squared(dart.at) > radius * radius) {
                kept.push(*dart);
                if kept.len() > count {
                    break;
                }
            }
        }
        kept
    };
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for d in darts {
        (low, high) = (low.min(d.at), high.max(d.at));
    }
    let (mut low, mut high) = (0.0, if low.x <= high.x { low.distance(high) } else { 0.0 });
    let mut best = Vec::new();
    for _ in 0..RADIUS_BISECTIONS {
        let radius = 0.5 * (low + high);
        let kept = disks(radius);
        if kept.len() > count {
            low = radius;
        } else {
            high = radius;
            best = kept;
            if best.len() + 1 >= count {
                break;
            }
        }
    }
    best
}
