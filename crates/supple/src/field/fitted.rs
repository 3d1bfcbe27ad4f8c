//! A limb with its field: samples through which it goes, caps and pins that close it, and the grid it is kept on.
//!
//! Ours, beyond the paper: away from its samples a field through few of them goes on anywhere. It is held within a sheath round its
//! bones, and pinned below the skin of others where it stuck out of it; a neck that is bent swallowed the chest before.

use super::{
    Grid, Hrbf, Limb, Point, Sampling,
    samples::{self, Skin},
};
use glam::{DVec3, Vec3, Vec3A};
use std::sync::Arc;

/// Mean of the normals beyond which a piece of skin is flat.
const FLAT: f64 = 0.9;
/// A field that is this much stronger on the skin of others than on its own sticks out of it.
const STICKS_OUT: f32 = 0.15;
/// Of a field that does, no place may stick out by more than this.
const STICKS: f32 = 0.05;
/// It is pinned so far below, and so far apart, over the radius.
const BELOW: f64 = 0.3;
const APART: f64 = 0.4;
/// Nearer to its own skin the depth grows with the square of the distance, as that of a ball does.
const CONE: f64 = 0.3;
/// As often, and at as many places each time.
const ROUNDS_IN: usize = 3;
const MOST_PINS: usize = 16;
/// How far from its bones a limb reaches, over the height above them that all but [`HIGH`] of its samples stay below; but at least
/// so far over that of the highest.
const SHEATH: f64 = 1.35;
const HIGH: f64 = 0.15;
const WITHIN: f64 = 1.1;
/// Samples are doubled up to this many where the field misses the skin.
const MOST_SAMPLES: usize = 200;

/// A limb with its field.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The skin it stands for.
    pub limb: Limb,
    /// On the skin.
    pub samples: Vec<Point>,
    /// Those before any were edited, which edits are counted in, and how they were found.
    unedited: (Vec<Point>, Sampling),
    /// Beyond the joints.
    pub caps: Vec<Point>,
    /// Below the skin of other limbs, where the field stuck out of it.
    pub pins: Vec<Point>,
    /// Half the width of the support: the distance from the bone to the farthest sample, or twice the depth of the field below
    /// its skin where that is less.
    pub radius: f64,
    /// Root mean square of the signed distance at the samples' skin, over the radius.
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

    /// The same limb with a field that does not stick out of skin which is not its own: it is pinned below that. None where it does
    /// not anyway.
    pub fn drawn_in(&self, skin: Skin<'_>, is_own: impl Fn(u32) -> bool) -> Option<Self> {
        if self.sticking_out(skin, Depth::None, &is_own).is_empty() {
            return None;
        }
        let mut drawn_in: Option<Self> = None;
        for _ in 0..ROUNDS_IN {
            let last = drawn_in.as_ref().unwrap_or(self);
            let out = last.sticking_out(skin, Depth::Below, &is_own);
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

    /// Pins below the skin of others where the field is strong, apart from each other.
    fn sticking_out(&self, skin: Skin<'_>, depth: Depth, is_own: impl Fn(u32) -> bool) -> Vec<Point> {
        let grid_from_rest = self.grid.grid_from_rest.as_affine3a();
        let mut out: Vec<(f32, u32)> = Vec::new();
        let below = |p: Vec3, n: Vec3| {
            let at = p.as_dvec3();
            if matches!(depth, Depth::None) {
                return at;
            }
            let nearest = self.samples.iter().map(|s| s.at.distance_squared(at)).fold(f64::INFINITY, f64::min);
            at - n.as_dvec3() * (BELOW * self.radius).min(CONE * nearest / self.radius)
        };
        let most = match depth {
            Depth::None => 0.5 + STICKS_OUT,
            Depth::Below => 0.5 + STICKS,
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
        let apart = APART * self.radius;
        let mut pins: Vec<Point> = Vec::new();
        for (_, i) in out {
            let normal = skin.normals[i as usize].as_dvec3();
            let at = below(skin.points[i as usize], skin.normals[i as usize]);
            if pins.iter().all(|p| p.at.distance(at) > apart) {
                pins.push(Point { at, normal });
                if pins.len() == MOST_PINS {
                    break;
                }
            }
        }
        pins
    }

    /// The samples before any were edited, if they were found in this way. Finding how many it takes is a few fits.
    pub fn unedited(&self, sampling: &Sampling) -> Option<Vec<Point>> {
        (self.unedited.1 == *sampling).then(|| self.unedited.0.clone())
    }

    /// The samples that [`Fitted::of`] would take: those that edits are counted in.
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

/// Where a field is looked at for sticking out of the skin of others.
#[derive(Clone, Copy)]
enum Depth {
    /// On that skin.
    None,
    /// As far below it as it should stay.
    Below,
}

/// A field that is not on a grid yet.
struct Solved {
    field: Hrbf,
    radius: f64,
}

impl Solved {
    fn of(limb: &Limb, on_skin: &[Point], caps: &[Point]) -> Option<Self> {
        let farthest = on_skin.iter().map(|p| p.at.distance(limb.foot(p.at))).fold(0.0, f64::max);
        if on_skin.len() < 3 || farthest <= 0.0 {
            return None;
        }
        // Skin that faces one way encloses nothing: a field through it would be a guess.
        let lean = on_skin.iter().map(|p| p.normal).sum::<DVec3>().length() / on_skin.len() as f64;
        if lean > FLAT {
            return None;
        }
        let all: Vec<Point> = on_skin.iter().chain(caps).copied().collect();
        let mut heights: Vec<f64> = on_skin.iter().map(|p| p.at.distance(limb.foot(p.at))).collect();
        heights.sort_unstable_by(f64::total_cmp);
        let typical = heights[((heights.len() - 1) as f64 * (1.0 - HIGH)) as usize];
        let reach = (SHEATH * typical).max(WITHIN * farthest);
        let field = Hrbf::fit(&all)?.within(limb.segments.clone(), reach);
        let radius = farthest.min(2.0 * depth(&field, on_skin, farthest)).max(0.02 * farthest);
        Some(Self { field, radius })
    }
}

/// As many samples as it takes to come close to the skin, and the field through them.
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

/// How deep the field is below its samples. A bone that lies outside of its limb, or far from a part of it, must not make a
/// support many times as wide as the limb.
fn depth(field: &Hrbf, on_skin: &[Point], farthest: f64) -> f64 {
    const STEPS: usize = 12;
    let below = |p: &Point| {
        let at = |k: usize| field.distance(p.at - p.normal * (farthest * k as f64 / STEPS as f64)).0;
        let mut deepest = 0f64;
        for d in (1..=STEPS).map(at) {
            if d > deepest {
                break;
            }
            deepest = d;
        }
        -deepest
    };
    on_skin.iter().map(below).fold(0.0, f64::max)
}

/// How far the skin away from the joints is from where the field is zero, root mean square over some of its corners.
fn miss(skin: Skin<'_>, limb: &Limb, field: &Hrbf) -> f64 {
    let every = limb.triangles.len().div_ceil(200);
    let corners = limb.triangles.iter().step_by(every).map(|t| skin.points[skin.triangles[*t as usize][0] as usize]);
    let away = |p: &DVec3| limb.ends.iter().all(|e| p.distance(e.at) > 1.5 * e.reach);
    let (mut sum, mut count) = (0.0, 0);
    for p in corners.map(|p| p.as_dvec3()).filter(away) {
        sum += field.distance(p).0.powi(2);
        count += 1;
    }
    if count == 0 { 0.0 } else { (sum / f64::from(count)).sqrt() }
}
