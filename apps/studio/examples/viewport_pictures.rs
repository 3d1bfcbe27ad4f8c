//! Draws what the viewport can draw, to be looked at: `cargo run -p supple-studio --example viewport_pictures -- FOLDER`.

use glam::{Vec3, Vec4};
use std::path::{Path, PathBuf};
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions, StatueOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::Gpu;
use supple_render::{Background, Camera, Direction, character, color};
use supple_studio::viewport::{Drawn, Image, Layer, Look, Overlay, Shown, Skin, Style, Target, Viewport};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SIZE: [u32; 2] = [960, 640];

struct Room {
    viewport: Viewport,
    target: Target,
    folder: PathBuf,
}

struct Actor {
    rig: Rig,
    motion: Motion,
    points: Vec<Vec3>,
    skin: Skin,
    shown: Shown,
}

impl Room {
    fn actor(&self, rig: Rig, pose: &Pose, method: &str) -> Outcome<Actor> {
        let motion = Motion::of(&rig, pose);
        let points = match rig.weights.is_some() {
            true => DeformGraph::single(method)?.bind(&rig)?.evaluate(&rig.mesh.positions, &motion).to_vec(),
            false => rig.mesh.positions.clone(),
        };
        let (skin, _) = Skin::new(&self.viewport, &rig)?;
        let mut shown = Shown::new(&self.viewport, &skin)?;
        if points != rig.mesh.positions {
            shown.set_points(&points)?;
        }
        Ok(Actor { rig, motion, points, skin, shown })
    }

    fn save(
        &mut self,
        name: &str,
        camera: &Camera,
        style: &Style,
        skins: &[Drawn<'_>],
        overlay: &Overlay,
    ) -> Outcome<()> {
        self.viewport.draw(&mut self.target, camera, style, skins, overlay)?;
        let picture = self.target.request()?.wait()?;
        std::fs::write(self.folder.join(format!("{name}.png")), picture.to_png()?)?;
        Ok(())
    }
}

fn bones(actor: &Actor) -> Overlay {
    let mut overlay = Overlay::default();
    let segments = character::bones(&actor.rig, &actor.motion).segments;
    segments.iter().enumerate().for_each(|(i, [a, b])| overlay.bone(*a, *b, color::hue(i)));
    overlay
}

fn main() -> Outcome<()> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    std::fs::create_dir_all(Path::new(&folder))?;
    let gpu = pollster::block_on(Gpu::open())?;
    let viewport = Viewport::new(&gpu)?;
    let target = Target::new(&viewport, SIZE)?;
    let mut room = Room { viewport, target, folder: folder.into() };
    let (light, dark) = (Style::default(), Style { background: Background::Dark, ..Style::default() });
    let none = Overlay::default();
    let frame = |points: &[Vec3], direction| Camera::framing(points, direction, 1.5, true);

