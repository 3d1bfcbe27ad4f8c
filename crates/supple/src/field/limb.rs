//! Limbs: the skin is divided among the joints that move it, and each joint with skin has a [`Limb`], the rigid piece of the body
//! that one field describes.
//!
//! The paper has one field for each bone. Here a limb is all that moves with one joint: a palm with four metacarpals moves
//! as one, and four fields side by side would only make seams.

use crate::rig::{Bone, Rig, Topology, Weights};
use crate::weights::{exclude_controls, nearest, segment::Segmentation};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How the skin is divided among the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// Each point goes to the joint with the largest weight.
    #[default]
    Weights,
    /// By shortest cutting planes: [`crate::weights::segment`].
    Segments,
    /// Each point goes to its nearest bone.
    Nearest,
}

/// An axis shorter than this, over the clearance of the joint, has no direction: two joints of a file in one place differ by rounding
/// alone.
const SHORT_AXIS: f64 = 1e-3;

/// A piece of skin that moves with one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// The joint that moves it.
    pub joint: usize,
    /// Its bones at rest; a single point where it has none.
    pub segments: Vec<(DVec3, DVec3)>,
    /// The joints at which other limbs are attached to it.
    pub ends: Vec<End>,
    /// Its triangles, in the welded topology.
    pub triangles: Vec<u32>,
    /// How many limbs the character has: their grids share the memory.
    pub of: usize,
}

/// A joint between two limbs, as one of them sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Rest position of the joint.
    pub at: DVec3,
    /// Direction along this limb's bone, out of the limb.
    pub outward: DVec3,
    /// Length of that bone.
    pub length: f64,
    /// Distance from the joint to the nearest skin of the two limbs.
    pub clearance: f64,
    /// The other limb.
    pub other: usize,
}

impl Limb {
    /// The nearest point on its bones.
    pub fn foot(&self, at: DVec3) -> DVec3 {
        foot(&self.segments, at).unwrap_or(at)
    }
}

/// The nearest point on some bones; none where there are none.
pub(super) fn foot(bones: &[(DVec3, DVec3)], at: DVec3) -> Option<DVec3> {
    let foot = |&(head, tail): &(DVec3, DVec3)| {
        let along = tail - head;
        head + along * ((at - head).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    bones.iter().map(foot).min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)))
}

/// The joint that each welded point follows; and why the skin was divided by weights after all, where it was.
pub(crate) fn owners(
    rig: &Rig,
    topology: &Topology,
    weights: &Weights,
    partition: Partition,
) -> (Vec<u32>, Option<String>) {
    let of =
        |joint: &dyn Fn(usize) -> usize| topology.weld.first_of.iter().map(|&v| joint(v as usize) as u32).collect();
    let by_weights = |why: String| (of(&|v| weights.dominant(v)), Some(why));
    // Control joints would take skin from the joints that move it.
    let bare = || {
        let mut skeleton = rig.skeleton.clone();
        exclude_controls(&mut skeleton, weights);
        skeleton
    };
    match partition {
        Partition::Weights => (of(&|v| weights.dominant(v)), None),
        Partition::Segments => match Segmentation::of(&Rig { skeleton: bare(), ..rig.clone() }) {
            Ok(s) => (of(&|v| usize::from(s.vertices[v])), None),
            Err(e) => by_weights(e.to_string()),
        },
        Partition::Nearest => match nearest(&rig.mesh, &bare(), &Default::default()) {
            Ok((w, _)) => (of(&|v| w.dominant(v)), None),
            Err(e) => by_weights(e.to_string()),
        },
    }
}

/// One limb for each joint that at least two corners of a triangle follow.
pub(crate) fn limbs(rig: &Rig, topology: &Topology, owners: &[u32], skinned: &[bool]) -> Vec<Limb> {
    let joints = rig.skeleton.joints();
    let mut triangles = vec![Vec::new(); joints.len()];
    for (i, t) in topology.triangles.iter().enumerate() {
        if !t.iter().all(|&v| skinned[v as usize]) {
            continue;
        }
        let [a, b, c] = t.map(|v| owners[v as usize]);
        let owner = if a == b || a == c {
            a
        } else if b == c {
            b
        } else {
            continue;
        };
        triangles[owner as usize].push(i as u32);
    }
    // A spear in a hand must not turn the bone of the hand.
    let counts = |v: usize| skinned[topology.weld.welded_of[v] as usize];
    let bones = rig.skeleton.bones_in(&rig.mesh.positions, rig.weights.as_ref(), counts).0;
    let mut limbs: Vec<Limb> = Vec::new();
    let mut limb_of = vec![None; joints.len()];
    for (joint, triangles) in triangles.into_iter().enumerate().filter(|(_, t)| !t.is_empty()) {
        limb_of[joint] = Some(limbs.len());
        let mut segments: Vec<_> = Bone::of_joint(&bones, joint).iter().map(|b| (b.head, b.tail)).collect();
        if segments.is_empty() {
            let at = joints[joint].rest_position();
            segments.push((at, at));
        }
        limbs.push(Limb { joint, segments, ends: Vec::new(), triangles, of: 0 });
    }
    let of = limbs.len();
    limbs.iter_mut().for_each(|limb| limb.of = of);
    let positions = &rig.mesh.positions;
    let middle = |limb: &Limb| {
        let corner = |t: &u32| topology.triangles[*t as usize][0];
        let at = |t| positions[topology.weld.first_of[corner(t) as usize] as usize].as_dvec3();
        limb.triangles.iter().map(at).sum::<DVec3>() / limb.triangles.len() as f64
    };
    let middles: Vec<DVec3> = limbs.iter().map(middle).collect();
    let clearance = |joint: DVec3, a: &Limb, b: &Limb| {
        let corners = a.triangles.iter().chain(&b.triangles).flat_map(|t| topology.triangles[*t as usize]);
        let at = |v: u32| positions[topology.weld.first_of[v as usize] as usize].as_dvec3();
        corners.map(|v| at(v).distance_squared(joint)).fold(f64::INFINITY, f64::min).sqrt()
    };
    for child in 0..limbs.len() {
        let joint = limbs[child].joint;
        let above = std::iter::successors(joints[joint].parent, |&j| joints[j].parent);
        let Some(parent) = above.into_iter().find_map(|j| limb_of[j]) else { continue };
        let at = joints[joint].rest_position();
        let clearance = clearance(at, &limbs[parent], &limbs[child]);
        let along: DVec3 = limbs[child].segments.iter().map(|(head, tail)| *tail - *head).sum();
        let arriving = at - joints[limbs[parent].joint].rest_position();
        let small = SHORT_AXIS * clearance;
        let ends = [(parent, child, arriving), (child, parent, -along)];
        for (this, other, mut axis) in ends {
            if axis.length() <= small {
                axis = at - middles[this];
            }
            let Some(outward) = axis.try_normalize() else { continue };
            let length = if this == child { along.length() / limbs[this].segments.len() as f64 } else { axis.length() };
            limbs[this].ends.push(End { at, outward, length, clearance, other });
        }
    }
    limbs
}
