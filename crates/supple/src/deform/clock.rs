/// When a frame is, and whether it goes on from the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Seconds.
    pub time: f64,
    /// Seconds since the frame before.
    pub step: f64,
    /// Whether it follows the frame that was evaluated last. A frame that does not starts anew: methods forget what they remember.
    pub follows: bool,
}

impl Clock {
    /// A frame alone, or the first of a sequence.
    pub fn first(time: f64) -> Self {
        Self { time, step: 0.0, follows: false }
    }

    /// The frame after another, so many seconds later.
    pub fn after(before: Self, step: f64) -> Self {
        Self { time: before.time + step, step, follows: true }
    }

    /// Frame number `frame` of a sequence that is evaluated in order from frame `first` on.
    pub fn frame(frame: usize, first: usize, fps: f64) -> Self {
        let time = frame as f64 / fps;
        if frame == first { Self::first(time) } else { Self { time, step: 1.0 / fps, follows: true } }
    }
}
