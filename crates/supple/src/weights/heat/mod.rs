//! Bone heat: every bone warms the skin nearest to it, the warmth spreads over the surface, and how much of a vertex's
//! warmth comes from a joint is that joint's weight. The everyday way to weight a body with a skeleton inside.
//!
//! I. Baran, J. Popović, *Automatic rigging and animation of 3D characters*, ACM Transactions on Graphics 26 (3), 2007.
//!
//! (L + M H) w_j = M H p_j, for every joint j; H_ii = Σ c / d_i² over the nearest joints of i, 0 where they are hidden
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | L | [`Laplacian::stiffness`] | cotangent stiffness over the intrinsic Delaunay triangulation |
//! | M | [`Laplacian::mass`] | lumped areas |
//! | d_i | `Found::add` | distance from point i to its nearest bone, times `Sight::slant` |
//! | c | `source::STRENGTH` | how strongly bones heat, against how fast heat spreads |
//! | H_ii p_ij | `Source::heat` | c / d_i² where a bone of j is the nearest, or within 1e-4 of that distance, and visible |
//! | w_j | `Share::weight` | weights of joint j |
//!
//! The mesh is first brought to a diagonal of one; the equation itself has no unit. A bone is visible where the straight
//! way from the point to its foot on the bone does not come back into the body from outside. Components are solved apart.
//! A component that sees no bone inside is heated by the nearest bones through walls (the system may be singular else), and
//! [`HeatNote`] tells. Weights under 0.025 fade away, and at most [`HeatOptions::influences`] stay, without a jump where
//! two influences change places.
//!
//! It fails where the nearest bone is the wrong one: a skirt's hem belongs to one leg, the cheek of a big head to a
//! shoulder. It knows no muscles, and a skeleton of another size or in another place tells it nothing.

mod body;
mod component;
mod diffuse;
mod note;
mod source;
mod table;

pub use note::{HeatNote, IdleReason};

use super::nearest::MOST_PAIRS;
use crate::{
    parallel,
    rig::{BoneNote, Mesh, Skeleton, Topology, Weights},
    solve::{Laplacian, SolveError},
};
use body::{Body, Sight};
use component::{Components, Heated};
use diffuse::{Share, diffuse};
use table::Table;
use thiserror::Error;

/// How bone heat is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatOptions {
    /// At most so many joints for a vertex.
    pub influences: usize,
}

impl Default for HeatOptions {
    fn default() -> Self {
        Self { influences: 4 }
    }
}

/// Why there are no weights.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HeatError {
    /// Nobody to own the vertices.
    #[error("the skeleton has no bones: {joints} joints, none of them a bone")]
    NoBones {
        /// Joints that are frames.
        joints: usize,
    },
    /// Nothing to own.
    #[error("the mesh has no vertices")]
    NoVertices,
    /// A vertex must belong to somebody.
    #[error("0 influences asked for; a vertex needs at least 1")]
    NoInfluences,
    /// Every vertex is compared with every bone.
    #[error("{vertices} vertices and {bones} bones are too many: at most {MOST_PAIRS} pairs of them are compared")]
    TooLarge {
        /// Vertices of the mesh.
        vertices: usize,
        /// Bones of the skeleton.
        bones: usize,
    },
    /// Thousands of joints in one place.
    #[error(
        "{bones} bones lie on one another: more than {} pairs of a bone and a vertex are equally near",
        source::MOST
    )]
    Crowded {
        /// Bones of the skeleton.
        bones: usize,
    },
    /// A triangle of vertices that are not there.
    #[error("triangle {triangle} has the corners {corners:?}, but there are {vertices} vertices")]
    Corner {
        /// Which triangle.
        triangle: usize,
        /// Its corners.
        corners: [u32; 3],
        /// How many vertices there are.
        vertices: usize,
    },
}

