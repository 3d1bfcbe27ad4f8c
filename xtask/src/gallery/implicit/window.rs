//! A close look at one place, and fields in a plane through it.

use crate::gallery::panels::{LETTERS, Panel};
use glam::{Vec2, Vec3, Vec4};
use supple::{
    field::compose::{Body, Posed},
    pose::Motion,
};
use supple_render::{Background, Camera, FieldSection, Picture, Projection, View, section};

/// A rectangle in space, looked at squarely.
#[derive(Clone, Copy)]
pub struct Window {
    pub middle: Vec3,
    /// From the middle to the eye.
    pub towards: Vec3,
    pub up: Vec3,
    /// Height of what is seen below the title.
    pub height: f32,
    pub size: [u32; 2],
}

/// Rows of pixels that the title takes.
pub const TITLE: u32 = (LETTERS * 2.6) as u32;

impl Window {
    /// Of an arm in its middle plane.
    pub fn of_arm(middle: [f32; 2], height: f32, size: [u32; 2]) -> Self {
        Self { middle: Vec3::new(middle[0], middle[1], 0.0), towards: Vec3::Z, up: Vec3::Y, height, size }
    }

    fn axes(&self) -> [Vec3; 2] {
        let back = self.towards.normalize();
        let right = self.up.cross(back).normalize();
        [right, back.cross(right)]
    }

    /// World units of a pixel.
    fn unit(&self) -> f32 {
        self.height / (self.size[1] - TITLE) as f32
    }

    pub fn view(&self) -> View {
        let [_, up] = self.axes();
        let target = self.middle + up * (TITLE as f32 * 0.5 * self.unit());
        let far = self.height * 40.0;
        let camera = Camera {
            eye: target + self.towards.normalize() * far * 0.5,
            target,
            up,
            projection: Projection::Orthographic { height: self.unit() * self.size[1] as f32 },
            near: 0.001 * far,
            far,
        };
        let mut view = View::new(camera, self.size);
        view.supersampling = 3;
        view.background = Background::Light;
        view
    }

    /// The same with everything before a plane through the middle cut away.
    pub fn cut(&self) -> View {
        let normal = self.towards.normalize();
        View { section: Some(normal.extend(-normal.dot(self.middle))), ..self.view() }
    }

    pub fn plane(&self) -> Vec4 {
        let normal = self.towards.normalize();
        normal.extend(-normal.dot(self.middle))
    }

    pub fn world(&self, pixel: Vec2) -> Vec3 {
        let [right, up] = self.axes();
        let middle = Vec2::new(self.size[0] as f32, (self.size[1] + TITLE) as f32) * 0.5;
        let from = (pixel - middle) * self.unit();
        self.middle + right * from.x - up * from.y
    }

    pub fn pixel(&self, at: Vec3) -> Vec2 {
        let [right, up] = self.axes();
        let middle = Vec2::new(self.size[0] as f32, (self.size[1] + TITLE) as f32) * 0.5;
        let from = at - self.middle;
        middle + Vec2::new(from.dot(right), -from.dot(up)) / self.unit()
    }

    /// The composed field in the plane of the window.
    pub fn field(&self, body: &Body, motion: &Motion) -> Picture {
        let mut posed = Posed::of(body);
        posed.update(body, motion);
        let mut picture = Picture::new(self.size[0], self.size[1], Background::Light.color());
        FieldSection { body, posed: &posed, plane: self.plane() }.paint(&self.view(), &mut picture, 1.0);
        picture
    }

    /// Where the plane of the window cuts a skin, drawn over a picture.
    pub fn outline(&self, picture: &mut Picture, panel: &Panel, color: Vec3) {
        for ends in section::lines(&panel.scene.surfaces[0], self.plane()) {
            let [a, b] = ends.map(|p| self.pixel(p));
            picture.line(a, b, 1.8, color);
        }
    }
}
