//! Skin round a contact settles: which points are near one, and how they are smoothed.

use super::{
    project::State,
    track::{Tracked, Tracker},
};
use crate::deform::skinning::delta_mush::rotation::turn;
use glam::{Mat3A, Vec3A};

/// A share of smoothing below this is none.
const LEAST_BETA: f32 = 5e-3;
/// How much of the way of its ring a point takes where there is no contact.
const EVEN: f32 = 0.5;
/// Shares of smoothing of more than one over this are contact, and not made even: at one half the fist of a coarse hand opened again.
const NEAR_CONTACT: f32 = 3.0;

impl Tracker {
    /// Which points are in contact, spread over the rings round them.
    pub(super) fn find_contact(&mut self) {
        self.smoothed.clear();
        let touches = |p: &Tracked| matches!(p.state, State::Contact | State::Stuck);
        for i in 0..self.points.len() {
            self.places[i] = self.points[i].at;
            if touches(&self.points[i]) {
                self.shares[i] = 1.0;
                self.smoothed.push(i as u32);
                self.seen[i] = true;
            }
        }
        let mut from = 0;
        self.spread.clear();
        for _ in 0..self.steps.diffusion {
            let to = self.smoothed.len();
            for k in from..to {
                for &n in self.skin.ring(self.smoothed[k]) {
                    if !std::mem::replace(&mut self.seen[n as usize], true) {
                        self.smoothed.push(n);
                    }
                }
            }
            from = to;
            self.spread.push(self.smoothed.len());
        }
        let mut list = std::mem::take(&mut self.smoothed);
        for ring in 0..self.steps.diffusion {
            // Beyond this ring nothing has come yet.
            self.step_shares(&list[..self.spread[ring]], |this, i| {
                let ring = this.skin.ring(i);
                let sum: f32 = ring.iter().map(|&n| this.shares[n as usize]).sum();
                if ring.is_empty() { 0.0 } else { sum / ring.len() as f32 }
            });
        }
        // In the order of the points: those that lie together are worked on together.
        list.clear();
        for (i, seen) in self.seen.iter_mut().enumerate() {
            if !std::mem::take(seen) {
                continue;
            }
            self.points[i].beta = std::mem::take(&mut self.shares[i]);
            if self.points[i].beta > LEAST_BETA {
                list.push(i as u32);
            }
        }
        self.smoothed = list;
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
        list.clear();
        let is_in = |p: &Tracked| p.beta > LEAST_BETA || p.moves;
        for (i, (point, place)) in (0u32..).zip(self.points.iter().zip(&mut self.places)) {
            *place = point.at;
            if is_in(point) {
                list.push(i);
            }
        }
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
