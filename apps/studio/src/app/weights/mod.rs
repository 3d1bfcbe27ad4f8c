//! Where weights come from, and the tools that change them by hand: a brush, and joints that are moved before binding.

mod brush;
mod joints;

use super::{
    Words,
    tool::{Tool, Touch},
};
use crate::{
    model::{Command, Edit, SkinView},
    studio::Studio,
};
use brush::BrushTool;
use eframe::egui::{self, RichText, Ui};
use joints::JointTool;
use supple::{
    fit::Template,
    project::WeightSource,
    weights::flexible::{Distance, Ramp},
};

/// What is in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InHand {
    #[default]
    Nothing,
    Joints,
    Brush,
}

/// See the module.
#[derive(Default)]
pub struct WeightsPanel {
    in_hand: InHand,
    brush: BrushTool,
    joints: JointTool,
    /// How skin was drawn before the brush was taken.
    view_before: Option<SkinView>,
}

/// Widest overlap of the slider.
const MOST_K: f64 = 2.0;

const TEMPLATES: [(Option<Template>, &str, &str); 4] = [
    (None, "the file's own", "the joints as they were read"),
    (Some(Template::Human), "human", "a standing person: 23 joints"),
    (Some(Template::Quadruped), "quadruped", "an animal on four legs"),
    (Some(Template::Hand), "hand", "one hand"),
];

impl WeightsPanel {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        let Some(document) = &studio.document else { return };
        let bare = document.rig().skeleton.is_empty();
        if let Some(what) = studio.preparing() {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak(format!("{what}…"));
            });
        }
        if bare {
            ui.heading("No skeleton yet");
            ui.label("This mesh has no joints. Lay a standard skeleton into it, then move what lies wrong.");
            template(ui, studio, words);
            return;
        }
        source(ui, studio, words);
        ui.separator();
        self.tools(ui, studio, words);
        ui.separator();
        ui.label(RichText::new("Skeleton").strong());
        template(ui, studio, words);
        notes(ui, studio);
    }

    fn tools(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        ui.label(RichText::new("Tools").strong());
        let mut wanted = self.in_hand;
        ui.horizontal(|ui| {
            for (tool, title, help) in [
                (InHand::Nothing, "Pose", "turn joints, as elsewhere"),
                (InHand::Brush, "Paint", "change the weight of the selected joint by hand"),
                (InHand::Joints, "Move joints", "put joints elsewhere at rest, before anything is bound"),
            ] {
                if ui.selectable_label(wanted == tool, title).on_hover_text(help).clicked() {
                    wanted = tool;
                }
            }
        });
        self.take(wanted, studio.view, words);
        match self.in_hand {
            InHand::Nothing => {}
            InHand::Brush => self.brush.show(ui, studio, words),
            InHand::Joints => self.joints.show(ui, studio, words),
        }
    }

    /// Takes a tool; the brush shows what it paints, and what was shown before comes back after it.
    fn take(&mut self, wanted: InHand, now: SkinView, words: &mut Words) {
        if wanted == self.in_hand {
            return;
        }
        if wanted == InHand::Brush {
            self.view_before = Some(now);
            words.say(Command::Show { view: SkinView::Weights });
        } else if let Some(view) = self.view_before.take() {
            words.say(Command::Show { view });
        }
        self.in_hand = wanted;
    }

    /// Puts the tools away when another panel is looked at.
    pub fn leave_unless(&mut self, shown: bool, words: &mut Words) {
        if !shown {
            self.take(InHand::Nothing, SkinView::default(), words);
        }
    }
}

impl Tool for WeightsPanel {
    fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool {
        match self.in_hand {
            InHand::Nothing => false,
            InHand::Brush => self.brush.touch(touch, studio, words),
            InHand::Joints => self.joints.touch(touch, studio, words),
        }
    }
}

fn source(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let Some(document) = &studio.document else { return };
    let now = &document.project().weights.source;
    let has_own = document.file().weights.is_some() && document.project().skeleton.template.is_none();
    ui.heading("Weights");
    let choices = [
        (WeightSource::File, "from the file", "what an artist made there; nothing is computed"),
        (WeightSource::heat(), "bone heat", "soft weights for a skin that has none, from how near bones are"),
        (WeightSource::flexible(), "flexible", "joints from wood to rubber by one number, K"),
    ];
    for (source, title, help) in choices {
        let chosen = std::mem::discriminant(now) == std::mem::discriminant(&source);
        let enabled = has_own || source != WeightSource::File;
        let response = ui.add_enabled(enabled, egui::RadioButton::new(chosen, title)).on_hover_text(help);
        if response.clicked() && !chosen {
            words.edit(Edit::Weights { source });
            words.say(Command::Settle);
        }
        if chosen {
            ui.label(RichText::new(help).size(11.5).weak());
        }
    }
    match now {
        WeightSource::Flexible { .. } => flexible(ui, studio, now, words),
        WeightSource::Heat { influences } => {
            let mut most = *influences;
            let slider = ui.add(egui::Slider::new(&mut most, 1..=12).text("joints for a vertex, at most"));
            if slider.changed() {
                words.edit(Edit::Weights { source: WeightSource::Heat { influences: most } });
            }
            if slider.drag_stopped() {
                words.say(Command::Settle);
            }
        }
        WeightSource::File => {}
    }
    ui.horizontal(|ui| {
        for (view, title) in [(SkinView::Weights, "Show weights"), (SkinView::Overlaps, "Show overlaps")] {
            let on = studio.view == view;
            if ui.selectable_label(on, title).clicked() {
                words.say(Command::Show { view: if on { SkinView::Shaded } else { view } });
            }
        }
    });
    if studio.view == SkinView::Overlaps {
        ui.label(RichText::new("dark belongs to one joint; the lighter, the more joints share it").size(11.5).weak());
    }
}

