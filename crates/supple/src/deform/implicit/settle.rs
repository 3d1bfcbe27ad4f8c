//! Skin round a contact settles: which points are near one, and how they are smoothed.

use super::{
    project::State,
    track::{FAR, Tracked, Tracker},
};
use crate::{
    deform::skinning::delta_mush::rotation::turn,
    parallel::{for_each_block, for_each_listed},
};
use glam::{Mat3A, Vec3A};

/// Points whose places a thread takes at a time.
const BLOCK: usize = 4096;
/// A share of smoothing below this is none.
const LEAST_BETA: f32 = 5e-3;
/// How much of the way of its ring a point takes where there is no contact.
const EVEN: f32 = 0.5;
/// Shares of smoothing of more than one over this are contact, and not made even: at one half the fist of a coarse hand opened again.
const NEAR_CONTACT: f32 = 3.0;

impl Tracker {
    /// Which points are in contact, spread over the rings round them.
    pub(super) fn find_contact(&mut self) {
        let touches = |p: &Tracked| matches!(p.state, State::Contact | State::Stuck);
        self.take_places();
        self.choice.fill(&mut self.smoothed, self.points.len(), |i| touches(&self.points[i]).then_some(i as u32));
        for &i in &self.smoothed {
            (self.shares[i as usize], self.rings[i as usize]) = (1.0, 0);
        }
        let mut from = 0;
        for ring in 1..=self.steps.diffusion as u32 {
            let to = self.smoothed.len();
            for k in from..to {
                for &n in self.skin.ring(self.smoothed[k]) {
                    if self.rings[n as usize] == FAR {
                        self.rings[n as usize] = ring;
                        self.smoothed.push(n);
                    }
                }
            }
            from = to;
        }
        // In the order of the points: those that lie together are worked on together.
        let mut list = std::mem::take(&mut self.walkers);
        self.choice.fill(&mut list, self.points.len(), |i| (self.rings[i] != FAR).then_some(i as u32));
        for ring in 1..=self.steps.diffusion as u32 {
            self.step_shares(&list, |this, i| {
                // Beyond this ring nothing has come yet.
                if this.rings[i as usize] > ring {
                    return 0.0;
                }
                let ring = this.skin.ring(i);
                let sum: f32 = ring.iter().map(|&n| this.shares[n as usize]).sum();
                if ring.is_empty() { 0.0 } else { sum / ring.len() as f32 }
            });
        }
        let shares = &self.shares;
        for_each_listed(&list, &mut self.points, |k, point| point.beta = shares[list[k] as usize]);
        let counts = |i: &u32| shares[*i as usize] > LEAST_BETA;
        self.choice.fill(&mut self.smoothed, list.len(), |k| Some(list[k]).filter(counts));
        for_each_listed(&list, &mut self.shares, |_, share| *share = 0.0);
        for_each_listed(&list, &mut self.rings, |_, rings| *rings = FAR);
        self.walkers = list;
    }

    fn take_places(&mut self) {
        let points = &self.points;
        for_each_block(&mut self.places, BLOCK, |first, block| {
            block.iter_mut().zip(&points[first..]).for_each(|(place, point)| *place = point.at);
        });
    }

    /// Draws points to where their rings, turned as a whole, had them at rest (Sorkine, Alexa 2007, with one turn for each ring).
    pub(super) fn sweep(&mut self, sweeps: usize) {
        let list = std::mem::take(&mut self.smoothed);
        self.step_places(&list, sweeps, |this, i| {
            let (places, rest) = (&this.places, &this.skin.rest);
            let at = places[i as usize];
            let now = this.skin.held(i, |n| places[n as usize]);
            let (Some(now), Some(then)) = (now, this.skin.held(i, |n| rest[n as usize])) else { return at };
            let mut spread = Mat3A::ZERO;
            for (&n, &w) in this.skin.ring(i).iter().zip(this.skin.coordinates(i)) {
                let (edge, before) = (places[n as usize] - at, rest[n as usize] - rest[i as usize]);
                spread += Mat3A::from_cols(edge * before.x, edge * before.y, edge * before.z) * w;
            }
            let target = now + turn(&spread, rest[i as usize] - then);
            at.lerp(target, this.points[i as usize].beta)
        });
        self.smoothed = list;
    }

    /// Laplacian smoothing by the share of each point (equation 7).
    pub(super) fn smooth(&mut self, steps: usize) {
        let list = std::mem::take(&mut self.smoothed);
        self.step_places(&list, steps, Self::smoothed_at);
        self.smoothed = list;
    }

    /// The same, and where there is no contact how far points have moved from their start is made even: two fields that have
    /// turned against each other are of one thickness nowhere but at rest, and skin would lie over the step between them.
    pub(super) fn smooth_and_even(&mut self, steps: usize) {
        let mut list = std::mem::take(&mut self.walkers);
        let is_in = |p: &Tracked| p.beta > LEAST_BETA || p.moves;
        self.take_places();
        self.choice.fill(&mut list, self.points.len(), |i| is_in(&self.points[i]).then_some(i as u32));
        self.step_places(&list, steps, |this, i| {
            let at = this.smoothed_at(i);
            let evens = this.points[i as usize].evens();
            if evens <= 0.0 || this.is_fixed(i) {
                return at;
            }
            at.lerp(this.start[i as usize] + this.mean_way(i), evens)
        });
        self.walkers = list;
    }

    fn smoothed_at(&self, i: u32) -> Vec3A {
        let (at, beta) = (self.places[i as usize], self.points[i as usize].beta);
        if beta <= LEAST_BETA || self.is_fixed(i) {
            return at;
        }
        // Without coordinates the mean of a ring is anywhere: the mean of how far it has moved is not.
        let held = self.skin.held(i, |n| self.places[n as usize]);
        at.lerp(held.unwrap_or_else(|| self.start[i as usize] + self.mean_way(i)), beta)
    }

    fn is_fixed(&self, i: u32) -> bool {
        self.skin.border[i as usize] || self.skin.ring(i).is_empty()
    }

    /// How far its ring has moved from its start.
    fn mean_way(&self, i: u32) -> Vec3A {
        self.skin.mean(i, |n| self.places[n as usize] - self.start[n as usize])
    }
}

impl Tracked {
    /// How much of the way of its ring a point takes in a step: nothing near contact.
    fn evens(&self) -> f32 {
        let free = self.moves && !self.touched && !self.pressed;
        if free { EVEN * (1.0 - NEAR_CONTACT * self.beta).max(0.0) } else { 0.0 }
    }
}
