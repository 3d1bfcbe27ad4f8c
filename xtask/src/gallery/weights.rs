//! Pictures of the pages about weights.

use super::{
    panels::{Look, Panel},
    pictures::beside,
};
use anyhow::Result;
use glam::Vec3;
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    fit::{self, FitOptions, Template},
    pose::Pose,
    rig::{Bone, Rig, Weights},
    weights::{
        edit::{self, SmoothOptions},
        flexible::{Distance, FlexibleDistances, Options},
        segment::Segmentation,
    },
};
use supple_render::{Picture, character};

/// An arm of which each vertex has one owner, bent; and the same after smoothing.
pub fn smooth() -> Result<Picture> {
    let mut rig = example::arm(&ArmOptions { vertices: 8000, ..ArmOptions::default() })?;
    let hard = nearest(&rig);
    let (soft, _) = edit::smooth(&rig.mesh, &hard, &SmoothOptions { amount: 0.8, iterations: 60 })?;
    let mut panels = Vec::new();
    for (weights, words) in [(hard, "each vertex has one owner"), (soft, "smoothed")] {
        rig.weights = Some(weights);
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, "forearm", 90.0, None)?;
        let mut panel = Panel::of(&rig, "linear", &pose)?.label(words);
        panel.scene.surfaces[0].paint = character::weight_colors(rig.weights.as_ref().expect("just given"));
        panels.push(panel);
    }
    Look::new(Vec3::new(0.15, 0.1, 1.0), 380, 300).draw(2, &panels)
}

/// The skin of a figure and a hand, one colour for each bone.
pub fn segments() -> Result<Picture> {
    let figure = example::figure(&FigureOptions { vertices: 30_000, ..FigureOptions::default() })?;
    let hand = example::hand(&HandOptions { vertices: 20_000, ..Default::default() })?;
    let mut pictures = Vec::new();
    for (rig, towards, width) in [(figure, Vec3::new(0.3, 0.15, 1.0), 420), (hand, Vec3::new(0.2, 0.1, 1.0), 340)] {
        let mut panel = Panel::of(&rig, "linear", &Pose::rest(&rig))?;
        panel.scene.surfaces[0].paint = character::segment_colors(&Segmentation::of(&rig)?);
        pictures.push(Look::new(towards, width, 360).draw(1, &[panel])?);
    }
    Ok(beside(&pictures))
}

/// One elbow, from wood to rubber.
pub fn flexible() -> Result<Picture> {
    let mut rig = example::arm(&ArmOptions { vertices: 12_000, ..ArmOptions::default() })?;
    let known = FlexibleDistances::of(&rig, Distance::Geodesic)?;
    let mut panels = Vec::new();
    for k in [0.1, 0.5, 1.0, 2.0] {
        rig.weights = Some(known.weights(&Options { k, ..Options::default() })?);
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, "forearm", 90.0, None)?;
        let mut panel = Panel::of(&rig, "linear", &pose)?.label(&format!("K = {k}"));
        panel.scene.surfaces[0].paint = character::weight_colors(rig.weights.as_ref().expect("just given"));
        panels.push(panel);
    }
    Look::new(Vec3::new(0.15, 0.1, 1.0), 220, 220).draw(4, &panels)
}

/// The built-in characters, stripped of their skeletons and given standard ones.
pub fn template() -> Result<Picture> {
    let figure = example::figure(&FigureOptions { vertices: 12_000, ..FigureOptions::default() })?;
    let hand = example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?;
    let mut pictures = Vec::new();
    for (rig, kind, words, towards, width) in [
        (figure, Template::Human, "human", Vec3::new(0.3, 0.15, 1.0), 420),
        (hand, Template::Hand, "hand", Vec3::new(0.2, 0.1, 1.0), 340),
    ] {
        let (skeleton, _) = fit::template(&rig.mesh, kind, &FitOptions::default())?;
        let mut rig = Rig { skeleton, clips: Vec::new(), ..rig };
        rig.weights = Some(nearest(&rig));
        let panel = Panel::of(&rig, "linear", &Pose::rest(&rig))?.bones(&rig).label(words);
        pictures.push(Look::new(towards, width, 380).draw(1, &[panel])?);
    }
    Ok(beside(&pictures))
}

/// Each vertex belongs to the bone that is nearest.
fn nearest(rig: &Rig) -> Weights {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, None);
    let owner = |p: &Vec3| {
        let distance = |b: &Bone| b.distance(p.as_dvec3());
        bones.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).map_or(0, |b| b.joint as u16)
    };
    Weights::rigid(rig.mesh.positions.iter().map(owner))
}
