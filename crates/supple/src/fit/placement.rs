//! Whether a skeleton stands where the mesh is, and putting it there.

use crate::{
    math::rounded,
    measure::{Facing, WindingTree},
    names,
    pose::{Channel, Clip, Interpolation, Track},
    rig::{Bone, Rig, Skeleton},
};
use glam::DVec3;

/// A skeleton this many times larger or smaller than the mesh is probably in another unit.
const FAR_OFF: f64 = 3.0;
/// Fewer bones than this may well lie outside in part: a lever, a wing, a lamp.
const FEW: usize = 3;
/// A bone this share of the diagonal outside the skin has left it: 5 mm of a body with its arms out. Less is the thickness of a toe's
/// skin, and seams.
const OUT: f64 = 0.002;

struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    fn of(points: impl Iterator<Item = DVec3>) -> Self {
        let nothing = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        let grown = |b: Self, p: DVec3| Self { low: b.low.min(p), high: b.high.max(p) };
        points.filter(|p| p.is_finite()).fold(nothing, grown)
    }

    fn of_mesh(rig: &Rig) -> Self {
        Self::of(rig.mesh.positions.iter().map(|p| p.as_dvec3()))
    }

    fn of_bones(rig: &Rig) -> Self {
        Self::of(bones(rig).iter().flat_map(|b| [b.head, b.tail]))
    }

    fn size(&self) -> DVec3 {
        self.high - self.low
    }

    fn center(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }
}

/// The bones that own skin; all of them where there are no weights.
fn bones(rig: &Rig) -> Vec<Bone> {
    // The mesh is left out: it would size the tails of lone joints.
    let (mut bones, _) = rig.skeleton.bones(&[], None);
    if let Some(weights) = &rig.weights {
        let mut owns = vec![false; rig.skeleton.len()];
        (0..weights.len()).for_each(|v| weights.row(v).0.iter().for_each(|&j| owns[usize::from(j)] = true));
        bones.retain(|b| owns[b.joint]);
    }
    bones
}

/// What speaks against a skeleton as it lies in its skin: another size, another place, bones outside.
pub fn doubt(rig: &Rig) -> Option<String> {
    size_doubt(rig).or_else(|| outside(rig))
}

/// Whether the skeleton has another size than the skin, or lies beside it.
pub fn size_doubt(rig: &Rig) -> Option<String> {
    let (mesh, bones) = (Extent::of_mesh(rig), Extent::of_bones(rig));
    let ratio = bones.size().length() / mesh.size().length();
    let apart = bones.low.cmpgt(mesh.high).any() || bones.high.cmplt(mesh.low).any();
    match ratio {
        r if !r.is_finite() || r == 0.0 => None,
        r if r > FAR_OFF => Some(format!("the bones that have skin are {} times as large as the mesh", rounded(r))),
        r if r < FAR_OFF.recip() => {
            Some(format!("the mesh is {} times as large as the bones that have skin", rounded(r.recip())))
        }
        _ => apart.then(|| "the skeleton lies beside the mesh".to_owned()),
    }
}

