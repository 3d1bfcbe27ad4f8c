use super::Pose;
use crate::rig::Rig;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// A pose as a file: `{"joints": {"name": {"rotation": [x,y,z,w], "translation": [x,y,z], "scale": [x,y,z]}}}`.
/// Values are local and replace the rest value; what is not named stays at rest. Schema: `docs/schema/pose.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    /// By joint name.
    pub joints: BTreeMap<String, JointPose>,
    /// Morph weights by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub morphs: BTreeMap<String, f32>,
}

/// What a pose file says of one joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointPose {
    /// Quaternion (x, y, z, w); normalised on reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
    /// In the parent's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f64; 3]>,
    /// Along the joint's own axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 3]>,
}

/// Why a pose file does not fit a rig.
#[derive(Debug, Error)]
pub enum PoseFileError {
    /// Not the form above.
    #[error("not a pose file: {0}")]
    Json(#[from] serde_json::Error),
    /// The rig has no such joint.
    #[error("the pose names joint \"{0}\", which the rig does not have")]
    UnknownJoint(String),
    /// The rig has no such morph.
    #[error("the pose names morph \"{0}\", which the rig does not have")]
    UnknownMorph(String),
    /// A value is not finite, or a quaternion is zero.
    #[error("the {what} of \"{joint}\" is not usable")]
    BadValue {
        /// The joint or morph.
        joint: String,
        /// Which value.
        what: &'static str,
    },
}

impl PoseFile {
    /// Reads the JSON.
    pub fn from_json(text: &str) -> Result<Self, PoseFileError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The pose of a rig.
    pub fn pose(&self, rig: &Rig) -> Result<Pose, PoseFileError> {
        let mut pose = Pose::rest(rig);
        for (name, values) in &self.joints {
            let joint = rig.skeleton.find_forgiving(name).ok_or_else(|| PoseFileError::UnknownJoint(name.clone()))?;
            let bad = |what| PoseFileError::BadValue { joint: name.clone(), what };
            let mut local = rig.skeleton.rest_trs(joint);
            if let Some(q) = values.rotation {
                let q = DQuat::from_array(q);
                if !q.is_finite() || q.length_squared() == 0.0 {
                    return Err(bad("rotation"));
                }
                local.rotation = q.normalize();
            }
            if let Some(t) = values.translation {
                local.translation = Some(DVec3::from(t)).filter(|t| t.is_finite()).ok_or_else(|| bad("translation"))?;
            }
            if let Some(s) = values.scale {
                local.scale = Some(DVec3::from(s)).filter(|s| s.is_finite()).ok_or_else(|| bad("scale"))?;
            }
            pose.local[joint] = local.affine();
        }
        for (name, &weight) in &self.morphs {
            let morph = rig.morphs.iter().position(|m| &m.name == name);
            let morph = morph.ok_or_else(|| PoseFileError::UnknownMorph(name.clone()))?;
            let bad = PoseFileError::BadValue { joint: name.clone(), what: "weight" };
            pose.morph_weights[morph] = Some(weight).filter(|w| w.is_finite()).ok_or(bad)?;
        }
        Ok(pose)
    }
}
