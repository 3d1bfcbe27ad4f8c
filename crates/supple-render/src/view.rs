//! From where, how large and in what light a scene is drawn.

use crate::{Camera, Error};
use glam::{Vec3, Vec4};

/// The longest side of a picture, in pixels.
pub const LONGEST_SIDE: u32 = 8192;

/// The most pixels of a picture; the buffers take about 70 bytes each.
pub const MOST_PIXELS: u32 = 1 << 25;

/// How a scene is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// From where.
    pub camera: Camera,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The shaded picture averages so many samples along each side of a pixel, 1 to 4; the other buffers have one.
    pub supersampling: u32,
    /// What lies behind everything.
    pub background: Background,
    /// Where light comes from.
    pub lights: Lights,
    /// How creases and folds are darkened.
    pub occlusion: Occlusion,
    /// Points p with `section.xyz · p + section.w > 0` are cut away, so that the inside can be seen; white
    /// lines show where.
    pub section: Option<Vec4>,
}

/// What lies behind everything, and the colour of words on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Warm white.
    #[default]
    Light,
    /// Near black.
    Dark,
}

impl Background {
    /// Linear colour.
    pub fn color(self) -> Vec3 {
        match self {
            Self::Light => Vec3::new(0.905, 0.895, 0.875),
            Self::Dark => Vec3::new(0.016, 0.018, 0.022),
        }
    }

    /// Linear colour of words and lines.
    pub fn ink(self) -> Vec3 {
        match self {
            Self::Light => Vec3::new(0.02, 0.022, 0.028),
            Self::Dark => Vec3::new(0.82, 0.81, 0.79),
        }
    }
}

/// Three lights and the sky. Directions lead from the thing to the light, in view space: lights move with the camera,
/// so that every side of a character is lit the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lights {
    /// The main light: direction and linear colour.
    pub key: [Vec3; 2],
    /// Softens the dark side.
    pub fill: [Vec3; 2],
    /// Brightens outlines that turn away from the camera.
    pub rim: Vec3,
    /// From above, and from below.
    pub sky: [Vec3; 2],
}

impl Default for Lights {
    fn default() -> Self {
        Self {
            key: [Vec3::new(-0.66, 0.74, 0.48), Vec3::new(1.12, 1.05, 0.96)],
            fill: [Vec3::new(0.85, 0.05, 0.45), Vec3::new(0.13, 0.16, 0.22)],
            rim: Vec3::new(0.16, 0.17, 0.19),
            sky: [Vec3::new(0.29, 0.32, 0.37), Vec3::new(0.11, 0.09, 0.08)],
        }
    }
}

/// Ambient occlusion and curvature, from the position and normal buffers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// How far away something may darken, as part of the scene's diagonal; folds are looked for at a quarter of it.
    pub radius: f32,
    /// 0 is none.
    pub strength: f32,
    /// How much ridges are lightened and valleys darkened; 0 is not at all.
    pub curvature: f32,
}

impl Default for Occlusion {
    fn default() -> Self {
        Self { radius: 0.065, strength: 3.0, curvature: 0.7 }
    }
}

impl View {
    /// A camera and a size, everything else as usual.
    pub fn new(camera: Camera, size: [u32; 2]) -> Self {
        Self {
            camera,
            size,
            supersampling: 3,
            background: Background::default(),
            lights: Lights::default(),
            occlusion: Occlusion::default(),
            section: None,
        }
    }

    /// Width over height.
    pub fn aspect(&self) -> f32 {
        self.size[0] as f32 / self.size[1] as f32
    }

    /// A number on the command line must not be able to take all the memory of a machine.
    pub fn check(&self) -> Result<(), Error> {
        let [width, height] = self.size;
        let fits = |s: u32| (1..=LONGEST_SIDE).contains(&s);
        if !(fits(width) && fits(height)) || width * height > MOST_PIXELS {
            return Err(Error::Size { width, height });
        }
        if !(1..=4).contains(&self.supersampling) {
            return Err(Error::Supersampling(self.supersampling));
        }
        let clip = self.camera.clip_from_world(self.aspect());
        if clip.is_finite() && clip.determinant() != 0.0 { Ok(()) } else { Err(Error::Camera) }
    }
}