/// Weights by bone heat for every vertex of a mesh, and what had to be decided on the way.
///
/// Whatever the mesh, the weights are finite and sum to one. Leaf joints get the tails that [`Skeleton::bones`] infers.
pub fn heat(mesh: &Mesh, skeleton: &Skeleton, options: &HeatOptions) -> Result<(Weights, Vec<HeatNote>), HeatError> {
    if options.influences == 0 {
        return Err(HeatError::NoInfluences);
    }
    if mesh.positions.is_empty() {
        return Err(HeatError::NoVertices);
    }
    let (bones, bone_notes) = skeleton.bones(&mesh.positions, None);
    if bones.is_empty() {
        return Err(HeatError::NoBones { joints: skeleton.len() });
    }
    if mesh.positions.len().saturating_mul(bones.len()) > MOST_PAIRS {
        return Err(HeatError::TooLarge { vertices: mesh.positions.len(), bones: bones.len() });
    }
    let body = Body::new(mesh, &bones)?;
    let topology = Topology::of(&body.mesh);
    let components = Components::new(&topology);
    let mut notes = notes_of_bones(bone_notes);

    let ((found, sight), laplacian) = parallel::join(
        || {
            let sight = Sight::of(&topology, &body.mesh);
            let found =
                source::find(&topology, &body.mesh, &body.bones, &components.points, skeleton.len(), Some(&sight));
            (found, sight)
        },
        || Laplacian::delaunay(&topology, &body.mesh.positions),
    );
    let heated = found.and_then(|found| components.heated(&topology, &body, found, &sight, skeleton, &mut notes));
    let heated = heated.ok_or(HeatError::Crowded { bones: bones.len() })?;
    let mean_mass = match laplacian.mass.iter().sum::<f64>() / components.points.len().max(1) as f64 {
        mean if mean > 0.0 && mean.is_finite() => mean,
        _ => 1.0,
    };
    let place = |point: u32| body.mesh.positions[topology.weld.first_of[point as usize] as usize];
    let mut solved: Vec<Result<Vec<Share>, SolveError>> = vec![Ok(Vec::new()); components.len()];
    parallel::for_each_block(&mut solved, 1, |i, out| {
        out[0] = diffuse(&laplacian, place, mean_mass, components.of(i), &components.local, heated.of(i));
    });

    let table = Table { topology: &topology, body: &body, components: &components, influences: options.influences };
    let weights = table.weights(&solved, mesh, skeleton, &mut notes);
    notes_of_idle_joints(&weights, skeleton, &body, &heated, &mut notes);
    Ok((weights, notes))
}

fn notes_of_bones(bone_notes: Vec<BoneNote>) -> Vec<HeatNote> {
    let mut notes = Vec::new();
    let (tails, merged): (Vec<_>, Vec<_>) =
        bone_notes.into_iter().partition(|n| matches!(n, BoneNote::InferredTail { .. }));
    note::add(&mut notes, merged.into_iter().map(HeatNote::Bone).collect(), "zero-length bones");
    if let Some(BoneNote::InferredTail { joint, .. }) = tails.first() {
        notes.push(HeatNote::InferredTails { count: tails.len(), first: joint.clone() });
    }
    notes
}

fn notes_of_idle_joints(
    weights: &Weights,
    skeleton: &Skeleton,
    body: &Body,
    heated: &Heated,
    notes: &mut Vec<HeatNote>,
) {
    let (mut owns, mut heats) = (vec![false; skeleton.len()], vec![false; skeleton.len()]);
    (0..weights.len()).flat_map(|v| weights.row(v).0).for_each(|&j| owns[usize::from(j)] = true);
    heated.sources.iter().for_each(|s| heats[usize::from(s.joint)] = true);
    let mut idle: Vec<usize> = body.bones.iter().map(|b| b.joint).filter(|&j| !owns[j]).collect();
    idle.dedup();
    let reason = |j: usize| match (heats[j], heated.hidden[j]) {
        (true, _) => IdleReason::Outweighed,
        (false, true) => IdleReason::Hidden,
        (false, false) => IdleReason::NeverNearest,
    };
    let idle = idle.into_iter().map(|j| HeatNote::Idle { joint: skeleton.joints()[j].name.clone(), why: reason(j) });
    note::add(notes, idle.collect(), "joints that own no vertex");
}
