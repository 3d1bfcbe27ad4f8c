mod close;
mod field;
mod idle;
mod samples;

use super::bind::exclude;
use crate::{
    args::{Backdrop, Device, Quantity, Render, Show},
    console::Console,
    device,
    drawing::{self, Drawer},
    joints,
    output::Output,
    posing::{self, Work},
};
use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use glam::{Vec3, Vec4};
use supple::{
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::{Rig, Weights},
    weights::segment::Segmentation,
};
use supple_gpu::Opened;
use supple_render::{
    Anchor, Background, Camera, Channel, ColorMap, Direction, Entries, Label, Legend, Paint, Scene, View, character,
};

pub fn run(arguments: &Render, choice: Device, console: &Console) -> Result<()> {
    let size = size(&arguments.size)?;
    let samples = arguments.samples.unwrap_or(3);
    let (channel, colored) = shown(arguments)?;
    let section = arguments.section.as_deref().map(section).transpose()?;
    let output = Output::file(&arguments.output, console)?;
    let Work { rig, graph, project } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    let work = rig.mesh.positions.len().saturating_add(drawing::work(size, samples));
    let opened = device::open(choice, work, console);
    let pose = posing::pose(&rig, &arguments.pose, project.as_ref(), console)?;
    output.check()?;
    let (points, motion) = posed(&rig, &graph, &pose, arguments, &opened, console)?;

    let shows = |what| arguments.show.contains(&what);
    let bare = points.is_empty();
    let mut scene = Scene::default();
    if rig.mesh.is_point_set() {
        scene.points.push(character::points(&rig, &points));
    } else if !bare {
        let (mut surface, faults) = character::surface(&rig, &points);
        faults.iter().for_each(|f| console.warn(&format!("supple: {}: warning: {f}", rig.name)));
        surface.wire = shows(Show::Wire).then_some(1.0);
        scene.surfaces.push(surface);
    }
    if arguments.plain {
        scene.surfaces.iter_mut().for_each(|s| (s.looks, s.paint) = (Vec::new(), Paint::Looks));
        scene.points.iter_mut().for_each(|p| p.paint = Paint::Looks);
    }
    if shows(Show::Field) {
        let cut = field::Cut { rig: &rig, graph: &graph, points: &points, motion: &motion, size, samples };
        let mut drawer = Drawer::new(opened.computing().ok(), console);
        for what in idle::options(arguments, &rig, &scene, None) {
            console.warn(&format!("supple: warning: {what}"));
        }
        let picture = cut.picture(scene, arguments, &mut drawer, console)?;
        output.write(|path| picture.write(path))?;
        console.say(&format!("supple: wrote {output} ({} by {} pixels)", size[0], size[1]));
        return Ok(());
    }
    let dots = if shows(Show::Samples) {
        let (dots, legend) = samples::Dots::of(&rig, &graph, &motion, arguments.joint.as_deref())?;
        scene.legends.push(legend);
        Some(dots)
    } else {
        None
    };
    if let Some(what) = colored {
        let (paint, legend) = ownership(&rig, what, arguments.joint.as_deref(), console)?;
        repaint(&mut scene, paint);
        scene.legends.push(legend);
    }
    if let Some(Quantity::Stretch) = arguments.quantity {
        if scene.surfaces.is_empty() {
            bail!("--quantity stretch: the rig \"{}\" has no edges", rig.name);
        }
        let (paint, legend) = stretch(&rig, &points);
        repaint(&mut scene, paint);
        scene.legends.push(legend);
    }
    // Of a bare skeleton there is nothing else to show.
    if shows(Show::Bones) || bare {
        scene.bones.push(character::bones(&rig, &motion));
    }
    let extent = scene.extent();
    if extent.is_empty() {
        bail!("{}: there is nothing to draw", rig.name);
    }
    if let Some(text) = &arguments.label {
        let height = (size[1] as f32 / 30.0).clamp(9.0, 40.0);
        scene.labels.push(Label { text: text.clone(), at: Anchor::Top, size: height });
    }
    for what in idle::options(arguments, &rig, &scene, section) {
        console.warn(&format!("supple: warning: {what}"));
    }
    let direction = Direction::ALL.iter().find(|(name, _)| *name == arguments.view);
    let direction = direction.map_or(Direction::ThreeQuarter, |(_, d)| *d);
    let aspect = size[0] as f32 / size[1] as f32;
    // Legends have a margin of their own, so that they cover nothing.
    let legends = scene.legends.iter().map(|l| l.width(size) / size[0].max(1) as f32);
    let margin = legends.fold(0.0, f32::max);
    let dots_of_one = dots.as_ref().filter(|_| arguments.joint.is_some()).map(samples::Dots::places);
    let close = arguments.close.as_deref().map(|word| close::corners(&rig, &motion, word)).transpose()?.or(dots_of_one);
    let framed = close.as_ref().unwrap_or(&extent);
    let camera = Camera::framing(framed, direction, aspect * (1.0 - margin), !arguments.orthographic);
    let camera = camera.beside(margin, aspect).reaching(&extent);
    let mut view = View::new(camera, size);
    view.supersampling = samples;
    view.section = section;
    view.background = match arguments.background {
        Backdrop::Light => Background::Light,
        Backdrop::Dark => Background::Dark,
    };
    if colored.is_some() || arguments.quantity.is_some() {
        // Colours that mean something must not be changed by ridges and folds.
        view.occlusion.curvature *= 0.3;
        view.occlusion.strength *= 0.7;
    }
    let mut drawer = Drawer::new(opened.computing().ok(), console);
    let buffers = drawer.draw(&scene, &view, console)?;
    let drawer = drawer.name();
    let mut picture = buffers.picture(channel, &view);
    dots.iter().for_each(|dots| dots.draw(&buffers, &view, &mut picture));
    output.write(|path| picture.write(path))?;
    let how = format!("{} by {} pixels, drawn by {drawer}", size[0], size[1]);
    console.say(&format!("supple: wrote {output} ({how})"));
    Ok(())
}

