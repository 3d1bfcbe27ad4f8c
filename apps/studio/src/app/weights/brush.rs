//! Weights painted on the skin as it stands in the pose.

use super::super::{
    Words,
    tool::{Phase, Touch},
};
use crate::{
    model::{Brush, BrushMode, Command, Edit, Reach, dab},
    studio::Studio,
    viewport::{Layer, Spot, pick::Hit},
};
use eframe::egui::{self, RichText, Ui};
use glam::{Vec2, Vec3};
use std::sync::Arc;
use supple::rig::{Rig, Topology};

/// See the module.
pub struct BrushTool {
    /// Over the diagonal of the rig.
    radius: f32,
    strength: f32,
    mode: BrushMode,
    stroke: u64,
    /// Where the last dab was.
    last: Option<Vec2>,
    /// Where on the skin the mouse is.
    over: Option<Hit>,
    /// Who is next to whom on the skin; its triangles never change.
    topology: Option<(Arc<Rig>, Arc<Topology>)>,
}

impl Default for BrushTool {
    fn default() -> Self {
        Self { radius: 0.04, strength: 0.3, mode: BrushMode::Add, stroke: 0, last: None, over: None, topology: None }
    }
}

/// From dab to dab, over the radius of the brush on the screen.
const SPACING: f32 = 0.2;

impl BrushTool {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        studio.drawn.extras.no_ring = true;
        let Some(document) = &studio.open.document else { return };
        let rig = document.rig();
        let joint = studio.open.selected.and_then(|j| rig.skeleton.joints().get(j));
        match joint {
            Some(joint) => drop(ui.label(format!("painting {}", joint.name))),
            None => drop(ui.colored_label(ui.visuals().warn_fg_color, "select a joint to paint its weight")),
        }
        ui.horizontal(|ui| {
            for (mode, title, help) in [
                (BrushMode::Add, "add", "gives skin to the joint; the others keep their proportions"),
                (BrushMode::Take, "take", "takes skin from the joint"),
                (BrushMode::Smooth, "smooth", "evens its weight out with the neighbours'"),
            ] {
                ui.selectable_value(&mut self.mode, mode, title).on_hover_text(help);
            }
        });
        ui.add(egui::Slider::new(&mut self.radius, 0.005..=0.3).logarithmic(true).text("radius").max_decimals(3))
            .on_hover_text("over the diagonal of the character");
        ui.add(egui::Slider::new(&mut self.strength, 0.02..=1.0).text("strength").max_decimals(2));
        let painted = document.project().weights.painted.rows.len();
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("{painted} vertices painted")).size(11.5).weak());
            if ui.add_enabled(painted > 0, egui::Button::new("remove all paint").small()).clicked() {
                words.edit(Edit::ClearPaint);
                words.say(Command::Settle);
            }
        });
        if rig.weights.is_none() {
            let text = "there are no weights to paint over yet: take bone heat or flexible ones first";
            ui.colored_label(ui.visuals().warn_fg_color, text);
        }
        if rig.mesh.triangles.is_empty() {
            ui.colored_label(ui.visuals().warn_fg_color, "a point set has no skin to paint on");
        }
    }

    /// How far the brush reaches, in units of the rig.
    pub fn reach(&self, studio: &Studio) -> f32 {
        self.radius * studio.open.document.as_ref().map_or(1.0, |d| d.rig().diagonal())
    }

    pub fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool {
        if touch.phase == Phase::Release {
            self.last = None;
            words.say(Command::Settle);
            return true;
        }
        self.over = touch.skin.map(|spot| spot.hit);
        let Some(spot) = touch.skin else { return touch.phase == Phase::Drag };
        let (hit, radius) = (spot.hit, self.reach(studio));
        let pixels = touch.camera.pixel(hit.position, touch.size).map_or(0.0, |middle| {
            let aside = touch.camera.towards(hit.position).any_orthonormal_vector() * radius;
            touch.camera.pixel(hit.position + aside, touch.size).map_or(0.0, |rim| rim.distance(middle))
        });
        let selects = studio.open.selected.is_none();
        match touch.phase {
            // Nobody is painted: a click may still choose whom.
            Phase::Click | Phase::DoubleClick | Phase::Press if selects => return false,
            Phase::Press => {
                self.stroke += 1;
                words.say(Command::Settle);
            }
            Phase::Click | Phase::DoubleClick => self.stroke += 1,
            Phase::Drag => {
                if self.last.is_some_and(|last| last.distance(touch.at) < (pixels * SPACING).max(1.5)) {
                    return true;
                }
            }
            Phase::Hover | Phase::Leave | Phase::Release => return true,
        }
        self.last = Some(touch.at);
        self.paint(spot, radius, studio, words);
        if matches!(touch.phase, Phase::Click | Phase::DoubleClick) {
            words.say(Command::Settle);
        }
        true
    }

    fn paint(&mut self, spot: &Spot, radius: f32, studio: &Studio, words: &mut Words) {
        let (Some(document), Some(joint)) = (&studio.open.document, studio.open.selected) else { return };
        let file = document.file();
        if !self.topology.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, file)) {
            self.topology = Some((file.clone(), Arc::clone(file.surface().topology())));
        }
        let Some((_, topology)) = &self.topology else { return };
        let brush = Brush { radius, strength: self.strength, mode: self.mode };
        let corners = spot.corners.map(|corner| corner.distance(spot.hit.position));
        let reach = Reach { triangle: spot.hit.triangle, corners, near: &spot.near };
        let rows = dab(document.rig(), topology, &reach, joint, &brush);
        if !rows.is_empty() {
            words.edit(Edit::Paint { stroke: self.stroke, rows });
        }
    }

    /// The brush on the skin.
    pub fn mark(&self, studio: &mut Studio) {
        let Some(hit) = self.over else { return };
        let radius = self.reach(studio);
        let color = match self.mode {
            BrushMode::Add => Vec3::new(1.0, 0.9, 0.2),
            BrushMode::Take => Vec3::new(0.3, 0.7, 1.0),
            BrushMode::Smooth => Vec3::new(0.9, 0.9, 0.9),
        };
        let scale = studio.sight.scale;
        let (overlay, lifted) = (&mut studio.drawn.extras.overlay, hit.position + hit.normal * radius * 0.02);
        overlay.ring(lifted, hit.normal, radius, Vec3::ZERO.extend(0.6), 4.0 * scale, Layer::Over);
        overlay.ring(lifted, hit.normal, radius, color.extend(1.0), 2.0 * scale, Layer::Over);
        overlay.spot(lifted, color.extend(1.0), 4.0 * scale, Layer::Over);
    }
}
