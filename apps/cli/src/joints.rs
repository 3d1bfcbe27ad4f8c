//! Joints that options name.

use anyhow::{Context, Result};
use supple::{
    names,
    rig::{Rig, Skeleton},
};

/// The joint of a name that was given to an option.
pub fn named(skeleton: &Skeleton, option: &str, name: &str) -> Result<usize> {
    let unknown = || format!("{option}: no joint is called \"{name}\"{}", names::hint(name, skeleton.names()));
    skeleton.find_forgiving(name).with_context(unknown)
}

/// `JOINT` or `JOINT=RADIUS`; without a radius, half the longest bone that meets there. Joint names may hold `=`.
pub fn with_radius(rig: &Rig, option: &str, word: &str) -> Result<(usize, f64)> {
    let (skeleton, option) = (&rig.skeleton, format!("{option} {word}"));
    let (name, radius) = match word.rsplit_once('=') {
        Some((name, radius)) if skeleton.find_forgiving(word).is_none() => {
            let number: Option<f64> = radius.trim().parse().ok().filter(|r: &f64| r.is_finite() && *r > 0.0);
            let number = number.with_context(|| format!("{option}: \"{radius}\" is not a radius"))?;
            (name, Some(number))
        }
        _ => (word, None),
    };
    let joint = named(skeleton, &option, name)?;
    let longest = || {
        let (bones, _) = skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
        let meet = bones.iter().filter(|b| b.joint == joint || b.tail_joint == Some(joint));
        meet.map(|b| b.length() * 0.5).max_by(f64::total_cmp)
    };
    let radius = radius.or_else(longest).filter(|r| *r > 0.0);
    Ok((joint, radius.with_context(|| format!("{option}: no bone meets there, so give a radius"))?))
}
