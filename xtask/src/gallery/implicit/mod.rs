//! Pictures of implicit skinning: our versions of what the figures of its paper show.

mod contact;
mod fields;
mod joints;
mod window;

pub use contact::{contact, failures, knee_section, starts};
pub use fields::{caps, gradients, operators};
pub use joints::{blend, finger, overview, superposed, twist};

use super::panels::Panel;
use anyhow::Result;
use serde_json::{Value, json};
use supple::{
    deform::Settings,
    example::{self, FigureOptions},
    graph::DeformGraph,
    pose::Pose,
    rig::Rig,
};
use supple_render::{Background, Picture};

fn graph(settings: &[(&str, Value)]) -> Result<DeformGraph> {
    let settings: Settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Ok(DeformGraph::single_with("implicit", &settings)?)
}

/// Skin moved by us, with an operator at every joint.
fn joined(rig: &Rig, operator: &str, pose: &Pose) -> Result<Panel> {
    Panel::new(rig, &graph(&[("operator", json!(operator))])?, pose)
}

fn figure() -> Result<Rig> {
    Ok(example::figure(&FigureOptions { vertices: 60_000, ..FigureOptions::default() })?)
}

/// Pictures of one width under each other.
fn stacked(rows: &[Picture]) -> Picture {
    let width = rows.iter().map(|r| r.width).max().unwrap_or(1);
    let mut all = Picture::new(width, rows.iter().map(|r| r.height).sum(), Background::Light.color());
    let mut y = 0;
    for row in rows {
        all.place(row, 0, y);
        y += row.height;
    }
    all
}
