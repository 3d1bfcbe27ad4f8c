//! What the window says at its lower edge: what is going on, and what was said lately.

use super::{App, Words};
use crate::model::Command;
use eframe::egui::{self, RichText, Ui};

impl App {
    pub(super) fn status(&self, ui: &mut Ui, words: &mut Words) {
        ui.horizontal(|ui| {
            let studio = &self.studio;
            if let Some(title) = studio.opening() {
                ui.spinner();
                ui.label(format!("opening {title}…"));
            }
            if let Some(what) = studio.preparing() {
                ui.spinner();
                ui.label(format!("{what}…"));
            }
            if let Some((name, _)) = &studio.work.exporting {
                ui.spinner();
                ui.label(format!("writing {name}…"));
            }
            if let Some(recorder) = &studio.work.recorder {
                ui.add(egui::ProgressBar::new(recorder.progress()).desired_width(160.0).text(recorder.words()));
                if ui.small_button("Cancel").on_hover_text("stop here; nothing of it is kept").clicked() {
                    words.say(Command::StopExport);
                }
            }
            if let Some(document) = &studio.open.document {
                let rig = document.rig();
                let counts = format!("{} vertices, {} joints", rig.mesh.positions.len(), rig.skeleton.len());
                ui.label(RichText::new(counts).weak());
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if studio.open.document.is_some() {
                    ui.label(RichText::new(self.panes.words()).weak());
                }
                ui.label(RichText::new(studio.device.gpu.name()).weak());
            });
        });
    }

    /// Lines that fade, bottom left over the view; errors stay longer and can be put away.
    pub(super) fn toasts(&mut self, ctx: &egui::Context) {
        if self.studio.said.notices.is_empty() {
            return;
        }
        let anchor = egui::Align2::LEFT_BOTTOM;
        let area =
            egui::Area::new(egui::Id::unique("notices")).anchor(anchor, [12.0, -70.0]).order(egui::Order::Foreground);
        let mut gone = None;
        area.show(ctx, |ui| {
            ui.set_max_width(560.0);
            let from = self.studio.said.notices.len().saturating_sub(6);
            for (at, notice) in self.studio.said.notices.iter().enumerate().skip(from) {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.horizontal(|ui| {
                        let color =
                            if notice.is_error { ui.visuals().error_fg_color } else { ui.visuals().text_color() };
                        ui.add(egui::Label::new(RichText::new(&notice.text).color(color)).wrap());
                        if ui.small_button("x").clicked() {
                            gone = Some(at);
                        }
                    });
                });
            }
        });
        if let Some(at) = gone {
            self.studio.said.notices.remove(at);
        }
    }
}
