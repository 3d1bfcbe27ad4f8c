use super::{Role, Skeleton, Weights};
use glam::{DVec3, Vec3};
use std::fmt;

/// A segment that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint that moves it.
    pub joint: usize,
    /// The child joint at its tail; none where the tail was inferred.
    pub tail_joint: Option<usize>,
    /// Start, at rest.
    pub head: DVec3,
    /// End, at rest.
    pub tail: DVec3,
}

/// What inferring the bones had to decide.
#[derive(Clone, Debug, PartialEq)]
pub enum BoneNote {
    /// The child sits on its parent: no segment between them.
    ZeroLength {
        /// The parent.
        joint: String,
        /// The child merged into it.
        child: String,
    },
    /// A leaf joint whose tail had to be guessed.
    InferredTail {
        /// The leaf.
        joint: String,
        /// The length it was given.
        length: f64,
    },
}

impl fmt::Display for BoneNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroLength { joint, child } => {
                write!(f, "joint \"{child}\" sits on its parent \"{joint}\": the zero-length bone is merged into it")
            }
            Self::InferredTail { joint, length } => {
                write!(f, "leaf joint \"{joint}\" has no tail in the file: a bone of length {length:.4} was inferred")
            }
        }
    }
}

impl Bone {
    /// The bones of one joint among all, which are sorted by joint.
    pub(crate) fn of_joint(bones: &[Self], joint: usize) -> &[Self] {
        let first = bones.partition_point(|b| b.joint < joint);
        &bones[first..first + bones[first..].partition_point(|b| b.joint == joint)]
    }

    /// Length at rest.
    pub fn length(&self) -> f64 {
        self.head.distance(self.tail)
    }

    /// The nearest point of the segment, as a parameter in 0..=1.
    pub fn parameter(&self, p: DVec3) -> f64 {
        let along = self.tail - self.head;
        let l2 = along.length_squared();
        if l2 == 0.0 { 0.0 } else { ((p - self.head).dot(along) / l2).clamp(0.0, 1.0) }
    }

    /// Distance from a point to the segment.
    pub fn distance(&self, p: DVec3) -> f64 {
        p.distance(self.head.lerp(self.tail, self.parameter(p)))
    }
}

impl Skeleton {
    /// The bones of the skeleton: one per child of a joint, one with an inferred tail per leaf. A joint that sits on
    /// its parent makes no bone, and is reported.
    ///
    /// A leaf's tail goes towards the far end of the vertices it dominates, else along its parent's direction; its
    /// length is that reach, else the median of its siblings' or its parent's bones.
    pub fn bones(&self, positions: &[Vec3], weights: Option<&Weights>) -> (Vec<Bone>, Vec<BoneNote>) {
        self.bones_in(positions, weights, |_| true)
    }

