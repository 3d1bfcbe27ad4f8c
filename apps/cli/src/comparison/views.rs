//! From where a pose is seen: all of it, and from near the joint that turned most, whole and cut open.

use glam::{DQuat, DVec3, Vec3};
use supple::{
    pose::Motion,
    rig::{Bone, Rig, Role},
};
use supple_render::{Camera, Projection, View};

/// Width and height of every picture, in pixels.
pub const SIZE: [u32; 2] = [480, 360];

/// How far out of the box of the posed bones points may be and still be framed, in diagonals at rest: a method that
/// throws one vertex far away must not make the others' pictures small.
const FRAMED: f32 = 0.35;

/// A turn whose axis is nearer to its bone than this cosine is a twist: it is seen from the side, not along its axis.
const TWIST: f64 = 0.7;

/// One picture to be taken.
pub struct Shot {
    pub caption: String,
    pub view: View,
}

/// The same pictures of every method, and of the rest pose beside them.
pub struct Views {
    pub posed: Vec<Shot>,
    pub at_rest: Vec<Shot>,
}

impl Views {
    pub fn new(rig: &Rig, motion: &Motion, towards: Vec3, moved: impl Iterator<Item = Vec3>) -> Self {
        let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
        let carried = bones.iter().flat_map(|b| [b.head, b.tail].map(|p| motion.exact[b.joint].transform_point3(p)));
        let ends: Vec<Vec3> = carried.map(|p| p.as_vec3()).filter(|p| p.is_finite()).collect();
        let margin = Vec3::splat(rig.diagonal() * FRAMED);
        let framed: Vec<Vec3> = match (ends.iter().copied().reduce(Vec3::min), ends.iter().copied().reduce(Vec3::max)) {
            (Some(low), Some(high)) => {
                moved.filter(|p| p.is_finite()).map(|p| p.clamp(low - margin, high + margin)).collect()
            }
            _ => moved.collect(),
        };
        let mut views =
            Self { posed: vec![whole(&framed, towards)], at_rest: vec![whole(&rig.mesh.positions, towards)] };
        let Some(near) = Near::most_turned(rig, motion, &bones, towards) else { return views };
        let depth = rig.diagonal() * 4.0;
        let side = if near.twisted { towards.as_dvec3() } else { near.rest_axis };
        views.at_rest.extend(close(&near.joint, near.rest, near.radius, side, depth));
        let side = if near.twisted { towards.as_dvec3() } else { near.posed_axis };
        views.posed.extend(close(&near.joint, near.posed, near.radius, side, depth));
        views
    }
}

fn whole(points: &[Vec3], towards: Vec3) -> Shot {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let camera = Camera::framing_from(points, towards, upright(towards), aspect, true);
    Shot { caption: "all of it".to_owned(), view: View::new(camera, SIZE) }
}

/// The same place twice: as it looks, and without what lies before the joint.
fn close(joint: &str, [center, middle]: [DVec3; 2], radius: f64, towards: DVec3, depth: f32) -> [Shot; 2] {
    let towards = towards.as_vec3().normalize_or(Vec3::Z);
    let target = middle.as_vec3();
    let camera = Camera {
        eye: target + towards * depth * 0.5,
        target,
        up: upright(towards),
        projection: Projection::Orthographic { height: radius as f32 * 2.0 },
        near: depth * 1e-3,
        far: depth,
    };
    let view = View::new(camera, SIZE);
    let cut = View { section: Some(towards.extend(-towards.dot(center.as_vec3()))), ..view };
    [
        Shot { caption: format!("near \u{201c}{joint}\u{201d}"), view },
        Shot { caption: format!("cut open at \u{201c}{joint}\u{201d}"), view: cut },
    ]
}

fn upright(towards: Vec3) -> Vec3 {
    if towards.normalize_or(Vec3::Z).y.abs() > 0.99 { Vec3::NEG_Z } else { Vec3::Y }
}

/// The surroundings of a joint.
struct Near {
    joint: String,
    /// The joint and the middle of the picture.
    rest: [DVec3; 2],
    posed: [DVec3; 2],
    rest_axis: DVec3,
    posed_axis: DVec3,
    twisted: bool,
    radius: f64,
}

impl Near {
    /// Of joints that turned about as much, the one with the longest bones, and of these the nearest to the camera.
    fn most_turned(rig: &Rig, motion: &Motion, bones: &[Bone], towards: Vec3) -> Option<Self> {
        let joints = rig.skeleton.joints();
        let towards = towards.as_dvec3();
        let mut best: Option<((f64, f64, f64), Self)> = None;
        // The first bone of each joint, and the longest of those that meet in it.
        let (mut first, mut longest) = (vec![None; joints.len()], vec![0.0_f64; joints.len()]);
        for bone in bones {
            first[bone.joint].get_or_insert(bone);
            for joint in [Some(bone.joint), bone.tail_joint].into_iter().flatten() {
                longest[joint] = longest[joint].max(bone.length());
            }
        }
        for (index, joint) in joints.iter().enumerate() {
            let Some(parent) = joint.parent.filter(|&p| joints[p].role == Role::Bone) else { continue };
            if joint.role != Role::Bone || !motion.exact[index].is_finite() || !motion.exact[parent].is_finite() {
                continue;
            }
            let (Some(own), length) = (first[index], longest[index]) else { continue };
            let (axis, angle) = turn(motion, parent, index);
            if angle < 1.0_f64.to_radians() || length <= 0.0 {
                continue;
            }
            let at = |p: DVec3, j: usize| motion.exact[j].transform_point3(p);
            let head = joint.rest_position();
            let before = joints[parent].rest_position();
            let posed = at(head, index);
            let along = (own.tail - own.head).normalize_or(DVec3::X);
            let twisted = axis.dot(along).abs() > TWIST;
            let posed_axis = rotation(motion, parent) * axis;
            let sign = if posed_axis.dot(towards) < 0.0 { -1.0 } else { 1.0 };
            let score = ((angle.to_degrees() / 10.0).round(), (length * 1e6).round(), posed.dot(towards));
            if best.as_ref().is_some_and(|(so_far, _)| *so_far >= score) {
                continue;
            }
            // Zoomed so that the limb fills the picture, and moved to where the two bones are.
            let radius = length * 0.42;
            let middle = |center: DVec3, before: DVec3, after: DVec3| {
                let sum = (before - center).normalize_or_zero() + (after - center).normalize_or_zero();
                [center, center + sum * 0.25 * radius]
            };
            let near = Self {
                joint: joint.name.clone(),
                rest: middle(head, before, own.tail),
                posed: middle(posed, at(before, parent), at(own.tail, index)),
                rest_axis: axis * sign,
                posed_axis: posed_axis * sign,
                twisted,
                radius,
            };
            best = Some((score, near));
        }
        best.map(|(_, near)| near)
    }
}

/// How a joint turned against its parent: axis as at rest, and angle of at most half a turn.
fn turn(motion: &Motion, parent: usize, joint: usize) -> (DVec3, f64) {
    let relative = rotation(motion, parent).inverse() * rotation(motion, joint);
    let relative = if relative.w < 0.0 { -relative } else { relative };
    relative.to_axis_angle()
}

fn rotation(motion: &Motion, joint: usize) -> DQuat {
    motion.exact[joint].to_scale_rotation_translation().1.normalize()
}
