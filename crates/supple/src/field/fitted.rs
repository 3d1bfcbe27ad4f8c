//! A limb with its field: the samples that it interpolates, caps and pins that close it, and the grid that caches it.
//!
//! Ours, beyond the paper: far from its few samples nothing bounds a field. So a sheath round its bones bounds it, and pins below the
//! skin of other limbs push it back where it stuck out of that skin; without them a bent neck displaced the chest.

use super::{
    Grid, Hrbf, Limb, Point, Sampling,
    samples::{self, Skin},
};
use glam::{DVec3, Vec3, Vec3A};
use std::sync::Arc;

/// Length of the mean of the normals, from 0 (skin all round) to 1 (a plane), beyond which a piece of skin encloses nothing and has no
/// field.
const FLATTEST: f64 = 0.9;
/// Fewest samples that carry a field.
const FEWEST_SAMPLES: usize = 3;
/// A field protrudes from the skin of other limbs where its value there exceeds 0.5 by more than this.
const PROTRUDES: f32 = 0.15;
/// At the depth of the pins, the excess over 0.5 that pinning leaves.
const PROTRUSION_LEFT: f32 = 0.05;
/// Depth of a pin below the skin of another limb, over the radius.
const PIN_DEPTH: f64 = 0.3;
/// The depth of a pin is at most this times the squared distance to the limb's own samples, over the radius: close to the limb's own
/// skin the depth grows as that of a ball does.
const PIN_SLOPE: f64 = 0.3;
/// Least distance between two pins, over the radius.
const PIN_SPACING: f64 = 0.4;
/// Rounds of pinning and fitting at most, and pins added in each: they bound the time of a fit.
const PIN_ROUNDS: usize = 3;
const PINS_PER_ROUND: usize = 16;
/// Radius of the sheath, over the distance from the bones that all but [`OUTLYING`] of the samples stay within.
const SHEATH_OVER_TYPICAL: f64 = 1.35;
const OUTLYING: f64 = 0.15;
/// Least radius of the sheath, over the distance of the farthest sample.
const SHEATH_OVER_FARTHEST: f64 = 1.1;
/// Least radius of the support, over the distance of the farthest sample.
const LEAST_RADIUS: f64 = 0.02;
/// Samples are doubled up to this many where the field misses the skin: fitting costs the cube of their number.
const MOST_SAMPLES: usize = 200;
/// Places between a sample and the far side of its limb where the depth of the field is measured.
const DEPTH_PROBES: usize = 12;
/// Corners of the skin, at most, where the field is compared with it.
const MISS_PROBES: usize = 200;
/// Skin nearer to a joint than this, over the joint's clearance, is not compared: there the cap shapes the field.
const MISS_CLEARANCE: f64 = 1.5;

/// A limb with its field.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The skin whose field it is.
    pub limb: Limb,
    /// Samples on the skin.
    pub samples: Vec<Point>,
    /// The samples before any edit, which edits refer to by number, and the sampling that found them.
    unedited: (Vec<Point>, Sampling),
    /// Caps beyond the joints.
    pub caps: Vec<Point>,
    /// Pins below the skin of other limbs, where the field protruded from it.
    pub pins: Vec<Point>,
    /// Radius of the support: the distance from the bones to the farthest sample, or twice the depth of the field below its skin
    /// where that is less.
    pub radius: f64,
    /// Root mean square of the signed distance on the limb's skin, over the radius.
    pub miss: f64,
    /// The cached field.
    pub grid: Arc<Grid>,
    /// The largest length of its gradient.
    pub steepest: f64,
    /// The same, but for parts that are cut off: see [`Grid::sharpest`].
    pub sharpest: f64,
}

impl Fitted {
    /// Fits a field to a limb; none where its samples do not carry one.
    pub fn of(skin: Skin<'_>, limb: Limb, sampling: &Sampling, side: usize) -> Option<Self> {
        let (on_skin, solved) = sampled(skin, &limb, sampling)?;
        let caps = samples::caps(&limb, sampling.cap);
        let unedited = (on_skin.clone(), *sampling);
        Self::baked(skin, limb, unedited, on_skin, caps, solved, side)
    }

    /// Fits a field through edited samples.
    pub fn through(
        skin: Skin<'_>,
        limb: Limb,
        unedited: (Vec<Point>, Sampling),
        on_skin: Vec<Point>,
        caps: Vec<Point>,
        side: usize,
    ) -> Option<Self> {
        let solved = Solved::of(&limb, &on_skin, &caps)?;
        Self::baked(skin, limb, unedited, on_skin, caps, solved, side)
    }

