//! The figures of `supple measure`, while one works: the skin is fetched from the device, measured beside the window, and
//! shown as soon as it is there. A frame that came too soon is left out.

use super::{
    stage::{Ready, Stage},
    task::{Poll, Task, Wake, spawn},
};
use crate::model::Document;
use glam::{DVec3, Vec3};
use serde::Serialize;
use std::sync::Arc;
use supple::{
    deform::implicit::{BoundImplicit, Contact, ContactGauge},
    graph::Binding,
    measure::{HarmFigures, HarmGauge, RigFigures, RigGauge, Start, SurfaceFigures, SurfaceGauge, SurfaceOptions},
    pose::Motion,
    rig::Rig,
};

/// What is known of one frame.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// Which frame of the stage.
    #[serde(skip)]
    pub frame: u64,
    /// Mean of all vertices.
    pub centroid: [f64; 3],
    /// Signed volume of the skin.
    pub volume: f64,
    /// The farthest that a vertex has gone from rest, over the diagonal.
    pub largest_move: f64,
    /// Of the surface, where it has triangles.
    pub surface: Option<SurfaceFigures>,
    /// Of the rig.
    pub rig: Option<RigFigures>,
    /// What harm the method does to its start.
    pub harm: Option<HarmFigures>,
    /// What touches, where limbs are volumes.
    pub contacts: Vec<Contact>,
    /// How hard each vertex is pressed.
    #[serde(skip)]
    pub pressures: Arc<Vec<f32>>,
}

/// What the rest state is compared by. Slow to make.
struct Gauges {
    surface: Option<SurfaceGauge>,
    rig: Option<RigGauge>,
    harm: Option<(HarmGauge, Start)>,
    contact: Option<ContactGauge>,
}

/// What gauges are of: a rig, and what was bound to it.
#[derive(Clone)]
struct Of {
    rig: Arc<Rig>,
    binding: Arc<Binding>,
}

/// See the module.
#[derive(Default)]
pub struct LiveFigures {
    /// Somebody looks at them.
    pub on: bool,
    /// Somebody looks at where skin touches.
    pub touching: bool,
    latest: Option<Arc<Figures>>,
    gauges: Option<(Of, Arc<Gauges>)>,
    making: Option<(Of, Task<Gauges>)>,
    measuring: Option<(u64, Task<Figures>)>,
    reach: Option<Reach>,
    /// A frame that cannot be measured, and why.
    pub(super) unmeasured: Option<(u64, String)>,
    /// What ended without a result, to be told once.
    pub lost: Option<String>,
}

impl LiveFigures {
    /// The last that were measured.
    pub fn latest(&self) -> Option<&Arc<Figures>> {
        self.latest.as_ref()
    }

    /// How hard each vertex is pressed, and in which frame that was.
    pub fn pressures(&self) -> Option<(u64, Arc<Vec<f32>>)> {
        self.latest.as_ref().map(|f| (f.frame, f.pressures.clone()))
    }

    /// Why a frame will never be measured, where that is known.
    pub fn unmeasurable(&self, frame: u64) -> Option<&str> {
        self.unmeasured.as_ref().filter(|(of, _)| *of == frame).map(|(_, why)| why.as_str())
    }

    /// Whether something is on its way.
    pub fn is_busy(&self) -> bool {
        self.making.is_some() || self.measuring.is_some() || self.reach.as_ref().is_some_and(|r| r.task.is_some())
    }

