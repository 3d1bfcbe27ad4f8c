//! How much of the sky each pixel sees, and whether it lies on a ridge or in a valley, from the position and normal
//! buffers alone.
//!
//! For 16 places round the pixel at each of two radii R: v = Q - P, occlusion += max(0, n·v/|v| - 0.1) max(0, 1 - |v|²/R²).
//! The places lie on a spiral that is turned by one of 16 angles in a 4 by 4 pattern; a 4 by 4 average over the same
//! surface removes the pattern. Everything is a fixed function of the buffers, so that a graphics card can do the same.

use crate::{Buffers, View, parallel::for_each_block};
use glam::{Vec2, Vec3};
#[cfg(feature = "gpu")]
use supple::{constant::Constant, constants};

/// Places round a pixel at each radius. Noise falls with their number, time grows with it; the average over the pattern hides the rest.
pub(crate) const PLACES: usize = 16;
/// The small radius over the large one: one shows limbs beside each other, the other creases.
const SMALL_RADIUS: f32 = 0.25;
/// Farthest place, over the height of the picture: near the camera a radius may span the picture, and far places only cost time.
const FARTHEST_PLACE: f32 = 0.2;
/// Radius in pixels below which a pixel would be compared with itself.
const LEAST_RADIUS: f32 = 1.5;
/// Sine of the height over the horizon from which on a place hides sky: skin that is nearly flat does not darken itself.
const HORIZON: f32 = 0.1;
/// Sum over the places at which no sky is left at strength 1: half of them, since beside a wall only half can hide anything.
const ALL_HIDDEN: f32 = PLACES as f32 / 2.0;
/// Height of a picture, in pixels, for each pixel to the neighbours whose normals tell the curvature: lines have the same width in
/// pictures of any size.
const HEIGHT_PER_STEP: u32 = 400;
/// Farthest neighbour of the same surface, over that distance.
const SAME_SURFACE: f32 = 4.0;
/// Distance from the tangent plane, over the radius, within which a pixel is averaged.
const AVERAGED: f32 = 0.2;
/// Angles of the pattern in sixteenths of a turn between two arms of the spiral: an ordered-dither matrix.
const PATTERN: [[f32; 4]; 4] =
    [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];
/// Angles in the pattern.
pub(crate) const TURNS: usize = PATTERN.as_flattened().len();
/// The golden angle in radians, from one place of a spiral to the next.
const GOLDEN: f32 = 2.399_963_2;

/// The constants that the shader uses too.
#[cfg(feature = "gpu")]
pub(crate) fn constants() -> Vec<Constant> {
    let sky = constants![PLACES, SMALL_RADIUS, FARTHEST_PLACE, LEAST_RADIUS, HORIZON, ALL_HIDDEN];
    [sky, constants![HEIGHT_PER_STEP, SAME_SURFACE]].concat()
}

/// Fills [`Buffers::light`]. `diagonal` is the scene's.
pub(crate) fn fill(buffers: &mut Buffers, view: &View, diagonal: f32) {
    let width = buffers.width as usize;
    let radius = view.occlusion.radius * diagonal;
    let mut raw = vec![Vec2::new(1.0, 0.0); buffers.id.len()];
    let mut facing = std::mem::take(&mut buffers.normal);
    let outer = facing.clone();
    for_each_block(&mut facing, width, |y, row| {
        for (x, n) in row.iter_mut().enumerate() {
            // Seen from inside, the sky is on the other side.
            if n.dot(view.camera.towards(buffers.position[y * width + x])) < 0.0 {
                *n = -*n;
            }
        }
    });
    let view_from_world = view.camera.view_from_world();
    let axes = [view_from_world.row(0).truncate(), view_from_world.row(1).truncate()];
    let scene = Seen { buffers, view, facing: &facing, radius, width, axes, spirals: spirals() };
    for_each_block(&mut raw, width, |y, row| {
        for (x, out) in row.iter_mut().enumerate() {
            if scene.buffers.id[y * width + x] != 0 {
                *out = Vec2::new(scene.sky(x, y), scene.curvature(x, y));
            }
        }
    });
    let mut light = vec![Vec2::new(1.0, 0.0); raw.len()];
    for_each_block(&mut light, width, |y, row| {
        for (x, out) in row.iter_mut().enumerate() {
            if scene.buffers.id[y * width + x] != 0 {
                *out = scene.average(x, y, &raw);
            }
        }
    });
    buffers.light = light;
    buffers.normal = outer;
}

