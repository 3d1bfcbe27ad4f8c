//! Bones of a made character, and who owns a vertex.
//!
//! Ownership goes down the tree. Every joint cuts its parent's share by a smooth step across a plane through the joint,
//! as wide as the band says; siblings divide what lies beyond by which subtree is nearer. Nothing is shared with limbs
//! that only happen to be close, but in the web between fingers, where their skin is one. A limb that hangs back past
//! the plane of a joint it depends on (an arm beside the hip, below the waist) is known by lying nearer to that joint's
//! later bones than to all others.

use crate::{
    parallel::for_each_block,
    rig::{Joint, Skeleton, Weights, WeightsBuilder},
};
use glam::{DAffine3, DVec3, Vec3};

/// Half-width of the weight band in radii.
pub(super) const BAND: f64 = 0.8;

/// One bone of a character.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub name: String,
    pub parent: Option<usize>,
    pub head: DVec3,
    pub tail: DVec3,
    /// Of the body at the head: the unit of the weight band.
    pub radius: f64,
    /// Axis of flexion.
    pub hinge: Option<DVec3>,
    /// How far into a sibling's side ownership reaches; negative: ownership ends that far on the own side.
    pub share: f64,
    /// Where it grows together with siblings beside it.
    pub web: Option<Web>,
    /// False for the end of a chain whose last bone moves with the joint before.
    pub owns: bool,
}

/// The skin between two fingers: there siblings share more than elsewhere, or it would tear where one of them bends alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Web {
    pub at: DVec3,
    pub along: DVec3,
    /// As [`Limb::share`], in its middle.
    pub share: f64,
    /// How far it reaches, towards the head and the tail of the limb.
    pub reach: [f64; 2],
}

impl Web {
    fn share_at(&self, p: DVec3) -> f64 {
        let ahead = (p - self.at).dot(self.along);
        let reach = if ahead < 0.0 { self.reach[0] } else { self.reach[1] };
        self.share * (1.0 - smoothstep(0.0, reach, ahead.abs()))
    }
}

impl Limb {
    pub fn new(name: impl Into<String>, parent: Option<usize>, head: DVec3, tail: DVec3, radius: f64) -> Self {
        Self { name: name.into(), parent, head, tail, radius, hinge: None, share: 0.3 * radius, web: None, owns: true }
    }

    pub fn hinge(mut self, axis: impl Into<DVec3>) -> Self {
        self.hinge = Some(axis.into());
        self
    }

    pub fn share(mut self, share: f64) -> Self {
        self.share = share;
        self
    }

    fn share_at(&self, p: DVec3) -> f64 {
        self.web.map_or(self.share, |web| self.share.max(web.share_at(p)))
    }

