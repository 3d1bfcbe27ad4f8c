//! What implicit skinning lets a joint have of its own: the operator and its curve, the cap, samples; and what can be
//! seen of it: a section through the volumes, and where limbs touch.

mod contact;
mod operators;
mod plot;
mod samples;
mod section;
mod square;
mod volumes;

use super::{
    Words,
    own::OwnPanel,
    tool::{Phase, Tool, Touch},
};
use crate::{
    model::{Command, Curve, Edit},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui};
use operators::{joint_colors, legend, name_of, set_operator};
use plot::ThetaPlot;
use samples::SampleTool;
use section::SectionTool;
use supple::{
    deform::{
        implicit::{Implicit, JointSettings},
        setting::Setting,
    },
    field::{Body, Kind, Opening, Operator, operator::LARGEST_SIZE},
    graph::NodeFile,
    pose::Motion,
};
use volumes::{Volumes, operator_of, plain, shapes};

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

impl OwnPanel for LimbsPanel {
    fn show(&mut self, ui: &mut Ui, node: &NodeFile, studio: &mut Studio, words: &mut Words) {
        let Some(rig) = studio.open.document.as_ref().map(|document| document.rig().clone()) else { return };
        let Ok(implicit) = Implicit::from_settings(&node.settings) else {
            ui.colored_label(ui.visuals().error_fg_color, "the settings of implicit skinning cannot be read");
            return;
        };
        let Some(motion) = studio.motion() else { return };
        let unedited = self.plain.want(&rig, plain(&implicit), &studio.drawn.stages[0], &studio.work.wake);
        let unedited = match unedited {
            Some(Err(error)) => {
                ui.colored_label(ui.visuals().warn_fg_color, error);
                None
            }
            Some(Ok(body)) => Some(body),
            None => None,
        };
        if let Some(body) = unedited.as_deref() {
            studio.drawn.extras.joint_colors = Some(joint_colors(&rig, body, &implicit));
        }
        let selected = studio.open.selected.and_then(|j| rig.skeleton.joints().get(j)).map(|j| j.name.clone());
        let angle = studio.open.selected.zip(unedited.as_deref()).and_then(|(j, body)| angles(body, j, &motion));
        operators::show(ui, &implicit, &node.name, selected.as_deref(), words);
        legend(ui);
        let scope = Scope {
            operator: selected.as_ref().map_or(implicit.operator, |name| operator_of(&implicit, name)),
            joint: selected,
            node: node.name.clone(),
        };
        self.curve(ui, &implicit, &scope, angle.map(|a| a.between), words);
        cap(ui, &implicit, &scope, words);
        ui.separator();
        self.samples.show(ui, studio, &implicit, unedited.as_deref(), &motion, words);
        ui.separator();
        let stage = &studio.drawn.stages[0];
        let real = self.section.on.then(|| self.real.want(&rig, shapes(&implicit), stage, &studio.work.wake)).flatten();
        self.section.show(ui, studio, real.and_then(Result::ok).as_ref(), &motion);
        ui.separator();
        contact::show(ui, studio, scope.joint.as_deref(), angle.map(|a| a.bend), words);
        if self.plain.is_busy() || self.real.is_busy() || self.section.is_busy() {
            ui.ctx().request_repaint();
        }
    }
}

impl LimbsPanel {
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
                let slider = egui::Slider::new(&mut slope, Opening::SLOPES).logarithmic(true).max_decimals(2);
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
    fn asks_skin(&self, phase: Phase, _: &Studio) -> Option<f32> {
        let asks = self.samples.on && matches!(phase, Phase::Drag | Phase::Click | Phase::DoubleClick);
        asks.then_some(0.0)
    }

    fn touch(&mut self, touch: &Touch<'_>, _: &mut Studio, words: &mut Words) -> bool {
        self.samples.touch(touch, words)
    }
}

impl Scope {
    fn put(&self, operator: Operator, implicit: &Implicit, words: &mut Words) {
        set_operator(self.joint.as_deref(), &self.node, Some(operator), implicit, words);
    }
}

fn cap(ui: &mut Ui, implicit: &Implicit, scope: &Scope, words: &mut Words) {
    let Some(joint) = &scope.joint else { return };
    let settings = implicit.joints.get(joint).cloned().unwrap_or_default();
    let known = Setting::named(Implicit::OF_A_JOINT, "cap").expect("the schema has it");
    let Some((range, default)) = known.range().zip(known.default_value().and_then(|v| v.as_f64())) else { return };
    let mut value = settings.cap.unwrap_or(default);
    ui.horizontal(|ui| {
        ui.label("caps").on_hover_text("how far they lie beyond their joints; less makes joints thinner and sharper");
        let slider = ui.add(egui::Slider::new(&mut value, range.least..=range.most).max_decimals(2));
        if slider.changed() {
            let settings = JointSettings { cap: Some(value), ..settings.clone() };
            words.edit(Edit::Joint { joint: joint.clone(), settings: Some(settings.into()) });
        }
        if slider.drag_stopped() {
            words.say(Command::Settle);
        }
        if settings.cap.is_some() && ui.small_button("reset").clicked() {
            let settings = JointSettings { cap: None, ..settings };
            words.edit(Edit::Joint { joint: joint.clone(), settings: Some(settings.into()) });
            words.say(Command::Settle);
        }
    });
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
