//! The composed field near one chunk, and round one point on its way.

use super::{chunk::Chunk, known::Known};
use crate::field::{
    Body, Sample,
    compose::{MOST, Posed, Values},
};
use glam::{Vec3A, Vec4};

/// See the module.
#[derive(Clone, Copy)]
pub struct FieldAt<'a> {
    /// The limbs at rest.
    pub body: &'a Body,
    /// The limbs in the pose of the frame.
    pub posed: &'a Posed,
    /// The chunk, with the limbs near it.
    pub chunk: &'a Chunk,
}

/// The field round one point on its way. The limbs within a short distance of it are found once, and again when it has gone
/// farther; of those, only the ones are looked up that can be strong enough to matter where it is now.
pub struct Local<'a, 'r> {
    /// The chunk's view.
    pub field: FieldAt<'a>,
    known: &'a Known,
    /// The limbs that were found are all within a distance of this place.
    anchor: Vec3A,
    within: f32,
    /// The distance within which limbs are found.
    reach: f32,
    /// Where no other limb can be as strong as the point's own.
    pub clear: Clear,
    memory: &'r mut LocalMemory,
    felt_at: Vec3A,
}

/// A ball in which a point's own limb is stronger than any other, by how steep they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clear(Vec4);

impl Clear {
    /// Less than it could be: fields are rounded.
    const SURE: (f32, f32) = (0.99, 1e-5);

    /// Whether a place is in it.
    #[inline(always)]
    pub fn holds(&self, at: Vec3A) -> bool {
        (at - self.middle()).length_squared() < self.0.w * self.0.w
    }

    #[inline(always)]
    fn middle(&self) -> Vec3A {
        Vec3A::from_vec4(self.0)
    }
}

/// The memory of a [`Local`]: cleared once for many points, since clearing takes as long as feeling a limb.
#[derive(Default)]
pub struct LocalMemory {
    near: [Near; 2 * MOST],
    count: usize,
    /// Strongest first. Most points have come to rest before anybody asks.
    sorted: bool,
    /// As felt at `felt_at`.
    values: Values,
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

impl LocalMemory {
    #[inline(always)]
    fn near(&self) -> &[Near] {
        &self.near[..self.count.min(2 * MOST)]
    }

    fn sort(&mut self) {
        self.sorted = true;
        for k in 1..self.count.min(2 * MOST) {
            let near = self.near[k];
            let mut place = k;
            while place > 0 && self.near[place - 1].value < near.value {
                self.near[place] = self.near[place - 1];
                place -= 1;
            }
            self.near[place] = near;
        }
    }
}

impl<'a, 'r> Local<'a, 'r> {
    /// Looks round a point of a limb, which is felt there as `own`.
    #[inline(always)]
    pub fn new(
        field: FieldAt<'a>,
        known: &'a Known,
        at: Vec3A,
        own: Sample,
        reach: f32,
        memory: &'r mut LocalMemory,
    ) -> Self {
        let clear = Clear::default();
        let mut local = Self { field, known, anchor: at, within: reach, reach, clear, memory, felt_at: at };
        local.look(at, Some(own));
        local
    }

    /// The same for a place that is clear, where there is nothing to look for.
    #[inline(always)]
    pub fn alone(
        field: FieldAt<'a>,
        known: &'a Known,
        at: Vec3A,
        own: Sample,
        reach: f32,
        clear: Clear,
        memory: &'r mut LocalMemory,
    ) -> Self {
        memory.near[0] = Near { limb: known.owner, value: f32::INFINITY, steepest: 0.0 };
        (memory.count, memory.sorted) = (1, true);
        memory.values.clear();
        if own.value > 0.0 {
            memory.values.push(known.owner, own);
        }
        Self { field, known, anchor: clear.middle(), within: clear.0.w, reach, clear, memory, felt_at: at }
    }