/// The moved points and joints. A file without weights is shown as it lies, unless a pose is asked for.
fn posed(
    rig: &Rig,
    graph: &DeformGraph,
    pose: &Pose,
    arguments: &Render,
    opened: &Opened,
    console: &Console,
) -> Result<(Vec<Vec3>, Motion)> {
    let motion = Motion::of(rig, pose);
    let mut morphed = Vec::new();
    pose.morphed(rig, &mut morphed);
    if morphed.is_empty() || (rig.weights.is_none() && !asks_for_pose(arguments)) {
        return Ok((morphed, motion));
    }
    let mut engine = device::bind(graph, rig, opened, console)?;
    let points = device::evaluate(&mut engine, rig, &morphed, &motion, console);
    Ok((points, motion))
}

fn asks_for_pose(arguments: &Render) -> bool {
    let p = &arguments.pose;
    p.clip.is_some() || p.pose.is_some() || !p.turns.0.is_empty()
}

/// All joints by hue, or one by amount.
fn painted_weights(rig: &Rig, table: &Weights, joint: Option<&str>) -> Result<(Paint, Legend)> {
    let Some(name) = joint else {
        let entries = Entries::Names(character::weight_names(rig, table));
        return Ok((character::weight_colors(table), Legend { title: "weights".into(), entries }));
    };
    let skeleton = &rig.skeleton;
    let index = joints::named(skeleton, "--joint", name)?;
    let ends = ["0", "0.5", "1"].map(str::to_owned);
    let legend = Legend {
        title: skeleton.joints()[index].name.clone(),
        entries: Entries::Scale { map: ColorMap::Amount, ends },
    };
    Ok((character::joint_weight(table, index), legend))
}

fn repaint(scene: &mut Scene, paint: Paint) {
    scene.surfaces.iter_mut().for_each(|s| s.paint = paint.clone());
    scene.points.iter_mut().for_each(|p| p.paint = paint.clone());
}

/// Halved is blue, doubled is red; by doublings, so that both are as far from unchanged.
fn stretch(rig: &Rig, points: &[Vec3]) -> (Paint, Legend) {
    let values = character::stretch(rig, points);
    let map = ColorMap::Diverging;
    let paint = Paint::Vertices(values.iter().map(|s| map.color(0.5 + 0.5 * s.max(1e-6).log2())).collect());
    let ends = ["0.5 or less", "1", "2 or more"].map(str::to_owned);
    (paint, Legend { title: "stretch".into(), entries: Entries::Scale { map, ends } })
}

