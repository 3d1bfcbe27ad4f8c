//! The tables of a tracker for its twin on a device: what is known at rest, the numbers of a frame, and the points after every step.

use super::{BoundImplicit, Implicit, Running, known::NO_PAIR, project::State, track::Tracker};
use crate::{
    deform::BindError,
    field::{
        Body,
        compose::{Fold, MERGED},
    },
    pose::Motion,
    rig::Rig,
};
use glam::{Vec3, Vec3A, Vec4};
use std::sync::Arc;

/// See the module. Points are in the tracker's order.
pub struct TrackerTables {
    bound: Arc<BoundImplicit>,
    running: Running,
}

/// A point at rest, as the tracker knows it.
#[derive(Clone, Copy, Debug)]
pub struct PointTable {
    /// Its value in the composed field.
    pub iso: f32,
    /// The value of its own limb alone.
    pub own: f32,
    /// Penetration depth at rest.
    pub deficit: f32,
    /// Mean length of its edges.
    pub edge: f32,
    /// Radius of its limb.
    pub radius: f32,
    /// Its limb.
    pub owner: u16,
    /// Limbs that its skin is continuous with.
    pub merged: [u16; MERGED],
    /// Rest position.
    pub rest: Vec3A,
    /// The pair in whose crease it can lie.
    pub pair: Option<u16>,
    /// Signed distance past the bisector plane of that crease at rest.
    pub past: f32,
    /// Inside the support of a field at rest.
    pub tracked: bool,
    /// On a border.
    pub border: bool,
}

/// A point after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Position.
    pub at: Vec3A,
    /// Position before the owner rule.
    pub from: Vec3A,
    /// Length of its walk by the owner rule.
    pub walk: f32,
    /// Share of smoothing.
    pub beta: f32,
    /// At a jump of the gradient, or stuck at one.
    pub contact: bool,
    /// Deep in another limb at the start: across its crease, or where the two have room.
    pub touched: bool,
    /// In contact in the crease of a joint.
    pub pressed: bool,
    /// Something near it moves.
    pub moves: bool,
}

/// What one step has left.
#[derive(Clone, Debug)]
pub struct StepSeen {
    /// Which.
    pub name: &'static str,
    /// All points.
    pub points: Vec<Seen>,
    /// The points around contact.
    pub smoothed: Vec<u32>,
}

impl Implicit {
    /// The tables of a rig.
    #[doc(hidden)]
    pub fn tables(&self, rig: &Rig) -> Result<TrackerTables, BindError> {
        Ok(TrackerTables::of(Arc::new(self.bound(rig)?)))
    }
}

impl TrackerTables {
    /// Of a method that is bound already.
    pub fn of(bound: Arc<BoundImplicit>) -> Self {
        Self { running: Running::of(bound.clone()), bound }
    }

    /// What they are of.
    pub fn bound(&self) -> &BoundImplicit {
        &self.bound
    }

    fn tracker(&self) -> &Tracker {
        &self.running.tracker
    }

    /// The limbs.
    pub fn body(&self) -> &Body {
        &self.tracker().body
    }

    /// Vertex that each point starts from.
    pub fn first_of(&self) -> &[u32] {
        &self.bound.first_of
    }

    /// Point that each vertex follows.
    pub fn place_of(&self) -> &[u32] {
        &self.bound.place_of
    }

    /// Share of the correction: one for all vertices, or one for each.
    pub fn amount(&self) -> &[f32] {
        &self.bound.method.amount
    }

    /// The doubts of a point: index of two limbs, and in the upper half how large it is of 65535.
    pub fn doubts(&self, point: usize) -> [u32; 4] {
        self.tracker().doubts.of_point(point).map(|d| u32::from(d.pair) | u32::from(d.strength) << 16)
    }

    /// How far the limbs of each such pair have turned against each other.
    pub fn turned(&self) -> &[f32] {
        self.tracker().doubts.turned()
    }

