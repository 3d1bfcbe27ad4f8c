//! Who touches whom in a pose, how hard, and how far a joint bends before its limbs lie against each other all along.
//!
//! The limbs are felt anew where the skin has come to lie, so that nothing of the tracking has to be kept for it.

use super::{BoundImplicit, Implicit, Volume, owner::SAME_SURFACE, skin::Skin, track::Tracker};
use crate::{
    deform::BindError,
    field::{
        Body,
        compose::{MERGED, Pair, Posed, Values},
    },
    parallel::for_each_block,
    pose::{self, Motion, Pose, PoseError},
    rig::Rig,
};
use glam::{Vec3, Vec3A};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};

/// Another limb is met where its field is within this of the own one.
const MET: f32 = 0.02;
/// Skin is pressed where the field of its own limb is more than this above what it was at rest: a crease is no contact yet.
const LEAST_PRESSURE: f32 = 0.01;
/// Limbs are in full contact where they meet along this share of the shorter bone.
pub const FULL: f64 = 0.9;
/// Bends in which full contact is looked for, in degrees: the largest, and from one to the next.
const BENDS: (f64, f64) = (175.0, 5.0);
/// How well its angle is found, in degrees.
const ANGLE: f64 = 0.25;
const BLOCK: usize = 1024;

/// Two limbs that touch in one pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contact {
    /// The joints that move the two limbs.
    pub limbs: [String; 2],
    /// The joint between them, where there is one.
    pub joint: Option<String>,
    /// Points of the skin of both that are pressed.
    pub points: usize,
    /// Their area as it is in the pose, both sides counted.
    pub area: f64,
    /// How deep their skin is pressed into its own limb, over these points: the value of its field there less that at rest, 0 on
    /// the skin and about 0.4 on the bone.
    pub mean_pressure: f64,
    /// The largest of these.
    pub largest_pressure: f64,
    /// For limbs that are jointed: how far from the joint their undeformed skins would meet, over the shorter of the two bones.
    pub reach: Option<f64>,
}

impl Contact {
    /// Whether the joint is bent beyond its angle of full contact.
    pub fn is_full(&self) -> bool {
        self.reach.is_some_and(|r| r >= FULL)
    }
}

/// Limbs and skin at rest, ready to be asked what touches in any number of poses. Rest is the bind pose without morphs.
///
/// ```
/// use supple::{deform::implicit::{ContactGauge, Implicit}, example, graph::DeformGraph, pose::{Motion, Pose}};
///
/// let rig = example::arm(&example::ArmOptions { vertices: 2000, plain: true, ..Default::default() })?;
/// let mut pose = Pose::rest(&rig);
/// pose.bend(&rig, "forearm", 120.0, None)?;
/// let motion = Motion::of(&rig, &pose);
/// let mut bound = DeformGraph::single("implicit")?.bind(&rig)?;
/// let gauge = ContactGauge::new(&Implicit::default(), &rig)?;
/// let contacts = gauge.contacts(&motion, bound.evaluate(&rig.mesh.positions, &motion));
/// assert!(contacts[0].joint.as_deref() == Some("forearm") && contacts[0].largest_pressure > 0.3);
/// assert!(gauge.full_contact_angle(&rig, "forearm")?.is_some_and(|a| a > 140.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ContactGauge {
    volume: Arc<Volume>,
    names: Vec<String>,
    skin: Vec<Point>,
}

/// A welded point of the skin at rest.
#[derive(Clone, Copy, Default)]
struct Point {
    at: Vec3A,
    owner: u16,
    own: f32,
    deficit: f32,
    merged: [u16; MERGED],
    tracked: bool,
}

impl ContactGauge {
    /// Makes the volumes of a rig.
    pub fn new(implicit: &Implicit, rig: &Rig) -> Result<Self, BindError> {
        Ok(Self::of(implicit, rig, Arc::new(implicit.volume(rig)?)))
    }

    /// Of a method that is bound already.
    pub fn of_bound(rig: &Rig, bound: &BoundImplicit) -> Self {
        Self::of_tracker(rig, bound.volume.clone(), &bound.tracker)
    }

