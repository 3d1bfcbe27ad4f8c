use crate::{
    Fetch, Gpu, GpuError, Place, Twin,
    clock::{Clock as Timer, fetch},
    device::one_line,
    engine::fallen_back,
    node::{GpuNode, Parts},
    place,
};
use glam::Vec3;
use std::{future::Future, sync::Arc};
use supple::{
    deform::Clock,
    graph::{Binding, BoundNode, Checkpoint, Source},
    pose::Motion,
    rig::Rig,
};
use wgpu::BufferUsages;

/// The nodes of a graph that live on the device, and room there for what the others give.
pub struct GpuGraph {
    gpu: Gpu,
    binding: Arc<Binding>,
    rest: wgpu::Buffer,
    nodes: Vec<Placed>,
    vertices: usize,
    staging: wgpu::Buffer,
    timer: Option<Timer>,
}

struct Placed {
    /// None for a node that runs on the processor.
    node: Option<Box<dyn GpuNode>>,
    /// None where it does not fit, so that nobody here gives or takes it.
    given: Option<wgpu::Buffer>,
}

/// What of a graph could be readied for the device.
pub(crate) struct Readied {
    /// None where all of it is left to the processor.
    pub graph: Option<GpuGraph>,
    /// Where each node runs.
    pub places: Vec<Place>,
    /// The nodes that the device cannot run, and why.
    pub refused: Vec<(usize, GpuError)>,
}

impl Readied {
    /// Lines to show a person: why there is nothing on the device, or which of the nodes that have a kernel failed there.
    pub fn notices(&self, binding: &Binding) -> Vec<String> {
        if self.graph.is_none() {
            return self.refused.first().map(|(_, error)| fallen_back(error)).into_iter().collect();
        }
        let failed = self.refused.iter().filter(|(_, error)| !matches!(error, GpuError::NoKernel { .. }));
        failed.map(|(node, error)| format!("\"{}\": {}", binding.nodes()[*node].name, fallen_back(error))).collect()
    }
}

/// How long a node took.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeTime {
    /// Its name in the graph.
    pub node: String,
    /// On the device between the timestamps before and after it; on the processor by the clock of the machine.
    pub milliseconds: f64,
}

impl GpuGraph {
    /// Readies a graph for the device: compiles the kernels, sends the tables. What has no kernel, does not fit or fails is left to the
    /// processor; where that is everything, this fails with the reason of the first.
    pub async fn bind(gpu: &Gpu, binding: &Arc<Binding>, rig: &Rig) -> Result<Self, GpuError> {
        Self::bind_with(gpu, binding, rig, |twin| twin.source.clone()).await
    }

    /// The same with the kernels' text replaced: for tests that must see a broken kernel rejected.
    #[doc(hidden)]
    pub async fn bind_with(
        gpu: &Gpu,
        binding: &Arc<Binding>,
        rig: &Rig,
        source_of: impl Fn(&Twin) -> String,
    ) -> Result<Self, GpuError> {
        let mut readied = Self::ready(gpu, binding, rig, source_of).await?;
        readied.graph.ok_or_else(|| readied.refused.swap_remove(0).1)
    }

