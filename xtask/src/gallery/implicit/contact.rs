//! Contact, and where it fails.

use super::{figure, graph, joined, stacked, window::Window};
use crate::gallery::{
    panels::{Panel, draw},
    pictures::{bent, beside, title},
};
use anyhow::{Context, Result};
use glam::Vec3;
use serde_json::json;
use supple::{
    deform::implicit::Implicit,
    example::{self, ArmOptions},
    measure,
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_render::{Paint, Picture};

/// The knee of the figure, bent far, and a look at it from the outside.
fn knee(size: [u32; 2]) -> Result<(Rig, Pose, Window)> {
    let rig = figure()?;
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "shin_l", 130.0, None)?;
    let joint = rig.skeleton.find("shin_l").context("the figure has knees")?;
    let at = Motion::of(&rig, &pose).posed_from_joint[joint].translation.as_vec3();
    let window = Window { middle: at + Vec3::new(0.0, 0.07, -0.05), towards: Vec3::X, up: Vec3::Y, height: 0.34, size };
    Ok((rig, pose, window))
}

/// A knee cut open.
pub fn knee_section() -> Result<Picture> {
    let (rig, pose, window) = knee([290, 290])?;
    let mut pictures = Vec::new();
    for (panel, words) in [
        (Panel::of(&rig, "linear", &pose)?, "linear, knee cut open"),
        (Panel::of(&rig, "dual-quaternion", &pose)?, "dual-quaternion"),
        (joined(&rig, "union", &pose)?, "implicit"),
    ] {
        let mut picture = draw(&panel, &window.cut())?;
        title(&mut picture, words);
        pictures.push(picture);
    }
    Ok(beside(&pictures))
}

/// A knee before and after contact is smoothed, and where it was.
pub fn contact() -> Result<Picture> {
    let (rig, pose, window) = knee([290, 290])?;
    let window = Window { towards: Vec3::new(1.0, 0.1, -0.75), ..window };
    let rough = graph(&[("smoothing", json!(0)), ("last_smoothing", json!(0))])?;
    let (rough, smooth) = (Panel::new(&rig, &rough, &pose)?, joined(&rig, "union", &pose)?);
    let mut marked = joined(&rig, "union", &pose)?;
    let far = 1e-5 * rig.diagonal();
    let red = |(a, b): (&Vec3, &Vec3)| {
        if a.distance(*b) > far { Vec3::new(0.75, 0.06, 0.04) } else { Vec3::new(0.62, 0.4, 0.3) }
    };
    marked.scene.surfaces[0].paint = Paint::Vertices(rough.points.iter().zip(&smooth.points).map(red).collect());
    let mut pictures = Vec::new();
    for (panel, words) in [(rough, "not smoothed"), (marked, "red: smoothed"), (smooth, "smoothed")] {
        let mut picture = draw(&panel, &window.view())?;
        title(&mut picture, words);
        pictures.push(picture);
    }
    Ok(beside(&pictures))
}

fn overlap(rig: &Rig, panel: &Panel) -> Result<String> {
    let found = measure::surface(&rig.mesh.positions, &panel.points, &rig.mesh.triangles, Default::default())?;
    Ok(format!("overlap {:.2} %", 100.0 * found.overlap.context("it has a volume")?))
}

/// What skin starts from, and what becomes of it.
pub fn starts() -> Result<Picture> {
    let rig = example::arm(&ArmOptions { plain: true, band: 0.4, ..ArmOptions::default() })?;
    let pose = bent(&rig, 145.0)?;
    let motion = Motion::of(&rig, &pose);
    let body = Implicit::default().volume(&rig)?.body;
    let window = Window::of_arm([1.5, 0.15], 1.9, [325, 236]);
    let mut rows = Vec::new();
    for start in ["dual-quaternion", "linear"] {
        let ours = graph(&[("start", json!(start))])?;
        let mut row = Vec::new();
        for (panel, words) in [(Panel::of(&rig, start, &pose)?, start), (Panel::new(&rig, &ours, &pose)?, "corrected")]
        {
            let mut picture = window.field(&body, &motion);
            window.outline(&mut picture, &panel, Vec3::ONE);
            title(&mut picture, &format!("{words}, {}", overlap(&rig, &panel)?));
            row.push(picture);
        }
        rows.push(beside(&row));
    }
    Ok(stacked(&rows))
}

/// A mesh too coarse for its fold, and a shoulder parted badly.
pub fn failures() -> Result<Picture> {
    let coarse = example::arm(&ArmOptions { plain: true, vertices: 600, ..ArmOptions::default() })?;
    let pose = bent(&coarse, 120.0)?;
    let size = [210, 230];
    let window = Window::of_arm([1.75, 0.3], 1.8, size);
    let mut panel = joined(&coarse, "union", &pose)?;
    panel.scene.surfaces[0].wire = Some(0.7);
    let mut pictures = vec![draw(&panel, &window.view())?];
    title(&mut pictures[0], "600 vertices");
    let rig = figure()?;
    let mut raised = Pose::rest(&rig);
    raised.bend(&rig, "upper_arm_l", 75.0, Some(glam::DVec3::Z))?;
    let joint = rig.skeleton.find("upper_arm_l").context("the figure has shoulders")?;
    let at = Motion::of(&rig, &raised).posed_from_joint[joint].translation.as_vec3();
    let middle = at + Vec3::new(0.0, -0.03, 0.0);
    let window = Window { middle, towards: Vec3::new(0.2, 0.2, 1.0), up: Vec3::Y, height: 0.36, size };
    for (panel, words) in [
        (Panel::of(&rig, "dual-quaternion", &raised)?, "dual-quaternion"),
        (joined(&rig, "union", &raised)?, "implicit"),
    ] {
        let mut picture = draw(&panel, &window.view())?;
        title(&mut picture, words);
        pictures.push(picture);
    }
    Ok(beside(&pictures))
}
