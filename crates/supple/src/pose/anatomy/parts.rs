//! Which joint of the body each joint is.

use super::words::{Level, Limb, Name, Side, Word};
use crate::rig::{Joint, Role, Skeleton};
use glam::DVec3;
use serde::Serialize;
use std::{collections::HashMap, fmt};

/// A joint of the body, of people or animals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Part {
    Pelvis,
    Spine,
    Neck,
    Head,
    Jaw,
    Tail,
    /// The root of the collar bone, or the shoulder blade.
    Collar,
    Shoulder,
    Elbow,
    Wrist,
    Finger,
    Thumb,
    Hip,
    Knee,
    Ankle,
    Toes,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pelvis => "pelvis",
            Self::Spine => "spine",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Jaw => "jaw",
            Self::Tail => "tail",
            Self::Collar => "collar",
            Self::Shoulder => "shoulder",
            Self::Elbow => "elbow",
            Self::Wrist => "wrist",
            Self::Finger => "finger",
            Self::Thumb => "thumb",
            Self::Hip => "hip",
            Self::Knee => "knee",
            Self::Ankle => "ankle",
            Self::Toes => "toes",
        })
    }
}

impl Part {
    /// Whether the joint lies in the middle of the body.
    pub(super) fn is_trunk(self) -> bool {
        matches!(self, Self::Pelvis | Self::Spine | Self::Neck | Self::Head)
    }

    pub(super) fn is_leg(self) -> bool {
        matches!(self, Self::Hip | Self::Knee | Self::Ankle | Self::Toes)
    }

    /// Joints that fold one way only, so that a clear bend at rest shows which.
    pub(super) fn folds_one_way(self) -> bool {
        matches!(self, Self::Elbow | Self::Knee | Self::Finger)
    }
}

/// What the names of all joints and their order say.
pub(super) struct Parts {
    pub names: Vec<Name>,
    pub part: Vec<Option<Part>>,
    /// Which finger, 0 for the thumb.
    pub digit: Vec<Option<u8>>,
}

/// A bone in the place of a girdle that goes out to the side, or is short, is one.
const SIDEWAYS: f64 = 0.8;
const SHORT: f64 = 0.5;

impl Parts {
    /// `left` is the line between joints named left and right, where there are any.
    pub fn of(skeleton: &Skeleton, left: Option<DVec3>) -> Self {
        let joints = skeleton.joints();
        let mut names: Vec<Name> = joints.iter().map(|j| Name::of(&j.name)).collect();
        for (name, joint) in names.iter_mut().zip(joints) {
            if joint.role == Role::Frame {
                name.word = None;
            }
        }
        let mut parts = Self { part: vec![None; joints.len()], digit: vec![None; joints.len()], names };
        parts.limbs(joints, left);
        parts.others(joints);
        parts.thumbs_by_number(joints);
        parts
    }

    /// Limbs, from the trunk outwards: names say the level where they can, the order says it where they cannot, and where
    /// names would go back up the limb.
    fn limbs(&mut self, joints: &[Joint], left: Option<DVec3>) {
        let limb_of = |n: &Name| match n.word {
            Some(Word::Limb(limb, level)) => Some((limb, level)),
            _ => None,
        };
        // The first joint of the same limb below each joint.
        let mut below: Vec<[Option<usize>; 2]> = vec![[None; 2]; joints.len()];
        for j in (0..joints.len()).rev() {
            let Some(parent) = joints[j].parent else { continue };
            let here = limb_of(&self.names[j]).map(|(limb, _)| limb);
            for limb in [Limb::Arm, Limb::Leg] {
                let found = if here == Some(limb) { Some(j) } else { below[j][limb as usize] };
                below[parent][limb as usize] = found.or(below[parent][limb as usize]);
            }
        }
        // The last joint of each limb above, and its level.
        let mut above: Vec<[Option<(usize, u8)>; 2]> = vec![[None; 2]; joints.len()];
        for j in 0..joints.len() {
            above[j] = joints[j].parent.map_or([None; 2], |p| above[p]);
            let Some((limb, level)) = limb_of(&self.names[j]) else { continue };
            let before = above[j][limb as usize];
            let next = below[j][limb as usize];
            let next_level = next.and_then(|n| limb_of(&self.names[n])).map(|(_, level)| level);
            let reached = before.map(|(_, level)| level);
            let copy = before.is_some_and(|(b, l)| matches!(l, 1 | 2) && self.names[b].stem == self.names[j].stem);
            let after = |l: u8| Some((l + 1).min(4));
            let found = match (level, reached) {
                // Two joints claim the hand, and nobody the elbow.
                (Level::Known(3), Some(1)) if next_level == Some(Level::Known(3)) => Some(2),
                (Level::Known(level), None) => Some(level),
                (Level::Known(level), Some(r)) if level > r => Some(level),
                // One bone in several pieces.
                (Level::Known(_), Some(_)) if copy => None,
                (Level::Known(_) | Level::ByOrder, Some(r)) if r > 0 => after(r),
                (Level::Known(_), Some(r)) => Some(r),
                (Level::GirdleOrUpper, None | Some(0)) => match next_level {
                    Some(Level::Known(0 | 1) | Level::ByOrder | Level::GirdleOrUpper) => Some(0),
                    _ => Some(1),
                },
                (Level::GirdleOrUpper, Some(_)) => None,
                (Level::ByOrder, _) => match (next, next_level) {
                    (Some(next), Some(Level::Known(1))) if is_girdle(joints, &below, [j, next], limb, left) => Some(0),
                    _ => Some(1),
                },
            };
            let Some(found) = found else { continue };
            above[j][limb as usize] = Some((j, found));
            self.part[j] = match (limb, found) {
                (Limb::Arm, 0) => Some(Part::Collar),
                (Limb::Arm, 1) => Some(Part::Shoulder),
                (Limb::Arm, 2) => Some(Part::Elbow),
                (Limb::Arm, 3) => Some(Part::Wrist),
                (Limb::Arm, _) => Some(Part::Finger),
                (Limb::Leg, 0) => None,
                (Limb::Leg, 1) => Some(Part::Hip),
                (Limb::Leg, 2) => Some(Part::Knee),
                (Limb::Leg, 3) => Some(Part::Ankle),
                (Limb::Leg, _) => Some(Part::Toes),
            };
        }
    }

