use super::{Mesh, SurfaceTree, Topology, Weld};
use crate::solve::Laplacian;
use std::{
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// A skin at rest and what follows from its positions and triangles alone: each part is made when it is first asked for, and kept
/// with the mesh, for every method and gauge. Clones of the mesh share it; a mesh whose positions or triangles have changed since
/// gets one of its own.
pub struct RestSurface<'a> {
    mesh: &'a Mesh,
    parts: Arc<Parts>,
}

/// What has been made of a surface so far.
#[derive(Default)]
struct Parts {
    /// Of which surface; none before the first part is asked for.
    fingerprint: OnceLock<[u64; 2]>,
    weld: OnceLock<Arc<Weld>>,
    topology: OnceLock<Arc<Topology>>,
    tree: OnceLock<SurfaceTree>,
    delaunay: OnceLock<Laplacian>,
    clamped: OnceLock<Laplacian>,
}

impl<'a> RestSurface<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let fingerprint = fingerprint(mesh);
        let mut kept = mesh.kept.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *kept.fingerprint.get_or_init(|| fingerprint) != fingerprint {
            *kept = Arc::new(Parts { fingerprint: fingerprint.into(), ..Parts::default() });
        }
        Self { mesh, parts: Arc::clone(&kept) }
    }

    /// Which vertices are one point of the surface.
    pub fn weld(&self) -> &Arc<Weld> {
        made(&self.parts.weld, || Weld::of(&self.mesh.positions).into())
    }

    /// Who is next to whom.
    pub fn topology(&self) -> &Arc<Topology> {
        made(&self.parts.topology, || {
            let weld = Arc::clone(self.weld());
            let triangles = weld.triangles(&self.mesh.triangles);
            Topology::welded(weld, triangles).into()
        })
    }

    /// The triangles in a tree.
    pub fn tree(&self) -> &SurfaceTree {
        made(&self.parts.tree, || SurfaceTree::of(self.mesh))
    }

    /// [`Laplacian::delaunay`].
    pub fn laplacian(&self) -> &Laplacian {
        made(&self.parts.delaunay, || Laplacian::delaunay(self.topology(), &self.mesh.positions))
    }

    /// [`Laplacian::clamped`].
    pub fn clamped_laplacian(&self) -> &Laplacian {
        made(&self.parts.clamped, || Laplacian::clamped(self.topology(), &self.mesh.positions))
    }
}

/// What is there, or is made now. Nobody waits for it meanwhile: a thread that makes it may be lent to others who ask for it, and
/// would wait for itself. Where two make it at the same time, the first is kept.
fn made<T>(kept: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match kept.get() {
        Some(there) => there,
        None => {
            let new = make();
            kept.get_or_init(|| new)
        }
    }
}

/// What a [`Mesh`] keeps of its [`RestSurface`].
#[derive(Default)]
pub struct Kept(Mutex<Arc<Parts>>);

impl Clone for Kept {
    fn clone(&self) -> Self {
        Self(Mutex::new(Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))))
    }
}

/// It says nothing that the mesh does not say.
impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

/// Two numbers that differ where positions or triangles do: two meshes that were not made to agree in them do so once in 2^128.
/// Reading them all takes a hundredth of what the quickest part takes to make.
fn fingerprint(mesh: &Mesh) -> [u64; 2] {
    let positions: &[u32] = bytemuck::cast_slice(&mesh.positions);
    let triangles = mesh.triangles.as_flattened();
    let mut lanes = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, positions.len() as u64, triangles.len() as u64];
    for words in [positions, triangles] {
        for words in words.chunks(8) {
            for (i, pair) in words.chunks(2).enumerate() {
                let word = u64::from(pair[0]) | u64::from(*pair.last().expect("one or two")) << 32;
                // A lane is changed by what came before, so that the order counts.
                lanes[i] = (lanes[i] ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
                lanes[i] ^= lanes[i] >> 32;
            }
        }
    }
    let mix = |a: u64, b: u64| (a.rotate_left(23) ^ b).wrapping_mul(0x9fb2_1c65_1e98_df25);
    [mix(mix(lanes[0], lanes[1]), mix(lanes[2], lanes[3])), mix(mix(lanes[3], lanes[1]), mix(lanes[2], lanes[0]))]
}

