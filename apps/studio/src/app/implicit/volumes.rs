//! Volumes of the limbs, made beside the window: once without what joints have of their own, which is where samples have
//! their numbers, and once as they are.

use crate::studio::{
    stage::Stage,
    task::{Poll, Task, Wake, spawn},
};
use std::{collections::BTreeMap, sync::Arc};
use supple::{
    deform::implicit::{BoundImplicit, Implicit, JointSettings},
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
    /// The volumes of a rig; those of before while newer ones are made. What `stage` has bound to the rig is not fitted again.
    pub fn want(&mut self, rig: &Arc<Rig>, implicit: Implicit, stage: &Stage, wake: &Wake) -> Option<Made> {
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
        let bound = stage.bound().filter(|ready| Arc::ptr_eq(&ready.rig, rig));
        let bound = bound.and_then(|ready| ready.engine.binding().last::<BoundImplicit>());
        // What is being bound has them soon.
        let is_coming = bound.is_none() && stage.is_binding();
        if !current && self.making.is_none() && !is_coming {
            let of = Of { rig: rig.clone(), implicit };
            let bound = bound.map(|bound| (shapes(&bound.method), bound.volume.body.clone()));
            if let Some((_, body)) = bound.as_ref().filter(|(implicit, _)| *implicit == of.implicit) {
                self.known = Some((of, Ok(body.clone())));
            } else {
                let known = self.known.as_ref().filter(|(known, _)| Arc::ptr_eq(&known.rig, rig));
                let known = known.and_then(|(known, made)| Some((known.implicit.clone(), made.clone().ok()?)));
                let is_near = |i: &Implicit| without_operators(i) == without_operators(&of.implicit);
                let near = [bound, known].into_iter().flatten().find(|(implicit, _)| is_near(implicit));
                let work = of.clone();
                let made = move || async move { work.make(near.as_ref().map(|(_, body)| &**body)) };
                self.making = Some((of, spawn(wake, made)));
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Command, Document, Edit, Origin},
        studio::{Studio, memory::Memory, recovery::Recovery},
    };
    use std::time::Duration;
    use supple::example::{ArmOptions, arm};
    use supple_gpu::Gpu;

    #[test]
    fn what_the_window_has_bound_is_not_fitted_again() {
        let gpu = pollster::block_on(Gpu::open()).expect("a device, software drivers included");
        let studio = Studio::new(gpu, Wake::nobody(), Memory::default(), Recovery::default());
        let mut studio = studio.expect("the shaders are sound");
        let rig = arm(&ArmOptions { vertices: 700, ..Default::default() }).expect("an arm");
        studio.take(Document::new("arm".into(), Origin::Example("arm".into()), rig, Vec::new()).expect("it opens"));
        studio.execute(Command::Change { edit: Edit::Method { name: "implicit".into() } });
        let rig = studio.open.document.as_ref().expect("it is open").rig().clone();
        let (mut volumes, wake) = (Volumes::default(), Wake::nobody());
        studio.tick(0.02);
        assert!(studio.drawn.stages[0].is_binding());
        assert!(volumes.want(&rig, shapes(&Implicit::default()), &studio.drawn.stages[0], &wake).is_none());
        assert!(!volumes.is_busy(), "what is being bound is waited for");
        for _ in 0..4000 {
            studio.tick(0.02);
            if studio.is_settled() {
                break;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        let stage = &studio.drawn.stages[0];
        let bound =
            stage.bound().and_then(|ready| ready.engine.binding().last::<BoundImplicit>()).expect("it is bound");
        let made = volumes.want(&rig, shapes(&bound.method), stage, &wake);
        let made = made.expect("at once").expect("it is bound");
        assert!(Arc::ptr_eq(&made, &bound.volume.body));
    }
}
