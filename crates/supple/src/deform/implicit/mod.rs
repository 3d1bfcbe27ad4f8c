//! Implicit skinning: limbs are volumes that move rigidly; skin starts from a one-pass method, marches to the value it had in
//! the volumes at rest, and stops at contact. It folds, does not pass through itself, and keeps its detail.
//!
//! R. Vaillant, L. Barthe, G. Guennebaud, M.-P. Cani, D. Rohmer, B. Wyvill, O. Gourmel, M. Paulin, *Implicit skinning: real-time
//! skin deformation with contact modeling*, ACM Transactions on Graphics 32(4), 2013.
//!
//! v ← v + σ (iso - f(v)) ∇f / |∇f|² until f(v) = iso, or ∇f turns by more than the contact angle
//!
//! | symbol | identifier |
//! |---|---|
//! | f_i, their samples and grids | [`field`](crate::field) |
//! | iso | `Known::iso` |
//! | σ, contact angle | `March::sigma`, `March::contact` |
//! | Φ_ij | `Skin::coordinates` |
//! | β | `Tracked::beta` |
//!
//! | beyond the paper | why |
//! |---|---|
//! | creases (`crease.rs`) | a start that blends motions reverses the order of the skin in the bottom of a fold |
//! | the owner rule (`owner.rs`) | past 125 degrees the march moves skin through the other limb |
//! | bisection of steps that end at contact | where a step ends by chance there is 0.5 % of overlap |
//! | confidence in fields (`doubt.rs`) | the fields of limbs that are no tubes made a walking man's chest fall in |
//! | smoothing by mean-value coordinates, not by the mean of the one-ring | an uneven mesh loses its shape: detail at a knee changed by 7 % and by 0.9 % |
//! | no relaxation by default | it changes no figure: μ of equation 6 is tiny |
//! | σ = 1 | with false position on the last step it is as robust as 0.35 and takes a third of the steps |
//!
//! Where it fails: skin that is divided badly (a shoulder whose weights belong to a chest) makes bad volumes; a coarse mesh cannot
//! show a fold finer than its edges; where limbs are bent at rest, skin that the start has folded back in the bottom of a
//! crease stays folded.

mod bound;
mod chunk;
mod coarse;
mod contact;
mod crease;
mod doubt;
mod field_at;
mod history;
mod known;
mod owner;
mod project;
mod rebind;
mod rigid;
mod samples;
mod schema;
mod settings;
mod settle;
mod skin;
mod tables;
mod track;
mod volume;

pub use bound::BoundImplicit;
pub use chunk::{CHUNK, MOST_NEAR};
pub use contact::{Contact, ContactGauge, FULL};
pub use samples::{Fate, MovedSample, SampleRef};
pub use settings::{Implicit, JointSettings, Tracking};
#[doc(hidden)]
pub use tables::{PointTable, Seen, StepSeen, TrackerTables};
pub use track::Steps;
pub use volume::Volume;

use crate::{
    constant::Constant,
    deform::{BindError, Bound, Deformer, Settings},
    field::compose,
    graph::method,
    names,
    parallel::join,
    rig::Rig,
};
use bound::Running;
use history::History;
use project::March;
use rigid::Rigid;
use skin::Skin;
use std::{any::Any, sync::Arc};
use track::Tracker;

const METHOD: &str = "implicit";
/// Share of a point's largest weight that a limb must have to be its owner: a point whose weights follow another limb would be left
/// behind by it.
const FOLLOWED: f32 = 0.5;
/// As-rigid-as-possible sweeps of robust tracking.
const SWEEPS: usize = 2;
/// Slope of a field, over one per diagonal of what bends, below which it has no direction to march in. Fields of limbs as thick as that
/// have about 1, thinner ones more: less than this is rounding of the grid.
const LEAST_MARCH_SLOPE: f64 = 1e-5;

