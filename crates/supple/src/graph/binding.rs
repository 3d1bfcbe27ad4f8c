use super::{BoundGraph, DeformGraph, GraphError, Source};
use crate::{
    deform::{Bound, Kind, Settings},
    rig::Rig,
};
use std::{any::Any, sync::Arc};

/// A graph made ready for one rig: immutable, made once, and shared by all who run it or look at it, on the processor, on a device
/// and in gauges.
pub struct Binding {
    nodes: Vec<BoundNode>,
    output: usize,
    vertices: usize,
}

/// A node of it.
pub struct BoundNode {
    /// Unique in its graph.
    pub name: String,
    /// Its method.
    pub method: &'static str,
    /// Its settings, complete.
    pub settings: Settings,
    /// Ready for the rig.
    pub bound: Arc<dyn Bound>,
    /// Where it takes what it works on, in the order of its ports; optional ones may be missing.
    pub inputs: Vec<Source>,
    /// What it gives.
    pub kind: Kind,
    /// How many rows of that.
    pub rows: usize,
}

impl BoundNode {
    /// Floats that it gives.
    pub fn floats(&self) -> usize {
        self.rows * self.kind.width()
    }
}

impl Binding {
    /// `before` is a binding to the same rig, from which nodes take over what they can.
    pub(super) fn new(graph: &DeformGraph, rig: &Rig, before: Option<&Self>) -> Result<Self, GraphError> {
        let vertices = rig.mesh.positions.len();
        let bind = |node: &super::Node| -> Result<BoundNode, GraphError> {
            let (method, settings) = (node.deformer.method(), node.deformer.settings());
            let same = |n: &&BoundNode| n.name == node.name && n.method == method;
            let bound = match before.and_then(|b| b.nodes.iter().find(same)) {
                None => node.deformer.bind(rig)?,
                Some(known) if known.settings == settings => known.bound.clone(),
                Some(known) => node.deformer.rebind(rig, &known.bound)?,
            };
            let (kind, rows) = (node.deformer.output(), bound.rows(vertices));
            if kind.is_per_vertex() && rows != vertices {
                return Err(GraphError::Rows { node: node.name.clone(), method, kind, rows, vertices });
            }
            Ok(BoundNode { name: node.name.clone(), method, settings, inputs: node.inputs.clone(), kind, rows, bound })
        };
        let nodes = graph.nodes.iter().map(bind).collect::<Result<_, _>>()?;
        Ok(Self { nodes, output: graph.output, vertices })
    }

    /// The nodes, in the order they run.
    pub fn nodes(&self) -> &[BoundNode] {
        &self.nodes
    }

    /// Which of them gives the result.
    pub fn output(&self) -> usize {
        self.output
    }

    /// Vertices of the rig.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// One who runs it.
    pub fn run(self: &Arc<Self>) -> BoundGraph {
        BoundGraph::of(self.clone())
    }

    /// The last node of a method, by the type that it is bound as.
    pub fn last<B: Bound>(&self) -> Option<Arc<B>> {
        let found = |n: &BoundNode| (n.bound.clone() as Arc<dyn Any + Send + Sync>).downcast::<B>().ok();
        self.nodes.iter().rev().find_map(found)
    }

    /// Whether a frame depends on the frames before it.
    pub fn remembers(&self) -> bool {
        self.nodes.iter().any(|n| n.bound.remembers())
    }

    /// What a person is told of a pose by itself, where a frame depends on the frames before it.
    pub fn starts_anew(&self) -> Option<String> {
        let names: Vec<&str> = self.nodes.iter().filter(|n| n.bound.remembers()).map(|n| n.name.as_str()).collect();
        let remember = if names.len() == 1 { "remembers" } else { "remember" };
        (!names.is_empty())
            .then(|| format!("{}: {remember} earlier frames; a single pose starts anew", names.join(", ")))
    }

    /// Bytes a frame must move at the least, over all nodes.
    pub fn bytes_per_frame(&self) -> usize {
        self.nodes.iter().map(|n| n.bound.bytes_per_frame()).sum()
    }

    /// What binding had to leave out or guess, with the node it concerns.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.nodes.iter().flat_map(|n| n.bound.notes().iter().map(|note| (n.name.as_str(), note.as_str())))
    }

    /// Names of the nodes, in the order they run.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|n| n.name.as_str())
    }
}
