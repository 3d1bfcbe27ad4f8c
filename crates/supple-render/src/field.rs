//! A plane through a body's composed field: blue outside, red inside, lines of equal value, a strong one on the surface.

use crate::{Bones, ColorMap, Picture, Surface, View, color, parallel::for_each_block, section};
use glam::{Vec3, Vec3A, Vec4};
use supple::field::{
    Body, Sample,
    compose::{Posed, Values, joined},
};

/// Values between two lines.
const STEP: f32 = 0.05;
/// Widths in pixels: of lines, of every second one, and of the surface.
const WIDTHS: [f32; 3] = [0.6, 1.1, 3.4];
/// How dark lines are.
const INK: f32 = 0.55;
/// Below this value the field fades out: where its support ends, grids hold little but rounding.
const FADES: f32 = 0.03;
/// Points along each side of a pixel.
const SAMPLES: u32 = 2;
/// Bones whose ends are farther from the plane than this share of their length are not in it.
const ASIDE: f32 = 0.25;

/// A body in one pose, cut by a plane.
#[derive(Clone, Copy)]
pub struct FieldSection<'a> {
    /// The limbs.
    pub body: &'a Body,
    /// The limbs in their pose.
    pub posed: &'a Posed,
    /// Points p of the plane have `plane.xyz · p + plane.w = 0`; its normal is of unit length.
    pub plane: Vec4,
}

impl FieldSection<'_> {
    /// The composed field at a point.
    pub fn sample(&self, at: Vec3) -> Sample {
        let near: Vec<u16> = (0..self.body.limbs.len() as u16).collect();
        let pairs: Vec<u16> = joined(self.body, &near).collect();
        self.felt(&near, &pairs, at.into())
    }

    fn felt(&self, near: &[u16], pairs: &[u16], at: Vec3A) -> Sample {
        let mut values = Values::default();
        self.posed.feel(self.body, near, at, &mut values);
        values.composed(self.body, pairs)
    }

    /// Paints the field over a picture where there is any; `share` 1 hides what was there.
    pub fn paint(&self, view: &View, picture: &mut Picture, share: f32) {
        let [width, height] = view.size;
        let world_from_clip = view.camera.clip_from_world(view.aspect()).inverse();
        let normal = self.plane.truncate();
        let place = |x: f32, y: f32| {
            let (x, y) = (2.0 * x / width as f32 - 1.0, 1.0 - 2.0 * y / height as f32);
            let [near, far] = [0.0, 1.0].map(|z| world_from_clip.project_point3(Vec3::new(x, y, z)));
            let [a, b] = [near, far].map(|p| normal.dot(p) + self.plane.w);
            near.lerp(far, a / (a - b))
        };
        for_each_block(&mut picture.pixels, width as usize, |row, pixels| {
            let ends = [place(0.0, row as f32 + 0.5), place(width as f32, row as f32 + 0.5)];
            let middle = (0.5 * (ends[0] + ends[1])).into();
            let half = (0.5 * (ends[0] - ends[1])).abs() + view.camera.pixel_size(ends[0], height);
            let near = (0..self.body.limbs.len()).filter(|&l| self.posed.touches(l, middle, half.into()));
            let near: Vec<u16> = near.map(|l| l as u16).collect();
            let pairs: Vec<u16> = joined(self.body, &near).collect();
            if near.is_empty() {
                return;
            }
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let (mut sum, mut covered) = (Vec3::ZERO, 0.0);
                for k in 0..SAMPLES * SAMPLES {
                    let part = |i: u32| (i as f32 + 0.5) / SAMPLES as f32;
                    let at = place(x as f32 + part(k % SAMPLES), row as f32 + part(k / SAMPLES));
                    let found = self.felt(&near, &pairs, at.into());
                    if found.value > 0.0 {
                        let gradient = Vec3::from(found.gradient);
                        let slope = (gradient - normal * gradient.dot(normal)).length();
                        let part = (found.value / FADES).min(1.0);
                        sum += part * shade(found.value, slope * view.camera.pixel_size(at, height));
                        covered += part;
                    }
                }
                if covered > 0.0 {
                    let below = Vec3::new(color::decode(pixel[0]), color::decode(pixel[1]), color::decode(pixel[2]));
                    let part = share * covered / (SAMPLES * SAMPLES) as f32;
                    *pixel = color::pixel(below.lerp(sum / covered, part));
                }
            }
        });
    }

    /// Draws where the plane cuts the skin: a white line.
    pub fn skin(&self, surface: &Surface, view: &View, picture: &mut Picture) {
        for ends in section::lines(surface, self.plane) {
            if let [Some(a), Some(b)] = ends.map(|p| view.camera.pixel(p, view.size)) {
                picture.line(a, b, 1.8, Vec3::ONE);
            }
        }
    }

    /// Draws the bones that lie in the plane, or nearly so.
    pub fn bones(&self, bones: &Bones, view: &View, picture: &mut Picture) {
        let away = |p: Vec3| (self.plane.truncate().dot(p) + self.plane.w).abs();
        let (light, dark) = (Vec3::splat(0.95), Vec3::splat(0.015));
        for ends in bones.segments.iter().filter(|[a, b]| away(*a).max(away(*b)) <= ASIDE * a.distance(*b)) {
            if let [Some(a), Some(b)] = ends.map(|p| view.camera.pixel(p, view.size)) {
                picture.line(a, b, 2.2, dark);
                for end in [a, b] {
                    picture.line(end, end, 9.0, dark);
                    picture.line(end, end, 5.0, light);
                }
            }
        }
    }
}

/// The colour of a value, with the line that is near it. `change` is how much the value changes from pixel to pixel.
fn shade(value: f32, change: f32) -> Vec3 {
    let plain = ColorMap::Field.color(value);
    let level = (value / STEP).round();
    let surface = (level * STEP - 0.5).abs() < 0.5 * STEP;
    let width = if surface {
        WIDTHS[2]
    } else if level as i32 % 2 == 0 {
        WIDTHS[1]
    } else {
        WIDTHS[0]
    };
    let pixels = (value - level * STEP).abs() / change.max(1e-9);
    let covered = (0.5 * width + 0.5 - pixels).clamp(0.0, 1.0).min(width);
    // Where the field is flat, lines would run together to a blot.
    let flat = (STEP / change.max(1e-9) / (4.0 * width)).min(1.0);
    let ink = if surface { 1.0 } else { INK };
    // The lowest level is the edge of the support, where lines mean nothing.
    if level < 1.0 { plain } else { plain.lerp(Vec3::splat(0.01), covered * ink * flat) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_is_blue_inside_is_red_and_the_surface_is_dark() {
        let (outside, inside, surface) = (shade(0.33, 1e-3), shade(0.68, 1e-3), shade(0.5, 1e-3));
        assert!(outside.z > 1.5 * outside.x, "{outside}");
        assert!(inside.x > 1.5 * inside.z, "{inside}");
        assert!(surface.max_element() < 0.05, "{surface}");
    }

    #[test]
    fn lines_stand_at_steps_of_the_value() {
        let light = |value: f32| shade(value, 1e-3).element_sum();
        assert!(light(0.2) < 0.8 * light(0.225) && light(0.25) < light(0.225));
    }
}
