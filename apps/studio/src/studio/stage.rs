//! A method on a rig, ready to move its skin: bound beside the window, moved on the device where that can be.

use super::plain;
use super::task::{Poll, Task, Wake, spawn};
use crate::viewport::{Shown, Skin, Viewport};
use glam::Vec3;
use std::sync::Arc;
use supple::{
    deform::Clock,
    graph::{Binding, DeformGraph, GraphFile},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Engine, Fetch, Gpu, NodeTime};
use web_time::Instant;

/// Seconds by which time may go on from one frame to the next: what is farther away is no frame after.
const LONGEST_STEP: f64 = 1.0;

/// When a frame is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// These seconds of the clip are shown.
    Shown(f64),
    /// A frame of a film, which has a clock of its own.
    Filmed(Clock),
}

impl Moment {
    /// Seconds of the clip.
    pub fn time(self) -> f64 {
        match self {
            Self::Shown(time) => time,
            Self::Filmed(clock) => clock.time,
        }
    }
}

/// What a stage shall show. Equal wishes need no binding.
#[derive(Clone)]
pub struct Wish {
    /// The rig with its edits.
    pub rig: Arc<Rig>,
    /// How it is moved.
    pub graph: GraphFile,
}

impl PartialEq for Wish {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.graph == other.graph
    }
}

impl Wish {
    /// The same methods on the same skin, with other numbers.
    fn is_like(&self, other: &Self) -> bool {
        let methods = |w: &Self| w.graph.nodes.iter().map(|n| n.method.clone()).collect::<Vec<_>>();
        self.rig.mesh.positions.len() == other.rig.mesh.positions.len() && methods(self) == methods(other)
    }
}

/// A pane's method.
#[derive(Default)]
pub struct Stage {
    wish: Option<Wish>,
    binding: Option<Task<Result<Engine, String>>>,
    bound: Option<Ready>,
    /// Why the last wish could not be had.
    pub error: Option<String>,
    /// What binding had to leave out or guess, and falls from the device.
    pub notes: Vec<String>,
}

/// Bound, and where its points are drawn from.
pub struct Ready {
    /// What it was bound to.
    pub rig: Arc<Rig>,
    graph: GraphFile,
    /// On the device or not.
    pub engine: Engine,
    /// The points on the device, for drawing.
    pub shown: Shown,
    /// Joints of the last frame.
    pub motion: Motion,
    /// Counts the frames that moved something.
    pub frame: u64,
    last_pose: Option<Pose>,
    morphed: Vec<Vec3>,
    last_moment: Option<Moment>,
    /// Milliseconds the processor spent on the last frame.
    pub milliseconds: f64,
    /// It has colours of its own.
    pub is_painted: bool,
    /// Somebody needs the points on this side.
    pub host_wanted: bool,
    pub(super) host: Option<(u64, Arc<Vec<Vec3>>)>,
    /// Where the joints were in the frame of these points.
    pub host_motion: Motion,
    fetching: Option<(u64, Motion, Fetch<Vec<Vec3>>)>,
    times: Vec<NodeTime>,
    timing: Option<Fetch<Vec<NodeTime>>>,
    timed: Option<Instant>,
}

impl Stage {
    /// Wants something shown. What was bound before stays until the new is ready, so that playing goes on. A slider that is
    /// dragged wants something new in every frame: the same method is bound again only when the last is done with, so that
    /// what was wanted last is seen soon.
    pub fn want(&mut self, wish: Wish, gpu: Result<&Gpu, &'static str>, wake: &Wake) {
        let busy = self.binding.is_some() && self.wish.as_ref().is_some_and(|w| w.is_like(&wish));
        if busy || self.wish.as_ref() == Some(&wish) {
            return;
        }
        let (rig, file, gpu) = (wish.rig.clone(), wish.graph.clone(), gpu.cloned());
        // Other settings on the same rig cost what they change.
        let before = self.bound.as_ref().filter(|b| Arc::ptr_eq(&b.rig, &rig)).map(|b| b.engine.binding().clone());
        self.wish = Some(wish);
        self.binding = Some(spawn(wake, move || async move {
            let graph = DeformGraph::from_file(&file).map_err(|e| e.to_string())?;
            let binding = match before {
                Some(before) => graph.rebinding(&rig, &before),
                None => graph.binding(&rig),
            };
            let binding = binding.map_err(|e| e.to_string())?;
            Ok(Engine::of(binding, &rig, gpu.as_ref().map_err(|why| *why)).await)
        }));
    }