struct Seen<'a> {
    buffers: &'a Buffers,
    view: &'a View,
    /// Normals turned towards the camera.
    facing: &'a [Vec3],
    radius: f32,
    width: usize,
    /// Right and up in the world.
    axes: [Vec3; 2],
    spirals: [[Vec2; PLACES]; TURNS],
}

/// One over the distance from the tangent plane within which pixels are averaged.
pub(crate) fn inverse_thickness(radius: f32) -> f32 {
    1.0 / (AVERAGED * radius).max(f32::MIN_POSITIVE)
}

/// Places on the unit disc for each of the sixteen angles.
pub(crate) fn spirals() -> [[Vec2; PLACES]; TURNS] {
    let place = |turn: f32, i: usize| {
        let (sin, cos) = (turn / 16.0 * GOLDEN + i as f32 * GOLDEN).sin_cos();
        Vec2::new(cos, sin) * ((i as f32 + 0.5) / PLACES as f32)
    };
    std::array::from_fn(|k| std::array::from_fn(|i| place(PATTERN[k / 4][k % 4], i)))
}

impl Seen<'_> {
    fn sky(&self, x: usize, y: usize) -> f32 {
        let at = y * self.width + x;
        let (p, n) = (self.buffers.position[at], self.facing[at]);
        let spiral = &self.spirals[y % 4 * 4 + x % 4];
        let pixel = self.view.camera.pixel_size(p, self.buffers.height);
        let mut sky = 1.0;
        for radius in [self.radius, self.radius * SMALL_RADIUS] {
            let reach = (radius / pixel).min(self.buffers.height as f32 * FARTHEST_PLACE);
            if reach < LEAST_RADIUS {
                continue;
            }
            let mut occluded = 0.0;
            for place in spiral {
                let (qx, qy) = (x as f32 + 0.5 + reach * place.x, y as f32 + 0.5 + reach * place.y);
                if qx < 0.0 || qy < 0.0 || qx >= self.buffers.width as f32 || qy >= self.buffers.height as f32 {
                    continue;
                }
                let q = qy as usize * self.width + qx as usize;
                if self.buffers.id[q] == 0 || q == at {
                    continue;
                }
                let v = self.buffers.position[q] - p;
                let d2 = v.length_squared();
                let near = 1.0 - d2 / (radius * radius);
                if near > 0.0 && d2 > 0.0 {
                    occluded += (n.dot(v) / d2.sqrt() - HORIZON).max(0.0) * near;
                }
            }
            sky *= (1.0 - self.view.occlusion.strength * occluded / ALL_HIDDEN).max(0.0);
        }
        sky
    }

    /// How normals part or meet over a few pixels, in view space.
    fn curvature(&self, x: usize, y: usize) -> f32 {
        let [right, up] = self.axes;
        let step = ((self.buffers.height / HEIGHT_PER_STEP) as usize).max(1);
        let p = self.buffers.position[y * self.width + x];
        let reach = self.view.camera.pixel_size(p, self.buffers.height) * step as f32 * SAME_SURFACE;
        let normal = |dx: isize, dy: isize| {
            let (qx, qy) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            if qx >= self.width || qy >= self.buffers.height as usize {
                return None;
            }
            let q = qy * self.width + qx;
            let same = self.buffers.id[q] != 0 && self.buffers.position[q].distance(p) < reach;
            same.then(|| self.facing[q])
        };
        let s = step as isize;
        let across = normal(s, 0).zip(normal(-s, 0)).map_or(0.0, |(a, b)| (a - b).dot(right));
        let along = normal(0, -s).zip(normal(0, s)).map_or(0.0, |(a, b)| (a - b).dot(up));
        (across + along).clamp(-1.0, 1.0)
    }

    fn average(&self, x: usize, y: usize, raw: &[Vec2]) -> Vec2 {
        let at = y * self.width + x;
        let (p, n) = (self.buffers.position[at], self.facing[at]);
        let inverse_thickness = inverse_thickness(self.radius);
        let (mut sum, mut total) = (Vec2::ZERO, 0.0);
        for qy in y.saturating_sub(2)..(y + 2).min(self.buffers.height as usize) {
            for qx in x.saturating_sub(2)..(x + 2).min(self.width) {
                let q = qy * self.width + qx;
                if self.buffers.id[q] != 0 {
                    let off = (self.buffers.position[q] - p).dot(n).abs() * inverse_thickness;
                    let weight = (1.0 - off).max(0.0) * self.facing[q].dot(n).max(0.0);
                    sum += raw[q] * weight;
                    total += weight;
                }
            }
        }
        if total > 0.0 { sum / total } else { raw[at] }
    }
}
