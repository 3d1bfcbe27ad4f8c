//! Draws on the processor. First the buffers, one sample per pixel; then the picture, several samples per pixel, band by
//! band, so that no more memory is needed for them than a few rows.

pub(crate) mod occlusion;
pub(crate) mod raster;
pub(crate) mod shade;

use crate::{
    Buffers, Error, Geometry, Scene, View, annotate, color,
    geometry::Source,
    light::{WIRE, WIRE_OPACITY},
    parallel::for_each_block,
    scene::Surface,
};
use glam::{Vec2, Vec3};
use raster::{BAND, Layer, Projected};
use shade::{Shader, light_between, tone};
use supple::math::Bounds;

/// Draws a scene.
pub fn render(scene: &Scene, view: &View) -> Result<Buffers, Error> {
    scene.check()?;
    let mut buffers = Buffers::new(view)?;
    let geometry = Geometry::of(scene, view)?;
    fill(&mut buffers, &Projected::new(&geometry, view, 1));
    buffers.resolve(&geometry);
    let extent = extent(&geometry);
    occlusion::fill(&mut buffers, view, extent);
    let bones = Geometry::of_bones(scene);
    let scale = view.supersampling;
    let pass = Pass {
        scale,
        skin: Projected::new(&geometry, view, scale),
        bones: Projected::new(&bones, &View { section: None, ..*view }, scale),
        shader: Shader::new(&geometry, view, extent),
        buffers: &buffers,
        thickness: thickness(view, extent),
    };
    let mut color = vec![[0; 4]; buffers.color.len()];
    let rows = (BAND / scale).max(1) as usize;
    for_each_block(&mut color, rows * buffers.width as usize, |band, out| pass.draw((band * rows) as u32, out));
    annotate::draw(scene, view, &mut color);
    buffers.color = color;
    Ok(buffers)
}

/// The diagonal of everything but bones, by which the reach of occlusion is measured.
pub(crate) fn extent(geometry: &Geometry<'_>) -> f32 {
    let extent = Bounds::of(&geometry.positions).diagonal();
    if extent <= 0.0 { 1.0 } else { extent }
}

/// How far apart two places may be to share their light.
pub(crate) fn thickness(view: &View, extent: f32) -> f32 {
    view.occlusion.radius * extent * 0.3
}

/// Ids, barycentric coordinates and depth.
fn fill(buffers: &mut Buffers, projected: &Projected<'_>) {
    // Three buffers are cut at the same rows; chunks of each travel together.
    let block = (BAND * buffers.width) as usize;
    let parts = buffers.id.chunks_mut(block).zip(buffers.depth.chunks_mut(block));
    let mut layers: Vec<Layer<'_>> = parts
        .zip(buffers.barycentric.chunks_mut(block))
        .enumerate()
        .map(|(i, ((id, depth), barycentric))| Layer { first_row: i as u32 * BAND, id, depth, barycentric })
        .collect();
    for_each_block(&mut layers, 1, |_, layer| projected.fill(&mut layer[0]));
}

/// The last pass: several samples for each pixel.
struct Pass<'a> {
    scale: u32,
    skin: Projected<'a>,
    bones: Projected<'a>,
    shader: Shader<'a>,
    buffers: &'a Buffers,
    thickness: f32,
}

/// Memory of one band.
struct Samples {
    id: Vec<u32>,
    depth: Vec<f32>,
    barycentric: Vec<Vec2>,
}

impl Samples {
    fn of(projected: &Projected<'_>, first_row: u32, rows: u32) -> Self {
        let n = (projected.width * rows) as usize;
        let mut samples = Self { id: vec![0; n], depth: vec![1.0; n], barycentric: vec![Vec2::ZERO; n] };
        // Bands of samples are fixed; the rows wanted are taken from them.
        let (mut done, width) = (0, projected.width as usize);
        while done < rows {
            let take = (BAND - (first_row + done) % BAND).min(rows - done);
            let range = done as usize * width..(done + take) as usize * width;
            projected.fill(&mut Layer {
                first_row: first_row + done,
                id: &mut samples.id[range.clone()],
                depth: &mut samples.depth[range.clone()],
                barycentric: &mut samples.barycentric[range],
            });
            done += take;
        }
        samples
    }
}

impl Pass<'_> {
    fn draw(&self, first_row: u32, out: &mut [[u8; 4]]) {
        let (scale, width) = (self.scale, self.buffers.width);
        let rows = out.len() as u32 / width;
        let skin = Samples::of(&self.skin, first_row * scale, rows * scale);
        let draws_bones = !self.bones.geometry.triangles.is_empty();
        let bones = draws_bones.then(|| Samples::of(&self.bones, first_row * scale, rows * scale));
        let background = self.shader.view.background.color();
        let bare = color::pixel(background);
        for (i, pixel) in out.iter_mut().enumerate() {
            let (x, y) = (i as u32 % width, i as u32 / width);
            let (mut sum, mut empty) = (Vec3::ZERO, true);
            for sample in 0..scale * scale {
                let (sx, sy) = (x * scale + sample % scale, y * scale + sample / scale);
                let at = (sy * width * scale + sx) as usize;
                let place = Vec2::new(sx as f32 + 0.5, (sy + first_row * scale) as f32 + 0.5);
                let mut color = background;
                if skin.id[at] != 0 {
                    empty = false;
                    color = tone(self.surface(skin.id[at] - 1, skin.barycentric[at], place));
                }
                if let Some(bones) = bones.as_ref().filter(|b| b.id[at] != 0) {
                    let triangle = bones.id[at] - 1;
                    empty = false;
                    let behind =
                        (skin.id[at] != 0).then(|| self.skin.geometry.position(skin.id[at] - 1, skin.barycentric[at]));
                    let (bone, opacity) = self.bone(triangle, bones.barycentric[at], behind);
                    color = color.lerp(bone, opacity);
                }
                sum += color;
            }
            *pixel = if empty { bare } else { color::pixel(sum / (scale * scale) as f32) };
        }
    }

    fn surface(&self, triangle: u32, barycentric: Vec2, place: Vec2) -> Vec3 {
        let position = self.skin.geometry.position(triangle, barycentric);
        let normal = self.skin.geometry.normal(triangle, barycentric);
        let light = light_between(self.buffers, place / self.scale as f32, position, normal, self.thickness);
        let color = self.shader.color(triangle, barycentric, light);
        let (Source::Surface(Surface { wire: Some(wire), .. }), _) = self.skin.geometry.source(triangle) else {
            return color;
        };
        color.lerp(Vec3::splat(WIRE), WIRE_OPACITY * self.on_edge(triangle, place, wire * self.scale as f32))
    }

    /// How much of a line along the edges of a triangle covers a place; half of the line lies on each side.
    fn on_edge(&self, triangle: u32, place: Vec2, width: f32) -> f32 {
        let Some(corners) = self.skin.pixels(triangle) else { return 0.0 };
        let mut nearest = f32::INFINITY;
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let along = b - a;
            let part = ((place - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
            nearest = nearest.min(place.distance(a + along * part));
        }
        (width * 0.5 + 0.5 - nearest).clamp(0.0, 1.0)
    }

    fn bone(&self, triangle: u32, barycentric: Vec2, skin: Option<Vec3>) -> (Vec3, f32) {
        let bones = self.bones.geometry;
        let position = bones.position(triangle, barycentric);
        let towards = self.shader.view.camera.towards(position);
        let base = bones.color(triangle, barycentric);
        let lit = self.shader.lit(base, bones.normal(triangle, barycentric), towards, Vec2::new(1.0, 0.0));
        (tone(lit), self.shader.bone_opacity(position, skin))
    }
}