    fn others(&mut self, joints: &[Joint]) {
        let mut in_hand = vec![false; joints.len()];
        for (j, joint) in joints.iter().enumerate() {
            in_hand[j] = self.part[j] == Some(Part::Wrist) || joint.parent.is_some_and(|p| in_hand[p]);
            match self.names[j].word {
                Some(Word::Finger { digit, certain }) if certain || in_hand[j] => {
                    self.digit[j] = digit;
                    self.part[j] = Some(if digit == Some(0) { Part::Thumb } else { Part::Finger });
                }
                Some(Word::Pelvis) => self.part[j] = Some(Part::Pelvis),
                Some(Word::Spine) => self.part[j] = Some(Part::Spine),
                Some(Word::Neck) => self.part[j] = Some(Part::Neck),
                Some(Word::Head) => self.part[j] = Some(Part::Head),
                Some(Word::Jaw) => self.part[j] = Some(Part::Jaw),
                Some(Word::Tail) => self.part[j] = Some(Part::Tail),
                _ => {}
            }
        }
    }

    /// Joints of the same part on the other side, as deep in the tree.
    pub fn partners(&self, skeleton: &Skeleton) -> Vec<Option<usize>> {
        let joints = skeleton.joints();
        let mut depth = vec![0usize; joints.len()];
        for (j, joint) in joints.iter().enumerate() {
            depth[j] = joint.parent.map_or(0, |p| depth[p] + 1);
        }
        let key = |j: usize, side: Side| Some((self.part[j]?, self.digit[j], depth[j], side));
        let mut first = HashMap::new();
        for j in 0..joints.len() {
            if let Some(key) = self.names[j].side.and_then(|side| key(j, side)) {
                first.entry(key).or_insert(j);
            }
        }
        let other = |side: Side| if side == Side::Left { Side::Right } else { Side::Left };
        let partner = |j: usize| first.get(&key(j, other(self.names[j].side?))?).copied();
        (0..joints.len()).map(partner).collect()
    }

    /// Fingers that are numbered and not named: of five, the first is the thumb.
    fn thumbs_by_number(&mut self, joints: &[Joint]) {
        for side in [None, Some(Side::Left), Some(Side::Right)] {
            let told = |j: usize| matches!(self.names[j].word, Some(Word::Finger { certain: true, .. }));
            let of_hand: Vec<usize> = (0..joints.len())
                .filter(|&j| self.part[j] == Some(Part::Finger) && told(j) && self.names[j].side == side)
                .collect();
            let mut numbers: Vec<u32> = of_hand.iter().filter_map(|&j| self.names[j].number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            if of_hand.iter().any(|&j| self.digit[j].is_some()) || numbers.len() != 5 {
                continue;
            }
            for j in of_hand {
                let digit = self.names[j].number.and_then(|n| numbers.iter().position(|&m| m == n));
                self.digit[j] = digit.map(|d| d as u8);
                self.part[j] = Some(if digit == Some(0) { Part::Thumb } else { Part::Finger });
            }
        }
    }
}

/// Whether `joint`, whose limb goes on at `next`, carries the limb rather than being its upper bone.
fn is_girdle(
    joints: &[Joint],
    below: &[[Option<usize>; 2]],
    [joint, next]: [usize; 2],
    limb: Limb,
    left: Option<DVec3>,
) -> bool {
    let at = |j: usize| joints[j].rest_position();
    let bone = at(next) - at(joint);
    let sideways = left.is_none_or(|left| bone.dot(left).abs() > SIDEWAYS * bone.length());
    let after = below[next][limb as usize].map(|n| at(n).distance(at(next)));
    sideways || after.is_none_or(|after| bone.length() < SHORT * after)
}
