use super::{Viewport, draft::Draft, texture};
use glam::{Vec2, Vec3};
use std::{ops::Range, sync::Arc};
use supple::{
    math::Bounds,
    rig::{AlphaMode, Normals, Rig},
};
use supple_gpu::{GpuError, wgpu};
use supple_render::{Paint, character, scene::CLAY};

/// What of a rig does not move: triangles, texture coordinates, materials. Any number of [`Shown`](super::Shown) use it.
pub struct Skin {
    pub(super) triangles: wgpu::Buffer,
    pub(super) uvs: wgpu::Buffer,
    pub(super) own_colors: wgpu::Buffer,
    pub(super) disc_normals: wgpu::Buffer,
    pub(super) normals: Normals,
    /// Runs of triangles with one material each, covering all of them.
    pub(super) runs: Vec<(Range<u32>, wgpu::BindGroup)>,
    /// Corners of the skin in fewer triangles, and its runs; none where it has few.
    pub(super) draft: wgpu::Buffer,
    pub(super) draft_runs: Vec<Range<u32>>,
    pub(super) bounds: Bounds,
    pub(super) rest: Vec<Vec3>,
    pub(super) counts: [u32; 2],
    pub(super) has_colors: bool,
    pub(super) has_disc_normals: bool,
    pub(super) radius: f32,
}

impl Skin {
    /// Sends a rig to the device, and says in a line each what of its textures cannot be shown; such parts are grey.
    pub fn new(viewport: &Viewport, rig: &Rig) -> Result<(Self, Vec<String>), GpuError> {
        let (gpu, mesh) = (&viewport.gpu, &rig.mesh);
        let (surface, faults) = character::surface(rig, &mesh.positions);
        let mut warnings: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let mut textures = Vec::new();
        for (i, decoded) in surface.textures.into_iter().enumerate() {
            let sent = texture::upload(gpu, "texture", &texture::levels(Arc::unwrap_or_clone(decoded)));
            textures.push(sent.map_err(|e| warnings.push(format!("texture {i} cannot be shown: {e}"))).ok());
        }
        let group = |texture: &wgpu::Texture, color: Vec3, cutoff: f32| {
            texture::group(gpu, &viewport.layouts, texture, &viewport.repeated, color, cutoff)
        };
        let mut made: Vec<(Range<u32>, wgpu::BindGroup)> = Vec::new();
        for (part, look) in rig.parts.iter().zip(&surface.looks) {
            let material = part.material.and_then(|m| rig.materials.get(m));
            let wants_texture = mesh.uvs.is_some() && material.is_some_and(|m| m.base_color_image.is_some());
            let texture = look.texture.and_then(|t| textures[t].as_ref());
            let cutoff = match material.map(|m| m.alpha_mode).filter(|_| texture.is_some()) {
                Some(AlphaMode::Mask(least)) => least,
                // Nothing is sorted here, so that it is there or not.
                Some(AlphaMode::Blend) => 0.5,
                _ => 0.0,
            };
            let color = if wants_texture && texture.is_none() { CLAY } else { look.color };
            made.push((part.triangles.clone(), group(texture.unwrap_or(&viewport.white), color, cutoff)));
        }
        let otherwise = match made.first() {
            Some((_, group)) => group.clone(),
            None => group(&viewport.white, CLAY, 0.0),
        };
        let own = if let Paint::Vertices(colors) = surface.paint { Some(colors) } else { None };
        let triangles = mesh.triangles.len() as u32;
        // Points have colours or are clay, whatever materials say: as in supple-render.
        let of_points = group(&viewport.white, if own.is_some() { Vec3::ONE } else { CLAY }, 0.0);
        let runs = if triangles > 0 { runs(made, triangles, &otherwise) } else { vec![(0..0, of_points)] };
        let ranges: Vec<Range<u32>> = runs.iter().map(|(range, _)| range.clone()).collect();
        let draft = Draft::of(rig, &ranges);
        let skin = Self {
            triangles: gpu.storage("triangles", &mesh.triangles)?,
            uvs: gpu.storage("texture coordinates", mesh.uvs.as_deref().unwrap_or(&[Vec2::ZERO]))?,
            own_colors: gpu.storage("colours of the file", own.as_deref().unwrap_or(&[]))?,
            disc_normals: gpu.storage("normals of the file", mesh.normals.as_deref().unwrap_or(&[]))?,
            normals: Normals::of(mesh),
            runs,
            draft: gpu.storage("corners of the draft", &draft.corners)?,
            draft_runs: draft.runs,
            bounds: mesh.bounds(),
            rest: mesh.positions.clone(),
            counts: [mesh.positions.len() as u32, triangles],
            has_colors: own.is_some(),
            has_disc_normals: mesh.normals.is_some(),
            radius: character::points(rig, &mesh.positions).radius,
        };
        gpu.trouble()?;
        Ok((skin, warnings))
    }

    /// How many vertices.
    pub fn vertices(&self) -> usize {
        self.rest.len()
    }

    /// True for a point set, which is drawn as discs.
    pub fn is_point_set(&self) -> bool {
        self.counts[1] == 0
    }

    /// The box round the points at rest.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// Runs that cover all triangles: what no part claims looks like the first, as in supple-render.
fn runs<T: Clone>(mut parts: Vec<(Range<u32>, T)>, triangles: u32, otherwise: &T) -> Vec<(Range<u32>, T)> {
    parts.sort_by_key(|(range, _)| range.start);
    let (mut runs, mut next) = (Vec::new(), 0);
    for (range, group) in parts {
        let (start, end) = (range.start.clamp(next, triangles), range.end.clamp(next, triangles));
        if start > next {
            runs.push((next..start, otherwise.clone()));
        }
        if end > start {
            runs.push((start..end, group));
        }
        next = next.max(end);
    }
    if next < triangles || runs.is_empty() {
        runs.push((next..triangles, otherwise.clone()));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_cover_every_triangle_once() {
        let cut = |parts: &[(std::ops::Range<u32>, u8)]| runs(parts.to_vec(), 10, &0);
        assert_eq!(cut(&[]), [(0..10, 0)]);
        assert_eq!(cut(&[(4..6, 2), (0..2, 1)]), [(0..2, 1), (2..4, 0), (4..6, 2), (6..10, 0)]);
        assert_eq!(cut(&[(0..7, 1), (5..99, 2)]), [(0..7, 1), (7..10, 2)]);
    }
}
