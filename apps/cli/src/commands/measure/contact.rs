//! What touches in a pose, for methods that know limbs as volumes.

use crate::wording;
use anyhow::Result;
use glam::Vec3;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt::Write};
use supple::{
    deform::{
        BindError,
        implicit::{ContactGauge, Implicit},
    },
    pose::Motion,
    rig::Rig,
};

/// Where contacts stand among the figures.
pub const KEY: &str = "contact";

/// A gauge, and what it has found of joints so far.
pub struct Touch {
    pub gauge: ContactGauge,
    /// The angle of full contact of joints that have touched.
    angles: BTreeMap<String, Option<f64>>,
    /// Joints that were bent beyond it.
    overbent: Vec<String>,
}

impl Touch {
    pub fn new(implicit: &Implicit, rig: &Rig) -> Result<Self, BindError> {
        Ok(Self { gauge: ContactGauge::new(implicit, rig)?, angles: BTreeMap::new(), overbent: Vec::new() })
    }

    /// The contacts of one pose as JSON.
    pub fn contacts(&mut self, rig: &Rig, motion: &Motion, points: &[Vec3]) -> Result<Value> {
        let mut all = Vec::new();
        for contact in self.gauge.contacts(motion, points) {
            let mut row = json!(contact);
            if let Some(joint) = &contact.joint {
                let gauge = &self.gauge;
                // A joint that is straight at rest has no hinge, and so no angle.
                let angle = || gauge.full_contact_angle(rig, joint).ok().flatten();
                row["full_contact_angle"] = json!(*self.angles.entry(joint.clone()).or_insert_with(angle));
                if contact.is_full() && !self.overbent.contains(joint) {
                    self.overbent.push(joint.clone());
                }
            }
            all.push(row);
        }
        Ok(Value::Array(all))
    }

    /// A line for each joint that was bent too far.
    pub fn overbent(&self) -> impl Iterator<Item = String> {
        self.overbent.iter().map(|joint| {
            let angle = self.angles.get(joint).copied().flatten();
            let angle = angle.map_or(String::new(), |a| format!(", {a:.0} degrees from the bind pose"));
            format!("joint \"{joint}\" is bent past its angle of full contact{angle}: its skin has nowhere to go")
        })
    }
}

/// A row for each pair of limbs that touch; nothing where none do.
pub fn table(contacts: &Value) -> String {
    let mut text = String::new();
    for (i, row) in contacts.as_array().into_iter().flatten().enumerate() {
        if i == 0 {
            let _ = writeln!(
                text,
                "{:<34}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
                "contact", "points", "area", "mean", "largest", "reach", "full at"
            );
        }
        let name = |k: usize| wording::name(row["limbs"][k].as_str().unwrap_or_default());
        let number = |key: &str, digits: usize| row[key].as_f64().map_or("-".to_owned(), |v| format!("{v:.digits$}"));
        let _ = writeln!(
            text,
            "{:<34}{:>8}{:>11}{:>9}{:>9}{:>8}{:>9}",
            format!("{} on {}", name(0), name(1)),
            row["points"].as_u64().unwrap_or(0),
            row["area"].as_f64().map_or("-".to_owned(), |v| format!("{v:.4e}")),
            number("mean_pressure", 3),
            number("largest_pressure", 3),
            number("reach", 2),
            number("full_contact_angle", 1),
        );
    }
    text
}
