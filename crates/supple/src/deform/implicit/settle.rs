//! Smoothing round contact: which points are around it, and how they are smoothed.

use super::{
    project::State,
    skin::SKIN_BLOCK,
    track::{Tracked, Tracker},
};
use crate::{
    constant::Constant,
    deform::skinning::delta_mush::rotation::turn,
    parallel::{for_each_block, for_each_block_of_two},
};
use glam::{Mat3A, Vec3A};

/// Points whose places a thread takes at a time.
const PLACE_BLOCK: usize = 1024;
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

/// Shares of smoothing of all points.
pub(super) struct Shares {
    of: Vec<f32>,
    /// Whether there may be any in each block of the skin: elsewhere they are zero.
    some: Vec<bool>,
}

impl Shares {
    pub fn of(points: usize) -> Self {
        Self { of: vec![0.0; points], some: vec![false; points.div_ceil(SKIN_BLOCK)] }
    }

    /// Sets the shares of each block that has `some`, and clears those of the others.
    fn set(&mut self, some: impl Fn(usize) -> bool + Sync + Send, share: impl Fn(usize) -> f32 + Sync + Send) {
        for_each_block_of_two(&mut self.of, &mut self.some, [4 * SKIN_BLOCK, 4], |first, shares, has| {
            for (k, (shares, has)) in shares.chunks_mut(SKIN_BLOCK).zip(has).enumerate() {
                let first = first + k * SKIN_BLOCK;
                let had = std::mem::replace(has, some(first / SKIN_BLOCK));
                if *has {
                    (first..).zip(shares).for_each(|(i, of)| *of = share(i));
                } else if had {
                    shares.fill(0.0);
                }
            }
        });
    }
}

impl Tracker {
    /// Finds the points in contact, and spreads their share of smoothing over the one-rings round them.
    pub(super) fn find_contact(&mut self) {
        let points = &self.points;
        let touches = |i: usize| matches!(points[i].state, State::Contact | State::Stuck);
        let block = |block: usize| block * SKIN_BLOCK..((block + 1) * SKIN_BLOCK).min(points.len());
        let [shares, fresh] = &mut self.shares;
        shares.set(|b| block(b).any(touches), |i| f32::from(u8::from(touches(i))));
        for _ in 0..self.steps.diffusion {
            let (skin, before) = (&self.skin, &*shares);
            // Elsewhere the means are zero.
            let is_reached = |b: usize| skin.beside(b).iter().any(|&other| before.some[other as usize]);
            fresh.set(is_reached, |i| {
                let ring = skin.ring(i as u32);
                let sum: f32 = ring.iter().map(|&n| before.of[n as usize]).sum();
                if ring.is_empty() { 0.0 } else { sum / ring.len() as f32 }
            });
            std::mem::swap(shares, fresh);
        }
        let shares = &*shares;
        for_each_block(&mut self.points, SKIN_BLOCK, |first, points| {
            if shares.some[first / SKIN_BLOCK] {
                (first..).zip(points).for_each(|(i, point)| point.beta = shares.of[i]);
            }
        });
        let counts = |i: &usize| shares.some[i / SKIN_BLOCK] && shares.of[*i] > LEAST_BETA;
        self.chooser.fill(&mut self.smoothed, shares.of.len(), |i| Some(i).filter(counts).map(|i| i as u32));
    }

    /// Takes the places of the points.
    pub(super) fn take_places(&mut self) {
        let points = &self.points;
        for_each_block_of_two(&mut self.places, &mut self.fresh_places, [PLACE_BLOCK; 2], |first, places, fresh| {
            for ((place, fresh), point) in places.iter_mut().zip(fresh).zip(&points[first..]) {
                (*place, *fresh) = (point.at, point.at);
            }
        });
    }

    /// Moves points to their places in their one-rings at rest, each ring turned as a whole (Sorkine, Alexa 2007).
    pub(super) fn sweep(&mut self, sweeps: usize) {
        let list = std::mem::take(&mut self.smoothed);
        self.settle(&list, sweeps, |this, i| {
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
        self.settle(&list, steps, Self::smoothed_at);
        self.smoothed = list;
    }

    /// The same, and evens out displacements from the start far from contact: two fields that have turned against each other have one
    /// thickness at rest alone, and the skin would show the step between them.
    pub(super) fn smooth_and_even(&mut self, steps: usize) {
        let mut list = std::mem::take(&mut self.walkers);
        let is_in = |p: &Tracked| p.beta > LEAST_BETA || p.moves;
        self.take_places();
        self.chooser.fill(&mut list, self.points.len(), |i| is_in(&self.points[i]).then_some(i as u32));
        self.settle(&list, steps, |this, i| {
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
