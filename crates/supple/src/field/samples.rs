//! Where a limb's field is pinned: points spread evenly over its skin with their normals, none too near a joint, and one
//! cap beyond each joint that closes the hole the neighbour left.
//!
//! Section 4.1 of the paper. Poisson disks by dart throwing: of a sequence of random points on the skin those are kept that
//! lie farther than a radius from all kept before; the radius is searched for so that about the wanted number remain.
//!
//! Culled are samples beyond the plane at `SLAB` of the bone before a joint, if they are near that joint (a pelvis is wider
//! than its hips), and samples that face the bone.

use super::{End, Limb};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Share of the bone next to a joint that holds no samples (the paper's h).
pub const SLAB: f64 = 0.05;
/// Samples farther from a joint than this many times its own distance to the skin are no hindrance to it: the first that leaves
/// half of the samples.
const NEAR: [f64; 2] = [2.0, 1.3];
/// Darts thrown for each wanted sample.
const DARTS: usize = 24;
/// Halvings of the search for the radius.
const SEARCH: usize = 14;

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
    /// Where given, the count is doubled until the field misses the skin by less than this share of the limb's radius.
    pub error: Option<f64>,
    /// Another sequence of darts.
    pub seed: u64,
    /// Distance of caps from their joint, over the joint's distance to the skin.
    pub cap: f64,
}

/// The skin of a character as samplers see it: welded points, their normals, triangles over them.
#[derive(Clone, Copy)]
pub struct Skin<'a> {
    /// Welded points at rest.
    pub points: &'a [Vec3],
    /// Normals of the welded points; zero where there is none.
    pub normals: &'a [Vec3],
    /// Triangles over welded points.
    pub triangles: &'a [[u32; 3]],
}

/// Numbers that look random and are the same everywhere: SplitMix64.
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

/// Samples of a limb's skin, about `count` before those are culled that would hinder the field. Caps are not among them.
pub fn surface(skin: Skin<'_>, limb: &Limb, count: usize, seed: u64) -> Vec<Point> {
    let darts = throw(skin, limb, (count * DARTS).max(200), seed ^ ((limb.joint as u64) << 32));
    let spread = spread(&darts, count);
    let free = |near: f64| spread.iter().filter(|p| !hinders(limb, p, near)).copied().collect::<Vec<_>>();
    // A limb that is shorter than it is thick, as a neck or a hip is, would lose nearly all of them.
    let enough = |kept: &Vec<Point>| 2 * kept.len() >= spread.len();
    NEAR.into_iter().map(free).find(enough).unwrap_or_else(|| free(0.0))
}

/// One cap for each jointed end.
pub fn caps(limb: &Limb, scale: f64) -> Vec<Point> {
    let cap = |e: &End| Point { at: e.at + scale * e.reach * e.outward, normal: e.outward };
    limb.ends.iter().filter(|e| e.reach > 0.0).map(cap).collect()
}

fn hinders(limb: &Limb, p: &Point, near: f64) -> bool {
    let beyond = |e: &End| {
        let near = p.at.distance(e.at) < near * e.reach;
        near && (p.at - e.at).dot(e.outward) > -SLAB * e.length
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
    let thin = |radius: f64| {
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
    for _ in 0..SEARCH {
        let radius = 0.5 * (low + high);
        let kept = thin(radius);
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
