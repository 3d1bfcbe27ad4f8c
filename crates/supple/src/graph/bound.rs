use super::{Binding, BoundNode, MOST_INPUTS, Source};
use crate::{
    deform::{Clock, Frame, Memory, State, Values},
    pose::Motion,
};
use glam::Vec3;
use std::sync::Arc;

/// A run of a [`Binding`] on the processor: the state and the last result of every node. Evaluating neither fails nor allocates.
pub struct BoundGraph {
    binding: Arc<Binding>,
    /// None for nodes that run elsewhere.
    states: Vec<Option<Box<dyn State>>>,
    /// What each node gave last, row after row.
    given: Vec<Vec<f32>>,
}

/// What the nodes of a graph remember of earlier frames. Any run of the same binding can continue from it, on the processor or on a
/// device, as often as needed.
#[derive(Clone, Default)]
pub struct Checkpoint {
    /// One for each node that remembers anything.
    pub nodes: Vec<Option<Memory>>,
}

impl BoundGraph {
    /// Takes the memory to run a binding.
    pub fn of(binding: Arc<Binding>) -> Self {
        Self::of_nodes(binding, |_| true)
    }

    /// Takes the memory for some of the nodes: the others run elsewhere, and [`BoundGraph::run_node`] is the way to run these.
    pub fn of_nodes(binding: Arc<Binding>, runs: impl Fn(usize) -> bool) -> Self {
        let state = |(i, node): (usize, &BoundNode)| runs(i).then(|| node.bound.clone().state());
        let states = binding.nodes().iter().enumerate().map(state).collect();
        let given = binding.nodes().iter().map(|n| vec![0.0; n.floats()]).collect();
        Self { binding, states, given }
    }

    /// What it runs.
    pub fn binding(&self) -> &Arc<Binding> {
        &self.binding
    }

    /// Moves the rest points (morphs added) along a motion, in a frame alone: what was before does not matter.
    ///
    /// # Panics
    /// When `rest` does not have as many points, or `motion` as many joints, as the rig the graph was bound to.
    pub fn evaluate(&mut self, rest: &[Vec3], motion: &Motion) -> &[Vec3] {
        self.step(rest, motion, Clock::first(0.0))
    }

    /// Moves the rest points (morphs added) along a motion. A frame that follows the last one goes on from it; any other starts anew.
    ///
    /// # Panics
    /// As [`BoundGraph::evaluate`].
    pub fn step(&mut self, rest: &[Vec3], motion: &Motion, clock: Clock) -> &[Vec3] {
        self.begin(clock);
        for i in 0..self.states.len() {
            let mut given = std::mem::take(&mut self.given[i]);
            self.run(i, rest, motion, clock, &mut given);
            self.given[i] = given;
        }
        self.points()
    }

    /// Like [`BoundGraph::step`], straight into the caller's memory: the last node writes there, and nothing is copied.
    ///
    /// # Panics
    /// As `step`, and when `out` does not have as many points.
    pub fn step_into(&mut self, rest: &[Vec3], motion: &Motion, clock: Clock, out: &mut [Vec3]) {
        assert_eq!(rest.len(), out.len(), "the graph is bound to another rig");
        let output = self.binding.output();
        if self.binding.nodes().iter().any(|n| n.inputs.contains(&Source::Node(output))) {
            out.copy_from_slice(self.step(rest, motion, clock));
            return;
        }
        self.begin(clock);
        for i in 0..self.states.len() {
            if i == output {
                self.run(i, rest, motion, clock, bytemuck::cast_slice_mut(out));
                continue;
            }
            let mut given = std::mem::take(&mut self.given[i]);
            self.run(i, rest, motion, clock, &mut given);
            self.given[i] = given;
        }
    }

    /// The result of the last frame that was not written elsewhere.
    pub fn points(&self) -> &[Vec3] {
        bytemuck::cast_slice(&self.given[self.binding.output()])
    }

    /// Begins a frame whose nodes are [run](BoundGraph::run_node) one by one.
    pub fn begin(&mut self, clock: Clock) {
        if !clock.follows {
            self.reset();
        }
    }

    /// Runs one node from what others have given.
    fn run(&mut self, i: usize, rest: &[Vec3], motion: &Motion, clock: Clock, out: &mut [f32]) {
        assert_eq!(rest.len(), self.binding.vertices(), "the graph is bound to another rig");
        let node = &self.binding.nodes()[i];
        let mut inputs = [Values::default(); MOST_INPUTS];
        for (slot, source) in inputs.iter_mut().zip(&node.inputs) {
            *slot = match source {
                Source::Rest => Values::of(rest),
                Source::Node(n) => Values { floats: &self.given[*n] },
            };
        }
        let state = self.states[i].as_mut().expect("the node runs here");
        state.run(&Frame { motion, inputs: &inputs[..node.inputs.len()], clock }, out);
    }

    /// Runs one node alone, whose inputs have been [put](Self::put) there: for who shares the nodes out between this and a device.
    ///
    /// # Panics
    /// When there is no such node here, or as `step`.
    pub fn run_node(&mut self, node: usize, rest: &[Vec3], motion: &Motion, clock: Clock) {
        let mut given = std::mem::take(&mut self.given[node]);
        self.run(node, rest, motion, clock, &mut given);
        self.given[node] = given;
    }

    /// What a node gave last.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn given(&self, node: usize) -> &[f32] {
        &self.given[node]
    }

    /// Where to put what a node gave elsewhere.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn put(&mut self, node: usize) -> &mut [f32] {
        &mut self.given[node]
    }

    /// Forgets earlier frames.
    pub fn reset(&mut self) {
        self.states.iter_mut().flatten().for_each(|state| state.reset());
    }

    /// A copy of all that is remembered of earlier frames.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { nodes: self.states.iter().map(|state| state.as_ref().and_then(|state| state.memory())).collect() }
    }

    /// Goes on from where a checkpoint was taken.
    pub fn recall(&mut self, checkpoint: &Checkpoint) {
        self.reset();
        for (state, memory) in self.states.iter_mut().zip(&checkpoint.nodes) {
            if let (Some(state), Some(memory)) = (state, memory) {
                state.recall(memory);
            }
        }
    }

    /// Bytes a frame must move at the least, over all nodes.
    pub fn bytes_per_frame(&self) -> usize {
        self.binding.bytes_per_frame()
    }

    /// What binding had to leave out or guess, with the node it concerns.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.binding.notes()
    }
}
