use super::{
    Pose,
    file::{FARTHEST, size},
};
use crate::{
    math::{Trs, rounded},
    rig::Rig,
};
use glam::{DQuat, DVec3};
use std::sync::Arc;
use thiserror::Error;

/// An animation: tracks of keys, sampled at any time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// For people; `--clip` finds it.
    pub name: String,
    tracks: Vec<Track>,
    duration: f32,
}

/// The keys of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What it moves.
    pub channel: Channel,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
    /// Seconds, strictly ascending.
    pub times: Arc<[f32]>,
    /// `channel.width()` numbers per key; three times as many for cubic splines (in-tangent, value, out-tangent).
    pub values: Arc<[f32]>,
}

/// What a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// Local translation of a joint.
    Translation(usize),
    /// Local rotation of a joint, (x, y, z, w).
    Rotation(usize),
    /// Local scale of a joint.
    Scale(usize),
    /// Weight of a morph.
    Morph(usize),
}

/// How a track goes from key to key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Stays at the earlier key.
    Step,
    /// In a straight line; rotations along the shortest arc.
    #[default]
    Linear,
    /// glTF's cubic Hermite splines.
    CubicSpline,
}

/// Why keys do not make a clip.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ClipError {
    /// No keys.
    #[error("clip \"{clip}\", track {track} has no keys")]
    Empty {
        /// The clip.
        clip: String,
        /// Which track.
        track: usize,
    },
    /// Times must be finite, not negative and ascend.
    #[error(
        "clip \"{clip}\", track {track}: time {time} of key {key} is negative, not finite, or not after the one before"
    )]
    Times {
        /// The clip.
        clip: String,
        /// Which track.
        track: usize,
        /// Which key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// The number of values does not follow from the number of keys.
    #[error("clip \"{clip}\", track {track} has {found} values for {keys} keys, expected {expected}")]
    Count {
        /// The clip.
        clip: String,
        /// Which track.
        track: usize,
        /// How many there are.
        found: usize,
        /// Keys.
        keys: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Not a rate that frames can have.
    #[error("{fps} frames a second: more than 0 and at most 10000 is expected")]
    Rate {
        /// What was asked for.
        fps: f64,
    },
    /// A clip that lasts for ever.
    #[error(
        "clip \"{clip}\" lasts {} s: {} frames are more than anybody bakes, check the file",
        rounded(f64::from(*.duration)),
        rounded(*.frames)
    )]
    TooLong {
        /// The clip.
        clip: String,
        /// In seconds.
        duration: f32,
        /// How many there would be.
        frames: f64,
    },
    /// A value is NaN or infinite.
    #[error("clip \"{clip}\", track {track}: value {index} is not finite")]
    Values {
        /// The clip.
        clip: String,
        /// Which track.
        track: usize,
        /// Index into the values.
        index: usize,
    },
}

impl Channel {
    /// Numbers per value.
    pub fn width(self) -> usize {
        match self {
            Self::Translation(_) | Self::Scale(_) => 3,
            Self::Rotation(_) => 4,
            Self::Morph(_) => 1,
        }
    }

    /// The joint it moves.
    pub fn joint(self) -> Option<usize> {
        match self {
            Self::Translation(j) | Self::Rotation(j) | Self::Scale(j) => Some(j),
            Self::Morph(_) => None,
        }
    }
}

