//! Where panels stand round the viewport.

use super::{App, Words, figures, menu, next, own, panel, start, timeline, tool};
use crate::model::Side;
use eframe::egui::{self, Ui};

/// Which panel stands on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Method and settings.
    #[default]
    Method,
    /// Where weights come from, painting, joints before binding.
    Weights,
    /// What a method has beside its settings.
    Own(&'static str),
    /// Figures.
    Figures,
}

impl Tab {
    /// All, with their titles.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let own = own::titles().map(|(method, title)| (Self::Own(method), title));
        [(Self::Method, "Method"), (Self::Weights, "Weights")]
            .into_iter()
            .chain(own)
            .chain([(Self::Figures, "Figures")])
    }
}

impl App {
    pub(super) fn panels(&mut self, ui: &mut Ui, words: &mut Words) {
        if self.opened != self.studio.open.opened {
            self.opened = self.studio.open.opened;
            self.weights.forget(self.studio.sight.view, words);
            (self.joints, self.method, self.own) = Default::default();
        }
        egui::Panel::top("menu").show(ui, |ui| menu::show(ui, &self.studio, &mut self.help, words));
        egui::Panel::bottom("status").show(ui, |ui| self.status(ui, words));
        if self.studio.open.document.is_none() {
            self.load_pictures(ui.ctx());
            egui::CentralPanel::default().show(ui, |ui| start::show(ui, &self.studio, &self.pictures, words));
            return;
        }
        egui::Panel::bottom("timeline").show(ui, |ui| {
            ui.add_space(4.0);
            timeline::show(ui, &mut self.studio, words);
            ui.add_space(4.0);
        });
        panel::show(ui, Side::Left, false, &mut self.studio, words, |ui, studio, words| {
            self.joints.show(ui, studio, words);
        });
        self.studio.work.figures.on = false;
        // Panels say in every frame what they add to the scene; what they no longer say is gone.
        self.studio.drawn.extras = Default::default();
        self.right(ui, words);
        self.weights.leave_unless(self.tab == Tab::Weights, self.studio.sight.view, words);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let tool: Option<&mut (dyn tool::Tool + 'static)> = match self.tab {
                Tab::Weights => Some(&mut self.weights),
                Tab::Own(method) => self.own.tool(method),
                Tab::Method | Tab::Figures => None,
            };
            self.panes.listen(ui, &mut self.studio, tool);
            self.obey(std::mem::take(words));
            self.studio.present();
            self.panes.show(ui, &mut self.studio, words);
        });
    }

    pub(super) fn right(&mut self, ui: &mut Ui, words: &mut Words) {
        let lacks = self.studio.open.document.as_ref().and_then(next::lacks);
        let (tab, method, weights, own) = (&mut self.tab, &mut self.method, &mut self.weights, &mut self.own);
        panel::show(ui, Side::Right, lacks.is_some(), &mut self.studio, words, |ui, studio, words| {
            if let Some(lacks) = lacks {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| next::show(ui, studio, lacks, words));
                return;
            }
            ui.scope(|ui| {
                // Beside the arrow that folds the panel.
                ui.set_max_width(ui.available_width() - 20.0);
                ui.horizontal_wrapped(|ui| {
                    for (of, title) in Tab::all() {
                        ui.selectable_value(tab, of, title);
                    }
                });
            });
            ui.separator();
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| match tab {
                Tab::Method => method.show(ui, studio, words),
                Tab::Weights => weights.show(ui, studio, words),
                Tab::Own(method) => own.show(method, ui, studio, words),
                Tab::Figures => figures::show(ui, studio),
            });
        });
    }

    pub(super) fn load_pictures(&mut self, ctx: &egui::Context) {
        if !self.pictures.is_empty() {
            return;
        }
        for (name, png) in crate::pictures::CHARACTERS {
            let Ok(picture) = image::load_from_memory(png) else { continue };
            let picture = picture.to_rgba8();
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &picture);
            self.pictures.push(ctx.load_texture(*name, pixels, egui::TextureOptions::LINEAR));
        }
    }
}
