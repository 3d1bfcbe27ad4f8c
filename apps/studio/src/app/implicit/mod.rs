//! What implicit skinning lets a joint have of its own: the operator and its curve, the cap, samples; and what can be
//! seen of it: a section through the volumes, and where limbs touch.

mod contact;
mod plot;
mod samples;
mod section;
mod volumes;

use super::{
    Words,
    tool::{Tool, Touch},
};
use crate::{
    model::{Command, Curve, Edit},
    studio::Studio,
};
use eframe::egui::{self, Color32, RichText, Ui};
use glam::Vec3;
use plot::ThetaPlot;
use samples::SampleTool;
use section::SectionTool;
use supple::{
    deform::implicit::Implicit,
    field::{Body, Kind, Operator, operator::LARGEST_SIZE},
    pose::Motion,
};
use supple_render::color;
use volumes::{Volumes, operator_of, plain, shapes};

/// Operators by name, and the colours of their bones.
const OPERATORS: [(&str, Vec3, &str); 5] = [
    ("union", Vec3::new(0.30, 0.36, 0.48), "a sharp crease"),
    ("blend", Vec3::new(0.10, 0.58, 0.22), "a smooth fillet at small angles, a crease from 90 degrees on"),
    ("bulge", Vec3::new(0.72, 0.06, 0.40), "skin swells round the contact"),
    ("finger", Vec3::new(0.32, 0.14, 0.80), "a bulge that is whole from 67.5 degrees on"),
    ("blend-bulge", Vec3::new(0.80, 0.66, 0.06), "a fillet first, a bulge later"),
];

/// See the module.
#[derive(Default)]
pub struct LimbsPanel {
    plain: Volumes,
    real: Volumes,
    plot: ThetaPlot,
    /// Of a blend-bulge, the curve of the bulge is looked at.
    contact: bool,
    samples: SampleTool,
    section: SectionTool,
}

/// What is edited: a joint, or all that have nothing of their own.
struct Scope {
    joint: Option<String>,
    node: String,
    operator: Operator,
}

