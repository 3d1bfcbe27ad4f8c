//! Where the palms are.

use super::{
    parts::{Part, Parts},
    words::{Side, Word},
};
use crate::rig::{Bone, Skeleton};
use glam::DVec3;

/// A hand at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palm {
    /// Where the palm looks.
    pub normal: DVec3,
    /// From the thumb's side to the little finger's.
    pub across: DVec3,
    /// Whether the fingers are curled that way at rest.
    pub confirmed: bool,
}

/// Fingers that are fanned out less than this sine lie in no plane.
const FLAT: f64 = 0.2;
/// A mean curl of the fingers at rest of less than this, in radians, tells nothing.
const CURLED: f64 = 0.07;

/// The palm of one hand, from the layout of its fingers. `right` says which hand it is; none: the curl of its fingers does.
pub(super) fn palm(
    skeleton: &Skeleton,
    parts: &Parts,
    bone: &dyn Fn(usize) -> Option<Bone>,
    side: Option<Side>,
    right: Option<bool>,
) -> Option<Palm> {
    let joints = skeleton.joints();
    let at = |j: usize| joints[j].rest_position();
    let named = |j: usize| matches!(parts.names[j].word, Some(Word::Finger { .. }));
    let of_hand: Vec<usize> = (0..joints.len()).filter(|&j| parts.names[j].side == side && named(j)).collect();
    let of = |part: Part| of_hand.iter().copied().filter(move |&j| parts.part[j] == Some(part));
    // Where each finger begins, and the way it goes.
    let mut roots: Vec<(Option<u8>, DVec3)> = Vec::new();
    let mut begun = [false; 5];
    let (mut along, mut curl, mut curls) = (DVec3::ZERO, DVec3::ZERO, 0);
    for j in of(Part::Finger) {
        let Some(bone) = bone(j) else { continue };
        let goes = bone.tail - bone.head;
        along += goes;
        match joints[j].parent.filter(|&p| parts.part[p] == Some(Part::Finger)) {
            Some(above) => {
                curl += (at(j) - at(above)).normalize_or_zero().cross(goes.normalize_or_zero());
                curls += 1;
            }
            // Skeletons without chains have no roots: the first of each digit is its root.
            None if parts.digit[j].is_some_and(|d| std::mem::replace(&mut begun[usize::from(d)], true)) => {}
            None => roots.push((parts.digit[j], at(j))),
        }
    }
    let along = along.try_normalize()?;
    let mean = roots.iter().map(|r| r.1).sum::<DVec3>() / roots.len().max(1) as f64;
    let digits = || roots.iter().filter_map(|&(digit, at)| Some((digit?, at)));
    let ends = (digits().min_by_key(|d| d.0), digits().max_by_key(|d| d.0));
    let across = match ends {
        (Some(first), Some(last)) if first.0 < last.0 => last.1 - first.1,
        _ => mean - of(Part::Thumb).next().map(at)?,
    };
    let across = across.reject_from_normalized(along).try_normalize().filter(|_| {
        // Nearly in one line with the fingers it is chance.
        across.normalize_or_zero().cross(along).length() > FLAT
    })?;
    let of_right = along.cross(across);
    let curled = if curls > 0 { curl / f64::from(curls) } else { DVec3::ZERO };
    let by_curl = along.cross(of_right).dot(curled);
    let by_thumb =
        of(Part::Thumb).next_back().map_or(0.0, |j| (bone(j).map_or(at(j), |b| b.tail) - mean).dot(of_right));
    let is_right = match right {
        // The side says it, but for hands that are clearly curled the other way.
        Some(right) if by_curl.abs() < 2.0 * CURLED => right,
        _ if by_curl.abs() > CURLED => by_curl > 0.0,
        Some(right) => right,
        None => by_thumb > 0.0,
    };
    let normal = if is_right { of_right } else { -of_right };
    let confirmed = by_curl.abs() > CURLED && (by_curl > 0.0) == is_right && right.is_none_or(|r| r == is_right);
    Some(Palm { normal, across, confirmed })
}
