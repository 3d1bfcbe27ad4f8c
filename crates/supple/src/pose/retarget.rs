//! A clip of one skeleton on another, joint by joint of the same name.

use super::{Channel, Clip, ClipError, Interpolation, Motion, Pose, Track};
use crate::{
    math::Trs,
    rig::{Joint, Rig, Role, Skeleton},
};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use thiserror::Error;

/// Keys of all joints together: hours of a character. A motion may have keys for one joint and partners for thousands.
const MOST_KEYS: usize = 1 << 24;

/// A clip made for another rig, and what was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// The clip, for the target rig.
    pub clip: Clip,
    /// How many joints found their partner.
    pub matched: usize,
    /// Bones of the source without a partner.
    pub unmatched: Vec<String>,
    /// Morphs that it moves, and that stay still.
    pub morphs: usize,
}

/// Why a clip cannot be carried over.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RetargetError {
    /// Not one joint has the same name.
    #[error(
        "no joint of the motion (\"{source_joint}\", …) has the name of a joint of the rig (\"{target_joint}\", …)"
    )]
    NothingMatches {
        /// A joint of the motion.
        source_joint: String,
        /// A joint of the rig.
        target_joint: String,
    },
    /// A file without a clip.
    #[error("holds no motion")]
    NoMotion,
    /// More than fits.
    #[error("{keys} keys for {joints} joints are too many: at most {MOST_KEYS} are carried over")]
    TooLong {
        /// Keys of a joint.
        keys: usize,
        /// Joints that found their partner.
        joints: usize,
    },
    /// More clips than fit together.
    #[error("{clips} clips are too long together: at most {MOST_KEYS} keys are carried over")]
    TooMany {
        /// Clips of the motion.
        clips: usize,
    },
    /// The result was not a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Keys a second of a motion that has them where they are needed, and not at every frame.
const SAMPLED: f64 = 30.0;

/// Seconds up to which they are made: a key at the end of time must not fill the memory.
const LONGEST_SAMPLED: f32 = 1200.0;

/// A joint is shifted where it moves by more than this share of its skeleton: files often repeat places that do not change.
const SHIFTED: f64 = 0.01;

/// Carries the first clip of a motion file over to a rig, with as many keys a second as the file has; at least 30 where its
/// tracks have keys at different times.
pub fn carry(motion: &Rig, target: &Rig) -> Result<Retargeted, RetargetError> {
    carry_clip(motion, motion.clips.first().ok_or(RetargetError::NoMotion)?, target)
}

/// The same for all clips of the file, which together have no more keys than a single one may have.
pub fn carry_all(motion: &Rig, target: &Rig) -> Result<Vec<Retargeted>, RetargetError> {
    if motion.clips.is_empty() {
        return Err(RetargetError::NoMotion);
    }
    let mut carried = Vec::new();
    let mut keys = 0;
    for clip in &motion.clips {
        let this = carry_clip(motion, clip, target)?;
        keys += this.clip.tracks().iter().map(|t| t.times.len()).sum::<usize>();
        if keys > MOST_KEYS {
            return Err(RetargetError::TooMany { clips: motion.clips.len() });
        }
        carried.push(this);
    }
    Ok(carried)
}

fn carry_clip(motion: &Rig, clip: &Clip, target: &Rig) -> Result<Retargeted, RetargetError> {
    let keys = clip.tracks().iter().map(|t| t.times.len()).max().unwrap_or(1);
    let even = clip.tracks().windows(2).all(|t| t[0].times == t[1].times);
    let fps = (keys.max(2) - 1) as f64 / f64::from(clip.duration()).max(1e-6);
    let fps = if even || clip.duration() > LONGEST_SAMPLED { fps } else { fps.max(SAMPLED) };
    retarget(motion, clip, target, fps)
}