impl LimbsPanel {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        ui.heading("Limbs");
        let Some(document) = &studio.document else { return };
        let node = document.project().graph.nodes.iter().rfind(|n| n.method == "implicit");
        let Some(node) = node else {
            ui.label("Limbs are volumes in implicit skinning alone, and the method is another one.");
            if ui.button("Use implicit skinning").clicked() {
                words.edit(Edit::Method { name: "implicit".into() });
                words.say(Command::Settle);
            }
            return;
        };
        let Ok(implicit) = Implicit::from_settings(&node.settings) else {
            ui.colored_label(ui.visuals().error_fg_color, "the settings of implicit skinning cannot be read");
            return;
        };
        let (rig, node) = (document.rig().clone(), node.name.clone());
        let Some(motion) = studio.motion() else { return };
        let unedited = self.plain.want(&rig, plain(&implicit), &studio.wake);
        let unedited = match unedited {
            Some(Err(error)) => {
                ui.colored_label(ui.visuals().warn_fg_color, error);
                None
            }
            Some(Ok(body)) => Some(body),
            None => None,
        };
        if let Some(body) = unedited.as_deref() {
            studio.extras.joint_colors = Some(joint_colors(&rig, body, &implicit));
        }
        let selected = studio.selected.and_then(|j| rig.skeleton.joints().get(j)).map(|j| j.name.clone());
        let angle = studio.selected.zip(unedited.as_deref()).and_then(|(j, body)| angles(body, j, &motion));
        operators(ui, &implicit, &node, selected.as_deref(), words);
        legend(ui);
        let scope = Scope {
            operator: selected.as_ref().map_or(implicit.operator, |name| operator_of(&implicit, name)),
            joint: selected,
            node,
        };
        self.curve(ui, &implicit, &scope, angle.map(|a| a.between), words);
        cap(ui, &implicit, &scope, words);
        ui.separator();
        self.samples.show(ui, studio, &implicit, unedited.as_deref(), &motion, words);
        ui.separator();
        let real = self.section.on.then(|| self.real.want(&rig, shapes(&implicit), &studio.wake)).flatten();
        self.section.show(ui, studio, real.and_then(Result::ok).as_ref(), &motion);
        ui.separator();
        contact::show(ui, studio, scope.joint.as_deref(), angle.map(|a| a.bend), words);
        if self.plain.is_busy() || self.real.is_busy() || self.section.is_busy() {
            ui.ctx().request_repaint();
        }
    }

    fn curve(&mut self, ui: &mut Ui, implicit: &Implicit, scope: &Scope, now: Option<f64>, words: &mut Words) {
        let operator = scope.operator;
        let whose = scope.joint.as_deref().unwrap_or("all joints");
        if operator.kind == Kind::Union {
            ui.label(RichText::new("a union is sharp at every angle: it has no curve").size(11.5).weak());
            return;
        }
        if matches!(operator.kind, Kind::Bulge | Kind::BlendBulge) {
            let mut size = operator.size;
            let slider = ui.add(egui::Slider::new(&mut size, 0.0..=LARGEST_SIZE).text("size").max_decimals(2));
            if slider.on_hover_text("height of the bulge").changed() {
                scope.put(Operator { size, ..operator }, implicit, words);
            }
        }
        let two = operator.kind == Kind::BlendBulge;
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("θ of {whose}")).strong());
            if two {
                ui.selectable_value(&mut self.contact, false, "blend");
                ui.selectable_value(&mut self.contact, true, "bulge");
            }
            if ui.small_button("reset").on_hover_text("as the preset has it").clicked() {
                let preset = Operator::preset(name_of(&operator)).unwrap_or(Operator::UNION);
                scope.put(preset, implicit, words);
                words.say(Command::Settle);
            }
        });
        let contact = two && self.contact;
        let curve = Curve::of(if contact { operator.contact } else { operator.opening });
        let plotted = self.plot.show(ui, &curve, now);
        let mut next = plotted.curve;
        egui::Grid::new("slopes").num_columns(2).show(ui, |ui| {
            for (i, name) in ["w0", "w1"].into_iter().enumerate() {
                ui.label(name).on_hover_text(["how steep left of the middle handle", "and right of it"][i]);
                let mut slope = curve.slopes[i];
                let slider = egui::Slider::new(&mut slope, crate::model::SLOPES).logarithmic(true).max_decimals(2);
                if ui.add(slider).changed() {
                    next = Some(curve.with_slope(i, slope));
                }
                ui.end_row();
            }
        });
        if let Some(now) = now {
            ui.label(RichText::new(format!("limbs at {now:.0}°, θ {:.1}", curve.theta(now))).size(11.5).weak());
        }
        if let Some(next) = next {
            scope.put(next.put_into(&operator, contact), implicit, words);
        }
        if plotted.settled || ui.input(|i| i.pointer.any_released()) {
            words.say(Command::Settle);
        }
    }
}

impl Tool for LimbsPanel {
    fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool {
        self.samples.touch(touch, studio, words)
    }
}

impl Scope {
    fn put(&self, operator: Operator, implicit: &Implicit, words: &mut Words) {
        set_operator(self.joint.as_deref(), &self.node, Some(operator), implicit, words);
    }
}

fn set_operator(joint: Option<&str>, node: &str, operator: Option<Operator>, implicit: &Implicit, words: &mut Words) {
    match joint {
        Some(joint) => {
            let mut settings = implicit.joints.get(joint).cloned().unwrap_or_default();
            settings.operator = operator;
            words.edit(Edit::Joint { joint: joint.to_owned(), settings: Some(settings) });
        }
        None => {
            let value = operator.and_then(|o| serde_json::to_value(o).ok());
            words.edit(Edit::Setting { node: Some(node.to_owned()), key: "operator".into(), value });
        }
    }
}

