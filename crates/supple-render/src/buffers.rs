use crate::{
    Error, Geometry, Picture, View,
    color::{self, ColorMap},
};
use glam::{Vec2, Vec3};

/// Everything a pass gives, one entry per pixel, rows from the top. Pixel (x, y) is seen through its centre,
/// (x + 0.5, y + 0.5).
#[derive(Clone, Debug, PartialEq)]
pub struct Buffers {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The finished picture: sRGB, opaque.
    pub color: Vec<[u8; 4]>,
    /// Id of the triangle or point seen: 1 for the first of the scene, 0 for none.
    pub id: Vec<u32>,
    /// Weights of the second and the third corner; the first has the rest. Not changed by perspective. For a point the
    /// corners are those of [`crate::geometry::DISC`].
    pub barycentric: Vec<Vec2>,
    /// 0 at the near plane, 1 at the far plane and where nothing is seen.
    pub depth: Vec<f32>,
    /// Where, in the world; zero where nothing is seen.
    pub position: Vec<Vec3>,
    /// Unit normals in the world, on the outer side even of triangles seen from inside; zero where nothing is seen.
    pub normal: Vec<Vec3>,
    /// Light that reaches a place from the sky, 0 to 1, and its curvature, -1 (valley) to 1 (ridge).
    pub light: Vec<Vec2>,
}

/// Which buffer a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// The finished picture.
    #[default]
    Color,
    /// Normals in view space: right is red, up green, towards the camera blue.
    Normal,
    /// Near is light.
    Depth,
    /// A colour for each id.
    Id,
}

impl Buffers {
    pub(crate) fn new(view: &View) -> Result<Self, Error> {
        view.check()?;
        let [width, height] = view.size;
        let n = width as usize * height as usize;
        Ok(Self {
            width,
            height,
            color: vec![[0; 4]; n],
            id: vec![0; n],
            barycentric: vec![Vec2::ZERO; n],
            depth: vec![1.0; n],
            position: vec![Vec3::ZERO; n],
            normal: vec![Vec3::ZERO; n],
            light: vec![Vec2::new(1.0, 0.0); n],
        })
    }

    /// One buffer as a picture.
    pub fn picture(&self, channel: Channel, view: &View) -> Picture {
        let background = color::pixel(view.background.color());
        let seen = || self.id.iter().enumerate();
        let paint =
            |of: &dyn Fn(usize) -> [u8; 4]| seen().map(|(i, &id)| if id == 0 { background } else { of(i) }).collect();
        let pixels = match channel {
            Channel::Color => self.color.clone(),
            Channel::Normal => {
                let view_from_world = view.camera.view_from_world();
                paint(&|i| {
                    let n = view_from_world.transform_vector3(self.normal[i]) * 0.5 + 0.5;
                    let [r, g, b] = n.to_array().map(|x| (x * 255.0 + 0.5) as u8);
                    [r, g, b, 255]
                })
            }
            Channel::Depth => {
                let depths = || seen().filter(|(_, id)| **id != 0).map(|(i, _)| self.depth[i]);
                let (low, high) = depths().fold((1.0_f32, 0.0_f32), |(l, h), d| (l.min(d), h.max(d)));
                let range = (high - low).max(1e-6);
                paint(&|i| color::pixel(ColorMap::Amount.color(1.0 - (self.depth[i] - low) / range)))
            }
            Channel::Id => paint(&|i| color::pixel(color::hue(scattered(self.id[i])))),
        };
        Picture { width: self.width, height: self.height, pixels }
    }

    /// The three weights of a pixel; they sum to one.
    pub fn weights(&self, pixel: usize) -> [f32; 3] {
        let b = self.barycentric[pixel];
        [1.0 - b.x - b.y, b.x, b.y]
    }

    /// Fills positions and normals from ids and barycentric coordinates.
    pub fn resolve(&mut self, geometry: &Geometry<'_>) {
        let (id, barycentric) = (&self.id, &self.barycentric);
        let resolve = |first: usize, out: &mut [Vec3], of: &dyn Fn(u32, Vec2) -> Vec3| {
            for (i, out) in out.iter_mut().enumerate() {
                *out = match id[first + i] {
                    0 => Vec3::ZERO,
                    n => of(n - 1, barycentric[first + i]),
                };
            }
        };
        crate::parallel::for_each_block(&mut self.position, 8192, |block, out| {
            resolve(block * 8192, out, &|t, b| geometry.position(t, b));
        });
        crate::parallel::for_each_block(&mut self.normal, 8192, |block, out| {
            resolve(block * 8192, out, &|t, b| geometry.normal(t, b));
        });
    }
}

/// Neighbouring ids are often neighbouring triangles; a multiplication sends them to hues that are not.
fn scattered(id: u32) -> usize {
    (id.wrapping_mul(2_654_435_761) >> 20) as usize
}
