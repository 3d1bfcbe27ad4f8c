//! The shortest cutting plane through a joint.

use super::{
    crease,
    plane::{Curve, Plane},
    regions::Regions,
    surface::Surface,
};
use crate::rig::Bone;
use glam::{DQuat, DVec3};

/// Planes tried to either side of the bisector, and rounds of halving the step round the best.
const STEPS: i32 = 12;
const ROUNDS: usize = 4;
/// A plane keeps this angle from both bones, or it would run along one of them.
const CLEARANCE: f64 = 0.2;
/// Farthest tilt from the bisector.
const TILT: f64 = 1.1;
/// Bones that turn by less than this do not say in which plane the joint bends: two planes square to each other are
/// searched then.
const STRAIGHT: f64 = 0.5;
/// What a plane pays for its tilt from the bisector, which another pose leaves between the same two strips of skin, while
/// the shortest plane turns square to one bone. Of 1, 2, 4 and 8 the last two kept the most labels of the example
/// characters over poses, noise and moved joints, and painters do not care; 4 leaves more to the length.
const TILT_PRICE: f64 = 4.0;
/// The same where siblings share the curve: it is shorter across a palm than the bones in it say.
const SHARED_TILT_PRICE: f64 = 0.5;
/// Cosine of the largest angle between siblings that share a curve: metacarpals do, thighs do not.
const ALIKE: f64 = 0.5;
/// Sleeves and skirts up to so many times as long as the curve itself are cut with it.
const LOOSEST: f64 = 6.0;

/// Where the region of a joint begins.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The region below it.
    pub region: usize,
    pub plane: Plane,
    /// Crossed edges, ascending, and where.
    pub crossings: Vec<(u32, f64)>,
    /// Length of the curve round the joint.
    pub length: f64,
    pub found: Found,
    /// Points that folded skin has carried to the wrong side of the plane, ascending.
    pub folded: Vec<u32>,
}

impl Cut {
    /// Whether a point is on the child's side.
    pub fn is_below(&self, surface: &Surface, point: u32) -> bool {
        (self.plane.height(surface.smooth_point(point)) >= 0.0) != self.folded.binary_search(&point).is_ok()
    }
}

/// How a cut was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// The curve goes round the joint; how much of the way.
    Round(f64),
    /// It is the nearest one, so far away.
    Nearest(f64),
}

/// The shortest cut between a region and the one above it; none where no plane meets skin round the joint.
pub(crate) fn shortest(surface: &Surface, regions: &Regions, region: usize) -> Option<Cut> {
    let origin = regions.heads[region];
    let above = regions.heads[regions.parents[region]?];
    let (from, to) = ((origin - above).normalize_or_zero(), regions.directions[region]);
    let mut bisector = regions.bisectors[region]?;
    let all: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    let mut plane = Plane { origin, normal: bisector };
    let mut curves = plane.curves(surface, &all);
    let siblings = round(&curves).map_or_else(Vec::new, |curve| siblings_within(regions, region, &plane, curve));
    let tilt_price = if siblings.is_empty() { TILT_PRICE } else { SHARED_TILT_PRICE };
    if !siblings.is_empty() {
        // Together they say better than each alone how the palm lies.
        let others: DVec3 = siblings.iter().filter_map(|&r| regions.bisectors[r]).sum();
        bisector = (bisector + others).try_normalize().unwrap_or(bisector);
        plane.normal = bisector;
        curves = plane.curves(surface, &all);
    }
    let first = round(&curves).map(Curve::whole_length);

    let near = first.map(|length| near(surface, &all, origin, 0.6 * length));
    let looked_at = near.as_deref().unwrap_or(&all);
    let mut best = (first.unwrap_or(f64::INFINITY), plane);
    for axis in axes(from, to, bisector) {
        let bend = if from == DVec3::ZERO || to == DVec3::ZERO {
            0.0
        } else {
            from.angle_between(bisector).max(to.angle_between(bisector))
        };
        let limit = (std::f64::consts::FRAC_PI_2 - bend - CLEARANCE).clamp(0.0, TILT);
        let mut price = |tilt: f64| {
            let normal = DQuat::from_axis_angle(axis, tilt) * bisector;
            let plane = Plane { origin, normal };
            let length = round(&plane.curves(surface, looked_at)).map(Curve::whole_length);
            let price = length.map_or(f64::INFINITY, |l| l * (1.0 + tilt_price * (1.0 - tilt.cos())));
            if price < best.0 {
                best = (price, plane);
            }
            price
        };
        let mut step = limit / f64::from(STEPS);
        let tilts = (-STEPS..=STEPS).filter(|&k| k != 0).map(|k| f64::from(k) * step);
        let mut lowest = tilts.map(|t| (price(t), t)).fold((first.unwrap_or(f64::INFINITY), 0.0), lower);
        for _ in 0..ROUNDS {
            step *= 0.5;
            let sides = [lowest.1 - step, lowest.1 + step].into_iter().filter(|t| t.abs() <= limit);
            lowest = sides.map(|t| (price(t), t)).fold(lowest, lower);
        }
    }
    let cut = chosen(best.1.curves(surface, &all), best.1, region)?;
    Some(unfolded(surface, regions, &all, &cut).unwrap_or(cut))
}