    fn distance(&self, p: DVec3) -> f64 {
        let along = self.tail - self.head;
        let t = ((p - self.head).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        p.distance(self.head + along * t)
    }
}

pub(super) fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Joints with the axes of the world, so that hinges read as they are seen.
pub(super) fn skeleton(limbs: &[Limb]) -> Skeleton {
    let joint = |l: &Limb| Joint::new(l.name.clone(), l.parent, DAffine3::from_translation(l.head));
    let mut skeleton = Skeleton::new(limbs.iter().map(joint).collect()).expect("the tables are parents first");
    for (i, limb) in limbs.iter().enumerate() {
        if let Some(axis) = limb.hinge {
            skeleton.set_hinge(i, axis);
        }
    }
    skeleton.show_rest()
}

/// Where a joint takes over from its parent.
struct Cut {
    at: DVec3,
    normal: DVec3,
    half_width: f64,
    /// Joints with the same parent.
    rivals: Vec<usize>,
    /// Joints at or below this one.
    below: Vec<usize>,
}

fn cuts(limbs: &[Limb], band: f64) -> Vec<Cut> {
    let direction = |l: &Limb| (l.tail - l.head).normalize_or(DVec3::Y);
    let is_below = |mut i: usize, top: usize| {
        while i > top {
            i = limbs[i].parent.unwrap_or(0);
        }
        i == top
    };
    let cut = |(i, limb): (usize, &Limb)| {
        let siblings = |p| (1..limbs.len()).filter(move |&j| j != i && limbs[j].parent == Some(p));
        let rivals: Vec<usize> = limb.parent.map_or(vec![], |p| siblings(p).collect());
        let own = direction(limb);
        // A limb that leaves the trunk is cut across itself, a link of a chain across the bisector of its bend.
        let lone = limb.parent.filter(|_| rivals.is_empty()).map(|p| direction(&limbs[p]));
        let normal = lone.map_or(own, |before| (before + own).normalize_or(own));
        let length = limb.head.distance(limb.tail);
        let before = limb.parent.map_or(length, |p| limbs[p].head.distance(limb.head));
        // Bands of neighbouring joints may meet but not pass each other.
        let room = if rivals.is_empty() { length.min(before) } else { length };
        let half_width = (band * limb.radius).min(0.5 * room.max(0.2 * limb.radius));
        let below = (0..limbs.len()).filter(|&j| is_below(j, i)).collect();
        Cut { at: limb.head, normal, half_width, rivals, below }
    };
    limbs.iter().enumerate().map(cut).collect()
}

const MOST: usize = 4;

/// Smooth weights, at most four a vertex.
pub(super) fn weights(limbs: &[Limb], points: &[Vec3], band: f64) -> Weights {
    let cuts = cuts(limbs, band);
    let mut rows = vec![[(0u16, 0f32); MOST]; points.len()];
    for_each_block(&mut rows, 1024, |first, block| {
        let mut share = vec![0.0; limbs.len()];
        for (row, p) in block.iter_mut().zip(&points[first..]) {
            shares(limbs, &cuts, p.as_dvec3(), &mut share);
            *row = heaviest(&share);
        }
    });
    let mut builder = WeightsBuilder::with_capacity(points.len(), 2);
    for row in rows {
        builder.push(row);
    }
    builder.finish(|_| 0).0
}

fn shares(limbs: &[Limb], cuts: &[Cut], p: DVec3, share: &mut [f64]) {
    share.fill(0.0);
    share[0] = 1.0;
    let subtree = |j: usize| cuts[j].below.iter().map(|&b| limbs[b].distance(p)).fold(f64::INFINITY, f64::min);
    // How much nearer the bones after joint i are than everything that does not hang on it.
    let hangs = |i: usize| {
        let (mut later, mut others) = (f64::INFINITY, f64::INFINITY);
        let mut below = cuts[i].below.iter().copied().peekable();
        for (j, limb) in limbs.iter().enumerate() {
            let nearest = if below.next_if_eq(&j).is_some() { &mut later } else { &mut others };
            if j != i {
                *nearest = nearest.min(limb.distance(p));
            }
        }
        others - later
    };
    for i in 1..limbs.len() {
        let parent = limbs[i].parent.expect("only the first joint is a root");
        // What the parent has lost to earlier siblings was theirs alone, or is divided with the same total.
        if share[parent] == 0.0 || !limbs[i].owns {
            continue;
        }
        let cut = &cuts[i];
        let mut taken = smoothstep(-cut.half_width, cut.half_width, (p - cut.at).dot(cut.normal));
        if taken < 1.0 && cut.below.len() > 1 {
            taken = taken.max(smoothstep(0.0, 0.5 * limbs[i].radius, hangs(i)));
        }
        if taken > 0.0 && !cut.rivals.is_empty() {
            let own = subtree(i);
            for &rival in &cut.rivals {
                let width = 0.5 * (limbs[i].share_at(p) + limbs[rival].share_at(p));
                let lead = subtree(rival) - own;
                taken *= if width >= 0.0 { smoothstep(-width, width, lead) } else { smoothstep(0.0, -width, lead) };
            }
        }
        share[i] = taken;
    }
    // Fractions of the parent become fractions of the whole, and parents keep what their children did not take.
    for i in 1..limbs.len() {
        let parent = limbs[i].parent.expect("only the first joint is a root");
        share[i] *= share[parent];
    }
    for i in 1..limbs.len() {
        let parent = limbs[i].parent.expect("only the first joint is a root");
        share[parent] = (share[parent] - share[i]).max(0.0);
    }
}

/// The four largest less the fifth, so that influences enter and leave at zero.
fn heaviest(share: &[f64]) -> [(u16, f32); MOST] {
    let mut top = [(0u16, 0.0f64); MOST + 1];
    for (joint, &w) in share.iter().enumerate() {
        let mut entry = (joint as u16, w);
        for slot in &mut top {
            if entry.1 > slot.1 {
                std::mem::swap(slot, &mut entry);
            }
        }
    }
    let least = top[MOST].1;
    let sum: f64 = top[..MOST].iter().map(|t| t.1 - least).sum();
    std::array::from_fn(|i| (top[i].0, ((top[i].1 - least) / sum) as f32))
}
