//! Samples of the selected joint's limb, on the skin as it stands: selected, dragged over it, removed, added.

use super::super::{
    Words,
    tool::{Phase, Touch},
};
use crate::{
    model::{Command, Edit, Mark, Sampled},
    studio::Studio,
    viewport::{Layer, pick},
};
use eframe::egui::{self, Key, RichText, Ui};
use glam::Vec3;
use supple::{
    deform::implicit::{Implicit, JointSettings},
    field::{Body, Point, samples},
    pose::Motion,
};

const SAMPLE: Vec3 = Vec3::new(0.08, 0.45, 0.95);
const MOVED: Vec3 = Vec3::new(0.2, 0.75, 0.35);
const ADDED: Vec3 = Vec3::new(0.75, 0.2, 0.85);
const CAP: Vec3 = Vec3::new(0.75, 0.03, 0.03);
const CHOSEN: Vec3 = Vec3::new(1.0, 0.6, 0.06);
/// How near the mouse must be to a sample, in points.
const REACH: f32 = 12.0;

/// See the module.
#[derive(Default)]
pub struct SampleTool {
    pub on: bool,
    chosen: Option<Mark>,
    held: Option<Mark>,
    shown: Option<Shown>,
}

/// What is on the skin now.
struct Shown {
    joint: usize,
    name: String,
    settings: JointSettings,
    plain: Vec<Point>,
    samples: Vec<Sampled>,
}

