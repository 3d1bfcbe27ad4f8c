//! The steps of one frame: owner rule, march with relaxation, contact found and smoothed, march again.
//!
//! Every step works on a list of points. It makes each of them from itself alone, or from the places of its one-ring as the step before
//! left them, so that neither the order nor the number of threads matters.

use super::{
    chunk::{CHUNK, Chunk, Groups},
    crease::{self, Side},
    doubt::{Confidence, Doubts},
    field_at::{Clear, FieldAt, Local, LocalMemory},
    known::{Known, NO_PAIR},
    owner,
    project::{March, State, march},
    settle::Shares,
    skin::Skin,
};
use crate::{
    constant::Constant,
    field::{Body, Sample, compose::Posed},
    parallel::{Chooser, for_each_block, for_each_block_of_two, for_each_listed, for_each_run_of},
    pose::Motion,
};
use glam::Vec3A;
use std::sync::Arc;

/// Points whose fields one thread evaluates at a time.
const FIELD_BLOCK: usize = 32;
/// Points that one thread smooths at a time. Fewer take longer to share out than to smooth; with more, the other threads go to sleep
/// meanwhile and have to be woken.
const SMOOTH_BLOCK: usize = 512;
/// Chunks that one thread looks round at a time.
const LOOK_BLOCK: usize = 16;
/// Distance, over the radius of its limb, within which limbs are near a point, and after which they are found again. It costs time
/// alone: with more, each point evaluates limbs that it does not reach; with less, walks find them again and again.
pub const NEAR_RADIUS: f32 = 0.6;
/// Largest displacement from the start, over the diagonal of the skin that bends, of a point that was not deep in another limb. It is
/// 0.57 radii of the thinner limb where an arm is the whole rig. Set with that arm and tuned no further; it trades skin that a badly
/// fitted volume flings against contact that stops short.
const FARTHEST: f64 = 0.045;
/// Radius of two jointed limbs, over that displacement, from which on their points may go farther, beside their crease too. The
/// thinner limb of an arm that is the whole rig has 1.75; in whole characters a fold led skin astray where it had up to 1.6.
const LEAST_RADIUS_WITH_ROOM: f64 = 1.67;
/// Longest step, over the radius of the limb: a coarse mesh has edges longer than its limbs are thick.
const LONGEST_STEP: f32 = 0.25;
/// Longest walk of the last turn, over the point's edges. A limb of 32,000 vertices twisted and bent by 90 degrees had edges 7.8
/// times as long as at rest without a limit, and has 4.8; at 0 a knee bent by 150 overlaps twice as much.
const LONGEST_LAST_WALK: f32 = 0.15;
/// A walk may exceed the mean walk of its one-ring by this, over the point's edges: half an edge does not turn a triangle over. In a
/// prototype of 8,000 vertices, twisted and bent by 90 degrees, the limit shortened the longest edge beside the crease from 7.5
/// times its length at rest to 5.5.
const RING_SLACK: f32 = 0.5;
/// A point keeps its correction, whatever the confidence in its limbs, by this many times its share of smoothing: contact counts.
const KEPT_PER_BETA: f32 = 2.0;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    crate::constants![LONGEST_STEP, LONGEST_LAST_WALK, RING_SLACK, KEPT_PER_BETA]
}

/// How long each part of the tracking goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Rounds of two projection steps and a relaxation.
    pub rounds: usize,
    /// Strength of the relaxation.
    pub relaxation: f32,
    /// One-rings that contact is spread over.
    pub diffusion: usize,
    /// Smoothing steps before the second march.
    pub smoothing: usize,
    /// Smoothing steps after it.
    pub last_smoothing: usize,
    /// As-rigid-as-possible sweeps before the second march.
    pub sweeps: usize,
}

/// A point while it is tracked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracked {
    /// Its position.
    pub at: Vec3A,
    /// Its position before the owner rule.
    pub from: Vec3A,
    /// Length of its walk by the owner rule.
    pub walk: f32,
    /// Its share of smoothing, the paper's β.
    pub beta: f32,
    /// Its state in the march.
    pub state: State,
    /// Deep in another limb at the start: across its crease, or where the two have room.
    pub touched: bool,
    /// Held in the crease of a joint.
    pub pressed: bool,
    /// Something near it moves.
    pub moves: bool,
    /// A ball in which no other limb is as strong as its owner.
    pub(super) clear: Clear,
}

