use super::flipped::normals;
use crate::{pose::Motion, rig::Topology};
use glam::DVec3;

/// Beyond this many times its thickness from every joint a point is away from the joints. On a straight limb that is √3
/// thicknesses along the bone, which is as far as skin touches skin at a bend of 150 degrees.
pub(super) const AWAY: f64 = 2.0;

/// The small shapes of a surface at rest: the Laplacian vector of each point (mean of its neighbours less itself) in a
/// frame of its own. The frame is the vertex normal, a tangent that the owning joint carries along, made square to the
/// normal, and the cross product of the two; so neither turning nor the twist of a limb as a whole changes anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    members: Vec<Member>,
    sum_of_squares: f64,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    point: u32,
    owner: u16,
    tangent: DVec3,
    local: DVec3,
}

impl Detail {
    /// Of the points that `away` names, each with the joint that owns it.
    pub fn of(topology: &Topology, rest: &[DVec3], away: impl Iterator<Item = (u32, u16)>) -> Self {
        let normals = vertex_normals(rest, topology);
        let mut detail = Self::default();
        for (point, owner) in away.filter(|(p, _)| !topology.ring(*p).is_empty()) {
            let Some(normal) = normals[point as usize].try_normalize() else { continue };
            let tangent = normal.any_orthonormal_vector();
            let vector = laplacian(topology, rest, point);
            let Some(local) = in_frame(vector, normal, tangent) else { continue };
            detail.sum_of_squares += local.length_squared();
            detail.members.push(Member { point, owner, tangent, local });
        }
        detail
    }

    /// Root of the mean squared change over root of the mean square at rest. None where no point is away from the
    /// joints, or the surface there is so even that it has no detail to lose.
    pub fn change(&self, topology: &Topology, posed: &[DVec3], motion: &Motion) -> Option<f64> {
        if self.sum_of_squares <= 0.0 {
            return None;
        }
        let normals = vertex_normals(posed, topology);
        let changed = |m: &Member| {
            let tangent = motion.exact[usize::from(m.owner)].matrix3 * m.tangent;
            let vector = laplacian(topology, posed, m.point);
            let frame = normals[m.point as usize].try_normalize();
            // Where the surface is so crumpled that it has no normal, all of its detail is lost.
            let local = frame.and_then(|n| in_frame(vector, n, tangent)).unwrap_or(DVec3::ZERO);
            local.distance_squared(m.local)
        };
        Some((self.members.iter().map(changed).sum::<f64>() / self.sum_of_squares).sqrt())
    }
}

fn in_frame(vector: DVec3, normal: DVec3, tangent: DVec3) -> Option<DVec3> {
    let tangent = (tangent - normal * normal.dot(tangent)).try_normalize()?;
    Some(DVec3::new(vector.dot(tangent), vector.dot(normal.cross(tangent)), vector.dot(normal)))
}

fn laplacian(topology: &Topology, points: &[DVec3], point: u32) -> DVec3 {
    let ring = topology.ring(point);
    ring.iter().map(|&j| points[j as usize]).sum::<DVec3>() / ring.len() as f64 - points[point as usize]
}

fn vertex_normals(points: &[DVec3], topology: &Topology) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; points.len()];
    for (t, normal) in topology.triangles.iter().zip(normals(points, topology)) {
        for &i in t {
            sums[i as usize] += normal;
        }
    }
    sums
}
