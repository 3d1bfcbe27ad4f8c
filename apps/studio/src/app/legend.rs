//! What the colours of a view mean, in a corner of it.

use crate::studio::scale::Legend;
use eframe::egui::{self, Align, Color32, Layout, Rect, RichText, Ui, pos2, vec2};

/// Steps that the bar is drawn in.
const STEPS: usize = 48;

pub fn show(ui: &mut Ui, view: Rect, legend: &Legend) {
    let size = vec2(250.0_f32.min(view.width() - 16.0), 54.0);
    if size.x < 80.0 || view.height() < size.y + 50.0 {
        return;
    }
    let place = Rect::from_min_size(view.max - size - vec2(8.0, 8.0), size);
    let fill = ui.visuals().panel_fill.gamma_multiply(0.85);
    ui.painter().rect_filled(place, 5.0, fill);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(place.shrink2(vec2(10.0, 4.0))).id_salt("legend"));
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add(egui::Label::new(RichText::new(&legend.title).size(12.0)).truncate());
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), egui::Sense::hover());
    for step in 0..STEPS {
        let [from, to] = [step, step + 1].map(|i| bar.left() + bar.width() * i as f32 / STEPS as f32);
        let linear = (legend.color)((step as f32 + 0.5) / STEPS as f32);
        let [r, g, b] = linear.to_array().map(supple_render::color::encode);
        let piece = Rect::from_min_max(pos2(from, bar.top()), pos2(to + 0.5, bar.bottom()));
        ui.painter().rect_filled(piece, 0.0, Color32::from_rgb(r, g, b));
    }
    let last = legend.marks.len().saturating_sub(1);
    let row = Rect::from_min_size(ui.cursor().min, vec2(bar.width(), 14.0));
    for (i, mark) in legend.marks.iter().enumerate() {
        let align = if i == 0 {
            Align::Min
        } else if i == last {
            Align::Max
        } else {
            Align::Center
        };
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(row).layout(Layout::top_down(align)).id_salt(i));
        ui.label(RichText::new(*mark).size(11.0).weak());
    }
}
