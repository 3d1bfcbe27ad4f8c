//! Which way a body stands.

use super::parts::{Part, Parts};
use crate::rig::{Bone, Skeleton};
use glam::{DQuat, DVec3};

/// The directions of a body at rest, in the space of its skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// From the feet to the head.
    pub up: DVec3,
    /// To its own left.
    pub left: DVec3,
    /// Where it looks.
    pub front: DVec3,
    /// Whether toes, knees or the head confirm what left and right in the names say of its front.
    pub confirmed: bool,
    /// Whether its hands stand on the ground.
    pub four_legged: bool,
    /// Whether the joints named left are those of its right, as somebody sees them who faces it.
    pub(super) swapped: bool,
    /// Where the plane between its halves is, along `left`.
    middle: f64,
}

/// Of the distances between joints named left and right, so much must go one way.
const ONE_WAY: f64 = 0.5;
/// Bodies are modelled along the axes of their file; nearer than this, in cosines, the axis is meant.
const ALONG_AXIS: (f64, f64) = (0.94, 0.7);
/// Hands lower than this share of the legs over the feet stand on the ground.
const STANDS: f64 = 0.35;
/// Slighter bends and turns of feet, in sines, confirm nothing.
const CLEAR: f64 = 0.1;

/// The way from joints named right to those named left; none where names tell no sides.
pub(super) fn leftwards(skeleton: &Skeleton, sides: &[(usize, usize)]) -> Option<DVec3> {
    let at = |j: usize| skeleton.joints()[j].rest_position();
    let (mut sum, mut all) = (DVec3::ZERO, 0.0);
    for &(left, right) in sides {
        let apart = at(left) - at(right);
        sum += apart;
        all += apart.length();
    }
    sum.try_normalize().filter(|_| sum.length() > ONE_WAY * all)
}

