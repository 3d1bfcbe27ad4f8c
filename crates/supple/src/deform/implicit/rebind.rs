//! Other settings on the same rig: what they do not touch is taken over. The result is that of a new binding, bit for bit, because
//! whatever is made anew is made by the same functions from the same inputs.
//!
//! | what is set | what is made anew |
//! |---|---|
//! | numbers of the march and of smoothing | nothing |
//! | amount | the share of each vertex |
//! | operators | values of the points at rest, and their creases |
//! | caps and samples of a joint | its limb, and all that is known of the points at rest |
//! | all else | everything |

use super::{BoundImplicit, Implicit, JointSettings, Volume, has_own_limb, share, track::Tracker};
use crate::{deform::BindError, field::samples, rig::Rig};
use std::sync::Arc;

impl Implicit {
    /// What [`Deformer::bind`](crate::deform::Deformer::bind) would give for these settings.
    pub(super) fn rebound(&self, rig: &Rig, before: &BoundImplicit) -> Result<BoundImplicit, BindError> {
        self.check_amount(rig)?;
        let was = &before.method;
        let is_named = |joint: &String| rig.skeleton.find(joint).is_some();
        if !self.has_limbs_of(was) || !self.joints.keys().all(is_named) {
            return self.bound(rig);
        }
        if self.operator == was.operator && self.joints == was.joints {
            let mut tracker = before.tracker.another(false);
            (tracker.march, tracker.steps) = (self.march(&tracker.skin), self.steps());
            let (start, volume, first_of) = (before.start.clone(), before.volume.clone(), before.first_of.clone());
            return Ok(self.ready(rig, start, volume, tracker, first_of));
        }
        let Some(volume) = self.reshaped(rig, &before.volume, was)? else { return self.bound(rig) };
        let limbs = volume.body.limbs.iter().zip(&before.volume.body.limbs);
        let (tracker, first_of) = if limbs.into_iter().all(|(a, b)| Arc::ptr_eq(&a.grid, &b.grid)) {
            self.rejoined(rig, &volume, before)
        } else {
            self.tracker(rig, &volume, before.tracker.skin.clone())
        };
        Ok(self.ready(rig, before.start.clone(), Arc::new(volume), tracker, first_of))
    }

    /// The tracker of the same limbs with other operators.
    fn rejoined(&self, rig: &Rig, volume: &Volume, before: &BoundImplicit) -> (Tracker, Vec<u32>) {
        let (mut tracker, first_of) = (before.tracker.another(false), before.first_of.clone());
        let skin = tracker.skin.clone();
        (tracker.march, tracker.steps) = (self.march(&skin), self.steps());
        tracker.rejoin(volume.body.clone(), has_own_limb(rig, volume, &skin));
        tracker.find_creases(share(rig, volume, &first_of));
        (tracker, first_of)
    }

    /// Whether what both set of all limbs, and of how points follow them, is the same.
    fn has_limbs_of(&self, other: &Self) -> bool {
        let Self {
            start,
            partition,
            sampling,
            resolution,
            tracking,
            operator: _,
            joints: _,
            sigma: _,
            contact_angle: _,
            steps: _,
            amount: _,
        } = self;
        start == &other.start
            && (partition, sampling, resolution, tracking)
                == (&other.partition, &other.sampling, &other.resolution, &other.tracking)
    }

    /// The volume that other settings have made, with these operators, and with those limbs fitted anew whose samples or caps are
    /// set otherwise. None where a limb gains its field or loses it: all numbers of limbs are others then.
    fn reshaped(&self, rig: &Rig, before: &Volume, was: &Self) -> Result<Option<Volume>, BindError> {
        let bare = JointSettings::default();
        let of = |all: &Self, joint: usize| {
            let name = &rig.skeleton.joints()[joint].name;
            all.joints.get(name).cloned().unwrap_or_else(|| bare.clone())
        };
        let is_reshaped = |joint: usize| !of(self, joint).shapes_like(&of(was, joint));
        if before.bare.iter().any(|limb| is_reshaped(limb.joint)) {
            return Ok(None);
        }
        let skin =
            samples::Skin { points: &before.points, normals: &before.normals, triangles: &before.topology.triangles };
        let mut body = before.body.as_ref().clone();
        for limb in body.limbs.iter_mut().filter(|limb| is_reshaped(limb.limb.joint)) {
            let unedited = limb.unedited(&self.sampling);
            match self.fit(rig, skin, &before.joints, &limb.limb, unedited)? {
                Some(fitted) => *limb = fitted,
                None => return Ok(None),
            }
        }
        for pair in 0..body.pairs.len() {
            if let Some(joint) = body.pairs[pair].joint {
                body.set_operator(pair, self.operator_of(rig, joint));
            }
        }
        let notes = self.notes_of(rig, &body, &before.of_skin, &before.bare);
        Ok(Some(Volume {
            body: Arc::new(body),
            topology: before.topology.clone(),
            points: before.points.clone(),
            normals: before.normals.clone(),
            joints: before.joints.clone(),
            rigid: before.rigid.clone(),
            of_skin: before.of_skin.clone(),
            bare: before.bare.clone(),
            notes,
        }))
    }
}