/// The cut with its way through the crease of a bent joint; none where there is no crease.
fn unfolded(surface: &Surface, regions: &Regions, all: &[u32], cut: &Cut) -> Option<Cut> {
    let heights = crease::heights(surface, regions, cut);
    if heights.is_empty() {
        return None;
    }
    let plain = |p: u32| cut.plane.height(surface.smooth_point(p));
    let height = |p: u32| heights.get(&p).copied().unwrap_or_else(|| plain(p));
    let folded = heights.iter().filter(|(p, h)| (**h >= 0.0) != (plain(**p) >= 0.0)).map(|(p, _)| *p).collect();
    let again = chosen(cut.plane.curves_by(surface, all, &height), cut.plane, cut.region)?;
    let lost = matches!(cut.found, Found::Round(_)) && !matches!(again.found, Found::Round(_));
    (!lost).then_some(Cut { folded, ..again })
}

/// Siblings of much the same direction whose bones pass through a curve, as all metacarpals do through one palm.
fn siblings_within(regions: &Regions, region: usize, plane: &Plane, curve: &Curve) -> Vec<usize> {
    let passes = |bone: &Bone| {
        let [head, tail] = [bone.head, bone.tail].map(|p| plane.height(p));
        let t = head / (head - tail);
        (0.0..=1.0).contains(&t) && curve.is_round(plane.flat(bone.head.lerp(bone.tail, t)))
    };
    let Some(parent) = regions.parents[region] else { return Vec::new() };
    let alike = |r: usize| regions.bisectors[r].is_some_and(|d| d.dot(plane.normal) > ALIKE);
    let siblings = regions.children(parent).filter(|&r| r != region && alike(r));
    siblings.filter(|&r| regions.bones[r].iter().any(passes)).collect()
}

fn lower(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    if b.0 < a.0 { b } else { a }
}

/// The normals of the planes in which the cut may turn.
fn axes(from: DVec3, to: DVec3, bisector: DVec3) -> Vec<DVec3> {
    let normal = from.cross(to);
    let bent = normal.length() > STRAIGHT.sin() || from.dot(to) < 0.0;
    match normal.try_normalize().filter(|_| normal.length() > 0.02) {
        Some(axis) if bent => vec![axis],
        Some(axis) => vec![axis, axis.cross(bisector)],
        None => {
            let (a, b) = bisector.any_orthonormal_pair();
            vec![a, b]
        }
    }
}

/// Triangles that a curve round the joint can reach without being longer than twice the radius.
fn near(surface: &Surface, all: &[u32], origin: DVec3, radius: f64) -> Vec<u32> {
    let close: Vec<bool> = surface.smooth.iter().map(|p| p.distance(origin) <= radius).collect();
    let keep = |t: &&u32| surface.triangles[**t as usize].iter().any(|&c| close[c as usize]);
    all.iter().filter(keep).copied().collect()
}

/// The shortest curve that goes round the joint.
fn round(curves: &[Curve]) -> Option<&Curve> {
    let whole = curves.iter().filter(|c| c.encloses() && !c.clipped);
    whole.min_by(|a, b| a.whole_length().total_cmp(&b.whole_length()))
}

/// The curve of the joint, and with it what other pieces of the mesh have there: linings, sleeves, inner shells.
fn chosen(curves: Vec<Curve>, plane: Plane, region: usize) -> Option<Cut> {
    let nearest = || {
        // A joint no farther from a curve than the curve's own radius was meant to be in it.
        let fits = curves.iter().filter(|c| c.distance <= c.length / std::f64::consts::TAU);
        fits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    };
    let (main, found) = match round(&curves) {
        Some(curve) => (curve, Found::Round(curve.share)),
        None => nearest().map(|c| (c, Found::Nearest(c.distance)))?,
    };
    let length = main.whole_length();
    let belongs = |c: &&Curve| {
        let panel = c.share > 0.25 && c.distance < length / std::f64::consts::PI;
        let round = c.encloses() && c.length <= LOOSEST * length;
        // On the skin itself only the inside of a thick wall; what else lies in the curve there is a dent.
        !std::ptr::eq(*c, main) && (round || (c.component != main.component && (panel || c.is_within(main))))
    };
    let mut crossings = main.crossings.clone();
    crossings.extend(curves.iter().filter(belongs).flat_map(|c| c.crossings.iter().copied()));
    crossings.sort_unstable_by_key(|(edge, _)| *edge);
    Some(Cut { region, plane, crossings, length, found, folded: Vec::new() })
}
