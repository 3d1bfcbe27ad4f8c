//! Files dropped on the window, and what becomes of them.

use super::{App, Words, closing::Then, motion};
#[cfg(not(target_family = "wasm"))]
use crate::{model::Command, studio::is_whole};
use crate::{
    model::Document,
    studio::{Dropped, is_project},
};
use eframe::egui;
use std::path::Path;
#[cfg(not(target_family = "wasm"))]
use std::path::PathBuf;

impl App {
    /// Files dropped on the window: what belongs to a rig is found by it, and a project comes after its rig.
    pub(super) fn dropped(&mut self, ctx: &egui::Context, words: &mut Words) {
        let files = ctx.input(|i| i.raw.dropped_files.clone());
        #[cfg(not(target_family = "wasm"))]
        {
            let all: Vec<PathBuf> = files.iter().map(|f| f.path().to_owned()).collect();
            let project = all.iter().rfind(|path| is_project(path)).or_else(|| all.iter().rfind(|path| is_whole(path)));
            if let Some(path) = project.or(all.first()) {
                words.say(Command::Drop { path: path.clone() });
            }
        }
        #[cfg(target_family = "wasm")]
        let _ = words;
        #[cfg(target_family = "wasm")]
        crate::web::take(&mut self.studio, files.iter().filter_map(|f| f.web_file().cloned()).collect());
        let hovering = ctx.input(|i| !i.raw.hovered_files.is_empty());
        if hovering {
            let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
            let rect = ctx.content_rect();
            painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(160));
            let font = egui::FontId::proportional(28.0);
            let moves = self.studio.open.document.is_some();
            let text = if moves { "drop to open, or to animate with a motion" } else { "drop to open" };
            painter.text(rect.center(), egui::Align2::CENTER_CENTER, text, font, egui::Color32::WHITE);
        }
    }

    /// Files that were dropped: a motion moves what is open, anything else is opened in its place.
    pub(super) fn receive(&mut self, mut read: Vec<(String, Document)>) {
        // Dropped together they are a character with its project.
        if let [(name, file)] = &read[..]
            && !is_project(Path::new(name))
        {
            let meaning = self.studio.meaning(file);
            match meaning {
                Dropped::Document => {}
                Dropped::Motion => return self.studio.animate(name, file),
                Dropped::Both | Dropped::Stranger(_) => {
                    let (name, file) = read.remove(0);
                    self.motion = Some(motion::Question { name, file, meaning });
                    return;
                }
            }
        }
        if self.would_lose() && !read.is_empty() {
            self.asking = Some(Then::Take(read));
        } else {
            self.studio.take_files(read);
        }
    }

    /// Asks what a dropped file shall do, where it could do either.
    pub(super) fn ask_motion(&mut self, ctx: &egui::Context) {
        let Some(question) = &self.motion else { return };
        let Some(answer) = question.ask(ctx, self.studio.open.document.as_ref()) else { return };
        let Some(motion::Question { name, file, .. }) = self.motion.take() else { return };
        match answer {
            motion::Answer::Move => self.studio.animate(&name, &file),
            motion::Answer::Open if self.would_lose() => self.asking = Some(Then::Take(vec![(name, file)])),
            motion::Answer::Open => self.studio.take_files(vec![(name, file)]),
            motion::Answer::Neither => {}
        }
    }
}
