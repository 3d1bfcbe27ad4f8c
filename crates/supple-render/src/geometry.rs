//! A scene as one list of triangles, which is what every renderer draws: triangle i has id i + 1.

use crate::{
    Error, View,
    scene::{Bones, CLAY, Paint, Points, Scene, Shading, Surface},
};
use glam::{Vec2, Vec3};
#[cfg(feature = "gpu")]
use supple::{constant::Constant, constants};

/// Half a side of the triangle round the unit disc: the root of three.
pub const DISC_HALF_SIDE: f32 = 1.732_050_8;

/// The triangle round the unit disc. A splat is this triangle in the plane of its point, less what lies outside the
/// disc: a disc needs no corners of its own, and one rasteriser does for both.
pub const DISC: [Vec2; 3] = [Vec2::new(-DISC_HALF_SIDE, -1.0), Vec2::new(DISC_HALF_SIDE, -1.0), Vec2::new(0.0, 2.0)];

/// The constants that shaders use too.
#[cfg(feature = "gpu")]
pub(crate) fn constants() -> Vec<Constant> {
    constants![DISC_HALF_SIDE]
}

/// All triangles of a scene: those of the surfaces in order, then one for each point.
pub struct Geometry<'a> {
    /// Of all drawables, one after another.
    pub positions: Vec<Vec3>,
    /// Indices into `positions`. Triangle i has id i + 1.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles from here on are splats.
    pub first_splat: u32,
    /// Which drawable a run of triangles belongs to, ascending.
    pub draws: Vec<Draw<'a>>,
    /// The look of each triangle of a surface: to search for it at every sample would take for ever where parts are many.
    looks: Vec<u32>,
}

/// A run of triangles.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// Its first triangle in [`Geometry::triangles`].
    pub first: u32,
    /// Where they come from.
    pub source: Source<'a>,
}