    /// The same, with the reasons of all that is left to the processor. An error is one of the whole device.
    pub(crate) async fn ready(
        gpu: &Gpu,
        binding: &Arc<Binding>,
        rig: &Rig,
        source_of: impl Fn(&Twin) -> String,
    ) -> Result<Readied, GpuError> {
        gpu.trouble()?;
        let scopes = Scopes::open(gpu);
        let rest = gpu.storage("rest points", &rig.mesh.positions);
        scopes.close().await?;
        let rest = rest?;
        let (mut made, mut given, mut closing) = (Vec::new(), Vec::new(), Vec::new());
        for bound in binding.nodes() {
            let scopes = Scopes::open(gpu);
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            given.push(gpu.room(&bound.name, bound.floats() as u64 * 4, usage));
            made.push(node(gpu, rig, bound, &rest, &given, &source_of));
            closing.push(scopes.close());
        }
        let (mut nodes, mut places, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for (i, ((made, given), closing)) in made.into_iter().zip(given).zip(closing).enumerate() {
            let (node, place) = match closing.await.and(made) {
                Ok(node) => (Some(node), Place::Device),
                Err(error) => {
                    refused.push((i, error.clone()));
                    (None, Place::Processor(error.reason()))
                }
            };
            nodes.push(Placed { node, given: given.ok() });
            places.push(place);
        }
        if refused.iter().any(|(_, error)| matches!(error, GpuError::Refused(_))) {
            gpu.forget_compiled();
        }
        gpu.trouble()?;
        place::settle(binding, &mut places, cfg!(not(target_family = "wasm")));
        for (placed, _) in nodes.iter_mut().zip(&places).filter(|(_, place)| !place.is_device()) {
            placed.node = None;
        }
        let here = places.iter().filter(|place| place.is_device()).count();
        if here == 0 {
            return Ok(Readied { graph: None, places, refused });
        }
        let scopes = Scopes::open(gpu);
        let floats = binding.nodes().iter().zip(&places).filter(|(_, p)| p.is_device()).map(|(n, _)| n.floats());
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let staging = gpu.room("read-back", floats.max().unwrap_or(0) as u64 * 4, usage);
        let timer = Timer::new(gpu, here);
        scopes.close().await?;
        let (staging, timer, vertices) = (staging?, timer?, binding.vertices());
        let graph = Self { gpu: gpu.clone(), binding: binding.clone(), rest, nodes, vertices, staging, timer };
        Ok(Readied { graph: Some(graph), places, refused })
    }

    /// Whether all of it lives here.
    pub fn is_whole(&self) -> bool {
        self.nodes.iter().all(|n| n.node.is_some())
    }

    /// Whether a node lives here.
    pub fn runs(&self, node: usize) -> bool {
        self.nodes[node].node.is_some()
    }

    /// What a node gives that somebody here gives or takes.
    fn given(&self, node: usize) -> &wgpu::Buffer {
        self.nodes[node].given.as_ref().expect("what is given or taken here has room here")
    }

    /// Sends rest points with other morphs; otherwise those of the rig are there already.
    pub fn set_rest(&mut self, rest: &[Vec3]) {
        assert_eq!(rest.len(), self.vertices, "the graph is bound to another rig");
        self.gpu.queue.write_buffer(&self.rest, 0, bytemuck::cast_slice(rest));
        for node in self.nodes.iter_mut().filter_map(|n| n.node.as_mut()) {
            node.set_rest(&self.gpu.queue, rest);
        }
    }

    /// Moves the points of a frame alone. They stay on the device.
    ///
    /// # Panics
    /// When some of the graph does not live here.
    pub fn run(&mut self, motion: &Motion) -> Result<(), GpuError> {
        assert!(self.is_whole(), "some of the graph runs on the processor: an engine runs both");
        let mut frame = self.begin(motion, Clock::first(0.0))?;
        (0..self.nodes.len()).for_each(|node| self.encode(&mut frame, node));
        self.end(frame)
    }

    /// Sends what a frame needs.
    pub(crate) fn begin(&mut self, motion: &Motion, clock: Clock) -> Result<wgpu::CommandEncoder, GpuError> {
        self.gpu.trouble()?;
        if !clock.follows {
            self.reset();
        }
        for node in self.nodes.iter_mut().filter_map(|n| n.node.as_mut()) {
            node.prepare(&self.gpu.queue, motion, clock);
        }
        Ok(self.gpu.device.create_command_encoder(&Default::default()))
    }

    /// Adds the work of a node to a frame.
    pub(crate) fn encode(&self, frame: &mut wgpu::CommandEncoder, node: usize) {
        let Some(living) = &self.nodes[node].node else { return };
        let number = self.nodes[..node].iter().filter(|n| n.node.is_some()).count();
        let timestamp_writes = self.timer.as_ref().map(|timer| timer.writes(number));
        let label = Some(self.binding.nodes()[node].name.as_str());
        living.encode(&mut frame.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes }));
    }

    /// Has done what a frame asks so far, and goes on with it.
    pub(crate) fn flush(&self, frame: &mut wgpu::CommandEncoder) {
        let done = std::mem::replace(frame, self.gpu.device.create_command_encoder(&Default::default()));
        self.gpu.queue.submit([done.finish()]);
    }

    /// Closes a frame.
    pub(crate) fn end(&self, mut frame: wgpu::CommandEncoder) -> Result<(), GpuError> {
        if let Some(timer) = &self.timer {
            timer.resolve(&mut frame);
        }
        self.gpu.queue.submit([frame.finish()]);
        self.gpu.trouble()
    }

    /// Puts there what a node gave on the processor.
    pub(crate) fn send(&self, node: usize, floats: &[f32]) {
        self.gpu.queue.write_buffer(self.given(node), 0, bytemuck::cast_slice(floats));
    }

    /// Brings back what a node gave; waits for it.
    pub(crate) fn bring(&self, node: usize, out: &mut [f32]) -> Result<(), GpuError> {
        let bytes = size_of_val(out) as u64;
        let take = |view: &[u8]| bytemuck::cast_slice_mut(out).copy_from_slice(view);
        fetch(&self.gpu, self.given(node), &self.staging, bytes, take)
    }

    /// Forgets earlier frames.
    pub fn reset(&mut self) {
        for node in self.nodes.iter_mut().filter_map(|n| n.node.as_mut()) {
            node.reset(&self.gpu.queue);
        }
    }

    /// Adds what its nodes remember to what those on the processor do.
    pub(crate) fn checkpoint(&self, with: &mut Checkpoint) -> Result<(), GpuError> {
        for (memory, placed) in with.nodes.iter_mut().zip(&self.nodes) {
            if let Some(node) = &placed.node {
                *memory = node.memory(&self.gpu)?;
            }
        }
        Ok(())
    }

    /// Goes on from where a checkpoint was taken.
    pub(crate) fn recall(&mut self, checkpoint: &Checkpoint) {
        self.reset();
        for (memory, placed) in checkpoint.nodes.iter().zip(&mut self.nodes) {
            if let (Some(memory), Some(node)) = (memory, &mut placed.node) {
                node.recall(&self.gpu.queue, memory);
            }
        }
    }

    /// The buffer that holds the result: three floats a vertex. What draws can read it without leaving the device.
    pub fn points(&self) -> &wgpu::Buffer {
        self.given(self.binding.output())
    }

    /// Fetches the result. On the desktop it waits for it; in the browser use [`GpuGraph::points`] and stay there.
    pub fn read(&self, out: &mut [Vec3]) -> Result<(), GpuError> {
        assert_eq!(out.len(), self.vertices, "the graph is bound to another rig");
        self.bring(self.binding.output(), bytemuck::cast_slice_mut(out))
    }

    /// Asks for the result without waiting for it.
    pub fn request_points(&self) -> Result<Fetch<Vec<Vec3>>, GpuError> {
        let decode = |view: &[u8]| bytemuck::pod_collect_to_vec(view);
        Fetch::new(&self.gpu, self.points(), self.vertices as u64 * 12, decode)
    }

    fn names(&self) -> Vec<String> {
        let here = self.binding.nodes().iter().zip(&self.nodes).filter(|(_, placed)| placed.node.is_some());
        here.map(|(bound, _)| bound.name.clone()).collect()
    }

    /// Asks for the times of the last run without waiting for them; none where the device has no clock.
    pub fn request_times(&self) -> Result<Option<Fetch<Vec<NodeTime>>>, GpuError> {
        let Some(timer) = &self.timer else { return Ok(None) };
        let names = self.names();
        timer.request(&self.gpu).map(|times| Some(times.map(move |times| named(&names, times))))
    }

    /// How long each node of the last run took, by timestamps on the device; none where it has no clock.
    pub fn times(&self) -> Result<Option<Vec<NodeTime>>, GpuError> {
        let Some(timer) = &self.timer else { return Ok(None) };
        Ok(Some(named(&self.names(), timer.read(&self.gpu)?)))
    }

    /// Bytes a frame must move at the least.
    pub fn bytes_per_frame(&self) -> usize {
        self.nodes.iter().filter_map(|n| n.node.as_ref()).map(|n| n.bytes_per_frame()).sum()
    }
}

