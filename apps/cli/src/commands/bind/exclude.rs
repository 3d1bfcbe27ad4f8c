//! Joints that shall own no skin: those named, and those that the skeleton's own skin gives no weight.

use crate::{console::Console, joints};
use anyhow::Result;
use supple::{
    rig::{Rig, Role, Skeleton},
    weights,
};

/// Names that are told one by one.
const MOST: usize = 8;

/// Joints by name.
pub fn named(skeleton: &Skeleton, words: &[String]) -> Result<Vec<usize>> {
    words.iter().map(|word| joints::named(skeleton, &format!("--exclude {word}"), word)).collect()
}

/// Controls: joints that the skin they come with gives no weight, unless they stand between two that have weight or are the
/// tip of one.
pub fn unweighted(source: &Rig, name: &str, console: &Console) -> Vec<usize> {
    let Some(old) = &source.weights else { return Vec::new() };
    let controls = weights::controls(&source.skeleton, old);
    if controls.is_empty() {
        return controls;
    }
    let joint_name = |&j: &usize| format!("\"{}\"", source.skeleton.joints()[j].name);
    let mut told: Vec<String> = controls.iter().take(MOST).map(joint_name).collect();
    if controls.len() > MOST {
        told.push(format!("and {} more", controls.len() - MOST));
    }
    let told = told.join(", ");
    console.say(&format!("supple: {name}: joints without weight in its own skin get none here either: {told}"));
    controls
}

/// The skeleton as weights are made for it, where some joints own nothing. The rig keeps its own: such joints still turn
/// those below them, and are bent as before.
pub fn without_bones(skeleton: &Skeleton, joints: &[usize]) -> Skeleton {
    let mut skeleton = skeleton.clone();
    joints.iter().for_each(|&j| skeleton.set_role(j, Role::Frame));
    skeleton
}
