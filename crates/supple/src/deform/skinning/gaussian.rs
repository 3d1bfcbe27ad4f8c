//! Linear and dual-quaternion skinning with weights from a model of spheres and bones, where a rig has no others: those that the paper
//! of baseline skinning compares itself with.
//!
//! T. Fu, R. Chaine, J. Digne, *Baseline skinning for point sets of articulated bodies*; N. Magnenat-Thalmann, R. Laperrière,
//! D. Thalmann 1988; L. Kavan, S. Collins, J. Žára, C. O'Sullivan 2008.
//!
//! w_k = exp(-(h_k - h)² / 2 (σ r)²), h = min_k h_k
//!
//! | symbol | identifier |
//! |---|---|
//! | h_k | signed distance of the point from the cone of bone k |
//! | r | `radius`: the mean radius of the spheres |
//! | σ | `width` |
//!
//! Where it fails: as linear and dual quaternions do. Wide weights collapse and bulge, narrow ones tear.

use super::{DualQuaternion, Linear};
use crate::{
    deform::{
        BindError, Bound, Deformer, SettingError, Settings,
        baseline::skin_model::SkinModel,
        setting::{Checked, Setting},
    },
    rig::{Rig, Weights, WeightsBuilder},
};
use glam::Vec3;
use serde_json::json;
use std::sync::Arc;

/// Weights below this share of the largest are left out.
const LEAST: f64 = 1e-4;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    /// How far from the border of two bones both have a say, in mean radii.
    pub width: f64,
    /// Which of the two methods.
    pub blends: Blends,
}

/// What moves the points by the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blends {
    /// Linear skinning.
    Matrices,
    /// Dual-quaternion skinning.
    Motions,
}

impl Blends {
    fn method(self) -> &'static str {
        match self {
            Self::Matrices => "gaussian-linear",
            Self::Motions => "gaussian-dual-quaternion",
        }
    }
}

impl Gaussian {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[Setting::number(
        "width",
        0.25,
        0.01..=2.0,
        "how far from the border of two bones both have a say; less tears, more collapses",
    )
    .in_unit("radii")];

    /// From saved settings.
    pub fn from_settings(blends: Blends, settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(blends.method(), Self::SETTINGS, settings)?;
        Ok(Self { width: read.number("width"), blends })
    }
}

/// Weights of points by their heights over the bones of a model.
pub fn weights(model: &SkinModel, points: &[Vec3], width: f64) -> Weights {
    let (frames, radii) = (model.model.frames(), &model.model.radii);
    let radius = width * radii.iter().sum::<f64>() / radii.len() as f64;
    let mut builder = WeightsBuilder::default();
    let mut heights = vec![0.0; frames.len()];
    let mut row: Vec<(u16, f32)> = Vec::new();
    for p in points {
        let p = p.as_dvec3();
        let mut least = f64::INFINITY;
        for (height, frame) in heights.iter_mut().zip(&frames) {
            *height = frame.distance(p).0;
            least = least.min(*height);
        }
        row.clear();
        for (height, &joint) in heights.iter().zip(&model.movers) {
            let off = (height - least) / radius;
            let weight = (-0.5 * off * off).exp();
            if weight < LEAST {
                continue;
            }
            match row.iter_mut().find(|entry| usize::from(entry.0) == joint) {
                Some(entry) => entry.1 += weight as f32,
                None => row.push((joint as u16, weight as f32)),
            }
        }
        let sum: f32 = row.iter().map(|entry| entry.1).sum();
        builder.push(row.iter().map(|&(joint, weight)| (joint, weight / sum)));
    }
    builder.finish(|_| 0).0
}

impl Deformer for Gaussian {
    fn method(&self) -> &'static str {
        self.blends.method()
    }

    fn settings(&self) -> Settings {
        Settings::from_iter([("width".to_owned(), json!(self.width))])
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let method = self.method();
        let model = SkinModel::of(rig).map_err(|reason| BindError::Model { method, rig: rig.name.clone(), reason })?;
        let weights = weights(&model, &rig.mesh.positions, self.width);
        // Only what the two look at.
        let weighted = Rig {
            name: rig.name.clone(),
            mesh: rig.mesh.clone(),
            skeleton: rig.skeleton.clone(),
            weights: Some(weights),
            ..Rig::default()
        };
        match self.blends {
            Blends::Matrices => Linear.bind(&weighted),
            Blends::Motions => DualQuaternion.bind(&weighted),
        }
    }
}
