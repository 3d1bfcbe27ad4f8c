//! From geometry to colour. Every term is smooth, so that the picture says what the surface does and nothing else.

use crate::{
    Buffers, Geometry, View,
    light::{
        BONE_BARE, BONE_DEEP, BONE_SHALLOW, DEEP_FOLD, DIRECT_BY_SKY, DIRECT_LEAST, FADING_DEPTH, FILL_WRAP, INSIDE,
        KEY_WRAP, OPENED, RIDGE, RIDGE_LEAST, RIDGE_MOST_SHINE, RIM_GREY, RIM_MIX, SHINE, SHINE_POWER, STRANGER,
        TONE_KNEE, TONE_REST, VALLEY,
    },
};
use glam::{Mat3, Vec2, Vec3};

/// What the light needs to know of a view, once for all pixels.
pub(crate) struct Shader<'a> {
    pub geometry: &'a Geometry<'a>,
    pub view: &'a View,
    /// Towards the key light, towards the fill light, and up; in the world.
    pub key: Vec3,
    pub fill: Vec3,
    pub up: Vec3,
    diagonal: f32,
}

impl<'a> Shader<'a> {
    pub fn new(geometry: &'a Geometry<'a>, view: &'a View, diagonal: f32) -> Self {
        let world_from_view = Mat3::from_mat4(view.camera.view_from_world()).transpose();
        let [key, fill, up] =
            [view.lights.key[0], view.lights.fill[0], Vec3::Y].map(|v| world_from_view * v.normalize_or_zero());
        Self { geometry, view, key, fill, up, diagonal }
    }

    /// The linear colour of a place on a triangle; `light` is that of [`Buffers::light`].
    pub fn color(&self, triangle: u32, barycentric: Vec2, light: Vec2) -> Vec3 {
        let position = self.geometry.position(triangle, barycentric);
        let towards = self.view.camera.towards(position);
        let mut normal = self.geometry.normal(triangle, barycentric);
        let mut base = self.geometry.color(triangle, barycentric);
        if !self.geometry.faces(triangle, towards) {
            normal = -normal;
            // Splats have no inside.
            if triangle < self.geometry.first_splat {
                base = Vec3::from_array(if self.view.section.is_some() { OPENED } else { INSIDE });
            }
        }
        self.lit(base, normal, towards, light)
    }

    /// Light on a surface of a base colour; all linear.
    pub fn lit(&self, base: Vec3, normal: Vec3, towards: Vec3, light: Vec2) -> Vec3 {
        let (lights, [sky, curvature]) = (&self.view.lights, light.to_array());
        let (key, fill, up) = (self.key, self.fill, self.up);
        let wrapped = |direction: Vec3, wrap: f32| ((normal.dot(direction) + wrap) / (1.0 + wrap)).max(0.0);
        let direct = sky.sqrt().mul_add(DIRECT_BY_SKY, DIRECT_LEAST) * sky.min(DEEP_FOLD).mul_add(0.5 / DEEP_FOLD, 0.5);
        let ambient = lights.sky[1].lerp(lights.sky[0], normal.dot(up).mul_add(0.5, 0.5)) * sky;
        let diffuse =
            (lights.key[1] * wrapped(key, KEY_WRAP) + lights.fill[1] * wrapped(fill, FILL_WRAP)) * direct + ambient;
        let edge = (1.0 - normal.dot(towards).max(0.0)).powi(3);
        let half = (key + towards).normalize_or_zero();
        let shine = normal.dot(half).max(0.0).powi(SHINE_POWER as i32) * SHINE * direct;
        let bent = if curvature < 0.0 { VALLEY * curvature } else { RIDGE * curvature };
        let ridge = (1.0 + self.view.occlusion.curvature * bent).max(RIDGE_LEAST);
        base * diffuse * ridge
            + lights.rim * base.lerp(Vec3::splat(RIM_GREY), RIM_MIX) * edge * sky
            + Vec3::splat(shine * ridge.min(RIDGE_MOST_SHINE))
    }

    /// How strongly a bone at a place covers what is drawn in front of it: paler the deeper it lies.
    pub fn bone_opacity(&self, bone: Vec3, skin: Option<Vec3>) -> f32 {
        let Some(skin) = skin else { return BONE_BARE };
        let towards = self.view.camera.towards(bone);
        let deep = (skin - bone).dot(towards) / self.diagonal;
        if deep <= 0.0 { BONE_BARE } else { BONE_DEEP + BONE_SHALLOW * (-deep / FADING_DEPTH).exp() }
    }
}

/// Leaves what a screen can show as it is, and bends the rest over softly.
pub(crate) fn tone(linear: Vec3) -> Vec3 {
    let bend = |x: f32| {
        if x < TONE_KNEE {
            return x.max(0.0);
        }
        TONE_KNEE + TONE_REST * (1.0 - (-(x - TONE_KNEE) / TONE_REST).exp())
    };
    Vec3::new(bend(linear.x), bend(linear.y), bend(linear.z))
}

/// The light at a place between pixel centres, from those of the four round it that lie on the same surface.
pub(crate) fn light_between(buffers: &Buffers, at: Vec2, position: Vec3, normal: Vec3, thickness: f32) -> Vec2 {
    let low = (at - 0.5).floor();
    let part = at - 0.5 - low;
    let (mut sum, mut total) = (Vec2::ZERO, 0.0);
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let x = (low.x as i64 + dx).clamp(0, i64::from(buffers.width) - 1) as usize;
        let y = (low.y as i64 + dy).clamp(0, i64::from(buffers.height) - 1) as usize;
        let q = y * buffers.width as usize + x;
        if buffers.id[q] == 0 {
            continue;
        }
        let near = if dx == 0 { 1.0 - part.x } else { part.x } * if dy == 0 { 1.0 - part.y } else { part.y };
        let off = (buffers.position[q] - position).dot(normal).abs() / thickness;
        let weight = near * (1.0 - off).max(0.0) + STRANGER;
        sum += buffers.light[q] * weight;
        total += weight;
    }
    if total > 0.0 { sum / total } else { Vec2::new(1.0, 0.0) }
}
