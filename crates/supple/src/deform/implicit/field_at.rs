//! The composed field as seen from one chunk.

use super::{chunk::Chunk, track::Known};
use crate::field::{
    Body, Sample,
    compose::{MOST, Posed, Values},
};
use glam::Vec3A;

/// See the module.
#[derive(Clone, Copy)]
pub struct FieldAt<'a> {
    /// The limbs.
    pub body: &'a Body,
    /// Where they are.
    pub posed: &'a Posed,
    /// What is near.
    pub chunk: &'a Chunk,
}

/// The field round one point on its way. The limbs within a short distance of it are found once, strongest first, and again
/// when it has gone farther; of those, only the ones are looked up that can be strong enough to matter where it is now.
pub struct Local<'a> {
    /// The chunk's view.
    pub field: FieldAt<'a>,
    known: &'a Known,
    anchor: Vec3A,
    reach: f32,
    near: [Near; 2 * MOST],
    count: usize,
    /// As felt at `felt_at`.
    values: Values,
    felt_at: Vec3A,
}

/// A limb near a point.
#[derive(Clone, Copy, Default)]
struct Near {
    limb: u16,
    /// Its value where the limbs were looked for, or what that does not exceed.
    value: f32,
    /// The most that it can change over a unit of length.
    steepest: f32,
}

impl<'a> Local<'a> {
    /// Looks round a point of a limb.
    #[inline(always)]
    pub fn new(field: FieldAt<'a>, known: &'a Known, at: Vec3A, reach: f32) -> Self {
        let near = [Near::default(); 2 * MOST];
        let values = Values::default();
        let mut local = Self { field, known, anchor: at, reach, near, count: 0, values, felt_at: at };
        local.look(at, true);
        local
    }

    /// Finds the limbs near a point, and feels those there that [`Self::values`] would. At the start of its way only those are
    /// felt that can be as strong as its own: whether another is stronger, and what the strongest is, is all that is asked there.
    fn look(&mut self, at: Vec3A, start: bool) {
        let (body, posed, chunk) = (self.field.body, self.field.posed, self.field.chunk);
        (self.anchor, self.felt_at) = (at, at);
        self.values.clear();
        self.count = 0;
        for (four, limbs) in chunk.fours.iter().zip(chunk.near.chunks(4)) {
            let places = four.places(at);
            let inside = four.within(&places, 0.0);
            let mut within = four.within(&places, self.reach);
            while within != 0 && self.count < self.near.len() {
                let lane = within.trailing_zeros() as usize;
                within &= within - 1;
                let limb = limbs[lane];
                let mut near = Near { limb, value: 0.0, steepest: posed.steepest(limb) };
                if inside >> lane & 1 == 1 {
                    let place = Vec3A::new(places[0][lane], places[1][lane], places[2][lane]);
                    near.value = body.limbs[usize::from(limb)].grid.ceiling(place);
                }
                self.near[self.count] = near;
                self.count += 1;
            }
        }
        let all = !chunk.pairs.is_empty();
        let felt = |limb: u16| posed.limb(body, limb, at).unwrap_or(Sample::NOTHING);
        let own = (start && !all && self.count > 0).then(|| felt(self.known.owner));
        let mut strongest = own.map_or(0.0, |s| s.value);
        for k in 0..self.count {
            let mut near = self.near[k];
            let is_own = near.limb == self.known.owner;
            if near.value > 0.0 && (all || is_own || near.value >= strongest) {
                let sample = own.filter(|_| is_own).unwrap_or_else(|| felt(near.limb));
                near.value = sample.value;
                if sample.value > 0.0 {
                    self.values.push(near.limb, sample);
                }
                if sample.value > strongest && self.known.is_other(near.limb) {
                    strongest = sample.value;
                }
            }
            let mut place = k;
            while place > 0 && self.near[place - 1].value < near.value {
                self.near[place] = self.near[place - 1];
                place -= 1;
            }
            self.near[place] = near;
        }
    }

    /// How far the point has gone from where the limbs were looked for.
    #[inline(always)]
    fn follow(&mut self, at: Vec3A) -> f32 {
        let gone = at.distance(self.anchor);
        if gone > self.reach {
            self.look(at, false);
            return 0.0;
        }
        gone
    }

    /// The limbs felt at a point: at least the point's own, the strongest other, and those that are composed by more than a
    /// union.
    pub fn values(&mut self, at: Vec3A) -> &Values {
        let gone = self.follow(at);
        let all = !self.field.chunk.pairs.is_empty();
        if self.felt_at == at {
            return &self.values;
        }
        self.felt_at = at;
        self.values.clear();
        let mut strongest = 0.0;
        for near in &self.near[..self.count] {
            let most = near.value + gone * near.steepest;
            if most <= 0.0 || (!all && most < strongest && near.limb != self.known.owner) {
                continue;
            }
            let sample = self.field.posed.limb(self.field.body, near.limb, at);
            if let Some(sample) = sample.filter(|s| s.value > 0.0) {
                self.values.push(near.limb, sample);
                if sample.value > strongest && self.known.is_other(near.limb) {
                    strongest = sample.value;
                }
            }
        }
        &self.values
    }

    /// The limbs as they were felt last.
    #[inline(always)]
    pub fn felt(&self) -> &Values {
        &self.values
    }

    /// The composed field where the limbs were felt last.
    #[inline(always)]
    pub fn composed(&self) -> Sample {
        self.values.composed(self.field.body, &self.field.chunk.pairs)
    }

    /// The composed field.
    #[inline(always)]
    pub fn sample(&mut self, at: Vec3A) -> Sample {
        if self.field.chunk.pairs.is_empty() {
            return self.strongest(at);
        }
        self.values(at);
        self.composed()
    }

    /// The composed field where every operator is a union.
    fn strongest(&mut self, at: Vec3A) -> Sample {
        let gone = self.follow(at);
        let mut best = Sample::NOTHING;
        for near in &self.near[..self.count] {
            if near.value + gone * near.steepest > best.value {
                let sample = self.field.posed.limb(self.field.body, near.limb, at);
                if let Some(sample) = sample.filter(|s| s.value > best.value) {
                    best = sample;
                }
            }
        }
        best
    }
}

impl FieldAt<'_> {
    /// The limbs felt at a point.
    #[inline(always)]
    pub fn values(&self, at: Vec3A) -> Values {
        let mut values = Values::default();
        self.posed.feel(self.body, &self.chunk.near, at, &mut values);
        values
    }

    /// Whether skin of one limb can meet the other at a point: always, unless they are jointed, and then on the inner side of
    /// the bend alone.
    #[inline(always)]
    pub fn folds(&self, limb: u16, other: u16, at: Vec3A) -> bool {
        self.body.pair(limb, other).is_none_or(|pair| self.posed.fold(pair).holds(at))
    }
}
