//! Joints as each method bends them.

use super::{figure, joined, stacked, window::Window};
use crate::gallery::{
    panels::{Look, Panel, draw},
    pictures::{arm, bent, beside, end_of, title, twisted},
};
use anyhow::{Context, Result};
use glam::{DVec3, Vec3};
use supple::{
    example::{self, ArmOptions, HandOptions},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_render::Picture;

/// An elbow that touches itself, whole and cut open.
pub fn overview() -> Result<Picture> {
    let rig = example::arm(&ArmOptions { vertices: 24_000, ..ArmOptions::default() })?;
    let pose = bent(&rig, 130.0)?;
    let window = Window::of_arm([1.55, 0.3], 1.9, [262, 240]);
    let mut rows = [Vec::new(), Vec::new()];
    for (panel, words) in [
        (Panel::of(&rig, "linear", &pose)?, "linear, elbow bent 130°"),
        (Panel::of(&rig, "dual-quaternion", &pose)?, "dual-quaternion"),
        (joined(&rig, "union", &pose)?, "implicit"),
    ] {
        let mut whole = draw(&panel, &window.view())?;
        title(&mut whole, words);
        let mut cut = draw(&panel, &window.cut())?;
        title(&mut cut, "cut open");
        rows[0].push(whole);
        rows[1].push(cut);
    }
    Ok(stacked(&[beside(&rows[0]), beside(&rows[1])]))
}

/// An index finger in two poses, and the fold of the second cut open.
pub fn finger() -> Result<Picture> {
    let rig = example::hand(&HandOptions::default())?;
    let joint = rig.skeleton.find("index_intermediate").context("the index finger has three bones")?;
    let mut rows = Vec::new();
    let size = [182, 168];
    for (knuckle, middle, last, cut) in
        [(0.0, 65.0, 40.0, false), (10.0, 105.0, 65.0, false), (10.0, 105.0, 65.0, true)]
    {
        let mut pose = Pose::rest(&rig);
        for (bone, degrees) in [("proximal", knuckle), ("intermediate", middle), ("distal", last)] {
            pose.bend(&rig, &format!("index_{bone}"), degrees, None)?;
        }
        // Out of the way.
        pose.bend(&rig, "thumb_metacarpal", -35.0, None)?;
        let at = Motion::of(&rig, &pose).posed_from_joint[joint].translation.as_vec3();
        let whole = Window {
            middle: at + Vec3::new(0.0, -0.009, 0.011),
            towards: Vec3::new(1.0, 0.1, 0.2),
            up: Vec3::Y,
            height: 0.052,
            size,
        };
        let near = Window { middle: at + Vec3::new(0.0, -0.012, 0.006), towards: Vec3::X, height: 0.03, ..whole };
        let view = if cut { near.cut() } else { whole.view() };
        let mut row = Vec::new();
        for (panel, words) in [
            (Panel::of(&rig, "linear", &pose)?, "linear"),
            (Panel::of(&rig, "dual-quaternion", &pose)?, "dual-quaternion"),
            (joined(&rig, "union", &pose)?, "implicit, union"),
            (joined(&rig, "bulge", &pose)?, "implicit, bulge"),
        ] {
            let mut picture = draw(&panel, &view)?;
            title(&mut picture, if cut { "cut open" } else { words });
            row.push(picture);
        }
        rows.push(beside(&row));
    }
    Ok(stacked(&rows))
}

/// A joint of the figure from the side on which it folds, and its place in a pose.
fn at_joint(rig: &Rig, joint: &str, pose: &Pose) -> Result<Vec3> {
    let joint = rig.skeleton.find(joint).context("the figure has that joint")?;
    Ok(Motion::of(rig, pose).posed_from_joint[joint].translation.as_vec3())
}

const DUAL: Vec3 = Vec3::new(0.02, 0.12, 0.55);
const OURS: Vec3 = Vec3::new(0.72, 0.14, 0.01);

/// A crouching figure by three methods; its knee and its elbow by two, and the two laid over each other.
pub fn superposed() -> Result<Picture> {
    let rig = figure()?;
    let pose = end_of(&rig, "crouch")?;
    let look = Look::new(Vec3::new(0.9, 0.15, 0.4), 245, 195);
    let panels = [
        Panel::of(&rig, "linear", &pose)?.label("linear"),
        Panel::of(&rig, "dual-quaternion", &pose)?.label("dual-quaternion"),
        joined(&rig, "union", &pose)?.label("implicit"),
    ];
    let mut rows = vec![look.draw(3, &panels)?];
    let mut elbow = Pose::rest(&rig);
    elbow.bend(&rig, "forearm_l", 110.0, None)?;
    for (pose, joint, what, towards, up, height, aside) in [
        (&pose, "shin_l", "knee", Vec3::X, Vec3::Y, 0.36, Vec3::new(0.0, -0.06, -0.09)),
        (&elbow, "forearm_l", "elbow", Vec3::Y, Vec3::NEG_Z, 0.2, Vec3::new(-0.04, 0.0, 0.02)),
    ] {
        let at = at_joint(&rig, joint, pose)?;
        let window = Window { middle: at + aside, towards, up, height, size: [245, 195] };
        let [dual, ours] = [Panel::of(&rig, "dual-quaternion", pose)?, joined(&rig, "union", pose)?];
        let mut lines = Picture::new(245, 195, supple_render::Background::Light.color());
        window.outline(&mut lines, &dual, DUAL);
        window.outline(&mut lines, &ours, OURS);
        let mut row = vec![draw(&dual, &window.cut())?, draw(&ours, &window.cut())?, lines];
        let words = [format!("{what}, dual-quaternion"), format!("{what}, implicit"), "one over the other".to_owned()];
        row.iter_mut().zip(words).for_each(|(picture, words)| title(picture, &words));
        rows.push(beside(&row));
    }
    Ok(stacked(&rows))
}

/// Elbow and shoulder, where skin is soft.
pub fn blend() -> Result<Picture> {
    let arm = example::arm(&ArmOptions { vertices: 24_000, ..ArmOptions::default() })?;
    let figure = figure()?;
    let turned = |degrees: f64, axis: DVec3| -> Result<Pose> {
        let mut pose = Pose::rest(&figure);
        pose.bend(&figure, "upper_arm_l", degrees, Some(axis))?;
        Ok(pose)
    };
    let elbow = bent(&arm, 100.0)?;
    let (down, forward) = (turned(-75.0, DVec3::Z)?, turned(-60.0, DVec3::Y)?);
    let shoulder = at_joint(&figure, "upper_arm_l", &down)?;
    let of = |towards: Vec3, aside: Vec3| Window {
        middle: shoulder + aside,
        towards,
        up: Vec3::Y,
        height: 0.36,
        size: [224, 195],
    };
    let columns = [
        (&arm, &elbow, "", Window::of_arm([1.7, 0.3], 1.9, [224, 195])),
        (&figure, &down, "arm lowered", of(Vec3::new(0.1, 0.1, 1.0), Vec3::new(-0.02, -0.1, 0.0))),
        (&figure, &forward, "arm forward", of(Vec3::new(0.35, 0.25, 1.0), Vec3::new(-0.05, -0.02, 0.0))),
    ];
    let mut rows = [Vec::new(), Vec::new()];
    for (rig, pose, what, window) in columns {
        for (row, (panel, method)) in rows.iter_mut().zip([
            (Panel::of(rig, "dual-quaternion", pose)?, "dual-quaternion"),
            (joined(rig, "blend", pose)?, "implicit, blend"),
        ]) {
            let mut picture = draw(&panel, &window.view())?;
            title(&mut picture, if what.is_empty() { method } else { what });
            row.push(picture);
        }
    }
    Ok(stacked(&[beside(&rows[0]), beside(&rows[1])]))
}

/// A round limb twisted, and twisted and bent.
pub fn twist() -> Result<Picture> {
    let rig = arm(true)?;
    let mut both = twisted(&rig, 90.0)?;
    both.bend(&rig, "forearm", 70.0, None)?;
    let mut rows = Vec::new();
    for (pose, what, height) in [(twisted(&rig, 150.0)?, "twisted 150°", 130), (both, "twisted 90°, bent 70°", 240)]
    {
        let panels = [
            Panel::of(&rig, "linear", &pose)?.striped(&rig).label(&format!("linear, {what}")),
            Panel::of(&rig, "dual-quaternion", &pose)?.striped(&rig).label("dual-quaternion"),
            joined(&rig, "blend", &pose)?.striped(&rig).label("implicit, blend"),
        ];
        rows.push(Look::new(Vec3::new(0.0, 0.25, 1.0), 290, height).draw(3, &panels)?);
    }
    Ok(stacked(&rows))
}
