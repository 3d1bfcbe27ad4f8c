//! `--close JOINT[=RADIUS]`: a picture of what lies round one joint.

use crate::joints;
use anyhow::Result;
use glam::{DVec3, Vec3};
use supple::{pose::Motion, rig::Rig};

/// The six ends of a ball round the posed joint: they are to fill the picture.
pub fn corners(rig: &Rig, motion: &Motion, word: &str) -> Result<Vec<Vec3>> {
    let (joint, radius) = joints::with_radius(rig, "--close", word)?;
    let at = motion.exact[joint].transform_point3(rig.skeleton.joints()[joint].rest_position());
    let ends = DVec3::AXES.into_iter().flat_map(|axis| [at + axis * radius, at - axis * radius]);
    Ok(ends.map(|p| p.as_vec3()).collect())
}
