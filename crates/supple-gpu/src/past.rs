//! What is gone on from when a device is lost with all that its nodes remember.

use crate::GpuError;
use glam::Vec3;
use std::sync::Arc;
use supple::{
    deform::Clock,
    graph::{BoundGraph, Checkpoint},
    pose::Motion,
};

/// Frames from one checkpoint to the next: a checkpoint waits for the device, and as many frames are run again when that is lost.
const BETWEEN_CHECKPOINTS: usize = 16;

/// A checkpoint, and the frames since.
#[derive(Default)]
pub(crate) struct Past {
    checkpoint: Checkpoint,
    since: Vec<Noted>,
}

/// A frame to be run again. Frames without other morphs between them share their rest points.
struct Noted {
    rest: Arc<Vec<Vec3>>,
    motion: Motion,
    clock: Clock,
}

impl Past {
    /// Nothing but a checkpoint.
    pub fn from(checkpoint: Checkpoint) -> Self {
        Self { checkpoint, since: Vec::new() }
    }

    /// Notes a frame before it is tried, so that one which is lost on its way is run again too. Now and then `checkpoint` takes a copy
    /// of what is remembered before the frame, and no earlier frame is needed any more.
    pub fn note(
        &mut self,
        rest: &Arc<Vec<Vec3>>,
        motion: &Motion,
        clock: Clock,
        checkpoint: impl FnOnce() -> Result<Checkpoint, GpuError>,
    ) -> Result<(), GpuError> {
        if !clock.follows {
            *self = Self::default();
        }
        let is_due = self.since.len() >= BETWEEN_CHECKPOINTS;
        // First of all: the device may be lost while the checkpoint is taken.
        self.since.push(Noted { rest: rest.clone(), motion: motion.clone(), clock });
        if is_due {
            self.checkpoint = checkpoint()?;
            self.since.drain(..self.since.len() - 1);
        }
        Ok(())
    }

    /// Runs the frames since the checkpoint again.
    pub fn run_again(&self, on_processor: &mut BoundGraph) {
        on_processor.recall(&self.checkpoint);
        for Noted { rest, motion, clock } in &self.since {
            on_processor.step(rest, motion, *clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_share_their_rest_points_and_a_checkpoint_lets_go_of_them() {
        let (mut past, rest, motion) = (Past::default(), Arc::new(vec![Vec3::ZERO; 3]), Motion::default());
        for frame in 0..BETWEEN_CHECKPOINTS {
            let clock = Clock::frame(frame, 0, 30.0);
            past.note(&rest, &motion, clock, || panic!("it is too early")).expect("nothing is asked");
            assert_eq!(Arc::strong_count(&rest), frame + 2);
        }
        let clock = Clock::frame(BETWEEN_CHECKPOINTS, 0, 30.0);
        past.note(&rest, &motion, clock, || Err(GpuError::Lost("it went".into()))).expect_err("it is lost");
        assert_eq!(past.since.len(), BETWEEN_CHECKPOINTS + 1, "the frame is there though the device is not");
        past.note(&rest, &motion, clock, || Ok(Checkpoint::default())).expect("it is there");
        assert_eq!(Arc::strong_count(&rest), 2, "the last frame alone is left");
    }
}
