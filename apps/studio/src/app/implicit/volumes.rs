//! Volumes of the limbs, made beside the window: once without what joints have of their own, which is where samples have
//! their numbers, and once as they are.

use crate::studio::task::{Poll, Task, Wake, spawn};
use std::{collections::BTreeMap, sync::Arc};
use supple::{
    deform::implicit::{Implicit, JointSettings},
    field::{Body, Operator},
    rig::Rig,
};

/// The limbs, or why there are none.
type Made = Result<Arc<Body>, String>;

/// What volumes hang on.
#[derive(Clone)]
struct Of {
    rig: Arc<Rig>,
    implicit: Implicit,
}

impl Of {
    fn same(&self, rig: &Arc<Rig>, implicit: &Implicit) -> bool {
        Arc::ptr_eq(&self.rig, rig) && self.implicit == *implicit
    }
}

/// Volumes, and newer ones on their way.
#[derive(Default)]
pub struct Volumes {
    known: Option<(Of, Made)>,
    making: Option<(Of, Task<Made>)>,
}

/// What of the settings makes volumes; the rest is how skin is tracked in them.
pub fn shapes(implicit: &Implicit) -> Implicit {
    Implicit {
        operator: implicit.operator,
        joints: implicit.joints.clone(),
        partition: implicit.partition,
        sampling: implicit.sampling,
        resolution: implicit.resolution,
        ..Implicit::default()
    }
}

/// The same without what joints have of their own.
pub fn plain(implicit: &Implicit) -> Implicit {
    Implicit { operator: Operator::UNION, joints: BTreeMap::new(), ..shapes(implicit) }
}

fn without_operators(implicit: &Implicit) -> Implicit {
    let bare = |s: &JointSettings| JointSettings { operator: None, ..s.clone() };
    let joints = implicit.joints.iter().map(|(name, s)| (name.clone(), bare(s)));
    let joints = joints.filter(|(_, s)| *s != JointSettings::default()).collect();
    Implicit { operator: Operator::UNION, joints, ..implicit.clone() }
}

/// How a joint's limb is joined to the one it hangs on.
pub fn operator_of(implicit: &Implicit, joint: &str) -> Operator {
    implicit.joints.get(joint).and_then(|s| s.operator).unwrap_or(implicit.operator)
}

impl Volumes {
    /// The volumes of a rig; those of before while newer ones are made.
    pub fn want(&mut self, rig: &Arc<Rig>, implicit: Implicit, wake: &Wake) -> Option<Made> {
        if let Some((of, task)) = &self.making {
            match task.poll() {
                Poll::Running => {}
                Poll::Done(made) => (self.known, self.making) = (Some((of.clone(), made)), None),
                Poll::Lost(why) => {
                    let lost = Err(format!("making the volumes ended without a result: {why}"));
                    (self.known, self.making) = (Some((of.clone(), lost)), None);
                }
            }
        }
        let current = self.known.as_ref().is_some_and(|(of, _)| of.same(rig, &implicit));
        if !current && self.making.is_none() {
            let of = Of { rig: rig.clone(), implicit };
            let near = self.known.as_ref().filter(|(known, _)| {
                Arc::ptr_eq(&known.rig, rig) && without_operators(&known.implicit) == without_operators(&of.implicit)
            });
            let near = near.and_then(|(_, body)| body.as_ref().ok()).cloned();
            let work = of.clone();
            self.making = Some((of, spawn(wake, move || async move { work.make(near.as_deref()) })));
        }
        // Volumes of another skeleton would be asked for joints that they do not know.
        let fits = |of: &Of| of.rig.skeleton.len() == rig.skeleton.len();
        self.known.as_ref().filter(|(of, _)| fits(of)).map(|(_, body)| body.clone())
    }

    /// Newer ones are on their way.
    pub fn is_busy(&self) -> bool {
        self.making.is_some()
    }
}

impl Of {
    fn make(&self, near: Option<&Body>) -> Made {
        let Some(near) = near else {
            return self.implicit.volume(&self.rig).map(|v| v.body).map_err(|e| e.to_string());
        };
        // Only the operators differ: the fields stay.
        let mut body = near.clone();
        for pair in 0..body.pairs.len() {
            if let Some(joint) = body.pairs[pair].joint {
                body.set_operator(pair, operator_of(&self.implicit, &self.rig.skeleton.joints()[joint].name));
            }
        }
        Ok(Arc::new(body))
    }
}
