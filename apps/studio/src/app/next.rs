//! What to do next with a file that cannot be moved yet: a mesh or a point set without joints or without weights, a
//! skeleton without a skin. In place of the tabs, which have nothing to say then.

use super::Words;
use crate::{
    model::{Command, Document, Edit},
    studio::Studio,
};
use eframe::egui::{self, RichText, Ui, vec2};
use supple::{fit::Template, project::WeightSource};

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacks {
    Skin,
    Skeleton,
    Weights,
}

/// Standard skeletons and what they are for.
pub const TEMPLATES: [(Template, &str, &str); 3] = [
    (Template::Human, "human", "a standing person: 23 joints"),
    (Template::Quadruped, "quadruped", "an animal on four legs"),
    (Template::Hand, "hand", "one hand"),
];

pub fn lacks(document: &Document) -> Option<Lacks> {
    let rig = document.rig();
    match (rig.mesh.positions.is_empty(), rig.skeleton.is_empty(), &rig.weights) {
        (true, ..) => Some(Lacks::Skin),
        (false, true, _) => Some(Lacks::Skeleton),
        (false, false, None) => Some(Lacks::Weights),
        (false, false, Some(_)) => None,
    }
}

pub fn show(ui: &mut Ui, studio: &Studio, lacks: Lacks, words: &mut Words) {
    let Some(document) = &studio.open.document else { return };
    let of_points = document.rig().mesh.triangles.is_empty();
    let thing = if of_points { "point set" } else { "mesh" };
    ui.label(RichText::new("What next?").size(20.0).strong());
    ui.add_space(4.0);
    if let Some(what) = studio.preparing() {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak(format!("{what}…"));
        });
    }
    match lacks {
        Lacks::Skin => {
            ui.label("This file has joints and no skin.");
            let clips = document.rig().clips.len();
            if clips > 0 {
                ui.label(
                    "Its clips can be played here. To see them on a character, open one and drop this file on it.",
                );
            }
            ui.add_space(6.0);
            another(ui, "Open a character…", words);
        }
        Lacks::Skeleton => {
            ui.label(format!("This {thing} has no joints, so that nothing can move it yet."));
            ui.label(
                "Lay a standard skeleton into it: it gets weights at once, and joints that lie wrong can be moved.",
            );
            ui.add_space(6.0);
            skeletons(ui, studio, words);
            ui.add_space(10.0);
            ui.label("Is there a file of it that has a skeleton?");
            another(ui, "Open another file…", words);
        }
        Lacks::Weights => {
            ui.label(format!("This {thing} has a skeleton, but no weights: it does not follow its joints yet."));
            ui.label("Make some. They can be painted over, and made anew at any time.");
            ui.add_space(6.0);
            sources(ui, studio, of_points, words);
            ui.add_space(10.0);
            ui.label("Does the skeleton not fit? Lay a standard one into it.");
            skeletons(ui, studio, words);
        }
    }
}

fn large(ui: &mut Ui, enabled: bool, title: &str) -> bool {
    let button = egui::Button::new(RichText::new(title).size(15.0)).min_size(vec2(ui.available_width(), 32.0));
    ui.add_enabled(enabled, button).clicked()
}

fn help(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(11.5).weak());
}

fn skeletons(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    for (template, title, what) in TEMPLATES {
        if large(ui, studio.preparing().is_none(), title) {
            words.edit(Edit::Template { template: Some(template) });
            words.say(Command::Settle);
        }
        help(ui, what);
    }
}

fn sources(ui: &mut Ui, studio: &Studio, of_points: bool, words: &mut Words) {
    let flexible = if of_points { "needs a skin of triangles" } else { "joints from wood to rubber by one number" };
    let heat = if of_points {
        "soft weights, from how near bones are"
    } else {
        "soft weights, spread over the skin like warmth"
    };
    for (source, title, what, can) in
        [(WeightSource::heat(), "bone heat", heat, true), (WeightSource::flexible(), "flexible", flexible, !of_points)]
    {
        if large(ui, can && studio.preparing().is_none(), title) {
            words.edit(Edit::Weights { source });
            words.say(Command::Settle);
        }
        help(ui, what);
    }
}

fn another(ui: &mut Ui, title: &str, words: &mut Words) {
    if large(ui, true, title) {
        words.open_dialog();
    }
}
