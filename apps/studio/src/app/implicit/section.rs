//! A plane through the volumes: blue outside, red inside, with lines of equal value, computed beside the window whenever
//! the pose or the plane has changed and the last one is done.

use super::square::{Square, crossed};
use crate::{
    studio::{
        Studio,
        task::{Poll, Task, spawn},
    },
    viewport::{Image, Layer},
};
use eframe::egui::{self, RichText, Ui};
use glam::{DQuat, DVec3, Vec3};
use std::sync::Arc;
use supple::{
    field::{Body, compose::Posed},
    pose::Motion,
    rig::Rig,
};
use supple_render::{ColorMap, FieldSection, Picture};

/// Pixels along a side.
const SIDE: u32 = 256;
/// Half the side of the plane, over the longer bone of its joint.
const AROUND: f64 = 1.1;
/// How much the skin hides while the plane is shown.
const GHOST: f32 = 0.32;

/// Which way the plane faces before it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Side {
    #[default]
    Bend,
    X,
    Y,
    Z,
}

/// See the module.
#[derive(Default)]
pub struct SectionTool {
    pub on: bool,
    side: Side,
    /// Over half the side.
    offset: f64,
    /// About the bone and across it, in degrees.
    turns: [f64; 2],
    cutting: Option<(Key, Task<Cut>)>,
    shown: Option<(Key, Image, Square, Vec<[Vec3; 2]>)>,
}

/// What a picture of the field hangs on.
#[derive(Clone)]
struct Key {
    body: Arc<Body>,
    square: Square,
    /// Of the skin.
    frame: u64,
    joints: Vec<glam::DAffine3>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.body, &other.body)
            && (self.square, self.frame) == (other.square, other.frame)
            && self.joints == other.joints
    }
}

/// A picture of the field, and where the plane cuts the skin.
struct Cut {
    picture: Picture,
    lines: Vec<[Vec3; 2]>,
}

