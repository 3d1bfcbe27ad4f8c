//! What shaders know of a view, and what they give back of a pixel: the structs of shaders/view.wgsl.

use super::packed::Packed;
use crate::{
    Geometry, Projection, View, color,
    cpu::{
        extent,
        occlusion::{PLACES, TURNS, inverse_thickness, spirals},
        shade::Shader,
        thickness,
    },
};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, UVec2, Vec2, Vec3, Vec4};

/// The uniform of a pass, `View` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct ViewParams {
    clip_from_world: Mat4,
    section: Vec4,
    eye: Vec4,
    back: Vec4,
    forward: Vec4,
    right: Vec4,
    up: Vec4,
    key: Vec4,
    key_color: Vec4,
    fill: Vec4,
    fill_color: Vec4,
    sky_direction: Vec4,
    rim: Vec4,
    sky_above: Vec4,
    sky_below: Vec4,
    background: Vec4,
    size: UVec2,
    scale: u32,
    bare: u32,
    has_section: u32,
    first_splat: u32,
    first_bone: u32,
    bones: u32,
    radius: f32,
    strength: f32,
    curvature: f32,
    diagonal: f32,
    thickness: f32,
    inverse_thickness: f32,
    decoded_at: u32,
    unused: u32,
    spirals: [[Vec2; PLACES]; TURNS],
}

/// Everything behind one pixel.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Pixel {
    pub position: Vec3,
    pub id: u32,
    pub normal: Vec3,
    pub depth: f32,
    pub barycentric: Vec2,
    turn: f32,
    unused: f32,
}

impl ViewParams {
    /// Of a pass that draws `scale` samples along the side of a pixel.
    pub fn new(geometry: &Geometry<'_>, packed: &Packed, view: &View, scale: u32) -> Self {
        let camera = &view.camera;
        let diagonal = extent(geometry);
        let light = Shader::new(geometry, view, diagonal);
        let (perspective, height) = match camera.projection {
            Projection::Orthographic { height } => (0.0, height),
            Projection::Perspective { vertical_angle } => (1.0, 2.0 * (vertical_angle * 0.5).tan()),
        };
        let view_from_world = camera.view_from_world();
        let radius = view.occlusion.radius * diagonal;
        let background = view.background.color();
        Self {
            clip_from_world: camera.clip_from_world(view.aspect()),
            section: view.section.unwrap_or(Vec4::ZERO),
            eye: camera.eye.extend(perspective),
            back: (camera.eye - camera.target).normalize_or(Vec3::Z).extend(height),
            forward: (camera.target - camera.eye).normalize_or(Vec3::NEG_Z).extend(camera.near),
            right: view_from_world.row(0),
            up: view_from_world.row(1),
            key: light.key.extend(0.0),
            key_color: view.lights.key[1].extend(0.0),
            fill: light.fill.extend(0.0),
            fill_color: view.lights.fill[1].extend(0.0),
            sky_direction: light.up.extend(0.0),
            rim: view.lights.rim.extend(0.0),
            sky_above: view.lights.sky[0].extend(0.0),
            sky_below: view.lights.sky[1].extend(0.0),
            background: background.extend(0.0),
            size: view.size.into(),
            scale,
            bare: u32::from_le_bytes(color::pixel(background)),
            has_section: view.section.is_some().into(),
            first_splat: packed.first_splat,
            first_bone: packed.first_bone,
            bones: packed.bones,
            radius,
            strength: view.occlusion.strength,
            curvature: view.occlusion.curvature,
            diagonal,
            thickness: thickness(view, diagonal),
            inverse_thickness: inverse_thickness(radius),
            decoded_at: packed.decoded_at,
            unused: 0,
            spirals: spirals(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::packed::Material, *};
    use supple_testkit::{layout, layout::assert_same};

    #[test]
    fn every_struct_of_a_shader_lies_where_the_shader_reads_it() {
        for (name, text) in super::super::sources() {
            let view = layout!(
                ViewParams: clip_from_world, section, eye, back, forward, right, up, key, key_color, fill, fill_color,
                sky_direction, rim, sky_above, sky_below, background, size, scale, bare, has_section, first_splat,
                first_bone, bones, radius, strength, curvature, diagonal, thickness, inverse_thickness, decoded_at,
                unused, spirals
            );
            let pixel = layout!(Pixel: position, id, normal, depth, barycentric, turn, unused);
            let material = layout!(
                Material: color, wire, normals, normals_at, paint, paint_at, uvs_at, texture_at, texture_width,
                texture_height, unused
            );
            let mut structs = vec![("View", view), ("Pixel", pixel)];
            if text.contains("struct Material") {
                structs.push(("Material", material));
            }
            assert_same(name, &text, &structs, &[]);
        }
    }

    #[test]
    fn a_shader_uses_every_constant_that_it_is_given() {
        for (name, text) in super::super::sources() {
            let declared = text.lines().filter_map(|line| line.strip_prefix("const ")?.split(':').next());
            for constant in declared.filter(|c| !c.contains(' ')) {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let uses = text.split(|c| !word(c)).filter(|w| *w == constant).count();
                assert!(uses > 1, "{name} never uses {constant}");
            }
        }
    }
}
