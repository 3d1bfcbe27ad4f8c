//! What a character is, at rest: points, triangles, joints, who owns which vertex.

mod bone;
mod by_point;
mod material;
mod mesh;
mod morph;
mod normals;
mod rest_surface;
mod skeleton;
mod source;
mod sphere_mesh;
mod sphere_tree;
mod surface_tree;
mod topology;
mod weights;
mod weld;

pub use bone::{Bone, BoneNote};
pub(crate) use by_point::ByPoint;
pub use material::{AlphaMode, Image, Material};
pub(crate) use mesh::normals as normals_of;
pub use mesh::{Mesh, MeshReport};
pub use morph::Morph;
pub use normals::{CREASE_DEGREES, NormalTables, Normals};
#[cfg(test)]
pub(crate) use rest_surface::built;
pub use rest_surface::{Kept, RestSurface};
pub use skeleton::{Joint, Role, Skeleton, SkeletonError};
pub use source::Source;
pub use sphere_mesh::{Height, Sphere, SphereMesh, SphereMeshError};
pub use sphere_tree::{SphereTree, TreeBone};
pub use surface_tree::{SurfaceHit, SurfacePoint, SurfaceTree};
pub use topology::Topology;
pub use weights::{WeightRepairs, Weights, WeightsBuilder};
pub use weld::Weld;

use crate::pose::Clip;
use std::ops::Range;

/// A character at rest. A rig without triangles is a point set; one without points is a bare skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// For people.
    pub name: String,
    /// The skin, in the order of the file it came from.
    pub mesh: Mesh,
    /// The pieces of the skin, one per primitive of the file, in order.
    pub parts: Vec<Part>,
    /// The joints.
    pub skeleton: Skeleton,
    /// Who owns which vertex; none on a bare mesh or point set.
    pub weights: Option<Weights>,
    /// Shapes that can be added to the rest positions before skinning.
    pub morphs: Vec<Morph>,
    /// Animations.
    pub clips: Vec<Clip>,
    /// How the parts look; kept for rendering and writing back.
    pub materials: Vec<Material>,
    /// Texture files, as read.
    pub images: Vec<Image>,
    /// A volumetric model of the skeleton, where there is one.
    pub sphere_mesh: Option<SphereMesh>,
    /// The file it was read from, where it is kept: a rig from glTF is written back into it.
    pub source: Option<Source>,
}

/// A run of vertices and triangles that came from one primitive of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name of the mesh it came from.
    pub name: String,
    /// Its vertices in [`Mesh::positions`].
    pub vertices: Range<u32>,
    /// Its triangles in [`Mesh::triangles`].
    pub triangles: Range<u32>,
    /// Index into [`Rig::materials`].
    pub material: Option<usize>,
    /// False for a prop that follows one joint as a whole.
    pub skinned: bool,
}

impl Rig {
    /// A rig of one part that uses the whole mesh.
    pub fn of_mesh(name: impl Into<String>, mesh: Mesh) -> Self {
        let name = name.into();
        let part = Part {
            name: name.clone(),
            vertices: 0..mesh.positions.len() as u32,
            triangles: 0..mesh.triangles.len() as u32,
            material: None,
            skinned: true,
        };
        Self { name, mesh, parts: vec![part], ..Self::default() }
    }

    /// The skin at rest with what follows from it, as [`Mesh::surface`] keeps it.
    pub fn surface(&self) -> RestSurface<'_> {
        self.mesh.surface()
    }

    /// Length of the diagonal of the rest box, the unit of every tolerance. Never zero.
    pub fn diagonal(&self) -> f32 {
        let d = self.mesh.bounds().diagonal();
        if d > 0.0 { d } else { 1.0 }
    }

    /// A clip by name; by number where no clip has that name; or ignoring case where only one clip is meant so.
    pub fn clip(&self, name_or_index: &str) -> Option<&Clip> {
        let by_name = self.clips.iter().find(|c| c.name == name_or_index);
        let by_number = || name_or_index.parse::<usize>().ok().and_then(|i| self.clips.get(i));
        let folded = name_or_index.to_lowercase();
        let mut alike = self.clips.iter().filter(|c| c.name.to_lowercase() == folded);
        by_name.or_else(by_number).or_else(|| alike.next().filter(|_| alike.next().is_none()))
    }
}