/// How often what was made of surfaces with so many vertices.
#[cfg(test)]
pub(crate) mod built {
    use std::{
        collections::BTreeMap,
        sync::{Mutex, PoisonError},
    };

    type Counts = BTreeMap<(usize, &'static str), usize>;

    static COUNTS: Mutex<Counts> = Mutex::new(BTreeMap::new());

    pub fn count(what: &'static str, vertices: usize) {
        *COUNTS.lock().unwrap_or_else(PoisonError::into_inner).entry((vertices, what)).or_default() += 1;
    }

    pub fn of(vertices: usize) -> Vec<(&'static str, usize)> {
        let counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().filter(|(of, _)| of.0 == vertices).map(|((_, what), count)| (*what, *count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        example::{self, FigureOptions},
        graph::{DeformGraph, methods},
        rig::{Normals, Rig},
        weights::edit,
    };
    use glam::Vec3;

    /// No other test has a surface of so many vertices, so that theirs are not counted with it.
    fn figure(vertices: usize) -> Rig {
        example::figure(&FigureOptions { vertices, ..FigureOptions::default() }).unwrap()
    }

    #[test]
    fn no_method_builds_a_surface_again() {
        let rig = figure(1237);
        let moved_by_all = |rig: &Rig| {
            for method in methods().iter().filter(|m| m.stands_alone) {
                DeformGraph::single(method.name).unwrap().bind(rig).unwrap();
            }
            let weights = rig.weights.as_ref().unwrap();
            edit::smooth(&rig.mesh, weights, &edit::SmoothOptions::default()).unwrap();
            let options = edit::TransferOptions { align: false, ..Default::default() };
            edit::transfer(rig, rig, &options).unwrap();
            Normals::of(&rig.mesh);
        };
        moved_by_all(&rig);
        let once: Vec<_> = ["clamped", "delaunay", "topology", "tree", "weld"].map(|what| (what, 1)).to_vec();
        assert_eq!(built::of(1237), once);
        moved_by_all(&rig.clone());
        assert_eq!(built::of(1237), once);
    }

    #[test]
    fn a_changed_mesh_has_a_surface_of_its_own_and_its_clone_keeps_the_old_one() {
        let mut rig = figure(1238);
        let (old, clone) = (rig.surface().topology().clone(), rig.clone());
        assert!(Arc::ptr_eq(&old, rig.surface().topology()));
        rig.mesh.positions.push(Vec3::splat(9.0));
        assert_eq!(rig.surface().topology().points(), old.points() + 1);
        assert!(Arc::ptr_eq(&old, clone.surface().topology()));
        rig.mesh.positions.pop();
        rig.mesh.triangles.swap(0, 1);
        assert_eq!(rig.surface().topology().triangles[0], old.triangles[1]);
    }

    #[test]
    fn what_is_made_before_a_clone_is_asked_is_made_once_for_both() {
        let (rig, other) = {
            let rig = figure(1239);
            (rig.clone(), rig)
        };
        assert!(Arc::ptr_eq(rig.surface().topology(), other.surface().topology()));
    }

    #[test]
    fn surfaces_that_differ_in_one_number_have_other_fingerprints() {
        let mesh = figure(1240).mesh;
        let own = fingerprint(&mesh);
        for i in [0, 7, 600, 1239] {
            let mut other = mesh.clone();
            other.positions[i].y = f32::from_bits(other.positions[i].y.to_bits() ^ 1);
            assert_ne!(fingerprint(&other), own, "position {i}");
            let mut other = mesh.clone();
            other.triangles[i].swap(0, 1);
            assert_ne!(fingerprint(&other), own, "triangle {i}");
        }
    }
}
