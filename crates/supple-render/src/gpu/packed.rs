//! A scene as the shaders want it: one list of triangles, one of numbers, one of materials, one of texels.

use crate::{
    Error, Geometry, View,
    geometry::{BONE, Source},
    scene::{Bones, CLAY, DECODED, Paint, Points, Shading, Surface},
};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};
use supple::{constant::Constant, constants};

// Where normals come from.
const FLAT: u32 = 0;
const PER_VERTEX: u32 = 1;
const PER_CORNER: u32 = 2;

// Where colours come from.
const PLAIN: u32 = 0;
const BY_VERTEX: u32 = 1;
const BY_TRIANGLE: u32 = 2;
const TEXTURED: u32 = 3;

/// Width of the lines along edges that are not drawn.
const NO_WIRE: f32 = f32::MIN;

/// The constants of shaders/geometry.wgsl.
pub(super) fn normal_constants() -> Vec<Constant> {
    constants![PER_VERTEX, PER_CORNER]
}

/// Those of shaders/paint.wgsl and shaders/shade.wgsl.
pub(super) fn paint_constants() -> Vec<Constant> {
    constants![BY_VERTEX, BY_TRIANGLE, TEXTURED, NO_WIRE]
}

/// The buffers of shaders/geometry.wgsl.
#[derive(Default)]
pub(super) struct Packed {
    /// Three indices and the material of each triangle; bones after the rest.
    pub triangles: Vec<[u32; 4]>,
    pub numbers: Vec<f32>,
    pub materials: Vec<Material>,
    pub texels: Vec<[u8; 4]>,
    pub first_splat: u32,
    pub first_bone: u32,
    /// Triangles of bones.
    pub bones: u32,
    pub decoded_at: u32,
}

/// `Material` of shaders/geometry.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Material {
    pub color: Vec3,
    pub wire: f32,
    pub normals: u32,
    pub normals_at: u32,
    pub paint: u32,
    pub paint_at: u32,
    pub uvs_at: u32,
    pub texture_at: u32,
    pub texture_width: u32,
    pub texture_height: u32,
    pub unused: [u32; 4],
}

impl Default for Material {
    fn default() -> Self {
        Self { color: CLAY, wire: NO_WIRE, normals: FLAT, paint: PLAIN, ..Self::zeroed() }
    }
}

impl Packed {
    pub fn new(geometry: &Geometry<'_>, bones: &Geometry<'_>, view: &View) -> Result<Self, Error> {
        let mut packed = Self {
            first_splat: geometry.first_splat,
            first_bone: geometry.triangles.len() as u32,
            bones: bones.triangles.len() as u32,
            ..Self::default()
        };
        let count = geometry.triangles.len() + bones.triangles.len();
        // Every corner is a vertex of its own, and their number has 32 bits.
        if count > u32::MAX as usize / 3 {
            return Err(Error::TooMany(count));
        }
        packed.triangles.reserve_exact(count);
        let clip_from_world = view.camera.clip_from_world(view.aspect());
        let base = packed.add_triangles(geometry, clip_from_world, 0);
        packed.add_triangles(bones, clip_from_world, base);
        packed.decoded_at = packed.numbers.len() as u32;
        packed.numbers.extend(DECODED.iter());
        for (list, first_triangle, first_vertex) in [(geometry, 0, 0), (bones, packed.first_bone, base)] {
            let mut vertex = first_vertex;
            for draw in &list.draws {
                let triangle = first_triangle + draw.first;
                match draw.source {
                    Source::Surface(s) => packed.add_surface(s, triangle, vertex)?,
                    Source::Points(p) => packed.add_points(p, triangle)?,
                    Source::Bones(b) => packed.add_bones(b, triangle)?,
                }
                if let Source::Surface(s) = draw.source {
                    vertex += s.positions.len() as u32;
                }
            }
        }
        Ok(packed)
    }

    /// Positions, and triangles still without material. Those that the processor would leave out, because a corner is
    /// not finite, shrink to a point: their number must stay taken.
    fn add_triangles(&mut self, geometry: &Geometry<'_>, clip_from_world: Mat4, base: u32) -> u32 {
        let fits = |p: Vec3| (clip_from_world * p.extend(1.0)).is_finite();
        let mut bad = Vec::new();
        for (i, &p) in geometry.positions.iter().enumerate() {
            let fits = fits(p);
            if !fits {
                bad.resize(geometry.positions.len(), false);
                bad[i] = true;
            }
            self.numbers.extend(if fits { p } else { Vec3::ZERO }.to_array());
        }
        for t in &geometry.triangles {
            let drawn = bad.is_empty() || t.iter().all(|&i| !bad[i as usize]);
            let [a, b, c] = if drawn { *t } else { [t[0]; 3] }.map(|i| i + base);
            self.triangles.push([a, b, c, 0]);
        }
        base + geometry.positions.len() as u32
    }

