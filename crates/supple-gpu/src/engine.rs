use crate::{Fetch, Gpu, GpuError, GpuGraph, NodeTime, Place, past::Past, place};
use glam::Vec3;
use std::{fmt::Display, sync::Arc};
use supple::{
    deform::Clock,
    graph::{Binding, BoundGraph, BoundNode, Checkpoint, DeformGraph, GraphError, Source},
    pose::Motion,
    rig::Rig,
};
use web_time::Instant;

/// A run of a graph: each node on the device while it can, and on the processor otherwise. Both give the same result, and points cross
/// between them only where they must.
pub struct Engine {
    binding: Arc<Binding>,
    on_device: Option<OnDevice>,
    /// All nodes, or with a device those that do not live there.
    on_processor: BoundGraph,
    /// Where each node runs, and why.
    places: Vec<Place>,
    last_rest: Arc<Vec<Vec3>>,
    last_motion: Motion,
    last_clock: Clock,
    /// The result of the last frame, where it has come back from the device.
    points: Option<Vec<Vec3>>,
    /// Milliseconds of each node on the processor in the last frame.
    times: Vec<f64>,
    notices: Vec<String>,
}

struct OnDevice {
    graph: GpuGraph,
    /// Nodes there whose result the processor takes too.
    brought: Vec<bool>,
    /// Nodes on the processor whose result is taken there too.
    sent: Vec<bool>,
    /// Where a lost device is gone on from, where anything is remembered.
    past: Option<Past>,
}

/// Where a node runs, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Its name in the graph.
    pub node: String,
    /// Its method.
    pub method: &'static str,
    /// Where it runs.
    pub place: Place,
    /// Its result crosses to the other side, where somebody takes it.
    pub crosses: bool,
    /// Frames depend on those before.
    pub remembers: bool,
    /// How long it took in the last frame; none where nobody looked, or the device has no clock.
    pub milliseconds: Option<f64>,
}

impl Engine {
    /// Binds a graph to a rig, and readies it for a device, or for the processor and the reason why that moves it.
    pub async fn bind(graph: &DeformGraph, rig: &Rig, gpu: Result<&Gpu, &str>) -> Result<Self, GraphError> {
        Ok(Self::of(graph.binding(rig)?, rig, gpu).await)
    }

    /// Readies what is bound already, to the same rig. What cannot be had of the device is said by [`Engine::take_notices`].
    pub async fn of(binding: Arc<Binding>, rig: &Rig, gpu: Result<&Gpu, &str>) -> Self {
        let mut notices = Vec::new();
        let (graph, places) = match gpu {
            Err(why) => (None, place::on_processor(&binding, why)),
            Ok(gpu) => match GpuGraph::ready(gpu, &binding, rig, |twin| twin.source.clone()).await {
                Err(error) => {
                    notices.push(fallen_back(&error));
                    (None, place::on_processor(&binding, &error.to_string()))
                }
                Ok(readied) => {
                    notices.extend(readied.notices(&binding));
                    (readied.graph, readied.places)
                }
            },
        };
        let on_device = graph.map(|graph| OnDevice::of(graph, &binding));
        let on_processor = BoundGraph::of_nodes(binding.clone(), |node| !places[node].is_device());
        let nodes = binding.nodes().len();
        Self {
            on_device,
            on_processor,
            places,
            last_rest: Arc::new(rig.mesh.positions.clone()),
            last_motion: Motion::default(),
            last_clock: Clock::first(0.0),
            points: None,
            times: vec![0.0; nodes],
            notices,
            binding,
        }
    }

    /// What it runs.
    pub fn binding(&self) -> &Arc<Binding> {
        &self.binding
    }

    /// Moves the points of one frame; they stay where they are. A frame that follows the last one goes on from it, any other starts
    /// anew.
    ///
    /// # Panics
    /// When `rest` does not have as many points, or `motion` as many joints, as the rig.
    pub fn step(&mut self, rest: &[Vec3], motion: &Motion, clock: Clock) {
        self.points = None;
        self.last_clock = clock;
        if let Some(device) = &mut self.on_device {
            if rest != *self.last_rest {
                device.graph.set_rest(rest);
                self.last_rest = Arc::new(rest.to_vec());
            }
            self.last_motion.clone_from(motion);
            let noted = device.note(&self.on_processor, &self.last_rest, motion, clock);
            match noted.and_then(|()| run(device, &mut self.on_processor, &mut self.times, rest, motion, clock)) {
                Ok(()) => return,
                Err(error) => return self.fall_back(&error),
            }
        }
        self.on_processor.begin(clock);
        for node in 0..self.binding.nodes().len() {
            timed(&mut self.times[node], || self.on_processor.run_node(node, rest, motion, clock));
        }
    }