impl SampleTool {
    pub fn show(
        &mut self,
        ui: &mut Ui,
        studio: &mut Studio,
        implicit: &Implicit,
        plain: Option<&Body>,
        motion: &Motion,
        words: &mut Words,
    ) {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Samples").strong());
            let title = if self.on { "shown" } else { "show and edit" };
            ui.toggle_value(&mut self.on, title);
        });
        let was = self.shown.take();
        if !self.on {
            return;
        }
        studio.drawn.extras.no_ring = true;
        let Some(document) = &studio.open.document else { return };
        let Some((joint, name)) =
            studio.open.selected.and_then(|j| Some((j, document.rig().skeleton.joints().get(j)?.name.clone())))
        else {
            ui.label(RichText::new("select a joint to see the samples of its limb").size(11.5).weak());
            return;
        };
        if was.is_some_and(|w| w.joint != joint) {
            self.chosen = None;
        }
        let Some(body) = plain else {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak("sampling…");
            });
            return;
        };
        let Some(limb) = body.limbs.iter().find(|l| l.limb.joint == joint) else {
            ui.label(RichText::new(format!("{name} has no volume of its own")).size(11.5).weak());
            return;
        };
        let settings = implicit.joints.get(&name).cloned().unwrap_or_default();
        let shown = Sampled::all(&limb.samples, &settings);
        let caps = samples::caps(&limb.limb, implicit.sampling.cap * settings.cap.unwrap_or(1.0));
        self.draw(studio, &shown, &caps, joint, motion);
        let shown = Shown { joint, name, settings, plain: limb.samples.clone(), samples: shown };
        self.words(ui, &shown, caps.len(), words);
        self.shown = Some(shown);
        self.keys(ui, studio, words);
    }

    fn draw(&self, studio: &mut Studio, shown: &[Sampled], caps: &[Point], joint: usize, motion: &Motion) {
        let (overlay, scale) = (&mut studio.drawn.extras.overlay, studio.sight.scale);
        let Some(by) = motion.exact.get(joint) else { return };
        let mut dot = |p: &Point, color: Vec3, size: f32| {
            let at = by.transform_point3(p.at).as_vec3();
            overlay.spot(at, Vec3::splat(0.01).extend(1.0), (size + 3.0) * scale, Layer::Through);
            overlay.spot(at, color.extend(1.0), size * scale, Layer::Through);
        };
        caps.iter().for_each(|cap| dot(cap, CAP, 9.0));
        for sample in shown {
            let (color, size) = match sample.mark {
                mark if self.chosen == Some(mark) => (CHOSEN, 12.0),
                Mark::Added(_) => (ADDED, 8.0),
                Mark::Own(_) if sample.is_moved => (MOVED, 8.0),
                Mark::Own(_) => (SAMPLE, 7.0),
            };
            dot(&sample.point, color, size);
        }
    }

    fn words(&mut self, ui: &mut Ui, shown: &Shown, caps: usize, words: &mut Words) {
        let Shown { name, settings, plain, samples, .. } = shown;
        let JointSettings { remove, moved, add, .. } = settings;
        let counts = format!("{} samples, {caps} caps", samples.len());
        let edits = format!("{} removed, {} moved, {} added", remove.len(), moved.len(), add.len());
        ui.label(RichText::new(format!("{counts}; {edits}")).size(11.5));
        for line in settings.fates(plain).1 {
            ui.label(RichText::new(line).size(11.5).color(ui.visuals().warn_fg_color));
        }
        ui.horizontal_wrapped(|ui| {
            for (color, word) in [(SAMPLE, "sample"), (MOVED, "moved"), (ADDED, "added"), (CAP, "cap")] {
                super::operators::dot(ui, color, word);
            }
        });
        self.chosen = self.chosen.filter(|mark| samples.iter().any(|s| s.mark == *mark));
        let chosen = match self.chosen {
            Some(Mark::Own(number)) => format!("sample {number} is selected"),
            Some(Mark::Added(number)) => format!("added sample {number} is selected"),
            None => "none is selected".to_owned(),
        };
        ui.label(RichText::new(chosen).size(11.5));
        ui.horizontal(|ui| {
            if ui.add_enabled(self.chosen.is_some(), egui::Button::new("remove").small()).clicked() {
                self.remove(shown, words);
            }
            let edited = !(remove.is_empty() && moved.is_empty() && add.is_empty());
            if ui.add_enabled(edited, egui::Button::new("reset samples").small()).clicked() {
                let settings = JointSettings { operator: settings.operator, cap: settings.cap, ..Default::default() };
                words.edit(Edit::Joint { joint: name.clone(), settings: Some(settings.into()) });
                words.say(Command::Settle);
            }
        });
        let help = "click selects, drag moves over the skin, Delete removes; double click or Alt + click adds one";
        ui.label(RichText::new(help).size(11.5).weak());
    }

    fn keys(&mut self, ui: &Ui, studio: &mut Studio, words: &mut Words) {
        studio.drawn.extras.takes_delete = self.chosen.is_some();
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        if ui.input(|i| i.key_pressed(Key::Delete) || i.key_pressed(Key::Backspace))
            && let Some(shown) = self.shown.take()
        {
            self.remove(&shown, words);
            self.shown = Some(shown);
        }
    }

    fn remove(&mut self, shown: &Shown, words: &mut Words) {
        let Some(mark) = self.chosen.take() else { return };
        let settings = Some(mark.removed(&shown.settings, &shown.plain).into());
        words.edit(Edit::Joint { joint: shown.name.clone(), settings });
        words.say(Command::Settle);
    }

    pub fn touch(&mut self, touch: &Touch<'_>, words: &mut Words) -> bool {
        let Some(Shown { joint, name, settings, plain, samples }) = self.shown.as_ref().filter(|_| self.on) else {
            return false;
        };
        let Some(by) = touch.motion.exact.get(*joint).copied() else { return false };
        let say = |words: &mut Words, settings: JointSettings| {
            words.edit(Edit::Joint { joint: name.clone(), settings: Some(settings.into()) });
        };
        let under = || {
            // Those on the other side of the limb are seen through it, but not meant.
            let faces = |s: &&Sampled| {
                let (at, out) = (by.transform_point3(s.point.at), by.transform_vector3(s.point.normal));
                out.as_vec3().dot(touch.camera.towards(at.as_vec3())) > -0.2
            };
            let near: Vec<&Sampled> = samples.iter().filter(faces).collect();
            let places: Vec<Vec3> = near.iter().map(|s| by.transform_point3(s.point.at).as_vec3()).collect();
            pick::point(touch.camera, touch.size, touch.at, &places, REACH).map(|i| near[i].mark)
        };
        // Back to rest, where samples live.
        let on_skin = || {
            let hit = touch.skin?.hit;
            let rest_from_posed = by.inverse();
            let normal = rest_from_posed.transform_vector3(hit.normal.as_dvec3()).try_normalize()?;
            let at = rest_from_posed.transform_point3(hit.position.as_dvec3());
            at.is_finite().then_some(Point { at, normal })
        };
        match touch.phase {
            Phase::Hover | Phase::Leave => false,
            Phase::Press => {
                self.held = under();
                self.chosen = self.held.or(self.chosen);
                self.held.is_some()
            }
            Phase::Drag => {
                if let (Some(mark), Some(to)) = (self.held, on_skin()) {
                    say(words, mark.moved(settings, plain, to));
                }
                true
            }
            Phase::Release => {
                self.held = None;
                words.say(Command::Settle);
                true
            }
            Phase::Click | Phase::DoubleClick => {
                let adds = touch.alt || touch.phase == Phase::DoubleClick;
                if let Some(mark) = under().filter(|_| !touch.alt) {
                    self.chosen = Some(mark);
                    return true;
                }
                let Some(at) = on_skin() else { return adds };
                self.chosen = None;
                if adds {
                    let (settings, mark) = Mark::added(settings, plain, at);
                    say(words, settings);
                    words.say(Command::Settle);
                    self.chosen = Some(mark);
                }
                true
            }
        }
    }
}
