//! What each picture shows.

use super::panels::{LETTERS, Look, Panel, draw, grid};
use anyhow::{Context, Result};
use glam::{Vec3, Vec4};
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::DeformGraph,
    pose::Pose,
    rig::Rig,
    weights::{self, HeatOptions, NearestOptions},
};
use supple_render::{Anchor, Channel, Label, Picture, character, cpu};

const ELBOW: Vec3 = Vec3::new(2.0, 0.0, 0.0);
/// Away from the inside of an elbow that is bent by 135 degrees.
const OUTSIDE: Vec3 = Vec3::new(0.924, -0.383, 0.0);

fn arm(plain: bool) -> Result<Rig> {
    Ok(example::arm(&ArmOptions { plain, vertices: 12_000, ..ArmOptions::default() })?)
}

fn bent(rig: &Rig, degrees: f64) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None)?;
    Ok(pose)
}

fn twisted(rig: &Rig, degrees: f64) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    pose.twist(rig, "forearm", degrees)?;
    Ok(pose)
}

fn end_of(rig: &Rig, clip: &str) -> Result<Pose> {
    let clip = rig.clip(clip).context("the character has that clip")?;
    Ok(clip.sample(rig, f64::from(clip.duration())))
}

pub fn hero() -> Result<Picture> {
    let (arm, hand) = (arm(false)?, example::hand(&HandOptions::default())?);
    let figure = example::figure(&FigureOptions { vertices: 60_000, ..FigureOptions::default() })?;
    let columns = [
        (&arm, bent(&arm, 135.0)?, "elbow 135°", Vec3::new(0.15, 0.1, 1.0), 290),
        (&hand, end_of(&hand, "fist")?, "fist", Vec3::new(0.55, 0.3, 0.78), 214),
        (&figure, end_of(&figure, "crouch")?, "crouch", Vec3::new(0.75, 0.18, 0.64), 256),
    ];
    let mut pictures = Vec::new();
    for (rig, pose, what, towards, width) in &columns {
        let methods = ["linear", "dual-quaternion"];
        let panel = |m: &&str| Ok(Panel::of(rig, m, pose)?.label(&format!("{what}, {m}")));
        let mut panels = methods.iter().map(panel).collect::<Result<Vec<_>>>()?;
        if std::ptr::eq(*rig, &arm) {
            let faults = [("collapses", 0.2), ("bulges", 0.42)];
            let point = |(p, (what, far)): (Panel, (&str, f32))| p.callout(what, [0.84, 0.36], ELBOW + OUTSIDE * far);
            panels = panels.into_iter().zip(faults).map(point).collect();
        }
        pictures.push(Look::new(*towards, *width, 236).draw(1, &panels)?);
    }
    let width = pictures.iter().map(|p| p.width).sum();
    let mut all = Picture::new(width, pictures[0].height, supple_render::Background::Light.color());
    let mut x = 0;
    for picture in &pictures {
        all.place(picture, x, 0);
        x += picture.width;
    }
    Ok(all)
}

pub fn linear() -> Result<Picture> {
    let rig = arm(false)?;
    let before = Panel::of(&rig, "linear", &Pose::rest(&rig))?.label("rest");
    let after = Panel::of(&rig, "linear", &bent(&rig, 90.0)?)?.label("linear, elbow bent 90°");
    Look::new(Vec3::Z, 440, 330).draw(2, &[before.bones(&rig), after.bones(&rig)])
}

/// The outline that an elbow of the capsule keeps when it is bent and nothing is lost.
fn kept_outline() -> Vec<Vec3> {
    let along = Vec3::new(-0.707, 0.707, 0.0);
    let round = (0..=64).map(|i| {
        let (sin, cos) = (-90.0_f32 + 135.0 * i as f32 / 64.0).to_radians().sin_cos();
        ELBOW + Vec3::new(cos, sin, 0.0) * 0.5
    });
    let last = ELBOW + Vec3::new(0.707, 0.707, 0.0) * 0.5;
    [Vec3::new(0.9, -0.5, 0.0)].into_iter().chain(round).chain([last + along * 1.3]).collect()
}

