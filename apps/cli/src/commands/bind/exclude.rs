//! Joints that shall own no skin: those named, and those that the skeleton's own skin gives no weight.

use crate::{console::Console, joints};
use anyhow::Result;
use supple::{
    rig::{Rig, Role, Skeleton},
    weights,
};

/// Names that are told one by one.
const MOST: usize = 8;

/// Takes the bones from joints by name.
pub fn named(skeleton: &mut Skeleton, words: &[String]) -> Result<()> {
    for word in words {
        let joint = joints::named(skeleton, &format!("--exclude {word}"), word)?;
        skeleton.set_role(joint, Role::Frame);
    }
    Ok(())
}

/// Takes the bones from controls: joints that the skin they come with gives no weight. Such a joint keeps its bone where
/// it stands between two that have weight, or is the tip of one.
pub fn unweighted(source: &Rig, skeleton: &mut Skeleton, name: &str, console: &Console) {
    let Some(old) = &source.weights else { return };
    let controls = weights::controls(&source.skeleton, old);
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
