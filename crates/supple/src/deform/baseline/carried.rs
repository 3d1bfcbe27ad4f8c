//! Junctions: where three bones or more share a sphere, baselines end at anchors that are directions from its centre. At rest the
//! anchor of a baseline lies where its plane with the axis meets the border of the bone's part of the sphere, or where it is cropped.
//! A pose carries it by a blend of all the bones' turns, which depends on the direction alone, so that all bones agree where they meet.

use super::real::{Four, Real, Turn, Vector};

/// How far from the border of two bones both have a say, as a difference of ⟨anchor, D⟩. Narrower ones crack.
const SPREAD: f64 = 0.3;
/// Nearest to a right angle from its normal that an anchor is seen by a bone.
const FLATTEST: f64 = 1e-3;
/// An angle so near to a whole turn is none.
const WHOLE_TURN: f64 = 0.999 * std::f64::consts::TAU;

/// A bone of a junction as another of it sees it, in the frame of that one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member<F> {
    /// D at rest: away from the sphere along the bone, and the sine of its cone, both over the cosine.
    pub rest: Four<F>,
    /// Whether it is the bone at hand itself.
    pub is_self: bool,
    /// κ/(1 + G) with it at rest, and the slope of the cone: what it crops, as in a joint.
    pub steep: [F; 3],
    /// See `steep`.
    pub slope: F,
    /// Turns a direction at rest as this bone turns: rows.
    pub turn: [Vector<F>; 3],
    /// Away from the sphere along the bone, posed.
    pub axis: Vector<F>,
    /// Sine of its cone from there, posed.
    pub sine: F,
    /// Cosine of its cone, posed.
    pub cosine: F,
    /// The most that may be cropped of it.
    pub keep: F,
}

/// An anchor at rest: its direction from the centre, and how it is reached.
#[derive(Clone, Copy, Debug)]
pub struct Anchor<F> {
    /// Unit vector.
    pub direction: Vector<F>,
    /// What is cropped, in radii.
    pub crop: F,
}

/// An anchor as a bone sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<F> {
    /// What is cropped of it, in radii; none where an arc leads there.
    pub crop: F,
    /// Angle of that arc.
    pub angle: F,
    /// Distance of the anchor from the centre, in radii, as far as this bone is concerned.
    pub own: F,
    /// The largest of the same of all bones.
    pub common: F,
    /// And the most that all bones can do, in lengths.
    pub limit: F,
    /// What this bone itself had at rest.
    pub at_rest: F,
}

impl<F: Real> Seen<F> {
    /// How far beyond its own end the baseline of a layer of radius `radius` ends, as a factor.
    #[inline(always)]
    pub fn reach(&self, radius: F) -> F {
        let radius = radius.most(F::of(1e-12));
        (radius * self.common).least(self.limit.most(radius * self.at_rest)) / (radius * self.own)
    }

    /// The same for the baseline itself.
    #[inline(always)]
    pub fn base(&self, radius: F) -> F {
        (radius * self.common).least(self.limit) / (radius * self.own)
    }
}

/// The anchor at rest of the baseline with normal `n` and tangent `g` towards the sphere.
#[inline(always)]
pub fn anchor<F: Real>(members: &[Member<F>], n: Vector<F>, g: Vector<F>, around: Turn<F>) -> Anchor<F> {
    let (zero, one) = (F::default(), F::of(1.0));
    let mut crop = zero;
    let mut own = Four::default();
    for member in members {
        if member.is_self {
            own = member.rest;
            continue;
        }
        let t = member.steep[0] + member.steep[1] * around.cosine + member.steep[2] * around.sine;
        let left = one - t * member.slope;
        crop = crop.most(if left > F::of(1e-6) { t / left } else { t * F::of(1e6) });
    }
    if crop > zero {
        let to = n - g * crop;
        return Anchor { direction: to * (one / to.length()), crop };
    }
    // At most to the pole.
    let mut angle = (-(own.w / own.v.length())).arc_cosine();
    for member in members.iter().filter(|m| !m.is_self) {
        let level = own.w - n.dot(member.rest.v);
        let across = -one - g.dot(member.rest.v);
        let size = (level * level + across * across).root();
        let share = ((own.w - member.rest.w) / size.most(F::of(1e-30))).least(one).most(-one);
        let mut border = across.angle(level) + share.arc_cosine();
        if border < zero {
            border = border + F::of(std::f64::consts::TAU);
        }
        if border > F::of(WHOLE_TURN) {
            border = zero;
        }
        angle = angle.least(border);
    }
    let (sine, cosine) = angle.sine_cosine();
    Anchor { direction: n * cosine + g * sine, crop: zero }
}

/// Where the turns of all bones carry a direction.
#[inline(always)]
pub fn carry<F: Real>(members: &[Member<F>], direction: Vector<F>) -> Vector<F> {
    let mut sum = Vector::default();
    let mut most = F::of(f64::NEG_INFINITY);
    let level = |member: &Member<F>| direction.dot(member.rest.v) - member.rest.w;
    for member in members {
        most = most.most(level(member));
    }
    for member in members {
        let weight = ((level(member) - most) * F::of(1.0 / SPREAD)).exponential();
        sum = sum + Vector(member.turn.map(|row| row.dot(direction))) * weight;
    }
    sum * (F::of(1.0) / sum.length().most(F::of(1e-30)))
}

/// How the bone at hand and the others see a direction: all agree how far away the anchor is.
#[inline(always)]
pub fn seen<F: Real>(members: &[Member<F>], direction: Vector<F>, crop_at_rest: F) -> Seen<F> {
    let (zero, one) = (F::default(), F::of(1.0));
    let mut seen = Seen {
        crop: zero,
        angle: zero,
        own: one,
        common: zero,
        limit: F::of(1e30),
        at_rest: (one + crop_at_rest * crop_at_rest).root(),
    };
    for member in members {
        let along = direction.dot(member.axis);
        let off = (one - along * along).most(zero).root();
        let normal = member.sine * along + member.cosine * off;
        let tangent = member.sine * off - member.cosine * along;
        let crop = if tangent < zero { -tangent / normal.most(F::of(FLATTEST)) } else { zero };
        let distance = (one + crop * crop).root();
        seen.common = seen.common.most(distance);
        if crop > F::of(1e-9) {
            seen.limit = seen.limit.least(member.keep * distance / crop);
        }
        if member.is_self {
            seen.crop = crop;
            seen.own = distance;
            seen.angle = if tangent < zero { zero } else { tangent.angle(normal) };
        }
    }
    seen
}