    /// The points of the last frame, brought back from the device where they are there; waits for them. In a browser use
    /// [`Engine::request_points`].
    pub fn points(&mut self) -> &[Vec3] {
        let output = self.binding.output();
        if let Some(device) = self.on_device.as_ref().filter(|d| d.graph.runs(output) && self.points.is_none()) {
            let mut points = vec![Vec3::ZERO; self.binding.vertices()];
            match device.graph.read(&mut points) {
                Ok(()) => self.points = Some(points),
                Err(error) => self.fall_back(&error),
            }
        }
        self.points.as_deref().unwrap_or_else(|| self.on_processor.points())
    }

    /// Moves the points of one frame and brings them back.
    ///
    /// # Panics
    /// As [`Engine::step`].
    pub fn frame(&mut self, rest: &[Vec3], motion: &Motion, clock: Clock) -> &[Vec3] {
        self.step(rest, motion, clock);
        self.points()
    }

    /// The same for a frame alone.
    ///
    /// # Panics
    /// As [`Engine::step`].
    pub fn evaluate(&mut self, rest: &[Vec3], motion: &Motion) -> &[Vec3] {
        self.frame(rest, motion, Clock::first(0.0))
    }

    /// Like [`Engine::frame`], straight into the caller's memory.
    ///
    /// # Panics
    /// As `step`, and when `out` does not have as many points.
    pub fn frame_into(&mut self, rest: &[Vec3], motion: &Motion, clock: Clock, out: &mut [Vec3]) {
        if self.on_device.is_some() {
            out.copy_from_slice(self.frame(rest, motion, clock));
        } else {
            self.on_processor.step_into(rest, motion, clock, out);
        }
    }

    /// The processor does everything from here on, from where the last checkpoint was taken.
    fn fall_back(&mut self, error: &GpuError) {
        self.notices.push(fallen_back(error));
        let past = self.on_device.take().and_then(|device| device.past);
        self.on_processor = self.binding.run();
        for place in self.places.iter_mut().filter(|place| place.is_device()) {
            *place = Place::Processor(error.to_string());
        }
        match past {
            Some(past) => past.run_again(&mut self.on_processor),
            None => {
                self.on_processor.step(&self.last_rest, &self.last_motion, self.last_clock);
            }
        }
    }

    /// Forgets earlier frames.
    pub fn reset(&mut self) {
        self.on_processor.reset();
        if let Some(device) = &mut self.on_device {
            device.graph.reset();
            device.past = device.past.take().map(|_| Past::default());
        }
    }

    /// A copy of all that is remembered of earlier frames; waits for the device where anything is remembered there.
    pub fn checkpoint(&self) -> Result<Checkpoint, GpuError> {
        let mut checkpoint = self.on_processor.checkpoint();
        self.on_device.as_ref().map_or(Ok(()), |device| device.graph.checkpoint(&mut checkpoint))?;
        Ok(checkpoint)
    }

    /// Goes on from where a checkpoint was taken, by this engine or another of the same binding.
    pub fn recall(&mut self, checkpoint: &Checkpoint) {
        self.on_processor.recall(checkpoint);
        if let Some(device) = &mut self.on_device {
            device.graph.recall(checkpoint);
            device.past = device.past.take().map(|_| Past::from(checkpoint.clone()));
        }
    }

    /// Whether the device is still in use.
    pub fn on_device(&self) -> bool {
        self.on_device.is_some()
    }

    /// The result on the device, while it is there: three floats a vertex, which what draws can read where they are.
    pub fn points_on_device(&self) -> Option<&wgpu::Buffer> {
        let device = self.on_device.as_ref()?;
        device.graph.runs(self.binding.output()).then(|| device.graph.points())
    }

    /// The result of the last frame on the processor, while it is there.
    pub fn points_on_processor(&self) -> Option<&[Vec3]> {
        self.points_on_device().is_none().then(|| self.on_processor.points())
    }

    /// Asks for the result on the device without waiting for it; none where it is not there.
    pub fn request_points(&self) -> Result<Option<Fetch<Vec<Vec3>>>, GpuError> {
        self.points_on_device().and(self.on_device.as_ref()).map(|d| d.graph.request_points()).transpose()
    }

    /// Asks for the times of the nodes on the device without waiting for them; none where it has no clock.
    pub fn request_times(&self) -> Result<Option<Fetch<Vec<NodeTime>>>, GpuError> {
        self.on_device.as_ref().map_or(Ok(None), |d| d.graph.request_times())
    }

