//! What implicit skinning must hold, measured widely: every figure of the book's page of figures, never typed. The tests
//! look at a few of these poses; here are all of them.

mod arm;
mod clips;
mod flesh;
mod harm;
mod joints;
mod poses;
mod sheet;

use anyhow::Result;
use glam::Vec3;
use serde_json::json;
use std::path::PathBuf;
use supple::{
    deform::Settings,
    graph::{BoundGraph, DeformGraph},
    pose::{Motion, Pose},
    rig::Rig,
};

use sheet::Sheet;

/// The operators, from sharp to soft.
pub const OPERATORS: [&str; 4] = ["union", "blend", "bulge", "blend-bulge"];

type Section = fn(&mut Sheet) -> Result<()>;

const SECTIONS: &[(&str, Section)] = &[
    ("arm", arm::sweep),
    ("poses", poses::run),
    ("errors", poses::errors),
    ("flicker", arm::flicker),
    ("joints", joints::knee_and_elbow),
    ("shoulder", joints::shoulder),
    ("fists", joints::fists),
    ("clips", clips::run),
    ("flesh", flesh::run),
];

const HEAD: &str = "\
<!-- written by `cargo run --release -p xtask -- implicit`; do not edit -->

# Implicit skinning in figures

What [implicit](implicit.md) skinning must hold, measured on the built-in characters and on rigs from files.
[Figures](../figures.md) defines every column; \"flipped\" here is by fields: a triangle that faces against every limb whose
value is within 0.1 of the largest. A figure in bold misses its limit.

";

/// Measures the sections whose name contains `only`; with all of them the page is written anew.
pub fn run(only: &str) -> Result<()> {
    let mut sheet = Sheet::default();
    for (name, section) in SECTIONS.iter().filter(|(name, _)| name.contains(only)) {
        let began = std::time::Instant::now();
        section(&mut sheet)?;
        println!("{}", sheet.fresh());
        eprintln!("{name}: {:.0} s", began.elapsed().as_secs_f64());
    }
    println!("{}", sheet.misses());
    if only.is_empty() {
        let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/methods/implicit-figures.md");
        std::fs::write(page, format!("{HEAD}{}\n{}", sheet.misses(), sheet.text))?;
    }
    Ok(())
}

/// A method that is measured: its name in a table, and itself.
pub fn contestants() -> Result<Vec<(String, DeformGraph)>> {
    let mut list = Vec::new();
    for method in ["linear", "dual-quaternion"] {
        list.push((method.to_owned(), DeformGraph::single(method)?));
    }
    for operator in OPERATORS {
        list.push((format!("implicit, {operator}"), implicit(&[("operator", json!(operator))])?));
    }
    Ok(list)
}

/// Implicit skinning with some settings.
pub fn implicit(settings: &[(&str, serde_json::Value)]) -> Result<DeformGraph> {
    let settings: Settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Ok(DeformGraph::single_with("implicit", &settings)?)
}

/// A rig's points in a pose.
pub fn moved(rig: &Rig, bound: &mut BoundGraph, pose: &Pose) -> (Motion, Vec<Vec3>) {
    let motion = Motion::of(rig, pose);
    let mut rest = Vec::new();
    pose.morphed(rig, &mut rest);
    let points = bound.evaluate(&rest, &motion).to_vec();
    (motion, points)
}

/// Share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}