    /// The same limb with pins below the skin of other limbs from which its field protrudes; none where it protrudes nowhere.
    pub fn drawn_in(&self, skin: Skin<'_>, is_own: impl Fn(u32) -> bool) -> Option<Self> {
        if self.protrusions(skin, Probe::Skin, &is_own).is_empty() {
            return None;
        }
        let mut drawn_in: Option<Self> = None;
        for _ in 0..PIN_ROUNDS {
            let last = drawn_in.as_ref().unwrap_or(self);
            let out = last.protrusions(skin, Probe::PinDepth, &is_own);
            if out.is_empty() {
                break;
            }
            let pins = [&last.pins[..], &out].concat();
            let closed = [&self.caps[..], &pins].concat();
            let Some(solved) = Solved::of(&self.limb, &self.samples, &closed) else { break };
            let (limb, unedited) = (self.limb.clone(), self.unedited.clone());
            let next = Self::baked(skin, limb, unedited, self.samples.clone(), closed, solved, self.grid.side);
            let Some(next) = next else { break };
            drawn_in = Some(Self { caps: self.caps.clone(), pins, ..next });
        }
        drawn_in
    }

    /// Pins for the skin of other limbs from which the field protrudes, the strongest first, at a distance from each other.
    fn protrusions(&self, skin: Skin<'_>, probe: Probe, is_own: impl Fn(u32) -> bool) -> Vec<Point> {
        let grid_from_rest = self.grid.grid_from_rest.as_affine3a();
        let mut out: Vec<(f32, u32)> = Vec::new();
        let below = |p: Vec3, n: Vec3| {
            let at = p.as_dvec3();
            if matches!(probe, Probe::Skin) {
                return at;
            }
            let nearest = self.samples.iter().map(|s| s.at.distance_squared(at)).fold(f64::INFINITY, f64::min);
            at - n.as_dvec3() * (PIN_DEPTH * self.radius).min(PIN_SLOPE * nearest / self.radius)
        };
        let most = match probe {
            Probe::Skin => 0.5 + PROTRUDES,
            Probe::PinDepth => 0.5 + PROTRUSION_LEFT,
        };
        let last = Vec3A::splat((self.grid.side - 1) as f32);
        let inside = |at: Vec3A| at.cmpge(Vec3A::ZERO).all() && at.cmple(last).all();
        for (i, p) in (0u32..).zip(skin.points).filter(|(i, _)| !is_own(*i)) {
            if !inside(grid_from_rest.transform_point3a((*p).into())) {
                continue;
            }
            let at = below(*p, skin.normals[i as usize]).as_vec3a();
            let value = self.grid.look_up(grid_from_rest.transform_point3a(at)).map_or(0.0, |s| s.value);
            if value > most && skin.normals[i as usize] != Vec3::ZERO {
                out.push((value, i));
            }
        }
        out.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let apart = PIN_SPACING * self.radius;
        let mut pins: Vec<Point> = Vec::new();
        for (_, i) in out {
            let normal = skin.normals[i as usize].as_dvec3();
            let at = below(skin.points[i as usize], skin.normals[i as usize]);
            if pins.iter().all(|p| p.at.distance(at) > apart) {
                pins.push(Point { at, normal });
                if pins.len() == PINS_PER_ROUND {
                    break;
                }
            }
        }
        pins
    }

    /// The samples before any edit, if this sampling found them. Finding their number again would take a few fits.
    pub fn unedited(&self, sampling: &Sampling) -> Option<Vec<Point>> {
        (self.unedited.1 == *sampling).then(|| self.unedited.0.clone())
    }

    /// The samples that [`Fitted::of`] would take: those that edits refer to by number.
    pub fn samples_of(skin: Skin<'_>, limb: &Limb, sampling: &Sampling) -> Vec<Point> {
        let plain = || samples::surface(skin, limb, sampling.count, sampling.seed);
        sampled(skin, limb, sampling).map_or_else(plain, |(on_skin, _)| on_skin)
    }

