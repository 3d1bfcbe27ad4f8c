//! What is drawn. A scene knows nothing of who draws it: the processor and a graphics card take the same one.

use crate::{
    Error,
    annotate::{Label, Legend, Path},
};
use glam::{Vec2, Vec3};
use std::{ops::Range, sync::Arc};

/// Everything in a picture.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Triangles.
    pub surfaces: Vec<Surface>,
    /// Point sets.
    pub points: Vec<Points>,
    /// Skeletons, drawn over the rest and paler the deeper they lie in it.
    pub bones: Vec<Bones>,
    /// Lines, over everything.
    pub paths: Vec<Path>,
    /// Words, over everything.
    pub labels: Vec<Label>,
    /// What the colours mean.
    pub legends: Vec<Legend>,
}

/// Triangles and how they look.
#[derive(Clone, Debug)]
pub struct Surface {
    /// One per vertex; triangles with a corner that is not finite are not drawn.
    pub positions: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Where light falls from.
    pub normals: Shading,
    /// Texture coordinates, one per vertex, v downwards as in glTF.
    pub uvs: Option<Vec<Vec2>>,
    /// Runs of triangles with a material of their own; the rest has the first material, or clay.
    pub looks: Vec<Look>,
    /// Textures that looks refer to.
    pub textures: Vec<Arc<Texture>>,
    /// Colours that replace the looks.
    pub paint: Paint,
    /// Lines along the edges, in a width of so many pixels.
    pub wire: Option<f32>,
}

/// Normals of a surface.
#[derive(Clone, Debug)]
pub enum Shading {
    /// Each triangle is flat.
    Flat,
    /// One per vertex.
    Smooth(Vec<Vec3>),
    /// One per corner of each triangle, as [`supple::rig::Normals::creased`] gives them.
    Creased(Vec<[Vec3; 3]>),
}

/// A material of a run of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The run.
    pub triangles: Range<u32>,
    /// Linear RGB, multiplies the texture.
    pub color: Vec3,
    /// Index into [`Surface::textures`].
    pub texture: Option<usize>,
}

/// Colours of a surface; all linear RGB.
#[derive(Clone, Debug, Default)]
pub enum Paint {
    /// Those of its looks.
    #[default]
    Looks,
    /// One for all.
    Uniform(Vec3),
    /// One per vertex.
    Vertices(Vec<Vec3>),
    /// One per triangle.
    Faces(Vec<Vec3>),
}

/// Decoded pixels, sRGB with alpha, rows from the top. Sampled with repetition and linear filtering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Row after row.
    pub pixels: Vec<[u8; 4]>,
}

/// A point set, drawn as little discs.
#[derive(Clone, Debug)]
pub struct Points {
    /// The points.
    pub positions: Vec<Vec3>,
    /// The discs' normals; without them the discs face the camera.
    pub normals: Option<Vec<Vec3>>,
    /// The discs' radius.
    pub radius: f32,
    /// [`Paint::Looks`] is clay; [`Paint::Vertices`] and [`Paint::Faces`] are both per point.
    pub paint: Paint,
}

/// A skeleton as double pyramids.
#[derive(Clone, Debug, Default)]
pub struct Bones {
    /// Head and tail of each bone.
    pub segments: Vec<[Vec3; 2]>,
    /// Linear RGB of each bone, or one for all, or none for the usual.
    pub colors: Vec<Vec3>,
}

/// The colour of what has none: grey clay.
pub const CLAY: Vec3 = Vec3::new(0.52, 0.49, 0.46);

