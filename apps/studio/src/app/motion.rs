//! The question that a dropped file raises where it could move the character, or be opened in its place.

use crate::{model::Document, studio::Dropped};
use eframe::egui;

/// See the module.
pub struct Question {
    pub name: String,
    pub file: Document,
    pub meaning: Dropped,
}

/// What a person answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Move,
    Open,
    Neither,
}

impl Question {
    pub fn ask(&self, ctx: &egui::Context, open: Option<&Document>) -> Option<Answer> {
        let mut answer = None;
        let response = egui::Modal::new(egui::Id::unique("motion")).show(ctx, |ui| {
            ui.set_max_width(440.0);
            ui.heading(format!("What shall {} do?", self.name));
            let clips = self.file.file().clips.len();
            let clips = if clips == 1 { "a clip".to_owned() } else { format!("{clips} clips") };
            match &self.meaning {
                Dropped::Stranger(why) => ui.label(format!("It holds {clips} and no skin, but {why}.")),
                _ => ui.label(format!("It is a character with {clips}, and its joints have the names of this one's.")),
            };
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let name = open.map_or("this character", |d| d.name.as_str());
                if self.meaning == Dropped::Both && ui.button(format!("Move {name} by its clips")).clicked() {
                    answer = Some(Answer::Move);
                }
                if ui.button("Open it in place of this").clicked() {
                    answer = Some(Answer::Open);
                }
                if ui.button("Nothing").clicked() {
                    answer = Some(Answer::Neither);
                }
            });
        });
        answer.or_else(|| response.should_close().then_some(Answer::Neither))
    }
}