/// Where triangles come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// A surface.
    Surface(&'a Surface),
    /// A point set.
    Points(&'a Points),
    /// A skeleton: eight triangles for each bone.
    Bones(&'a Bones),
}

impl<'a> Geometry<'a> {
    /// Surfaces and points of a scene.
    pub fn of(scene: &'a Scene, view: &View) -> Result<Self, Error> {
        let surfaces = scene.surfaces.iter().map(|s| s.triangles.len().max(s.positions.len())).sum::<usize>();
        let total = surfaces + 3 * scene.points.iter().map(|p| p.positions.len()).sum::<usize>();
        if total >= u32::MAX as usize {
            return Err(Error::TooMany(total));
        }
        let mut geometry = Self::empty(0);
        for surface in &scene.surfaces {
            let (first, base) = (geometry.triangles.len() as u32, geometry.positions.len() as u32);
            geometry.draws.push(Draw { first, source: Source::Surface(surface) });
            geometry.positions.extend_from_slice(&surface.positions);
            geometry.triangles.extend(surface.triangles.iter().map(|t| t.map(|i| i + base)));
            geometry.looks.extend(surface.looks_of_triangles());
        }
        geometry.first_splat = geometry.triangles.len() as u32;
        for points in &scene.points {
            geometry.draws.push(Draw { first: geometry.triangles.len() as u32, source: Source::Points(points) });
            for (i, &p) in points.positions.iter().enumerate() {
                let normal = points.normals.as_ref().map_or(Vec3::ZERO, |n| n[i]);
                let normal = normal.normalize_or(view.camera.towards(p));
                let (x, y) = normal.any_orthonormal_pair();
                let base = geometry.positions.len() as u32;
                geometry.positions.extend(DISC.map(|c| p + (x * c.x + y * c.y) * points.radius));
                geometry.triangles.push([base, base + 1, base + 2]);
            }
        }
        Ok(geometry)
    }

    /// The skeletons of a scene, which are drawn over the rest.
    pub fn of_bones(scene: &'a Scene) -> Self {
        let mut geometry = Self::empty(u32::MAX);
        for bones in &scene.bones {
            geometry.draws.push(Draw { first: geometry.triangles.len() as u32, source: Source::Bones(bones) });
            for &[head, tail] in &bones.segments {
                geometry.add_bone(head, tail);
            }
        }
        geometry
    }

    fn empty(first_splat: u32) -> Self {
        let (positions, triangles, draws, looks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { positions, triangles, first_splat, draws, looks }
    }

    /// Two pyramids base to base, a tenth of the way along the bone.
    fn add_bone(&mut self, head: Vec3, tail: Vec3) {
        let along = tail - head;
        let (x, y) = along.normalize_or(Vec3::Y).any_orthonormal_pair();
        let (middle, width) = (head + along * 0.12, along.length() * 0.075);
        let base = self.positions.len() as u32;
        self.positions.extend([head, tail]);
        self.positions.extend([x, y, -x, -y].map(|side| middle + side * width));
        for i in 0..4 {
            let (a, b) = (base + 2 + i, base + 2 + (i + 1) % 4);
            self.triangles.extend([[base, b, a], [base + 1, a, b]]);
        }
    }

    /// The drawable of a triangle, and which of its triangles it is.
    pub fn source(&self, triangle: u32) -> (Source<'a>, u32) {
        let at = self.draws.partition_point(|d| d.first <= triangle) - 1;
        (self.draws[at].source, triangle - self.draws[at].first)
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|i| self.positions[i as usize])
    }

    /// The place on a triangle that barycentric coordinates name: weights of its second and third corner.
    pub fn position(&self, triangle: u32, barycentric: Vec2) -> Vec3 {
        blend(self.corners(triangle), barycentric)
    }

    /// The shading normal there, of unit length, on the outer side of the triangle.
    pub fn normal(&self, triangle: u32, barycentric: Vec2) -> Vec3 {
        let flat = || {
            let [a, b, c] = self.corners(triangle);
            let n = (b - a).cross(c - a);
            n.normalize_or(n.as_dvec3().normalize_or_zero().as_vec3())
        };
        let (source, own) = self.source(triangle);
        let smooth = match source {
            Source::Surface(s) => match &s.normals {
                Shading::Flat => Vec3::ZERO,
                Shading::Smooth(n) => blend(s.triangles[own as usize].map(|i| n[i as usize]), barycentric),
                Shading::Creased(n) => blend(n[own as usize], barycentric),
            },
            Source::Points(_) | Source::Bones(_) => Vec3::ZERO,
        };
        // Stored normals of some files are zero or not finite.
        if smooth.length_squared() > 1e-12 { smooth.normalize() } else { flat() }
    }

    /// The base colour there, linear.
    pub fn color(&self, triangle: u32, barycentric: Vec2) -> Vec3 {
        let (source, own) = self.source(triangle);
        let own = own as usize;
        match source {
            Source::Surface(s) => match &s.paint {
                Paint::Uniform(c) => *c,
                Paint::Vertices(c) => blend(s.triangles[own].map(|i| c[i as usize]), barycentric),
                Paint::Faces(c) => c[own],
                Paint::Looks => {
                    let Some(look) = s.looks.get(self.looks[triangle as usize] as usize) else { return CLAY };
                    let (Some(texture), Some(uvs)) = (look.texture, &s.uvs) else { return look.color };
                    let [a, b, c] = s.triangles[own].map(|i| uvs[i as usize]);
                    let uv = a + (b - a) * barycentric.x + (c - a) * barycentric.y;
                    look.color * s.textures[texture].sample(uv)
                }
            },
            Source::Points(p) => match &p.paint {
                Paint::Looks => CLAY,
                Paint::Uniform(c) => *c,
                Paint::Vertices(c) | Paint::Faces(c) => c[own],
            },
            Source::Bones(b) => match b.colors.len() {
                0 => BONE,
                1 => b.colors[0],
                _ => b.colors[own / 8],
            },
        }
    }

    /// True for triangles that face the camera at this place.
    pub fn faces(&self, triangle: u32, towards: Vec3) -> bool {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a).dot(towards) >= 0.0
    }
}

/// The colour of bones that have none.
pub(crate) const BONE: Vec3 = Vec3::new(0.03, 0.30, 0.72);

fn blend([a, b, c]: [Vec3; 3], barycentric: Vec2) -> Vec3 {
    // a (1 - u - v) + b u + c v, in a form that gives `a` back exactly where all three are equal.
    a + (b - a) * barycentric.x + (c - a) * barycentric.y
}
