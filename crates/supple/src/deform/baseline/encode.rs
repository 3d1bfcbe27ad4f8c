//! Points into the coordinates of their bones, in double precision.

use super::{
    carried::seen,
    frame::{Frame, Model},
    posed::{Meets, Posed, RestBone},
    real::Vector,
    section::{Section, backwards},
};
use glam::DVec3;

/// A point of the skin: where on which baseline, and how high above it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Encoded<F> {
    /// Its bone.
    pub bone: u32,
    /// Whether it lies on the straight piece of its section, drawn out where it ends.
    pub is_drawn_out: bool,
    /// Azimuth of its baseline on the bone.
    pub azimuth: F,
    /// Where on the section: 0 at the anchor near the root, 1 at the far one.
    pub ratio: F,
    /// Distance from the cone or sphere, negative inside.
    pub height: F,
}

/// Sections of which less than this share is left are not divided by.
const LEAST_LEFT: f64 = 1e-9;

/// A point that is less than this share beyond its section lies at the anchor.
const ROUNDING: f64 = 1e-9;

/// Encodes points over a model at rest.
#[derive(Clone, Copy, Debug)]
pub struct Encoder<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its frames at rest.
    pub frames: &'a [Frame],
    /// Its bones at rest.
    pub bones: &'a [RestBone<f64>],
    /// The rest as a pose.
    pub posed: &'a Posed<f64>,
}

impl Encoder<'_> {
    /// Encodes a point. The bone of least signed distance is the exact partition of space, inside as well.
    pub fn encode(&self, p: DVec3) -> Encoded<f64> {
        let mut nearest = (f64::INFINITY, 0.0, 0);
        for (bone, frame) in self.frames.iter().enumerate() {
            let (distance, foot) = frame.distance(p);
            if distance < nearest.0 {
                nearest = (distance, foot, bone);
            }
        }
        let (_, foot, bone) = nearest;
        if foot <= 0.0 {
            self.over_sphere(bone, 0, p)
        } else if foot >= self.frames[bone].length {
            self.over_sphere(bone, 1, p)
        } else {
            self.over_cone(bone, p)
        }
    }

    fn over_cone(&self, bone: usize, p: DVec3) -> Encoded<f64> {
        let frame = &self.frames[bone];
        let from = frame.local(p - frame.origin);
        let (azimuth, off) = (from.z.atan2(from.y), from.y.hypot(from.z));
        let (sine, cosine) = (frame.sine, frame.cosine);
        let (along, across) = (from.x - frame.radii[0] * sine, off - frame.radii[0] * cosine);
        let (x, height) = (along * cosine - across * sine, along * sine + across * cosine);
        let section = self.posed.section(&self.bones[bone], bone, azimuth);
        let crop = |end: usize| (frame.radii[end] + height).max(0.0) * section.ends[end].crop;
        let left = frame.generator() - crop(0) - crop(1);
        // Not clamped: where a bone is swallowed by its neighbours the point may lie beyond.
        let share = if left.abs() < LEAST_LEFT * frame.generator() { 0.5 } else { (x - crop(0)) / left };
        Encoded {
            bone: bone as u32,
            is_drawn_out: !(-ROUNDING..=1.0 + ROUNDING).contains(&share),
            azimuth,
            ratio: (section.ends[0].arc + share * section.straight) / section.length(),
            height,
        }
    }

    fn over_sphere(&self, bone: usize, end: usize, p: DVec3) -> Encoded<f64> {
        let sphere = self.model.bones[bone][end];
        let (center, radius) = (self.model.centers[sphere], self.model.radii[sphere]);
        let distance = (p - center).length();
        let normal = if distance > 0.0 { (p - center) / distance } else { self.frames[bone].e1 };
        let height = distance - radius;
        // Which of the bones there sees most of it.
        let level = |&(bone, end): &(usize, usize)| {
            let frame = &self.frames[bone];
            (normal.dot(frame.outward(end)) - frame.outward_sine(end)) / frame.cosine
        };
        let around = &self.model.around[sphere];
        let (bone, end) = *around.iter().max_by(|a, b| level(a).total_cmp(&level(b))).expect("a bone ends there");
        let frame = &self.frames[bone];
        let n = Vector::<f64>::of(frame.local(normal));
        let here = &self.posed.bones[bone].ends[end];
        let (azimuth, angle) = match here.meets {
            Meets::Nothing => {
                let to_pole = (-frame.outward(end)).dot(normal);
                let angle = frame.outward(end).cross(normal).length().atan2(to_pole);
                let azimuth = n.0[2].atan2(n.0[1]);
                return self.on_cap(bone, end, azimuth, radius * angle, height);
            }
            Meets::Bone => {
                let (start, length) = backwards(&here.joint, n);
                (start.0[2].atan2(start.0[1]), length)
            }
            Meets::Junction => {
                let members = &self.posed.members[here.members[0] as usize..here.members[1] as usize];
                let azimuth = n.0[2].atan2(n.0[1]);
                (azimuth, seen(members, n, 0.0).angle)
            }
        };
        let section = self.posed.section(&self.bones[bone], bone, azimuth);
        self.at(bone, end, azimuth, &section, section.ends[end].arc - radius * angle, height)
    }

    /// Measured from the pole of a free end.
    fn on_cap(&self, bone: usize, end: usize, azimuth: f64, from_pole: f64, height: f64) -> Encoded<f64> {
        let section = self.posed.section(&self.bones[bone], bone, azimuth);
        self.at(bone, end, azimuth, &section, from_pole, height)
    }

    fn at(
        &self,
        bone: usize,
        end: usize,
        azimuth: f64,
        section: &Section<f64>,
        from_anchor: f64,
        height: f64,
    ) -> Encoded<f64> {
        let share = from_anchor / section.length();
        let ratio = if end == 0 { share } else { 1.0 - share };
        Encoded { bone: bone as u32, is_drawn_out: false, azimuth, ratio, height }
    }
}

impl Encoded<f64> {
    /// In single precision.
    pub fn single(&self) -> Encoded<f32> {
        Encoded {
            bone: self.bone,
            is_drawn_out: self.is_drawn_out,
            azimuth: self.azimuth as f32,
            ratio: self.ratio as f32,
            height: self.height as f32,
        }
    }
}
