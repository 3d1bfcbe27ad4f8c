use crate::{
    Fetch, Gpu, GpuError,
    clock::{Clock, fetch},
    node::{GpuNode, Parts, twins},
};
use glam::Vec3;
use supple::{
    graph::{DeformGraph, Source},
    pose::Motion,
    rig::Rig,
};
use wgpu::BufferUsages;

/// A graph living on the device.
pub struct GpuGraph {
    gpu: Gpu,
    rest: wgpu::Buffer,
    nodes: Vec<Placed>,
    output: usize,
    vertices: usize,
    staging: wgpu::Buffer,
    clock: Option<Clock>,
}

struct Placed {
    name: String,
    node: Box<dyn GpuNode>,
    points: wgpu::Buffer,
}

/// How long a node took on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeTime {
    /// Its name in the graph.
    pub node: String,
    /// Between the timestamps before and after it.
    pub milliseconds: f64,
}

impl GpuGraph {
    /// Readies a graph for a rig: compiles the kernels, sends the tables.
    pub async fn bind(gpu: &Gpu, graph: &DeformGraph, rig: &Rig) -> Result<Self, GpuError> {
        Self::bind_with(gpu, graph, rig, |twin| twin.source.to_owned()).await
    }

    /// The same with the kernels' text replaced: for tests that must see a broken kernel rejected.
    #[doc(hidden)]
    pub async fn bind_with(
        gpu: &Gpu,
        graph: &DeformGraph,
        rig: &Rig,
        source_of: impl Fn(&crate::Twin) -> String,
    ) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = Self::make(gpu, graph, rig, source_of);
        // Both at once: scopes are a stack, and in a browser others come and go while one waits.
        let (validation, memory) = (validation.pop(), memory.pop());
        let wrong = validation.await;
        let wrong = memory.await.or(wrong);
        if let Some(error) = wrong {
            return Err(GpuError::Lost(error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        made
    }

    fn make(
        gpu: &Gpu,
        graph: &DeformGraph,
        rig: &Rig,
        source_of: impl Fn(&crate::Twin) -> String,
    ) -> Result<Self, GpuError> {
        let vertices = rig.mesh.positions.len();
        let bytes = vertices as u64 * 12;
        let rest = gpu.storage("rest points", &rig.mesh.positions)?;
        let (wired, output) = graph.wiring();
        let mut nodes: Vec<Placed> = Vec::new();
        for wired in wired {
            let method = wired.deformer.method();
            let twin = twins().iter().find(|t| t.method == method).ok_or_else(|| {
                let reason = supple::graph::method(method).map_or("it is not registered", |m| match m.kernel {
                    supple::graph::Kernel::None(reason) => reason,
                    supple::graph::Kernel::Twin(_) => "this build does not hold it",
                });
                GpuError::NoKernel { method: method.into(), reason: reason.into() }
            })?;
            let points = gpu.room(wired.name, bytes, BufferUsages::STORAGE | BufferUsages::COPY_SRC)?;
            let buffer_of = |source: &Source| match source {
                Source::Rest => &rest,
                Source::Node(i) => &nodes[*i].points,
            };
            let inputs = wired.inputs.iter().map(buffer_of).collect();
            let source = source_of(twin);
            let parts = Parts { gpu, rig, deformer: wired.deformer, inputs, points: &points, source: &source };
            let node = (twin.make)(&parts)?;
            nodes.push(Placed { name: wired.name.to_owned(), node, points });
        }
        let staging = gpu.room("read-back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let clock = Clock::new(gpu, nodes.len())?;
        Ok(Self { gpu: gpu.clone(), rest, nodes, output, vertices, staging, clock })
    }

    /// Sends rest points with other morphs; otherwise those of the rig are there already.
    pub fn set_rest(&mut self, rest: &[Vec3]) {
        assert_eq!(rest.len(), self.vertices, "the graph is bound to another rig");
        self.gpu.queue.write_buffer(&self.rest, 0, bytemuck::cast_slice(rest));
        for placed in &mut self.nodes {
            placed.node.set_rest(&self.gpu.queue, rest);
        }
    }

    /// Moves the points along a motion. They stay on the device.
    pub fn run(&mut self, motion: &Motion) -> Result<(), GpuError> {
        self.gpu.trouble()?;
        for placed in &mut self.nodes {
            placed.node.prepare(&self.gpu.queue, motion);
        }
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for (i, placed) in self.nodes.iter().enumerate() {
            let timestamp_writes = self.clock.as_ref().map(|clock| clock.writes(i));
            let descriptor = wgpu::ComputePassDescriptor { label: Some(&placed.name), timestamp_writes };
            placed.node.encode(&mut encoder.begin_compute_pass(&descriptor));
        }
        if let Some(clock) = &self.clock {
            clock.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.trouble()
    }

    /// The buffer that holds the result: three floats a vertex. What draws can read it without leaving the device.
    pub fn points(&self) -> &wgpu::Buffer {
        &self.nodes[self.output].points
    }

    /// Fetches the result. On the desktop it waits for it; in the browser use [`GpuGraph::points`] and stay there.
    pub fn read(&self, out: &mut [Vec3]) -> Result<(), GpuError> {
        assert_eq!(out.len(), self.vertices, "the graph is bound to another rig");
        let bytes = self.vertices as u64 * 12;
        let take = |view: &[u8]| bytemuck::cast_slice_mut(out).copy_from_slice(view);
        fetch(&self.gpu, self.points(), &self.staging, bytes, take)
    }

    /// Asks for the result without waiting for it.
    pub fn request_points(&self) -> Result<Fetch<Vec<Vec3>>, GpuError> {
        let decode = |view: &[u8]| bytemuck::pod_collect_to_vec(view);
        Fetch::new(&self.gpu, self.points(), self.vertices as u64 * 12, decode)
    }

    /// Asks for the times of the last run without waiting for them; none where the device has no clock.
    pub fn request_times(&self) -> Result<Option<Fetch<Vec<NodeTime>>>, GpuError> {
        let Some(clock) = &self.clock else { return Ok(None) };
        let names: Vec<String> = self.nodes.iter().map(|n| n.name.clone()).collect();
        let named = move |times: Vec<f64>| {
            let pairs = names.iter().cloned().zip(times);
            pairs.map(|(node, milliseconds)| NodeTime { node, milliseconds }).collect()
        };
        clock.request(&self.gpu).map(|times| Some(times.map(named)))
    }

    /// How long each node of the last run took, by timestamps on the device; none where it has no clock.
    pub fn times(&self) -> Result<Option<Vec<NodeTime>>, GpuError> {
        let Some(clock) = &self.clock else { return Ok(None) };
        let times = clock.read(&self.gpu)?;
        let named = |(placed, milliseconds): (&Placed, f64)| NodeTime { node: placed.name.clone(), milliseconds };
        Ok(Some(self.nodes.iter().zip(times).map(named).collect()))
    }

    /// Bytes a frame must move at the least.
    pub fn bytes_per_frame(&self) -> usize {
        self.nodes.iter().map(|n| n.node.bytes_per_frame()).sum()
    }
}
