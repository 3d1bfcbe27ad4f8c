use crate::{
    field::{Body, compose::Posed},
    pose::Motion,
    rig::Topology,
};
use glam::{DMat3, DVec3};

/// Limbs whose value is within this of the largest are the surface: where two of them press on each other, either may say
/// which way is out.
const NEAR: f32 = 0.1;

/// Counts the triangles whose normal points against every outward direction there is. `outward(triangle, centroid,
/// directions)` pushes the directions that count as outwards at a triangle; a triangle without area, and one that has no
/// directions, is not flipped.
///
/// [`field_outward`] pushes the directions of all limbs that are near the surface there. Without fields, [`joint_outward`]
/// has one direction for each triangle.
pub fn flipped(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    mut outward: impl FnMut(usize, DVec3, &mut Vec<DVec3>),
) -> usize {
    let mut directions = Vec::new();
    let mut is_flipped = |(i, t): (usize, &[u32; 3])| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        let normal = (b - a).cross(c - a);
        directions.clear();
        outward(i, (a + b + c) / 3.0, &mut directions);
        !directions.is_empty() && directions.iter().all(|d| normal.dot(*d) < 0.0)
    };
    triangles.iter().enumerate().filter(|t| is_flipped(*t)).count()
}

/// Outward as the rest normal of a triangle carried by the joint that owns most of it.
///
/// # Panics
/// When a triangle is owned by a joint that the motion does not have, or there are fewer of them than asked for.
pub fn joint_outward<'a>(
    rest_normals: &'a [DVec3],
    owners: &'a [u16],
    motion: &Motion,
) -> impl FnMut(usize, DVec3, &mut Vec<DVec3>) + 'a {
    // Normals go with the cofactors, which also turn them round under a mirror, as the corners do.
    let carry =
        |m: &DMat3| DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    let carried: Vec<DMat3> = motion.exact.iter().map(|a| carry(&a.matrix3)).collect();
    move |triangle, _, directions| {
        directions.push(carried[usize::from(owners[triangle])] * rest_normals[triangle]);
    }
}

/// Outward as every limb says it whose field is within 0.1 of the largest at the centroid; what `otherwise` says where no
/// limb is felt.
///
/// # Panics
/// When a limb is moved by a joint that the motion does not have.
pub fn field_outward<'a>(
    body: &'a Body,
    motion: &Motion,
    mut otherwise: impl FnMut(usize, DVec3, &mut Vec<DVec3>) + 'a,
) -> impl FnMut(usize, DVec3, &mut Vec<DVec3>) + 'a {
    let mut posed = Posed::of(body);
    posed.update(body, motion);
    let limbs = body.limbs.len() as u16;
    let mut felt = Vec::with_capacity(body.limbs.len());
    move |triangle, centroid, directions| {
        let at = centroid.as_vec3a();
        felt.clear();
        felt.extend((0..limbs).filter_map(|l| posed.limb(body, l, at)).filter(|s| s.value > 0.0));
        let largest = felt.iter().map(|s| s.value).fold(0.0, f32::max);
        directions.extend(felt.iter().filter(|s| s.value >= largest - NEAR).map(|s| -s.gradient.as_dvec3()));
        if felt.is_empty() {
            otherwise(triangle, centroid, directions);
        }
    }
}

/// Normals of the triangles, twice their area long.
pub(super) fn normals(points: &[DVec3], topology: &Topology) -> Vec<DVec3> {
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        (b - a).cross(c - a)
    };
    topology.triangles.iter().map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DAffine3;

    #[test]
    fn a_triangle_is_flipped_only_against_every_direction() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let count = |directions: &[DVec3]| flipped(&points, &[[0, 1, 2]], |_, _, out| out.extend(directions));
        assert_eq!(count(&[DVec3::Z]), 0);
        assert_eq!(count(&[DVec3::NEG_Z]), 1);
        assert_eq!(count(&[DVec3::NEG_Z, DVec3::new(0.0, 1.0, 0.1)]), 0);
        assert_eq!(count(&[]), 0);
        assert_eq!(flipped(&points, &[[0, 1, 1]], |_, _, out| out.push(DVec3::NEG_Z)), 0);
    }

    #[test]
    fn a_mirror_flips_nothing() {
        let motion = Motion::uniform(1, DAffine3::from_scale(DVec3::new(-1.0, 2.0, 1.0)));
        let mirrored = [DVec3::ZERO, DVec3::NEG_X, DVec3::Y * 2.0];
        assert_eq!(flipped(&mirrored, &[[0, 1, 2]], joint_outward(&[DVec3::Z], &[0], &motion)), 0);
    }
}
