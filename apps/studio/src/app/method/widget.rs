//! A widget for each type of setting.

use eframe::egui::{self, RichText, Ui};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use supple::deform::setting::{Range, Setting, ValueType};

/// Ranges of whole numbers up to so many are sliders; on a longer one no hand would hit a number.
const LONGEST: f64 = 1000.0;
const SLIDER: f32 = 90.0;
const DEGREES: &str = "degrees";

/// What widgets are made with.
pub struct Widget<'a> {
    /// Unique among all settings that are shown.
    pub id: String,
    /// What stands before it, for those who do not see it.
    pub label: egui::Id,
    /// The selected joint, which settings by joint are about.
    pub joint: Option<&'a str>,
    /// Texts that are being typed and are not JSON yet, by the id of their widget.
    pub typing: &'a mut BTreeMap<String, String>,
}

impl Widget<'_> {
    /// Shows the value of a setting; the new one, where somebody has changed it.
    pub fn show(&mut self, ui: &mut Ui, setting: &Setting, value: &Value) -> Option<Value> {
        match (setting.value_type, value) {
            (ValueType::Number(range) | ValueType::PerVertex(range), Value::Number(now)) => {
                self.number(ui, setting, range, now.as_f64()?)
            }
            (ValueType::Whole(range), Value::Number(now)) => self.whole(ui, setting, range, now.as_f64()?),
            (ValueType::Flag, Value::Bool(now)) => {
                let mut on = *now;
                let changed = self.labelled(ui.checkbox(&mut on, ""), setting);
                changed.then_some(Value::Bool(on))
            }
            (ValueType::Word(_) | ValueType::Method | ValueType::Preset(_), Value::String(now)) => {
                self.word(ui, setting, now)
            }
            (ValueType::PerVertex(_), Value::Array(list)) => {
                ui.weak(format!("{} values", list.len())).on_hover_text("one for each vertex");
                None
            }
            (ValueType::ByJoint(fields), Value::Object(joints)) => self.of_joint(ui, fields, joints),
            (_, other) => {
                let typed = self.text(ui, setting, other.to_string())?;
                Some(serde_json::from_str(&typed).unwrap_or(Value::String(typed)))
            }
        }
    }

    fn word(&self, ui: &mut Ui, setting: &Setting, now: &str) -> Option<Value> {
        let mut chosen = now.to_owned();
        let choice = egui::ComboBox::from_id_salt(&self.id).selected_text(&chosen).show_ui(ui, |ui| {
            for word in setting.words() {
                ui.selectable_value(&mut chosen, word.to_owned(), word);
            }
        });
        self.labelled(choice.response, setting);
        (chosen != now).then_some(Value::String(chosen))
    }

    /// What the selected joint has of its own. A field that it does not have shows what counts then.
    fn of_joint(&mut self, ui: &mut Ui, fields: &[Setting], joints: &Map<String, Value>) -> Option<Value> {
        let Some(joint) = self.joint else {
            ui.weak("select a joint");
            return None;
        };
        let own = joints.get(joint).and_then(Value::as_object).cloned().unwrap_or_default();
        let mut new = own.clone();
        ui.vertical(|ui| {
            for field in fields {
                let default = field.default_value();
                let value = own.get(field.name).or(default.as_ref()).cloned().unwrap_or_default();
                ui.horizontal(|ui| {
                    let label = ui.label(RichText::new(title(field)).small()).on_hover_text(field.about()).id;
                    let id = format!("{}.{joint}.{}", self.id, field.name);
                    let mut inner = Widget { id, label, joint: None, typing: self.typing };
                    if let Some(value) = inner.show(ui, field, &value) {
                        new.insert(field.name.to_owned(), value);
                    }
                    if own.contains_key(field.name) && ui.small_button("reset").clicked() {
                        new.remove(field.name);
                    }
                });
            }
        });
        if new == own {
            return None;
        }
        let mut joints = joints.clone();
        match new.is_empty() {
            true => drop(joints.remove(joint)),
            false => drop(joints.insert(joint.to_owned(), Value::Object(new))),
        }
        Some(Value::Object(joints))
    }

    fn number(&self, ui: &mut Ui, setting: &Setting, range: Range, now: f64) -> Option<Value> {
        let mut x = now;
        ui.spacing_mut().slider_width = SLIDER;
        let slider = egui::Slider::new(&mut x, range.least..=range.most).max_decimals(3).suffix(suffix(setting));
        // What is useful of a long range lies near its beginning.
        let is_long = range.most - range.least > 100.0 && setting.unit != DEGREES;
        self.labelled(ui.add(slider.logarithmic(is_long)), setting).then(|| x.into())
    }

    fn whole(&self, ui: &mut Ui, setting: &Setting, range: Range, now: f64) -> Option<Value> {
        let mut x = now as i64;
        let (least, most) = (range.least as i64, range.most as i64);
        ui.spacing_mut().slider_width = SLIDER;
        let response = if range.most - range.least <= LONGEST {
            ui.add(egui::Slider::new(&mut x, least..=most))
        } else {
            ui.add(egui::DragValue::new(&mut x).range(least..=most).speed(0.2))
        };
        self.labelled(response, setting).then(|| x.into())
    }

    /// Whether a widget was changed.
    fn labelled(&self, response: egui::Response, setting: &Setting) -> bool {
        response.labelled_by(self.label).on_hover_text(setting.help).changed()
    }

    /// A text that counts when it is left.
    fn text(&mut self, ui: &mut Ui, setting: &Setting, now: String) -> Option<String> {
        let typed = self.typing.entry(self.id.clone()).or_insert_with(|| now.clone());
        let edit = egui::TextEdit::singleline(typed).desired_width(SLIDER + 40.0);
        let response = ui.add(edit).labelled_by(self.label).on_hover_text(setting.help_with_words());
        if response.has_focus() {
            return None;
        }
        let typed = self.typing.remove(&self.id)?;
        (response.lost_focus() && typed != now).then_some(typed)
    }
}

/// The name of a setting for people.
pub fn title(setting: &Setting) -> String {
    setting.name.replace('_', " ")
}

fn suffix(setting: &Setting) -> &'static str {
    if setting.unit == DEGREES { "°" } else { "" }
}