    fn baked(
        skin: Skin<'_>,
        limb: Limb,
        unedited: (Vec<Point>, Sampling),
        on_skin: Vec<Point>,
        caps: Vec<Point>,
        Solved { field, radius }: Solved,
        side: usize,
    ) -> Option<Self> {
        let all: Vec<Point> = on_skin.iter().chain(&caps).copied().collect();
        let axis = limb.segments.iter().map(|(head, tail)| *tail - *head).sum();
        let grid = Grid::bake(&field, radius, &all, axis, side)?;
        let miss = miss(skin, &limb, &field) / radius;
        let (steepest, sharpest) = (grid.steepest(), grid.sharpest());
        Some(Self {
            limb,
            samples: on_skin,
            unedited,
            caps,
            pins: Vec::new(),
            radius,
            miss,
            grid: Arc::new(grid),
            steepest,
            sharpest,
        })
    }
}

/// Where a field is compared with the skin of other limbs.
#[derive(Clone, Copy)]
enum Probe {
    /// On that skin.
    Skin,
    /// At the depth of pins below it.
    PinDepth,
}

/// A field that is not on a grid yet.
struct Solved {
    field: Hrbf,
    radius: f64,
}

impl Solved {
    fn of(limb: &Limb, on_skin: &[Point], caps: &[Point]) -> Option<Self> {
        let farthest = on_skin.iter().map(|p| p.at.distance(limb.foot(p.at))).fold(0.0, f64::max);
        if on_skin.len() < FEWEST_SAMPLES || farthest <= 0.0 {
            return None;
        }
        let lean = on_skin.iter().map(|p| p.normal).sum::<DVec3>().length() / on_skin.len() as f64;
        if lean > FLATTEST {
            return None;
        }
        let all: Vec<Point> = on_skin.iter().chain(caps).copied().collect();
        let mut heights: Vec<f64> = on_skin.iter().map(|p| p.at.distance(limb.foot(p.at))).collect();
        heights.sort_unstable_by(f64::total_cmp);
        let typical = heights[((heights.len() - 1) as f64 * (1.0 - OUTLYING)) as usize];
        let sheath = (SHEATH_OVER_TYPICAL * typical).max(SHEATH_OVER_FARTHEST * farthest);
        let field = Hrbf::fit(&all)?.with_sheath(limb.segments.clone(), sheath);
        let radius = farthest.min(2.0 * depth(&field, on_skin, farthest)).max(LEAST_RADIUS * farthest);
        Some(Self { field, radius })
    }
}

/// As many samples as the field needs to come close to the skin, and the field through them.
fn sampled(skin: Skin<'_>, limb: &Limb, sampling: &Sampling) -> Option<(Vec<Point>, Solved)> {
    let caps = samples::caps(limb, sampling.cap);
    let mut count = sampling.count;
    loop {
        let on_skin = samples::surface(skin, limb, count, sampling.seed);
        let solved = Solved::of(limb, &on_skin, &caps)?;
        let close = |most: f64| miss(skin, limb, &solved.field) / solved.radius <= most;
        if sampling.error.is_none_or(close) || 2 * count > MOST_SAMPLES {
            return Some((on_skin, solved));
        }
        count *= 2;
    }
}

/// The depth of the field below its samples. A bone outside of its limb, or far from a part of it, must not make the support many
/// times as wide as the limb.
fn depth(field: &Hrbf, on_skin: &[Point], farthest: f64) -> f64 {
    let below = |p: &Point| {
        let at = |k: usize| field.distance(p.at - p.normal * (farthest * k as f64 / DEPTH_PROBES as f64)).0;
        let mut deepest = 0f64;
        for d in (1..=DEPTH_PROBES).map(at) {
            if d > deepest {
                break;
            }
            deepest = d;
        }
        -deepest
    };
    on_skin.iter().map(below).fold(0.0, f64::max)
}

/// Root mean square of the signed distance at some corners of the skin away from the joints.
fn miss(skin: Skin<'_>, limb: &Limb, field: &Hrbf) -> f64 {
    let every = limb.triangles.len().div_ceil(MISS_PROBES);
    let corners = limb.triangles.iter().step_by(every).map(|t| skin.points[skin.triangles[*t as usize][0] as usize]);
    let away = |p: &DVec3| limb.ends.iter().all(|e| p.distance(e.at) > MISS_CLEARANCE * e.clearance);
    let (mut sum, mut count) = (0.0, 0);
    for p in corners.map(|p| p.as_dvec3()).filter(away) {
        sum += field.distance(p).0.powi(2);
        count += 1;
    }
    if count == 0 { 0.0 } else { (sum / f64::from(count)).sqrt() }
}
