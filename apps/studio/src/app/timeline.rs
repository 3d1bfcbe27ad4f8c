//! Clips: which one, when, how fast, round and round or once.

use super::Words;
use crate::{
    model::{Command, Edit},
    studio::Studio,
};
use eframe::egui::{self, Ui};

pub fn show(ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
    let Some(document) = &studio.open.document else { return };
    let clips = &document.rig().clips;
    ui.horizontal(|ui| {
        if clips.is_empty() {
            ui.weak("no clips in this character; pose it by its joints");
            return;
        }
        let current = document.project().clip.as_ref().map(|c| c.name.clone());
        let mut chosen = current.clone();
        let shown = chosen.clone().unwrap_or_else(|| "no clip".to_owned());
        egui::ComboBox::from_id_salt("clip").selected_text(shown).width(130.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut chosen, None, "no clip");
            for (number, clip) in clips.iter().enumerate() {
                // Where a name stands twice, the number tells which is meant.
                let twice = clips.iter().filter(|c| c.name == clip.name).count() > 1;
                let name = if twice { number.to_string() } else { clip.name.clone() };
                ui.selectable_value(&mut chosen, Some(name), format!("{} ({:.1} s)", clip.name, clip.duration()));
            }
        });
        if chosen != current {
            studio.open.playback.time = 0.0;
            words.edit(Edit::Clip { name: chosen });
            words.say(Command::Settle);
        }
        let playing = studio.open.playback.playing;
        let label = if playing { "Stop" } else { "Play" };
        if ui.add(egui::Button::new(label).min_size(egui::vec2(44.0, 0.0))).on_hover_text("Space").clicked() {
            words.say(Command::Play { playing: !playing });
        }
        if ui.button("|<").on_hover_text("to the start: Home").clicked() {
            studio.open.playback.time = 0.0;
            words.edit(Edit::Time { seconds: 0.0 });
        }
        let mut looped = studio.open.playback.looped;
        let mut speed = studio.open.playback.speed;
        let mut changed = ui.toggle_value(&mut looped, "Loop").on_hover_text("round and round").changed();
        let drag = egui::DragValue::new(&mut speed).speed(0.02).range(-4.0..=4.0).suffix("×").max_decimals(2);
        changed |= ui.add(drag).on_hover_text("speed").changed();
        if changed {
            words.say(Command::Pace { speed, looped });
        }
        let duration = document.duration();
        if current.is_none() || duration <= 0.0 {
            ui.weak("choose a clip, or press play");
            return;
        }
        let mut time = studio.open.playback.time;
        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(80.0);
        let slider = egui::Slider::new(&mut time, 0.0..=duration)
            .suffix(" s")
            .fixed_decimals(2)
            .clamping(egui::SliderClamping::Always);
        let response = ui.add(slider);
        if response.changed() {
            studio.open.playback.time = time;
            words.edit(Edit::Time { seconds: time });
        }
        if response.drag_stopped() {
            words.say(Command::Settle);
        }
    });
}
