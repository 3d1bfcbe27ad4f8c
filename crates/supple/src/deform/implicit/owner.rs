//! The owner rule: a point that lies deeper in another limb than in its own is walked back along its own gradient to where the
//! two are equal. That surface is the contact, and it is found without knowing earlier frames.
//!
//! Ours. The paper marches such points along the strongest field, which carries those beyond the other limb's axis out on its far
//! side (its figure 14d): at a bend of 135 degrees an arm then overlaps more than with dual quaternions.
//!
//! f_own + deficit < f_other: walk along ∇f_own until they are equal. The deficit is what another limb is stronger by at rest,
//! 0 for nearly all points, so that the rest pose never moves.

use super::{field_at::Local, known::Known};
use glam::Vec3A;

/// Steps of the walk.
const STEPS: usize = 40;
/// Steps of the search on the last step.
const LANDING: usize = 6;
/// Two fields that are as near as this are equal.
const CLOSE: f32 = 1e-3;
/// Longest walk, over the radius of the limb times what the other is stronger by.
const WALK: f32 = 8.0;
/// Longest walk, over the radius of the limb: from its skin to beyond its axis.
const FARTHEST: f32 = 1.2;
/// A point whose own field has fallen by more than this has left its limb: where the two are equal says nothing then.
const LEFT: f32 = 0.25;
/// See [`is_deep`].
pub const DEEP: f32 = 0.1;
/// Gradients nearer to each other than 30 degrees are one surface and no contact. At 55 degrees an arm with a narrow weight band
/// keeps an overlap of 0.06 % at a bend of 135, at 30 it is 0.005 %.
const SAME_SURFACE: f32 = 0.866_025_4;

/// Whether another limb is stronger than the point's own where the limbs were felt last, on the side where they fold.
#[inline(always)]
pub fn is_inside_another(field: &Local<'_, '_>, known: &Known, at: Vec3A) -> bool {
    let own = field.felt().own(known.owner);
    let (other, limb) = field.felt().other(known.owner, &known.merged);
    other.value > own.value + known.deficit + 1e-6
        && own.value >= known.own - LEFT
        && field.field.folds(known.owner, limb, at)
        && !field.field.rounds(known.owner, limb, [own, other])
}

/// Whether the other limb is so much stronger that a long way back is no surprise, if the two have room for one.
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
    let most = (WALK * radius * (other.value - own.value - deficit) + 0.5 * edge).min(FARTHEST * radius);
    for _ in 0..STEPS {
        let slope = own.gradient.length();
        if walked >= most || slope * radius < 1e-4 {
            return None;
        }
        let direction = own.gradient / slope;
        let closing = slope - other.gradient.dot(direction);
        let mut step = edge;
        if closing > 0.25 * slope {
            step = step.min((other.value - own.value - deficit) / closing);
        }
        step = step.max(0.02 * edge);
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
    // False position on the last step, with the weight of an end that stays halved; the far side is kept, where own is stronger.
    let (mut low, mut high) = (behind, own.value + deficit - other.value);
    for _ in 0..LANDING {
        if high < CLOSE {
            break;
        }
        let middle = before.lerp(at, (low / (low - high)).clamp(0.05, 0.95));
        let values = field.values(middle);
        let (here, there) = (values.own(owner), values.other(owner, &known.merged));
        let difference = here.value + deficit - there.0.value;
        if difference >= 0.0 {
            (at, own, high) = (middle, here, difference);
            low *= 0.5;
            // Past the edge of the other's support there is none: the last one felt is the one that was met.
            if there.1 != owner {
                (other, limb) = there;
            }
        } else {
            (before, low) = (middle, difference);
            high *= 0.5;
        }
    }
    let lengths = own.gradient.length() * other.gradient.length();
    let cos = own.gradient.dot(other.gradient) / lengths.max(f32::MIN_POSITIVE);
    let contact = cos <= SAME_SURFACE && field.field.folds(owner, limb, at);
    contact.then(|| start.lerp(at, field.field.pressure(owner, limb)))
}