/// Carries `clip` of `source` over to `target`, with `fps` keys a second.
///
/// Every matched joint of the target turns in space as its partner does: with both skeletons at rest, each long bone
/// of the target is first aligned with its partner's direction, then given its partner's turn from rest. So the limbs
/// of the result point where those of the motion do, whatever frames and rest pose the target uses. The root's path
/// is scaled by the ratio of the two skeletons' sizes, about the origin, so that the ground stays the ground; other joints
/// that the motion shifts (feet that hang on no leg, a jaw) are shifted from their own places, scaled alike.
pub fn retarget(source: &Rig, clip: &Clip, target: &Rig, fps: f64) -> Result<Retargeted, RetargetError> {
    let (from, to) = (&source.skeleton, &target.skeleton);
    let partner = partners(from, to);
    let matched = partner.iter().flatten().count();
    if matched == 0 {
        let first = |s: &Skeleton| {
            let joints = s.joints();
            let bone = joints.iter().find(|j| j.role == Role::Bone).or(joints.first());
            bone.map_or(String::new(), |j| j.name.clone())
        };
        return Err(RetargetError::NothingMatches { source_joint: first(from), target_joint: first(to) });
    }
    let is_partner: HashSet<usize> = partner.iter().flatten().copied().collect();
    let is_bone = |i: &usize| from.joints()[*i].role == Role::Bone;
    let left_over = (0..from.len()).filter(|i| !is_partner.contains(i)).filter(is_bone);
    let unmatched = left_over.map(|i| from.joints()[i].name.clone()).collect();

    let of_target = size(to, |j| partner[j].is_some());
    let align = alignments(from, to, &partner, LONG_BONE * of_target);
    let moved = |t: &Track| if let Channel::Translation(joint) = t.channel { Some(joint) } else { None };
    let travels: HashSet<usize> = clip.tracks().iter().filter_map(moved).collect();
    let root = (0..to.len()).find(|&j| partner[j].is_some_and(|i| travels.contains(&i)));
    let scale = of_target / size(from, |i| is_partner.contains(&i));
    let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };

    let keys = (f64::from(clip.duration()) * fps).round().max(1.0) as usize + 1;
    if keys.saturating_mul(matched) > MOST_KEYS {
        return Err(RetargetError::TooLong { keys, joints: matched });
    }
    let times: Arc<[f32]> = (0..keys).map(|k| (k as f64 / fps) as f32).collect();
    let capacity = |partner: &Option<usize>| Vec::with_capacity(if partner.is_some() { keys * 4 } else { 0 });
    let mut rotations: Vec<Vec<f32>> = partner.iter().map(capacity).collect();
    let mut pose = clip.sample(source, 0.0);
    let mut motion = Motion::default();
    // How far a joint is from where it stands still, in the space of the skin: frames above may scale what hangs on them.
    let shift = |pose: &Pose, motion: &Motion, i: usize| {
        let Joint { parent, shown_local, .. } = &from.joints()[i];
        let parent = parent.map_or(DMat3::IDENTITY, |p| motion.posed_from_joint[p].matrix3);
        parent * (pose.local[i].translation - shown_local.translation)
    };
    let far = SHIFTED * size(from, |_| true);
    let mut is_shifted = vec![false; from.len()];
    for k in 0..keys {
        clip.sample_into(source, k as f64 / fps, &mut pose);
        motion.update(source, &pose);
        for &i in travels.iter().filter(|i| is_partner.contains(i)) {
            is_shifted[i] |= shift(&pose, &motion, i).length() > far;
        }
    }
    let shifts = |j: usize| Some(j) == root || partner[j].is_some_and(|i| is_shifted[i]);
    let capacity = |j: usize| Vec::with_capacity(if shifts(j) { keys * 3 } else { 0 });
    let mut paths: Vec<Vec<f32>> = (0..to.len()).map(capacity).collect();
    let mut world = vec![DQuat::IDENTITY; to.len()];
    // Where the joints of the target are, with the turns found so far.
    let mut placed = vec![DAffine3::IDENTITY; to.len()];
    for k in 0..keys {
        clip.sample_into(source, k as f64 / fps, &mut pose);
        motion.update(source, &pose);
        for j in 0..to.len() {
            let parent = to.joints()[j].parent;
            let above = parent.map_or(DQuat::IDENTITY, |p| world[p]);
            let mut local = Trs::of(&to.joints()[j].shown_local);
            let still = local.rotation;
            world[j] = match partner[j] {
                Some(i) => {
                    Trs::of(&motion.exact[i]).rotation * align[j] * Trs::of(&to.joints()[j].rest_from_joint).rotation
                }
                None => above * still,
            };
            let parent_placed = parent.map_or(DAffine3::IDENTITY, |p| placed[p]);
            if partner[j].is_some() {
                local.rotation = (above.inverse() * world[j]).normalize();
                rotations[j].extend(local.rotation.to_array().map(|x| x as f32));
            }
            if let Some(i) = partner[j].filter(|_| shifts(j)) {
                let from_placed = parent_placed.inverse();
                if Some(j) == root {
                    local.translation = from_placed.transform_point3(motion.posed_from_joint[i].translation * scale);
                } else {
                    local.translation += from_placed.transform_vector3(shift(&pose, &motion, i) * scale);
                }
                paths[j].extend(local.translation.to_array().map(|x| x as f32));
            }
            placed[j] = parent_placed * local.affine();
        }
    }
    let track = |channel, values: Vec<f32>| Track {
        channel,
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values: values.into(),
    };
    let mut tracks: Vec<Track> = Vec::new();
    for (j, values) in rotations.into_iter().enumerate().filter(|(j, _)| partner[*j].is_some()) {
        tracks.push(track(Channel::Rotation(j), values));
    }
    for (j, values) in paths.into_iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        tracks.push(track(Channel::Translation(j), values));
    }
    let morphs: HashSet<usize> =
        clip.tracks().iter().filter_map(|t| if let Channel::Morph(m) = t.channel { Some(m) } else { None }).collect();
    let clip = Clip::new(clip.name.clone(), tracks)?;
    Ok(Retargeted { clip, matched, unmatched, morphs: morphs.len() })
}