/// The elbow of the capsule bent by 135 degrees, as it is and cut open.
fn elbow(method: &str, fault: &str, at: Vec3) -> Result<Picture> {
    let rig = arm(true)?;
    let pose = bent(&rig, 135.0)?;
    let shaded = Panel::of(&rig, method, &pose)?.dashed(kept_outline()).callout(fault, [0.84, 0.24], at).callout(
        "thickness at rest",
        [0.78, 0.95],
        ELBOW + Vec3::new(0.19, -0.47, 0.0),
    );
    let cut = Panel::of(&rig, method, &pose)?.dashed(kept_outline()).callout(
        "skin inside skin",
        [0.3, 0.95],
        Vec3::new(1.46, 0.2, 0.0),
    );
    let frame = [Vec3::new(0.62, -0.72, 0.5), Vec3::new(2.95, 1.2, -0.5)];
    let mut view = Look::new(Vec3::Z, 420, 360).view(&frame);
    // The frame is smaller than the arm, which must not be cut by the near plane.
    view.camera.near = 0.01;
    let section = supple_render::View { section: Some(Vec4::new(0.0, 0.0, 1.0, 0.0)), ..view };
    let (mut shaded, mut cut) = (draw(&shaded, &view)?, draw(&cut, &section)?);
    title(&mut shaded, &format!("{method}, elbow bent 135°"));
    title(&mut cut, "the same, cut open: the inside is blue");
    Ok(grid(2, &[shaded, cut]))
}

/// A label over a picture that fills its frame.
fn title(picture: &mut Picture, text: &str) {
    let paper = supple_render::Background::Light;
    picture.fill([0, picture.width], [0, (LETTERS * 2.6) as u32], paper.color());
    let left = (picture.width as f32 - Picture::text_width(text, LETTERS)) * 0.5;
    picture.text(text, glam::Vec2::new(left, LETTERS * 1.9), LETTERS, paper.ink());
}

pub fn linear_collapse() -> Result<Picture> {
    elbow("linear", "collapsed", ELBOW + OUTSIDE * 0.3)
}

pub fn linear_candy_wrapper() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = twisted(&rig, 180.0)?;
    let rest = Panel::of(&rig, "linear", &Pose::rest(&rig))?.label("rest").striped(&rig);
    let linear = Panel::of(&rig, "linear", &pose)?.striped(&rig).label("linear, forearm twisted 180°").callout(
        "pinched to a point",
        [0.5, 0.96],
        ELBOW - Vec3::Y * 0.08,
    );
    Look::new(Vec3::new(0.0, 0.25, 1.0), 440, 190).draw(2, &[rest, linear])
}

pub fn dual_quaternion() -> Result<Picture> {
    let rig = arm(false)?;
    let pose = twisted(&rig, 150.0)?;
    let rest = Panel::of(&rig, "linear", &Pose::rest(&rig))?.label("rest");
    let linear = Panel::of(&rig, "linear", &pose)?.label("linear, twisted 150°");
    let dual = Panel::of(&rig, "dual-quaternion", &pose)?.label("dual-quaternion, twisted 150°");
    Look::new(Vec3::new(0.0, 0.2, 1.0), 330, 180).draw(3, &[rest, linear, dual])
}

pub fn dual_quaternion_bulge() -> Result<Picture> {
    elbow("dual-quaternion", "bulges", ELBOW + Vec3::new(0.29, 0.46, 0.0))
}

fn mixed(amount: &serde_json::Value) -> Result<DeformGraph> {
    let graph = serde_json::json!({"version": 1, "output": "mix", "nodes": [
        {"name": "mix", "method": "mix", "inputs": ["a", "b"], "settings": {"amount": amount}},
        {"name": "a", "method": "linear", "inputs": ["rest"]},
        {"name": "b", "method": "dual-quaternion", "inputs": ["rest"]}]});
    Ok(DeformGraph::from_json(&graph.to_string())?)
}

pub fn mix() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = twisted(&rig, 170.0)?;
    let panel =
        |amount: f64, what: &str| Ok(Panel::new(&rig, &mixed(&amount.into())?, &pose)?.striped(&rig).label(what));
    let panels: Result<Vec<Panel>> =
        [(0.0, "amount 0: linear"), (0.5, "amount 0.5"), (1.0, "amount 1: dual-quaternion")]
            .into_iter()
            .map(|(amount, what)| panel(amount, what))
            .collect();
    Look::new(Vec3::new(0.0, 0.25, 1.0), 330, 160).draw(3, &panels?)
}

