//! The panels at the sides: as wide as somebody made them, whatever stands in them, or folded away to a strip.

use super::Words;
use crate::{
    model::{Command, Side},
    studio::Studio,
};
use eframe::egui::{self, Ui};

/// Narrower, nothing can be read.
const LEAST: f32 = 150.0;
const STRIP: f32 = 26.0;

/// `always` unfolds it: there is something in it that must be seen.
pub fn show(
    ui: &mut Ui,
    side: Side,
    always: bool,
    studio: &mut Studio,
    words: &mut Words,
    content: impl FnOnce(&mut Ui, &mut Studio, &mut Words),
) {
    let index = side as usize;
    let panel = |id: &'static str| match side {
        Side::Left => egui::Panel::left(id),
        Side::Right => egui::Panel::right(id),
    };
    let [id, folded] = [["joints", "joints folded"], ["right", "right folded"]][index];
    if studio.kept.memory.folded[index] && !always {
        panel(folded).exact_size(STRIP).resizable(false).show(ui, |ui| {
            ui.add_space(4.0);
            if arrow(ui, side, false) {
                words.say(Command::Fold { side, folded: false });
            }
        });
        return;
    }
    // Both together leave the view at least a fifth.
    let most = (ui.ctx().content_rect().width() * 0.4).max(LEAST);
    let width = studio.kept.memory.widths[index].clamp(LEAST, most);
    let shown = panel(id).default_size(width).size_range(LEAST..=most).show(ui, |ui| {
        // What is too wide for it is cut off or scrolled: a panel that grows with a word never stands still.
        let rect = ui.available_rect_before_wrap();
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("inside"));
        inner.shrink_clip_rect(rect.expand(4.0));
        inner.add_space(4.0);
        let corner = egui::Rect::from_min_size(rect.right_top() + egui::vec2(-18.0, 4.0), egui::vec2(18.0, 18.0));
        content(&mut inner, studio, words);
        let mut fold = ui.new_child(egui::UiBuilder::new().max_rect(corner).id_salt("fold"));
        if arrow(&mut fold, side, true) {
            words.say(Command::Fold { side, folded: true });
        }
        ui.allocate_rect(rect, egui::Sense::hover());
    });
    // A small window squeezes it for a while.
    if studio.kept.memory.widths[index] <= most {
        studio.kept.memory.widths[index] = shown.response.rect.width();
    }
}

/// An arrow that is told apart from the other by what it says to who cannot see it.
fn arrow(ui: &mut Ui, side: Side, folds: bool) -> bool {
    let to_left = (side == Side::Left) == folds;
    let response = ui.add(egui::Button::new(if to_left { "«" } else { "»" }).small().frame(false));
    let name = format!("{}: {}", if folds { "Fold" } else { "Unfold" }, Side::ALL[side as usize].1);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    response.on_hover_text(name).clicked()
}
