//! The owner rule: a point with a positive penetration depth, where another limb's field exceeds its owner's, walks along its owner's
//! gradient to the medial surface of the two. That surface is the contact, and needs no earlier frame.
//!
//! Ours. The paper marches such points along the strongest field, which moves those beyond the other limb's axis out on its far
//! side (its figure 14d): at a bend of 135 degrees an arm then overlaps more than with dual quaternions.
//!
//! f_own + deficit < f_other: walk along ∇f_own until they are equal. The deficit is the penetration depth at rest,
//! 0 for nearly all points, so that the rest pose never moves.

use super::{field_at::Local, known::Known};
use crate::constant::Constant;
use glam::Vec3A;

/// Steps of a walk at most.
const WALK_STEPS: usize = 40;
/// Steps of the root search on the last step of a walk.
const WALK_ROOT_STEPS: usize = 6;
/// Difference of two fields below which they are equal.
const WALK_TOLERANCE: f32 = 1e-3;
/// Bracket of a root search: shares of the interval that it does not leave, so that it shrinks from both sides.
pub const BRACKET: [f32; 2] = [0.05, 0.95];
/// Longest walk, over the radius of the limb times the penetration depth. Two limbs that meet head on close by about 1 a radius; where
/// they graze each other, they close up to eight times more slowly. From the first prototype, and not tuned since: more lets points
/// wander along fields that are nearly equal, less leaves grazing skin inside the other limb.
const WALK_PER_DEPTH: f32 = 8.0;
/// Added to that, over the longest step, so that points of little depth reach the medial surface too.
const WALK_SLACK: f32 = 0.5;
/// Longest walk, over the radius of the limb: from its skin to beyond its axis.
const LONGEST_WALK: f32 = 1.2;
/// Shortest step of a walk, over the longest step.
const SHORTEST_WALK_STEP: f32 = 0.02;
/// Slope at which two fields come nearer to each other along a walk, over the owner's slope, above which a step is a Newton step. Below
/// it the gradients are nearly parallel, and a Newton step would be over four times as long as one to where the other's field is constant.
const LEAST_CLOSING: f32 = 0.25;
/// Slope of a field, times the radius, below which it has no direction to walk in.
const LEAST_SLOPE: f32 = 1e-4;
/// Penetration depth, as a value of fields, above which a point walks: below it, rounding decides.
const DEPTH_MARGIN: f32 = 1e-6;
/// A point whose owner's value has fallen by more than this since rest has left its limb: the medial surface means nothing there. The
/// skin is at 0.5 and the field ends at 0, so that this is half of the way out.
const MOST_VALUE_LOST: f32 = 0.25;
/// Penetration depth, as a value of fields, above which a point is deep in another limb: see [`is_deep`]. Between the skin, at 0.5, and
/// the axis, near 0.9, this is a quarter of the way. With less, skin that a bad volume dents a little may go far; with more, skin
/// that is pressed in is held back.
pub const DEEP: f32 = 0.1;
/// Cosine of the angle between gradients below which two limbs have contact: gradients nearer to each other than 30 degrees are one
/// surface. At 55 degrees an arm with a narrow weight band keeps an overlap of 0.06 % at a bend of 135, at 30 it is 0.005 %.
pub const SAME_SURFACE: f32 = 0.866_025_4;

/// Least divisor of a cosine, a product of two slopes: fields without slope have no angle. The least number that devices do not take
/// for zero.
const LEAST_LENGTHS: f32 = f32::MIN_POSITIVE;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    let steps = crate::constants![WALK_STEPS, WALK_ROOT_STEPS, WALK_TOLERANCE, BRACKET, WALK_PER_DEPTH, WALK_SLACK];
    let lengths = crate::constants![LONGEST_WALK, SHORTEST_WALK_STEP, LEAST_CLOSING, LEAST_SLOPE];
    [steps, lengths, crate::constants![DEPTH_MARGIN, MOST_VALUE_LOST, DEEP, SAME_SURFACE, LEAST_LENGTHS]].concat()
}

/// Whether a point has a positive penetration depth where the limbs were felt last, on the inner side of their joint.
#[inline(always)]
pub fn is_inside_another(field: &Local<'_, '_>, known: &Known, at: Vec3A) -> bool {
    let own = field.felt().own(known.owner);
    let (other, limb) = field.felt().other(known.owner, &known.merged);
    other.value > own.value + known.deficit + DEPTH_MARGIN
        && own.value >= known.own - MOST_VALUE_LOST
        && field.field.folds(known.owner, limb, at)
        && !field.field.rounds(known.owner, limb, [own, other])
}

/// Whether the penetration depth is so large that a long way back is expected, if the two limbs have room for one.
pub fn is_deep(field: &Local<'_, '_>, known: &Known, have_room: impl Fn(u16, u16) -> bool) -> bool {
    let own = field.felt().own(known.owner).value;
    let (other, limb) = field.felt().other(known.owner, &known.merged);
    other.value > own + known.deficit + DEEP && have_room(known.owner, limb)
}

/// Where the walk of a point that is inside another limb ends; none where it finds no contact.
pub fn walk(field: &mut Local<'_, '_>, known: &Known, radius: f32, edge: f32, start: Vec3A) -> Option<Vec3A> {
    let (owner, deficit) = (known.owner, known.deficit);
    let (mut own, (mut other, mut limb)) = (field.felt().own(owner), field.felt().other(owner, &known.merged));
    let (mut at, mut before, mut behind, mut walked) = (start, start, 0.0, 0.0);
    let most =
        (WALK_PER_DEPTH * radius * (other.value - own.value - deficit) + WALK_SLACK * edge).min(LONGEST_WALK * radius);
    for _ in 0..WALK_STEPS {
        let slope = own.gradient.length();
        if walked >= most || slope * radius < LEAST_SLOPE {
            return None;
        }
        let direction = own.gradient / slope;
        let closing = slope - other.gradient.dot(direction);
        let mut step = edge;
        if closing > LEAST_CLOSING * slope {
            step = step.min((other.value - own.value - deficit) / closing);
        }
        step = step.max(SHORTEST_WALK_STEP * edge);
        (before, behind) = (at, own.value + deficit - other.value);
        at += step * direction;
        walked += step;
        let values = field.values(at);
        own = values.own(owner);
        (other, limb) = values.other(owner, &known.merged);
        if own.value + deficit >= other.value {
            break;
        }
    }
    if own.value + deficit < other.value {
        return None;
    }
    // False position on the last step, which halves the weight of an end that stays (Illinois); the end where the owner is stronger is
    // the result.
    let (mut low, mut high) = (behind, own.value + deficit - other.value);
    for _ in 0..WALK_ROOT_STEPS {
        if high < WALK_TOLERANCE {
            break;
        }
        let middle = before.lerp(at, (low / (low - high)).clamp(BRACKET[0], BRACKET[1]));
        let values = field.values(middle);
        let (here, there) = (values.own(owner), values.other(owner, &known.merged));
        let difference = here.value + deficit - there.0.value;
        if difference >= 0.0 {
            (at, own, high) = (middle, here, difference);
            low *= 0.5;
            // Past the end of the other's support there is no other: the contact is with the last one.
            if there.1 != owner {
                (other, limb) = there;
            }
        } else {
            (before, low) = (middle, difference);
            high *= 0.5;
        }
    }
    let lengths = own.gradient.length() * other.gradient.length();
    let cos = own.gradient.dot(other.gradient) / lengths.max(LEAST_LENGTHS);
    let contact = cos <= SAME_SURFACE && field.field.folds(owner, limb, at);
    contact.then(|| start.lerp(at, field.field.pressure(owner, limb)))
}
