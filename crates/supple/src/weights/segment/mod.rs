//! Segmentation cuts the skin of a rig into one region for each joint that has a bone. The cut between a joint's region
//! and the one it hangs on is the shortest curve in which a plane through the joint meets the skin.
//!
//! Paper: F. Hétroy, C. Gérot, L. Lu, B. Thibert, *Simple flexible skinning based on manifold modeling*, GRAPP 2009,
//! section 3.1.
//!
//! P = argmin { length(P ∩ M round J) : J in P, P orthogonal to Q }
//!
//! | symbol | here |
//! |---|---|
//! | J | the head of a region ([`Skeleton`](crate::rig::Skeleton) joint) |
//! | Q | the plane of the bone that arrives at J and the mean of those that leave it |
//! | P, n | `Plane`, its `normal`, searched in Q within the angle that keeps the two bones on two sides |
//! | B | [`Boundary`] |
//! | R_j | the faces and vertices with the joint's number in [`Segmentation`] |
//!
//! Beyond the paper: the cuts are made on a smoothed copy of the skin, since roughness would make the shortest plane a
//! matter of chance; of the curves in a plane the one round the joint counts, so that a plane through an elbow does not
//! cut the trunk; where the bones are in line and Q is undefined, two planes are searched; a tilt from the
//! bisector of the bones has a price, and in the crease of a bent joint the cut goes on from the flanks (`crease`), since
//! both leave the labels where they are when the pose changes; siblings in one palm share a direction; skin that several cuts claim
//! (a palm over four metacarpals has no closed curve between them) is shared out by the votes of all cuts and the nearest
//! bone (`walk`), since one bad cut must not take what good ones part rightly; pieces of the mesh
//! without a cut follow their nearest bone; and every guess is a [`Note`].
//!
//! It fails where a joint is placed far outside the limb it moves, and where limbs have grown together, so that no plane
//! through the joint goes round one alone.

mod boundary;
mod crease;
mod mend;
mod note;
mod patches;
mod plane;
mod regions;
mod search;
mod sides;
mod spread;
mod surface;
mod walk;

pub use boundary::{Boundary, CurvePoint};
pub use note::Note;

use crate::{parallel, rig::Rig};
use regions::Regions;
use search::Found;
pub(crate) use surface::Surface;
use thiserror::Error;

/// Why a rig cannot be cut into regions.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Error {
    /// Regions are made of triangles.
    #[error("the rig \"{rig}\" has no triangles: a segmentation needs a surface")]
    NoTriangles {
        /// The rig.
        rig: String,
    },
    /// Regions belong to bones.
    #[error("the rig \"{rig}\" has no bones: a segmentation needs a skeleton")]
    NoBones {
        /// The rig.
        rig: String,
    },
    /// Every bone looks for its cut among all triangles and beside all other bones.
    #[error(
        "the rig \"{rig}\" has {joints} joints and {triangles} triangles, too many to cut: at most {MOST_PAIRS} pairs of \
         them are looked at"
    )]
    TooLarge {
        /// The rig.
        rig: String,
        /// How many joints it has.
        joints: usize,
        /// How many triangles it has.
        triangles: usize,
    },
    /// A position holds NaN or infinity.
    #[error("vertex {vertex} of \"{rig}\" is not finite")]
    NotFinite {
        /// The rig.
        rig: String,
        /// The first such vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} of \"{rig}\" names vertex {vertex}, but there are {count}")]
    NoSuchVertex {
        /// The rig.
        rig: String,
        /// The triangle.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
}

/// The most pairs of a bone and a triangle, or of two bones, that are looked at: half a million triangles with a thousand
/// bones, some ten seconds.
const MOST_PAIRS: usize = 1 << 29;

/// Which joint each face and vertex belongs to, and where the regions meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmentation {
    /// Joint of each triangle of the mesh.
    pub faces: Vec<u16>,
    /// Joint of each vertex.
    pub vertices: Vec<u16>,
    /// Where regions meet, by parent and child.
    pub boundaries: Vec<Boundary>,
    /// What had to be guessed.
    pub notes: Vec<Note>,
}

