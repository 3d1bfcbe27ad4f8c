//! Confidence in fields: skin near a limb that is no tube keeps its start while the two turn against each other. A doubt is one minus
//! the confidence in a pair of limbs.
//!
//! Ours. A field is rigid, and its skin is exact at rest alone. Where a limb is a tube longer than it is thick (an arm, a finger),
//! what its joints change is its two ends, which lie inside of the neighbours. A collar bone, half of a pelvis or a vertebra is a
//! piece of a thick body: it is open on a side or shorter than thick, no skin shows where its field should close, and its skin is shared
//! with its neighbours over a wide band, which fields cut into rigid blocks with steps between them. The paper's joints are of the first
//! kind. Of real bodies half are of the second: a walking man's chest fell in.
//!
//! The same is true of webs: skin between two branches, as between thumb and palm or between two fingers, spans space that no field fills
//! once they part. Each of its points would go to one of them, and the skin of a fist was shredded.
//!
//! share of a point = product over limbs near by of 1 - doubt(own, near) closeness(point, near) turned(own, near)
//!
//! Limbs that are not near can still touch it: a thigh the belly, a finger the palm. For a point without a share the owner rule alone
//! applies, and contact that it finds counts all the same.

use super::coarse::Coarse;
use crate::{
    constant::Constant,
    field::{Body, Fitted},
    math::{angle_of, smoothstep},
    pose::Motion,
};
use glam::DVec3;
use std::sync::Arc;

/// Doubts of a point at most.
pub const MOST_DOUBTS: usize = 4;
/// Lengths of limbs, over their mean thickness, of no confidence and of full confidence; and those of limbs at the end of a chain.
const LENGTHS: [f32; 2] = [1.5, 2.2];
const LENGTHS_AT_END: [f32; 2] = [0.6, 1.2];
/// Length of the mean of the normals round the bone (0 where skin goes all round, 1 where it faces one way) of full confidence and of
/// none.
const LEANS: [f32; 2] = [0.6, 0.75];
/// Distance along the skin, over the radius of a limb, within which it is near a point.
pub const NEAR_ALONG_SKIN: f32 = 1.5;
/// Share of that distance within which its doubt is full. Between the two the doubt falls off over three quarters of a radius: chosen so
/// that no step shows beside a limb without confidence, and not measured.
const FULL_DOUBT: f32 = 0.5;
/// Turns between two limbs, in radians, at which doubts begin and are full: 2 and 8 degrees. Below that the start and the
/// fields agree.
const TURNS: [f32; 2] = [0.035, 0.14];
/// The same for shifts between two limbs, over the radius: those turns move skin so far at 0.6 to 0.7 radii from the joint.
const SHIFTS: [f32; 2] = [0.02, 0.1];
/// A share of the correction of this or less counts as none.
const LEAST_SHARE: f32 = 1e-3;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    crate::constants![MOST_DOUBTS, LEAST_SHARE]
}

/// A doubt of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// Index of the two limbs.
    pub pair: u16,
    /// How large it is once they have turned, of 65535.
    pub strength: u16,
}

impl Doubt {
    /// An unused place.
    pub const NONE: Self = Self { pair: u16::MAX, strength: 0 };
}

/// The doubts of all points, in the tracker's order.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    pairs: Arc<Vec<[u16; 2]>>,
    of: Arc<Vec<[Doubt; MOST_DOUBTS]>>,
    /// Of the frame.
    turned: Vec<f32>,
}

impl Doubts {
    /// Of points and limbs near them: the way between them over [`NEAR_ALONG_SKIN`] radii, the point, its limb and the other; nearest first.
    /// `doubt` is that of two limbs beside each other.
    pub fn of(doubt: impl Fn(u16, u16) -> f32, points: usize, near: &[(f32, u32, u16, u16)]) -> Self {
        let (mut pairs, mut of) = (Vec::new(), vec![[Doubt::NONE; MOST_DOUBTS]; points]);
        for &(way, point, own, other) in near {
            let strength = doubt(own, other) * smoothstep([1.0, FULL_DOUBT], way);
            let strength = (f32::from(u16::MAX) * strength).round() as u16;
            let Some(free) = of[point as usize].iter_mut().find(|d| **d == Doubt::NONE) else { continue };
            if strength > 0 {
                let limbs = [own.min(other), own.max(other)];
                let known = pairs.iter().position(|p| *p == limbs);
                let pair = known.unwrap_or_else(|| {
                    pairs.push(limbs);
                    pairs.len() - 1
                });
                *free = Doubt { pair: pair as u16, strength };
            }
        }
        Self { turned: vec![0.0; pairs.len()], pairs: Arc::new(pairs), of: Arc::new(of) }
    }