/// Bones belong into the skin. Where most lie outside, the skeleton stands in another pose, or has another side up; else those that
/// do are named.
pub fn outside(rig: &Rig) -> Option<String> {
    if rig.mesh.is_point_set() {
        return None;
    }
    let bones = bones(rig);
    let facing = Facing::of(&rig.mesh);
    // A sheet has no inside that bones could lie in.
    if facing.clear() < 0.5 {
        return None;
    }
    let mut skin = rig.mesh.clone();
    facing.turn(&mut skin);
    let tree = WindingTree::of(&skin.positions, &skin.triangles, WindingTree::BETA);
    let is_outside = |b: &Bone, along: f64| tree.at(b.head.lerp(b.tail, along)).abs() < 0.5;
    let (out, all) = (bones.iter().filter(|b| is_outside(b, 0.5)).count(), bones.len());
    let whole = || [0.1, 0.9].iter().all(|&along| bones.iter().all(|b| is_outside(b, along)));
    let ask = "does the skeleton stand in the pose of the mesh, with the same side up?";
    let far = 2 * out > all && (all >= FEW || whole());
    if far {
        return Some(format!("{out} of {all} bones lie outside the skin: {ask}"));
    }
    let surface = rig.mesh.surface();
    let beyond = |at: DVec3| {
        let near = surface.tree().nearest(at.as_vec3()).filter(|_| tree.at(at).abs() < 0.5);
        near.map_or(0.0, |near| near.point.as_dvec3().distance(at))
    };
    let of_bone = |b: &Bone| {
        // Where a bone ends that no joint follows is a guess.
        let middle = b.tail_joint.map_or(0.0, |_| beyond(b.head.midpoint(b.tail)));
        (b.joint, beyond(b.head).max(middle))
    };
    let least = OUT * f64::from(rig.diagonal());
    let mut left: Vec<(usize, f64)> = bones.iter().map(of_bone).filter(|(_, by)| *by > least).collect();
    left.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let farthest = left.first()?.1;
    let mut joints: Vec<usize> = Vec::new();
    left.iter().for_each(|(joint, _)| {
        if !joints.contains(joint) {
            joints.push(*joint)
        }
    });
    let names: Vec<&str> = joints.iter().map(|&j| rig.skeleton.joints()[j].name.as_str()).collect();
    let (of, far) = (if joints.len() == 1 { "joint" } else { "joints" }, rounded(farthest));
    Some(format!("the bones of {} {of} lie outside the skin, by up to {far}: {}", joints.len(), names::list(&names)))
}

/// Scales and moves the skeleton, and its clips with it, so that its box fits into the mesh's, centre on centre.
pub fn box_onto_skin(rig: &mut Rig) -> Result<(), String> {
    let (mesh, bones) = (Extent::of_mesh(rig), Extent::of_bones(rig));
    let joints = rig.skeleton.joints();
    // Tails that were guessed give even a single joint some length.
    let of_joints = Extent::of(joints.iter().map(|j| j.rest_position())).size().max_element();
    if of_joints <= 0.0 {
        let where_ = if joints.len() == 1 { "is one joint" } else { "has all its joints in one place" };
        return Err(format!("the skeleton {where_}: without a size it cannot be fitted to a mesh"));
    }
    let (room, size) = (mesh.size(), bones.size());
    if room.max_element() <= 0.0 {
        return Err("all vertices of the mesh lie in one place: no skeleton can be fitted to them".into());
    }
    // A direction in which the skeleton is flat says nothing about its scale.
    let telling = (0..3).filter(|&i| size[i] > 0.05 * size.max_element());
    let scale = telling.map(|i| room[i] / size[i]).fold(f64::INFINITY, f64::min);
    if !(scale.is_finite() && scale > 0.0) {
        let sizes = [bones.size(), mesh.size()].map(|s| rounded(s.max_element()));
        return Err(format!("a skeleton of size {} cannot be fitted to a mesh of size {}", sizes[0], sizes[1]));
    }
    let shift = mesh.center() - bones.center() * scale;
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.rest_from_joint.translation = joint.rest_from_joint.translation * scale + shift;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
        let root_shift = if joint.parent.is_none() { shift } else { DVec3::ZERO };
        joint.shown_local.translation = joint.shown_local.translation * scale + root_shift;
    }
    let skeleton = Skeleton::new(joints).map_err(|e| e.to_string())?;
    rig.clips = rig.clips.iter().map(|c| moved(c, &skeleton, scale, shift)).collect::<Result<_, _>>()?;
    rig.skeleton = skeleton;
    Ok(())
}

fn moved(clip: &Clip, skeleton: &Skeleton, scale: f64, shift: DVec3) -> Result<Clip, String> {
    let track = |track: &Track| {
        let Channel::Translation(joint) = track.channel else { return track.clone() };
        let root = skeleton.joints()[joint].parent.is_none();
        let spline = track.interpolation == Interpolation::CubicSpline;
        let value = |(i, v): (usize, &f32)| {
            // Of a spline's three entries a key, only the middle one is a place; the others are speeds.
            let place = root && (!spline || (i / 3) % 3 == 1);
            (f64::from(*v) * scale + if place { shift[i % 3] } else { 0.0 }) as f32
        };
        Track { values: track.values.iter().enumerate().map(value).collect(), ..track.clone() }
    };
    Clip::new(clip.name.clone(), clip.tracks().iter().map(track).collect()).map_err(|e| e.to_string())
}
