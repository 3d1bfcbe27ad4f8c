//! What a film is asked for beside its size: how many frames a second, of which part of the clip, and how it becomes a
//! film where it is written as single pictures.

use crate::{
    model::{ExportKind, PictureOptions},
    studio::{Studio, frames, record},
};
use eframe::egui::{self, RichText, Ui};
use std::{ops::RangeInclusive, path::Path};

/// Rates that are offered. A GIF counts in hundredths of a second.
const RATES: [f64; 5] = [24.0, 25.0, 30.0, 50.0, 60.0];
const GIF_RATES: [f64; 4] = [10.0, 20.0, 25.0, 50.0];

fn seconds(value: &mut f64, range: RangeInclusive<f64>) -> egui::DragValue<'_> {
    egui::DragValue::new(value).speed(0.01).range(range).suffix(" s")
}

/// Shows and sets it.
pub fn show(ui: &mut Ui, kind: ExportKind, picture: &mut PictureOptions, studio: &Studio, path: &Path) {
    let duration = studio.open.document.as_ref().map_or(0.0, |d| d.duration());
    if duration <= 0.0 {
        let why = record::part(kind, duration, picture).err().unwrap_or_default();
        ui.colored_label(ui.visuals().warn_fg_color, why);
        return;
    }
    let Ok(rate) = record::rate_of(kind, picture.rate).or_else(|_| record::rate_of(kind, None)) else { return };
    egui::Grid::new("film").num_columns(2).show(ui, |ui| {
        ui.label("Frames a second");
        ui.horizontal(|ui| {
            for offered in if kind == ExportKind::Gif { &GIF_RATES[..] } else { &RATES[..] } {
                if ui.selectable_label(rate == *offered, offered.to_string()).clicked() {
                    picture.rate = Some(*offered);
                }
            }
        });
        ui.end_row();
        ui.label("From, to");
        ui.horizontal(|ui| {
            let (mut from, mut to) = (picture.from.unwrap_or(0.0), picture.to.unwrap_or(duration).min(duration));
            let end = to;
            if ui.add(seconds(&mut from, 0.0..=end)).changed() {
                picture.from = Some(from);
            }
            if ui.add(seconds(&mut to, from..=duration)).changed() {
                picture.to = Some(to).filter(|to| *to < duration);
            }
            if ui
                .add_enabled(picture.from.is_some() || picture.to.is_some(), egui::Button::new("all").small())
                .clicked()
            {
                (picture.from, picture.to) = (None, None);
            }
            if let Ok(part) = record::part(kind, duration, picture) {
                ui.weak(format!("{} frames", part.frames));
            }
        });
        ui.end_row();
    });
    if let Err(why) = record::part(kind, duration, picture) {
        ui.colored_label(ui.visuals().warn_fg_color, why);
    }
    if kind != ExportKind::Frames {
        return;
    }
    let shown = studio.sight.pane.map(|side| (side * studio.sight.density).round() as u32);
    let line = record::ffmpeg(path, None, rate, picture.size.of(kind).pixels(shown), picture);
    let first = frames::path(path, 0);
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    ui.label(RichText::new(format!("{name} and so on are written; this line makes a film of them:")).weak());
    ui.horizontal(|ui| {
        if ui.small_button("copy").clicked() {
            ui.ctx().copy_text(line.clone());
        }
        ui.add(egui::Label::new(RichText::new(line).monospace().size(11.0)).wrap());
    });
}