    /// From volumes that are there already.
    pub fn of(implicit: &Implicit, rig: &Rig, volume: Arc<Volume>) -> Self {
        let skin = Skin::new(&volume.topology, &volume.points, &volume.normals, &volume.joints, volume.flesh());
        let (tracker, _) = implicit.tracker(rig, &volume, Arc::new(skin));
        Self::of_tracker(rig, volume, &tracker)
    }

    fn of_tracker(rig: &Rig, volume: Arc<Volume>, tracker: &Tracker) -> Self {
        let mut skin = vec![Point::default(); volume.points.len()];
        for (known, &i) in tracker.known.iter().zip(&tracker.skin.order) {
            skin[i as usize] = Point {
                at: volume.points[i as usize].into(),
                owner: known.owner,
                own: known.own,
                deficit: known.deficit,
                merged: known.merged,
                tracked: known.tracked,
            };
        }
        let names = rig.skeleton.names().map(str::to_owned).collect();
        Self { volume, names, skin }
    }

    /// The limbs.
    pub fn body(&self) -> &Arc<Body> {
        &self.volume.body
    }

    /// What touches in a pose, `points` being the skin as the method has left it.
    ///
    /// # Panics
    /// When there are fewer points, or joints, than the rig has.
    pub fn contacts(&self, motion: &Motion, points: &[Vec3]) -> Vec<Contact> {
        let mut posed = Posed::of(&self.volume.body);
        posed.update(&self.volume.body, motion);
        let points = self.volume.topology.weld.gather(points);
        let met = self.all_met(&posed, &points);
        let mut area = vec![0.0; points.len()];
        for t in &self.volume.topology.triangles {
            let [a, b, c] = t.map(|v| points[v as usize].as_dvec3());
            let third = (b - a).cross(c - a).length() / 6.0;
            t.iter().for_each(|&v| area[v as usize] += third);
        }
        let mut sums: BTreeMap<[u16; 2], (usize, f64, f64, f64)> = BTreeMap::new();
        for (i, (other, pressure)) in met.iter().enumerate().filter_map(|(i, m)| Some((i, (*m)?))) {
            let owner = self.skin[i].owner;
            let sum = sums.entry([owner.min(other), owner.max(other)]).or_default();
            let pressure = f64::from(pressure);
            *sum = (sum.0 + 1, sum.1 + area[i], sum.2 + pressure, sum.3.max(pressure));
        }
        let contact = |(limbs, (points, area, sum, largest_pressure)): ([u16; 2], (usize, f64, f64, f64))| {
            let pair = self.volume.body.pair(limbs[0], limbs[1]).map(|p| &self.volume.body.pairs[usize::from(p)]);
            let pair = pair.filter(|p| p.joint.is_some());
            Contact {
                limbs: limbs.map(|l| self.names[self.volume.body.limbs[usize::from(l)].limb.joint].clone()),
                joint: pair.and_then(|p| p.joint).map(|j| self.names[j].clone()),
                points,
                area,
                mean_pressure: sum / points as f64,
                largest_pressure,
                reach: pair.map(|p| self.reach(p, &posed, motion)),
            }
        };
        sums.into_iter().map(contact).collect()
    }

    /// How hard each vertex is pressed against another limb; 0 where it touches none.
    ///
    /// # Panics
    /// When there are fewer points, or joints, than the rig has.
    pub fn pressures(&self, motion: &Motion, points: &[Vec3]) -> Vec<f32> {
        let mut posed = Posed::of(&self.volume.body);
        posed.update(&self.volume.body, motion);
        let met = self.all_met(&posed, &self.volume.topology.weld.gather(points));
        self.volume
            .topology
            .weld
            .welded_of
            .iter()
            .map(|&w| met[w as usize].map_or(0.0, |(_, pressure)| pressure))
            .collect()
    }