/// The operator of all joints, and of the selected one.
fn operators(ui: &mut Ui, implicit: &Implicit, node: &str, selected: Option<&str>, words: &mut Words) {
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

fn legend(ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (name, color, help) in OPERATORS {
            dot(ui, color, name).on_hover_text(help);
        }
    });
}

fn cap(ui: &mut Ui, implicit: &Implicit, scope: &Scope, words: &mut Words) {
    let Some(joint) = &scope.joint else { return };
    let settings = implicit.joints.get(joint).cloned().unwrap_or_default();
    let mut value = settings.cap.unwrap_or(1.0);
    ui.horizontal(|ui| {
        ui.label("caps").on_hover_text("how far they lie beyond their joints; less makes joints thinner and sharper");
        let slider = ui.add(egui::Slider::new(&mut value, 0.0..=4.0).max_decimals(2));
        if slider.changed() {
            let settings = supple::deform::implicit::JointSettings { cap: Some(value), ..settings.clone() };
            words.edit(Edit::Joint { joint: joint.clone(), settings: Some(settings) });
        }
        if slider.drag_stopped() {
            words.say(Command::Settle);
        }
        if settings.cap.is_some() && ui.small_button("reset").clicked() {
            let settings = supple::deform::implicit::JointSettings { cap: None, ..settings };
            words.edit(Edit::Joint { joint: joint.clone(), settings: Some(settings) });
            words.say(Command::Settle);
        }
    });
}

/// The name under which an operator is listed: that of its preset, or of its kind where its numbers are its own.
fn name_of(operator: &Operator) -> &'static str {
    let exact = OPERATORS.iter().find(|(name, ..)| Operator::preset(name).as_ref() == Some(operator));
    match operator.kind {
        _ if exact.is_some() => exact.map_or("union", |o| o.0),
        Kind::Union => "union",
        Kind::Blend => "blend",
        Kind::Bulge => "bulge",
        Kind::BlendBulge => "blend-bulge",
    }
}

fn joint_colors(rig: &supple::rig::Rig, body: &Body, implicit: &Implicit) -> Vec<Vec3> {
    // Joints without two limbs have no operator.
    let mut colors = vec![Vec3::splat(0.42); rig.skeleton.len()];
    for joint in body.pairs.iter().filter_map(|p| p.joint) {
        let name = name_of(&operator_of(implicit, &rig.skeleton.joints()[joint].name));
        colors[joint] = OPERATORS.iter().find(|o| o.0 == name).map_or(colors[joint], |o| o.1);
    }
    colors
}

/// How a joint stands, in degrees.
#[derive(Clone, Copy, Debug)]
struct Angles {
    /// Between its limbs: 0 where they are in line. What operators are asked for.
    between: f64,
    /// From rest.
    bend: f64,
}

fn angles(body: &Body, joint: usize, motion: &Motion) -> Option<Angles> {
    let pair = body.pairs.iter().find(|p| p.joint == Some(joint))?;
    let joints = pair.limbs.map(|l| body.limbs[usize::from(l)].limb.joint);
    let by = [motion.exact.get(joints[0])?, motion.exact.get(joints[1])?];
    let [a, b] = [0, 1].map(|k| by[k].transform_vector3(pair.into[k]));
    let between = (-a).angle_between(b).to_degrees();
    // As the limb it hangs on sees it.
    let child = usize::from(joints[1] == joint);
    let seen = by[1 - child].inverse().transform_vector3(by[child].transform_vector3(pair.into[child]));
    let bend = seen.angle_between(pair.into[child]).to_degrees();
    (between.is_finite() && bend.is_finite()).then_some(Angles { between, bend })
}

/// A word with a dot of its colour before it. Drawn, because not every font has one.
fn dot(ui: &mut Ui, color: Vec3, word: &str) -> egui::Response {
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