impl Clip {
    /// Checks the keys and sorts the tracks by what they move.
    pub fn new(name: impl Into<String>, mut tracks: Vec<Track>) -> Result<Self, ClipError> {
        let name = name.into();
        for (track, t) in tracks.iter().enumerate() {
            let clip = || name.clone();
            if t.times.is_empty() {
                return Err(ClipError::Empty { clip: clip(), track });
            }
            let mut before = None;
            for (key, &time) in t.times.iter().enumerate() {
                if !(time.is_finite() && time >= 0.0 && before.is_none_or(|b| time > b)) {
                    return Err(ClipError::Times { clip: clip(), track, key, time });
                }
                before = Some(time);
            }
            let per_key = t.channel.width() * if t.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let (keys, found, expected) = (t.times.len(), t.values.len(), t.times.len() * per_key);
            if found != expected {
                return Err(ClipError::Count { clip: clip(), track, found, keys, expected });
            }
            if let Some(index) = t.values.iter().position(|v| !v.is_finite()) {
                return Err(ClipError::Values { clip: clip(), track, index });
            }
        }
        // Translation, rotation and scale of a joint stand together, so that sampling composes each joint once.
        tracks.sort_by_key(|t| (t.channel.joint().unwrap_or(usize::MAX), t.channel));
        let duration = tracks.iter().filter_map(|t| t.times.last()).fold(0.0, |a: f32, &b| a.max(b));
        Ok(Self { name, tracks, duration })
    }

    /// Time of the last key, in seconds.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// How many frames the clip has at so many a second, both ends counted.
    pub fn frames(&self, fps: f64) -> Result<usize, ClipError> {
        if !(fps.is_finite() && fps > 0.0 && fps <= 10_000.0) {
            return Err(ClipError::Rate { fps });
        }
        // A clip of one second at 30 frames a second has 31 of them; a hair of rounding must not lose the last.
        let frames = (f64::from(self.duration) * fps + 1e-4).floor();
        if frames > 1e7 {
            return Err(ClipError::TooLong { clip: self.name.clone(), duration: self.duration, frames });
        }
        Ok(frames as usize + 1)
    }

    /// The tracks, by joint.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The first joint that is moved or scaled a million times out of proportion, in words. Such a clip is no mistake of the
    /// format, but nothing is to be seen of the character.
    pub fn doubt(&self, rig: &Rig) -> Option<String> {
        let size = size(rig);
        let found = self.tracks.iter().find_map(|track| {
            let (joint, unit, done) = match track.channel {
                Channel::Translation(joint) => (joint, size, "moved"),
                Channel::Scale(joint) => (joint, 1.0, "scaled"),
                Channel::Rotation(_) | Channel::Morph(_) => return None,
            };
            let largest = track.values.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
            (f64::from(largest) > FARTHEST * unit).then_some((joint, done, largest))
        });
        let (joint, done, by) = found?;
        let (joint, by) = (&rig.skeleton.joints()[joint].name, rounded(f64::from(by)));
        Some(format!("joint \"{joint}\" is {done} by {by}, more than a million times the character's size"))
    }

    /// The pose at a time. Before the first key and after the last the ends hold.
    pub fn sample(&self, rig: &Rig, seconds: f64) -> Pose {
        let mut pose = Pose::shown(rig);
        self.sample_into(rig, seconds, &mut pose);
        pose
    }

    /// Like [`Clip::sample`], reusing the memory.
    pub fn sample_into(&self, rig: &Rig, seconds: f64, pose: &mut Pose) {
        pose.set_shown(rig);
        let mut at = 0;
        while let Some(first) = self.tracks.get(at) {
            let Some(joint) = first.channel.joint() else { break };
            let Some(local) = pose.local.get_mut(joint) else { break };
            let mut trs = Trs::of(local);
            while let Some(track) = self.tracks.get(at).filter(|t| t.channel.joint() == Some(joint)) {
                let v = track.value(seconds);
                match track.channel {
                    Channel::Translation(_) => trs.translation = DVec3::new(v[0], v[1], v[2]),
                    Channel::Scale(_) => trs.scale = DVec3::new(v[0], v[1], v[2]),
                    _ => trs.rotation = unit(v),
                }
                at += 1;
            }
            *local = trs.affine();
        }
        for track in &self.tracks[at..] {
            if let Channel::Morph(morph) = track.channel
                && let Some(weight) = pose.morph_weights.get_mut(morph)
            {
                *weight = track.value(seconds)[0] as f32;
            }
        }
    }
}

