use crate::{
    deform::{Bound, Clock, Frame, Values, implicit::BoundImplicit, points_of},
    graph::{Binding, DeformGraph},
    pose::Motion,
    rig::Rig,
};
use glam::Vec3;
use std::sync::Arc;

/// What a method that corrects another one begins from; for any other method dual quaternions.
const USUAL: &str = "dual-quaternion";

/// The start of a method, bound to a rig: what the harm that it does is measured against.
#[derive(Clone)]
pub struct Start {
    bound: Arc<dyn Bound>,
}

impl Start {
    /// None where not even dual quaternions suit the rig.
    pub fn of(rig: &Rig, binding: &Binding) -> Option<Self> {
        if let Some(implicit) = binding.last::<BoundImplicit>() {
            return Some(Self { bound: implicit.start.clone() });
        }
        let usual = DeformGraph::single(USUAL).expect("it is registered").binding(rig).ok()?;
        Some(Self { bound: usual.nodes()[usual.output()].bound.clone() })
    }

    /// Where it takes the rest points (morphs added) in a pose.
    ///
    /// # Panics
    /// When `rest` does not have as many points, or `motion` as many joints, as the rig.
    pub fn points(&self, rest: &[Vec3], motion: &Motion) -> Vec<Vec3> {
        let mut out = vec![0.0; 3 * rest.len()];
        let frame = Frame { motion, inputs: &[Values::of(rest)], clock: Clock::first(0.0) };
        self.bound.clone().state().run(&frame, &mut out);
        points_of(&mut out).to_vec()
    }
}

/// How much a correction changes from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Pop {
    last: Vec<Vec3>,
}

impl Pop {
    /// The largest change, over the diagonal, of how far a vertex is from its start, since the frame before; none in a frame that
    /// follows none.
    pub fn since(&mut self, start: &[Vec3], posed: &[Vec3], diagonal: f64, clock: Clock) -> Option<f64> {
        let now: Vec<Vec3> = posed.iter().zip(start).map(|(p, s)| p - s).collect();
        let change = now.iter().zip(&self.last).map(|(n, l)| f64::from(n.distance(*l)));
        let follows = clock.follows && self.last.len() == now.len() && diagonal > 0.0;
        let found = follows.then(|| change.fold(0.0, f64::max) / diagonal).filter(|p| p.is_finite());
        self.last = now;
        found
    }
}