impl SectionTool {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, body: Option<&Arc<Body>>, motion: &Motion) {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Section").strong());
            let title = if self.on { "shown" } else { "show" };
            ui.toggle_value(&mut self.on, title);
            if self.on && (body.is_none() || self.cutting.is_some()) {
                ui.spinner();
            }
        });
        if !self.on {
            self.shown = None;
            return;
        }
        ui.horizontal(|ui| {
            for (side, title) in [(Side::Bend, "bend"), (Side::X, "x"), (Side::Y, "y"), (Side::Z, "z")] {
                let help =
                    if side == Side::Bend { "the plane of the joint's two bones" } else { "square to this axis" };
                ui.selectable_value(&mut self.side, side, title).on_hover_text(help);
            }
            if ui.small_button("reset").on_hover_text("through the joint again").clicked() {
                (self.offset, self.turns) = (0.0, [0.0; 2]);
            }
        });
        ui.add(egui::Slider::new(&mut self.offset, -1.0..=1.0).text("offset").max_decimals(2));
        ui.add(
            egui::Slider::new(&mut self.turns[0], -180.0..=180.0).text("about the bone").suffix("°").max_decimals(0),
        );
        ui.add(egui::Slider::new(&mut self.turns[1], -90.0..=90.0).text("across it").suffix("°").max_decimals(0));
        ui.label(RichText::new("blue outside, red inside; the strong line is the surface").size(11.5).weak());
        self.receive(studio);
        if let Some(body) = body {
            self.want(studio, body, motion);
        }
        studio.drawn.extras.opacity = Some(GHOST);
        if let Some((_, image, square, lines)) = &self.shown {
            studio.drawn.extras.overlay.sheet(image, square.corners(), 0.95, Layer::Scene);
            let scale = studio.sight.scale;
            for ends in lines {
                studio.drawn.extras.overlay.line(*ends, Vec3::ONE.extend(0.9), 2.0 * scale, Layer::Over);
            }
        }
    }

    /// A picture is on its way.
    pub fn is_busy(&self) -> bool {
        self.cutting.is_some()
    }

    fn want(&mut self, studio: &mut Studio, body: &Arc<Body>, motion: &Motion) {
        let Some(ready) = studio.drawn.stages[0].ready() else { return };
        ready.host_wanted = true;
        let (host, rig) = (ready.host(), ready.rig.clone());
        // Field and skin of one and the same frame, though it be not the last.
        let of_host = (ready.host_motion.len() == motion.len()).then(|| ready.host_motion.clone());
        let motion = of_host.as_ref().filter(|_| host.is_some()).unwrap_or(motion);
        let square = self.square(&rig, body, studio.open.selected, motion);
        let frame = host.as_ref().map_or(0, |(frame, _)| *frame);
        let key = Key { body: body.clone(), square, frame, joints: motion.exact.clone() };
        if self.cutting.is_some() || self.shown.as_ref().is_some_and(|(of, ..)| *of == key) {
            return;
        }
        let (work, motion) = (key.clone(), motion.clone());
        let points = host.map(|(_, points)| points);
        let task = spawn(&studio.work.wake, move || async move { work.cut(&motion, &rig, points.as_deref()) });
        self.cutting = Some((key, task));
    }

    fn receive(&mut self, studio: &mut Studio) {
        let Some((key, task)) = &self.cutting else { return };
        match task.poll() {
            Poll::Running => return,
            Poll::Lost(why) => {
                self.on = false;
                studio.complain(format!("drawing the section ended without a result: {why}"));
            }
            Poll::Done(cut) => {
                let pixels = &cut.picture.pixels;
                let image = match self.shown.take() {
                    Some((_, image, ..)) => {
                        image.set(&studio.device.viewport, pixels);
                        Ok(image)
                    }
                    None => Image::new(&studio.device.viewport, [SIDE, SIDE], pixels),
                };
                match image {
                    Ok(image) => self.shown = Some((key.clone(), image, key.square, cut.lines)),
                    Err(error) => studio.complain(error.to_string()),
                }
            }
        }
        self.cutting = None;
    }

    /// Where the plane is: through the joint, in the plane of its bones; without one, through the middle of everything.
    fn square(&self, rig: &Rig, body: &Body, joint: Option<usize>, motion: &Motion) -> Square {
        let bounds = rig.mesh.bounds();
        let (mut middle, mut half) = (bounds.center().as_dvec3(), 0.55 * f64::from(rig.diagonal()));
        let (mut normal, mut along) = (DVec3::Z, DVec3::X);
        if let Some(bend) = joint.and_then(|joint| body.bend(Some(joint), motion)) {
            (middle, normal, along) = (bend.at, bend.normal(), bend.along[1]);
            half = (AROUND * bend.length).clamp(0.05 * half, half);
        }
        match self.side {
            Side::Bend => {}
            Side::X => (normal, along) = (DVec3::X, DVec3::Y),
            Side::Y => (normal, along) = (DVec3::Y, DVec3::X),
            Side::Z => (normal, along) = (DVec3::Z, DVec3::X),
        }
        let right = (along - normal * along.dot(normal)).try_normalize().unwrap_or(normal.any_orthonormal_vector());
        let up = normal.cross(right);
        let turn = DQuat::from_axis_angle(right, self.turns[0].to_radians())
            * DQuat::from_axis_angle(up, self.turns[1].to_radians());
        let axes = [right, up, normal].map(|axis| (turn * axis).normalize_or(axis));
        Square { middle: middle + axes[2] * self.offset * half, axes, half }
    }
}

impl Key {
    fn cut(&self, motion: &Motion, rig: &Rig, points: Option<&Vec<Vec3>>) -> Cut {
        let mut posed = Posed::of(&self.body);
        posed.update(&self.body, motion);
        let Square { middle, axes, half } = self.square;
        let plane = axes[2].extend(-axes[2].dot(middle)).as_vec4();
        let mut picture = Picture::new(SIDE, SIDE, ColorMap::Field.color(0.0));
        // Nothing is where there is no field; what is painted is opaque.
        picture.pixels.iter_mut().for_each(|p| p[3] = 0);
        FieldSection { body: &self.body, posed: &posed, plane }.paint(&self.square.view(SIDE), &mut picture, 1.0);
        let within = |p: Vec3| (p.as_dvec3() - middle).abs().max_element() <= half * 1.42;
        let [right, up, _] = axes;
        let inside = |p: Vec3| {
            let by = p.as_dvec3() - middle;
            by.dot(right).abs() <= half && by.dot(up).abs() <= half
        };
        let mut lines = Vec::new();
        for t in points.iter().flat_map(|_| &rig.mesh.triangles) {
            let Some(corners) = points.map(|points| t.map(|v| points[v as usize])) else { break };
            if corners.iter().any(|&c| within(c)) {
                lines.extend(crossed(corners, plane).filter(|ends| ends.iter().all(|&e| inside(e))));
            }
        }
        Cut { picture, lines }
    }
}
