use super::{
    METHOD,
    samples::{self, MovedSample, SampleRef},
    track::Steps,
};
use crate::{
    deform::{SettingError, Settings, setting::Checked},
    field::{Operator, Partition, Sampling},
    graph::DeformGraph,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Implicit {
    /// The method that points start from: any that stands alone, but this one.
    pub start: String,
    /// How limbs are joined at joints that say nothing else.
    pub operator: Operator,
    /// What joints say for themselves, by their names.
    pub joints: BTreeMap<String, JointSettings>,
    /// How the skin is parted among the joints.
    pub partition: Partition,
    /// How limbs are sampled.
    pub sampling: Sampling,
    /// Nodes on a side of a limb's grid.
    pub resolution: usize,
    /// Share of a Newton step that is taken.
    pub sigma: f64,
    /// Turn of the gradient in one step that is a contact, in degrees.
    pub contact_angle: f64,
    /// How long each part of the tracking goes on.
    pub steps: Steps,
    /// Whether earlier frames are remembered.
    pub tracking: Tracking,
    /// Share of the correction, from 0 (where it started) to 1: one for all vertices, or one for each.
    pub amount: Vec<f32>,
}

/// Whether points know where they were in the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tracking {
    /// Every frame from the pose alone.
    #[default]
    Plain,
    /// Where there was contact, from the last frame.
    Robust,
}

/// What one joint, and the limb that moves with it, has of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointSettings {
    /// How its limb is joined to the one it hangs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<Operator>,
    /// Distance of its limb's caps, over what it would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<f64>,
    /// Samples taken away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<SampleRef>,
    /// Samples put elsewhere.
    #[serde(default, rename = "move", skip_serializing_if = "Vec::is_empty", deserialize_with = "samples::moves")]
    pub moved: Vec<MovedSample>,
    /// Samples added: place and outward normal at rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "samples::added")]
    pub add: Vec<[f64; 6]>,
}

impl From<JointSettings> for Map<String, Value> {
    /// As they are saved: what the joint does not have is left out.
    fn from(own: JointSettings) -> Self {
        json!(own).as_object().cloned().expect("a struct is an object")
    }
}

impl Default for Implicit {
    fn default() -> Self {
        Self::from_settings(&Settings::new()).expect("defaults are settings")
    }
}

impl Implicit {
    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings).map_err(|error| of_operator(error, settings))?;
        Ok(Self {
            operator: read.form("operator")?,
            joints: read.by_joint("joints")?,
            start: read.word("start"),
            amount: read.per_vertex("amount"),
            tracking: read.form("tracking")?,
            partition: read.form("partition")?,
            sampling: Sampling {
                count: read.whole("samples"),
                error: Some(read.number("error")),
                seed: read.whole("seed") as u64,
                cap: read.number("cap"),
            },
            resolution: read.whole("resolution"),
            sigma: read.number("sigma"),
            contact_angle: read.number("contact_angle"),
            steps: Steps {
                rounds: read.whole("rounds"),
                relaxation: read.number("relaxation") as f32,
                diffusion: read.whole("diffusion"),
                smoothing: read.whole("smoothing"),
                last_smoothing: read.whole("last_smoothing"),
                sweeps: 0,
            },
        })
    }

    /// The last one that runs in a graph, where there is any.
    pub fn in_graph(graph: &DeformGraph) -> Option<Self> {
        let last = graph.deformers().rfind(|d| d.method() == METHOD)?;
        Self::from_settings(&last.settings()).ok()
    }

    /// As they are saved, complete.
    pub fn to_settings(&self) -> Settings {
        let steps = &self.steps;
        let amount = if let [one] = self.amount[..] { json!(one) } else { json!(self.amount) };
        let all = [
            ("operator", json!(self.operator)),
            ("joints", json!(self.joints)),
            ("start", json!(self.start)),
            ("amount", amount),
            ("tracking", json!(self.tracking)),
            ("partition", json!(self.partition)),
            ("samples", json!(self.sampling.count)),
            ("error", json!(self.sampling.error.unwrap_or(10.0))),
            ("seed", json!(self.sampling.seed)),
            ("cap", json!(self.sampling.cap)),
            ("resolution", json!(self.resolution)),
            ("sigma", json!(self.sigma)),
            ("contact_angle", json!(self.contact_angle)),
            ("rounds", json!(steps.rounds)),
            ("relaxation", json!(steps.relaxation)),
            ("diffusion", json!(steps.diffusion)),
            ("smoothing", json!(steps.smoothing)),
            ("last_smoothing", json!(steps.last_smoothing)),
        ];
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// A field of an operator that was given as a setting: where it belongs.
fn of_operator(error: SettingError, settings: &Settings) -> SettingError {
    match error {
        SettingError::Unknown { method, setting, known } => {
            if !Implicit::OF_AN_OPERATOR.iter().any(|field| field.name == setting) {
                return SettingError::Unknown { method, setting, known };
            }
            let whole = format!("operator={{\"kind\":\"bulge\",\"{setting}\":{}}}", settings[&*setting]);
            let reason = format!("it is a field of an operator: {whole}, or joints.NAME.{setting} for one joint");
            SettingError::Form { method, setting, reason }
        }
        other => other,
    }
}
