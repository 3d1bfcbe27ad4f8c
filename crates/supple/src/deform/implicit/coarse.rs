//! Joints whose skin is too coarse to fold.
//!
//! Ours. Limbs bent by t touch as far as tan(t / 2) radii along the bone, and the skin nearer to the joint lies in the fold. Where the
//! next point along a limb is farther than that, an edge leads from the bottom of the fold straight to the other end of the limb,
//! which loses its volume: CesiumMan's calf had half of its thickness. The few points of such a mesh keep their start.

use super::skin::Skin;
use crate::{
    field::{Body, compose::Pair},
    math::smoothstep,
};
use glam::Vec3A;
use std::f32::consts::TAU;

/// Gaps between points along both limbs, over the radius of the thinner one, at which coarseness begins and is full. Those of
/// hands that fold well are up to 0.9, those of CesiumMan's knees 1.6.
const GAPS: [f32; 2] = [0.9, 1.15];
/// The same for the longest edges of the points round a joint, in the mean: 1.2 and 1.5 to 2.5, that of a fox.
const EDGES: [f32; 2] = [1.3, 1.6];
/// Distance from the joint, over the radius of the thicker limb, within which those edges are measured: a bend of 127 degrees
/// folds the skin so far from the joint, tan(t / 2) radii.
const EDGES_WITHIN: f32 = 2.0;
/// Range along the limb from the joint, over the radius of the thinner limb, in which gaps are measured.
const GAPS_WITHIN: [f32; 2] = [-0.5, 1.5];
/// Sides of a limb that are measured one by one: points of all sides together have no gaps.
const SIDES: usize = 4;
/// Distance from the joint, over the radius of the thicker limb, within which skin keeps its start, less and less: a bend of
/// 136 degrees folds the skin so far. More would take contact from the rest of the limb, less would leave edges that cross the fold.
const KEPT_WITHIN: f32 = 2.5;

/// A joint with such skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coarse {
    /// Index of the two limbs in the body's pairs.
    pub pair: u16,
    /// From 0, where it folds well, to 1.
    pub how: f32,
}

/// The joints with such skin. `owner` tells the limb of a point, where it has one.
pub fn joints(body: &Body, skin: &Skin, owner: impl Fn(u32) -> Option<u16>) -> Vec<Coarse> {
    let jointed = (0..).zip(&body.pairs).filter(|(_, p)| p.joint.is_some());
    let found = jointed.map(|(pair, between)| {
        let own = (0..skin.len() as u32).filter(|i| owner(*i).is_some_and(|limb| between.limbs.contains(&limb)));
        let own: Vec<u32> = own.collect();
        let [thin, thick] = radii(body, between.limbs);
        let gap = [0, 1].map(|limb| gap(between, limb, thin, own.iter().map(|&i| skin.rest[i as usize])));
        let edge = mean_longest_edge(skin, between.at[0].as_vec3a(), EDGES_WITHIN * thick, &own) / thin;
        Coarse { pair, how: smoothstep(GAPS, gap[0].min(gap[1])).max(smoothstep(EDGES, edge)) }
    });
    found.filter(|c| c.how > 0.0).collect()
}

impl Coarse {
    /// How far a point is from the joint: 0 on the skin at it, 1 where it is left alone no more.
    pub fn way(&self, body: &Body, point: Vec3A) -> f32 {
        let pair = &body.pairs[usize::from(self.pair)];
        let [_, thick] = radii(body, pair.limbs);
        ((point.distance(pair.at[0].as_vec3a()) / thick - 1.0) / (KEPT_WITHIN - 1.0)).max(0.0)
    }
}

/// The longest way along a limb without a point, over the radius; the mean over its sides.
fn gap(pair: &Pair, limb: usize, radius: f32, points: impl Iterator<Item = Vec3A>) -> f32 {
    let (at, along) = (pair.at[limb].as_vec3a(), pair.into[limb].as_vec3a());
    let (x, y) = along.any_orthonormal_pair();
    let mut sides = [const { Vec::new() }; SIDES];
    for from in points.map(|p| (p - at) / radius) {
        let turn = from.dot(y).atan2(from.dot(x)) / TAU;
        let height = from.dot(along);
        if height > GAPS_WITHIN[0] {
            sides[((turn + 1.0) * SIDES as f32) as usize % SIDES].push(height);
        }
    }
    let (mut sum, mut count) = (0.0, 0);
    for heights in sides.iter_mut().filter(|h| !h.is_empty()) {
        heights.sort_unstable_by(f32::total_cmp);
        let ways = heights.windows(2).filter(|w| w[0] < GAPS_WITHIN[1]).map(|w| w[1] - w[0]);
        sum += ways.fold(0.0, f32::max);
        count += 1;
    }
    sum / count.max(1) as f32
}

/// Mean of the longest edges of the points that are near a place.
fn mean_longest_edge(skin: &Skin, at: Vec3A, near: f32, points: &[u32]) -> f32 {
    let longest = |i: u32| {
        let here = skin.rest[i as usize];
        skin.ring(i).iter().map(|&n| here.distance(skin.rest[n as usize])).fold(0.0, f32::max)
    };
    let round = points.iter().filter(|&&i| skin.rest[i as usize].distance(at) < near);
    let (sum, count) = round.fold((0.0, 0), |(sum, count), &i| (sum + longest(i), count + 1));
    sum / count.max(1) as f32
}

/// Those of two limbs, the smaller first.
fn radii(body: &Body, limbs: [u16; 2]) -> [f32; 2] {
    let [a, b] = limbs.map(|l| body.limbs[usize::from(l)].radius as f32);
    [a.min(b), a.max(b)]
}
