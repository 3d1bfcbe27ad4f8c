//! A model in a pose, ready for points: what is the same for all points of a bone.

use super::{
    carried::Member,
    frame::{Frame, Model, Placed},
    joint::{Joint, JointSetup, wrapped},
    real::{Four, Real, Turn, Vector},
};
use std::f64::consts::TAU;

/// Share of every bone that is never cropped.
const LEFT: f64 = 0.25;
/// A crop that no bone has, in radii.
const BOUNDLESS: f64 = 1e9;
/// Azimuths at which a junction is asked how far it crops a bone.
const ASKED: usize = 96;

/// A bone in a pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bone<F> {
    /// Centre of the sphere near the root.
    pub origin: Vector<F>,
    /// Axis, e1 and e2.
    pub basis: [Vector<F>; 3],
    /// Sine of the half angle of the cone.
    pub sine: F,
    /// Cosine of it.
    pub cosine: F,
    /// Distance of the centres.
    pub length: F,
    /// Length of a generator.
    pub generator: F,
    /// Where along a generator the azimuth changes from that of one end to that of the other.
    pub window: [F; 2],
    /// Its two ends.
    pub ends: [End<F>; 2],
}

/// An end of a bone.
#[derive(Clone, Copy, Debug, Default)]
pub struct End<F> {
    /// Radius of the sphere.
    pub radius: F,
    /// How much larger than at rest all is here.
    pub scale: F,
    /// The most that is cropped, as a length.
    pub keep: F,
    /// Twist since rest: of the far end alone.
    pub twist: F,
    /// What is there.
    pub meets: Meets,
    /// The joint, where one other bone is there.
    pub joint: Joint<F>,
    /// By how much our angle from the inner side of the bend has changed since rest.
    pub own_shift: Turn<F>,
    /// The same of the partner.
    pub other_shift: Turn<F>,
    /// By how much the partner's has changed more than ours: one branch for all azimuths.
    pub branch: F,
    /// The same as a turn.
    pub branch_turn: Turn<F>,
    /// Change of the azimuth where the joint's maps do nothing.
    pub base: F,
    /// The same as a turn.
    pub base_turn: Turn<F>,
    /// Angle from the circle of tangency to the pole of a free end.
    pub cap: F,
    /// First and last of the junction's members.
    pub members: [u32; 2],
}

/// What a bone meets at an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meets {
    /// Nothing.
    #[default]
    Nothing,
    /// One other bone.
    Bone,
    /// Several.
    Junction,
}

/// All bones in a pose.
#[derive(Clone, Debug)]
pub struct Posed<F> {
    /// As in the model.
    pub bones: Vec<Bone<F>>,
    /// The members of all junctions.
    pub members: Vec<Member<F>>,
}

/// What poses are made from, and their memory: [`Setup::pose`] does not allocate.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The model.
    pub model: Model,
    rest: Vec<Frame>,
    /// One for each bone, end and other bone there, in order.
    sides: Vec<Side>,
    /// First side of each end.
    first: Vec<[usize; 3]>,
    rest_joints: Vec<JointSetup>,
    frames: Vec<Frame>,
    joints: Vec<JointSetup>,
    keep: Vec<f64>,
    deepest: Vec<[f64; 2]>,
    posed: Posed<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Side {
    bone: usize,
    end: usize,
    other: usize,
    other_end: usize,
    /// The same joint from the other bone.
    opposite: usize,
}

impl Setup {
    /// For a model.
    pub fn new(model: Model) -> Self {
        let rest = model.frames();
        let mut sides: Vec<Side> = Vec::new();
        let mut first = Vec::new();
        for (bone, spheres) in model.bones.iter().enumerate() {
            let mut starts = [sides.len(); 3];
            for end in 0..2 {
                let others = model.around[spheres[end]].iter().filter(|&&place| place != (bone, end));
                sides.extend(others.map(|&(other, other_end)| Side { bone, end, other, other_end, opposite: 0 }));
                starts[end + 1] = sides.len();
            }
            first.push(starts);
        }
        let place = |s: &Side, bone, end, other| (s.bone, s.end, s.other) == (bone, end, other);
        for i in 0..sides.len() {
            let Side { bone, other, other_end, .. } = sides[i];
            let range = first[other];
            let found = sides[range[0]..range[2]].iter().position(|s| place(s, other, other_end, bone));
            sides[i].opposite = range[0] + found.expect("joints are seen from both sides");
        }
        let joint = |s: &Side| JointSetup::new(&rest[s.bone], s.end, &rest[s.other], s.other_end);
        let rest_joints: Vec<_> = sides.iter().map(joint).collect();
        let mut members = 0;
        for range in &first {
            for end in 0..2 {
                let others = range[end + 1] - range[end];
                members += if others > 1 { others + 1 } else { 0 };
            }
        }
        let posed = Posed { bones: vec![Bone::default(); rest.len()], members: vec![Member::default(); members] };
        let mut setup = Self {
            frames: rest.clone(),
            joints: rest_joints.clone(),
            keep: vec![0.0; model.centers.len()],
            deepest: vec![[0.0; 2]; rest.len()],
            rest_joints,
            sides,
            first,
            rest,
            model,
            posed,
        };
        let mut placed = setup.model.placed();
        setup.pose(&mut placed);
        setup
    }

