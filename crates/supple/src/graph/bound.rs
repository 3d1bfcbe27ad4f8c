use super::{DeformGraph, GraphError, MOST_INPUTS, Source};
use crate::{
    deform::{Bound, Frame},
    pose::Motion,
    rig::Rig,
};
use glam::Vec3;

/// A graph ready to run on one rig. Evaluating neither fails nor allocates.
pub struct BoundGraph {
    nodes: Vec<BoundNode>,
    output: usize,
}

struct BoundNode {
    name: String,
    bound: Box<dyn Bound>,
    inputs: Vec<Source>,
    points: Vec<Vec3>,
}

impl BoundGraph {
    pub(super) fn new(graph: &DeformGraph, rig: &Rig) -> Result<Self, GraphError> {
        let bind = |node: &super::Node| -> Result<BoundNode, GraphError> {
            let bound = node.deformer.bind(rig)?;
            let points = rig.mesh.positions.clone();
            Ok(BoundNode { name: node.name.clone(), bound, inputs: node.inputs.clone(), points })
        };
        let nodes = graph.nodes.iter().map(bind).collect::<Result<_, _>>()?;
        Ok(Self { nodes, output: graph.output })
    }

    /// Moves the rest points (morphs added) along a motion.
    ///
    /// # Panics
    /// When `rest` does not have as many points, or `motion` as many joints, as the rig the graph was bound to.
    pub fn evaluate(&mut self, rest: &[Vec3], motion: &Motion) -> &[Vec3] {
        for i in 0..self.nodes.len() {
            let mut points = std::mem::take(&mut self.nodes[i].points);
            self.run(i, rest, motion, &mut points);
            self.nodes[i].points = points;
        }
        &self.nodes[self.output].points
    }

    /// Like [`BoundGraph::evaluate`], straight into the caller's memory: the last node writes there, and nothing is copied.
    ///
    /// # Panics
    /// As `evaluate`, and when `out` does not have as many points.
    pub fn evaluate_into(&mut self, rest: &[Vec3], motion: &Motion, out: &mut [Vec3]) {
        let is_read = |n: &BoundNode| n.inputs.contains(&Source::Node(self.output));
        if self.nodes.iter().any(is_read) {
            out.copy_from_slice(self.evaluate(rest, motion));
            return;
        }
        for i in 0..self.nodes.len() {
            if i == self.output {
                self.run(i, rest, motion, out);
                continue;
            }
            let mut points = std::mem::take(&mut self.nodes[i].points);
            self.run(i, rest, motion, &mut points);
            self.nodes[i].points = points;
        }
    }

    fn run(&mut self, i: usize, rest: &[Vec3], motion: &Motion, out: &mut [Vec3]) {
        assert_eq!(rest.len(), out.len(), "the graph is bound to another rig");
        let (before, rest_of) = self.nodes.split_at_mut(i);
        let node = &mut rest_of[0];
        let mut inputs = [&[] as &[Vec3]; MOST_INPUTS];
        for (slot, source) in inputs.iter_mut().zip(&node.inputs) {
            *slot = match source {
                Source::Rest => rest,
                Source::Node(n) => &before[*n].points,
            };
        }
        node.bound.deform(&Frame { motion, inputs: &inputs[..node.inputs.len()] }, out);
    }

    /// Forgets earlier frames.
    pub fn reset(&mut self) {
        for node in &mut self.nodes {
            node.bound.reset();
        }
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
