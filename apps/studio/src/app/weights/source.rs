//! Where weights come from, and the K of flexible ones.

use super::super::Words;
use crate::{
    model::{Command, Edit, SkinView},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui};
use supple::{
    project::WeightSource,
    weights::flexible::{Distance, Ramp},
};

/// Widest overlap of the slider.
const MOST_K: f64 = 2.0;

pub fn show(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let Some(document) = &studio.open.document else { return };
    let has_own = document.file().weights.is_some() && document.project().skeleton.template.is_none();
    // Weights of the file mean nothing on another skeleton: bone heat stands in for them.
    let now = match &document.project().weights.source {
        WeightSource::File if document.project().skeleton.template.is_some() => &WeightSource::heat(),
        source => source,
    };
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
            let source = document.project().weights.as_left(&source);
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
    ui.horizontal_wrapped(|ui| {
        for (view, title) in [(SkinView::Weights, "Show weights"), (SkinView::SharedWeights, "Show shared weights")] {
            let on = studio.sight.view == view;
            if ui.selectable_label(on, title).clicked() {
                words.say(Command::Show { view: if on { SkinView::Shaded } else { view } });
            }
        }
    });
}

fn flexible(ui: &mut Ui, studio: &Studio, now: &WeightSource, words: &mut Words) {
    let WeightSource::Flexible { k, joints, distance, ramp } = now else { return };
    let slider = |ui: &mut Ui, k: &mut f64| {
        let slider = egui::Slider::new(k, 0.0..=MOST_K).logarithmic(true).smallest_positive(0.02).max_decimals(2);
        ui.add(slider).on_hover_text("how wide joints overlap, in diameters of the limb: 0 is wood, 1 and more rubber")
    };
    let mut all = *k;
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
    let skeleton = studio.open.document.as_ref().map(|d| &d.rig().skeleton);
    if let Some(joint) = studio.open.selected.and_then(|j| skeleton?.joints().get(j)) {
        let own = joints.get(&joint.name).copied();
        ui.label(format!("K of {}", joint.name));
        ui.horizontal(|ui| {
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
