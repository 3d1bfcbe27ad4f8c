//! Clips from a few numbers.

use crate::pose::{Channel, Clip, Interpolation, Track};
use glam::{DQuat, DVec3};

/// Turns of joints over time, all with the same keys.
pub(super) struct Motions {
    times: std::sync::Arc<[f32]>,
    tracks: Vec<Track>,
}

impl Motions {
    /// Keys `count` steps apart over so many seconds.
    pub fn over(seconds: f64, steps: usize) -> Self {
        let times = (0..=steps).map(|k| (seconds * k as f64 / steps as f64) as f32).collect();
        Self { times, tracks: Vec::new() }
    }

    fn add(&mut self, channel: Channel, values: Vec<f32>) {
        let times = self.times.clone();
        self.tracks.push(Track { channel, interpolation: Interpolation::Linear, times, values: values.into() });
    }

    /// A joint's rotation as a function of the part of the clip that has passed.
    pub fn turn(&mut self, joint: usize, rotation: impl Fn(f64) -> DQuat) {
        let last = (self.times.len() - 1) as f64;
        let keys = (0..self.times.len()).flat_map(|k| rotation(k as f64 / last).to_array());
        let values = keys.map(|x| x as f32).collect();
        self.add(Channel::Rotation(joint), values);
    }

    /// A joint's local translation likewise.
    pub fn shift(&mut self, joint: usize, translation: impl Fn(f64) -> DVec3) {
        let last = (self.times.len() - 1) as f64;
        let keys = (0..self.times.len()).flat_map(|k| translation(k as f64 / last).to_array());
        let values = keys.map(|x| x as f32).collect();
        self.add(Channel::Translation(joint), values);
    }

    pub fn clip(self, name: &str) -> Clip {
        Clip::new(name, self.tracks).expect("keys are finite and ascend")
    }
}

/// A rotation by degrees.
pub(super) fn turned(axis: DVec3, degrees: f64) -> DQuat {
    DQuat::from_axis_angle(axis.normalize(), degrees.to_radians())
}

/// From zero to one with level ends.
pub(super) fn ease(t: f64) -> f64 {
    super::skin::smoothstep(0.0, 1.0, t)
}