fn flexible(ui: &mut Ui, studio: &Studio, now: &WeightSource, words: &mut Words) {
    let WeightSource::Flexible { k, joints, distance, ramp } = now else { return };
    let slider = |ui: &mut Ui, k: &mut f64| {
        let slider = egui::Slider::new(k, 0.0..=MOST_K).logarithmic(true).smallest_positive(0.02).max_decimals(2);
        ui.add(slider).on_hover_text("how wide joints overlap, in diameters of the limb: 0 is wood, 1 and more rubber")
    };
    let mut all = *k;
    // Room for a button beside the longest name that is usual.
    ui.spacing_mut().slider_width = 78.0;
    ui.horizontal(|ui| {
        ui.label("K of all");
        let response = slider(ui, &mut all);
        if response.changed() {
            words.edit(Edit::K { k: all });
        }
        if response.drag_stopped() || response.lost_focus() {
            words.say(Command::Settle);
        }
    });
    let skeleton = studio.document.as_ref().map(|d| &d.rig().skeleton);
    if let Some(joint) = studio.selected.and_then(|j| skeleton?.joints().get(j)) {
        let own = joints.get(&joint.name).copied();
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("K of {}", joint.name));
            let mut value = own.unwrap_or(*k);
            let response = slider(ui, &mut value);
            if response.changed() {
                words.edit(Edit::JointK { joint: joint.name.clone(), k: Some(value) });
            }
            if response.drag_stopped() || response.lost_focus() {
                words.say(Command::Settle);
            }
            if ui.add_enabled(own.is_some(), egui::Button::new("as all").small()).clicked() {
                words.edit(Edit::JointK { joint: joint.name.clone(), k: None });
                words.say(Command::Settle);
            }
        });
    } else {
        ui.label(RichText::new("select a joint to give it a K of its own").size(11.5).weak());
    }
    if !joints.is_empty() {
        let list: Vec<String> = joints.iter().map(|(name, k)| format!("{name} {k:.2}")).collect();
        ui.label(RichText::new(format!("of their own: {}", list.join(", "))).size(11.5).weak());
    }
    let (mut d, mut r) = (*distance, *ramp);
    egui::Grid::new("flexible").num_columns(2).show(ui, |ui| {
        ui.label("distance").on_hover_text("what is measured from the borders of the regions");
        ui.horizontal(|ui| {
            for (value, title, help) in [
                (Distance::Euclidean, "air", "straight through the air: fastest, and wrong across gaps"),
                (Distance::Geodesic, "skin", "along the skin"),
                (Distance::Harmonic, "smooth", "along the skin, and smoother than the skin"),
            ] {
                ui.selectable_value(&mut d, value, title).on_hover_text(help);
            }
        });
        ui.end_row();
        ui.label("ramp").on_hover_text("how a weight falls across an overlap");
        ui.horizontal(|ui| {
            ui.selectable_value(&mut r, Ramp::Cubic, "cubic").on_hover_text("level at both ends: no crease");
            ui.selectable_value(&mut r, Ramp::Linear, "linear").on_hover_text("shows where the overlap begins");
        });
        ui.end_row();
    });
    if (d, r) != (*distance, *ramp) {
        let (k, joints) = (*k, joints.clone());
        words.edit(Edit::Weights { source: WeightSource::Flexible { k, joints, distance: d, ramp: r } });
        words.say(Command::Settle);
    }
}

fn template(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let Some(document) = &studio.document else { return };
    let now = document.project().skeleton.template;
    let can_fit = !document.file().mesh.triangles.is_empty();
    ui.horizontal_wrapped(|ui| {
        for (which, title, help) in TEMPLATES {
            let enabled = can_fit || which.is_none();
            let label = egui::Button::selectable(now == which, title);
            if ui.add_enabled(enabled, label).on_hover_text(help).clicked() && now != which {
                words.edit(Edit::Template { template: which });
                words.say(Command::Settle);
            }
        }
    });
    if !can_fit {
        ui.label(RichText::new("a standard skeleton needs a skin of triangles").size(11.5).weak());
    }
}

fn notes(ui: &mut Ui, studio: &Studio) {
    let Some(document) = &studio.document else { return };
    let notes = &document.prepared().notes;
    for note in notes.iter().take(6) {
        ui.colored_label(ui.visuals().warn_fg_color, RichText::new(note).size(11.5));
    }
    if notes.len() > 6 {
        ui.weak(format!("and {} more", notes.len() - 6));
    }
}