impl Tracked {
    /// The same point in its crease.
    fn pressed_to(self, at: Vec3A, touched: bool) -> Self {
        let (from, walk) = (self.at, at.distance(self.at));
        Self { at, from, walk, touched, pressed: true, state: State::Contact, ..self }
    }
}

/// Everything a frame needs, with its memory. What does not change from frame to frame is shared by all trackers of a binding.
pub struct Tracker {
    /// The limbs at rest.
    pub body: Arc<Body>,
    /// The limbs in the pose of the frame.
    pub posed: Posed,
    /// The points.
    pub skin: Arc<Skin>,
    /// Runs of points, with the limbs near each.
    pub chunks: Vec<Chunk>,
    /// Joints with a say in each chunk at rest: in the weights of its points, or by their fields.
    pub chunk_joints: Arc<Vec<Vec<u16>>>,
    /// What is known of each point at rest.
    pub known: Arc<Vec<Known>>,
    /// The points of the frame.
    pub points: Vec<Tracked>,
    /// Settings of the march.
    pub march: March,
    /// Settings of the other steps.
    pub steps: Steps,
    pub(super) start: Vec<Vec3A>,
    /// Rest positions of the points.
    pub(super) rest: Arc<Vec<Vec3A>>,
    pub(super) groups: Groups,
    /// Where the confidence in fields is low.
    pub(super) doubts: Doubts,
    /// The confidence in each field.
    pub(super) confidence: Arc<Confidence>,
    list: Vec<u32>,
    pub(super) walkers: Vec<u32>,
    pub(super) joints: usize,
    /// Positions of the points while they are smoothed: close together in memory, as one-rings read them many times.
    pub(super) places: Vec<Vec3A>,
    /// Those that a step makes from them. Both are the same for all points that a step does not move.
    pub(super) fresh_places: Vec<Vec3A>,
    /// Shares of smoothing while contact spreads, and those that a step makes from them.
    pub(super) shares: [Shares; 2],
    pub(super) smoothed: Vec<u32>,
    /// The memory for making lists.
    pub(super) chooser: Chooser,
}

impl Tracker {
    /// Takes the memory and finds what the points are at rest.
    pub fn new(body: Arc<Body>, skin: Arc<Skin>, march: March, steps: Steps, joints: usize) -> Self {
        let points = skin.len();
        let known = Known { pair: NO_PAIR, ..Known::default() };
        Self {
            chunk_joints: Arc::new(vec![Vec::new(); points.div_ceil(CHUNK)]),
            posed: Posed::of(&body),
            body,
            chunks: (0..points.div_ceil(CHUNK)).map(|_| Chunk::new()).collect(),
            known: Arc::new(vec![known; points]),
            points: vec![Tracked::default(); points],
            start: vec![Vec3A::ZERO; points],
            rest: Arc::new(vec![Vec3A::ZERO; points]),
            groups: Groups::new(joints),
            doubts: Doubts::default(),
            confidence: Arc::default(),
            list: Vec::with_capacity(points),
            walkers: Vec::with_capacity(points),
            joints,
            places: vec![Vec3A::ZERO; points],
            fresh_places: vec![Vec3A::ZERO; points],
            shares: [Shares::of(points), Shares::of(points)],
            smoothed: Vec::with_capacity(points),
            chooser: Chooser::from(points),
            skin,
            march,
            steps,
        }
    }

    /// Another of the same rig: it shares what does not change, and has memory of its own. Where morphs move the points at rest,
    /// their values change too, and are its own.
    pub fn another(&self, has_morphs: bool) -> Self {
        let mut other = Self {
            chunk_joints: self.chunk_joints.clone(),
            known: self.known.clone(),
            rest: self.rest.clone(),
            doubts: self.doubts.clone(),
            confidence: self.confidence.clone(),
            ..Self::new(self.body.clone(), self.skin.clone(), self.march, self.steps, self.joints)
        };
        if has_morphs {
            Arc::make_mut(&mut other.known);
            Arc::make_mut(&mut other.rest);
        }
        other
    }

    pub(super) fn radius(&self, point: usize) -> f32 {
        radius(&self.body, &self.known[point])
    }

    /// Finds where points begin, and the limbs near every chunk of them.
    pub(super) fn look(&mut self) {
        let near = (&*self.body, &self.posed, &self.known[..], &self.start[..], &self.rest[..]);
        for_each_block(&mut self.chunks, LOOK_BLOCK, |first, block| {
            (first..).zip(block).for_each(|(i, chunk)| look_round(chunk, i, near));
        });
    }

