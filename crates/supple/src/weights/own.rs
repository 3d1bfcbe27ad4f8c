//! What the old weights of a rig still say when it gets new ones.

use crate::rig::{Rig, Role, Skeleton, Weights, WeightsBuilder};

/// Controls: joints that make bones, but that the skin they come with gives no weight. Such a joint is none where it stands
/// between two that have weight, or is the tip of one.
pub fn controls(skeleton: &Skeleton, weights: &Weights) -> Vec<usize> {
    let joints = skeleton.joints();
    let mut has = vec![false; joints.len()];
    for vertex in 0..weights.len() {
        for &joint in weights.row(vertex).0 {
            if let Some(has) = has.get_mut(usize::from(joint)) {
                *has = true;
            }
        }
    }
    let (mut above, mut below, mut children) = (vec![false; joints.len()], has.clone(), vec![0; joints.len()]);
    for (i, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            above[i] = above[parent] || has[parent];
            children[parent] += usize::from(joint.role == Role::Bone);
        }
    }
    for (i, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            below[parent] |= below[i];
        }
    }
    let is_tip = |i: usize| joints[i].parent.is_some_and(|p| has[p] && children[p] == 1);
    let stays = |i: usize| has[i] || (above[i] && below[i]) || is_tip(i);
    (0..joints.len()).filter(|&i| joints[i].role == Role::Bone && !stays(i)).collect()
}

/// Takes the bones from [`controls`], and says which they are.
pub fn exclude_controls(skeleton: &mut Skeleton, weights: &Weights) -> Vec<usize> {
    let controls = controls(skeleton, weights);
    controls.iter().for_each(|&j| skeleton.set_role(j, Role::Frame));
    controls
}

/// Props that follow one joint as a whole stay with it.
pub fn keep_props(rig: &Rig, weights: Weights) -> Weights {
    let Some(old) = rig.weights.as_ref().filter(|_| rig.parts.iter().any(|p| !p.skinned)) else { return weights };
    let mut rigid = vec![false; rig.mesh.positions.len()];
    for part in rig.parts.iter().filter(|p| !p.skinned) {
        rigid[part.vertices.start as usize..part.vertices.end as usize].fill(true);
    }
    let mut table = WeightsBuilder::with_capacity(weights.len(), 4);
    for (vertex, rigid) in rigid.into_iter().enumerate() {
        let (joints, values) = if rigid { old.row(vertex) } else { weights.row(vertex) };
        table.push(joints.iter().copied().zip(values.iter().copied()));
    }
    table.finish(|_| 0).0
}
