//! A baseline along one bone of a pose: from anchor to anchor, half an arc, a piece of a generator, half an arc.

use super::{
    arc::Arc,
    carried::{Seen, anchor, carry, seen},
    joint::Joint,
    posed::{Bone, End, Meets, Posed, RestBone},
    real::{Four, Real, Turn, Vector},
};

/// One end of a section.
#[derive(Clone, Copy, Debug)]
pub struct Ending<F> {
    /// By how much the azimuth there differs from that at rest.
    pub change: F,
    /// The azimuth there.
    pub around: Turn<F>,
    /// What is cropped, in radii; nothing where an arc is seen.
    pub crop: F,
    /// What is cropped of the base, as a length.
    pub start: F,
    /// Length of the arc to the anchor.
    pub arc: F,
    /// How the anchor of a junction is seen.
    pub seen: Option<Seen<F>>,
}

/// A section of a bone in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Section<F> {
    /// Near the root, and far.
    pub ends: [Ending<F>; 2],
    /// Length of the piece of a generator.
    pub straight: F,
}

/// How a twist runs along a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Slowly at both ends: baselines are smooth there.
    #[default]
    Cubic,
    /// Evenly.
    Linear,
}

impl<F: Real> Section<F> {
    /// Length of all three pieces.
    #[inline(always)]
    pub fn length(&self) -> F {
        self.ends[0].arc + self.straight + self.ends[1].arc
    }
}

/// Sine and cosine of the half angle of a cone.
type Slant<F> = (F, F);

/// Unit normal of a cone at an azimuth.
#[inline(always)]
pub(super) fn normal<F: Real>((sine, cosine): Slant<F>, around: Turn<F>) -> Vector<F> {
    Vector([sine, cosine * around.cosine, cosine * around.sine])
}

/// Unit vector along its generator, towards an end: `sign` is +1 for the far one.
#[inline(always)]
pub(super) fn generator<F: Real>((sine, cosine): Slant<F>, around: Turn<F>, sign: F) -> Vector<F> {
    Vector([sign * cosine, -(sign * sine * around.cosine), -(sign * sine * around.sine)])
}

/// -1 near the root, +1 at the far end.
#[inline(always)]
pub(super) fn sign<F: Real>(end: usize) -> F {
    F::of(if end == 1 { 1.0 } else { -1.0 })
}

impl<F: Real> Posed<F> {
    /// The section on the baseline that has an azimuth at rest.
    #[inline(always)]
    pub fn section(&self, rest: &RestBone<F>, bone: usize, azimuth: F) -> Section<F> {
        let around = Turn::of(azimuth);
        let near = self.end(rest, bone, 0, azimuth, around);
        let far = self.end(rest, bone, 1, azimuth, around);
        Section { ends: [near, far], straight: self.bones[bone].generator - near.start - far.start }
    }

    /// One end of it.
    #[inline(always)]
    pub(super) fn end(&self, rest: &RestBone<F>, bone: usize, end: usize, azimuth: F, around: Turn<F>) -> Ending<F> {
        let here = &self.bones[bone].ends[end];
        let zero = F::default();
        match here.meets {
            Meets::Nothing => {
                let (around, arc) = (Turn::of(azimuth + here.twist), here.radius * here.cap);
                Ending { change: here.twist, around, crop: zero, start: zero, arc, seen: None }
            }
            Meets::Bone => {
                let (change, around) = here.target(&rest.joints[end], around);
                let crop = here.joint.crop(around);
                if crop > zero {
                    let start = (here.radius * crop).least(here.keep);
                    return Ending { change, around, crop, start, arc: zero, seen: None };
                }
                let arc = here.radius * self.bones[bone].arc(end, around).length;
                Ending { change, around, crop: zero, start: zero, arc, seen: None }
            }
            Meets::Junction => self.junction(rest, bone, end, azimuth, around),
        }
    }

