//! Plain `supple`: every method on the built-in characters.

use crate::{
    args::Device,
    comparison::{self, Case, Plan, Subject},
    console::Console,
    output,
};
use anyhow::{Context, Result};
use glam::Vec3;
use std::path::Path;
use supple::{
    deform::Settings,
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::methods,
    pose::Pose,
    rig::Rig,
};

/// Fine enough to show veins and wrinkles in pictures of this size, and quick to measure.
const ARM: usize = 12_000;
const HAND: usize = 12_000;
const FIGURE: usize = 16_000;

const LEAD: &str = "The built-in characters bent, twisted and folded by every method that stands alone: each pose seen as a \
                    whole, near the joint that turns most, where lost detail, collapse and bulges show, and cut open there, \
                    where skin inside skin shows.";

pub fn run(folder: &Path, choice: Device, console: &Console) -> Result<()> {
    comparison::check(folder, console)?;
    output::make_folder(folder)?;
    console.say("supple: making the built-in characters");
    let plan = Plan {
        title: "Every method on the built-in characters".to_owned(),
        lead: LEAD.to_owned(),
        methods: methods().iter().filter(|m| m.stands_alone).collect(),
        settings: Settings::new(),
        subjects: vec![arm()?, hand()?, figure()?],
    };
    let report = plan.run(choice, console)?;
    let page = comparison::save(&report, folder, console)?;
    Ok(comparison::print(&report, &page)?)
}

fn arm() -> Result<Subject> {
    let rig = example::arm(&ArmOptions { vertices: ARM, ..ArmOptions::default() })?;
    let side = Vec3::new(0.15, 0.2, 1.0);
    let turns = [
        ("elbow bent 90°", 90.0, 0.0),
        ("elbow bent 135°", 135.0, 0.0),
        ("elbow bent 150°", 150.0, 0.0),
        ("forearm twisted 90°", 0.0, 90.0),
        ("forearm twisted 180°", 0.0, 180.0),
        ("bent 90° and twisted 90°", 90.0, 90.0),
    ];
    let case = |(title, bend, twist): (&str, f64, f64)| -> Result<Case> {
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, "forearm", bend, None)?;
        pose.twist(&rig, "forearm", twist)?;
        Ok(Case { title: title.to_owned(), pose, towards: side })
    };
    let cases = turns.into_iter().map(case).collect::<Result<_>>()?;
    Ok(Subject { name: "arm".to_owned(), rig, cases })
}

fn hand() -> Result<Subject> {
    let rig = example::hand(&HandOptions { vertices: HAND, ..Default::default() })?;
    let cases = vec![in_clip(&rig, "fist", 1.0, "fist", Vec3::new(0.55, 0.3, 0.78))?];
    Ok(Subject { name: "hand".to_owned(), rig, cases })
}

fn figure() -> Result<Subject> {
    let rig = example::figure(&FigureOptions { vertices: FIGURE, ..FigureOptions::default() })?;
    let side = Vec3::new(0.75, 0.18, 0.64);
    let cases = vec![in_clip(&rig, "crouch", 1.0, "crouch", side)?, in_clip(&rig, "walk", 0.25, "walk", side)?];
    Ok(Subject { name: "figure".to_owned(), rig, cases })
}

/// A clip after a share of its time.
fn in_clip(rig: &Rig, clip: &str, share: f64, title: &str, towards: Vec3) -> Result<Case> {
    let clip = rig.clip(clip).with_context(|| format!("the {} has no clip \"{clip}\"", rig.name))?;
    let pose = clip.sample(rig, f64::from(clip.duration()) * share);
    Ok(Case { title: title.to_owned(), pose, towards })
}
