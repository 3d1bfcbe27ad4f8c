//! Creases: the inner side of a bent joint, where the skin of its two limbs meets. Points of a crease go to contact along one
//! straight direction.
//!
//! Ours. A start that blends motions reverses the order of the skin in the bottom of a fold, so that it lies there in three layers;
//! points that leave the other limb along their own gradient stay in three layers, and near the axis of a limb that gradient has no
//! reliable direction. So:
//!
//! - on the inner side of a joint that is bent far, points start where their own limb alone moves them, which keeps their order;
//! - points past the bisector plane go back along the direction in which their limb faces the fold, to the medial surface of the two
//!   limbs, and stay there. Close to the joint, where the skin of the two is continuous, they go to the bisector plane instead: a field
//!   is as deep as its limb is thick, so that the medial surface of a thin calf and a thick thigh pulled the side of the knee over the
//!   thigh as a flap.
//!
//! On an arm at 150 degrees with narrow weights 0.088 % of overlap became none, and the largest jump between two frames a third.
//!
//! | symbol | identifier |
//! |---|---|
//! | half the bend β | `Fold::bend` = sin(β/2) |
//! | f_own - f_other | `fields` |
//! | (1 - s) (x - joint) ⋅ n / r + s (f_own - f_other), with s by the height of x above the joint | `difference` |
//!
//! Where it fails: limbs that are bent at rest (a shoulder, a hip) have no bisector plane; the owner rule alone handles them.

use super::owner::BRACKET;
use crate::{
    constant::Constant,
    field::{
        Body,
        compose::{Fold, Pair},
    },
    math::smoothstep,
};
use glam::Vec3A;
use std::cmp::Ordering;

/// Half the bend at rest, in radians, from which on two limbs have no crease. Elbows of 46 degrees must have one: at
/// 0.39 the side of a dense one, bent by 60 more, walked into its middle and left a pit.
const MOST_REST_BEND: f64 = 0.45;
/// Least share of a point's weights for the two limbs of its crease, and for its owner: a point of three limbs is in no crease.
const LEAST_PAIR_WEIGHT: f32 = 0.9;
const LEAST_OWN_WEIGHT: f32 = 0.49;
/// Sines of half the bend beyond rest between which starts change from the blended motion to the owner's: 47 and 90 degrees. Later
/// than that the change is seen as flicker.
const CREASE_BENDS: [f32; 2] = [0.4, std::f32::consts::FRAC_1_SQRT_2];
/// Height above the joint, over the radius of the limb, within which starts change to the owner's motion.
const START_HEIGHT: f32 = 0.5;
/// Heights above the joint, over the radius of the thinner limb, between which the target changes from the bisector plane to the medial
/// surface. At 0.3 and 1 an arm bent by 120 degrees has a hole beside its crease; with less than 0.65 one with
/// relief overlaps by 0.014 % at 135, with more a knee bent by 150 had two cells inside out, both where [`SKIN_SLOPE`] was 1.5.
const BISECTOR_HEIGHTS: [f32; 2] = [0.0, 0.65];
/// Slope of the difference of two fields on their skin, times the radius; that of the bisector plane's side of `difference` is the same.
/// Where it was smaller, points between the two were drawn to the plane late, and a horse that rears overlapped more than with dual
/// quaternions.
const SKIN_SLOPE: f32 = 2.0 * 15.0 / 16.0;
/// How far past the bisector plane a point must be, over the radius: rings of many meshes lie on it, and rounding must not decide.
const BISECTOR_MARGIN: f32 = 1e-4;
/// Places between the bisector plane and the skin where the field of the other limb is compared.
const MEDIAL_PROBES: usize = 4;
/// Steps inward from a point, and their length over the radius: from the skin of a limb to beyond its axis.
pub const INWARD_STEPS: usize = 6;
const INWARD_STEP: f32 = 0.2;
/// Steps inward for points that the other limb reaches on their own side. With 4 some came out of the shin of a knee bent by 150.
pub const PUSH_STEPS: usize = 2;
/// Steps of the root search on the last step.
const CREASE_ROOT_STEPS: usize = 8;
/// Difference of two fields below which they are equal. Where the search ends is seen: at 1e-3 another processor's rounding moved
/// points by 1e-4 of the diagonal. At a tenth of this a point needs one more evaluation, which an H200 takes 6 µs for.
const CREASE_TOLERANCE: f32 = 2e-4;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    let starts = crate::constants![CREASE_BENDS, START_HEIGHT, BISECTOR_HEIGHTS, SKIN_SLOPE, BISECTOR_MARGIN];
    let steps = crate::constants![MEDIAL_PROBES, INWARD_STEPS, INWARD_STEP, PUSH_STEPS];
    [starts, steps, crate::constants![CREASE_ROOT_STEPS, CREASE_TOLERANCE]].concat()
}

