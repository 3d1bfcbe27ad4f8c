//! The composed field as seen from one chunk.

use super::chunk::Chunk;
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

/// The field round one point on its way: only the limbs within a short distance of it, found anew when it has gone farther.
pub struct Local<'a> {
    /// The chunk's view.
    pub field: FieldAt<'a>,
    anchor: Vec3A,
    reach: f32,
    near: [u16; 2 * MOST],
    count: usize,
    values: Values,
}

impl<'a> Local<'a> {
    /// Looks round a point.
    #[inline]
    pub fn new(field: FieldAt<'a>, at: Vec3A, reach: f32) -> Self {
        let mut local = Self { field, anchor: at, reach, near: [0; 2 * MOST], count: 0, values: Values::default() };
        local.look(at);
        local
    }

    fn look(&mut self, at: Vec3A) {
        self.anchor = at;
        self.count = 0;
        for &limb in &self.field.chunk.near {
            if self.count < self.near.len() && self.field.posed.reaches(self.field.body, limb, at, self.reach) {
                self.near[self.count] = limb;
                self.count += 1;
            }
        }
    }

    #[inline(always)]
    fn follow(&mut self, at: Vec3A) {
        if at.distance_squared(self.anchor) > self.reach * self.reach {
            self.look(at);
        }
    }

    /// The limbs felt at a point.
    #[inline(always)]
    pub fn values(&mut self, at: Vec3A) -> &Values {
        self.follow(at);
        self.field.posed.feel(self.field.body, &self.near[..self.count], at, &mut self.values);
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
            self.follow(at);
            return self.field.posed.strongest(self.field.body, &self.near[..self.count], at);
        }
        self.values(at);
        self.composed()
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
