use super::{
    Document, Shading,
    clips::{self, Channels, WEIGHTS},
    document::MOST_BYTES,
    looks::Looks,
    mesh, morph,
};
use crate::{
    pose::Interpolation,
    rig::{Part, Rig},
    write::{Error, check},
};
use glam::Vec3;
use gltf_json::{Accessor, Index, Mesh, mesh::MorphTarget};
use std::{borrow::Cow, collections::HashMap, io::Write};

/// How a baked clip is written.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedOptions {
    /// Name of the animation.
    pub name: String,
    /// Frames per second.
    pub fps: f64,
    /// Bake the shading too, which doubles the size; without it every frame is lit like the first. On by default.
    pub normals: bool,
}

impl Default for BakedOptions {
    fn default() -> Self {
        Self { name: "baked".to_owned(), fps: 30.0, normals: true }
    }
}

/// Moved points over time as a GLB that plays anywhere: the first frame is the mesh, every later one a morph target
/// that is wholly on at its time, with straight lines between. Frames equal to the first or to the one before cost
/// nothing; others 12 bytes per moved vertex (24 with normals), held in memory until the end and refused above 2 GiB:
/// long clips of large meshes belong into `usda` or `pc2`.
pub struct Baked<'a> {
    rig: &'a Rig,
    options: BakedOptions,
    parts: Cow<'a, [Part]>,
    shading: Option<Shading<'a>>,
    document: Document,
    mesh: Option<Mesh>,
    first: Vec<Vec3>,
    first_normals: Vec<Vec3>,
    before: Vec<Vec3>,
    /// Which target each frame shows; none for the first.
    shown: Vec<Option<usize>>,
    targets: usize,
    /// Frames that will come, as far as is known.
    expected: usize,
    /// Of each part, a target that keeps still.
    still: Vec<Option<Index<Accessor>>>,
}

impl<'a> Baked<'a> {
    /// Starts a clip of a rig's skin.
    pub fn new(rig: &'a Rig, options: BakedOptions) -> Result<Self, Error> {
        check::points(rig, &rig.mesh.positions)?;
        check::rate(options.fps)?;
        let parts = mesh::parts(rig)?;
        let shading = (!rig.mesh.triangles.is_empty()).then(|| Shading::of(rig));
        let still = vec![None; parts.len()];
        let (document, shown) = (Document::new(), Vec::new());
        let (mesh, targets) = (None, 0);
        let (first, first_normals, before) = (Vec::new(), Vec::new(), Vec::new());
        let expected = 0;
        Ok(Self {
            rig,
            options,
            parts,
            shading,
            document,
            mesh,
            first,
            first_normals,
            before,
            shown,
            targets,
            expected,
            still,
        })
    }

    /// Tells how many frames will come, so that too many are refused as soon as their weights are known not to fit.
    pub fn expecting(self, frames: usize) -> Self {
        Self { expected: frames, ..self }
    }

    /// Adds the next frame.
    pub fn frame(&mut self, points: &[Vec3]) -> Result<(), Error> {
        check::count("points", points.len(), self.rig.mesh.positions.len())?;
        check::finite("point", points)?;
        // Every frame is a row of weights too, those to come included.
        let rows = self.expected.max(self.shown.len() + 1);
        let weights = rows.saturating_mul(self.targets + 1).saturating_mul(4);
        if weights.saturating_add(self.document.length()) > MOST_BYTES {
            return Err(Error::TooLarge { most: MOST_BYTES + 1, advice: "write usda or pc2, or fewer frames" });
        }
        if points.is_empty() {
            self.shown.push(None);
        } else if self.mesh.is_none() {
            let normals = self.shading.as_ref().map(|s| s.normals(points));
            let looks = Looks::of(self.rig);
            let look = mesh::Look { points, normals: normals.as_deref(), weights: None, looks: looks.as_ref() };
            self.mesh = Some(mesh::write(&mut self.document, self.rig, &look)?);
            self.first = points.to_vec();
            self.first_normals = normals.unwrap_or_default();
            self.shown.push(None);
        } else if points == self.first {
            self.shown.push(None);
        } else if points == self.before {
            self.shown.push(self.shown.last().copied().flatten());
        } else {
            self.target(points)?;
            self.shown.push(Some(self.targets));
            self.targets += 1;
        }
        self.before.clear();
        self.before.extend_from_slice(points);
        Ok(())
    }

