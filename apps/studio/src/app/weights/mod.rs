//! Where weights come from, and the tools that change them by hand: a brush, and joints that are moved before binding.

mod brush;
mod joints;
mod source;

use super::{
    Words,
    next::TEMPLATES,
    notes,
    tool::{Phase, Tool, Touch},
};
use crate::{
    model::{Command, Edit, SkinView},
    studio::Studio,
};
use brush::BrushTool;
use eframe::egui::{RichText, Ui};
use joints::JointTool;

/// What is in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InHand {
    #[default]
    Nothing,
    Joints,
    Brush,
}

/// See the module.
#[derive(Default)]
pub struct WeightsPanel {
    in_hand: InHand,
    brush: BrushTool,
    joints: JointTool,
    /// How skin was drawn before the brush was taken.
    view_before: Option<SkinView>,
    /// What was in hand when another panel was looked at.
    put_away: InHand,
}

impl WeightsPanel {
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        if let Some(what) = studio.preparing() {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak(format!("{what}…"));
            });
        }
        source::show(ui, studio, words);
        ui.separator();
        self.tools(ui, studio, words);
        ui.separator();
        ui.label(RichText::new("Skeleton").strong());
        template(ui, studio, words);
        if let Some(document) = &studio.open.document {
            notes::show(ui, "of the weights", &document.prepared().notes);
        }
    }

    fn tools(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        ui.label(RichText::new("Tools").strong());
        let mut wanted = self.in_hand;
        ui.horizontal(|ui| {
            for (tool, title, help) in [
                (InHand::Nothing, "Pose", "turn joints, as elsewhere"),
                (InHand::Brush, "Paint", "change the weight of the selected joint by hand"),
                (InHand::Joints, "Move joints", "put joints elsewhere at rest, before anything is bound"),
            ] {
                if ui.selectable_label(wanted == tool, title).on_hover_text(help).clicked() {
                    wanted = tool;
                }
            }
        });
        self.take(wanted, studio.sight.view, words);
        match self.in_hand {
            InHand::Nothing => {}
            InHand::Brush => self.brush.show(ui, studio, words),
            InHand::Joints => self.joints.show(ui, studio, words),
        }
    }

    /// Takes a tool; the brush shows what it paints, and what was shown before comes back after it.
    fn take(&mut self, wanted: InHand, now: SkinView, words: &mut Words) {
        if wanted == self.in_hand {
            return;
        }
        if wanted == InHand::Brush {
            self.view_before = Some(now);
            words.say(Command::Show { view: SkinView::Weights });
        } else if let Some(view) = self.view_before.take() {
            words.say(Command::Show { view });
        }
        self.in_hand = wanted;
    }

    /// Puts the tool away while another panel is looked at, and takes it up again after that.
    pub fn leave_unless(&mut self, shown: bool, now: SkinView, words: &mut Words) {
        if shown {
            let tool = std::mem::take(&mut self.put_away);
            self.take(if tool == InHand::Nothing { self.in_hand } else { tool }, now, words);
        } else if self.in_hand != InHand::Nothing {
            self.put_away = self.in_hand;
            self.take(InHand::Nothing, now, words);
        }
    }

    /// Begins anew with another character: neither the tool nor its settings were meant for it.
    pub fn forget(&mut self, now: SkinView, words: &mut Words) {
        self.take(InHand::Nothing, now, words);
        *self = Self::default();
    }
}

impl Tool for WeightsPanel {
    fn asks_skin(&self, phase: Phase, studio: &Studio) -> Option<f32> {
        match phase {
            _ if self.in_hand != InHand::Brush => None,
            Phase::Leave | Phase::Release => None,
            Phase::Hover => Some(0.0),
            _ => Some(self.brush.reach(studio)),
        }
    }

    fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool {
        match self.in_hand {
            InHand::Nothing => false,
            InHand::Brush => self.brush.touch(touch, studio, words),
            InHand::Joints => self.joints.touch(touch, studio, words),
        }
    }

    fn mark(&self, studio: &mut Studio) {
        if self.in_hand == InHand::Brush {
            self.brush.mark(studio);
        }
    }
}

fn template(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let Some(document) = &studio.open.document else { return };
    let now = document.project().skeleton.template;
    let standard = TEMPLATES.map(|(template, title, help)| (Some(template), title, help));
    let own = (None, "the file's own", "the joints as they were read");
    ui.horizontal_wrapped(|ui| {
        for (which, title, help) in [own].into_iter().chain(standard) {
            if ui.selectable_label(now == which, title).on_hover_text(help).clicked() && now != which {
                words.edit(Edit::Template { template: which });
                words.say(Command::Settle);
            }
        }
    });
}