    /// Measures the frame that is shown, if the last is done with.
    pub fn tick(&mut self, stage: &mut Stage, document: Option<&Document>, wake: &Wake) {
        self.receive();
        if document.is_none() || !(self.on || self.touching) {
            return;
        }
        let Some(ready) = stage.ready() else { return };
        ready.host_wanted = true;
        let binding = ready.engine.binding();
        let Some((_, gauges)) = self.gauges.as_ref().filter(|(of, _)| Arc::ptr_eq(&of.binding, binding)) else {
            if self.making.is_none() {
                let of = Of { rig: ready.rig.clone(), binding: binding.clone() };
                let own = of.clone();
                let task = spawn(wake, move || async move { Gauges::of(&own.rig, &own.binding) });
                self.making = Some((of, task));
            }
            return;
        };
        let Some((frame, points)) = ready.host() else { return };
        let fits =
            points.len() == ready.rig.mesh.positions.len() && ready.host_motion.len() == ready.rig.skeleton.len();
        let known = self.latest.as_ref().is_some_and(|l| l.frame == frame) || self.unmeasurable(frame).is_some();
        if !fits || known || self.measuring.is_some() {
            return;
        }
        let (gauges, rig, motion) = (gauges.clone(), ready.rig.clone(), ready.host_motion.clone());
        let task = spawn(wake, move || async move { gauges.measure(frame, &rig, &motion, &points) });
        self.measuring = Some((frame, task));
    }

    fn receive(&mut self) {
        if let Some((of, task)) = &self.making {
            match task.poll() {
                Poll::Running => {}
                Poll::Done(gauges) => {
                    self.gauges = Some((of.clone(), Arc::new(gauges)));
                    (self.making, self.latest) = (None, None);
                }
                // Trying again would end as it did: there is nothing to compare with.
                Poll::Lost(why) => {
                    let none = Gauges { surface: None, rig: None, harm: None, contact: None };
                    self.gauges = Some((of.clone(), Arc::new(none)));
                    self.lost = Some(format!("getting ready to measure ended without a result: {why}"));
                    self.making = None;
                }
            }
        }
        if let Some((frame, task)) = &self.measuring {
            match task.poll() {
                Poll::Running => {}
                Poll::Done(figures) => (self.latest, self.measuring) = (Some(Arc::new(figures)), None),
                Poll::Lost(why) => {
                    let words = format!("measuring ended without a result: {why}");
                    self.unmeasured = Some((*frame, words.clone()));
                    (self.measuring, self.lost) = (None, Some(words));
                }
            }
        }
    }

    /// The bend of full contact of a joint: none while it is being looked for, `Ok(None)` where there is none, and an error
    /// where looking for it ended without a result. It takes dozens of poses, so it is looked for beside the window and kept.
    pub fn full_contact(&mut self, rig: &Arc<Rig>, joint: &str, wake: &Wake) -> Option<Result<Option<f64>, String>> {
        let (of, gauges) = self.gauges.as_ref()?;
        if !Arc::ptr_eq(&of.rig, rig) {
            return None;
        }
        let fits = |known: &Reach| Arc::ptr_eq(&known.of, gauges) && known.joint == joint;
        if let Some(known) = self.reach.as_mut() {
            match known.task.as_ref().map(Task::poll) {
                None | Some(Poll::Running) => {}
                Some(Poll::Done(angle)) => (known.angle, known.task) = (Ok(angle), None),
                Some(Poll::Lost(why)) => (known.angle, known.task) = (Err(why), None),
            }
            if fits(known) {
                return known.task.is_none().then(|| known.angle.clone());
            }
            // One at a time: who clicks through the joints must not start one for each.
            if known.task.is_some() {
                return None;
            }
        }
        let (gauges, rig, name) = (gauges.clone(), rig.clone(), joint.to_owned());
        let of = gauges.clone();
        let task = spawn(wake, move || async move {
            gauges.contact.as_ref().and_then(|c| c.full_contact_angle(&rig, &name).ok().flatten())
        });
        self.reach = Some(Reach { of, joint: joint.to_owned(), angle: Ok(None), task: Some(task) });
        None
    }
}

/// How far a joint bends before its limbs lie against each other.
struct Reach {
    of: Arc<Gauges>,
    joint: String,
    angle: Result<Option<f64>, String>,
    task: Option<Task<Option<f64>>>,
}

