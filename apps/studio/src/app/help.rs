//! Every key, on one page over the window.

use eframe::egui::{self, RichText};

/// Keys and what they do; the shortcuts themselves are in `keys.rs`, and a test holds the two together.
pub const KEYS: &[(&str, &str)] = &[
    ("Space", "play or stop"),
    ("Home", "to the start of the clip"),
    ("Left, Right", "one frame back or on"),
    ("F", "look at the selected joint, or at all"),
    ("1 to 6", "view from front, back, left, right, top, three quarters"),
    ("S W G O T C", "shaded, wire, weights, shared weights, stretch, contact"),
    ("B", "bones on or off"),
    ("J, N", "fold the joints on the left, the panel on the right"),
    ("P", "one, two, four panes"),
    ("V", "lay the second result over the first"),
    ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
    ("Ctrl+O, Ctrl+S, Ctrl+Shift+S", "open, save, save as"),
    ("Ctrl+E", "export a picture"),
    ("Delete", "release the selected joint, or remove the selected sample"),
    ("Escape", "close what is open, or select nothing"),
    ("D", "light or dark"),
    ("F1 or ?", "this page"),
];

const MOUSE: &[(&str, &str)] = &[
    ("drag", "turn the view"),
    ("right drag, Shift + drag", "shift the view"),
    ("wheel", "nearer, farther"),
    ("click a bone", "select its joint"),
    ("drag a bone", "turn it"),
    ("drag a ring", "turn the joint about one axis"),
    ("Weights, Move joints: drag a joint", "put it elsewhere at rest"),
    ("Weights, Paint: drag over the skin", "change the weight of the selected joint"),
    ("Limbs, Samples: drag a sample", "move it over the skin"),
    ("Limbs, Samples: Alt + click, double click", "add a sample there"),
];

pub fn show(ctx: &egui::Context, open: &mut bool) {
    if !*open {
        return;
    }
    let response = egui::Modal::new(egui::Id::unique("help")).show(ctx, |ui| {
        ui.heading("Keys and mouse");
        ui.add_space(6.0);
        // Room for the heading, the button and the frame.
        let most = (ctx.content_rect().height() - 130.0).max(80.0);
        egui::ScrollArea::vertical().max_height(most).min_scrolled_height(most).show(ui, |ui| {
            for (title, rows) in [("Keys", KEYS), ("Mouse", MOUSE)] {
                egui::Grid::new(title).num_columns(2).spacing([24.0, 3.0]).show(ui, |ui| {
                    for (key, what) in rows {
                        ui.label(RichText::new(*key).strong());
                        ui.label(*what);
                        ui.end_row();
                    }
                });
                ui.add_space(8.0);
            }
        });
        ui.button("Close").clicked()
    });
    if response.inner || response.should_close() {
        *open = false;
    }
}