    /// Finds the limbs near a point, and feels those there that [`Self::values`] would. At the start of its way its own is given,
    /// and only those are felt that can be as strong: whether another is stronger, and what the strongest is, is all that is
    /// asked there.
    fn look(&mut self, at: Vec3A, own: Option<Sample>) {
        let (FieldAt { body, posed, chunk }, known, memory) = (self.field, self.known, &mut *self.memory);
        (self.anchor, self.within, self.felt_at) = (at, self.reach, at);
        memory.values.clear();
        (memory.count, memory.sorted) = (0, false);
        let all = !chunk.pairs.is_empty();
        let felt = |limb: u16| posed.limb(body, limb, at).unwrap_or(Sample::NOTHING);
        let mut strongest = own.filter(|_| !all).map_or(0.0, |s| s.value);
        let (own_value, own_sharpest) = (strongest - Clear::SURE.1, posed.sharpest(known.owner));
        let mut clear = self.reach;
        for (four, limbs) in chunk.fours.iter().zip(chunk.near.chunks(4)) {
            let places = four.places(at);
            let inside = four.within(&places, 0.0);
            let mut within = four.within(&places, self.reach);
            let blocks = four.blocks(&places);
            while within != 0 && memory.count < memory.near.len() {
                let lane = within.trailing_zeros() as usize;
                within &= within - 1;
                let limb = limbs[lane];
                let mut near = Near { limb, value: 0.0, steepest: posed.steepest(limb) };
                if inside >> lane & 1 == 1 {
                    near.value = body.limbs[usize::from(limb)].grid.ceiling(blocks[lane]);
                }
                let is_own = limb == known.owner;
                if near.value > 0.0 && (all || is_own || near.value >= strongest) {
                    let sample = own.filter(|_| is_own).unwrap_or_else(|| felt(limb));
                    near.value = sample.value;
                    if sample.value > 0.0 {
                        memory.values.push(limb, sample);
                    }
                    if sample.value > strongest && known.is_other(limb) {
                        strongest = sample.value;
                    }
                }
                if !is_own {
                    let (ahead, slopes) = (own_value - near.value, own_sharpest + posed.sharpest(limb));
                    // Mostly not: a division costs as much as the rest.
                    if ahead < clear * slopes {
                        clear = ahead / slopes;
                    }
                }
                memory.near[memory.count] = near;
                memory.count += 1;
            }
        }
        if own.is_some_and(|s| s.value > 0.0) && clear > 0.0 && memory.count < memory.near.len() {
            self.clear = Clear(at.extend(Clear::SURE.0 * clear));
        }
    }

    /// How far the point has gone from where the limbs were looked for.
    #[inline(always)]
    fn follow(&mut self, at: Vec3A) -> f32 {
        let gone = at.distance(self.anchor);
        if gone > self.within {
            self.look(at, None);
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
            return &self.memory.values;
        }
        self.felt_at = at;
        let memory = &mut *self.memory;
        if !memory.sorted {
            memory.sort();
        }
        memory.values.clear();
        let mut strongest = 0.0;
        for k in 0..memory.near().len() {
            let near = memory.near[k];
            let most = near.value + gone * near.steepest;
            if most <= 0.0 || (!all && most < strongest && near.limb != self.known.owner) {
                continue;
            }
            let sample = self.field.posed.limb(self.field.body, near.limb, at);
            if let Some(sample) = sample.filter(|s| s.value > 0.0) {
                memory.values.push(near.limb, sample);
                if sample.value > strongest && self.known.is_other(near.limb) {
                    strongest = sample.value;
                }
            }
        }
        &self.memory.values
    }

    /// The limbs as they were felt last.
    #[inline(always)]
    pub fn felt(&self) -> &Values {
        &self.memory.values
    }

    /// The composed field where the limbs were felt last.
    #[inline(always)]
    pub fn composed(&self) -> Sample {
        self.memory.values.composed(self.field.body, &self.field.chunk.pairs)
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
        if !self.memory.sorted {
            self.memory.sort();
        }
        let mut best = Sample::NOTHING;
        for near in self.memory.near() {
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

    /// Whether the blend of the joint between two limbs rounds a place where their fields are these.
    #[inline(always)]
    pub fn rounds(&self, limb: u16, other: u16, felt: [Sample; 2]) -> bool {
        let pair = self.body.pair(limb, other);
        pair.is_some_and(|p| self.body.pairs[usize::from(p)].rounds(felt))
    }

    /// The share of the contact between two limbs: 1, unless they are jointed and bent too little.
    #[inline(always)]
    pub fn pressure(&self, limb: u16, other: u16) -> f32 {
        self.body.pair(limb, other).map_or(1.0, |pair| self.posed.fold(pair).pressure())
    }

    /// Whether two limbs can have contact at a point: always, unless they are jointed, and then on the inner side of
    /// the joint alone.
    #[inline(always)]
    pub fn folds(&self, limb: u16, other: u16, at: Vec3A) -> bool {
        self.body.pair(limb, other).is_none_or(|pair| self.posed.fold(pair).holds(at))
    }
}
