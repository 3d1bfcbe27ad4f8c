/// A clock for clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Runs.
    pub playing: bool,
    /// Times real time; may be negative.
    pub speed: f64,
    /// From the end to the start again.
    pub looped: bool,
    /// Seconds.
    pub time: f64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: false, speed: 1.0, looped: true, time: 0.0 }
    }
}

impl Playback {
    /// Lets time pass in a clip of that length. At an end without a loop it stops.
    pub fn advance(&mut self, seconds: f64, duration: f64) {
        if !self.playing || !seconds.is_finite() {
            return;
        }
        let next = self.time + seconds * self.speed;
        if duration <= 0.0 {
            (self.time, self.playing) = (0.0, false);
        } else if self.looped {
            self.time = next.rem_euclid(duration);
        } else if next >= duration || next < 0.0 {
            (self.time, self.playing) = (next.clamp(0.0, duration), false);
        } else {
            self.time = next;
        }
    }
}