    /// How long each node took in the last frame; waits for the device. Nodes there are left out where it has no clock.
    pub fn node_times(&self) -> Result<Vec<NodeTime>, GpuError> {
        let on_device = self.on_device.as_ref().map_or(Ok(None), |device| device.graph.times())?;
        Ok(on_device.into_iter().flatten().chain(self.processor_times()).collect())
    }

    /// How long each node on the processor took in the last frame.
    pub fn processor_times(&self) -> Vec<NodeTime> {
        let nodes = self.binding.nodes().iter().zip(&self.places).zip(&self.times);
        let here = nodes.filter(|((_, place), _)| !place.is_device());
        here.map(|((node, _), &milliseconds)| NodeTime { node: node.name.clone(), milliseconds }).collect()
    }

    /// Where each node runs, and why.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Where each node runs and why, and how long it took in the last frame; waits for the device.
    pub fn explain(&self) -> Vec<Explained> {
        let times = self.node_times().unwrap_or_else(|_| self.processor_times());
        let nodes = self.binding.nodes().iter().zip(&self.places).enumerate();
        let explained = |(i, (node, place)): (usize, (&BoundNode, &Place))| Explained {
            node: node.name.clone(),
            method: node.method,
            place: place.clone(),
            crosses: self.on_device.as_ref().is_some_and(|d| d.brought[i] || d.sent[i]),
            remembers: node.bound.remembers(),
            milliseconds: times.iter().find(|t| t.node == node.name).map(|t| t.milliseconds),
        };
        nodes.map(explained).collect()
    }

    /// What binding had to leave out or guess, with the node it concerns.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.binding.notes()
    }

    /// Bytes a frame must move at the least, where it runs.
    pub fn bytes_per_frame(&self) -> usize {
        self.on_device.as_ref().map_or_else(|| self.binding.bytes_per_frame(), |d| d.graph.bytes_per_frame())
    }

    /// Lines to show a person, each once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

impl OnDevice {
    fn of(graph: GpuGraph, binding: &Binding) -> Self {
        let nodes = binding.nodes();
        let (mut brought, mut sent) = (vec![false; nodes.len()], vec![false; nodes.len()]);
        for (i, node) in nodes.iter().enumerate() {
            for source in &node.inputs {
                if let Source::Node(n) = source {
                    brought[*n] |= graph.runs(*n) && !graph.runs(i);
                    sent[*n] |= !graph.runs(*n) && graph.runs(i);
                }
            }
        }
        // In a browser nothing comes back while one waits: what is remembered on the device ends with it there.
        let out_of_reach = |(i, node): (usize, &BoundNode)| graph.runs(i) && node.bound.remembers();
        let within_reach = cfg!(not(target_family = "wasm")) || !nodes.iter().enumerate().any(out_of_reach);
        let past = (binding.remembers() && within_reach).then(Past::default);
        Self { graph, brought, sent, past }
    }

    /// Notes a frame that is tried next, where anything is remembered.
    fn note(
        &mut self,
        on_processor: &BoundGraph,
        rest: &Arc<Vec<Vec3>>,
        motion: &Motion,
        clock: Clock,
    ) -> Result<(), GpuError> {
        let Some(past) = &mut self.past else { return Ok(()) };
        past.note(rest, motion, clock, || {
            let mut checkpoint = on_processor.checkpoint();
            self.graph.checkpoint(&mut checkpoint)?;
            Ok(checkpoint)
        })
    }
}

/// One frame, each node where it lives.
fn run(
    device: &mut OnDevice,
    on_processor: &mut BoundGraph,
    times: &mut [f64],
    rest: &[Vec3],
    motion: &Motion,
    clock: Clock,
) -> Result<(), GpuError> {
    let mut frame = device.graph.begin(motion, clock)?;
    on_processor.begin(clock);
    for (node, milliseconds) in times.iter_mut().enumerate() {
        if device.graph.runs(node) {
            device.graph.encode(&mut frame, node);
            if device.brought[node] {
                device.graph.flush(&mut frame);
                device.graph.bring(node, on_processor.put(node))?;
            }
        } else {
            timed(milliseconds, || on_processor.run_node(node, rest, motion, clock));
            if device.sent[node] {
                device.graph.send(node, on_processor.given(node));
            }
        }
    }
    device.graph.end(frame)
}

fn timed(milliseconds: &mut f64, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    *milliseconds = start.elapsed().as_secs_f64() * 1e3;
}

pub(crate) fn fallen_back(why: impl Display) -> String {
    format!("{why}; going on with the processor")
}
