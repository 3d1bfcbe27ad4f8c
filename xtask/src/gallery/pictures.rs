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
use supple_render::{Channel, Entries, Legend, Picture, Scene, View, character, cpu};

const FOREARM: &str = "forearm_l";
pub const ELBOW: Vec3 = Vec3::new(2.0, 0.0, 0.0);
/// Away from the inside of an elbow that is bent by 135 degrees.
const OUTSIDE: Vec3 = Vec3::new(0.924, -0.383, 0.0);

pub fn arm(plain: bool) -> Result<Rig> {
    Ok(example::arm(&ArmOptions { plain, vertices: 12_000, ..ArmOptions::default() })?)
}

pub fn bent(rig: &Rig, degrees: f64) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None)?;
    Ok(pose)
}

pub fn twisted(rig: &Rig, degrees: f64) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    pose.twist(rig, "forearm", degrees)?;
    Ok(pose)
}

pub fn end_of(rig: &Rig, clip: &str) -> Result<Pose> {
    let clip = rig.clip(clip).context("the character has that clip")?;
    Ok(clip.sample(rig, f64::from(clip.duration())))
}

pub fn hero() -> Result<Picture> {
    let arm = arm(false)?;
    let figure = example::figure(&FigureOptions { vertices: 60_000, ..FigureOptions::default() })?;
    let crouch = end_of(&figure, "crouch")?;
    let whole = Look::new(Vec3::new(0.75, 0.18, 0.64), 216, 174).view(&Panel::of(&figure, "linear", &crouch)?.points);
    let size = [232, 174];
    let inside = close_up(Vec3::Z, size, [[0.1, -0.55], [2.7, 1.4]]);
    let columns = [
        (&arm, bent(&arm, 135.0)?, "", View { section: Some(Vec4::new(0.0, 0.0, 1.0, 0.0)), ..inside }),
        (
            &arm,
            twisted(&arm, 160.0)?,
            "twist 160°",
            close_up(Vec3::new(0.0, 0.2, 1.0), size, [[0.6, -0.75], [3.4, 0.75]]),
        ),
        (&figure, crouch, "crouch", whole),
    ];
    let mut rows = Vec::new();
    for method in ["linear", "dual-quaternion", "implicit"] {
        let mut row = Vec::new();
        for (i, (rig, pose, what, view)) in columns.iter().enumerate() {
            let mut picture = draw(&Panel::of(rig, method, pose)?, view)?;
            // What is in a column is said once.
            let words = if rows.is_empty() && i > 0 { what } else { "" };
            title(&mut picture, if i == 0 { method } else { words });
            row.push(picture);
        }
        rows.push(beside(&row));
    }
    Ok(grid(1, &rows))
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
pub fn elbow(method: &str, fault: &str, at: Vec3) -> Result<Picture> {
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
    let view = close_up(Vec3::Z, [420, 360], [[0.62, -0.72], [2.95, 1.2]]);
    let section = supple_render::View { section: Some(Vec4::new(0.0, 0.0, 1.0, 0.0)), ..view };
    let (mut shaded, mut cut) = (draw(&shaded, &view)?, draw(&cut, &section)?);
    title(&mut shaded, &format!("{method}, elbow bent 135°"));
    title(&mut cut, "the same, cut open: the inside is blue");
    Ok(grid(2, &[shaded, cut]))
}

/// A part of an arm between two corners of a rectangle in its middle plane.
fn close_up(towards: Vec3, [width, height]: [u32; 2], corners: [[f32; 2]; 2]) -> View {
    let [low, high] = corners.map(|[x, y]| Vec3::new(x, y, 0.0));
    let frame = [low - Vec3::Z * 0.5, high + Vec3::Z * 0.5];
    let mut view = Look::new(towards, width, height).view(&frame);
    // The frame is smaller than the arm, which must not be cut by its near and far planes.
    (view.camera.near, view.camera.far) = (0.01, view.camera.far + 10.0);
    view
}

/// Pictures of one height in a row.
pub fn beside(pictures: &[Picture]) -> Picture {
    let width = pictures.iter().map(|p| p.width).sum();
    let mut all = Picture::new(width, pictures[0].height, supple_render::Background::Light.color());
    let mut x = 0;
    for picture in pictures {
        all.place(picture, x, 0);
        x += picture.width;
    }
    all
}

/// A label over a picture that fills its frame.
pub fn title(picture: &mut Picture, text: &str) {
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

/// The same place of the same skin, at rest and twisted: what was carved into it is there, or it is not.
pub fn linear_lost_detail() -> Result<Picture> {
    let rig = arm(false)?;
    let pose = twisted(&rig, 110.0)?;
    let wrinkles = Vec3::new(1.95, -0.36, 0.2);
    let mut pictures = Vec::new();
    for (method, pose, what, text) in [
        ("linear", &Pose::rest(&rig), "wrinkles", "rest"),
        ("linear", &pose, "shrunk to a knot", "linear, twisted 110°"),
        ("dual-quaternion", &pose, "kept", "dual-quaternion"),
    ] {
        let panel = Panel::of(&rig, method, pose)?.callout(what, [0.3, 0.92], wrinkles);
        let mut picture = draw(&panel, &close_up(Vec3::new(0.0, 0.1, 1.0), [300, 250], [[1.2, -0.72], [2.7, 0.5]]))?;
        title(&mut picture, text);
        pictures.push(picture);
    }
    Ok(grid(3, &pictures))
}

/// A round limb twisted, and twisted and bent.
pub fn twist_and_bend() -> Result<Picture> {
    let rig = arm(true)?;
    let mut both = twisted(&rig, 150.0)?;
    both.bend(&rig, "forearm", 70.0, None)?;
    let mut rows = Vec::new();
    for (pose, what, height) in [(twisted(&rig, 150.0)?, "twisted 150°", 150), (both, "twisted 150°, bent 70°", 290)]
    {
        let panel = |m| Panel::of(&rig, m, &pose).map(|p| p.striped(&rig).label(&format!("{m}, {what}")));
        let panels = [panel("linear")?, panel("dual-quaternion")?];
        rows.push(Look::new(Vec3::new(0.0, 0.25, 1.0), 400, height).draw(2, &panels)?);
    }
    let mut all = Picture::new(800, 440, supple_render::Background::Light.color());
    all.place(&rows[0], 0, 0);
    all.place(&rows[1], 0, 150);
    Ok(all)
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
    let rig = example::hand(&HandOptions { vertices: 6_000, ..Default::default() })?;
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

/// The fold of a bent elbow, cut open.
pub fn section() -> Result<Picture> {
    let rig = arm(false)?;
    let pose = bent(&rig, 130.0)?;
    let fold = Vec3::new(1.72, 0.22, 0.0);
    let panel = Panel::of(&rig, "linear", &pose)?.callout("skin inside skin", [0.22, 0.9], fold);
    let mut view = close_up(Vec3::new(0.12, 0.1, 1.0), [440, 360], [[1.0, -0.45], [2.6, 0.85]]);
    let whole = draw(&Panel::of(&rig, "linear", &pose)?, &view)?;
    view.section = Some(Vec4::new(0.0, 0.0, 1.0, 0.0));
    let mut pictures = [whole, draw(&panel, &view)?];
    for (picture, text) in pictures.iter_mut().zip(["elbow bent 130°", "the same with --section z"]) {
        title(picture, text);
    }
    Ok(grid(2, &pictures))
}

/// Two methods laid over each other where a plane cuts them.
pub fn superposed() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = bent(&rig, 135.0)?;
    let middle = Vec4::new(0.0, 0.0, 1.0, 0.0);
    let (linear, dual) = (Panel::of(&rig, "linear", &pose)?, Panel::of(&rig, "dual-quaternion", &pose)?);
    let mut paths = linear.outline(middle, Vec3::new(0.02, 0.12, 0.55));
    paths.extend(dual.outline(middle, Vec3::new(0.72, 0.14, 0.01)));
    let mut lines = Panel { scene: Scene { paths, ..Scene::default() }, points: Vec::new(), motion: linear.motion }
        .dashed(kept_outline())
        .callout("linear: collapsed", [0.82, 0.9], ELBOW + OUTSIDE * 0.31)
        .callout("dual-quaternion: bulges", [0.66, 0.2], ELBOW + Vec3::new(0.29, 0.47, 0.0))
        .callout("dashed: thickness at rest", [0.45, 0.95], ELBOW + Vec3::new(-0.2, -0.5, 0.0));
    lines.scene.surfaces.clear();
    let mut picture = draw(&lines, &close_up(Vec3::Z, [560, 460], [[0.5, -0.82], [2.95, 1.3]]))?;
    title(&mut picture, "elbow bent 135°, cut along the middle");
    Ok(picture)
}

/// What a method starts from: a skin with its skeleton, and how much of each vertex one joint owns.
pub fn rigged() -> Result<Picture> {
    let rig = example::figure(&FigureOptions { vertices: 40_000, ..FigureOptions::default() })?;
    let rest = Pose::rest(&rig);
    let weights = rig.weights.as_ref().context("the figure has weights")?;
    let joint = rig.skeleton.find(FOREARM).context("the figure has forearms")?;
    let mut owned = Panel::of(&rig, "linear", &rest)?.label(&format!("weights of {FOREARM}"));
    owned.scene.surfaces[0].paint = character::joint_weight(weights, joint);
    let map = supple_render::ColorMap::Amount;
    let ends = ["0", "0.5", "1"].map(str::to_owned);
    owned.scene.legends.push(Legend { title: "weight".into(), entries: Entries::Scale { map, ends } });
    let bones = Panel::of(&rig, "linear", &rest)?.label("mesh and skeleton").bones(&rig);
    Look::new(Vec3::new(0.3, 0.15, 1.0), 400, 380).draw(2, &[bones, owned])
}