impl Deformer for Implicit {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        self.to_settings()
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        Ok(Arc::new(self.bound(rig)?))
    }

    fn rebind(&self, rig: &Rig, before: &Arc<dyn Bound>) -> Result<Arc<dyn Bound>, BindError> {
        match (before.clone() as Arc<dyn Any + Send + Sync>).downcast::<BoundImplicit>() {
            Ok(before) => Ok(Arc::new(self.rebound(rig, &before)?)),
            Err(_) => self.bind(rig),
        }
    }
}

impl Implicit {
    /// The constants that its kernels use too.
    pub fn constants() -> Vec<Constant> {
        let field = [compose::constants(), crease::constants(), owner::constants(), project::constants()].concat();
        [field, settle::constants(), doubt::constants(), track::constants(), chunk::constants()].concat()
    }

    fn bound(&self, rig: &Rig) -> Result<BoundImplicit, BindError> {
        self.check_amount(rig)?;
        if rig.weights.is_none() {
            return Err(BindError::NoWeights { method: METHOD, rig: rig.name.clone() });
        }
        let make = method(&self.start).expect("settings name a method").make;
        let start = || make(&Settings::new()).expect("defaults are settings").bind(rig);
        let (start, volume) = join(start, || self.volume(rig));
        let (start, volume) = (start?, volume?);
        let skin = Skin::new(&volume.topology, &volume.points, &volume.normals, &volume.joints, volume.flesh());
        let (tracker, first_of) = self.tracker(rig, &volume, Arc::new(skin));
        Ok(self.ready(rig, start, Arc::new(volume), tracker, first_of))
    }

    fn check_amount(&self, rig: &Rig) -> Result<(), BindError> {
        let (found, vertices) = (self.amount.len(), rig.mesh.positions.len());
        if found > 1 && found != vertices {
            return Err(BindError::PerVertex { method: METHOD, setting: "amount", found, vertices });
        }
        Ok(())
    }

    /// Puts together what is bound.
    fn ready(
        &self,
        rig: &Rig,
        start: Arc<dyn Bound>,
        volume: Arc<Volume>,
        tracker: Tracker,
        first_of: Vec<u32>,
    ) -> BoundImplicit {
        let mut place = vec![0; first_of.len()];
        (0u32..).zip(&tracker.skin.order).for_each(|(new, &old)| place[old as usize] = new);
        let place_of = volume.topology.weld.welded_of.iter().map(|&w| place[w as usize]).collect();
        let mut notes = volume.notes.clone();
        let Rigid { pieces, has } = &*volume.rigid;
        if *pieces > 0 {
            let (they, are) = if *pieces == 1 { ("piece", "is") } else { ("pieces", "are") };
            notes.push(format!("{pieces} separate {they} of skin that one joint moves {are} not bent"));
        }
        let lost =
            tracker.known.iter().zip(&tracker.skin.order).filter(|(k, p)| !k.tracked && !has[**p as usize]).count();
        if lost > 0 {
            let points = tracker.known.len();
            notes.push(format!("{lost} of {points} points are in no volume and stay as {} leaves them", self.start));
        }
        notes.extend(self.doubted(rig, &tracker));
        let rest = first_of.iter().map(|&v| rig.mesh.positions[v as usize]).collect();
        let history = (self.tracking == Tracking::Robust).then(|| History::new(rig, first_of.len()));
        let (method, has_morphs) = (self.clone(), !rig.morphs.is_empty());
        BoundImplicit { method, start, volume, tracker, first_of, place_of, rest, has_morphs, history, notes }
    }