    /// Of every welded point: whom it is pressed against, and how hard.
    fn all_met(&self, posed: &Posed, points: &[Vec3]) -> Vec<Option<(u16, f32)>> {
        let mut met: Vec<Option<(u16, f32)>> = vec![None; points.len()];
        let limbs: Vec<u16> = (0..self.volume.body.limbs.len() as u16).collect();
        for_each_block(&mut met, BLOCK, |first, block| {
            let mut values = Values::default();
            for (i, met) in block.iter_mut().enumerate().filter(|(i, _)| self.skin[first + i].tracked) {
                let at = points[first + i].into();
                posed.feel(&self.volume.body, &limbs, at, &mut values);
                *met = self.met(posed, &values, &self.skin[first + i], at);
            }
        });
        met
    }

    /// The other limb that a point is pressed against, and how hard.
    fn met(&self, posed: &Posed, values: &Values, point: &Point, at: Vec3A) -> Option<(u16, f32)> {
        let own = values.own(point.owner);
        let (other, limb) = values.other(point.owner, &point.merged);
        let pressure = own.value - point.own;
        let near = limb != point.owner && other.value + MET >= own.value + point.deficit;
        let lengths = own.gradient.length() * other.gradient.length();
        let apart = own.gradient.dot(other.gradient) <= SAME_SURFACE * lengths;
        let folds = self.volume.body.pair(point.owner, limb).is_none_or(|pair| posed.fold(pair).holds(at));
        (near && pressure > LEAST_PRESSURE && apart && folds).then_some((limb, pressure))
    }

    /// How far from their joint the skins of two limbs would be inside the other limb if each went rigidly with its own, over
    /// the shorter of their bones.
    fn reach(&self, pair: &Pair, posed: &Posed, motion: &Motion) -> f64 {
        let length = |k: usize| {
            let limb = &self.volume.body.limbs[usize::from(pair.limbs[k])].limb;
            limb.ends.iter().find(|e| e.at == pair.at[k]).map_or(f64::INFINITY, |e| e.length)
        };
        let shorter = length(0).min(length(1));
        let fold = self.volume.body.pair(pair.limbs[0], pair.limbs[1]).map(|p| posed.fold(p));
        let mut farthest = 0f64;
        for (k, (&limb, &other)) in pair.limbs.iter().zip(pair.limbs.iter().rev()).enumerate() {
            let carried = motion.posed_from_rest[self.volume.body.limbs[usize::from(limb)].limb.joint];
            for point in self.skin.iter().filter(|p| p.tracked && p.owner == limb) {
                let along = (point.at.as_dvec3() - pair.at[k]).dot(pair.into[k]);
                let at = carried.transform_point3a(point.at);
                if along <= farthest || !fold.is_some_and(|f| f.holds(at)) {
                    continue;
                }
                let there = posed.limb(&self.volume.body, other, at).map_or(0.0, |s| s.value);
                if there > point.own + point.deficit {
                    farthest = along;
                }
            }
        }
        if shorter > 0.0 && shorter.is_finite() { farthest / shorter } else { 0.0 }
    }

    /// The bend of a joint, in degrees from the bind pose and about its own hinge, from which its two limbs lie against each
    /// other along [`FULL`] of the shorter bone. Skin that is bent farther has nowhere to go. None where no bend does it, and
    /// for joints that have no limb on both sides.
    pub fn full_contact_angle(&self, rig: &Rig, joint: &str) -> Result<Option<f64>, PoseError> {
        let index = pose::joint(rig, joint)?;
        let Some(pair) = self.volume.body.pairs.iter().find(|p| p.joint == Some(index)) else { return Ok(None) };
        let axis = pose::hinge(rig, index, None)?;
        let mut posed = Posed::of(&self.volume.body);
        let mut is_full = |degrees: f64| {
            let mut pose = Pose::rest(rig);
            pose.turn(index, axis, degrees);
            let motion = Motion::of(rig, &pose);
            posed.update(&self.volume.body, &motion);
            self.reach(pair, &posed, &motion) >= FULL
        };
        let mut high = BENDS.1;
        while !is_full(high) {
            high += BENDS.1;
            if high > BENDS.0 {
                return Ok(None);
            }
        }
        let mut low = high - BENDS.1;
        while high - low > ANGLE {
            let middle = 0.5 * (low + high);
            if is_full(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(Some(high))
    }
}