    /// The frames of the last pose.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The last pose.
    pub fn posed(&self) -> &Posed<f64> {
        &self.posed
    }

    /// Bones so short that at rest their joints crop more than the fold limit leaves: skin tears there when they bend.
    pub fn swallowed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rest.len()).filter(|&bone| {
            let crop = |end| self.rest_joints[self.first[bone][end]..self.first[bone][end + 1]].iter();
            let most = |end: usize| crop(end).map(|j| j.deepest).fold(0.0, f64::max) * self.rest[bone].radii[end];
            most(0) + most(1) > (1.0 - LEFT) * self.rest[bone].generator()
        })
    }

    /// Spheres where a joint is bent beyond the fold limit in the last pose, for a layer of skin that is so high. There heights are
    /// not kept, and skin may tear.
    pub fn folded(&self, height: f64) -> impl Iterator<Item = usize> + '_ {
        (0..self.keep.len()).filter(move |&sphere| {
            let is_over = |&(bone, end): &(usize, usize)| {
                let joints = &self.joints[self.first[bone][end]..self.first[bone][end + 1]];
                let radius = self.frames[bone].radii[end] + height;
                joints.iter().any(|j| j.is_limited || j.deepest * radius > self.keep[sphere])
            };
            self.model.around[sphere].iter().any(is_over)
        })
    }

    /// Brings all bones into a pose.
    pub fn pose(&mut self, placed: &mut Placed) -> &Posed<f64> {
        self.model.pose(&self.rest, placed, &mut self.frames);
        for (joint, s) in self.joints.iter_mut().zip(&self.sides) {
            *joint = JointSetup::new(&self.frames[s.bone], s.end, &self.frames[s.other], s.other_end);
        }
        self.limit();
        let mut member = 0;
        for bone in 0..self.rest.len() {
            let frame = self.frames[bone];
            let mut posed = Bone {
                origin: Vector::of(frame.origin),
                basis: [frame.axis, frame.e1, frame.e2].map(Vector::of),
                sine: frame.sine,
                cosine: frame.cosine,
                length: frame.length,
                generator: frame.generator(),
                window: [0.0, frame.generator()],
                ends: [End::default(); 2],
            };
            for end in 0..2 {
                let sides = self.first[bone][end]..self.first[bone][end + 1];
                posed.ends[end] = End {
                    radius: frame.radii[end],
                    scale: frame.scales[end],
                    keep: self.keep[self.model.bones[bone][end]],
                    twist: if end == 1 { frame.twist } else { 0.0 },
                    cap: frame.outward_sine(end).clamp(-1.0, 1.0).acos().mul_add(-1.0, std::f64::consts::PI),
                    ..End::default()
                };
                match sides.len() {
                    0 => {}
                    1 => self.join(sides.start, &mut posed.ends[end]),
                    _ => {
                        posed.ends[end].meets = Meets::Junction;
                        let others = sides.len() + 1;
                        posed.ends[end].members = [member as u32, (member + others) as u32];
                        self.gather(bone, end, member);
                        member += others;
                    }
                }
            }
            self.posed.bones[bone] = posed;
            self.set_window(bone);
        }
        &self.posed
    }

    /// The fold limit: how much may be cropped at each sphere, so that something of every bone is left.
    fn limit(&mut self) {
        for (keep, radius) in self.keep.iter_mut().zip(&self.model.radii) {
            *keep = BOUNDLESS * radius;
        }
        for (bone, frame) in self.frames.iter().enumerate() {
            let range = self.first[bone];
            for end in 0..2 {
                let joints = &self.joints[range[end]..range[end + 1]];
                self.deepest[bone][end] = joints.iter().map(|j| j.deepest).fold(0.0, f64::max);
            }
            let spheres = self.model.bones[bone];
            let crop = [0, 1].map(|e| (frame.radii[e] * self.deepest[bone][e]).min(self.keep[spheres[e]]));
            for end in 0..2 {
                if crop[end] > 0.0 {
                    let share = (1.0 - LEFT) * frame.generator() * crop[end] / (crop[0] + crop[1]);
                    self.keep[spheres[end]] = self.keep[spheres[end]].min(share);
                }
            }
        }
    }

    fn join(&self, side: usize, end: &mut End<f64>) {
        end.meets = Meets::Bone;
        end.joint = self.joints[side].joint;
        // Seen from the partner both angles have the other sign. The two sides must take the same branch, also where rounding would part
        // them.
        let opposite = self.sides[side].opposite;
        let apart = |side| self.other_shift(side) - self.own_shift(side);
        let branch = if side < opposite {
            wrapped(apart(side))
        } else {
            let other = wrapped(apart(opposite));
            apart(side) + TAU * ((other - apart(side)) / TAU).round()
        };
        let own = self.own_shift(side);
        (end.own_shift, end.other_shift) = (Turn::of(own), Turn::of(own + branch));
        (end.branch, end.branch_turn) = (branch, Turn::of(branch));
        end.base = end.twist + 0.5 * end.joint.sign * branch;
        end.base_turn = Turn::of(end.base);
    }

    /// By how much the angle of a point of this bone, from the inner side of the bend, has changed since rest.
    fn own_shift(&self, side: usize) -> f64 {
        let s = &self.sides[side];
        let twist = if s.end == 1 { self.frames[s.bone].twist } else { 0.0 };
        let (rest, now) = (&self.rest_joints[side].joint, &self.joints[side].joint);
        now.sign * (rest.reference + twist - now.reference)
    }

    /// The same of the partner.
    fn other_shift(&self, side: usize) -> f64 {
        let s = &self.sides[side];
        let twist = if s.other_end == 1 { self.frames[s.other].twist } else { 0.0 };
        let (rest, now) = (&self.rest_joints[side], &self.joints[side]);
        now.other_sign * (rest.other_reference + twist - now.other_reference)
    }

    /// The bones of a junction as one of them sees them.
    fn gather(&mut self, bone: usize, end: usize, first: usize) {
        let (rest, frame) = (self.rest[bone], self.frames[bone]);
        let range = self.first[bone][end]..self.first[bone][end + 1];
        let sphere = self.model.bones[bone][end];
        for (k, &(other, other_end)) in self.model.around[sphere].iter().enumerate() {
            let (other_rest, other_frame) = (&self.rest[other], &self.frames[other]);
            let free = self.model.around[self.model.bones[other][1 - other_end]].len() == 1;
            let share = if free { 1.0 } else { 0.5 };
            let twist = if other_end == 1 { other_frame.twist } else { 0.0 };
            let (sine, cosine) = twist.sin_cos();
            let axes = [
                other_frame.axis,
                other_frame.e1 * cosine + other_frame.e2 * sine,
                other_frame.e2 * cosine - other_frame.e1 * sine,
            ]
            .map(|v| frame.local(v));
            let at_rest = [other_rest.axis, other_rest.e1, other_rest.e2].map(|v| rest.local(v));
            let row = |i: usize| Vector::of((0..3).map(|j| axes[j][i] * at_rest[j]).sum());
            let crop = range.clone().find(|&s| (self.sides[s].other, self.sides[s].other_end) == (other, other_end));
            let crop = crop.map_or_else(Joint::default, |side| self.rest_joints[side].joint);
            self.posed.members[first + k] = Member {
                rest: Four {
                    v: Vector::of(rest.local(other_rest.outward(other_end)) / other_rest.cosine),
                    w: other_rest.outward_sine(other_end) / other_rest.cosine,
                },
                is_self: (other, other_end) == (bone, end),
                steep: crop.steep,
                slope: crop.slope,
                turn: [row(0), row(1), row(2)],
                axis: Vector::of(frame.local(other_frame.outward(other_end))),
                sine: other_frame.outward_sine(other_end),
                cosine: other_frame.cosine,
                keep: (1.0 - LEFT) * other_frame.generator() * share,
            };
        }
    }

    /// One window for all baselines of a bone: their order is kept.
    fn set_window(&mut self, bone: usize) {
        let (posed, rest) = (&self.posed.bones[bone], self.rest_bone(bone));
        let window = [0, 1].map(|end| {
            let here = &posed.ends[end];
            match here.meets {
                Meets::Nothing => 0.0,
                Meets::Bone => (here.radius * self.deepest[bone][end]).min(here.keep),
                Meets::Junction => {
                    let crop = |i: usize| {
                        let azimuth = TAU * i as f64 / ASKED as f64;
                        self.posed.end(&rest, bone, end, azimuth, Turn::of(azimuth)).start
                    };
                    (0..ASKED).map(crop).fold(0.0, f64::max)
                }
            }
        });
        let generator = posed.generator;
        let [mut from, mut to] = [window[0], generator - window[1]];
        if to - from < 0.2 * generator {
            let middle = 0.5 * (from + to);
            (from, to) = (middle - 0.1 * generator, middle + 0.1 * generator);
        }
        self.posed.bones[bone].window = [from, to];
    }

    fn rest_bone(&self, bone: usize) -> RestBone<f64> {
        RestBone::new(
            &self.rest[bone],
            [0, 1].map(|end| {
                let range = self.first[bone];
                (range[end + 1] - range[end] == 1).then(|| self.rest_joints[range[end]].joint)
            }),
        )
    }

    /// What decoding needs of every bone at rest.
    pub fn rest_bones(&self) -> Vec<RestBone<f64>> {
        (0..self.rest.len()).map(|bone| self.rest_bone(bone)).collect()
    }
}

