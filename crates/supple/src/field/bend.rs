use super::{Body, compose::Pair};
use crate::pose::Motion;
use glam::{DQuat, DVec3};

/// A joint in a pose with the directions of its two limbs, which span the plane in which it is bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Posed position of the joint.
    pub at: DVec3,
    /// Directions from the joint along each limb, of unit length.
    pub along: [DVec3; 2],
    /// Length of the longer of their bones.
    pub length: f64,
    /// Angle by which one limb has turned against the other since rest, in radians.
    pub turned: f64,
}

/// Bones at less than this angle, in degrees, span no plane: its normal would turn by noise.
const LEAST_BEND: f64 = 3.0;
/// Direction of the default camera: the normal of the plane is on its side, so that it keeps its sign while a joint passes through
/// straight.
const CAMERA: DVec3 = DVec3::new(0.5, 0.36, 0.788);

impl Body {
    /// The bend at a joint; without a joint, the bend of the limbs that have turned most. None where no two limbs are jointed.
    pub fn bend(&self, joint: Option<usize>, motion: &Motion) -> Option<Bend> {
        let wanted = self.pairs.iter().filter(|p| p.joint.is_some() && (joint.is_none() || p.joint == joint));
        let bends = wanted.filter_map(|pair| Bend::of(self, pair, motion));
        bends.reduce(|best, next| if next.turned > best.turned { next } else { best })
    }
}

impl Bend {
    fn of(body: &Body, pair: &Pair, motion: &Motion) -> Option<Self> {
        let limbs = pair.limbs.map(|l| &body.limbs[usize::from(l)].limb);
        let by = [motion.exact.get(limbs[0].joint)?, motion.exact.get(limbs[1].joint)?];
        let [first, second] = by.map(|by| DQuat::from_mat3(&by.matrix3).normalize());
        let length = |k: usize| limbs[k].ends.iter().find(|e| e.at == pair.at[k]).map_or(0.0, |e| e.length);
        let bend = Self {
            at: by[1].transform_point3(pair.at[1]),
            along: [0, 1].map(|k| by[k].transform_vector3(pair.into[k]).normalize_or_zero()),
            length: length(0).max(length(1)),
            turned: first.angle_between(second),
        };
        (bend.at.is_finite() && bend.length > 0.0).then_some(bend)
    }

    /// Normal of the plane, on the camera's side: perpendicular to both limbs, and where they are straight, perpendicular to them and as
    /// near to the camera as that allows.
    pub fn normal(&self) -> DVec3 {
        let [a, b] = self.along;
        let across = a.cross(b);
        let normal = if across.length() > LEAST_BEND.to_radians().sin() { across } else { DVec3::Z - a * a.z };
        let normal = normal.try_normalize().unwrap_or(DVec3::X);
        if normal.dot(CAMERA) < 0.0 { -normal } else { normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{deform::implicit::Implicit, example, pose::Pose};

    /// The elbow of an arm that is bent by so many degrees about an axis.
    fn elbow(axis: DVec3, degrees: f64) -> (DVec3, Bend) {
        let rig = example::arm(&Default::default()).unwrap();
        let body = Implicit::default().volume(&rig).unwrap().body;
        let joint = rig.skeleton.find("forearm").unwrap();
        let mut pose = Pose::rest(&rig);
        pose.local[joint].matrix3 *= glam::DMat3::from_axis_angle(axis, degrees.to_radians());
        let motion = Motion::of(&rig, &pose);
        let bend = body.bend(Some(joint), &motion).unwrap();
        assert_eq!(body.bend(None, &motion), Some(bend), "it is the only joint there is");
        assert_eq!(body.bend(Some(0), &motion), None, "nothing is jointed there");
        (rig.skeleton.joints()[joint].rest_position(), bend)
    }

    #[test]
    fn the_plane_of_a_bent_joint_holds_both_limbs() {
        for (axis, expected) in [(DVec3::Z, DVec3::Z), (-DVec3::Z, DVec3::Z), (DVec3::Y, DVec3::Y)] {
            let (at, bend) = elbow(axis, 80.0);
            assert!(bend.at.abs_diff_eq(at, 1e-9) && bend.length > 0.0);
            assert!((bend.turned.to_degrees() - 80.0).abs() < 1e-6);
            assert!(bend.along.iter().all(|a| a.dot(bend.normal()).abs() < 1e-9), "{bend:?}");
            assert!(bend.normal().dot(expected) > 0.99, "{axis}: {}", bend.normal());
        }
    }

    #[test]
    fn a_straight_joint_is_cut_as_seen_from_the_front() {
        let normal = |a: DVec3, b: DVec3| {
            Bend { at: DVec3::ZERO, along: [a, b].map(DVec3::normalize), length: 1.0, turned: 0.0 }.normal()
        };
        // Limbs that span no plane, or nearly none: the cut must not turn about them as they pass through straight.
        for off in [DVec3::ZERO, DVec3::Y * 0.02, DVec3::NEG_Y * 0.02, DVec3::Z * 0.02] {
            assert!(normal(DVec3::X, off - DVec3::X).dot(DVec3::Z) > 0.999, "{off}");
        }
        assert_eq!(normal(DVec3::Z, DVec3::NEG_Z), DVec3::X, "seen from its end");
    }
}
