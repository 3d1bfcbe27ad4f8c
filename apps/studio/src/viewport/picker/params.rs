//! The structs of shaders/picker.wgsl.

use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Mat4, Vec3};

/// The part of the picture that is drawn, `View` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct ViewParams {
    pub clip_from_world: Mat4,
    pub places: u32,
    pub vertices: u32,
    pub room: u32,
    pub unused: u32,
}

/// A place that is asked about, `Place` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct PlaceParams {
    pub origin: Vec3,
    pub radius: f32,
    pub direction: Vec3,
    pub unused: f32,
    pub texel: IVec2,
    pub unused_end: [u32; 2],
}

/// What lies there.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Found {
    pub position: Vec3,
    pub id: u32,
    pub a: Vec3,
    pub distance: f32,
    pub b: Vec3,
    pub weight_b: f32,
    pub c: Vec3,
    pub weight_c: f32,
}

/// A vertex round it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Entry {
    pub place: u32,
    pub vertex: u32,
    pub distance: f32,
}

/// Bytes of the count before the entries.
pub const COUNT: usize = size_of::<u32>();

#[cfg(test)]
mod tests {
    use super::*;
    use supple_testkit::{layout, layout::assert_same};

    #[test]
    fn every_struct_of_the_picker_lies_where_its_kernels_read_it() {
        let text = super::super::SOURCE;
        let structs = [
            ("View", layout!(ViewParams: clip_from_world, places, vertices, room, unused)),
            ("Place", layout!(PlaceParams: origin, radius, direction, unused, texel, unused_end)),
            ("Found", layout!(Found: position, id, a, distance, b, weight_b, c, weight_c)),
            ("Entry", layout!(Entry: place, vertex, distance)),
        ];
        // It has no end, and is compared by what it consists of.
        assert_same("picker", text, &structs, &["Gathered"]);
        let gathered = layout::in_shader(text, "Gathered").members;
        assert_eq!((gathered["count"], gathered["entries"][0]), ([0, COUNT], COUNT));
    }
}