    /// The same in a frame, and puts the points there.
    fn begin(&mut self) {
        let near = (&*self.body, &self.posed, &self.known[..], &self.start[..], &self.rest[..]);
        let (body, known, start) = (near.0, near.2, near.3);
        let (groups, joints) = (&self.groups.of, &self.chunk_joints);
        let (chunks, points) = (&mut self.chunks, &mut self.points);
        for_each_block_of_two(chunks, points, [LOOK_BLOCK, LOOK_BLOCK * CHUNK], |first, chunks, points| {
            for (i, (chunk, points)) in (first..).zip(chunks.iter_mut().zip(points.chunks_mut(CHUNK))) {
                look_round(chunk, i, near);
                chunk.still = chunk.rest_together(&joints[i], body, groups);
                for ((k, point), begin) in (i * CHUNK..).zip(points).zip(&chunk.begin) {
                    let free = !known[k].tracked || chunk.still;
                    let state = if free { State::Free } else { State::Underway };
                    let at = if free { start[k] } else { *begin };
                    *point = Tracked { at, state, moves: !free, ..Tracked::default() };
                }
            }
        });
    }

    /// Moves the points of one frame from `start`.
    pub fn run(&mut self, motion: &Motion) {
        self.run_seen(motion, |_, _| {});
    }

    /// The same, and calls `seen` after every step.
    #[inline]
    pub fn run_seen(&mut self, motion: &Motion, mut seen: impl FnMut(&'static str, &Self)) {
        self.posed.update(&self.body, motion);
        self.groups.update(motion, &self.skin);
        self.doubts.update(&self.body, motion);
        self.begin();
        self.chooser.fill(&mut self.list, self.points.len(), |i| self.points[i].moves.then_some(i as u32));
        self.smoothed.clear();
        seen("start", self);
        self.leave_and_fit(self.steps.rounds, self.steps.relaxation, true, |this| seen("leave", this));
        seen("fit", self);
        self.find_contact();
        seen("contact", self);
        self.take_places();
        self.smooth(self.steps.smoothing);
        self.sweep(self.steps.sweeps);
        seen("smooth", self);
        let is_tracked = |i: &u32| self.known[*i as usize].tracked;
        self.chooser.fill(&mut self.list, self.smoothed.len(), |k| Some(self.smoothed[k]).filter(is_tracked));
        self.leave_and_fit(self.steps.rounds / 2, 0.0, false, |this| seen("leave again", this));
        seen("fit again", self);
        self.smooth_and_even(self.steps.last_smoothing);
        seen("smooth again", self);
        let clear = |i: usize| self.points[i].clear.holds(self.points[i].at);
        let may_leave = |i: &u32| self.known[*i as usize].tracked && !clear(*i as usize);
        self.chooser.fill(&mut self.list, self.smoothed.len(), |k| Some(self.smoothed[k]).filter(may_leave));
        self.leave();
        seen("last leave", self);
        self.shorten_last_walks();
        self.limit_displacements();
        seen("end", self);
    }

    /// The share of its correction that a point keeps.
    #[inline(always)]
    pub fn share(&self, point: usize) -> f32 {
        self.doubts.share(point).max((KEPT_PER_BETA * self.points[point].beta).min(1.0))
    }

    /// Largest displacement of a point that was not deep in another limb.
    pub fn farthest(&self) -> f32 {
        (FARTHEST * self.skin.diagonal) as f32
    }

    /// Whether two limbs are jointed and so thick that their points may go farther than that.
    pub fn have_room(&self, a: u16, b: u16) -> bool {
        let jointed = self.body.pair(a, b).is_some_and(|p| self.body.pairs[usize::from(p)].joint.is_some());
        let thick =
            |l: u16| self.body.limbs[usize::from(l)].radius > LEAST_RADIUS_WITH_ROOM * FARTHEST * self.skin.diagonal;
        jointed && thick(a) && thick(b)
    }

    /// Limits displacements. A point that was not deep in another limb and goes far was led away by a volume that was fitted badly; or by a
    /// thin limb: fields are as deep as their limbs are thick, so that a thin limb dents a thick one by more
    /// than it is thick itself, and does so where the start has not brought their skins together at all.
    fn limit_displacements(&mut self) {
        let farthest = self.farthest();
        let moved = |i: usize| self.points[i].at - self.start[i];
        let touched = |p: u32| self.points[p as usize].touched;
        self.chooser.fill(&mut self.walkers, self.points.len(), |i| {
            if moved(i).length_squared() <= farthest * farthest {
                return None;
            }
            // Points beside deep ones go as far as those.
            let limited = !touched(i as u32) && !self.skin.ring(i as u32).iter().any(|&n| touched(n));
            limited.then_some(i as u32)
        });
        for &i in &self.walkers {
            let (point, start) = (&mut self.points[i as usize], self.start[i as usize]);
            point.at = start + (point.at - start).clamp_length_max(farthest);
        }
    }

    /// Makes points of a list anew, each from itself: `prepare` comes first, then the field of its owner is evaluated for a whole run of
    /// points, so that reading the nodes of one point does not wait for the work on another. No step sees other points than its own.
    fn step(
        &mut self,
        list: &[u32],
        prepare: impl Fn(&Self, u32, &mut Tracked) + Sync + Send,
        make: impl Fn(&Self, &mut LocalMemory, Sample, u32, Tracked) -> Tracked + Sync + Send,
    ) {
        let mut points = std::mem::take(&mut self.points);
        let this = &*self;
        for_each_run_of(list, &mut points, FIELD_BLOCK, &|list, first, points| {
            let mut own = [Sample::NOTHING; FIELD_BLOCK];
            for (own, &i) in own.iter_mut().zip(list) {
                let point = &mut points[i as usize - first];
                prepare(this, i, point);
                let felt = this.posed.limb(&this.body, this.known[i as usize].owner, point.at);
                *own = felt.unwrap_or(Sample::NOTHING);
            }
            let mut memory = LocalMemory::default();
            for (own, &i) in own.into_iter().zip(list) {
                let point = &mut points[i as usize - first];
                *point = make(this, &mut memory, own, i, *point);
            }
        });
        self.points = points;
    }

    /// Makes new `places` for the points of a list from all places as they are, step by step.
    fn step_places(&mut self, list: &[u32], steps: usize, make: impl Fn(&Self, u32) -> Vec3A + Sync + Send) {
        let mut fresh = std::mem::take(&mut self.fresh_places);
        for _ in 0..steps {
            let this = &*self;
            for_each_run_of(list, &mut fresh, SMOOTH_BLOCK, &|list, first, fresh| {
                list.iter().for_each(|&i| fresh[i as usize - first] = make(this, i));
            });
            std::mem::swap(&mut self.places, &mut fresh);
        }
        self.fresh_places = fresh;
    }

    /// The same, and puts the points there.
    pub(super) fn settle(&mut self, list: &[u32], steps: usize, make: impl Fn(&Self, u32) -> Vec3A + Sync + Send) {
        self.step_places(list, steps, make);
        if steps > 0 {
            let places = &self.places;
            for_each_listed(list, &mut self.points, |i, point| point.at = places[i]);
        }
    }

    fn field(&self, point: u32) -> FieldAt<'_> {
        FieldAt { body: &self.body, posed: &self.posed, chunk: &self.chunks[point as usize / CHUNK] }
    }