    /// Where skin is left as the start leaves it, in one line for each reason.
    fn doubted(&self, rig: &Rig, tracker: &Tracker) -> Vec<String> {
        let Tracker { body, confidence, .. } = tracker;
        let name = |joint: usize| rig.skeleton.joints()[joint].name.as_str();
        let limbs = body.limbs.iter().zip(&confidence.limbs).filter(|(_, t)| 1.0 - **t > known::DOUBTED);
        let limbs: Vec<&str> = limbs.map(|(l, _)| name(l.limb.joint)).collect();
        let coarse = confidence.coarse.iter().filter(|c| c.how > known::DOUBTED);
        let coarse: Vec<&str> = coarse.filter_map(|c| body.pairs[usize::from(c.pair)].joint.map(name)).collect();
        let mut lines = Vec::new();
        if !limbs.is_empty() {
            let (they, turn) = if limbs.len() == 1 {
                ("limb that is no tube", "it turns")
            } else {
                ("limbs that are no tubes", "they turn")
            };
            let (count, some) = (limbs.len(), names::list(&limbs));
            lines.push(format!("skin beside {count} {they} ({some}) stays as {} leaves it while {turn}", self.start));
        }
        if !coarse.is_empty() {
            let (count, some) = (coarse.len(), names::list(&coarse));
            let joints = if count == 1 { "joint" } else { "joints" };
            lines.push(format!(
                "skin at {count} {joints} ({some}) is too coarse to fold and stays as {} leaves it",
                self.start
            ));
        }
        lines
    }

    fn march(&self, skin: &Skin) -> March {
        March {
            sigma: self.sigma as f32,
            contact: self.contact_angle.to_radians().cos() as f32,
            least: (LEAST_MARCH_SLOPE / skin.diagonal.max(f64::MIN_POSITIVE)) as f32,
        }
    }

    fn steps(&self) -> Steps {
        let sweeps = if self.tracking == Tracking::Robust { SWEEPS } else { self.steps.sweeps };
        Steps { sweeps, ..self.steps }
    }

    /// The tracker of a volume, at rest; and the vertex that each of its points starts from.
    fn tracker(&self, rig: &Rig, volume: &Volume, skin: Arc<Skin>) -> (Tracker, Vec<u32>) {
        let (topology, weights) = (&volume.topology, rig.weights.as_ref().expect("the volume was made with them"));
        let (march, steps) = (self.march(&skin), self.steps());
        let first_of: Vec<u32> = skin.order.iter().map(|&i| topology.weld.first_of[i as usize]).collect();
        let mut tracker = Tracker::new(volume.body.clone(), skin, march, steps, rig.skeleton.len());
        let chunk_joints = Arc::make_mut(&mut tracker.chunk_joints);
        for (i, &vertex) in first_of.iter().enumerate() {
            chunk_joints[i / CHUNK].extend(weights.row(vertex as usize).0);
        }
        let share = share(rig, volume, &first_of);
        let follows = |place: usize, limb: u16| {
            let heaviest = weights.row(first_of[place] as usize).1[0];
            share(place, limb) >= FOLLOWED * heaviest
        };
        let rest = first_of.iter().map(|&v| rig.mesh.positions[v as usize].into());
        let skin = tracker.skin.clone();
        tracker.rest(rest, follows, has_own_limb(rig, volume, &skin));
        tracker.find_creases(share);
        (tracker, first_of)
    }
}

/// What part of its weights a point has of a limb.
fn share<'a>(rig: &'a Rig, volume: &Volume, first_of: &'a [u32]) -> impl Fn(usize, u16) -> f32 + Sync + Send + 'a {
    let weights = rig.weights.as_ref().expect("the volume was made with them");
    let limb_of = volume.limb_of_joint(rig);
    move |place, limb| {
        let (joints, values) = weights.row(first_of[place] as usize);
        let own = joints.iter().zip(values).filter(|(j, _)| limb_of[usize::from(**j)] == Some(limb));
        own.map(|(_, w)| w).sum::<f32>()
    }
}

/// Which points have a limb of their own. Skin of a joint that makes no limb has nothing that moves as it does.
fn has_own_limb<'a>(rig: &Rig, volume: &'a Volume, skin: &'a Skin) -> impl Fn(usize) -> bool + Sync + Send + 'a {
    let has_limb: Vec<bool> =
        (0..rig.skeleton.len()).map(|j| volume.body.limbs.iter().any(|l| l.limb.joint == j)).collect();
    move |place| {
        let point = skin.order[place] as usize;
        has_limb[volume.joints[point] as usize] && !volume.rigid.has[point]
    }
}
