//! Where two bones share a sphere. Everything follows from two vectors of four numbers, A of the bone at hand and B of its partner,
//! each its axis and the sine of its cone over the cosine: the apex and, at the same time, the plane of its circle of tangency.
//! Cylinders, cones and continued cones are no separate cases.
//!
//! | symbol | identifier |
//! |---|---|
//! | A, M = (A + B) / √(2 + 2G) | [`Joint::own`], [`Joint::middle`] |
//! | B, G = ⟨A, B⟩ | [`Joint::partner`], `gram` |
//! | κ/(1 + G), linear in the cosine and sine of the azimuth | [`Joint::steep`] |
//! | λ: what is cropped from both bones, in radii | [`Joint::crop`] |
//! | μ, μ₁, μ₂ | [`Joint::across`], [`Joint::to_middle`], [`Joint::from_middle`] |

use super::{
    frame::Frame,
    real::{Four, Real, Turn, Vector},
};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Two axes nearer to one line than this sine have no plane in common: any will do.
const STRAIGHT: f64 = 1e-9;
/// How much before the cones would swallow each other a bend stops, in radians.
const MARGIN: f64 = 0.05;

/// One bone's side of a joint, in that bone's frame: along its axis, e1, e2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Joint<F> {
    /// +1 at the far end of the bone, -1 near the root.
    pub sign: F,
    /// Azimuth of the inner side of the bend.
    pub reference: F,
    /// The same as a turn.
    pub toward: Turn<F>,
    /// A.
    pub own: Four<F>,
    /// M, the plane that separates the two bones.
    pub middle: Four<F>,
    /// B.
    pub partner: Four<F>,
    /// 1 + ⟨A, M⟩.
    pub to_arc: F,
    /// 1 + ⟨A, B⟩.
    pub gram: F,
    /// κ/(1 + G) for azimuth φ: a number, times cos φ, times sin φ.
    pub steep: [F; 3],
    /// Tangent of the half angle of the cone towards the joint.
    pub slope: F,
    /// μ: tan of half the partner's angle over that of ours.
    pub across: Map<F>,
    /// The same from this bone to the circle in which the separator cuts the sphere.
    pub to_middle: Map<F>,
    /// And from that circle to the partner.
    pub from_middle: Map<F>,
}

/// What only double precision needs of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointSetup {
    /// The joint itself.
    pub joint: Joint<f64>,
    /// +1 where the partner starts at the joint, -1 where it ends there.
    pub other_sign: f64,
    /// Azimuth of the inner side on the partner.
    pub other_reference: f64,
    /// The greatest crop of all azimuths, in radii.
    pub deepest: f64,
    /// Whether it is bent so far that the cones would swallow each other: the formulas stop before.
    pub is_limited: bool,
}

impl JointSetup {
    /// The joint at `end` of `bone`, where `other` has its end `other_end`.
    pub fn new(bone: &Frame, end: usize, other: &Frame, other_end: usize) -> Self {
        let (a, sine_a) = (-bone.outward(end), -bone.outward_sine(end));
        let (mut b, sine_b) = (other.outward(other_end), other.outward_sine(other_end));
        let (cosine_a, cosine_b) = (bone.cosine, other.cosine);
        let sum = sine_a.asin() + sine_b.asin();
        let (mut cosine, mut sine) = (a.dot(b), a.cross(b).length());
        let inner = if sine > STRAIGHT { (b - a * cosine).normalize() } else { bone.e1 };
        let inner_on_other = inner * cosine - a * sine;
        let bend = sine.atan2(cosine).min(PI - sum.abs() - MARGIN);
        let is_limited = bend < sine.atan2(cosine);
        if is_limited {
            (sine, cosine) = bend.sin_cos();
            b = a * cosine + inner * sine;
        }
        let four = |v: DVec3, sine: f64, cosine: f64| Four { v: Vector::of(bone.local(v) / cosine), w: sine / cosine };
        let (own, partner) = (four(a, sine_a, cosine_a), four(b, sine_b, cosine_b));
        let gram = 1.0 + own.product(partner);
        let middle = own.plus(partner).times(1.0 / (2.0 * gram).sqrt());
        let half = |bend: f64, sum: f64| ((bend - sum) / 2.0).cos() / ((bend + sum) / 2.0).cos();
        let across = half(bend, sum);
        let local_inner = Vector::of(bone.local(inner));
        let local_a = Vector::of(bone.local(a));
        let to_middle = {
            let bend = middle.v.dot(local_inner).atan2(middle.v.dot(local_a));
            half(bend, sine_a.asin() + (middle.w / middle.v.length()).clamp(-1.0, 1.0).asin())
        };
        let reference = bone.azimuth(inner);
        let (level, swell) = ((sine_a * cosine - sine_b) / cosine_b / gram, cosine_a * sine / cosine_b / gram);
        let joint = Joint {
            sign: if end == 1 { 1.0 } else { -1.0 },
            reference,
            toward: Turn::of(reference),
            own,
            middle,
            partner,
            to_arc: 1.0 + own.product(middle),
            gram,
            steep: [level, swell * reference.cos(), swell * reference.sin()],
            slope: sine_a / cosine_a,
            across: Map::new(across),
            to_middle: Map::new(to_middle),
            from_middle: Map::new(across / to_middle),
        };
        Self {
            other_sign: if other_end == 0 { 1.0 } else { -1.0 },
            other_reference: other.azimuth(inner_on_other),
            deepest: joint.crop_of(level + swell).max(0.0),
            is_limited,
            joint,
        }
    }
}

