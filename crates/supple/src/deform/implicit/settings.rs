use super::{
    METHOD,
    samples::{self, MovedSample, SampleRef},
    track::Steps,
};
use crate::{
    deform::{SettingError, Settings, number},
    field::{Operator, Partition, Sampling},
    graph::{self, DeformGraph},
    json::plain,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<[f64; 6]>,
}

impl JointSettings {
    /// What is wrong with numbers that JSON lets through.
    fn fault(&self) -> Option<String> {
        if let Some(cap) = self.cap.filter(|c| !(0.0..=4.0).contains(c)) {
            return Some(format!("the cap {cap} is not from 0 to 4"));
        }
        let flat = self.add.iter().position(|a| a[3..].iter().map(|x| x * x).sum::<f64>() <= 0.0);
        flat.map(|i| format!("added sample {i} has a normal of no length"))
    }
}

impl Default for Implicit {
    fn default() -> Self {
        Self {
            start: "dual-quaternion".into(),
            operator: Operator::UNION,
            joints: BTreeMap::new(),
            partition: Partition::Weights,
            sampling: Sampling::default(),
            resolution: 32,
            sigma: 1.0,
            contact_angle: 26.0,
            steps: Steps::default(),
            tracking: Tracking::Plain,
            amount: vec![1.0],
        }
    }
}

const KNOWN: &str = "operator, joints, start, amount, tracking, partition, samples, error, seed, cap, resolution, sigma, contact_angle, \
rounds, relaxation, diffusion, smoothing, last_smoothing";

fn form<T: DeserializeOwned>(setting: &str, value: &Value) -> Result<T, SettingError> {
    serde_json::from_value(value.clone()).map_err(|e| SettingError::Form {
        method: METHOD,
        setting: setting.to_owned(),
        reason: plain(&e),
    })
}

/// Joint by joint, so that what is wrong says where.
fn joints(setting: &str, value: &Value) -> Result<BTreeMap<String, JointSettings>, SettingError> {
    let all: BTreeMap<String, Value> = form(setting, value)?;
    let one = |(joint, value): (String, Value)| {
        let found = serde_json::from_value::<JointSettings>(value).map_err(|e| plain(&e));
        match found.and_then(|own| own.fault().map_or(Ok(own), Err)) {
            Ok(own) => Ok((joint, own)),
            Err(fault) => {
                let reason = format!("joint \"{joint}\": {fault}");
                Err(SettingError::Form { method: METHOD, setting: setting.to_owned(), reason })
            }
        }
    };
    all.into_iter().map(one).collect()
}

impl Implicit {
    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let mut made = Self::default();
        for (name, value) in settings {
            made.set(name, value)?;
        }
        Ok(made)
    }

    /// The last one that runs in a graph, where there is any.
    pub fn in_graph(graph: &DeformGraph) -> Option<Self> {
        let last = graph.deformers().rfind(|d| d.method() == METHOD)?;
        Self::from_settings(&last.settings()).ok()
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
        let wrong = |expected| SettingError::Value {
            method: METHOD,
            setting: name.to_owned(),
            value: value.to_string(),
            expected,
        };
        let within = |low, high, expected| number(METHOD, name, value, low..=high, expected);
        let whole = |low: f64, high: f64, expected| {
            let found = within(low, high, expected)?;
            if found.fract() == 0.0 { Ok(found as usize) } else { Err(wrong(expected)) }
        };
        match name {
            "operator" => self.operator = form(name, value)?,
            "joints" => self.joints = joints(name, value)?,
            "start" => {
                let one_pass = |m: &&graph::Method| m.stands_alone && m.name != METHOD;
                let known = |start: &str| graph::methods().iter().filter(one_pass).any(|m| m.name == start);
                let start = value.as_str().filter(|s| known(s));
                self.start = start.ok_or_else(|| wrong("the name of another method that stands alone"))?.to_owned();
            }
            "amount" => {
                let share = |v: &Value| v.as_f64().filter(|a| (0.0..=1.0).contains(a)).map(|a| a as f32);
                let list = match value {
                    Value::Array(list) => list.iter().map(share).collect::<Option<Vec<_>>>(),
                    one => share(one).map(|a| vec![a]),
                };
                let list = list.filter(|l| !l.is_empty());
                self.amount = list.ok_or_else(|| wrong("a number from 0 to 1, or one for each vertex"))?;
            }
            "tracking" => self.tracking = form(name, value)?,
            "partition" => self.partition = form(name, value)?,
            "samples" => self.sampling.count = whole(4.0, 400.0, "a whole number from 4 to 400")?,
            "error" => self.sampling.error = Some(within(0.0, 10.0, "a number from 0 to 10")?),
            "seed" => self.sampling.seed = whole(0.0, 4e9, "a whole number from 0 to 4000000000")? as u64,
            "cap" => self.sampling.cap = within(0.0, 4.0, "a number from 0 to 4")?,
            "resolution" => self.resolution = whole(8.0, 128.0, "a whole number from 8 to 128")?,
            "sigma" => self.sigma = within(0.05, 1.0, "a number from 0.05 to 1")?,
            "contact_angle" => self.contact_angle = within(1.0, 180.0, "degrees from 1 to 180")?,
            "rounds" => self.steps.rounds = whole(0.0, 100.0, "a whole number from 0 to 100")?,
            "relaxation" => self.steps.relaxation = within(0.0, 1.0, "a number from 0 to 1")? as f32,
            "diffusion" => self.steps.diffusion = whole(0.0, 100.0, "a whole number from 0 to 100")?,
            "smoothing" => self.steps.smoothing = whole(0.0, 100.0, "a whole number from 0 to 100")?,
            "last_smoothing" => self.steps.last_smoothing = whole(0.0, 100.0, "a whole number from 0 to 100")?,
            "size" | "theta" | "contact" => {
                let whole = format!("operator={{\"kind\":\"bulge\",\"{name}\":{value}}}");
                let reason = format!("it is a field of an operator: {whole}, or joints.NAME.{name} for one joint");
                return Err(SettingError::Form { method: METHOD, setting: name.to_owned(), reason });
            }
            _ => {
                let (setting, known) = (name.to_owned(), KNOWN.to_owned());
                return Err(SettingError::Unknown { method: METHOD, setting, known });
            }
        }
        Ok(())
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
