//! The joints as a tree, with a search, and what can be done to the selected one.

use super::Words;
use crate::{
    model::{Command, Edit},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui};
use glam::DQuat;
use std::collections::BTreeMap;
use supple::{math::Trs, pose::JointPose, rig::Skeleton};

/// Branches within branches end with the stack, and a file may have a chain of any length: deeper joints are one list.
const DEEPEST: usize = 40;

/// What the panel remembers.
#[derive(Default)]
pub struct Joints {
    search: String,
    /// Angles in degrees as they were typed or dragged, by joint. Many angles are one rotation, 200 degrees and -160, and
    /// a rotation does not tell which of them was meant.
    typed: BTreeMap<String, [f64; 3]>,
}

impl Joints {
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, words: &mut Words) {
        let Some(document) = &studio.open.document else { return };
        let rig = document.rig();
        ui.horizontal(|ui| {
            ui.heading("Joints");
            ui.label(RichText::new(format!("{}", rig.skeleton.len())).weak());
        });
        let search = egui::TextEdit::singleline(&mut self.search).hint_text("search").desired_width(f32::INFINITY);
        ui.add(search);
        let detail = if studio.open.selected.is_some() { 190.0 } else { 0.0 };
        let height = (ui.available_height() - detail).max(80.0);
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, false]).show(ui, |ui| {
            let wanted = self.search.trim().to_lowercase();
            if wanted.is_empty() {
                let tree = Tree::of(&rig.skeleton);
                tree.roots.iter().for_each(|&root| tree.branch(ui, root, DEEPEST, studio, words));
            } else {
                let found = |j: &usize| rig.skeleton.joints()[*j].name.to_lowercase().contains(&wanted);
                let found: Vec<usize> = (0..rig.skeleton.len()).filter(found).collect();
                if found.is_empty() {
                    ui.weak("no joint has that in its name");
                }
                found.into_iter().for_each(|joint| row(ui, &rig.skeleton, joint, studio, words));
            }
        });
        if let Some(joint) = studio.open.selected {
            ui.separator();
            self.selected(ui, studio, joint, words);
        }
    }

    /// Angles of the selected joint, against the clip or the rest.
    fn selected(&mut self, ui: &mut Ui, studio: &Studio, joint: usize, words: &mut Words) {
        let Some(document) = &studio.open.document else { return };
        let rig = document.rig();
        let Some(known) = rig.skeleton.joints().get(joint) else { return };
        ui.label(RichText::new(&known.name).strong());
        let pose = document.pose(studio.open.playback.time);
        let local = Trs::of(&pose.local[joint]);
        let rest = rig.skeleton.rest_trs(joint);
        // What a rigger thinks in: how far the joint is turned from rest, about its own axes.
        let turn = rest.rotation.inverse() * local.rotation;
        let typed = self.typed.get(&known.name).filter(|angles| rotation(angles).dot(turn).abs() > SAME);
        let is_typed = typed.is_some();
        let mut angles = typed.copied().unwrap_or_else(|| degrees(turn));
        let (mut changed, mut stopped) = (false, false);
        ui.horizontal_wrapped(|ui| {
            for (label, angle) in ["x", "y", "z"].into_iter().zip(&mut angles) {
                // To a tenth, and without a minus before nothing.
                let mut shown = if is_typed { *angle } else { (*angle * 10.0).round() / 10.0 + 0.0 };
                let drag = egui::DragValue::new(&mut shown).speed(1.0).suffix("°").prefix(format!("{label} "));
                let response = ui.add(drag.max_decimals(3));
                if response.changed() {
                    (*angle, changed) = (shown, true);
                }
                stopped |= response.drag_stopped() || response.lost_focus();
            }
        });
        if changed && angles.iter().all(|a| a.is_finite()) {
            self.typed.insert(known.name.clone(), angles);
            let rotation = (rest.rotation * rotation(&angles)).normalize().to_array();
            let pose = Some(JointPose { rotation: Some(rotation), translation: None, scale: None });
            words.edit(Edit::Pose { joint: known.name.clone(), pose });
        }
        if stopped {
            words.say(Command::Settle);
        }
        ui.horizontal_wrapped(|ui| {
            if ui.button("Release").on_hover_text("back to the clip or to rest").clicked() {
                words.edit(Edit::Pose { joint: known.name.clone(), pose: None });
                words.say(Command::Settle);
            }
            if ui.button("Release all").clicked() {
                words.edit(Edit::ClearPose);
            }
            if ui.button("Look at it").on_hover_text("F").clicked() {
                words.say(Command::Frame);
            }
        });
        ui.weak("drag a ring or the bone itself to turn it");
    }
}

/// Cosine of half the angle by which two rotations may differ and still be the same.
const SAME: f64 = 1.0 - 1e-9;

fn rotation(degrees: &[f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_euler(glam::EulerRot::XYZ, x, y, z)
}

fn degrees(turn: DQuat) -> [f64; 3] {
    let (x, y, z) = turn.to_euler(glam::EulerRot::XYZ);
    [x, y, z].map(f64::to_degrees)
}

fn row(ui: &mut Ui, skeleton: &Skeleton, joint: usize, studio: &Studio, words: &mut Words) {
    let name = &skeleton.joints()[joint].name;
    let chosen = studio.open.selected == Some(joint);
    let by_hand = studio.open.document.as_ref().and_then(|d| d.project().pose.as_ref());
    let posed = by_hand.is_some_and(|p| p.joints.contains_key(name));
    let text = if posed { RichText::new(format!("{name} •")).strong() } else { RichText::new(name) };
    let response = ui.selectable_label(chosen, text);
    let response = if posed { response.on_hover_text("posed by hand") } else { response };
    if response.clicked() {
        words.say(Command::Select { joint: (!chosen).then(|| name.clone()) });
    }
    if chosen && words.scroll_to_joint {
        response.scroll_to_me(None);
    }
}

/// Who hangs on whom, found once for all rows.
struct Tree<'a> {
    skeleton: &'a Skeleton,
    roots: Vec<usize>,
    children: Vec<Vec<usize>>,
}

impl<'a> Tree<'a> {
    fn of(skeleton: &'a Skeleton) -> Self {
        let (mut roots, mut children) = (Vec::new(), vec![Vec::new(); skeleton.len()]);
        for (joint, known) in skeleton.joints().iter().enumerate() {
            known.parent.map_or(&mut roots, |parent| &mut children[parent]).push(joint);
        }
        Self { skeleton, roots, children }
    }

    /// A joint and all that hang on it, in so many steps to the right at the most.
    fn branch(&self, ui: &mut Ui, joint: usize, steps: usize, studio: &Studio, words: &mut Words) {
        let leaf = |ui: &mut Ui, joint: usize, words: &mut Words| {
            ui.horizontal(|ui| {
                ui.add_space(18.0);
                row(ui, self.skeleton, joint, studio, words);
            });
        };
        let children = &self.children[joint];
        if children.is_empty() {
            return leaf(ui, joint, words);
        }
        if steps == 0 {
            let mut waiting = vec![joint];
            while let Some(next) = waiting.pop() {
                leaf(ui, next, words);
                waiting.extend(self.children[next].iter().rev());
            }
            return;
        }
        let id = ui.make_persistent_id(("joint", joint));
        let state = egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, true);
        state.show_header(ui, |ui| row(ui, self.skeleton, joint, studio, words)).body_unindented(|ui| {
            ui.indent(id, |ui| children.iter().for_each(|&child| self.branch(ui, child, steps - 1, studio, words)));
        });
    }
}
