//! Smoothing round contact: which points are around it, and how they are smoothed.

use super::{
    project::State,
    track::{FAR, Tracked, Tracker},
};
use crate::{
    constant::Constant,
    deform::skinning::delta_mush::rotation::turn,
    parallel::{for_each_block, for_each_listed},
};
use glam::{Mat3A, Vec3A};

/// Points whose places a thread takes at a time.
const PLACE_BLOCK: usize = 4096;
/// A share of smoothing β below this counts as none.
const LEAST_BETA: f32 = 5e-3;
/// The share of the mean displacement of its one-ring that a point far from contact takes in a step.
const EVENING: f32 = 0.5;
/// Points with a β of one over this or more are in contact, and their displacements stay uneven: at one half the fist of a coarse hand
/// opened again.
const EVENING_FALLOFF: f32 = 3.0;

/// The constants that the kernel uses too.
pub fn constants() -> Vec<Constant> {
    crate::constants![LEAST_BETA, EVENING, EVENING_FALLOFF]
}

impl Tracker {
    /// Finds the points in contact, and spreads their share of smoothing over the one-rings round them.
    pub(super) fn find_contact(&mut self) {
        let touches = |p: &Tracked| matches!(p.state, State::Contact | State::Stuck);
        self.take_places();
        self.chooser.fill(&mut self.smoothed, self.points.len(), |i| touches(&self.points[i]).then_some(i as u32));
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
        // In the order of the points, so that neighbours are smoothed together.
        let mut list = std::mem::take(&mut self.walkers);
        self.chooser.fill(&mut list, self.points.len(), |i| (self.rings[i] != FAR).then_some(i as u32));
        for ring in 1..=self.steps.diffusion as u32 {
            self.step_shares(&list, |this, i| {
                // Shares beyond this ring are still zero.
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
        self.chooser.fill(&mut self.smoothed, list.len(), |k| Some(list[k]).filter(counts));
        for_each_listed(&list, &mut self.shares, |_, share| *share = 0.0);
        for_each_listed(&list, &mut self.rings, |_, rings| *rings = FAR);
        self.walkers = list;
    }

    fn take_places(&mut self) {
        let points = &self.points;
        for_each_block(&mut self.places, PLACE_BLOCK, |first, block| {
            block.iter_mut().zip(&points[first..]).for_each(|(place, point)| *place = point.at);
        });
    }

    /// Moves points to their places in their one-rings at rest, each ring turned as a whole (Sorkine, Alexa 2007).
    pub(super) fn sweep(&mut self, sweeps: usize) {
        let list = std::mem::take(&mut self.smoothed);
        self.step_places(&list, sweeps, |this, i| {
            let (places, rest) = (&this.places, &this.skin.rest);
            let at = places[i as usize];
            let now = this.skin.interpolated(i, |n| places[n as usize]);
            let (Some(now), Some(then)) = (now, this.skin.interpolated(i, |n| rest[n as usize])) else { return at };
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

    /// The same, and evens out displacements from the start far from contact: two fields that have turned against each other have one
    /// thickness at rest alone, and the skin would show the step between them.
    pub(super) fn smooth_and_even(&mut self, steps: usize) {
        let mut list = std::mem::take(&mut self.walkers);
        let is_in = |p: &Tracked| p.beta > LEAST_BETA || p.moves;
        self.take_places();
        self.chooser.fill(&mut list, self.points.len(), |i| is_in(&self.points[i]).then_some(i as u32));
        self.step_places(&list, steps, |this, i| {
            let at = this.smoothed_at(i);
            let evens = this.points[i as usize].evens();
            if evens <= 0.0 || this.is_fixed(i) {
                return at;
            }
            at.lerp(this.start[i as usize] + this.mean_displacement(i), evens)
        });
        self.walkers = list;
    }

    fn smoothed_at(&self, i: u32) -> Vec3A {
        let (at, beta) = (self.places[i as usize], self.points[i as usize].beta);
        if beta <= LEAST_BETA || self.is_fixed(i) {
            return at;
        }
        // Without coordinates the mean of a one-ring says nothing of its point; the mean displacement does.
        let interpolated = self.skin.interpolated(i, |n| self.places[n as usize]);
        at.lerp(interpolated.unwrap_or_else(|| self.start[i as usize] + self.mean_displacement(i)), beta)
    }

    fn is_fixed(&self, i: u32) -> bool {
        self.skin.border[i as usize] || self.skin.ring(i).is_empty()
    }

    /// Mean displacement of its one-ring from the start.
    fn mean_displacement(&self, i: u32) -> Vec3A {
        self.skin.mean(i, |n| self.places[n as usize] - self.start[n as usize])
    }
}

impl Tracked {
    /// The share of its one-ring's mean displacement that a point takes in a step: zero near contact.
    fn evens(&self) -> f32 {
        let free = self.moves && !self.touched && !self.pressed;
        if free { EVENING * (1.0 - EVENING_FALLOFF * self.beta).max(0.0) } else { 0.0 }
    }
}