impl Segmentation {
    /// Cuts the rest skin of a rig. Weights the rig may have are used only to see where its leaf bones point.
    ///
    /// ```
    /// use supple::{example, weights::segment::Segmentation};
    ///
    /// let rig = example::arm(&example::ArmOptions { vertices: 800, ..Default::default() })?;
    /// let parts = Segmentation::of(&rig)?;
    /// assert_eq!((parts.boundaries[0].parent, parts.boundaries[0].child), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(rig: &Rig) -> Result<Self, Error> {
        check(rig)?;
        Ok(Self::on(&Surface::of(rig), rig))
    }

    /// The same on a surface that is known already.
    pub(crate) fn on(surface: &Surface, rig: &Rig) -> Self {
        let mut notes = Vec::new();
        let regions = Regions::of(rig, &mut notes);
        let name = |region: usize| rig.skeleton.joints()[regions.joints[region]].name.clone();
        let mut cuts = vec![None; regions.len()];
        parallel::for_each_block(&mut cuts, 1, |region, cut| cut[0] = search::shortest(surface, &regions, region));
        for (region, cut) in cuts.iter().enumerate() {
            let joint = name(region);
            match (regions.parents[region], cut.as_ref().map(|c| c.found)) {
                (Some(parent), None) => notes.push(Note::NotCut { joint, parent: name(parent) }),
                (_, Some(Found::Nearest(distance))) => notes.push(Note::Outside { joint, distance }),
                (_, Some(Found::Round(share))) if share < 1.0 => notes.push(Note::OpenCurve { joint, share }),
                _ => {}
            }
        }
        let mut owner = spread::owners(surface, &regions, &cuts, &name, &mut notes);
        patches::give_away(surface, &mut owner);
        let boundaries = boundary::boundaries(surface, &regions, &cuts, &owner);
        let joint = |region: u32| regions.joints[region as usize] as u16;
        let points = surface.topology.weld.welded_of.iter().take(rig.mesh.positions.len());
        let vertices: Vec<u16> = points.map(|&p| joint(owner[p as usize])).collect();
        let faces: Vec<u16> = rig.mesh.triangles.iter().map(|t| most(t.map(|v| vertices[v as usize]))).collect();
        let mut owns = vec![false; rig.skeleton.len()];
        faces.iter().for_each(|&j| owns[usize::from(j)] = true);
        // First, since of many notes only some are read.
        let empty = (0..regions.len()).filter(|&r| !owns[regions.joints[r]]).map(|r| Note::Empty { joint: name(r) });
        notes.splice(..0, empty.collect::<Vec<_>>());
        Self { faces, vertices, boundaries, notes }
    }
}

pub(crate) fn check(rig: &Rig) -> Result<(), Error> {
    let mesh = &rig.mesh;
    let name = || rig.name.clone();
    if mesh.triangles.is_empty() {
        return Err(Error::NoTriangles { rig: name() });
    }
    let count = mesh.positions.len();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(Error::NoSuchVertex { rig: name(), triangle, vertex, count });
        }
    }
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(Error::NotFinite { rig: name(), vertex });
    }
    let joints = rig.skeleton.joints().iter().filter(|j| j.role == crate::rig::Role::Bone).count();
    let triangles = mesh.triangles.len();
    if joints == 0 {
        return Err(Error::NoBones { rig: name() });
    }
    if joints.saturating_mul(joints.saturating_add(triangles)) > MOST_PAIRS {
        return Err(Error::TooLarge { rig: name(), joints, triangles });
    }
    Ok(())
}

/// What two of three say, else the first.
fn most([a, b, c]: [u16; 3]) -> u16 {
    if b == c { b } else { a }
}
