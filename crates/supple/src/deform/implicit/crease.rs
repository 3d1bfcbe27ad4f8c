//! Creases of jointed limbs: where the skin of the two meets, found by a search along one straight line.
//!
//! Ours. A start that blends motions turns the skin in the bottom of a fold round, so that it lies there in three layers; points
//! that then leave the other limb along their own gradient stay in three layers, and near the axis of a limb that gradient points
//! anywhere. Two things mend it:
//!
//! - towards the inner side of a joint that is bent far, points start where their own limb alone carries them: in order;
//! - those past the plane that halves the bend go back along the one direction in which their limb faces the fold, to where the
//!   two limbs are equal, and stay there. By the joint, where the skin of the two is one, that is on the plane itself: fields are as
//!   deep as their limbs are thick, so that a thin calf took the side of a knee with it, over that of a thick thigh, as a flap.
//!
//! On an arm at 150 degrees with narrow weights 0.088 % of overlap became none, and the largest jump between two frames a third.
//!
//! | symbol | identifier |
//! |---|---|
//! | half the bend β | `Fold::bend` = sin(β/2) |
//! | f_own - f_other | `fields` |
//! | (1 - s) (x - joint) ⋅ n / r + s (f_own - f_other), with s by the height of x above the joint | `difference` |
//!
//! Where it fails: limbs that are bent at rest (a shoulder, a hip) have no plane that halves their bend; they are left to the
//! owner rule.

use crate::{
    field::{
        Body,
        compose::{Fold, Pair},
    },
    math::smoothstep,
};
use glam::Vec3A;
use std::cmp::Ordering;

/// Limbs that are bent by more than twice this at rest, in radians, have no crease of this kind. Elbows of 46 degrees must have one: at
/// 0.39 the side of a dense one, bent by 60 more, walked into its middle and left a pit.
const BENT: f64 = 0.45;
/// Least share of a point's weights for the two limbs of its crease, and for its own.
const SHARED: f32 = 0.9;
const OWN: f32 = 0.49;
/// Sines of half the bends between which points go over to their own limb: 47 and 90 degrees beyond rest. Later than that the
/// change is seen as flicker.
const TURNED: [f32; 2] = [0.4, std::f32::consts::FRAC_1_SQRT_2];
/// From the height of the joint on, points go over to their own limb within this share of its radius.
const HEIGHT: f32 = 0.5;
/// Heights above the joint, over the radius of the thinner limb, between which limbs go over from meeting in the plane to meeting
/// where their fields are equal. At 0.3 and 1 an arm bent by 120 degrees has a hole beside its crease; with less than 0.65 one with
/// relief overlaps by 0.014 % at 135, with more a knee bent by 150 had two cells inside out, both where [`STEEP`] was 1.5.
const ON_PLANE: [f32; 2] = [0.0, 0.65];
/// How steep the difference of two fields is where both are as on their skin, over the radius: the plane is as steep. Where it was
/// less so, places between the two were drawn to it late, and a horse that rears overlapped more than with dual quaternions.
const STEEP: f32 = 2.0 * 15.0 / 16.0;
/// How far past the plane a point must be, over the radius: rings of many meshes lie on it, and rounding must not decide.
const LEAST: f32 = 1e-4;
/// Places between the plane and the skin where the other limb is looked for.
const LOOKS: usize = 4;
/// Steps beyond the plane, and their length over the radius: from the skin of a limb to beyond its axis.
pub const STEPS: usize = 6;
const STEP: f32 = 0.2;
/// Steps inward for points that the other limb reaches on their own side. With 4 some came out of the shin of a knee bent by 150.
pub const PUSH_STEPS: usize = 2;
/// Steps of the search on the last step.
const LANDING: usize = 8;
/// Two fields that are as near as this are equal. Where the search ends is seen: at 1e-3 another processor's rounding moved
/// points by 1e-4 of the diagonal. At a tenth of this a point is looked for once more, which an H200 takes 6 µs for.
const CLOSE: f32 = 2e-4;

/// A fold as one of its two limbs sees it.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    fold: Fold,
    /// From the plane that halves the bend into the limb.
    across: Vec3A,
    /// From the axis of the limb towards the fold.
    outward: Vec3A,
}

impl Side {
    /// Of the first limb of a pair, or of the second.
    #[inline(always)]
    pub fn of(fold: &Fold, first: bool) -> Self {
        let across = if first { fold.across } else { -fold.across };
        let cosine = (1.0 - fold.bend * fold.bend).max(0.0).sqrt();
        Self { fold: *fold, across, outward: cosine * fold.towards - fold.bend * across }
    }

    /// Where a point starts that blended motions put to `start` and its own limb alone to `own`.
    #[inline(always)]
    pub fn start(&self, start: Vec3A, own: Vec3A, radius: f32) -> Vec3A {
        let height = (own - self.fold.at).dot(self.fold.towards);
        start.lerp(own, turned(&self.fold) * smoothstep([0.0, HEIGHT * radius], height))
    }