impl Surface {
    /// Triangles in clay.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, normals: Shading) -> Self {
        let (uvs, looks, textures, paint, wire) = (None, Vec::new(), Vec::new(), Paint::Looks, None);
        Self { positions, triangles, normals, uvs, looks, textures, paint, wire }
    }

    /// The material of each triangle, as an index into `looks`: the first that names it, else the very first.
    pub(crate) fn looks_of_triangles(&self) -> Vec<u32> {
        let count = self.triangles.len();
        let mut all = vec![0; count];
        for (i, look) in self.looks.iter().enumerate().rev() {
            let end = count.min(look.triangles.end as usize);
            all[end.min(look.triangles.start as usize)..end].fill(i as u32);
        }
        all
    }
}

impl Texture {
    /// The linear colour at texture coordinates.
    pub fn sample(&self, uv: Vec2) -> Vec3 {
        let size = Vec2::new(self.width as f32, self.height as f32);
        if self.pixels.is_empty() || !uv.is_finite() {
            return Vec3::ONE;
        }
        let at = (uv - uv.floor()) * size - 0.5;
        let (low, part) = (at.floor(), at - at.floor());
        let texel = |dx: i32, dy: i32| {
            let x = (low.x as i32 + dx).rem_euclid(self.width as i32) as usize;
            let y = (low.y as i32 + dy).rem_euclid(self.height as i32) as usize;
            let [r, g, b, _] = self.pixels[y * self.width as usize + x];
            Vec3::new(DECODED[r as usize], DECODED[g as usize], DECODED[b as usize])
        };
        let top = texel(0, 0).lerp(texel(1, 0), part.x);
        let bottom = texel(0, 1).lerp(texel(1, 1), part.x);
        top.lerp(bottom, part.y)
    }
}

/// A power for every channel of every sample would cost more than the rest of the shading.
pub(crate) static DECODED: std::sync::LazyLock<[f32; 256]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|b| crate::color::decode(b as u8)));

impl Scene {
    /// All points that should be in the picture.
    pub fn extent(&self) -> Vec<Vec3> {
        let mut all = Vec::new();
        self.surfaces.iter().for_each(|s| all.extend_from_slice(&s.positions));
        self.points.iter().for_each(|p| all.extend_from_slice(&p.positions));
        self.bones.iter().for_each(|b| all.extend_from_slice(b.segments.as_flattened()));
        all
    }

    /// Arrays that go together must be of one length, and indices within them.
    pub fn check(&self) -> Result<(), Error> {
        for s in &self.surfaces {
            let (vertices, faces) = (s.positions.len(), s.triangles.len());
            if let Some(&found) = s.triangles.as_flattened().iter().find(|&&v| v as usize >= vertices) {
                return Err(Error::Vertex { found, vertices });
            }
            match &s.normals {
                Shading::Flat => {}
                Shading::Smooth(n) => count("normals", n.len(), vertices)?,
                Shading::Creased(n) => count("corner normals", n.len(), faces)?,
            }
            count("texture coordinates", s.uvs.as_ref().map_or(vertices, Vec::len), vertices)?;
            paint(&s.paint, vertices, faces)?;
            for t in &s.textures {
                count("texture pixels", t.pixels.len(), t.width as usize * t.height as usize)?;
            }
            for texture in s.looks.iter().filter_map(|l| l.texture) {
                if texture >= s.textures.len() {
                    return Err(Error::Texture { found: texture, textures: s.textures.len() });
                }
            }
        }
        for p in &self.points {
            let n = p.positions.len();
            count("normals", p.normals.as_ref().map_or(n, Vec::len), n)?;
            paint(&p.paint, n, n)?;
        }
        for b in self.bones.iter().filter(|b| b.colors.len() > 1) {
            count("bone colours", b.colors.len(), b.segments.len())?;
        }
        Ok(())
    }
}

fn paint(paint: &Paint, vertices: usize, faces: usize) -> Result<(), Error> {
    match paint {
        Paint::Looks | Paint::Uniform(_) => Ok(()),
        Paint::Vertices(c) => count("vertex colours", c.len(), vertices),
        Paint::Faces(c) => count("face colours", c.len(), faces),
    }
}

fn count(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Count { what, found, expected }) }
}