    fn target(&mut self, points: &[Vec3]) -> Result<(), Error> {
        let shading = self.shading.as_ref().filter(|_| self.options.normals);
        let normals = shading.map(|s| s.normals(points));
        let mesh = self.mesh.as_mut().expect("made with the first frame");
        for ((part, primitive), still) in self.parts.iter().zip(&mut mesh.primitives).zip(&mut self.still) {
            let range = part.vertices.start as usize..part.vertices.end as usize;
            let mut difference = |now: &[Vec3], first: &[Vec3]| {
                let pairs = (0..).zip(now[range.clone()].iter().zip(&first[range.clone()]));
                let moved = pairs.filter(|(_, (now, first))| now != first);
                let (vertices, deltas) = moved.map(|(v, (now, first))| (v, now - first)).unzip();
                morph::target(&mut self.document, &part.vertices, vertices, deltas, still)
            };
            let positions = Some(difference(points, &self.first)?);
            let normals = match &normals {
                Some(normals) => Some(difference(normals, &self.first_normals)?),
                None => None,
            };
            let targets = primitive.targets.get_or_insert_default();
            targets.push(MorphTarget { positions, normals, tangents: None });
        }
        Ok(())
    }

    /// Writes the file. A clip in which nothing moves is a still mesh.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<(), Error> {
        let Some(mut mesh) = self.mesh else { return self.document.write_to([], out) };
        let targets = self.targets;
        if targets > 0 {
            mesh.weights = Some(vec![0.0; targets]);
        }
        let node = self.document.mesh_node(&self.rig.name, mesh, None);
        if targets > 0 {
            let times = (0..self.shown.len()).map(|k| (k as f64 / self.options.fps) as f32).collect();
            let mut values = vec![0.0; self.shown.len() * targets];
            for (k, shown) in self.shown.iter().enumerate() {
                if let Some(target) = shown {
                    values[k * targets + target] = 1.0;
                }
            }
            let (document, times_written) = (&mut self.document, &mut HashMap::new());
            let animation = clips::empty(&self.options.name);
            let mut channels = Channels { document, times: times_written, animation };
            channels.push(node, Interpolation::Linear, Cow::Owned(times), &values, WEIGHTS)?;
            let animation = channels.animation;
            self.document.root.push(animation);
        }
        self.document.write_to([node], out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh as Skin;

    #[test]
    fn a_clip_too_long_for_a_glb_is_refused_before_it_fills_the_memory() {
        let rig = Rig::of_mesh("p", Skin { positions: vec![Vec3::ZERO], ..Skin::default() });
        let mut baked = Baked::new(&rig, BakedOptions::default()).unwrap();
        let error = (0..30_000).find_map(|k| baked.frame(&[Vec3::X * k as f32]).err()).unwrap().to_string();
        assert!(error.starts_with("the file would be larger than 2048 MiB") && error.contains("usda"), "{error}");
    }

    #[test]
    fn a_clip_of_frames_without_number_is_refused_by_their_number() {
        let rig = Rig::of_mesh("p", Skin { positions: vec![Vec3::ZERO], ..Skin::default() });
        let mut baked = Baked::new(&rig, BakedOptions::default()).unwrap().expecting(10_000_000);
        let refused = (0..100).position(|k| baked.frame(&[Vec3::X * k as f32]).is_err());
        assert!(refused.is_some_and(|k| k > 1), "{refused:?}");
        // Where nothing moves, so many are no trouble.
        let mut still = Baked::new(&rig, BakedOptions::default()).unwrap().expecting(10_000_000);
        assert!((0..100).all(|_| still.frame(&[Vec3::X]).is_ok()));
    }

    #[test]
    fn a_clip_in_which_nothing_moves_is_a_still_mesh() {
        let rig = Rig::of_mesh("p", Skin { positions: vec![Vec3::ZERO], ..Skin::default() });
        let mut baked = Baked::new(&rig, BakedOptions::default()).unwrap();
        baked.frame(&[Vec3::X]).unwrap();
        baked.frame(&[Vec3::X]).unwrap();
        let mut bytes = Vec::new();
        baked.finish(&mut bytes).unwrap();
        let json = String::from_utf8_lossy(&bytes).into_owned();
        assert!(json.contains("POSITION") && !json.contains("animations") && !json.contains("targets"), "{json}");
    }
}
