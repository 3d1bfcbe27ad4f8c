//! A mix of two results, vertex by vertex: `(1 - amount) a + amount b`.
//!
//! Artists use it to take one method here and another there; at 0 and 1 it is exactly one of its inputs.

use super::{
    BindError, Bound, Deformer, Frame, SettingError, Settings, Space,
    setting::{Checked, Cost, Setting},
};
use crate::{parallel::for_each_block, rig::Rig};
use glam::Vec3;
use serde_json::json;

const METHOD: &str = "mix";

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// One value for all vertices, or one for each; 0 is the first input, 1 the second.
    pub amount: Vec<f32>,
}

impl Mix {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[Setting::per_vertex(
        "amount",
        0.5,
        0.0..=1.0,
        "0 = first input, 1 = second; one number, or one for each vertex",
    )
    .costs(Cost::Tables)];

    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings)?;
        Ok(Self { amount: read.per_vertex("amount") })
    }
}

impl Deformer for Mix {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        let amount = if let [one] = self.amount[..] { json!(one) } else { json!(self.amount) };
        Settings::from_iter([("amount".into(), amount)])
    }

    fn inputs(&self) -> &'static [Space] {
        &[Space::Same, Space::Same]
    }

    fn output(&self) -> Space {
        Space::Same
    }

    fn bind(&self, rig: &Rig) -> Result<Box<dyn Bound>, BindError> {
        let vertices = rig.mesh.positions.len();
        if self.amount.len() != 1 && self.amount.len() != vertices {
            let found = self.amount.len();
            return Err(BindError::PerVertex { method: METHOD, setting: "amount", found, vertices });
        }
        let amount = if let [one] = self.amount[..] { vec![one; vertices] } else { self.amount.clone() };
        Ok(Box::new(BoundMix { amount }))
    }
}

struct BoundMix {
    amount: Vec<f32>,
}

impl Bound for BoundMix {
    fn deform(&mut self, frame: &Frame<'_>, out: &mut [Vec3]) {
        let (a, b, amount) = (frame.inputs[0], frame.inputs[1], &self.amount);
        for_each_block(out, 4096, |first, block| {
            for (i, p) in block.iter_mut().enumerate() {
                let v = first + i;
                // In this form 0 and 1 give back an input exactly.
                *p = a[v] * (1.0 - amount[v]) + b[v] * amount[v];
            }
        });
    }

    fn bytes_per_frame(&self) -> usize {
        self.amount.len() * (4 + 3 * size_of::<Vec3>())
    }
}
