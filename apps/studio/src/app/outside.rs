//! A question before a project reaches out of its folder: it may come from anybody, and name any file of this machine.

use crate::studio::{Outside, Studio};
use eframe::egui;

/// Asks where there is something to ask.
pub fn ask(ctx: &egui::Context, studio: &mut Studio) {
    let Some(Outside { words, .. }) = &studio.arrivals.outside else { return };
    let mut answer = None;
    let response = egui::Modal::new(egui::Id::unique("outside")).show(ctx, |ui| {
        ui.set_max_width(560.0);
        ui.heading("Open files from another folder?");
        ui.label(format!("{words}. Open it if you know where the project comes from."));
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            for (title, open) in [("Open it", true), ("Leave it", false)] {
                if ui.button(title).clicked() {
                    answer = Some(open);
                }
            }
        });
    });
    if answer.is_none() && !response.should_close() {
        return;
    }
    if let Some(asked) = studio.arrivals.outside.take().filter(|_| answer == Some(true)) {
        studio.open_from_anywhere(asked);
    }
}