impl Gauges {
    fn of(rig: &Rig, binding: &Binding) -> Self {
        let mesh = &rig.mesh;
        let surface = SurfaceGauge::new(&mesh.positions, &mesh.triangles, SurfaceOptions::default()).ok();
        let contact = binding.last::<BoundImplicit>().map(|bound| ContactGauge::of_bound(rig, &bound));
        let of_rig = RigGauge::new(rig).ok().map(|gauge| match &contact {
            Some(contact) => gauge.with_volume(rig, contact.body().clone()),
            None => gauge,
        });
        // Where morphs move the rest, nobody here knows how far they did in the frame that is measured.
        let of_surface = HarmGauge::new(rig).ok().flatten().filter(|_| !mesh.is_point_set() && rig.morphs.is_empty());
        let harm = of_surface.and_then(|gauge| Some((gauge, Start::of(rig, binding)?)));
        Self { surface: surface.filter(|_| !mesh.triangles.is_empty()), rig: of_rig, harm, contact }
    }

    fn measure(&self, frame: u64, rig: &Rig, motion: &Motion, points: &[Vec3]) -> Figures {
        let (centroid, volume, largest_move) = plain(rig, points);
        Figures {
            frame,
            centroid,
            volume,
            largest_move,
            surface: self.surface.as_ref().and_then(|g| g.figures(points).ok()),
            rig: self.rig.as_ref().and_then(|g| g.figures(motion, points).ok()),
            harm: self
                .harm
                .as_ref()
                .and_then(|(gauge, start)| gauge.figures(&start.points(&rig.mesh.positions, motion), points).ok()),
            contacts: self.contact.as_ref().map_or_else(Vec::new, |g| g.contacts(motion, points)),
            pressures: Arc::new(self.contact.as_ref().map_or_else(Vec::new, |g| g.pressures(motion, points))),
        }
    }
}

/// What needs nothing but the points: mean, signed volume, largest move over the diagonal.
pub fn plain(rig: &Rig, points: &[Vec3]) -> ([f64; 3], f64, f64) {
    let count = points.len().max(1) as f64;
    let centroid = points.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / count;
    let six = rig.mesh.triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| points[v as usize].as_dvec3());
        a.cross(b).dot(c)
    });
    let volume = six.sum::<f64>() / 6.0;
    let moved = points.iter().zip(&rig.mesh.positions).map(|(p, r)| f64::from(p.distance(*r)));
    (centroid.to_array(), volume, moved.fold(0.0, f64::max) / f64::from(rig.diagonal()))
}

impl Ready {
    /// The points of the last frame that came back from the device, and which frame that was.
    pub fn host(&self) -> Option<(u64, Arc<Vec<Vec3>>)> {
        self.host.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::graph::DeformGraph;

    #[test]
    fn a_search_for_full_contact_that_panics_is_no_answer() {
        let rig = Arc::new(supple::example::arm(&Default::default()).unwrap());
        let binding = DeformGraph::single("linear").unwrap().binding(&rig).unwrap();
        let gauges = Arc::new(Gauges { surface: None, rig: None, harm: None, contact: None });
        let task = spawn(&Wake::nobody(), || async { panic!("as a bug would") });
        let (of, joint, angle) = (gauges.clone(), "forearm".to_owned(), Ok(None));
        let whole = Of { rig: rig.clone(), binding };
        let reach = Some(Reach { of, joint, angle, task: Some(task) });
        let mut figures = LiveFigures { gauges: Some((whole, gauges)), reach, ..Default::default() };
        let found = (0..10_000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            figures.full_contact(&rig, "forearm", &Wake::nobody())
        });
        assert!(found.expect("it ends").is_err_and(|why| why.contains("as a bug would")));
        // It is not tried again in every frame.
        assert!(figures.full_contact(&rig, "forearm", &Wake::nobody()).is_some_and(|found| found.is_err()));
    }
}
