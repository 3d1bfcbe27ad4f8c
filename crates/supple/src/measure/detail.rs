use super::flipped::normals;
use crate::{
    pose::Motion,
    rig::{Bone, Role, Skeleton, Topology},
};
use glam::DVec3;

/// The small shapes of a surface at rest: the Laplacian vector of each point (mean of its neighbours less itself) in a
/// frame of its own. The frame is the vertex normal, a tangent that the owning joint carries along, made square to the
/// normal, and the cross product of the two; so neither turning nor the twist of a limb as a whole changes anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    members: Vec<Member>,
    hinges: Vec<Hinge>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    point: u32,
    owner: u16,
    thickness: f64,
    rest: DVec3,
    tangent: DVec3,
    local: DVec3,
}

/// A joint between two bones; where a chain begins there is nothing to bend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    at: DVec3,
    /// Joint and direction at rest of the bone that ends here.
    before: (usize, DVec3),
    /// The same of a bone that begins here.
    after: (usize, DVec3),
    /// Thickness of the thicker of the two limbs.
    thickness: f64,
}

/// A point that belongs to one joint, as far from the bone it lies along as its limb is thick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owned {
    pub point: u32,
    pub owner: u16,
    pub thickness: f64,
}

impl Detail {
    /// Of the points that are away from all joints even while those are straight.
    pub fn of(topology: &Topology, rest: &[DVec3], owned: impl Iterator<Item = Owned>, hinges: Vec<Hinge>) -> Self {
        let normals = vertex_normals(rest, topology);
        let mut detail = Self { members: Vec::new(), hinges };
        for Owned { point, owner, thickness } in owned.filter(|o| !topology.ring(o.point).is_empty()) {
            let at = rest[point as usize];
            let near = detail.hinges.iter().any(|h| h.is_near(1.0, thickness, at));
            let Some(normal) = normals[point as usize].try_normalize().filter(|_| !near) else { continue };
            let tangent = normal.any_orthonormal_vector();
            let vector = laplacian(topology, rest, point);
            let Some(local) = in_frame(vector, normal, tangent) else { continue };
            detail.members.push(Member { point, owner, thickness, rest: at, tangent, local });
        }
        detail
    }

    /// Root of the mean squared change over root of the mean square at rest. None where no point is away from the
    /// joints, or the surface there is so even that it has no detail to lose.
    pub fn change(&self, topology: &Topology, posed: &[DVec3], motion: &Motion) -> Option<f64> {
        let normals = vertex_normals(posed, topology);
        // What a straight joint leaves out is not among the members at all.
        let bent: Vec<(&Hinge, f64)> =
            self.hinges.iter().map(|h| (h, h.reach(motion))).filter(|(_, reach)| *reach > 1.0).collect();
        let (mut changed, mut whole) = (0.0, 0.0);
        for m in &self.members {
            if bent.iter().any(|(hinge, reach)| hinge.is_near(*reach, m.thickness, m.rest)) {
                continue;
            }
            let tangent = motion.exact[usize::from(m.owner)].matrix3 * m.tangent;
            let vector = laplacian(topology, posed, m.point);
            let frame = normals[m.point as usize].try_normalize();
            // Where the surface is so crumpled that it has no normal, all of its detail is lost.
            let local = frame.and_then(|n| in_frame(vector, n, tangent)).unwrap_or(DVec3::ZERO);
            changed += local.distance_squared(m.local);
            whole += m.local.length_squared();
        }
        (whole > 0.0).then(|| (changed / whole).sqrt())
    }
}

impl Hinge {
    /// How far from the joint limbs of thickness 1 touch: where their bones are bent by t they meet in the plane that halves the
    /// angle between them, along the bones as far as tan(t/2).
    fn reach(&self, motion: &Motion) -> f64 {
        let carried = |(joint, direction): (usize, DVec3)| motion.exact[joint].matrix3 * direction;
        let bend = carried(self.before).angle_between(carried(self.after));
        // A bone without a direction bends by no angle.
        if bend.is_nan() { 1.0 } else { 1.0 / (bend / 2.0).cos().max(f64::EPSILON) }
    }

    /// Whether a point is not away from the joint: within what touches, or a thickness of it, where skin gives way and swells.
    fn is_near(&self, reach: f64, thickness: f64, at: DVec3) -> bool {
        self.at.distance(at) <= thickness + reach * thickness.max(self.thickness)
    }
}

/// The joints between two bones. `thickness` is that of the limb of each joint.
pub(super) fn hinges(skeleton: &Skeleton, bones: &[Bone], thickness: &[f64]) -> Vec<Hinge> {
    let joints = skeleton.joints();
    let mut hinges = Vec::new();
    for (index, joint) in joints.iter().enumerate().filter(|(_, j)| j.role == Role::Bone) {
        let Some(parent) = joint.parent.filter(|p| joints[*p].role == Role::Bone) else { continue };
        let at = joint.rest_position();
        let before = (parent, at - joints[parent].rest_position());
        let mut after: Vec<_> = Bone::of_joint(bones, index).iter().map(|b| (index, b.tail - b.head)).collect();
        if after.is_empty() {
            after.push((index, DVec3::ZERO));
        }
        let thickness = thickness[parent].max(thickness[index]);
        hinges.extend(after.into_iter().map(|after| Hinge { at, before, after, thickness }));
    }
    hinges
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