    let rig = example::arm(&ArmOptions { vertices: 6000, ..Default::default() })?;
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 110.0, None)?;
    let arm = room.actor(rig.clone(), &pose, "implicit")?;
    let other = room.actor(rig, &pose, "dual-quaternion")?;
    let camera = frame(&[&arm.points[..], &other.points[..]].concat(), Direction::ThreeQuarter);
    room.save("arm-light", &camera, &light, &[(&arm.skin, &arm.shown, Look::SHADED)], &none)?;
    room.save("arm-dark", &camera, &dark, &[(&arm.skin, &arm.shown, Look::SHADED)], &none)?;
    let ghost =
        Look { coat: supple_studio::viewport::Coat::Plain(Vec3::new(0.1, 0.35, 0.8)), ..Look::PLAIN }.ghost(0.45);
    let both = [(&arm.skin, &arm.shown, Look::PLAIN), (&other.skin, &other.shown, ghost)];
    room.save("two-light", &camera, &light, &both, &none)?;
    room.save("wire-light", &camera, &light, &[(&arm.skin, &arm.shown, Look::PLAIN.with_wire())], &none)?;
    let mut section = Overlay::default();
    let pixels: Vec<[u8; 4]> = (0..64 * 64)
        .map(|i| {
            let (x, y) = (f64::from(i % 64) / 63.0, f64::from(i / 64) / 63.0);
            let t = ((x - 0.5).hypot(y - 0.5) * 2.0) as f32;
            let [r, g, b, _] = color::pixel(supple_render::ColorMap::Field.color(1.0 - t));
            [r, g, b, 190]
        })
        .collect();
    let image = Image::new(&room.viewport, [64, 64], &pixels)?;
    let middle = arm.points.iter().sum::<Vec3>() / arm.points.len() as f32;
    let (x, y) = (Vec3::X * arm.rig.diagonal() * 0.4, Vec3::Y * arm.rig.diagonal() * 0.4);
    let corners = [middle - x + y, middle + x + y, middle - x - y, middle + x - y];
    section.sheet(&image, corners, 1.0, Layer::Scene);
    let outline = [corners[0], corners[1], corners[3], corners[2]];
    section.strip(&outline, true, Vec4::new(0.02, 0.02, 0.03, 1.0), 1.5, Layer::Through);
    for p in arm.points.iter().step_by(40) {
        section.spot(*p, Vec4::new(1.0, 0.55, 0.05, 1.0), 8.0, Layer::Scene);
    }
    room.save("section-light", &camera, &light, &[(&arm.skin, &arm.shown, Look::PLAIN)], &section)?;

    let rig = example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?;
    let pose = rig.clips[0].sample(&rig, f64::from(rig.clips[0].duration()) * 0.6);
    let mut hand = room.actor(rig, &pose, "implicit")?;
    hand.shown.paint(&character::weight_colors(hand.rig.weights.as_ref().ok_or("weights")?));
    let camera = frame(&hand.points, Direction::ThreeQuarter);
    let mut overlay = bones(&hand);
    for (name, style) in [("light", &light), ("dark", &dark)] {
        room.save(&format!("hand-{name}"), &camera, style, &[(&hand.skin, &hand.shown, Look::SHADED)], &none)?;
        room.save(&format!("weights-{name}"), &camera, style, &[(&hand.skin, &hand.shown, Look::COLORS)], &none)?;
        room.save(&format!("bones-{name}"), &camera, style, &[(&hand.skin, &hand.shown, Look::PLAIN)], &overlay)?;
    }
    let at = character::bones(&hand.rig, &hand.motion).segments[6][0];
    overlay.clear();
    let radius = hand.rig.diagonal() * 0.12;
    for (axis, color) in [(Vec3::X, [0.9, 0.1, 0.08]), (Vec3::Y, [0.15, 0.7, 0.1]), (Vec3::Z, [0.1, 0.3, 0.95])] {
        overlay.ring(at, axis, radius, Vec3::from(color).extend(1.0), 3.0, Layer::Through);
    }
    overlay.spot(at, Vec4::new(1.0, 0.8, 0.1, 1.0), 10.0, Layer::Over);
    let look = Look::COLORS.with_wire();
    room.save("ring-dark", &camera, &dark, &[(&hand.skin, &hand.shown, look)], &overlay)?;

    let rig = example::figure(&FigureOptions { vertices: 12_000, ..Default::default() })?;
    let clip = &rig.clips[0];
    let pose = clip.sample(&rig, f64::from(clip.duration()) * 0.5);
    let figure = room.actor(rig, &pose, "implicit")?;
    let camera = frame(&figure.points, Direction::ThreeQuarter);
    let overlay = bones(&figure);
    room.save("figure-light", &camera, &light, &[(&figure.skin, &figure.shown, Look::SHADED)], &none)?;
    room.save("figure-dark", &camera, &dark, &[(&figure.skin, &figure.shown, Look::PLAIN)], &overlay)?;

    let rig = example::statue(&StatueOptions::default())?;
    let pose = Pose::rest(&rig);
    let statue = room.actor(rig, &pose, "linear")?;
    let camera = frame(&statue.points, Direction::ThreeQuarter);
    room.save("statue-light", &camera, &light, &[(&statue.skin, &statue.shown, Look::SHADED)], &none)?;
    Ok(())
}