/// Bones longer than this fraction of the skeleton are limbs.
const LONG_BONE: f64 = 0.1;

/// The joint of the same name for every bone; where none has that name, one that differs in case.
fn partners(from: &Skeleton, to: &Skeleton) -> Vec<Option<usize>> {
    let (mut exact, mut folded) = (HashMap::new(), HashMap::new());
    for (i, name) in from.names().enumerate() {
        exact.entry(name).or_insert(i);
        folded.entry(name.to_ascii_lowercase()).or_insert(i);
    }
    let partner = |name: &str| exact.get(name).or_else(|| folded.get(&name.to_ascii_lowercase())).copied();
    to.joints().iter().map(|j| partner(&j.name).filter(|_| j.role == Role::Bone)).collect()
}

/// What turns each rest bone of the target into its partner's direction; the identity where either has no single direction,
/// or the bone is shorter than `long`.
fn alignments(from: &Skeleton, to: &Skeleton, partner: &[Option<usize>], long: f64) -> Vec<DQuat> {
    // A joint with several limbs (pelvis, chest) has no one direction: its own frame is kept. So is that of short bones
    // (collar, spine, neck, hand), whose directions differ between skeletons for no reason a motion knows of: aligning
    // them lifted the shoulders of a MakeHuman body under a CMU motion.
    let mut children = vec![(0, 0); to.len()];
    for (child, joint) in to.joints().iter().enumerate().filter(|(child, _)| partner[*child].is_some()) {
        if let Some(parent) = joint.parent {
            children[parent] = (child, children[parent].1 + 1);
        }
    }
    let turn = |joint: usize| {
        let (child, 1) = children[joint] else { return DQuat::IDENTITY };
        let [Some(other), Some(below)] = [partner[joint], partner[child]] else { return DQuat::IDENTITY };
        let a = to.joints()[child].rest_position() - to.joints()[joint].rest_position();
        let b = from.joints()[below].rest_position() - from.joints()[other].rest_position();
        match (a.try_normalize(), b.try_normalize()) {
            (Some(one), Some(two)) if a.length() > long => DQuat::from_rotation_arc(one, two),
            _ => DQuat::IDENTITY,
        }
    };
    (0..to.len()).map(turn).collect()
}

fn size(skeleton: &Skeleton, counts: impl Fn(usize) -> bool) -> f64 {
    let joints = skeleton.joints().iter().enumerate().filter(|(i, _)| counts(*i)).map(|(_, j)| j.rest_position());
    let (low, high) = joints.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    // Height alone would do for people, not for a skeleton that lies down.
    DMat3::from_diagonal(high - low).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}
