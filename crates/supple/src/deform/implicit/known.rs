//! What is known of the points at rest, found once when a rig is bound: their owner, the limbs that their skin is continuous with, and
//! the crease in which they can lie.

use super::{
    chunk::CHUNK,
    coarse,
    crease::{self, Side},
    doubt::{self, Confidence, Doubts},
    field_at::FieldAt,
    skin::Ways,
    track::Tracker,
};
use crate::{
    field::{
        Body, Sample,
        compose::{MERGED, Values},
    },
    parallel::{for_each_block, sort_by},
    pose::Motion,
    rig::ByPoint,
};
use glam::{DAffine3, Vec3, Vec3A};
use std::sync::Arc;

/// Value at rest, at a point of another limb, above which a limb that is not paired with its owner is continuous with the point.
const CONTINUOUS_VALUE: f32 = 0.25;
/// Distance along the skin, over the radius of a limb, within which it is continuous with a point too.
const CONTINUOUS_DISTANCE: f32 = 1.0;
/// Pieces in which limbs are looked round at the same time: each takes a number for every point.
const WAYS: usize = 64;
/// Doubt above which two limbs are continuous, paired or not.
pub const DOUBTED: f32 = 0.5;

/// What is known of a point at rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// Its value in the composed field.
    pub iso: f32,
    /// Its owner: the strongest limb at rest.
    pub owner: u16,
    /// The value of that limb alone.
    pub own: f32,
    /// Its penetration depth at rest; 0 for most.
    pub deficit: f32,
    /// Limbs that its skin is continuous with, besides its owner: it has no contact with them.
    pub merged: [u16; MERGED],
    /// The pair in whose crease it can lie; [`NO_PAIR`] for none.
    pub pair: u16,
    /// Its signed distance past the bisector plane of that crease at rest: below zero, or zero.
    pub past: f32,
    /// Inside the support of a field at rest.
    pub tracked: bool,
}

/// The way from a limb to a point near it along the skin, over the farthest; the point, its limb, and that limb.
type Near = (f32, u32, u16, u16);

/// See [`Known::pair`].
pub const NO_PAIR: u16 = u16::MAX;

impl Known {
    /// Whether a point can have contact with a limb: neither its owner nor continuous with it.
    #[inline(always)]
    pub fn is_other(&self, limb: u16) -> bool {
        limb != self.owner && !self.merged.contains(&limb)
    }
}

impl Tracker {
    /// Finds the crease in which each point can lie. `share` is what part of a point's weights a limb has.
    pub fn find_creases(&mut self, share: impl Fn(usize, u16) -> f32 + Sync + Send) {
        let (body, rest, confidence, posed) = (&self.body, &self.rest, &self.confidence, &self.posed);
        for_each_block(&mut Arc::make_mut(&mut self.known)[..], CHUNK, |first, block| {
            for (i, known) in (first..).zip(block) {
                let Some(pair) = crease::pair_of(body, known.owner, rest[i], |limb| share(i, limb)) else { continue };
                let [a, b] = body.pairs[usize::from(pair)].limbs;
                if confidence.doubt(body, a, b) > DOUBTED {
                    continue;
                }
                let first = a == known.owner;
                known.pair = pair;
                known.past = Side::of(posed.fold(pair), first).past(rest[i]);
            }
        });
    }

    /// Finds the values and owners of points at rest; `at` is in the tracker's order. `follows` tells which limbs have a large
    /// part of a point's weights, `has_limb` which points have a limb of their own at all.
    pub fn rest(
        &mut self,
        at: impl Iterator<Item = Vec3A>,
        follows: impl Fn(usize, u16) -> bool + Sync + Send,
        has_limb: impl Fn(usize) -> bool + Sync + Send,
    ) {
        self.know(at, |body, i, values, _, known| {
            let followed = values.strongest_of(|l| follows(i, l));
            known.owner = followed.or_else(|| values.strongest_of(|_| true)).map_or(0, |s| s.0);
            known.merged = values.merged(CONTINUOUS_VALUE, |l| l != known.owner && body.pair(known.owner, l).is_none());
        });
        self.find_near();
        self.find_tracked(has_limb);
        for (chunk, joints) in self.chunks.iter().zip(Arc::make_mut(&mut self.chunk_joints)) {
            joints.extend(chunk.near.iter().map(|l| self.body.limbs[usize::from(*l)].limb.joint as u16));
            joints.sort_unstable();
            joints.dedup();
        }
    }

    /// Finds the values anew where the operators of the limbs are others, and nothing else: whom points belong to stays. Their creases
    /// have to be found again.
    pub fn rejoin(&mut self, body: Arc<Body>, has_limb: impl Fn(usize) -> bool + Sync + Send) {
        self.body = body;
        for known in Arc::make_mut(&mut self.known) {
            (known.pair, known.past) = (NO_PAIR, 0.0);
        }
        self.find_tracked(has_limb);
    }