/// What decoding needs of a bone at rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestBone<F> {
    /// Sine of the half angle of the cone.
    pub sine: F,
    /// Cosine of it.
    pub cosine: F,
    /// Radii of its spheres.
    pub radii: [F; 2],
    /// Its joints, where one other bone is there.
    pub joints: [Joint<F>; 2],
}

impl RestBone<f64> {
    fn new(frame: &Frame, joints: [Option<Joint<f64>>; 2]) -> Self {
        let joints = joints.map(Option::unwrap_or_default);
        Self { sine: frame.sine, cosine: frame.cosine, radii: frame.radii, joints }
    }

    /// In another precision.
    pub fn cast<F: Real>(&self) -> RestBone<F> {
        RestBone {
            sine: F::of(self.sine),
            cosine: F::of(self.cosine),
            radii: self.radii.map(F::of),
            joints: self.joints.map(|j| j.cast()),
        }
    }
}

impl Posed<f64> {
    /// Rounds to another precision, into memory of the same size.
    pub fn cast_into<F: Real>(&self, out: &mut Posed<F>) {
        let vector = |v: Vector<f64>| Vector(v.0.map(F::of));
        for (to, from) in out.bones.iter_mut().zip(&self.bones) {
            let end = |end: End<f64>| End {
                radius: F::of(end.radius),
                scale: F::of(end.scale),
                keep: F::of(end.keep),
                twist: F::of(end.twist),
                meets: end.meets,
                joint: end.joint.cast(),
                own_shift: end.own_shift.cast(),
                other_shift: end.other_shift.cast(),
                branch: F::of(end.branch),
                branch_turn: end.branch_turn.cast(),
                base: F::of(end.base),
                base_turn: end.base_turn.cast(),
                cap: F::of(end.cap),
                members: end.members,
            };
            *to = Bone {
                origin: vector(from.origin),
                basis: from.basis.map(vector),
                sine: F::of(from.sine),
                cosine: F::of(from.cosine),
                length: F::of(from.length),
                generator: F::of(from.generator),
                window: from.window.map(F::of),
                ends: from.ends.map(end),
            };
        }
        for (to, from) in out.members.iter_mut().zip(&self.members) {
            *to = Member {
                rest: Four { v: vector(from.rest.v), w: F::of(from.rest.w) },
                is_self: from.is_self,
                steep: from.steep.map(F::of),
                slope: F::of(from.slope),
                turn: from.turn.map(vector),
                axis: vector(from.axis),
                sine: F::of(from.sine),
                cosine: F::of(from.cosine),
                keep: F::of(from.keep),
            };
        }
    }

    /// Memory for [`Posed::cast_into`].
    pub fn like<F: Real>(&self) -> Posed<F> {
        let mut out = Posed {
            bones: vec![Bone::default(); self.bones.len()],
            members: vec![Member::default(); self.members.len()],
        };
        self.cast_into(&mut out);
        out
    }
}
