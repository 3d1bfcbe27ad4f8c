//! Joints put elsewhere at rest: dragged in the plane of the screen, with the skin standing as it does before binding.

use super::super::{
    Words,
    tool::{Phase, Touch},
};
use crate::{
    model::{Command, Edit},
    studio::Studio,
    viewport::{
        Layer,
        pick::{self, Ray},
    },
};
use eframe::egui::{RichText, Ui};
use glam::{DVec3, Vec3};

/// How near the mouse must be to a joint to take it, in points.
const REACH: f32 = 14.0;
const JOINT: Vec3 = Vec3::new(0.85, 0.87, 0.92);
const MOVED: Vec3 = Vec3::new(0.2, 0.75, 0.35);
const CHOSEN: Vec3 = Vec3::new(1.0, 0.42, 0.06);

/// See the module.
#[derive(Default)]
pub struct JointTool {
    /// The joint, and from the mouse to it.
    held: Option<(usize, Vec3)>,
    hot: Option<usize>,
    /// Where the mouse has it, while the rig is being prepared.
    wanted: Option<Vec3>,
}

impl JointTool {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        (studio.drawn.extras.at_rest, studio.drawn.extras.no_ring) = (true, true);
        let Some(document) = &studio.open.document else { return };
        let (rig, moved) = (document.rig().clone(), document.project().skeleton.moved.clone());
        ui.label(RichText::new("drag a joint; its children stay where they are").size(11.5).weak());
        let selected = studio.open.selected.and_then(|j| rig.skeleton.joints().get(j)).map(|j| j.name.clone());
        let back = |words: &mut Words, joint: &str| {
            words.edit(Edit::MoveJoint { joint: joint.to_owned(), to: None });
            words.say(Command::Settle);
        };
        if moved.is_empty() {
            ui.label(RichText::new("no joint is moved").size(11.5).weak());
        }
        for name in moved.keys() {
            ui.horizontal(|ui| {
                let text = RichText::new(name);
                if ui.selectable_label(selected.as_ref() == Some(name), text).clicked() {
                    words.say(Command::Select { joint: Some(name.clone()) });
                }
                if ui.small_button("back where it was").clicked() {
                    back(words, name);
                }
            });
        }
        for (i, joint) in rig.skeleton.joints().iter().enumerate() {
            let held = self.held.is_some_and(|(j, _)| j == i);
            let at = self.wanted.filter(|_| held).unwrap_or(joint.rest_position().as_vec3());
            let color = match (studio.open.selected == Some(i), moved.contains_key(&joint.name)) {
                (true, _) => CHOSEN,
                (false, true) => MOVED,
                (false, false) => JOINT,
            };
            let (size, scale) = (if self.hot == Some(i) || held { 15.0 } else { 10.0 }, studio.sight.scale);
            studio.drawn.extras.overlay.spot(at, Vec3::splat(0.02).extend(0.9), (size + 3.0) * scale, Layer::Over);
            studio.drawn.extras.overlay.spot(at, color.extend(1.0), size * scale, Layer::Over);
        }
    }

    pub fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool {
        let Some(document) = &studio.open.document else { return false };
        let joints = document.rig().skeleton.joints();
        let places: Vec<Vec3> = joints.iter().map(|j| j.rest_position().as_vec3()).collect();
        let under = || pick::point(touch.camera, touch.size, touch.at, &places, REACH);
        match touch.phase {
            Phase::Hover => {
                self.hot = under();
                false
            }
            Phase::Leave => {
                self.hot = None;
                false
            }
            Phase::Press => {
                let Some(joint) = under() else { return false };
                let Some(at) = in_plane(touch, places[joint]) else { return false };
                self.held = Some((joint, places[joint] - at));
                self.wanted = Some(places[joint]);
                studio.open.selected = Some(joint);
                true
            }
            Phase::Drag => {
                let Some((joint, offset)) = self.held.filter(|(j, _)| *j < joints.len()) else { return false };
                // The plane stays the one the drag began in: the joint moves within it.
                let Some(at) = in_plane(touch, self.wanted.unwrap_or(places[joint])) else { return true };
                let to = at + offset;
                if Some(to) != self.wanted {
                    self.wanted = Some(to);
                    let to: DVec3 = to.as_dvec3();
                    words.edit(Edit::MoveJoint { joint: joints[joint].name.clone(), to: Some(to.to_array()) });
                }
                true
            }
            Phase::Release => {
                (self.held, self.wanted) = (None, None);
                words.say(Command::Settle);
                true
            }
            Phase::Click | Phase::DoubleClick => {
                let joint = under().map(|j| joints[j].name.clone());
                let taken = joint.is_some();
                if taken {
                    words.say(Command::Select { joint });
                }
                taken
            }
        }
    }
}

/// Where the mouse is in the plane through a point that is parallel to the screen.
fn in_plane(touch: &Touch<'_>, through: Vec3) -> Option<Vec3> {
    let forward = (touch.camera.target - touch.camera.eye).normalize_or(Vec3::NEG_Z);
    let ray: Ray = touch.ray();
    ray.plane(through, forward).map(|along| ray.at(along))
}