    /// Finds the values of points at rest, and which of them are felt by a field.
    fn find_tracked(&mut self, has_limb: impl Fn(usize) -> bool + Sync + Send) {
        let (at, least) = (self.rest.clone(), self.march.least);
        self.know(at.iter().copied(), |_, i, _, composed, known| {
            known.tracked = has_limb(i) && composed.value > 0.0 && composed.gradient.length() >= least;
        });
    }

    /// Limbs whose skin begins a short way along the skin are continuous with a point too, the nearest first: continuous skin has no
    /// contact with itself there. The confidence in fields depends on the limbs near, too.
    fn find_near(&mut self) {
        let owner = |i: u32| self.known[i as usize].owner;
        // A point that no field reaches, as one of a spear, has an owner by default alone.
        let reached = |i: u32| self.known[i as usize].own > 0.0;
        let confidence = Confidence {
            limbs: self.body.limbs.iter().map(doubt::confidence).collect(),
            coarse: coarse::joints(&self.body, &self.skin, |i| Some(owner(i)).filter(|_| reached(i))),
        };
        let limbs = self.body.limbs.len();
        let of_limb = ByPoint::of(limbs.max(1), || (0..self.skin.len() as u32).map(|i| (u32::from(owner(i)), i)));
        let mut found: Vec<Vec<Near>> = vec![Vec::new(); limbs];
        for_each_block(&mut found, limbs.div_ceil(WAYS).max(1), |first, found| {
            let mut ways = Ways::new(self.skin.len());
            for (limb, near) in (first..).zip(found) {
                let farthest = doubt::NEAR_ALONG_SKIN * self.body.limbs[limb].radius as f32;
                let (members, limb) = (of_limb.at(limb as u32), limb as u16);
                let tell = |i, way| near.push((way / farthest, i, owner(i), limb));
                ways.find(&self.skin, farthest, members, |i| owner(i) == limb, tell);
            }
        });
        let mut near = found.concat();
        // Edges of coarse skin can be longer than the distances that count, and then no limb was found near.
        for joint in &confidence.coarse {
            let [a, b] = self.body.pairs[usize::from(joint.pair)].limbs;
            let own = (0..self.skin.len() as u32).filter(|&i| owner(i) == a || owner(i) == b);
            let found = own.map(|i| (joint.way(&self.body, self.rest[i as usize]), i, owner(i), a + b - owner(i)));
            near.extend(found.filter(|f| f.0 < 1.0));
        }
        if !confidence.coarse.is_empty() {
            near.sort_unstable_by(|a, b| (a.1, a.3).cmp(&(b.1, b.3)).then(a.0.total_cmp(&b.0)));
            near.dedup_by_key(|n| (n.1, n.3));
        }
        sort_by(&mut near, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.3.cmp(&b.3)));
        let known = Arc::make_mut(&mut self.known);
        for &(way, i, owner, limb) in &near {
            let merged = &mut known[i as usize].merged;
            let doubted = confidence.doubt(&self.body, owner, limb) > DOUBTED;
            let apart = || way * doubt::NEAR_ALONG_SKIN < CONTINUOUS_DISTANCE && self.body.pair(owner, limb).is_none();
            if (doubted || apart())
                && !merged.contains(&limb)
                && let Some(free) = merged.iter_mut().find(|m| **m == u16::MAX)
            {
                *free = limb;
            }
        }
        let apart = doubt::branches(&self.body);
        let doubt = |a: u16, b: u16| if apart(a, b) { 1.0 } else { confidence.doubt(&self.body, a, b) };
        self.doubts = Doubts::of(doubt, self.skin.len(), &near);
        self.confidence = Arc::new(confidence);
    }

    /// Finds the values of points that have moved at rest; their owners stay.
    pub fn revalue(&mut self, at: &[Vec3]) {
        self.know(at.iter().map(|p| (*p).into()), |_, _, _, _, _| {});
    }

    /// Evaluates the fields at every point at rest. `own` finds the owner of a point before its values are taken.
    fn know(
        &mut self,
        at: impl Iterator<Item = Vec3A>,
        own: impl Fn(&Body, usize, &Values, Sample, &mut Known) + Sync + Send,
    ) {
        self.start.clear();
        self.start.extend(at);
        Arc::make_mut(&mut self.rest).clone_from(&self.start);
        self.posed.update(&self.body, &Motion::uniform(self.joints, DAffine3::IDENTITY));
        self.look();
        let (body, posed, chunks, start) = (&self.body, &self.posed, &self.chunks, &self.start);
        for_each_block(&mut Arc::make_mut(&mut self.known)[..], CHUNK, |first, block| {
            let field = FieldAt { body, posed, chunk: &chunks[first / CHUNK] };
            for (i, known) in block.iter_mut().enumerate() {
                let values = field.values(start[first + i]);
                let composed = values.composed(body, &field.chunk.pairs);
                own(body, first + i, &values, composed, known);
                known.iso = composed.value;
                known.own = values.own(known.owner).value;
                known.deficit = (values.other(known.owner, &known.merged).0.value - known.own).max(0.0);
            }
        });
    }
}