impl Joint<f64> {
    /// In another precision.
    pub fn cast<F: Real>(&self) -> Joint<F> {
        let four = |q: &Four<f64>| Four { v: Vector(q.v.0.map(F::of)), w: F::of(q.w) };
        Joint {
            sign: F::of(self.sign),
            reference: F::of(self.reference),
            toward: self.toward.cast(),
            own: four(&self.own),
            middle: four(&self.middle),
            partner: four(&self.partner),
            to_arc: F::of(self.to_arc),
            gram: F::of(self.gram),
            steep: self.steep.map(F::of),
            slope: F::of(self.slope),
            across: self.across.cast(),
            to_middle: self.to_middle.cast(),
            from_middle: self.from_middle.cast(),
        }
    }
}

impl<F: Real> Joint<F> {
    #[inline(always)]
    fn crop_of(&self, t: F) -> F {
        let left = F::of(1.0) - t * self.slope;
        if left > F::of(1e-6) { t / left } else { F::of(if t > F::default() { 1e6 } else { -1e6 }) }
    }

    /// Length cropped from both bones at an azimuth, in radii; negative where an arc of the sphere is seen instead.
    #[inline(always)]
    pub fn crop(&self, around: Turn<F>) -> F {
        self.crop_of(self.steep[0] + self.steep[1] * around.cosine + self.steep[2] * around.sine)
    }

    /// Where the baseline that leaves this bone at normal `n` arrives on the partner.
    pub fn arrival(&self, n: Vector<F>) -> Vector<F> {
        let v = Four::normal(n);
        let back = self.own.plus(self.partner).times(-(v.product(self.partner) / self.gram));
        v.plus(back).to_normal()
    }

    /// Where it crosses the separator: the anchor of a baseline that is not cropped.
    #[inline(always)]
    pub fn crossing(&self, n: Vector<F>) -> Vector<F> {
        let v = Four::normal(n);
        let back = self.own.plus(self.middle).times(-(v.product(self.middle) / self.to_arc));
        v.plus(back).to_normal()
    }
}

/// Angle to angle: tan of half the result is μ times tan of half the angle. As turns it needs no angle; see [`turned`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Map<F> {
    /// 1 + μ², 1 - μ², 2 μ.
    terms: [F; 3],
}

impl Map<f64> {
    fn new(mu: f64) -> Self {
        Self { terms: [1.0 + mu * mu, 1.0 - mu * mu, 2.0 * mu] }
    }

    fn cast<F: Real>(&self) -> Map<F> {
        Map { terms: self.terms.map(F::of) }
    }

    /// μ.
    pub fn mu(&self) -> f64 {
        0.5 * self.terms[2]
    }
}

impl<F: Real> Map<F> {
    /// From this angle.
    #[inline(always)]
    pub(super) fn onto(&self, turn: Turn<F>) -> Turn<F> {
        self.by(turn, self.terms[1])
    }

    /// Back to this angle.
    #[inline(always)]
    pub(super) fn back(&self, turn: Turn<F>) -> Turn<F> {
        self.by(turn, -self.terms[1])
    }

    #[inline(always)]
    fn by(&self, turn: Turn<F>, difference: F) -> Turn<F> {
        let over = F::of(1.0) / (self.terms[0] + difference * turn.cosine);
        Turn { sine: self.terms[2] * turn.sine * over, cosine: (difference + self.terms[0] * turn.cosine) * over }
    }
}

/// The same map on angles, without a jump at π.
pub fn turned(mu: f64, angle: f64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    angle + 2.0 * ((mu - 1.0) * sine).atan2((1.0 + mu) + (1.0 - mu) * cosine)
}

/// An angle from -π to π.
pub fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}