    fn add_surface(&mut self, s: &Surface, triangle: u32, vertex: u32) -> Result<(), Error> {
        let mut material = Material { wire: s.wire.unwrap_or(NO_WIRE), ..Material::default() };
        (material.normals, material.normals_at) = match &s.normals {
            Shading::Flat => (FLAT, 0),
            Shading::Smooth(n) => (PER_VERTEX, self.add("normals", n, 3 * vertex)?),
            Shading::Creased(n) => (PER_CORNER, self.add("normals", n.as_flattened(), triangle.wrapping_mul(9))?),
        };
        let run = triangle as usize..triangle as usize + s.triangles.len();
        match &s.paint {
            Paint::Uniform(c) => material.color = finite("colours", *c)?,
            Paint::Vertices(c) => {
                (material.paint, material.paint_at) = (BY_VERTEX, self.add("colours", c, 3 * vertex)?);
            }
            Paint::Faces(c) => {
                let at = self.add("colours", c, triangle.wrapping_mul(3))?;
                (material.paint, material.paint_at) = (BY_TRIANGLE, at);
            }
            Paint::Looks => return self.add_looks(s, run, vertex, material),
        }
        let own = self.add_material(material);
        self.triangles[run].iter_mut().for_each(|t| t[3] = own);
        Ok(())
    }

    fn add_looks(
        &mut self,
        s: &Surface,
        run: std::ops::Range<usize>,
        vertex: u32,
        plain: Material,
    ) -> Result<(), Error> {
        let Some(first) = s.looks.first() else {
            let own = self.add_material(plain);
            self.triangles[run].iter_mut().for_each(|t| t[3] = own);
            return Ok(());
        };
        let mut texture_at = Vec::with_capacity(s.textures.len());
        for texture in &s.textures {
            texture_at.push([self.texels.len() as u32, texture.width, texture.height]);
            self.texels.extend_from_slice(&texture.pixels);
        }
        let uvs_at = match &s.uvs {
            Some(uvs) if !s.textures.is_empty() => {
                if !uvs.iter().all(|uv| uv.is_finite()) {
                    return Err(not_finite("texture coordinates"));
                }
                let at = (self.numbers.len() as u32).wrapping_sub(2 * vertex);
                self.numbers.extend(uvs.iter().flat_map(|uv| uv.to_array()));
                Some(at)
            }
            _ => None,
        };
        // Later looks first, since the first that names a triangle has it; and before all of them the first as the rule
        // for triangles that none names.
        for (look, triangles) in std::iter::once((first, 0..run.len()))
            .chain(s.looks.iter().rev().map(|l| (l, l.triangles.start as usize..l.triangles.end as usize)))
        {
            let mut material = Material { color: finite("colours", look.color)?, ..plain };
            let texture = look.texture.map(|t| texture_at[t]).filter(|t| t[1] * t[2] != 0);
            if let (Some(texture), Some(uvs_at)) = (texture, uvs_at) {
                (material.paint, material.uvs_at) = (TEXTURED, uvs_at);
                [material.texture_at, material.texture_width, material.texture_height] = texture;
            }
            let own = self.add_material(material);
            let triangles = triangles.start.min(run.len())..triangles.end.min(run.len());
            if triangles.start < triangles.end {
                self.triangles[run.clone()][triangles].iter_mut().for_each(|t| t[3] = own);
            }
        }
        Ok(())
    }

    fn add_points(&mut self, p: &Points, triangle: u32) -> Result<(), Error> {
        let mut material = Material::default();
        match &p.paint {
            Paint::Looks => {}
            Paint::Uniform(c) => material.color = finite("colours", *c)?,
            Paint::Vertices(c) | Paint::Faces(c) => {
                let at = self.add("colours", c, triangle.wrapping_mul(3))?;
                (material.paint, material.paint_at) = (BY_TRIANGLE, at);
            }
        }
        let (own, run) = (self.add_material(material), triangle as usize..triangle as usize + p.positions.len());
        self.triangles[run].iter_mut().for_each(|t| t[3] = own);
        Ok(())
    }

    fn add_bones(&mut self, b: &Bones, triangle: u32) -> Result<(), Error> {
        let colors = if b.colors.is_empty() { &[BONE][..] } else { &b.colors };
        let first = self.materials.len() as u32;
        for &color in colors {
            self.add_material(Material { color: finite("colours", color)?, ..Material::default() });
        }
        let last = colors.len() as u32 - 1;
        let run = triangle as usize..triangle as usize + 8 * b.segments.len();
        self.triangles[run].iter_mut().enumerate().for_each(|(i, t)| t[3] = first + (i as u32 / 8).min(last));
        Ok(())
    }

    /// Adds numbers and gives the offset at which entry `skipped / 3` of a list that began earlier would be its first.
    fn add(&mut self, what: &str, values: &[Vec3], skipped: u32) -> Result<u32, Error> {
        if !values.iter().all(|v| v.is_finite()) {
            return Err(not_finite(what));
        }
        let at = (self.numbers.len() as u32).wrapping_sub(skipped);
        self.numbers.extend_from_slice(bytemuck::cast_slice(values));
        Ok(at)
    }

    fn add_material(&mut self, material: Material) -> u32 {
        self.materials.push(material);
        self.materials.len() as u32 - 1
    }
}

/// Shaders may take for granted that numbers are finite, and compilers do.
fn finite(what: &str, value: Vec3) -> Result<Vec3, Error> {
    if value.is_finite() { Ok(value) } else { Err(not_finite(what)) }
}

fn not_finite(what: &str) -> Error {
    Error::Unsupported(format!("{what} that are not finite"))
}
