//! The part of a picture that is drawn to pick in it.

use super::{
    super::{frame::widened, pick::Ray},
    Place,
    params::PlaceParams,
};
use glam::{DMat4, DVec4, Mat4};
use supple_render::Camera;

/// Texels along a side of a pixel: triangles are smaller than pixels where a skin is dense.
const FINE: f32 = 4.0;

/// The part of a picture that is drawn: a box round the places, with a texel more on each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    corner: [i32; 2],
    pub size: [u32; 2],
}

impl Region {
    pub fn round(places: &[Place]) -> Self {
        let texels = places.iter().map(Self::texel);
        let (low, high) = texels.fold((glam::IVec2::MAX, glam::IVec2::MIN), |(low, high), t| (low.min(t), high.max(t)));
        Self { corner: (low - 1).to_array(), size: (high - low + 3).as_uvec2().to_array() }
    }

    fn texel(place: &Place) -> glam::IVec2 {
        (place.at * FINE).floor().as_ivec2()
    }

    pub fn clip_from_world(&self, camera: &Camera, diagonal: f32, size: [u32; 2]) -> Mat4 {
        let [width, height] = size.map(|s| f64::from(s.max(1)));
        let whole = widened(camera, diagonal).clip_from_world((width / height) as f32).as_dmat4();
        let [width, height] = [width, height].map(|side| side * f64::from(FINE));
        let ([x, y], [w, h]) = (self.corner.map(f64::from), self.size.map(f64::from));
        // From the whole picture to this part of it, both from -1 to 1.
        let part = DMat4::from_cols(
            DVec4::new(width / w, 0.0, 0.0, 0.0),
            DVec4::new(0.0, height / h, 0.0, 0.0),
            DVec4::Z,
            DVec4::new((width - 2.0 * x) / w - 1.0, 1.0 - (height - 2.0 * y) / h, 0.0, 1.0),
        );
        (part * whole).as_mat4()
    }

    /// A place as the kernels take it.
    pub fn place(&self, camera: &Camera, size: [u32; 2], place: &Place) -> PlaceParams {
        let Ray { origin, direction } = Ray::through(camera, size, place.at);
        let texel = Self::texel(place) - glam::IVec2::from(self.corner);
        PlaceParams { origin, radius: place.radius, direction, unused: 0.0, texel, unused_end: [0; 2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3};
    use supple_render::Direction;

    #[test]
    fn a_part_of_the_picture_shows_what_the_whole_shows_there() {
        let size = [320, 240];
        for perspective in [true, false] {
            let camera = Camera::framing(&[Vec3::splat(-1.0), Vec3::ONE], Direction::Front, 320.0 / 240.0, perspective);
            let places = [Vec2::new(100.5, 40.25), Vec2::new(131.0, 52.75)].map(|at| Place { at, radius: 0.0 });
            let region = Region::round(&places);
            assert_eq!(region, Region { corner: [401, 160], size: [125, 53] });
            let clip_from_world = region.clip_from_world(&camera, 3.5, size);
            for p in [Vec3::ZERO, Vec3::new(0.4, -0.7, 0.2), Vec3::new(-0.9, 0.8, -0.6)] {
                let whole = camera.pixel(p, size).expect("before the eye");
                let clip = clip_from_world.project_point3(p);
                let place = Vec2::new(clip.x * 0.5 + 0.5, 0.5 - clip.y * 0.5) * Vec2::new(125.0, 53.0);
                let seen = (place + Vec2::new(401.0, 160.0)) / FINE;
                assert!(seen.distance(whole) < 1e-2, "{seen} for {whole}");
            }
        }
    }
}