impl Track {
    /// The value at a time, in the first `channel.width()` entries.
    pub fn value(&self, seconds: f64) -> [f64; 4] {
        let (times, cubic) = (&self.times, self.interpolation == Interpolation::CubicSpline);
        let last = times.len() - 1;
        let middle = usize::from(cubic);
        let part = |key: usize, which: usize| self.row(key * if cubic { 3 } else { 1 } + which);
        if seconds <= f64::from(times[0]) {
            return part(0, middle);
        }
        if seconds >= f64::from(times[last]) {
            return part(last, middle);
        }
        let key = times.partition_point(|&t| f64::from(t) <= seconds) - 1;
        let (t0, t1) = (f64::from(times[key]), f64::from(times[key + 1]));
        let (dt, u) = (t1 - t0, (seconds - t0) / (t1 - t0));
        let (a, b) = (part(key, middle), part(key + 1, middle));
        match self.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear if matches!(self.channel, Channel::Rotation(_)) => arc(a, b, u),
            Interpolation::Linear => std::array::from_fn(|i| a[i] + u * (b[i] - a[i])),
            Interpolation::CubicSpline => {
                let (out_a, in_b) = (part(key, 2), part(key + 1, 0));
                let (u2, u3) = (u * u, u * u * u);
                std::array::from_fn(|i| {
                    (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                        + dt * (u3 - 2.0 * u2 + u) * out_a[i]
                        + (3.0 * u2 - 2.0 * u3) * b[i]
                        + dt * (u3 - u2) * in_b[i]
                })
            }
        }
    }

    fn row(&self, row: usize) -> [f64; 4] {
        let width = self.channel.width();
        let values = &self.values[row * width..(row + 1) * width];
        std::array::from_fn(|i| values.get(i).copied().map_or(0.0, f64::from))
    }
}

/// Spherical interpolation on the keys as they are: some files round quaternions to three digits, and normalising them
/// before rather than after moves vertices by 3e-5 of the character (seen on a Khronos sample).
fn arc(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let (b, cos) = if dot < 0.0 { (b.map(|x| -x), -dot) } else { (b, dot) };
    let (wa, wb) = if cos > 0.9995 {
        (1.0 - u, u)
    } else {
        let angle = cos.acos();
        (((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin())
    };
    std::array::from_fn(|i| wa * a[i] + wb * b[i])
}

/// Keys are stored as floats, and hostile files hold zeros: no rotation then.
fn unit(v: [f64; 4]) -> DQuat {
    let q = DQuat::from_array(v);
    let length = q.length();
    if length > 0.0 { q / length } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, values: &[f32]) -> Track {
        Track {
            channel: Channel::Morph(0),
            interpolation,
            times: Arc::from([1.0, 2.0].as_slice()),
            values: Arc::from(values),
        }
    }

    #[test]
    fn every_interpolation_passes_through_its_keys() {
        for t in [
            track(Interpolation::Step, &[3.0, 5.0]),
            track(Interpolation::Linear, &[3.0, 5.0]),
            track(Interpolation::CubicSpline, &[9.0, 3.0, 1.0, 1.0, 5.0, 9.0]),
        ] {
            assert_eq!([0.0, 1.0, 2.0, 3.0].map(|s| t.value(s)[0]), [3.0, 3.0, 5.0, 5.0], "{:?}", t.interpolation);
        }
        assert_eq!(track(Interpolation::Step, &[3.0, 5.0]).value(1.5)[0], 3.0);
        assert_eq!(track(Interpolation::Linear, &[3.0, 5.0]).value(1.5)[0], 4.0);
    }

    #[test]
    fn bad_keys_are_named() {
        let clip = |t: Track| Clip::new("c", vec![t]);
        let mut backwards = track(Interpolation::Linear, &[0.0, 0.0]);
        backwards.times = Arc::from([2.0, 1.0].as_slice());
        assert!(matches!(clip(backwards), Err(ClipError::Times { key: 1, .. })));
        assert!(matches!(
            clip(track(Interpolation::Linear, &[0.0])),
            Err(ClipError::Count { found: 1, expected: 2, .. })
        ));
        assert!(matches!(
            clip(track(Interpolation::Linear, &[0.0, f32::NAN])),
            Err(ClipError::Values { index: 1, .. })
        ));
    }
}
