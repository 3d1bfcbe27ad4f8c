//! A mix of two results, vertex by vertex: `(1 - amount) a + amount b`.
//!
//! Artists use it to take one method here and another there; at 0 and 1 it is exactly one of its inputs. The amount is a setting, or
//! comes from a node that gives numbers.

use super::{
    BindError, Bound, Deformer, Frame, Kind, Port, SettingError, Settings, Space, State, points_of,
    setting::{Checked, Cost, Setting},
};
use crate::{parallel::for_each_block, rig::Rig};
use glam::Vec3;
use serde_json::json;
use std::sync::Arc;

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

    fn inputs(&self) -> &'static [Port] {
        const POINTS: Kind = Kind::Points(Space::Same);
        const INPUTS: [Port; 3] =
            [Port::new("first", POINTS), Port::new("second", POINTS), Port::optional("amount", Kind::Numbers)];
        &INPUTS
    }

    fn output(&self) -> Kind {
        Kind::Points(Space::Same)
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let vertices = rig.mesh.positions.len();
        if self.amount.len() != 1 && self.amount.len() != vertices {
            let found = self.amount.len();
            return Err(BindError::PerVertex { method: METHOD, setting: "amount", found, vertices });
        }
        let amount = if let [one] = self.amount[..] { vec![one; vertices] } else { self.amount.clone() };
        Ok(Arc::new(BoundMix { amount }))
    }
}

/// A mix on one rig.
pub struct BoundMix {
    /// What is taken of the second input where no node gives the amount, vertex by vertex.
    pub amount: Vec<f32>,
}

impl Bound for BoundMix {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(self)
    }

    fn bytes_per_frame(&self) -> usize {
        self.amount.len() * (4 + 3 * size_of::<Vec3>())
    }
}

impl State for Arc<BoundMix> {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (a, b) = (frame.inputs[0].points(), frame.inputs[1].points());
        let amount = frame.inputs.get(2).map_or(&self.amount[..], |amount| amount.floats);
        for_each_block(points_of(out), 4096, |first, block| {
            for (i, p) in block.iter_mut().enumerate() {
                let v = first + i;
                // In this form 0 and 1 give back an input exactly.
                *p = a[v] * (1.0 - amount[v]) + b[v] * amount[v];
            }
        });
    }
}