    /// How far a place is past the plane that halves the bend: below zero, or zero.
    pub fn past(&self, at: Vec3A) -> f32 {
        (at - self.fold.at).dot(self.across).min(0.0)
    }

    /// How much stronger the limb of a point is than the other. `past` is how far the point was past the plane at rest, `fields` by how
    /// much its field is stronger.
    #[inline(always)]
    pub fn difference(&self, fields: impl Fn(Vec3A) -> f32, past: f32, at: Vec3A) -> f32 {
        let (from, radius) = (at - self.fold.at, self.fold.radius);
        let share = smoothstep(ON_PLANE.map(|h| h * radius), from.dot(self.fold.towards));
        if share >= 1.0 {
            return fields(at);
        }
        let plane = STEEP * (from.dot(self.across) - past) / radius;
        if share <= 0.0 { plane } else { share * fields(at) + (1.0 - share) * plane }
    }

    /// Where a point meets the other limb; none where it is not past the plane, or meets nothing. `past` is how far it was past
    /// the plane at rest already. `difference` is how much stronger its own limb is.
    pub fn meet(&self, difference: impl Fn(Vec3A) -> f32, past: f32, radius: f32, at: Vec3A) -> Option<Vec3A> {
        let from = at - self.fold.at;
        let past = from.dot(self.across) - past;
        if past >= -LEAST * radius || self.fold.towards == Vec3A::ZERO || from.dot(self.fold.towards) <= 0.0 {
            return None;
        }
        let plane = at + past / self.fold.bend * self.outward;
        let there = difference(plane);
        if there < 0.0 {
            return self.inward(difference, radius, STEPS, (plane, there));
        }
        // The limbs are not as thick as each other: from the plane back towards the skin, until the other one is met.
        let mut last = (plane, there);
        for look in 1..=LOOKS {
            let next = plane.lerp(at, look as f32 / LOOKS as f32);
            let value = difference(next);
            if value < 0.0 {
                return Some(land(difference, (next, value), last));
            }
            last = (next, value);
        }
        None
    }

    /// Where a point is held that the other limb reaches: itself where its own is not weaker, else inward by at most so many steps.
    pub fn hold(&self, difference: impl Fn(Vec3A) -> f32, radius: f32, steps: usize, at: Vec3A) -> Option<Vec3A> {
        let here = difference(at);
        if here >= 0.0 { Some(at) } else { self.inward(difference, radius, steps, (at, here)) }
    }

    fn inward(
        &self,
        difference: impl Fn(Vec3A) -> f32,
        radius: f32,
        steps: usize,
        mut last: (Vec3A, f32),
    ) -> Option<Vec3A> {
        for _ in 0..steps {
            let next = last.0 - STEP * radius * self.outward;
            let value = difference(next);
            if value >= 0.0 {
                return Some(land(difference, last, (next, value)));
            }
            last = (next, value);
        }
        None
    }
}

/// The pair in whose crease a point of a limb can lie: the one that has most of its weights, and of those that tie the nearest.
pub fn pair_of(body: &Body, owner: u16, rest: Vec3A, share: impl Fn(u16) -> f32) -> Option<u16> {
    if share(owner) < OWN {
        return None;
    }
    let key = |p: &Pair| (p.limbs.iter().map(|l| share(*l)).sum::<f32>(), -p.at[0].as_vec3a().distance(rest));
    let jointed = (0..).zip(&body.pairs).filter(|(_, p)| p.joint.is_some() && p.limbs.contains(&owner));
    let (pair, best) = jointed.max_by(|a, b| key(a.1).partial_cmp(&key(b.1)).unwrap_or(Ordering::Equal))?;
    (best.bent < BENT && key(best).0 >= SHARED).then_some(pair)
}

/// Whether points of a fold start anywhere else than where blended motions put them.
#[inline(always)]
pub fn turns(fold: &Fold) -> bool {
    fold.turned > TURNED[0] && fold.towards != Vec3A::ZERO
}

/// The same, and a plane parts the two limbs: where they are twisted there is none.
#[inline(always)]
pub fn parted(fold: &Fold) -> bool {
    turns(fold) && fold.across != Vec3A::ZERO
}

fn turned(fold: &Fold) -> f32 {
    smoothstep(TURNED, fold.turned)
}

/// Between a place where the own limb is weaker and one where it is not: the latter, as near to where they are equal as need be.
/// False position, with the weight of an end that stays halved.
fn land(difference: impl Fn(Vec3A) -> f32, weaker: (Vec3A, f32), stronger: (Vec3A, f32)) -> Vec3A {
    let ((mut before, mut low), (mut at, mut high)) = (weaker, stronger);
    let mut left = high;
    for _ in 0..LANDING {
        if left < CLOSE {
            break;
        }
        let middle = before.lerp(at, (low / (low - high)).clamp(0.05, 0.95));
        let value = difference(middle);
        if value >= 0.0 {
            (at, high, left) = (middle, value, value);
            low *= 0.5;
        } else {
            (before, low) = (middle, value);
            high *= 0.5;
        }
    }
    at
}
