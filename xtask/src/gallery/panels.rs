//! Pictures made of panels that can be compared: same camera, same light, a label each.

use anyhow::Result;
use glam::{Vec3, Vec4};
use supple::{
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_render::{Anchor, Background, Camera, Label, Paint, Path, Picture, Scene, View, character, cpu, section};

/// A character in a pose, with everything that should be in its panel.
pub struct Panel {
    pub scene: Scene,
    pub points: Vec<Vec3>,
    pub motion: Motion,
}

/// Letters of labels, in pixels.
pub const LETTERS: f32 = 12.5;

impl Panel {
    pub fn new(rig: &Rig, graph: &DeformGraph, pose: &Pose) -> Result<Self> {
        let motion = Motion::of(rig, pose);
        let points = graph.bind(rig)?.evaluate(&rig.mesh.positions, &motion).to_vec();
        let (surface, _) = character::surface(rig, &points);
        let scene = Scene { surfaces: vec![surface], ..Scene::default() };
        Ok(Self { scene, points, motion })
    }

    pub fn of(rig: &Rig, method: &str, pose: &Pose) -> Result<Self> {
        Self::new(rig, &DeformGraph::single(method)?, pose)
    }

    pub fn label(mut self, text: &str) -> Self {
        self.scene.labels.push(Label { text: text.into(), at: Anchor::Top, size: LETTERS });
        self
    }

    /// Words somewhere in the panel with an arrow to a place in the world.
    pub fn callout(mut self, text: &str, at: [f32; 2], target: Vec3) -> Self {
        let at = Anchor::Callout { text: at, target };
        self.scene.labels.push(Label { text: text.into(), at, size: LETTERS * 0.85 });
        self
    }

    /// A dashed line.
    pub fn dashed(mut self, points: Vec<Vec3>) -> Self {
        self.scene.paths.push(Path { points, width: 2.2, dash: 7.0, color: None });
        self
    }

    /// The outline in which a plane cuts the skin.
    pub fn outline(&self, plane: Vec4, color: Vec3) -> Vec<Path> {
        let line = |ends: [Vec3; 2]| Path { points: ends.to_vec(), width: 2.4, dash: 0.0, color: Some(color) };
        section::lines(&self.scene.surfaces[0], plane).map(line).collect()
    }

    /// Stripes along the x axis at rest, so that a twist can be seen on a round limb.
    pub fn striped(mut self, rig: &Rig) -> Self {
        let surface = &mut self.scene.surfaces[0];
        let stripe = |t: &[u32; 3]| {
            let middle = t.iter().map(|&i| rig.mesh.positions[i as usize]).sum::<Vec3>();
            let turn = middle.y.atan2(middle.z) / std::f32::consts::TAU;
            if (turn * 6.0).rem_euclid(2.0) < 1.0 { Vec3::new(0.62, 0.40, 0.30) } else { Vec3::new(0.30, 0.36, 0.42) }
        };
        surface.paint = Paint::Faces(surface.triangles.iter().map(stripe).collect());
        self
    }

    pub fn bones(mut self, rig: &Rig) -> Self {
        self.scene.bones.push(character::bones(rig, &self.motion));
        self
    }
}

/// How panels are looked at.
#[derive(Clone, Copy)]
pub struct Look {
    pub towards: Vec3,
    pub cell: [u32; 2],
    /// Points of the panels are framed as if the panel ended so many letters lower: room for the label.
    pub headroom: f32,
}

impl Look {
    pub fn new(towards: Vec3, width: u32, height: u32) -> Self {
        Self { towards, cell: [width, height], headroom: 2.6 }
    }

    /// One camera for all of these points.
    pub fn view(&self, points: &[Vec3]) -> View {
        let [width, height] = self.cell;
        let room = self.headroom * LETTERS / height as f32;
        let aspect = width as f32 / height as f32;
        let up = if self.towards.y.abs() > 0.99 { Vec3::NEG_Z } else { Vec3::Y };
        let mut camera = Camera::framing_from(points, self.towards, up, aspect / (1.0 - room), false);
        // The label has the top of the picture to itself, and the character the rest.
        if let supple_render::Projection::Orthographic { height } = &mut camera.projection {
            let taller = *height / (1.0 - room);
            let shift = camera.up * (taller - *height) * 0.5;
            camera.eye += shift;
            camera.target += shift;
            *height = taller;
        }
        let mut view = View::new(camera, self.cell);
        view.supersampling = 3;
        view.background = Background::Light;
        view
    }

    /// Panels in rows, all seen by one camera.
    pub fn draw(&self, columns: u32, panels: &[Panel]) -> Result<Picture> {
        let points: Vec<Vec3> = panels.iter().flat_map(|p| p.points.iter().copied()).collect();
        let view = self.view(&points);
        let pictures = panels.iter().map(|p| draw(p, &view)).collect::<Result<Vec<_>>>()?;
        Ok(grid(columns, &pictures))
    }
}

pub fn draw(panel: &Panel, view: &View) -> Result<Picture> {
    Ok(cpu::render(&panel.scene, view)?.picture(supple_render::Channel::Color, view))
}

/// Pictures of one size in rows.
pub fn grid(columns: u32, pictures: &[Picture]) -> Picture {
    let (width, height) = (pictures[0].width, pictures[0].height);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let mut all = Picture::new(width * columns, height * rows, Background::Light.color());
    for (i, picture) in (0u32..).zip(pictures) {
        all.place(picture, i % columns * width, i / columns * height);
    }
    all
}
