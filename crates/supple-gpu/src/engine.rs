use crate::{Gpu, GpuError, GpuGraph};
use glam::Vec3;
use supple::{
    graph::{BoundGraph, DeformGraph, GraphError},
    pose::Motion,
    rig::Rig,
};

/// A graph that runs on the device while it can, and on the processor from then on. Both give the same result.
pub struct Engine {
    cpu: BoundGraph,
    gpu: Option<GpuGraph>,
    points: Vec<Vec3>,
    last_rest: Vec<Vec3>,
    notices: Vec<String>,
}

impl Engine {
    /// Binds on the processor, and on the device where one is given.
    pub async fn bind(graph: &DeformGraph, rig: &Rig, gpu: Option<&Gpu>) -> Result<Self, GraphError> {
        let cpu = graph.bind(rig)?;
        let mut notices = Vec::new();
        let gpu = match gpu {
            None => None,
            Some(gpu) => match GpuGraph::bind(gpu, graph, rig).await {
                Ok(bound) => Some(bound),
                Err(error) => {
                    notices.push(fallen_back(&error));
                    None
                }
            },
        };
        let last_rest = rig.mesh.positions.clone();
        Ok(Self { cpu, gpu, points: last_rest.clone(), last_rest, notices })
    }

    /// Moves the points of one frame and brings them back.
    pub fn evaluate(&mut self, rest: &[Vec3], motion: &Motion) -> &[Vec3] {
        if let Some(gpu) = &mut self.gpu {
            if rest != self.last_rest {
                self.last_rest.copy_from_slice(rest);
                gpu.set_rest(rest);
            }
            match gpu.run(motion).and_then(|()| gpu.read(&mut self.points)) {
                Ok(()) => return &self.points,
                Err(error) => {
                    self.notices.push(fallen_back(&error));
                    self.gpu = None;
                }
            }
        }
        self.cpu.evaluate(rest, motion)
    }

    /// Like [`Engine::evaluate`], straight into the caller's memory.
    ///
    /// # Panics
    /// When `rest` or `out` does not have as many points as the rig.
    pub fn evaluate_into(&mut self, rest: &[Vec3], motion: &Motion, out: &mut [Vec3]) {
        if self.gpu.is_some() {
            out.copy_from_slice(self.evaluate(rest, motion));
        } else {
            self.cpu.evaluate_into(rest, motion, out);
        }
    }

    /// Whether the device is still in use.
    pub fn on_device(&self) -> bool {
        self.gpu.is_some()
    }

    /// The graph on the device, while it is in use.
    pub fn device_graph(&mut self) -> Option<&mut GpuGraph> {
        self.gpu.as_mut()
    }

    /// The graph on the processor.
    pub fn processor_graph(&mut self) -> &mut BoundGraph {
        &mut self.cpu
    }

    /// Lines to show a person, each once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

fn fallen_back(error: &GpuError) -> String {
    format!("{error}; going on with the processor")
}
