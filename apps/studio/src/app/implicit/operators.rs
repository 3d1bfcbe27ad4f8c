//! Operators by name: who has which, and the colours of their bones.

use super::{super::Words, volumes::operator_of};
use crate::model::{Command, Edit};
use eframe::egui::{self, Color32, RichText, Ui};
use glam::Vec3;
use supple::{
    deform::implicit::Implicit,
    field::{Body, Kind, Operator},
    rig::Rig,
};
use supple_render::color;

/// Operators by name, and the colours of their bones.
const OPERATORS: [(&str, Vec3, &str); 5] = [
    ("union", Vec3::new(0.30, 0.36, 0.48), "a sharp crease"),
    ("blend", Vec3::new(0.10, 0.58, 0.22), "a smooth fillet at small angles, a crease from 90 degrees on"),
    ("bulge", Vec3::new(0.72, 0.06, 0.40), "skin swells round the contact"),
    ("finger", Vec3::new(0.32, 0.14, 0.80), "a bulge that is whole from 67.5 degrees on"),
    ("blend-bulge", Vec3::new(0.80, 0.66, 0.06), "a fillet first, a bulge later"),
];

pub fn set_operator(
    joint: Option<&str>,
    node: &str,
    operator: Option<Operator>,
    implicit: &Implicit,
    words: &mut Words,
) {
    match joint {
        Some(joint) => {
            let mut settings = implicit.joints.get(joint).cloned().unwrap_or_default();
            settings.operator = operator;
            words.edit(Edit::Joint { joint: joint.to_owned(), settings: Some(settings.into()) });
        }
        None => {
            let value = operator.and_then(|o| serde_json::to_value(o).ok());
            words.edit(Edit::Setting { node: Some(node.to_owned()), key: "operator".into(), value });
        }
    }
}

/// The operator of all joints, and of the selected one.
pub fn show(ui: &mut Ui, implicit: &Implicit, node: &str, selected: Option<&str>, words: &mut Words) {
    egui::Grid::new("operators").num_columns(2).show(ui, |ui| {
        ui.label("all joints");
        let all = name_of(&implicit.operator);
        if let Some(Some(chosen)) = choose(ui, "all", Some(all), None) {
            set_operator(None, node, Operator::preset(chosen), implicit, words);
            words.say(Command::Settle);
        }
        ui.end_row();
        let Some(joint) = selected else { return };
        ui.label(joint);
        let own = implicit.joints.get(joint).and_then(|s| s.operator);
        if let Some(chosen) = choose(ui, "own", own.as_ref().map(name_of), Some(all)) {
            set_operator(Some(joint), node, chosen.and_then(Operator::preset), implicit, words);
            words.say(Command::Settle);
        }
        ui.end_row();
    });
    if selected.is_none() {
        ui.label(RichText::new("select a joint to give it an operator of its own").size(11.5).weak());
    }
}

/// A list of operators; with `all`, one that says as all.
fn choose<'a>(ui: &mut Ui, id: &str, now: Option<&'a str>, all: Option<&str>) -> Option<Option<&'a str>> {
    let as_all = format!("as all ({})", all.unwrap_or_default());
    let mut chosen = None;
    egui::ComboBox::from_id_salt(("operator", id)).selected_text(now.unwrap_or(&as_all)).width(140.0).show_ui(
        ui,
        |ui| {
            if all.is_some() && ui.selectable_label(now.is_none(), &as_all).clicked() {
                chosen = Some(None);
            }
            for (name, _, help) in OPERATORS {
                if ui.selectable_label(now == Some(name), name).on_hover_text(help).clicked() {
                    chosen = Some(Some(name));
                }
            }
        },
    );
    chosen.filter(|c| *c != now)
}

/// Which colour means what.
pub fn legend(ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (name, color, help) in OPERATORS {
            dot(ui, color, name).on_hover_text(help);
        }
    });
}

/// The name under which an operator is listed: that of its preset, or of its kind where its numbers are its own.
pub fn name_of(operator: &Operator) -> &'static str {
    let exact = OPERATORS.iter().find(|(name, ..)| Operator::preset(name).as_ref() == Some(operator));
    match operator.kind {
        _ if exact.is_some() => exact.map_or("union", |o| o.0),
        Kind::Union => "union",
        Kind::Blend => "blend",
        Kind::Bulge => "bulge",
        Kind::BlendBulge => "blend-bulge",
    }
}

/// The colour of every joint's operator.
pub fn joint_colors(rig: &Rig, body: &Body, implicit: &Implicit) -> Vec<Vec3> {
    // Joints without two limbs have no operator.
    let mut colors = vec![Vec3::splat(0.42); rig.skeleton.len()];
    for joint in body.pairs.iter().filter_map(|p| p.joint) {
        let name = name_of(&operator_of(implicit, &rig.skeleton.joints()[joint].name));
        colors[joint] = OPERATORS.iter().find(|o| o.0 == name).map_or(colors[joint], |o| o.1);
    }
    colors
}

/// A word with a dot of its colour before it. Drawn, because not every font has one.
pub fn dot(ui: &mut Ui, color: Vec3, word: &str) -> egui::Response {
    let text = egui::WidgetText::from(RichText::new(word).size(11.5));
    let galley = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Body);
    let (rect, response) = ui.allocate_exact_size(galley.size() + egui::vec2(13.0, 0.0), egui::Sense::hover());
    let color = color32(color);
    ui.painter().circle_filled(egui::pos2(rect.min.x + 5.0, rect.center().y), 4.0, color);
    ui.painter().galley(rect.min + egui::vec2(13.0, 0.0), galley, ui.visuals().text_color());
    response
}

/// A linear colour as widgets take it.
fn color32(linear: Vec3) -> Color32 {
    let [r, g, b, _] = color::pixel(linear);
    Color32::from_rgb(r, g, b)
}
