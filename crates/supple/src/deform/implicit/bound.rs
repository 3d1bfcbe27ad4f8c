use super::{Implicit, Volume, history::History, history::Kept, track::Tracker};
use crate::{
    deform::{Bound, Clock, Frame, Memory, State, Values, points_of},
    parallel::{any, for_each_block, inside},
    pose::Motion,
};
use glam::{Vec3, Vec3A};
use std::sync::Arc;

/// Vertices that a thread takes at a time.
const BLOCK: usize = 1024;

/// Implicit skinning of one rig.
pub struct BoundImplicit {
    /// Its settings.
    pub method: Implicit,
    /// What the skin starts from.
    pub start: Arc<dyn Bound>,
    /// The limbs, and the skin they were made from.
    pub volume: Arc<Volume>,
    /// At rest, for others to be made from.
    pub(super) tracker: Tracker,
    /// The vertex that each point starts from.
    pub first_of: Vec<u32>,
    /// The point that each vertex follows.
    pub place_of: Vec<u32>,
    /// Where the points are at rest.
    pub(super) rest: Vec<Vec3>,
    pub(super) has_morphs: bool,
    pub(super) history: Option<History>,
    pub(super) notes: Vec<String>,
}

/// What one who moves the skin needs.
pub struct Running {
    bound: Arc<BoundImplicit>,
    start: Box<dyn State>,
    pub(super) tracker: Tracker,
    /// Where the points were when their values were found.
    rest: Vec<Vec3>,
    /// Where the start of this frame put them, where history then moves them on.
    base: Vec<Vec3A>,
    history: Option<History>,
}

impl Bound for BoundImplicit {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running::of(self))
    }

    fn remembers(&self) -> bool {
        self.history.is_some()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn bytes_per_frame(&self) -> usize {
        self.start.bytes_per_frame() + self.place_of.len() * 2 * size_of::<Vec3>()
    }
}

impl Running {
    pub fn of(bound: Arc<BoundImplicit>) -> Self {
        Self {
            start: bound.start.clone().state(),
            tracker: bound.tracker.another(bound.has_morphs),
            rest: bound.rest.clone(),
            base: Vec::with_capacity(if bound.remembers() { bound.rest.len() } else { 0 }),
            history: bound.history.as_ref().map(History::another),
            bound,
        }
    }

    /// Morph targets move points before they are skinned: their values are those of where they are then.
    pub fn follow_morphs(&mut self, rest: &[Vec3]) -> bool {
        let first_of = &self.bound.first_of;
        let moved = any(first_of.len(), |i| rest[first_of[i] as usize] != self.rest[i]);
        if moved {
            self.rest.iter_mut().zip(first_of).for_each(|(at, &v)| *at = rest[v as usize]);
            self.tracker.revalue(&self.rest);
        }
        moved
    }

    /// One frame, from its start to tracked points.
    fn track(&mut self, motion: &Motion, inputs: &[Values<'_>], clock: Clock, out: &mut [f32]) {
        self.start.run(&Frame { motion, inputs, clock }, out);
        let out = points_of(out);
        let (out, first_of) = (&*out, &self.bound.first_of);
        for_each_block(&mut self.tracker.start, BLOCK, |first, block| {
            block.iter_mut().zip(&first_of[first..]).for_each(|(start, &v)| *start = Vec3A::from(out[v as usize]));
        });
        let Some(history) = &mut self.history else { return self.tracker.run(motion) };
        self.base.clone_from(&self.tracker.start);
        let (limbs, known) = (&self.tracker.body.limbs, &self.tracker.known);
        let joint = |i: usize| limbs.get(usize::from(known[i].owner)).map_or(0, |l| l.limb.joint);
        history.carry(motion, &mut self.tracker.start, joint);
        self.tracker.run(motion);
        let gone = self.tracker.points.iter().zip(&self.base).map(|(p, base)| (p.at - *base, p.beta));
        history.remember(motion, gone);
    }

    /// Comes to a frame that does not follow the last one by a few steps from rest.
    fn warm_up(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let steps = self.history.as_mut().map_or(0, |h| h.steps_to(frame.motion));
        for k in 1..steps {
            let Some(history) = &mut self.history else { return };
            history.between(frame.motion, k as f64 / steps as f64);
            let motion = history.take();
            self.track(&motion, frame.inputs, frame.clock, out);
            if let Some(history) = &mut self.history {
                history.give_back(motion);
            }
        }
    }

    fn follow(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        self.follow_morphs(frame.inputs[0].points());
        self.warm_up(frame, out);
        self.track(frame.motion, frame.inputs, frame.clock, out);
        let (points, start) =
            (&self.tracker.points, if self.history.is_some() { &self.base } else { &self.tracker.start });
        let (amount, place_of, tracker) = (&self.bound.method.amount, &self.bound.place_of, &self.tracker);
        for_each_block(points_of(out), BLOCK, |first, block| {
            for (i, out) in block.iter_mut().enumerate() {
                let place = place_of[first + i] as usize;
                let share = if amount.len() == 1 { amount[0] } else { amount[first + i] };
                // A point that was not moved keeps its vertices apart where they were, along seams of the weights.
                if points[place].at != start[place] {
                    *out = out.lerp(points[place].at.into(), share * tracker.share(place));
                }
            }
        });
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        inside(|| self.follow(frame, out));
    }

    fn reset(&mut self) {
        if let Some(history) = &mut self.history {
            history.forget();
        }
    }

    fn memory(&self) -> Option<Memory> {
        self.history.as_ref().map(|history| Arc::new(history.kept().clone()) as Memory)
    }

    fn recall(&mut self, memory: &Memory) {
        if let (Some(history), Some(kept)) = (&mut self.history, memory.downcast_ref::<Kept>()) {
            history.recall(kept);
        }
    }
}