    /// What part of its correction a point keeps in the frame that was tracked last.
    pub fn share(&self, point: usize) -> f32 {
        self.tracker().share(point)
    }

    /// Joints with a say in a chunk at rest.
    pub fn chunk_joints(&self) -> impl Iterator<Item = &[u16]> {
        self.tracker().chunk_joints.iter().map(|joints| &joints[..])
    }

    /// Neighbours of a point and its coordinates among them.
    pub fn ring(&self, point: u32) -> (&[u32], &[f32]) {
        let skin = &self.tracker().skin;
        (skin.ring(point), skin.coordinates(point))
    }

    /// What is known of a point.
    pub fn point(&self, i: usize) -> PointTable {
        let tracker = self.tracker();
        let known = &tracker.known[i];
        let (edge, border) = (tracker.skin.edge[i], tracker.skin.border[i]);
        PointTable {
            iso: known.iso,
            own: known.own,
            deficit: known.deficit,
            edge,
            radius: tracker.radius(i),
            owner: known.owner,
            merged: known.merged,
            rest: tracker.rest[i],
            pair: (known.pair != NO_PAIR).then_some(known.pair),
            past: known.past,
            tracked: known.tracked,
            border,
        }
    }

    /// Share of a Newton step, cosine of the contact angle, and the length below which a gradient is none.
    pub fn march(&self) -> [f32; 3] {
        let march = &self.tracker().march;
        [march.sigma, march.contact, march.least]
    }

    /// How far a point may go that was not deep in another limb.
    pub fn farthest(&self) -> f32 {
        self.tracker().farthest()
    }

    /// Whether two limbs can press each other in farther than that.
    pub fn have_room(&self, a: u16, b: u16) -> bool {
        self.tracker().have_room(a, b)
    }

    /// Finds the values of points that morphs have moved at rest; true where any had moved.
    pub fn revalue(&mut self, rest: &[Vec3]) -> bool {
        self.running.follow_morphs(rest)
    }

    /// Where limbs and joints are in a frame.
    pub fn pose(&mut self, motion: &Motion) {
        let tracker = &mut self.running.tracker;
        tracker.posed.update(&tracker.body, motion);
        tracker.groups.update(motion, &tracker.skin);
        tracker.doubts.update(&tracker.body, motion);
    }

    /// From a posed place to the nodes of a limb's grid, row by row.
    pub fn limb_rows(&self, limb: usize) -> [Vec4; 3] {
        self.tracker().posed.rows(limb)
    }

    /// From a place at rest to where a limb carries it, row by row.
    pub fn carry_rows(&self, limb: usize) -> [Vec4; 3] {
        self.tracker().posed.carry_rows(limb)
    }

    /// How a pair of limbs folds.
    pub fn fold(&self, pair: usize) -> &Fold {
        self.tracker().posed.fold(pair as u16)
    }

    /// The group of each joint: those of one group have moved by one motion.
    pub fn groups(&self) -> &[u16] {
        &self.tracker().groups.of
    }

    /// Tracks points that start where `posed` says, and returns the points after every step.
    pub fn trace(&mut self, posed: &[Vec3], motion: &Motion) -> Vec<StepSeen> {
        let tracker = &mut self.running.tracker;
        tracker.start.iter_mut().zip(&self.bound.first_of).for_each(|(at, &v)| *at = posed[v as usize].into());
        let mut steps = Vec::new();
        tracker.run_seen(motion, |name, tracker| {
            let seen = |p: &super::track::Tracked| Seen {
                at: p.at,
                from: p.from,
                walk: p.walk,
                beta: p.beta,
                contact: matches!(p.state, State::Contact | State::Stuck),
                touched: p.touched,
                pressed: p.pressed,
                moves: p.moves,
            };
            let points = tracker.points.iter().map(seen).collect();
            steps.push(StepSeen { name, points, smoothed: tracker.smoothed.clone() });
        });
        steps
    }
}