/// A node made ready from what others give; the last of what is given is its own.
fn node(
    gpu: &Gpu,
    rig: &Rig,
    bound: &BoundNode,
    rest: &wgpu::Buffer,
    given: &[Result<wgpu::Buffer, GpuError>],
    source_of: impl Fn(&Twin) -> String,
) -> Result<Box<dyn GpuNode>, GpuError> {
    let twin = place::twin(bound.method)?;
    let given_by = |node: usize| given[node].as_ref().map_err(GpuError::clone);
    let own = given_by(given.len() - 1)?;
    let taken = |source: &Source| match source {
        Source::Rest => Ok(rest),
        Source::Node(i) => given_by(*i),
    };
    let inputs = bound.inputs.iter().map(taken).collect::<Result<_, _>>()?;
    let (method, source) = (bound.method, source_of(twin));
    (twin.make)(&Parts { gpu, rig, method, bound: &bound.bound, inputs, given: own, source: &source })
}

/// Catches what the device reports of all that is made between opening and closing.
struct Scopes {
    memory: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Scopes {
    fn open(gpu: &Gpu) -> Self {
        let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        Self { memory, validation: gpu.device.push_error_scope(wgpu::ErrorFilter::Validation) }
    }

    /// Closes both at once: scopes are a stack, and in a browser others come and go while one waits for what they caught.
    fn close(self) -> impl Future<Output = Result<(), GpuError>> {
        let (validation, memory) = (self.validation.pop(), self.memory.pop());
        async move {
            let wrong = validation.await;
            match memory.await.or(wrong) {
                None => Ok(()),
                Some(error) => Err(GpuError::Refused(one_line(&error.to_string()))),
            }
        }
    }
}

fn named(names: &[String], times: Vec<f64>) -> Vec<NodeTime> {
    let pairs = names.iter().cloned().zip(times);
    pairs.map(|(node, milliseconds)| NodeTime { node, milliseconds }).collect()
}