    /// Whether something newer than what is shown is on its way.
    pub fn is_binding(&self) -> bool {
        self.binding.is_some()
    }

    /// Takes what has become ready.
    pub fn receive(&mut self, viewport: &Viewport, skin: &Skin) {
        let Some(task) = &self.binding else { return };
        let done = match task.poll() {
            Poll::Running => return,
            Poll::Done(done) => done,
            Poll::Lost(why) => Err(format!("binding ended without a result: {why}; please try another method")),
        };
        self.binding = None;
        let made = done.and_then(|engine| self.make_ready(engine, viewport, skin));
        match made {
            Ok(ready) => (self.bound, self.error) = (Some(ready), None),
            Err(error) => self.fail(plain(error)),
        }
    }

    /// A number that cannot be had leaves the skin as it was last bound, so that it goes on following the bones. What was
    /// bound to other joints cannot follow these, and another method's under the new name would be a lie: that goes.
    fn fail(&mut self, error: String) {
        let wish = self.wish.as_ref();
        let is_like = |bound: &Ready| {
            let was = Wish { rig: bound.rig.clone(), graph: bound.graph.clone() };
            wish.is_some_and(|w| w.is_like(&was) && w.rig.skeleton.names().eq(was.rig.skeleton.names()))
        };
        self.bound = self.bound.take().filter(is_like);
        let kept = if self.bound.is_some() { "; the skin is shown as it was bound before" } else { "" };
        self.error = Some(format!("{error}{kept}"));
    }

    fn make_ready(&mut self, mut engine: Engine, viewport: &Viewport, skin: &Skin) -> Result<Ready, String> {
        let Wish { rig, graph } = self.wish.clone().ok_or("nothing is wished for")?;
        self.notes = engine.notes().map(|(node, note)| format!("{node}: {note}")).collect();
        self.notes.extend(engine.take_notices());
        let shown = match engine.points_on_device() {
            Some(points) => Shown::of_buffer(viewport, skin, points),
            None => Shown::new(viewport, skin),
        };
        let shown = shown.map_err(|e| e.to_string())?;
        let (motion, morphed) = (Motion::default(), rig.mesh.positions.clone());
        // Tools go on with the points of before until the new ones are here, and frames are counted on, so that nobody
        // takes the one for the other.
        let before = self.bound.as_ref().map(|b| (b.frame, b.host.clone(), b.host_motion.clone()));
        let (frame, host, host_motion) = before.unwrap_or_default();
        let host = host.filter(|(_, points)| points.len() == rig.mesh.positions.len());
        let last_moment = self.bound.as_ref().and_then(|before| go_on(before, &rig, &mut engine));
        Ok(Ready {
            rig,
            graph,
            engine,
            shown,
            motion,
            frame,
            last_pose: None,
            last_moment,
            morphed,
            milliseconds: 0.0,
            is_painted: false,
            host_wanted: false,
            host,
            host_motion,
            fetching: None,
            times: Vec::new(),
            timing: None,
            timed: None,
        })
    }

    /// Nothing moves here: what is wished for cannot be bound.
    pub fn is_bare(&self) -> bool {
        self.error.is_some() && self.bound.is_none()
    }

    /// What is bound.
    pub fn ready(&mut self) -> Option<&mut Ready> {
        self.bound.as_mut()
    }

    /// What is bound, to look at.
    pub fn bound(&self) -> Option<&Ready> {
        self.bound.as_ref()
    }
}

/// Lets what is bound anew go on from what the same methods remember of the same rig: a slider that is dragged shall not end it. The
/// moment of the last frame, where it does.
fn go_on(before: &Ready, rig: &Arc<Rig>, engine: &mut Engine) -> Option<Moment> {
    let nodes =
        |engine: &Engine| engine.binding().nodes().iter().map(|n| (n.name.clone(), n.method)).collect::<Vec<_>>();
    let remembers = engine.binding().remembers() && before.engine.binding().remembers();
    if !remembers || !Arc::ptr_eq(&before.rig, rig) || nodes(&before.engine) != nodes(engine) {
        return None;
    }
    // A device that is lost takes what it remembers with it.
    engine.recall(&before.engine.checkpoint().ok()?);
    before.last_moment
}

impl Ready {
    /// What is bound, where it is of this very rig and of these settings.
    pub fn binding_of(&self, rig: &Arc<Rig>, graph: &GraphFile) -> Option<Arc<Binding>> {
        let is_same = Arc::ptr_eq(&self.rig, rig) && self.graph == *graph;
        is_same.then(|| self.engine.binding().clone())
    }