/// A fold, seen from one of its two limbs.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    fold: Fold,
    /// Normal of the bisector plane, into the limb.
    across: Vec3A,
    /// Direction from the axis of the limb towards the fold.
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

    /// The start of a point whose blended motion leads to `start` and whose owner's motion leads to `own`.
    #[inline(always)]
    pub fn start(&self, start: Vec3A, own: Vec3A, radius: f32) -> Vec3A {
        let height = (own - self.fold.at).dot(self.fold.towards);
        start.lerp(own, start_share(&self.fold) * smoothstep([0.0, START_HEIGHT * radius], height))
    }

    /// Signed distance of a place past the bisector plane: below zero, or zero.
    pub fn past(&self, at: Vec3A) -> f32 {
        (at - self.fold.at).dot(self.across).min(0.0)
    }

    /// By how much the owner of a point is stronger than the other limb: minus the penetration depth. `past` is the point's distance past
    /// the bisector plane at rest, `fields` the difference of the fields.
    #[inline(always)]
    pub fn difference(&self, fields: impl Fn(Vec3A) -> f32, past: f32, at: Vec3A) -> f32 {
        let (from, radius) = (at - self.fold.at, self.fold.radius);
        let share = smoothstep(BISECTOR_HEIGHTS.map(|h| h * radius), from.dot(self.fold.towards));
        if share >= 1.0 {
            return fields(at);
        }
        let plane = SKIN_SLOPE * (from.dot(self.across) - past) / radius;
        if share <= 0.0 { plane } else { share * fields(at) + (1.0 - share) * plane }
    }

    /// Where a point past the bisector plane has contact with the other limb; none where it is not past it, or has none. `past` is its
    /// distance past the plane at rest, `difference` by how much its owner is stronger.
    pub fn contact(&self, difference: impl Fn(Vec3A) -> f32, past: f32, radius: f32, at: Vec3A) -> Option<Vec3A> {
        let from = at - self.fold.at;
        let past = from.dot(self.across) - past;
        if past >= -BISECTOR_MARGIN * radius || self.fold.towards == Vec3A::ZERO || from.dot(self.fold.towards) <= 0.0 {
            return None;
        }
        let plane = at + past / self.fold.bend * self.outward;
        let there = difference(plane);
        if there < 0.0 {
            return self.inward(difference, radius, INWARD_STEPS, (plane, there));
        }
        // The limbs are not as thick as each other: probes from the plane back to the skin find the other one.
        let mut last = (plane, there);
        for look in 1..=MEDIAL_PROBES {
            let next = plane.lerp(at, look as f32 / MEDIAL_PROBES as f32);
            let value = difference(next);
            if value < 0.0 {
                return Some(equal_between(difference, (next, value), last));
            }
            last = (next, value);
        }
        None
    }

    /// Where a point goes that the other limb reaches: nowhere if its owner is not weaker, else inward by at most so many steps.
    pub fn pushed_inside(
        &self,
        difference: impl Fn(Vec3A) -> f32,
        radius: f32,
        steps: usize,
        at: Vec3A,
    ) -> Option<Vec3A> {
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
            let next = last.0 - INWARD_STEP * radius * self.outward;
            let value = difference(next);
            if value >= 0.0 {
                return Some(equal_between(difference, last, (next, value)));
            }
            last = (next, value);
        }
        None
    }
}

/// The pair in whose crease a point can lie: the one with most of its weights, and of equals the nearest.
pub fn pair_of(body: &Body, owner: u16, rest: Vec3A, share: impl Fn(u16) -> f32) -> Option<u16> {
    if share(owner) < LEAST_OWN_WEIGHT {
        return None;
    }
    let key = |p: &Pair| (p.limbs.iter().map(|l| share(*l)).sum::<f32>(), -p.at[0].as_vec3a().distance(rest));
    let jointed = (0..).zip(&body.pairs).filter(|(_, p)| p.joint.is_some() && p.limbs.contains(&owner));
    let (pair, best) = jointed.max_by(|a, b| key(a.1).partial_cmp(&key(b.1)).unwrap_or(Ordering::Equal))?;
    (best.bent < MOST_REST_BEND && key(best).0 >= LEAST_PAIR_WEIGHT).then_some(pair)
}

/// Whether points of a fold start elsewhere than where blended motions lead.
#[inline(always)]
pub fn starts_alone(fold: &Fold) -> bool {
    fold.turned > CREASE_BENDS[0] && fold.towards != Vec3A::ZERO
}

/// The same, and the fold has a bisector plane: twisted limbs have none.
#[inline(always)]
pub fn has_bisector(fold: &Fold) -> bool {
    starts_alone(fold) && fold.across != Vec3A::ZERO
}

fn start_share(fold: &Fold) -> f32 {
    smoothstep(CREASE_BENDS, fold.turned)
}

/// A place where the two limbs are equal, on the side where the owner is not weaker, between a place where it is weaker and one where it
/// is not. False position that halves the weight of an end that stays (Illinois).
fn equal_between(difference: impl Fn(Vec3A) -> f32, weaker: (Vec3A, f32), stronger: (Vec3A, f32)) -> Vec3A {
    let ((mut before, mut low), (mut at, mut high)) = (weaker, stronger);
    let mut left = high;
    for _ in 0..CREASE_ROOT_STEPS {
        if left < CREASE_TOLERANCE {
            break;
        }
        let middle = before.lerp(at, (low / (low - high)).clamp(BRACKET[0], BRACKET[1]));
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