    /// Measures how far limbs have turned against each other.
    pub fn update(&mut self, body: &Body, motion: &Motion) {
        for (turned, limbs) in self.turned.iter_mut().zip(&*self.pairs) {
            let [a, b] = limbs.map(|l| &body.limbs[usize::from(l)]);
            let by = motion.exact[a.limb.joint].inverse() * motion.exact[b.limb.joint];
            let shift = [a, b].map(|l| {
                let at = l.limb.segments[0].0;
                by.transform_point3(at).distance(at)
            });
            let shift = shift[0].min(shift[1]) / a.radius.min(b.radius);
            let large = smoothstep(TURNS, angle_of(&by) as f32).max(smoothstep(SHIFTS, shift as f32));
            // A joint that is squashed flat has no turn.
            *turned = if large.is_finite() { large } else { 1.0 };
        }
    }

    /// Whether nothing of its correction is left of a point.
    #[inline(always)]
    pub fn none_left(&self, point: usize) -> bool {
        self.share(point) <= LEAST_SHARE
    }

    /// The share of its correction that a point keeps.
    #[inline(always)]
    pub fn share(&self, point: usize) -> f32 {
        let mut share = 1.0;
        for doubt in &self.of[point] {
            if doubt.pair == u16::MAX {
                break;
            }
            share *= 1.0 - f32::from(doubt.strength) / f32::from(u16::MAX) * self.turned[usize::from(doubt.pair)];
        }
        share
    }

    /// The doubts of a point.
    pub fn of_point(&self, point: usize) -> &[Doubt; MOST_DOUBTS] {
        &self.of[point]
    }

    /// How far each pair of limbs has turned, from 0 to 1.
    pub fn turned(&self) -> &[f32] {
        &self.turned
    }
}

/// The confidence in fields.
#[derive(Clone, Debug, Default)]
pub struct Confidence {
    /// Of each limb while its neighbours turn: 1 where it is a tube.
    pub limbs: Vec<f32>,
    /// Joints whose skin cannot follow them.
    pub coarse: Vec<Coarse>,
}

impl Confidence {
    /// The doubt of two limbs beside each other.
    pub fn doubt(&self, body: &Body, a: u16, b: u16) -> f32 {
        let shape = 1.0 - self.limbs[usize::from(a)].min(self.limbs[usize::from(b)]);
        if self.coarse.is_empty() {
            return shape;
        }
        let coarse = body.pair(a, b).and_then(|pair| self.coarse.iter().find(|c| c.pair == pair));
        shape.max(coarse.map_or(0.0, |c| c.how))
    }
}

/// Tells whether two limbs are of different branches, so that neither is an ancestor of the other. The skin between them, as that
/// between thumb and palm, is a web: it spans space that no field fills once they part.
pub fn branches(body: &Body) -> impl Fn(u16, u16) -> bool {
    let mut above = vec![None; body.limbs.len()];
    for pair in body.pairs.iter().filter(|p| p.joint.is_some()) {
        above[usize::from(pair.limbs[1])] = Some(pair.limbs[0]);
    }
    let hangs = move |low: u16, high: u16| {
        std::iter::successors(Some(low), |l| above[usize::from(*l)]).take(above.len()).any(|l| l == high)
    };
    move |a, b| !hangs(a, b) && !hangs(b, a)
}

/// See [`Confidence::limbs`].
pub fn confidence(limb: &Fitted) -> f32 {
    let bones = limb.limb.segments.iter().map(|(head, tail)| head.distance(*tail));
    let ends = || limb.limb.ends.iter().map(|e| e.at);
    let between = ends().flat_map(|a| ends().map(move |b| a.distance(b)));
    let length = bones.chain(between).fold(0.0, f64::max);
    let axis = limb.limb.segments.iter().map(|(head, tail)| *tail - *head).sum::<DVec3>().normalize_or_zero();
    let (mut thickness, mut lean) = (0.0, DVec3::ZERO);
    for sample in &limb.samples {
        thickness += sample.at.distance(limb.limb.foot(sample.at));
        lean += (sample.normal - axis * sample.normal.dot(axis)).normalize_or_zero();
    }
    let count = limb.samples.len().max(1) as f64;
    let lengths = if limb.limb.ends.len() > 1 { LENGTHS } else { LENGTHS_AT_END };
    let tube = smoothstep(lengths, (length * count / thickness) as f32);
    tube * smoothstep([LEANS[1], LEANS[0]], (lean.length() / count) as f32)
}