    /// The same by some of the vertices alone.
    pub(crate) fn bones_in(
        &self,
        positions: &[Vec3],
        weights: Option<&Weights>,
        counts: impl Fn(usize) -> bool,
    ) -> (Vec<Bone>, Vec<BoneNote>) {
        let joints = self.joints();
        let is_bone = |i: usize| joints[i].role == Role::Bone;
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for j in joints {
            low = low.min(j.rest_position());
            high = high.max(j.rest_position());
        }
        for (_, p) in positions.iter().enumerate().filter(|(v, _)| counts(*v)) {
            low = low.min(p.as_dvec3());
            high = high.max(p.as_dvec3());
        }
        let diagonal = if low.x <= high.x { low.distance(high) } else { 0.0 };
        let shortest = 1e-6 * diagonal;

        let (mut bones, mut notes, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_child = vec![false; joints.len()];
        for (child, joint) in joints.iter().enumerate() {
            let Some(parent) = joint.parent.filter(|&p| is_bone(child) && is_bone(p)) else { continue };
            has_child[parent] = true;
            let (head, tail) = (joints[parent].rest_position(), joint.rest_position());
            if head.distance(tail) <= shortest {
                let names = (joints[parent].name.clone(), joint.name.clone());
                notes.push(BoneNote::ZeroLength { joint: names.0, child: names.1 });
            } else {
                bones.push(Bone { joint: parent, tail_joint: Some(child), head, tail });
            }
        }
        leaves.extend((0..joints.len()).filter(|&i| is_bone(i) && !has_child[i]));
        let reach = dominated_reach(self, positions, weights, &leaves, counts);
        let guess = Guess::of(joints.len(), &bones, diagonal);
        for (&leaf, reach) in leaves.iter().zip(reach) {
            let head = joints[leaf].rest_position();
            let seen = reach.filter(|&t| t.distance(head) > shortest);
            let tail = seen.unwrap_or_else(|| head + guess.direction(leaf, joints[leaf].parent));
            notes.push(BoneNote::InferredTail { joint: joints[leaf].name.clone(), length: head.distance(tail) });
            bones.push(Bone { joint: leaf, tail_joint: None, head, tail });
        }
        bones.sort_by_key(|b| (b.joint, b.tail_joint.unwrap_or(usize::MAX)));
        (bones, notes)
    }
}

/// For each leaf, the point towards the far end of the vertices it dominates: the mean direction of the farther half,
/// as far as nine tenths of the farthest along it, so that the tail stays inside the skin.
fn dominated_reach(
    skeleton: &Skeleton,
    positions: &[Vec3],
    weights: Option<&Weights>,
    leaves: &[usize],
    counts: impl Fn(usize) -> bool,
) -> Vec<Option<DVec3>> {
    let Some(weights) = weights else { return vec![None; leaves.len()] };
    let mut slot = vec![usize::MAX; skeleton.len()];
    for (i, &leaf) in leaves.iter().enumerate() {
        slot[leaf] = i;
    }
    let mut owned = vec![Vec::new(); leaves.len()];
    for (v, p) in positions.iter().enumerate().filter(|(v, _)| counts(*v)) {
        if let Some(list) = owned.get_mut(slot[weights.dominant(v)]) {
            list.push(p.as_dvec3());
        }
    }
    let far_end = |(points, &leaf): (&Vec<DVec3>, &usize)| {
        let head = skeleton.joints()[leaf].rest_position();
        let mean_square = points.iter().map(|p| p.distance_squared(head)).sum::<f64>() / points.len().max(1) as f64;
        let far = points.iter().filter(|p| p.distance_squared(head) >= mean_square);
        let direction = far.map(|p| *p - head).sum::<DVec3>().try_normalize()?;
        let reach = points.iter().map(|p| (*p - head).dot(direction)).fold(0.0, f64::max);
        Some(head + direction * reach * 0.9)
    };
    owned.iter().zip(leaves).map(far_end).collect()
}

/// Where leaves without skin may point.
struct Guess {
    /// From each joint's parent to it, where there is a bone between them.
    towards: Vec<Option<DVec3>>,
    /// The median length of each joint's bones.
    median: Vec<Option<f64>>,
    otherwise: f64,
}

impl Guess {
    fn of(joints: usize, bones: &[Bone], diagonal: f64) -> Self {
        let (mut towards, mut lengths) = (vec![None; joints], vec![Vec::new(); joints]);
        for bone in bones {
            lengths[bone.joint].push(bone.length());
            if let Some(tail) = bone.tail_joint {
                towards[tail] = Some(bone.tail - bone.head);
            }
        }
        let median = |lengths: &mut Vec<f64>| {
            lengths.sort_by(f64::total_cmp);
            lengths.get(lengths.len() / 2).copied()
        };
        let median = lengths.iter_mut().map(median).collect();
        Self { towards, median, otherwise: 0.1 * diagonal.max(f64::MIN_POSITIVE) }
    }

    fn direction(&self, leaf: usize, parent: Option<usize>) -> DVec3 {
        let length = parent.and_then(|p| self.median[p]).unwrap_or(self.otherwise);
        let direction = self.towards[leaf].unwrap_or(DVec3::Y);
        direction.try_normalize().unwrap_or(DVec3::Y) * length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::DAffine3;

    fn chain(points: &[[f64; 3]]) -> Skeleton {
        let joint = |(i, p): (usize, &[f64; 3])| {
            Joint::new(format!("j{i}"), i.checked_sub(1), DAffine3::from_translation((*p).into()))
        };
        Skeleton::new(points.iter().enumerate().map(joint).collect()).unwrap()
    }

    #[test]
    fn a_zero_length_bone_is_merged_and_reported() {
        let (bones, notes) = chain(&[[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]]).bones(&[], None);
        assert_eq!(bones.iter().map(|b| b.joint).collect::<Vec<_>>(), [1, 2]);
        assert!(notes.iter().any(|n| matches!(n, BoneNote::ZeroLength { child, .. } if child == "j1")));
        assert!(bones.iter().all(|b| b.length() > 0.0));
    }

    #[test]
    fn a_leaf_continues_its_parent() {
        let (bones, _) = chain(&[[0.0; 3], [2.0, 0.0, 0.0]]).bones(&[], None);
        assert_eq!(bones[1].tail, DVec3::new(4.0, 0.0, 0.0));
    }

    #[test]
    fn a_lone_joint_gets_a_bone() {
        let (bones, _) = chain(&[[0.0; 3]]).bones(&[Vec3::ZERO, Vec3::X], None);
        assert_eq!(bones.len(), 1);
        assert!(bones[0].length() > 0.0);
    }
}
