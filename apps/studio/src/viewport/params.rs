//! The structs that shaders of the viewport read, and the constants that they share with the processor.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec4};
use supple::{constant::Constant, constants};
use supple_render::{geometry::DISC_HALF_SIDE, light};

/// What shaders know of a frame, `Frame` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct FrameParams {
    pub clip_from_world: Mat4,
    pub world_from_clip: Mat4,
    pub eye: Vec4,
    pub back: Vec4,
    pub key: Vec4,
    pub key_color: Vec4,
    pub fill: Vec4,
    pub fill_color: Vec4,
    pub up: Vec4,
    pub rim: Vec4,
    pub sky_above: Vec4,
    pub sky_below: Vec4,
    pub background_top: Vec4,
    pub background_bottom: Vec4,
    pub ink: Vec4,
    pub floor: Vec4,
    pub size: Vec4,
    pub scale: Vec4,
}

/// How a skin is drawn, `Look` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct LookParams {
    pub color: Vec4,
    pub wire_color: Vec4,
    pub width: f32,
    pub coat: u32,
    pub mark_inside: u32,
    pub radius: f32,
    pub own_colors: u32,
    pub disc_normals: u32,
    pub unused: [u32; 2],
}

/// Bytes from one look to the next in their buffer: every device can begin a binding there.
pub const LOOK_STRIDE: u64 = 256;

impl LookParams {
    /// As it lies in the buffer of looks.
    pub fn placed(&self) -> [u8; LOOK_STRIDE as usize] {
        let mut bytes = [0; LOOK_STRIDE as usize];
        bytes[..size_of::<Self>()].copy_from_slice(bytemuck::bytes_of(self));
        bytes
    }
}

// Where the colours of a skin come from.
pub const MATERIAL: u32 = 0;
pub const PLAIN: u32 = 1;
pub const VERTICES: u32 = 2;
pub const FACES: u32 = 3;

/// The colour of a run of triangles, `Material` in shaders/skin.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MaterialParams {
    pub color: Vec4,
    pub cutoff: f32,
    pub unused: [f32; 3],
}

/// A corner of an overlay, or a line or a spot of it, `Item` in shaders/overlay.wgsl. A kind is a sum of the bits below, as a number:
/// devices may take the bits of small whole numbers for zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Item {
    /// A place, with the kind of faces, bones and sheets; or the width of lines and spots in pixels.
    pub a: Vec4,
    /// The normal of a face; the other end of a line; the place in a picture and its opacity. The kind of lines and spots is its w.
    pub b: Vec4,
    /// Linear, with alpha.
    pub color: Vec4,
}

/// It is seen through what lies before it.
pub const THROUGH: u32 = 1;
/// A line without round ends.
pub const BUTT: u32 = 2;
/// A face in the light of the scene.
pub const LIT: u32 = 4;

/// The constants of shaders/frame.wgsl, with which every shader starts.
pub fn frame_constants() -> Vec<Constant> {
    light::surface_constants()
}

/// Those of shaders/skin.wgsl.
pub fn skin_constants() -> Vec<Constant> {
    const INSIDE: [f32; 3] = light::INSIDE;
    constants![MATERIAL, PLAIN, VERTICES, INSIDE, DISC_HALF_SIDE]
}

/// Those of shaders/overlay.wgsl.
pub fn overlay_constants() -> Vec<Constant> {
    const FADING_DEPTH: f32 = light::FADING_DEPTH;
    constants![THROUGH, BUTT, LIT, FADING_DEPTH]
}

#[cfg(test)]
mod tests {
    use super::{super::sources, *};
    use supple_testkit::{layout, layout::assert_same};

    #[test]
    fn every_struct_of_the_viewport_lies_where_its_shaders_read_it() {
        for (name, text) in sources() {
            let frame = layout!(
                FrameParams: clip_from_world, world_from_clip, eye, back, key, key_color, fill, fill_color, up, rim,
                sky_above, sky_below, background_top, background_bottom, ink, floor, size, scale
            );
            let look = layout!(
                LookParams: color, wire_color, width, coat, mark_inside, radius, own_colors, disc_normals, unused
            );
            let mut structs = vec![("Frame", frame), ("Look", look)];
            match name {
                "skin" => structs.push(("Material", layout!(MaterialParams: color, cutoff, unused))),
                "overlay" => structs.push(("Item", layout!(Item: a, b, color))),
                _ => {}
            }
            assert_same(name, &text, &structs, &[]);
        }
    }

    #[test]
    fn a_shader_uses_every_constant_of_its_own() {
        let own = [("skin", skin_constants()), ("overlay", overlay_constants()), ("background", frame_constants())];
        for (file, constants) in own {
            let (_, text) = sources().into_iter().find(|(name, _)| *name == file).expect("it is there");
            for Constant { name, .. } in constants {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                assert!(text.split(|c| !word(c)).filter(|w| *w == name).count() > 1, "{file} never uses {name}");
            }
        }
    }
}