/// Who owns the skin, as colours.
fn ownership(rig: &Rig, what: Show, joint: Option<&str>, console: &Console) -> Result<(Paint, Legend)> {
    if what == Show::Segments {
        // The regions that `bind` would use.
        let mut rig = rig.clone();
        rig.skeleton = exclude::without_bones(&rig.skeleton, &exclude::unweighted(&rig, &rig.name, console));
        let parts = Segmentation::of(&rig)?;
        console.guesses(&rig.name, &parts.notes);
        let owners = Weights::rigid(parts.vertices.iter().copied());
        let entries = Entries::Names(character::weight_names(&rig, &owners));
        return Ok((character::segment_colors(&parts), Legend { title: "segments".into(), entries }));
    }
    let word = if what == Show::Weights { "weights" } else { "shared-weights" };
    let table =
        rig.weights.as_ref().ok_or_else(|| anyhow!("--show {word}: the rig \"{}\" has no weights", rig.name))?;
    if what == Show::Weights {
        return painted_weights(rig, table, joint);
    }
    let map = ColorMap::Amount;
    let ends = ["one joint", "two alike", "three or more"].map(str::to_owned);
    let paint = Paint::Vertices(character::shared(table).iter().map(|&o| map.color(0.5 * (o - 1.0))).collect());
    Ok((paint, Legend { title: "shared weights".into(), entries: Entries::Scale { map, ends } }))
}

/// The buffer to write, and what colours the skin.
fn shown(arguments: &Render) -> Result<(Channel, Option<Show>)> {
    let field = arguments.show.contains(&Show::Field);
    let over = |s: &Show| matches!(s, Show::Wire | Show::Bones) || (field && *s == Show::Shaded);
    let base: Vec<Show> = arguments.show.iter().copied().filter(|s| !over(s)).collect();
    if base.len() > 1 {
        bail!(
            "--show: one of shaded, normals, depth, ids, weights, segments, shared-weights, field and samples at a time, and \
             wire and bones over it"
        );
    }
    let channel = match base.first() {
        Some(Show::Normals) => Channel::Normal,
        Some(Show::Depth) => Channel::Depth,
        Some(Show::Ids) => Channel::Id,
        _ => Channel::Color,
    };
    let colored = base.first().copied().filter(|s| matches!(s, Show::Weights | Show::Segments | Show::SharedWeights));
    if channel != Channel::Color && (arguments.show.len() > 1 || arguments.quantity.is_some()) {
        bail!("--show: normals, depth and ids are raw buffers, and nothing is drawn over them");
    }
    if let Some(word) = colored.filter(|_| arguments.quantity.is_some()).and_then(|c| c.to_possible_value()) {
        bail!("--show {} and --quantity both colour the skin: only one can", word.get_name());
    }
    Ok((channel, colored))
}

pub fn size(word: &str) -> Result<[u32; 2]> {
    let side = |s: &str| s.trim().parse::<u32>().ok();
    let size = word.split_once(['x', 'X']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    size.ok_or_else(|| anyhow!("--size {word}: expected WIDTHxHEIGHT, as in 1200x900"))
}

/// `x`, `y` or `z`, with `=PLACE` where it is not 0; a minus before the axis keeps the other half.
fn section(word: &str) -> Result<Vec4> {
    let bad = || anyhow!("--section {word}: expected x, y or z, as in z or -x=0.5");
    let (axis, place) = word.split_once('=').unwrap_or((word, "0"));
    let place: f32 = place.trim().parse().ok().filter(|p: &f32| p.is_finite()).ok_or_else(bad)?;
    let (sign, axis) = axis.trim().strip_prefix('-').map_or((1.0, axis.trim()), |a| (-1.0, a));
    let normal = match axis {
        "x" => Vec3::X,
        "y" => Vec3::Y,
        "z" => Vec3::Z,
        _ => return Err(bad()),
    };
    Ok((normal * sign).extend(-place * sign))
}