    #[inline(always)]
    fn local<'r>(&self, i: u32, point: &Tracked, own: Sample, memory: &'r mut LocalMemory) -> Local<'_, 'r> {
        let (field, known) = (self.field(i), &self.known[i as usize]);
        let (reach, Tracked { at, clear, .. }) = (NEAR_RADIUS * self.radius(i as usize), *point);
        if clear.holds(at) {
            return Local::alone(field, known, at, own, reach, clear, memory);
        }
        Local::new(field, known, at, own, reach, memory)
    }

    /// Creases and the owner rule for the points of the list, and the march of those that neither moves; then the march of the others. In the
    /// first turn of a frame points are at their starts.
    fn leave_and_fit(&mut self, rounds: usize, relaxation: f32, first: bool, mut seen: impl FnMut(&Self)) {
        let (rounds, steps) = if relaxation > 0.0 { (rounds, 2) } else { (1, 2 * rounds) };
        let mut list = std::mem::take(&mut self.list);
        let underway = |_: &Self, _: u32, point: &mut Tracked| point.state = State::Underway;
        self.step(&list, underway, |this, memory, own, i, point| {
            if let Some(pressed) = this.pressed(i, point, first) {
                return pressed;
            }
            let mut local = this.local(i, &point, own, memory);
            this.left(&mut local, i, point, first).unwrap_or_else(|| this.marched(&mut local, i, point, steps))
        });
        seen(self);
        let has_walked =
            |i: u32| self.points[i as usize].state == State::Underway && self.points[i as usize].walk != 0.0;
        self.chooser.fill(&mut self.walkers, list.len(), |k| Some(list[k]).filter(|&i| has_walked(i)));
        self.keep_in_rings();
        let march = |this: &Self, memory: &mut LocalMemory, own: Sample, i: u32, point: Tracked| {
            let mut local = this.local(i, &point, own, memory);
            local.values(point.at);
            this.marched(&mut local, i, point, steps)
        };
        let walkers = std::mem::take(&mut self.walkers);
        let kept = |this: &Self, i: u32, point: &mut Tracked| point.at = this.places[i as usize];
        self.step(
            &walkers,
            kept,
            |this, memory, own, i, point| {
                if rounds == 0 { point } else { march(this, memory, own, i, point) }
            },
        );
        self.walkers = walkers;
        for round in 0..rounds {
            if round > 0 {
                self.chooser.retain(&mut list, |i| self.points[i as usize].state == State::Underway);
                self.step(&list, |_, _, _| {}, march);
            }
            if relaxation > 0.0 {
                self.chooser.retain(&mut list, |i| self.points[i as usize].state == State::Underway);
                self.take_places();
                self.step(
                    &list,
                    |_, _, _| {},
                    |this, memory, own, i, point| this.relaxed(i, point, own, memory, relaxation),
                );
            }
        }
        self.list = list;
    }

    /// Creases and the owner rule alone.
    fn leave(&mut self) {
        let list = std::mem::take(&mut self.list);
        self.step(
            &list,
            |_, _, _| {},
            |this, memory, own, i, point| {
                let left = || this.left(&mut this.local(i, &point, own, memory), i, point, false);
                this.pressed(i, point, false).or_else(left).unwrap_or(Tracked { walk: 0.0, ..point })
            },
        );
        self.list = list;
    }

    /// A point moved by the owner rule; none where the rule does not apply, and then the field was evaluated at the point last.
    fn left(&self, local: &mut Local<'_, '_>, i: u32, point: Tracked, first: bool) -> Option<Tracked> {
        let known = &self.known[i as usize];
        local.values(point.at);
        if !owner::is_inside_another(local, known, point.at) {
            return None;
        }
        if let Some(pushed) = self.pushed(local, i, point, first) {
            return Some(pushed);
        }
        let touched = if first { owner::is_deep(local, known, |a, b| self.have_room(a, b)) } else { point.touched };
        let point = Tracked { touched, ..point };
        let Some(at) = owner::walk(local, known, self.radius(i as usize), self.longest(i), point.at) else {
            local.values(point.at);
            return None;
        };
        Some(Tracked { at, from: point.at, walk: at.distance(point.at), clear: local.clear, ..point })
    }

    /// The crease that a point can lie in, seen from its owner, and the limb on the other side.
    fn side(&self, known: &Known) -> (Side, u16) {
        let [parent, child] = self.body.pairs[usize::from(known.pair)].limbs;
        let other = if parent == known.owner { child } else { parent };
        (Side::of(self.posed.fold(known.pair), parent == known.owner), other)
    }

    /// By how much the owner of a point is stronger than the limb on the other side of its crease.
    fn stronger_by(&self, known: &Known, side: &Side, other: u16, at: Vec3A) -> f32 {
        let value = |limb: u16, at: Vec3A| self.posed.limb(&self.body, limb, at).map_or(0.0, |s| s.value);
        let fields = |at: Vec3A| value(known.owner, at) + known.deficit - value(other, at);
        side.difference(fields, known.past, at)
    }

    /// A point that the other limb reaches on its own side of the crease: it goes in the direction of the crease. Along its
    /// own gradient the side of a thigh walked into the middle of it.
    fn pushed(&self, local: &Local<'_, '_>, i: u32, point: Tracked, first: bool) -> Option<Tracked> {
        let known = &self.known[i as usize];
        if known.pair == NO_PAIR || !crease::has_bisector(self.posed.fold(known.pair)) {
            return None;
        }
        let (side, other) = self.side(known);
        if local.felt().other(known.owner, &known.merged).1 != other {
            return None;
        }
        let difference = |at: Vec3A| self.stronger_by(known, &side, other, at);
        let at = side.pushed_inside(difference, self.radius(i as usize), crease::PUSH_STEPS, point.at)?;
        let touched = if first { difference(point.at) < -owner::DEEP } else { point.touched };
        Some(point.pressed_to(at, touched))
    }

    /// A point in contact with the limb on the other side of its crease, or kept in that contact.
    fn pressed(&self, i: u32, point: Tracked, first: bool) -> Option<Tracked> {
        let known = &self.known[i as usize];
        if known.pair == NO_PAIR || !(first || point.pressed) {
            return None;
        }
        let (side, other) = self.side(known);
        let difference = |at: Vec3A| self.stronger_by(known, &side, other, at);
        let radius = self.radius(i as usize);
        let at = if first {
            side.contact(difference, known.past, radius, point.at)
        } else {
            side.pushed_inside(difference, radius, crease::INWARD_STEPS, point.at)
        }?;
        let touched = if first { difference(point.at) < -owner::DEEP } else { point.touched };
        Some(point.pressed_to(at, touched))
    }

    /// Limits walks by those of their one-rings: a walk that goes alone is an error. The points have to be put to their places.
    fn keep_in_rings(&mut self) {
        let walkers = std::mem::take(&mut self.walkers);
        self.step_places(&walkers, 1, |this, i| {
            let point = this.points[i as usize];
            if point.pressed {
                return point.at;
            }
            let ring = this.skin.ring(i);
            let mean = ring.iter().map(|&n| this.points[n as usize].walk).sum::<f32>() / ring.len().max(1) as f32;
            let share = ((mean + RING_SLACK * this.skin.edge[i as usize]) / point.walk).min(1.0);
            point.from.lerp(point.at, share)
        });
        self.walkers = walkers;
    }

    /// Shortens the walks of the last turn, since nothing is smoothed after them and their neighbours stay.
    fn shorten_last_walks(&mut self) {
        let (list, edge) = (&self.list, &self.skin.edge);
        for_each_listed(list, &mut self.points, |i, point| {
            let longest = LONGEST_LAST_WALK * edge[i];
            if point.walk > longest {
                point.at = point.from.lerp(point.at, longest / point.walk);
            }
        });
    }

    /// The longest step of a point.
    fn longest(&self, i: u32) -> f32 {
        self.skin.edge[i as usize].min(LONGEST_STEP * self.radius(i as usize))
    }

    fn marched(&self, local: &mut Local<'_, '_>, i: u32, point: Tracked, steps: usize) -> Tracked {
        if self.doubts.none_left(i as usize) {
            let state = if point.walk > 0.0 { State::Contact } else { State::Free };
            return Tracked { state, walk: 0.0, ..point };
        }
        let (iso, edge) = (self.known[i as usize].iso, self.longest(i));
        let here = local.composed();
        let (at, state) = march(local, &self.march, iso, edge, steps, point.at, here);
        Tracked { at, state, walk: 0.0, clear: local.clear, ..point }
    }

    /// A step towards the point's place in its one-ring at rest, in the tangent plane (equations 5 and 6).
    fn relaxed(&self, i: u32, point: Tracked, own: Sample, memory: &mut LocalMemory, strength: f32) -> Tracked {
        let here = self.local(i, &point, own, memory).sample(point.at);
        let slope = here.gradient.length();
        let Some(middle) = self.skin.interpolated(i, |n| self.places[n as usize]).filter(|_| slope >= self.march.least)
        else {
            return point;
        };
        let towards = (middle - point.at).reject_from_normalized(here.gradient / slope);
        let miss = (here.value - self.known[i as usize].iso).abs();
        let mu = strength * (1.0 - (miss - 1.0).powi(4)).max(0.0);
        Tracked { at: point.at + mu * towards, ..point }
    }
}

/// Finds where the points of a chunk begin, and the limbs near them.
fn look_round(
    chunk: &mut Chunk,
    number: usize,
    (body, posed, known, start, rest): (&Body, &Posed, &[Known], &[Vec3A], &[Vec3A]),
) {
    let range = number * CHUNK..((number + 1) * CHUNK).min(start.len());
    chunk.begin.clear();
    chunk.begin.extend(range.clone().map(|k| begins(body, posed, &known[k], start[k], rest[k])));
    chunk.look(body, posed, radius(body, &known[range.start]));
}

/// Where a point begins.
fn begins(body: &Body, posed: &Posed, known: &Known, start: Vec3A, rest: Vec3A) -> Vec3A {
    if known.pair == NO_PAIR || !crease::starts_alone(posed.fold(known.pair)) {
        return start;
    }
    let first = body.pairs[usize::from(known.pair)].limbs[0] == known.owner;
    Side::of(posed.fold(known.pair), first).start(start, posed.carried(known.owner, rest), radius(body, known))
}

/// Radius of the limb that a point belongs to.
fn radius(body: &Body, known: &Known) -> f32 {
    body.limbs.get(usize::from(known.owner)).map_or(0.0, |l| l.radius as f32)
}
