//! The method and its settings, as the registry lists them: a method added there appears here by itself.

mod widget;

use super::{Words, notes, own};
use crate::{
    model::{Command, Edit},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui};
use std::collections::BTreeMap;
use supple::graph::{Kernel, Method, NodeFile, method, methods};
use widget::{Widget, title as title_of};

/// What the panel remembers: texts that are being typed and are not JSON yet.
#[derive(Default)]
pub struct MethodPanel {
    typing: BTreeMap<String, String>,
}

impl MethodPanel {
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, words: &mut Words) {
        let Some(document) = &studio.open.document else { return };
        let graph = &document.project().graph;
        let output = graph.nodes.iter().find(|n| n.name == graph.output);
        let current = output.map_or("", |n| n.method.as_str());
        ui.heading("Method");
        if graph.nodes.len() > 1 {
            ui.weak(format!("a graph of {} nodes; choosing a method replaces it", graph.nodes.len()));
        }
        for known in methods().iter().filter(|m| m.stands_alone) {
            let response = ui.selectable_label(known.name == current, title(known.name));
            if response.on_hover_text(format!("{}\n\n{}", known.summary, known.paper)).clicked()
                && known.name != current
            {
                words.edit(Edit::Method { name: known.name.to_owned() });
                words.say(Command::Settle);
            }
        }
        ui.separator();
        state(ui, studio);
        let joints = document.rig().skeleton.joints();
        let joint = studio.open.selected.and_then(|j| joints.get(j)).map(|j| j.name.as_str());
        for node in &graph.nodes {
            let Some(known) = method(&node.method) else { continue };
            if graph.nodes.len() > 1 {
                ui.label(RichText::new(format!("{} ({})", node.name, node.method)).strong());
            }
            ui.label(RichText::new(known.summary).weak().italics());
            self.settings(ui, known, node, joint, words);
        }
        ui.separator();
        times(ui, studio);
    }

    fn settings(&mut self, ui: &mut Ui, known: &Method, node: &NodeFile, joint: Option<&str>, words: &mut Words) {
        if known.settings.is_empty() {
            ui.weak("it has no settings");
            return;
        }
        egui::Grid::new(("settings", &node.name)).num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
            for setting in known.settings.iter().filter(|s| !own::shows(known.name, s.name)) {
                let default = setting.default_value().unwrap_or_default();
                let value = node.settings.get(setting.name).unwrap_or(&default);
                let differs = *value != default;
                let label = RichText::new(title_of(setting));
                let label = ui.label(if differs { label.strong() } else { label }).on_hover_text(setting.about()).id;
                ui.horizontal(|ui| {
                    let edit = |value| {
                        let (node, key) = (Some(node.name.clone()), setting.name.to_owned());
                        Edit::Setting { node, key, value }
                    };
                    let id = format!("{}.{}", node.name, setting.name);
                    let mut widget = Widget { id: id.clone(), label, joint, typing: &mut self.typing };
                    if let Some(new) = widget.show(ui, setting, value) {
                        words.edit(edit(Some(new)));
                    }
                    let as_it_comes = || format!("as it comes: {}", setting.default_in_words());
                    if differs && ui.small_button("reset").on_hover_text(as_it_comes()).clicked() {
                        self.typing.remove(&id);
                        words.edit(edit(None));
                        words.say(Command::Settle);
                    }
                });
                ui.end_row();
            }
        });
        if ui.ctx().input(|i| i.pointer.any_released()) {
            words.say(Command::Settle);
        }
    }
}

/// For people: "dual-quaternion" is "Dual quaternion".
pub fn title(name: &str) -> String {
    let mut letters = name.replace('-', " ").chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    letters.into_iter().collect()
}

fn state(ui: &mut Ui, studio: &Studio) {
    let stage = &studio.drawn.stages[0];
    if stage.is_binding() {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("binding…");
        });
    }
    if let Some(error) = &stage.error {
        ui.colored_label(ui.visuals().error_fg_color, error);
    }
    notes::show(ui, "of the method", &stage.notes);
}

/// Where it runs, and how long each node takes.
fn times(ui: &mut Ui, studio: &Studio) {
    let Some(ready) = studio.drawn.stages[0].bound() else { return };
    let on_device = ready.engine.on_device();
    let place = match (on_device, studio.device.gpu.is_software()) {
        (true, _) => studio.device.gpu.name(),
        (false, true) => "the processor, which is faster than the software driver".to_owned(),
        (false, false) => "the processor".to_owned(),
    };
    ui.label(RichText::new(format!("runs on {place}")).small().weak());
    let times = ready.known_times();
    if times.is_empty() {
        ui.label(RichText::new(format!("frame sent in {:.2} ms", ready.milliseconds)).small().weak());
    }
    for node in times {
        ui.label(RichText::new(format!("{}: {:.3} ms", node.node, node.milliseconds)).small().weak());
    }
    let kernels = studio.open.document.iter().flat_map(|d| &d.project().graph.nodes);
    for node in kernels.filter(|_| !on_device) {
        if let Some(Kernel::None(reason)) = method(&node.method).map(|m| m.kernel) {
            ui.label(RichText::new(format!("{}: {reason}", node.name)).small().weak());
        }
    }
}
