//! Joints that shall own no skin: those named, and those that the skeleton's own skin gives no weight.

use crate::console::Console;
use anyhow::{Result, anyhow};
use supple::{
    names,
    rig::{Rig, Role, Skeleton, Weights},
};

/// Names that are told one by one.
const MOST: usize = 8;

/// Takes the bones from joints by name.
pub fn named(skeleton: &mut Skeleton, words: &[String]) -> Result<()> {
    for word in words {
        let joint = skeleton.find_forgiving(word).ok_or_else(|| {
            let hint = names::hint(word, skeleton.joints().iter().map(|j| j.name.as_str()));
            anyhow!("--exclude {word}: no joint is called \"{word}\"{hint}")
        })?;
        skeleton.set_role(joint, Role::Frame);
    }
    Ok(())
}

/// Takes the bones from controls: joints that the skin they come with gives no weight. Such a joint keeps its bone where
/// it stands between two that have weight, or is the tip of one.
pub fn unweighted(source: &Rig, skeleton: &mut Skeleton, name: &str, console: &Console) {
    let Some(weights) = &source.weights else { return };
    let controls = controls(&source.skeleton, weights);
    if controls.is_empty() {
        return;
    }
    let mut told: Vec<String> =
        controls.iter().take(MOST).map(|&j| format!("\"{}\"", skeleton.joints()[j].name)).collect();
    if controls.len() > MOST {
        told.push(format!("and {} more", controls.len() - MOST));
    }
    controls.iter().for_each(|&j| skeleton.set_role(j, Role::Frame));
    let told = told.join(", ");
    console.say(&format!("supple: {name}: joints without weight in its own skin get none here either: {told}"));
}

fn controls(skeleton: &Skeleton, weights: &Weights) -> Vec<usize> {
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
