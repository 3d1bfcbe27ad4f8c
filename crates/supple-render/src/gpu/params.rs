//! What shaders know of a view: the twin of shaders/view.wgsl, word for word.

use super::packed::Packed;
use crate::{
    Geometry, Projection, View, color,
    cpu::{extent, occlusion::spirals, shade::Shader, thickness},
};
use glam::{Vec3, Vec4};

/// The uniform of a pass that draws `scale` samples along the side of a pixel.
pub(super) fn words(geometry: &Geometry<'_>, packed: &Packed, view: &View, scale: u32) -> Vec<u32> {
    let camera = &view.camera;
    let diagonal = extent(geometry);
    let light = Shader::new(geometry, view, diagonal);
    let (perspective, height) = match camera.projection {
        Projection::Orthographic { height } => (0.0, height),
        Projection::Perspective { vertical_angle } => (1.0, 2.0 * (vertical_angle * 0.5).tan()),
    };
    let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
    let back = (camera.eye - camera.target).normalize_or(Vec3::Z);
    let view_from_world = camera.view_from_world();
    let radius = view.occlusion.radius * diagonal;
    let background = view.background.color();
    let rows: [Vec4; 15] = [
        view.section.unwrap_or(Vec4::ZERO),
        camera.eye.extend(perspective),
        back.extend(height),
        forward.extend(camera.near),
        view_from_world.row(0),
        view_from_world.row(1),
        light.key.extend(0.0),
        view.lights.key[1].extend(0.0),
        light.fill.extend(0.0),
        view.lights.fill[1].extend(0.0),
        light.up.extend(0.0),
        view.lights.rim.extend(0.0),
        view.lights.sky[0].extend(0.0),
        view.lights.sky[1].extend(0.0),
        background.extend(0.0),
    ];
    let numbers = [
        radius,
        view.occlusion.strength,
        view.occlusion.curvature,
        diagonal,
        thickness(view, diagonal),
        1.0 / (0.2 * radius).max(f32::MIN_POSITIVE),
    ];
    let mut words: Vec<u32> = Vec::with_capacity(624);
    words.extend(camera.clip_from_world(view.aspect()).to_cols_array().map(f32::to_bits));
    words.extend(rows.iter().flat_map(|r| r.to_array().map(f32::to_bits)));
    words.extend([view.size[0], view.size[1], scale, u32::from_le_bytes(color::pixel(background))]);
    words.extend([u32::from(view.section.is_some()), packed.first_splat, packed.first_bone, packed.bones]);
    words.extend(numbers.map(f32::to_bits));
    words.extend([packed.decoded_at, 0]);
    words.extend(spirals().as_flattened().iter().flat_map(|p| p.to_array().map(f32::to_bits)));
    words
}