pub fn mix_jump() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = twisted(&rig, 150.0)?;
    let amounts = |step: fn(f32) -> f32| rig.mesh.positions.iter().map(|p| step(p.x)).collect::<Vec<f32>>();
    let jump = mixed(&serde_json::to_value(amounts(|x| if x < 2.0 { 0.0 } else { 1.0 }))?)?;
    let ramp = mixed(&serde_json::to_value(amounts(|x| ((x - 1.2) / 1.6).clamp(0.0, 1.0)))?)?;
    let jump = Panel::new(&rig, &jump, &pose)?.striped(&rig).label("amount jumps from 0 to 1").callout(
        "so does the skin",
        [0.5, 0.96],
        ELBOW - Vec3::Y * 0.32,
    );
    let ramp = Panel::new(&rig, &ramp, &pose)?.striped(&rig).label("amount grows slowly from 0 to 1");
    Look::new(Vec3::new(0.0, 0.25, 1.0), 440, 190).draw(2, &[jump, ramp])
}

pub fn heat() -> Result<Picture> {
    let mut rig = example::figure(&FigureOptions { vertices: 12_000, ..Default::default() })?;
    let by_distance = weights::nearest(&rig.mesh, &rig.skeleton, &NearestOptions::default())?.0;
    let by_heat = weights::heat(&rig.mesh, &rig.skeleton, &HeatOptions::default())?.0;
    let mut panels = Vec::new();
    for (name, weights) in [("--weights nearest", by_distance), ("--weights heat", by_heat)] {
        rig.weights = Some(weights.clone());
        let mut panel = Panel::of(&rig, "linear", &Pose::rest(&rig))?.bones(&rig).label(name);
        panel.scene.surfaces[0].paint = character::weight_colors(&weights);
        panels.push(panel);
    }
    Look::new(Vec3::new(0.15, 0.1, 1.0), 330, 420).draw(2, &panels)
}

pub fn shows() -> Result<Picture> {
    let rig = example::hand(&HandOptions { vertices: 6_000 })?;
    let pose = end_of(&rig, "fist")?;
    let look = Look::new(Vec3::new(0.55, 0.3, 0.78), 180, 204);
    let weights = rig.weights.as_ref().context("the hand has weights")?;
    let names = ["shaded", "normals", "depth", "ids", "weights", "wire", "bones", "stretch"];
    let mut pictures = Vec::new();
    for name in names {
        let mut panel = Panel::of(&rig, "dual-quaternion", &pose)?;
        let view = look.view(&panel.points);
        let surface = &mut panel.scene.surfaces[0];
        let mut channel = Channel::Color;
        match name {
            "normals" => channel = Channel::Normal,
            "depth" => channel = Channel::Depth,
            "ids" => channel = Channel::Id,
            "weights" => surface.paint = character::weight_colors(weights),
            "wire" => surface.wire = Some(0.7),
            "bones" => panel = panel.bones(&rig),
            "stretch" => {
                let map = supple_render::ColorMap::Diverging;
                let colors = character::stretch(&rig, &panel.points).into_iter();
                let colors = colors.map(|s| map.color(0.5 + 0.5 * s.max(1e-6).log2())).collect();
                surface.paint = supple_render::Paint::Vertices(colors);
            }
            _ => {}
        }
        let mut picture = cpu::render(&panel.scene, &view)?.picture(channel, &view);
        title(&mut picture, name);
        pictures.push(picture);
    }
    Ok(grid(4, &pictures))
}

pub fn section() -> Result<Picture> {
    let rig = arm(false)?;
    let pose = bent(&rig, 120.0)?;
    let panel = Panel::of(&rig, "dual-quaternion", &pose)?;
    let mut view = Look::new(Vec3::new(0.25, 0.2, 1.0), 440, 360).view(&panel.points);
    view.section = Some(Vec4::new(0.0, 0.0, 1.0, 0.0));
    let mut panel = panel;
    panel.scene.labels.push(Label { text: "--section z".into(), at: Anchor::Top, size: LETTERS });
    draw(&panel, &view)
}
