//! Projection: a point marches along the gradient to the value it had at rest, and stops where the gradient jumps, which is
//! where two limbs touch.
//!
//! v ← v + σ (iso - f(v)) ∇f / |∇f|², the step never longer than the point's edges (equation 4 of the paper has the wrong sign).
//! Where f - iso changes sign, false position on the last step finds the value; where the gradient turns by more than the contact angle,
//! bisection of the step finds the jump, and the point stays on the near side.

use super::field_at::Local;
use crate::{constant::Constant, field::Sample};
use glam::Vec3A;

/// Difference from its iso value below which a point is at it.
const ISO_TOLERANCE: f32 = 1e-4;
/// Steps of the root search for the iso value on the last step of a march.
const ISO_ROOT_STEPS: usize = 8;
/// Bisections of a step whose gradient jumps: where a step ends by chance there is 0.5 % of overlap.
const CONTACT_BISECTIONS: usize = 5;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    crate::constants![ISO_TOLERANCE, ISO_ROOT_STEPS, CONTACT_BISECTIONS]
}

/// The state of a point in the march.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum State {
    /// On its way.
    #[default]
    Underway,
    /// At its value.
    Fitted,
    /// Outside of every support, or without a value: it does not move.
    Free,
    /// At a jump of the gradient.
    Contact,
    /// The next step would lead away from its value.
    Stuck,
}

/// Settings of the march.
#[derive(Clone, Copy, Debug)]
pub struct March {
    /// Share of a Newton step that is taken.
    pub sigma: f32,
    /// Cosine of the contact angle.
    pub contact: f32,
    /// Below this length a gradient is none.
    pub least: f32,
}

/// Takes up to `steps` steps from a point where the field is `here`.
#[inline]
pub fn march(
    field: &mut Local<'_, '_>,
    rule: &March,
    iso: f32,
    edge: f32,
    steps: usize,
    start: Vec3A,
    here: Sample,
) -> (Vec3A, State) {
    let (mut at, mut here) = (start, here);
    if here.gradient.length() < rule.least {
        return (at, State::Free);
    }
    if (iso - here.value).abs() < ISO_TOLERANCE {
        return (at, State::Fitted);
    }
    for _ in 0..steps {
        let miss = iso - here.value;
        let slope2 = here.gradient.length_squared();
        let mut step = (rule.sigma * miss / slope2) * here.gradient;
        let length = step.length();
        if length > edge {
            step *= edge / length;
        }
        let next = field.sample(at + step);
        let now = iso - next.value;
        let slope = next.gradient.length();
        if slope < rule.least {
            return (at, if miss > 0.0 { State::Free } else { State::Stuck });
        }
        let turn = next.gradient.dot(here.gradient) / (slope * slope2.sqrt());
        if turn < rule.contact {
            return (stop(field, at, step, &here, &next), State::Contact);
        }
        if now * miss <= 0.0 {
            return (land(field, iso, miss, now, at, step), State::Fitted);
        }
        if now.abs() > miss.abs() {
            return (at, State::Stuck);
        }
        at += step;
        here = next;
        if now.abs() < ISO_TOLERANCE {
            return (at, State::Fitted);
        }
    }
    (at, State::Underway)
}

/// The last place of a step whose gradient is nearer to that of its start than to that of its end.
fn stop(field: &mut Local<'_, '_>, at: Vec3A, step: Vec3A, from: &Sample, to: &Sample) -> Vec3A {
    let (old, new) = (from.gradient.normalize(), to.gradient.normalize());
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..CONTACT_BISECTIONS {
        let middle = 0.5 * (low + high);
        let gradient = field.sample(at + middle * step).gradient;
        if gradient.dot(old) < gradient.dot(new) || gradient == Vec3A::ZERO {
            high = middle;
        } else {
            low = middle;
        }
    }
    at + low * step
}

/// The place on a step where the value is met: false position that halves the weight of an end which stays (Illinois).
fn land(field: &mut Local<'_, '_>, iso: f32, miss: f32, now: f32, at: Vec3A, step: Vec3A) -> Vec3A {
    let (mut low, mut low_miss, mut high, mut high_miss) = (0.0f32, miss, 1.0f32, now);
    let mut side = 0;
    for _ in 0..ISO_ROOT_STEPS {
        let middle = (low + (high - low) * low_miss / (low_miss - high_miss)).clamp(low, high);
        let here = iso - field.sample(at + middle * step).value;
        if here.abs() < ISO_TOLERANCE {
            return at + middle * step;
        }
        if here * miss <= 0.0 {
            (high, high_miss) = (middle, here);
            low_miss *= if side == 1 { 0.5 } else { 1.0 };
            side = 1;
        } else {
            (low, low_miss) = (middle, here);
            high_miss *= if side == 2 { 0.5 } else { 1.0 };
            side = 2;
        }
    }
    at + low * step
}