impl Body {
    pub(super) fn of(
        skeleton: &Skeleton,
        parts: &Parts,
        bone: &dyn Fn(usize) -> Option<Bone>,
        sides: &[(usize, usize)],
        leftwards: Option<DVec3>,
    ) -> Option<Self> {
        let at = |j: usize| skeleton.joints()[j].rest_position();
        let of = |part: Part| (0..skeleton.len()).filter(move |&j| parts.part[j] == Some(part));
        let named_left = leftwards?;
        let legs = legs(skeleton, parts);
        let down: DVec3 = legs.iter().map(|&(hip, foot)| at(foot) - at(hip)).sum();
        let mean = |joints: &mut dyn Iterator<Item = usize>| {
            let (sum, count) = joints.fold((DVec3::ZERO, 0), |(sum, n), j| (sum + at(j), n + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        let heads = || mean(&mut of(Part::Head)).or_else(|| mean(&mut of(Part::Neck)));
        let trunk = || Some(heads()? - mean(&mut of(Part::Pelvis)).or_else(|| mean(&mut of(Part::Spine).take(1)))?);
        // Where nothing tells, files have y up.
        let up = if legs.is_empty() { trunk().or_else(|| heads().map(|_| DVec3::Y))? } else { -down };
        let (up, named_left) = squared(up, named_left)?;
        let by_names = named_left.cross(up);

        let feet = of(Part::Ankle).chain(of(Part::Toes));
        let toes: f64 = feet.filter_map(|j| Some(direction(&bone(j)?).dot(by_names))).sum();
        let mut knees = 0.0;
        for knee in of(Part::Knee) {
            if let (Some(above), Some(bone)) = (skeleton.joints()[knee].parent, bone(knee)) {
                let incoming = (at(knee) - at(above)).normalize_or_zero();
                knees += incoming.cross(direction(&bone)).dot(named_left);
            }
        }
        let leg = legs.iter().map(|&(hip, foot)| (at(hip) - at(foot)).dot(up)).fold(0.0, f64::max);
        let ground = legs.iter().map(|&(_, foot)| at(foot).dot(up)).fold(f64::INFINITY, f64::min);
        let hands = of(Part::Wrist).map(|j| at(j).dot(up)).fold(f64::INFINITY, f64::min);
        let four_legged = !legs.is_empty() && hands - ground < STANDS * leg;
        let head = if four_legged { trunk().map_or(0.0, |t| t.normalize_or_zero().dot(by_names)) } else { 0.0 };
        let vote = |x: f64| if x.abs() < CLEAR { 0.0 } else { x.signum() };
        let votes = 2.0 * vote(toes) + vote(knees) + 2.0 * vote(head);
        // Names are one vote of their own: they tell where nothing else does.
        let swapped = votes + 1.0 < 0.0;
        let left = if swapped { -named_left } else { named_left };
        let mut middles: Vec<f64> = sides.iter().map(|&(l, r)| 0.5 * (at(l) + at(r)).dot(left)).collect();
        middles.sort_by(f64::total_cmp);
        let middle = middles.get(middles.len() / 2).copied().unwrap_or(0.0);
        Some(Self { up, left, front: left.cross(up), confirmed: votes > 0.0, four_legged, swapped, middle })
    }

    /// Away from the middle of the body at a place, where it is farther from it than `near`.
    pub(super) fn out(&self, at: DVec3, near: f64) -> Option<DVec3> {
        let side = at.dot(self.left) - self.middle;
        (side.abs() > near).then(|| self.left * side.signum())
    }

    /// What carries a hanging limb to a direction, by the shortest way; through the side where it points straight up.
    pub(super) fn hanging_to(&self, along: DVec3) -> DQuat {
        if along.dot(self.up) > 1.0 - 1e-9 {
            return DQuat::from_axis_angle(self.front, std::f64::consts::PI);
        }
        DQuat::from_rotation_arc(-self.up, along)
    }

    /// The word for a direction.
    pub(super) fn word(&self, direction: DVec3, out: Option<DVec3>) -> &'static str {
        let (right, left) = match out {
            Some(out) if out.dot(self.left) > 0.0 => ("in", "out"),
            Some(_) => ("out", "in"),
            None => ("right", "left"),
        };
        let words = [
            ("up", self.up),
            ("down", -self.up),
            ("front", self.front),
            ("back", -self.front),
            (left, self.left),
            (right, -self.left),
        ];
        let nearest = words.into_iter().max_by(|a, b| a.1.dot(direction).total_cmp(&b.1.dot(direction)));
        nearest.map_or("", |w| w.0)
    }
}

pub(super) fn direction(bone: &Bone) -> DVec3 {
    (bone.tail - bone.head).normalize_or_zero()
}

/// Every hip with the lowest joint of its leg that is no toe.
fn legs(skeleton: &Skeleton, parts: &Parts) -> Vec<(usize, usize)> {
    let joints = skeleton.joints();
    let mut hip_of = vec![None; joints.len()];
    let mut foot_of: Vec<Option<usize>> = vec![None; joints.len()];
    for j in 0..joints.len() {
        hip_of[j] = joints[j].parent.and_then(|p| hip_of[p]);
        match parts.part[j] {
            Some(Part::Hip) => hip_of[j] = Some(j),
            Some(Part::Knee | Part::Ankle) => {
                if let Some(hip) = hip_of[j] {
                    foot_of[hip] = Some(j);
                }
            }
            _ => {}
        }
    }
    foot_of.iter().enumerate().filter_map(|(hip, foot)| Some((hip, (*foot)?))).collect()
}

/// Up and left square to each other, and along axes of the file where they nearly are.
fn squared(up: DVec3, left: DVec3) -> Option<(DVec3, DVec3)> {
    let snapped = |v: DVec3, least: f64| {
        let axis = v.abs().max_position();
        let along = DVec3::AXES[axis] * v[axis].signum();
        if along.dot(v) > least { along } else { v }
    };
    let left = snapped(left, ALONG_AXIS.0);
    let up = snapped(up.reject_from_normalized(left).try_normalize()?, ALONG_AXIS.1);
    let left = left.reject_from_normalized(up).try_normalize()?;
    Some((up, left))
}
