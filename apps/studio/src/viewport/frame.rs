//! What shaders know of a frame.

use super::{Skin, Style, params::FrameParams};
use glam::{Mat3, Vec3, Vec4};
use supple::math::Bounds;
use supple_render::{Background, Camera, Projection};

/// How far the grid reaches, in diagonals.
const GRID: f32 = 2.6;

/// How far occlusion reaches, in diagonals.
const OCCLUSION: f32 = 0.06;

/// What the skins of a frame have in common.
pub(super) struct Stage {
    pub diagonal: f32,
    pub floor: Vec3,
}

impl Stage {
    pub fn of<'a>(skins: impl Iterator<Item = &'a Skin>, style: &Style) -> Self {
        let mut all: Option<Bounds> = None;
        for skin in skins {
            let Bounds { min, max } = skin.bounds;
            all = Some(all.map_or(skin.bounds, |b| Bounds { min: b.min.min(min), max: b.max.max(max) }));
        }
        let bounds = all.unwrap_or(Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) });
        let middle = bounds.center();
        let diagonal = bounds.diagonal();
        Self {
            diagonal: if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 },
            floor: Vec3::new(middle.x, style.floor.unwrap_or(bounds.min.y), middle.z),
        }
    }
}

/// The uniform of a frame.
pub(super) fn params(camera: &Camera, style: &Style, size: [u32; 2], stage: &Stage) -> FrameParams {
    let [width, height] = size.map(|s| s as f32);
    let camera = widened(camera, stage.diagonal);
    let clip_from_world = camera.clip_from_world(width / height);
    let world_from_clip = clip_from_world.as_dmat4().inverse().as_mat4();
    let world_from_view = Mat3::from_mat4(camera.view_from_world()).transpose();
    let lights = &style.lights;
    let [key, fill, up] = [lights.key[0], lights.fill[0], Vec3::Y].map(|v| world_from_view * v.normalize_or_zero());
    let (perspective, high) = match camera.projection {
        Projection::Orthographic { height } => (0.0, height),
        Projection::Perspective { vertical_angle } => (1.0, 2.0 * (vertical_angle * 0.5).tan()),
    };
    let (top, bottom, ink) = match style.background {
        Background::Light => (Vec3::new(0.88, 0.885, 0.885), Vec3::new(0.62, 0.625, 0.63), 0.34),
        Background::Dark => (Vec3::new(0.046, 0.050, 0.058), Vec3::new(0.012, 0.013, 0.016), 0.11),
    };
    FrameParams {
        clip_from_world,
        world_from_clip,
        eye: camera.eye.extend(perspective),
        back: (camera.eye - camera.target).normalize_or(Vec3::Z).extend(high),
        key: key.extend(0.0),
        key_color: lights.key[1].extend(0.0),
        fill: fill.extend(0.0),
        fill_color: lights.fill[1].extend(0.0),
        up: up.extend(0.0),
        rim: lights.rim.extend(0.0),
        sky_above: lights.sky[0].extend(0.0),
        sky_below: lights.sky[1].extend(0.0),
        background_top: top.extend(1.0),
        background_bottom: bottom.extend(1.0),
        ink: style.background.ink().extend(ink),
        floor: stage.floor.extend(stage.diagonal * GRID),
        size: Vec4::new(width, height, 1.0 / width, 1.0 / height),
        scale: Vec4::new(stage.diagonal, grid_step(stage.diagonal), OCCLUSION * stage.diagonal, style.occlusion),
    }
}

/// Framed pictures are cut off close to the skin, but the floor reaches farther.
pub(super) fn widened(camera: &Camera, diagonal: f32) -> Camera {
    let more = GRID * 3.0 * diagonal;
    let near = match camera.projection {
        Projection::Orthographic { .. } => camera.near - more,
        Projection::Perspective { .. } => camera.near * 0.2,
    };
    Camera { near, far: camera.far + more, ..*camera }
}

/// One, two or five of a power of ten: about a twelfth of the diagonal.
fn grid_step(diagonal: f32) -> f32 {
    let wanted = diagonal / 12.0;
    let power = 10.0_f32.powf(wanted.log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().find(|s| s * power <= wanted * 1.001);
    (step.unwrap_or(1.0) * power).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_the_grid_are_round_numbers() {
        for (diagonal, step) in [(12.0, 1.0), (30.0, 2.0), (2.3, 0.1), (0.25, 0.02), (900.0, 50.0)] {
            assert!((grid_step(diagonal) / step - 1.0).abs() < 1e-4, "{diagonal}: {}", grid_step(diagonal));
        }
    }
}