    /// Whether the skin is where this pose has it at this moment.
    pub fn is_at(&self, pose: &Pose, moment: Moment) -> bool {
        self.last_moment == Some(moment) && self.last_pose.as_ref() == Some(pose)
    }

    /// Time that goes on, or stands still while joints are turned, goes on from the last frame. Where it goes back, or far ahead, as
    /// at the end of a loop or under the hand on the timeline, what remembers starts anew; and so it does after a film.
    fn clock(&self, moment: Moment) -> Clock {
        let time = match moment {
            // Bound anew in the middle of a film, and moved to its frame a second time.
            Moment::Filmed(clock) if self.last_moment == Some(moment) => return Clock { step: 0.0, ..clock },
            Moment::Filmed(clock) => return clock,
            Moment::Shown(time) => time,
        };
        match self.last_moment {
            Some(Moment::Shown(last)) if (0.0..=LONGEST_STEP).contains(&(time - last)) => {
                Clock::after(Clock::first(last), time - last)
            }
            _ => Clock::first(time),
        }
    }

    /// Moves the skin, unless it is there already. A pose that stands still while time goes on is moved to again: methods go by time too,
    /// and what they remember must not stop.
    pub fn move_to(&mut self, pose: &Pose, moment: Moment) -> Result<bool, String> {
        if self.is_at(pose, moment) || pose.local.len() != self.rig.skeleton.len() {
            return Ok(false);
        }
        let start = Instant::now();
        self.motion.update(&self.rig, pose);
        pose.morphed(&self.rig, &mut self.morphed);
        let clock = self.clock(moment);
        self.last_moment = Some(moment);
        let on_device = self.engine.points_on_device().is_some();
        self.engine.step(&self.morphed, &self.motion, clock);
        if on_device && self.engine.points_on_device().is_none() {
            return Err(self.engine.take_notices().join("; "));
        }
        if on_device {
            self.shown.moved().map_err(|e| e.to_string())?;
        } else {
            let points = self.engine.points();
            self.shown.set_points(points).map_err(|e| e.to_string())?;
            self.host = Some((self.frame + 1, Arc::new(points.to_vec())));
            self.host_motion.clone_from(&self.motion);
        }
        self.milliseconds = start.elapsed().as_secs_f64() * 1e3;
        self.last_pose = Some(pose.clone());
        self.frame += 1;
        Ok(true)
    }

    /// Brings the points back where somebody needs them, without waiting.
    pub fn fetch(&mut self) -> Result<(), String> {
        if let Some((frame, motion, fetch)) = &mut self.fetching {
            match fetch.try_take().map_err(|e| e.to_string())? {
                None => return Ok(()),
                Some(points) => {
                    std::mem::swap(&mut self.host_motion, motion);
                    (self.host, self.fetching) = (Some((*frame, Arc::new(points))), None);
                }
            }
        }
        let known = self.host.as_ref().is_some_and(|(frame, _)| *frame == self.frame);
        if self.host_wanted
            && !known
            && self.frame > 0
            && let Some(points) = self.engine.request_points().map_err(|e| e.to_string())?
        {
            self.fetching = Some((self.frame, self.motion.clone(), points));
        }
        self.host_wanted = false;
        Ok(())
    }

    /// Whether points are on their way.
    pub fn is_fetching(&self) -> bool {
        self.fetching.is_some()
    }

    /// How long each node of the graph took on the device, when it was last asked.
    pub fn known_times(&self) -> &[NodeTime] {
        &self.times
    }

    /// Asks now and then how long each node takes, without waiting for the answer.
    pub fn ask_times(&mut self) {
        if let Some(fetch) = &mut self.timing {
            match fetch.try_take() {
                Ok(None) => return,
                Ok(Some(times)) => self.times = times.into_iter().chain(self.engine.processor_times()).collect(),
                Err(_) => self.times.clear(),
            }
            self.timing = None;
        }
        let due = self.timed.is_none_or(|t| t.elapsed().as_secs_f64() > 0.5);
        if due && self.frame > 0 {
            self.timed = Some(Instant::now());
            self.timing = self.engine.request_times().ok().flatten();
            if self.timing.is_none() && self.engine.on_device() {
                // A device without a clock hides no time of the processor.
                self.times = self.engine.processor_times();
            }
        }
    }
}
