use super::Pose;
use crate::{
    json,
    math::{Bounds, Trs},
    names,
    rig::Rig,
};
use glam::{DAffine3, DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// A pose as a file: `{"joints": {"name": {"rotation": [x,y,z,w], "translation": [x,y,z], "scale": [x,y,z]}}}`.
/// Values are local and replace the rest value; what is not named stays at rest. Schema: `docs/schema/pose.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    /// By joint name.
    #[serde(deserialize_with = "json::unique")]
    pub joints: BTreeMap<String, JointPose>,
    /// Morph weights by name.
    #[serde(default, deserialize_with = "json::unique", skip_serializing_if = "BTreeMap::is_empty")]
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
    #[error("not a pose file: {}", json::plain(.0))]
    Json(#[from] serde_json::Error),
    /// The rig has no such joint.
    #[error("the pose names joint \"{name}\", which the rig does not have{hint}")]
    UnknownJoint {
        /// What it names.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The rig has no such morph.
    #[error("the pose names morph \"{name}\", which the rig does not have{hint}")]
    UnknownMorph {
        /// What it names.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Two names of the pose are one joint of the rig, because case is ignored.
    #[error("the pose names joint \"{joint}\" twice, as \"{first}\" and as \"{second}\"")]
    Twice {
        /// The joint.
        joint: String,
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// A value is not finite, a quaternion is zero, or a place is absurdly far away.
    #[error("the {what} of \"{joint}\" is {value}: {why}")]
    BadValue {
        /// The joint or morph.
        joint: String,
        /// Which value.
        what: &'static str,
        /// What it is.
        value: String,
        /// What is wrong with it.
        why: String,
    },
}

impl PoseFile {
    /// Reads the JSON.
    pub fn from_json(text: &str) -> Result<Self, PoseFileError> {
        Ok(serde_json::from_str(text)?)
    }

    /// What of a pose differs from rest, so that [`PoseFile::pose`] gives it again.
    pub fn of(rig: &Rig, pose: &Pose) -> Self {
        let differs = |&joint: &usize| pose.local[joint] != rig.skeleton.rest_local(joint);
        let joints = (0..rig.skeleton.len()).filter(differs);
        let of = |joint: usize| (rig.skeleton.joints()[joint].name.clone(), JointPose::of(&pose.local[joint]));
        let weights = rig.morphs.iter().zip(&pose.morph_weights).filter(|(_, w)| **w != 0.0);
        let morphs = weights.map(|(morph, &weight)| (morph.name.clone(), weight));
        Self { joints: joints.map(of).collect(), morphs: morphs.collect() }
    }

    /// The pose of a rig.
    pub fn pose(&self, rig: &Rig) -> Result<Pose, PoseFileError> {
        let mut pose = Pose::rest(rig);
        self.apply(rig, &mut pose)?;
        Ok(pose)
    }

    /// Replaces what is named here in a pose.
    pub fn apply(&self, rig: &Rig, pose: &mut Pose) -> Result<(), PoseFileError> {
        let size = size(rig);
        let mut named_by = BTreeMap::new();
        for (name, values) in &self.joints {
            let hint = || names::hint(name, rig.skeleton.names());
            let joint = rig.skeleton.find_forgiving(name);
            let joint = joint.ok_or_else(|| PoseFileError::UnknownJoint { name: name.clone(), hint: hint() })?;
            if let Some(first) = named_by.insert(joint, name) {
                let (first, second) = (first.clone(), name.clone());
                return Err(PoseFileError::Twice { joint: rig.skeleton.joints()[joint].name.clone(), first, second });
            }
            let mut local = Trs::of(&pose.local[joint]);
            if let Some(q) = values.rotation {
                local.rotation = rotation(q).map_err(|why| bad(name, "rotation", &q, why))?;
            }
            if let Some(t) = values.translation {
                let far = format!("farther than a million times the size of the character ({size:.3})");
                local.translation = bounded(t, size, far).map_err(|why| bad(name, "translation", &t, why))?;
            }
            if let Some(s) = values.scale {
                let large = "more than a million times the size at rest".to_owned();
                local.scale = bounded(s, 1.0, large).map_err(|why| bad(name, "scale", &s, why))?;
            }
            pose.local[joint] = local.affine();
        }
        for (name, &weight) in &self.morphs {
            let morph = rig.morphs.iter().position(|m| &m.name == name);
            let hint = || names::hint(name, rig.morphs.iter().map(|m| m.name.as_str()));
            let morph = morph.ok_or_else(|| PoseFileError::UnknownMorph { name: name.clone(), hint: hint() })?;
            if !weight.is_finite() {
                return Err(bad(name, "weight", &[f64::from(weight)], "it is not finite".to_owned()));
            }
            pose.morph_weights[morph] = weight;
        }
        Ok(())
    }
}

impl JointPose {
    /// All three parts of a local transform.
    pub fn of(local: &DAffine3) -> Self {
        let parts = Trs::of(local);
        Self {
            rotation: Some(parts.rotation.to_array()),
            translation: Some(parts.translation.to_array()),
            scale: Some(parts.scale.to_array()),
        }
    }
}

/// Farther away, or larger, is a slip of the keyboard: single precision has no digits left for the character.
pub(super) const FARTHEST: f64 = 1e6;

/// The diagonal of the skin, or of the skeleton where that is larger.
pub(super) fn size(rig: &Rig) -> f64 {
    let joints: Vec<_> = rig.skeleton.joints().iter().map(|j| j.rest_position().as_vec3()).collect();
    f64::from(rig.diagonal().max(Bounds::of(&joints).diagonal()))
}

fn bounded(value: [f64; 3], unit: f64, too_large: String) -> Result<DVec3, String> {
    let value = DVec3::from(value);
    if !value.is_finite() {
        return Err("it is not finite".to_owned());
    }
    if value.abs().max_element() <= FARTHEST * unit { Ok(value) } else { Err(too_large) }
}

fn rotation(q: [f64; 4]) -> Result<DQuat, String> {
    let q = DVec4::from(q);
    let largest = q.abs().max_element();
    if !q.is_finite() {
        return Err("it is not finite".to_owned());
    }
    if largest == 0.0 {
        return Err("a quaternion of zero length is no rotation; no turn is [0, 0, 0, 1]".to_owned());
    }
    // Divided first: squares of huge or tiny numbers do not fit.
    Ok(DQuat::from_vec4((q / largest).normalize()))
}

fn bad(joint: &str, what: &'static str, value: &[f64], why: String) -> PoseFileError {
    let value = if let [one] = value { format!("{one:?}") } else { format!("{value:?}") };
    PoseFileError::BadValue { joint: joint.to_owned(), what, value, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{self, ArmOptions};

    fn refused(text: &str) -> String {
        let arm = example::arm(&ArmOptions { vertices: 700, ..ArmOptions::default() }).unwrap();
        PoseFile::from_json(text).and_then(|file| file.pose(&arm)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_said_in_plain_words() {
        for (joint, says) in [
            (r#""rotation": [0, 0, 0, 0]"#, "is [0.0, 0.0, 0.0, 0.0]: a quaternion of zero length is no rotation"),
            (r#""rotation": [0, 0, 1]"#, "column 45: 3 values, where 4 are expected"),
            (r#""rotation": [0, 0, 1, "w"]"#, "found the text \"w\", where a number is expected"),
            (r#""rotation": [0, 0, 0, 1e999]"#, "number out of range"),
            (r#""rotation": 3"#, "found 3, where a list of 4 numbers is expected"),
            (r#""rotatoin": []"#, "no field is called \"rotatoin\"; did you mean \"rotation\"?"),
            (r#""translation": [1e30, 0, 0]"#, "is [1e30, 0.0, 0.0]: farther than a million times the size"),
            (r#""scale": [1, 1, -1e7]"#, "is [1.0, 1.0, -10000000.0]: more than a million times"),
            (r#""scale": [1, 1, 1], "scale": [1, 1, 1]"#, "\"scale\" stands there twice"),
        ] {
            let line = refused(&format!("{{\"joints\": {{\"forearm\": {{{joint}}}}}}}"));
            assert!(line.contains(says), "{joint}: {line}");
        }
        for (text, says) in [
            ("", "the file ends in the middle"),
            ("{}", "\"joints\" is missing"),
            ("{\"joints\": []}", "found a list, where an object is expected"),
            (r#"{"joints": {"forearm": {}, "forearm": {}}}"#, "\"forearm\" stands there twice"),
            (r#"{"joints": {"forearm": {}, "Forearm": {}}}"#, "twice, as \"Forearm\" and as \"forearm\""),
            (r#"{"joints": {}, "morphs": {"smile": 1}}"#, "the pose names morph \"smile\""),
        ] {
            let line = refused(text);
            assert!(line.contains(says), "{text}: {line}");
        }
    }

    #[test]
    fn a_rotation_of_any_length_is_normalised() {
        for length in [1e-300, 1.0, 1e300] {
            let q = rotation([0.0, 0.0, length, length]).unwrap();
            assert!(q.abs_diff_eq(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), 1e-12), "{length:e}");
        }
    }
}
