//! One rig laid over the skin of another: turned, scaled and moved as a whole (`whole`), then limb by limb, each joint of
//! the source by an affine map of its own that agrees with its parent's where the two meet (`limbs`). The skin of the
//! source follows by its own weights, and its skeleton and clips by the same maps (`carry`).
//!
//! Skins must stand in about one pose. Pairs are the nearest points of the two, both ways, found anew in each step, as in
//! Amberg, Romdhani, Vetter 2007, "Optimal step nonrigid ICP algorithms for surface registration", with joints in place of
//! vertices.

mod carry;
mod limbs;
mod samples;
mod whole;

pub use carry::Carried;

use super::super::nearest::Nearest;
use crate::{
    measure::Facing,
    rig::{Mesh, Rig, Weights},
};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use samples::Samples;

/// Where the source lies when it is laid over the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// How it was turned as a whole.
    pub turn: DQuat,
    /// How often as large it is.
    pub scale: f64,
    /// Where each joint takes the skin it owns.
    pub target_from_source: Vec<DAffine3>,
    /// Mean distance of the two skins, over the diagonal of the target.
    pub distance: f64,
}

/// A map that turns, scales and moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Similarity {
    turn: DQuat,
    scale: f64,
    shift: DVec3,
}

impl Similarity {
    fn point(&self, p: DVec3) -> DVec3 {
        self.turn * p * self.scale + self.shift
    }

    fn back(&self, p: DVec3) -> DVec3 {
        self.turn.inverse() * (p - self.shift) / self.scale
    }

    fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(DVec3::splat(self.scale), self.turn, self.shift)
    }
}

/// Lays a rig over the skin of another; none where one of them has no size.
pub fn align(source: &Rig, weights: &Weights, target: &Rig) -> Option<Aligned> {
    let of_target = Samples::of(&target.mesh);
    let skins = Skins {
        source: Nearest::of(&source.mesh),
        target: Nearest::of(&target.mesh),
        of_source: Samples::of(&source.mesh),
        diagonal: of_target.diagonal(),
        of_target,
        outward: Facing::of(&source.mesh).outward(&source.mesh),
    };
    let (whole, apart) = whole::find(&skins)?;
    let as_whole = Aligned {
        turn: whole.turn,
        scale: whole.scale,
        target_from_source: vec![whole.affine(); source.skeleton.len()],
        distance: apart / skins.diagonal,
    };
    let limbs = limbs::find(source, weights, &skins, &whole);
    // Skins that are not alike can be drawn anywhere: then the whole is all there is to say.
    let better = limbs.filter(|(_, apart)| *apart < as_whole.distance * skins.diagonal);
    Some(match better {
        Some((joints, apart)) => Aligned { target_from_source: joints, distance: apart / skins.diagonal, ..as_whole },
        None => as_whole,
    })
}

/// Both skins, ready to be asked.
struct Skins<'a> {
    source: Nearest<'a>,
    target: Nearest<'a>,
    of_source: Samples,
    of_target: Samples,
    /// Triangles of the source.
    outward: Vec<[u32; 3]>,
    /// Of the target.
    diagonal: f64,
}

impl Aligned {
    /// The skin of the source where it lies over the target.
    pub fn skin(&self, mesh: &Mesh, weights: &Weights) -> Mesh {
        let place = |(v, p): (usize, &Vec3)| {
            let (joints, shares) = weights.row(v);
            let each = joints.iter().zip(shares);
            let moved = each
                .map(|(&j, &w)| self.target_from_source[usize::from(j)].transform_point3(p.as_dvec3()) * f64::from(w));
            moved.sum::<DVec3>().as_vec3()
        };
        Mesh {
            positions: mesh.positions.iter().enumerate().map(place).collect(),
            triangles: mesh.triangles.clone(),
            ..Mesh::default()
        }
    }
}