    fn junction(&self, rest: &RestBone<F>, bone: usize, end: usize, azimuth: F, around: Turn<F>) -> Ending<F> {
        let here = &self.bones[bone].ends[end];
        let members = &self.members[here.members[0] as usize..here.members[1] as usize];
        let slant = (rest.sine, rest.cosine);
        let (n, g) = (normal(slant, around), generator(slant, around, sign(end)));
        let at_rest = anchor(members, n, g, around);
        let now = carry(members, at_rest.direction);
        // On the turn that is nearest to where the bone has taken it.
        let off = (now.0[1] * now.0[1] + now.0[2] * now.0[2]).root().most(F::of(1e-30));
        let found = Turn { sine: now.0[2] * (F::of(1.0) / off), cosine: now.0[1] * (F::of(1.0) / off) };
        let change = here.twist + found.less(Turn::of(azimuth + here.twist)).angle();
        let seen = seen(members, now, at_rest.crop);
        let start = here.radius * seen.crop * seen.base(here.radius);
        Ending { change, around: found, crop: seen.crop, start, arc: here.radius * seen.angle, seen: Some(seen) }
    }
}

impl<F: Real> End<F> {
    /// Change of the azimuth at this end since rest, and the azimuth: half way, on the circle that parts the two bones, between where
    /// this bone takes a baseline and where the partner does.
    #[inline(always)]
    fn target(&self, rest: &Joint<F>, around: Turn<F>) -> (F, Turn<F>) {
        let now = &self.joint;
        let own = around.less(rest.toward).signed(rest.sign);
        let here = now.to_middle.onto(own.then(self.own_shift));
        let there = now.from_middle.back(rest.across.onto(own).then(self.other_shift));
        let apart = self.branch + there.less(here).less(self.branch_turn).angle();
        let middle = here.then(Turn::of(apart * F::of(0.5)));
        let target = now.toward.then(now.to_middle.back(middle).signed(now.sign));
        (self.base + target.less(around).less(self.base_turn).angle(), target)
    }
}

impl<F: Real> Bone<F> {
    /// The arc from the circle of tangency to the anchor, on the unit sphere, in the bone's frame.
    #[inline(always)]
    pub(super) fn arc(&self, end: usize, around: Turn<F>) -> Arc<F> {
        let slant = (self.sine, self.cosine);
        let joint = &self.ends[end].joint;
        let (n, g) = (normal(slant, around), generator(slant, around, sign(end)));
        let to = joint.crossing(n);
        Arc::new(n, to, [g, joint.middle.tangent(to)])
    }

    /// Place on the generator at `around`, `x` from the circle of tangency near the root and `y` above the cone.
    #[inline(always)]
    pub(super) fn lift(&self, around: Turn<F>, x: F, y: F) -> Vector<F> {
        let radius = self.ends[0].radius;
        let along = radius * self.sine + x * self.cosine + y * self.sine;
        let off = radius * self.cosine - x * self.sine + y * self.cosine;
        Vector([along, off * around.cosine, off * around.sine])
    }

    /// A place in the bone's frame, seen from the centre near the root, in the world.
    #[inline(always)]
    pub(super) fn in_world(&self, v: Vector<F>) -> Vector<F> {
        self.origin + self.turned(v)
    }

    /// A direction in the bone's frame, in the world.
    #[inline(always)]
    pub(super) fn turned(&self, v: Vector<F>) -> Vector<F> {
        self.basis[0] * v.0[0] + self.basis[1] * v.0[1] + self.basis[2] * v.0[2]
    }
}

impl Profile {
    /// Share of the change at a share of the way.
    #[inline(always)]
    pub(super) fn at<F: Real>(self, share: F) -> F {
        let share = share.most(F::default()).least(F::of(1.0));
        match self {
            Self::Cubic => share * share * (F::of(3.0) - F::of(2.0) * share),
            Self::Linear => share,
        }
    }
}

/// The sphere's normal on the arc that leads from the circle of tangency of a joint to its partner's through normal `n`, and the
/// length of the arc up to `n`: how a point over the sphere finds its baseline.
pub(super) fn backwards(joint: &Joint<f64>, n: Vector<f64>) -> (Vector<f64>, f64) {
    let point = Four::normal(n);
    let own = (-point.product(joint.partner)).max(0.0);
    let other = point.product(joint.own).max(0.0);
    let own = if own + other < 1e-14 { 1.0 } else { own };
    let sum = joint.own.times(own).plus(joint.partner.times(other));
    let through = sum.times(1.0 / sum.product(sum).sqrt());
    let back = joint.own.plus(through).times(-(point.product(joint.own) / (1.0 + through.product(joint.own))));
    let start = point.plus(back).to_normal();
    let arc = Arc::new(start, n, [joint.own.tangent(start), through.tangent(n)]);
    (start, arc.length)
}
