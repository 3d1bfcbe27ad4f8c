//! A square piece of a plane in the scene.

use glam::{DVec3, Vec3};
use supple_render::{Camera, Projection, View};

/// The piece of the plane that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    pub middle: DVec3,
    /// Right, up, and towards the eye; of unit length.
    pub axes: [DVec3; 3],
    pub half: f64,
}

impl Square {
    /// Of the picture: top left, top right, bottom left, bottom right.
    pub fn corners(&self) -> [Vec3; 4] {
        let [right, up, _] = self.axes.map(|axis| axis * self.half);
        [up - right, up + right, -up - right, -up + right].map(|by| (self.middle + by).as_vec3())
    }

    /// Square to it, with this many pixels along a side.
    pub fn view(&self, side: u32) -> View {
        let [_, up, normal] = self.axes;
        let deep = 4.0 * self.half;
        let camera = Camera {
            eye: (self.middle + normal * 0.5 * deep).as_vec3(),
            target: self.middle.as_vec3(),
            up: up.as_vec3(),
            projection: Projection::Orthographic { height: 2.0 * self.half as f32 },
            near: 1e-3 * deep as f32,
            far: deep as f32,
        };
        View::new(camera, [side, side])
    }
}

/// Where a plane cuts a triangle.
pub fn crossed(corners: [Vec3; 3], plane: glam::Vec4) -> Option<[Vec3; 2]> {
    let away = corners.map(|c| plane.truncate().dot(c) + plane.w);
    let mut ends = [(0, 1), (1, 2), (2, 0)]
        .into_iter()
        .filter(|&(i, j)| (away[i] < 0.0) != (away[j] < 0.0))
        .map(|(i, j)| corners[i].lerp(corners[j], away[i] / (away[i] - away[j])));
    Some([ends.next()?, ends.next()?])
}
