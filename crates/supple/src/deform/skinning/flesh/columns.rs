//! Columns of flesh: from the bone of each point of the skin to the point.

use crate::{
    math::principal,
    rig::{Bone, Rig, Topology},
};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// A joint with less of a point's weight than this does not lend it a bone: paint leaves traces of far joints.
const LEAST_WEIGHT: f32 = 0.02;
/// Least share of a joint's median radius that a point of it has: where a bone ends in the skin lengths go to nought.
const LEAST_RADIUS: f64 = 0.5;

/// The column of each point at rest.
pub(super) struct Columns {
    /// Where it stands on its bone; the point itself where no bone moves it.
    pub feet: Vec<DVec3>,
    /// Its length; none where no bone moves the point.
    pub lengths: Vec<Option<f64>>,
    /// Directions of the bones that move the point, by their weights: the sum of d dᵀ, so that it does not matter which way they go.
    pub axes: Vec<DMat3>,
}

impl Columns {
    /// Bones follow from joints alone: where a leaf ends is guessed from its parent's, so that a prop does not lengthen it.
    pub fn of(rig: &Rig, topology: &Topology, rest: &[DVec3]) -> Self {
        let weights = rig.weights.as_ref().expect("the rig has been asked for them");
        let (bones, _) = rig.skeleton.bones(&[], None);
        let bones_of: Vec<&[Bone]> = (0..rig.skeleton.len()).map(|joint| bones_of(rig, &bones, joint)).collect();
        let direction = |joint: usize| {
            let longest = bones_of[joint].iter().max_by(|a, b| a.length().total_cmp(&b.length()));
            longest.map_or(DVec3::ZERO, |bone| (bone.tail - bone.head).normalize_or_zero())
        };
        let directions: Vec<DVec3> = (0..rig.skeleton.len()).map(direction).collect();
        let mut columns = Self { feet: Vec::new(), lengths: Vec::new(), axes: Vec::new() };
        for (&vertex, &at) in topology.weld.first_of.iter().zip(rest) {
            let (joints, values) = weights.row(vertex as usize);
            let heavy = joints.iter().zip(values).filter(|(_, w)| **w > LEAST_WEIGHT);
            let feet = heavy.flat_map(|(j, _)| bones_of[usize::from(*j)]).map(|b| b.head.lerp(b.tail, b.parameter(at)));
            let nearest = feet.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)));
            columns.feet.push(nearest.unwrap_or(at));
            columns.lengths.push(nearest.map(|foot| foot.distance(at)).filter(|length| *length > 0.0));
            let along = |(j, w): (&u16, &f32)| {
                let d = directions[usize::from(*j)];
                DMat3::from_cols(d * d.x, d * d.y, d * d.z) * f64::from(*w)
            };
            columns.axes.push(joints.iter().zip(values).map(along).fold(DMat3::ZERO, |a, b| a + b));
        }
        columns
    }
}

/// The bones of a joint, or of the nearest one above it that has some.
fn bones_of<'a>(rig: &Rig, bones: &'a [Bone], joint: usize) -> &'a [Bone] {
    let joints = rig.skeleton.joints();
    let chain = std::iter::successors(Some(joint), |j| joints[*j].parent).take(joints.len());
    chain.map(|j| Bone::of_joint(bones, j)).find(|own| !own.is_empty()).unwrap_or(&[])
}

/// The direction along which most bones lie; none where there are none.
pub(super) fn axis(along: &DMat3) -> DVec3 {
    if *along == DMat3::ZERO { DVec3::ZERO } else { principal(*along).x_axis }
}

/// The radius of each point's limb: the length of its column, and where it has none what others of its joint have.
pub(super) fn radii(rig: &Rig, topology: &Topology, rest: &[DVec3], columns: &Columns) -> Vec<f64> {
    let weights = rig.weights.as_ref().expect("the rig has been asked for them");
    // By pieces of skin: a prop says nothing of the limb that carries it.
    let owner = |i: usize| (topology.component_of[i], weights.dominant(topology.weld.first_of[i] as usize));
    let mut lengths: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for (i, length) in columns.lengths.iter().enumerate() {
        lengths.entry(owner(i)).or_default().extend(length);
    }
    for list in lengths.values_mut() {
        list.sort_unstable_by(f64::total_cmp);
    }
    let edge = |i: usize| {
        let ring = topology.ring(i as u32);
        let sum: f64 = ring.iter().map(|&n| rest[i].distance(rest[n as usize])).sum();
        sum / ring.len().max(1) as f64
    };
    let radius = |i: usize| {
        let own = &lengths[&owner(i)];
        let median = own.get(own.len() / 2).copied().unwrap_or_else(|| edge(i));
        let radius = columns.lengths[i].unwrap_or(median).max(LEAST_RADIUS * median);
        if radius > 0.0 { radius } else { f64::MIN_POSITIVE.sqrt() }
    };
    (0..rest.len()).map(radius).collect()
}
