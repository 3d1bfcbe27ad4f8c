//! The method and its settings, as the registry lists them: a method added there appears here by itself.

use super::{Words, notes};
use crate::{
    model::{Command, Edit},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui};
use serde_json::Value;
use std::collections::BTreeMap;
use supple::graph::{Kernel, Method, NodeFile, SettingInfo, method, methods};

/// What the panel remembers: texts that are being typed and are not JSON yet.
#[derive(Default)]
pub struct MethodPanel {
    typing: BTreeMap<String, String>,
}

/// Settings that have a panel of their own.
const ELSEWHERE: [&str; 1] = ["joints"];

impl MethodPanel {
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, words: &mut Words) {
        let Some(document) = &studio.document else { return };
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
        for node in &graph.nodes {
            let Some(known) = method(&node.method) else { continue };
            if graph.nodes.len() > 1 {
                ui.label(RichText::new(format!("{} ({})", node.name, node.method)).strong());
            }
            ui.label(RichText::new(known.summary).weak().italics());
            self.settings(ui, known, node, words);
        }
        ui.separator();
        times(ui, studio);
    }

    fn settings(&mut self, ui: &mut Ui, known: &Method, node: &NodeFile, words: &mut Words) {
        if known.settings.is_empty() {
            ui.weak("it has no settings");
            return;
        }
        egui::Grid::new(("settings", &node.name)).num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
            for info in known.settings.iter().filter(|s| !ELSEWHERE.contains(&s.name)) {
                let default: Value = serde_json::from_str(info.default).unwrap_or(Value::Null);
                let value = node.settings.get(info.name).cloned().unwrap_or_else(|| default.clone());
                let differs = value != default;
                let label = RichText::new(info.name.replace('_', " "));
                ui.label(if differs { label.strong() } else { label }).on_hover_text(info.help);
                ui.horizontal(|ui| {
                    if let Some(new) = self.value(ui, node, info, &value) {
                        let (node, key) = (Some(node.name.clone()), info.name.to_owned());
                        words.edit(Edit::Setting { node, key, value: Some(new) });
                    }
                    if differs
                        && ui.small_button("reset").on_hover_text(format!("as it comes: {}", info.default)).clicked()
                    {
                        self.typing.remove(info.name);
                        let (node, key) = (Some(node.name.clone()), info.name.to_owned());
                        words.edit(Edit::Setting { node, key, value: None });
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

    /// A widget by the kind of the value. Words are offered where the help lists them.
    fn value(&mut self, ui: &mut Ui, node: &NodeFile, info: &SettingInfo, value: &Value) -> Option<Value> {
        match value {
            Value::Number(number) => {
                let whole = number.is_i64() || number.is_u64();
                let mut x = number.as_f64()?;
                let speed = if whole { 0.2 } else { (x.abs() * 0.02).max(0.01) };
                let drag = egui::DragValue::new(&mut x).speed(speed).max_decimals(if whole { 0 } else { 3 });
                let changed = ui.add(drag).on_hover_text(info.help).changed();
                let json = || if whole { Value::from(x.round() as i64) } else { Value::from(x) };
                changed.then(json)
            }
            Value::Bool(now) => {
                let mut on = *now;
                ui.checkbox(&mut on, "").changed().then_some(Value::Bool(on))
            }
            Value::String(word) => {
                if info.choices.is_empty() {
                    return self.text(ui, info, word.clone()).map(Value::String);
                }
                let mut chosen = word.clone();
                egui::ComboBox::from_id_salt((&node.name, info.name)).selected_text(&chosen).show_ui(ui, |ui| {
                    for &choice in info.choices {
                        ui.selectable_value(&mut chosen, choice.to_owned(), choice);
                    }
                });
                (chosen != *word).then_some(Value::String(chosen))
            }
            other => {
                let typed = self.text(ui, info, other.to_string())?;
                Some(serde_json::from_str(&typed).unwrap_or(Value::String(typed)))
            }
        }
    }

    /// A text that counts when it is left.
    fn text(&mut self, ui: &mut Ui, info: &SettingInfo, now: String) -> Option<String> {
        let typed = self.typing.entry(info.name.to_owned()).or_insert_with(|| now.clone());
        let response = ui.add(egui::TextEdit::singleline(typed).desired_width(130.0)).on_hover_text(info.help);
        if response.has_focus() {
            return None;
        }
        let typed = self.typing.remove(info.name)?;
        (response.lost_focus() && typed != now).then_some(typed)
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
    let stage = &studio.stages[0];
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
    let Some(ready) = studio.stages[0].bound() else { return };
    let on_device = ready.engine.on_device();
    let place = match (on_device, studio.gpu.is_software()) {
        (true, _) => studio.gpu.name(),
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
    let kernels = studio.document.iter().flat_map(|d| &d.project().graph.nodes);
    for node in kernels.filter(|_| !on_device) {
        if let Some(Kernel::None(reason)) = method(&node.method).map(|m| m.kernel) {
            ui.label(RichText::new(format!("{}: {reason}", node.name)).small().weak());
        }
    }
}
