//! The menu bar.

use super::Words;
use crate::{
    model::{Command, Edit, ExportKind, Layout, Side, SkinView},
    studio::Studio,
};
use eframe::egui::{self, Button, Ui};

/// What can be written, and how the file ends.
pub const EXPORTS: [(&str, ExportKind, &str); 10] = [
    ("Picture (PNG)", ExportKind::Picture, "png"),
    ("Pose as GLB (the moved mesh)", ExportKind::Pose, "glb"),
    ("Pose as OBJ (the moved mesh)", ExportKind::Pose, "obj"),
    ("Pose as PLY (the moved mesh)", ExportKind::Pose, "ply"),
    ("Rig as GLB (skeleton, weights, clips)", ExportKind::Rig, "glb"),
    ("Clip as GLB", ExportKind::Clip, "glb"),
    ("Clip as USDA", ExportKind::Clip, "usda"),
    ("Clip as PC2", ExportKind::Clip, "pc2"),
    ("Clip as GIF", ExportKind::Gif, "gif"),
    ("Clip as PNG files", ExportKind::Frames, "png"),
];

pub fn show(ui: &mut Ui, studio: &Studio, help: &mut bool, words: &mut Words) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(ui, studio, words));
        ui.menu_button("Edit", |ui| edit(ui, studio, words));
        ui.menu_button("View", |ui| view(ui, studio, words));
        ui.menu_button("Help", |ui| {
            if ui.button("Keys and mouse  (F1)").clicked() {
                *help = true;
            }
        });
        if studio.open.document.is_some() {
            ui.separator();
            tools(ui, studio, words);
        }
    });
}

fn file(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    if ui.add(Button::new("Open…").shortcut_text("Ctrl+O")).clicked() {
        words.open_dialog();
    }
    ui.menu_button("Built-in characters", |ui| {
        for name in ["arm", "hand", "figure", "statue"] {
            if ui.button(name).clicked() {
                words.say(Command::Example { name: name.to_owned() });
            }
        }
    });
    if !studio.kept.memory.recent.is_empty() {
        ui.menu_button("Recent", |ui| {
            for path in &studio.kept.memory.recent {
                if ui.button(path.display().to_string()).clicked() {
                    words.say(Command::Open { path: path.clone() });
                }
            }
        });
    }
    ui.separator();
    let open = studio.open.document.is_some();
    if ui.add_enabled(open, Button::new("Save project").shortcut_text("Ctrl+S")).clicked() {
        save(studio, words);
    }
    if ui.add_enabled(open, Button::new("Save project as…").shortcut_text("Ctrl+Shift+S")).clicked() {
        words.save_dialog();
    }
    let moves = studio.open.document.as_ref().is_some_and(|d| !d.rig().skeleton.is_empty());
    if ui
        .add_enabled(moves, Button::new("Add a motion…"))
        .on_hover_text("clips of another file, by joint names")
        .clicked()
    {
        words.motion_dialog();
    }
    ui.add_enabled_ui(open, |ui| ui.menu_button("Export", |ui| exports(ui, studio, words)));
    ui.separator();
    if ui.add_enabled(open, Button::new("Close")).clicked() {
        words.say(Command::Close);
    }
    if cfg!(not(target_family = "wasm")) && ui.button("Quit").clicked() {
        ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
    }
}

/// Saves where it was saved before, or asks.
pub fn save(studio: &Studio, words: &mut Words) {
    let has_path = studio.open.document.as_ref().is_some_and(|d| d.path.is_some());
    if has_path || cfg!(target_family = "wasm") { words.say(Command::Save { path: None }) } else { words.save_dialog() }
}

fn exports(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let clips = studio.open.document.as_ref().is_some_and(|d| !d.rig().clips.is_empty());
    for (title, kind, ending) in EXPORTS {
        let needs_clip = matches!(kind, ExportKind::Clip | ExportKind::Gif | ExportKind::Frames);
        let in_browser = cfg!(target_family = "wasm") && kind == ExportKind::Frames;
        if ui.add_enabled((clips || !needs_clip) && !in_browser, Button::new(title)).clicked() {
            words.export_dialog(kind, ending);
        }
    }
}

fn edit(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let history = studio.open.document.as_ref().map(|d| &d.history);
    let (undo, redo) = (history.and_then(|h| h.undo_words()), history.and_then(|h| h.redo_words()));
    let title = |word: &str, what: &Option<String>| what.as_ref().map_or(word.to_owned(), |w| format!("{word} {w}"));
    if ui.add_enabled(undo.is_some(), Button::new(title("Undo", &undo)).shortcut_text("Ctrl+Z")).clicked() {
        words.say(Command::Undo);
    }
    if ui.add_enabled(redo.is_some(), Button::new(title("Redo", &redo)).shortcut_text("Ctrl+Shift+Z")).clicked() {
        words.say(Command::Redo);
    }
    ui.separator();
    let posed = studio.open.document.as_ref().is_some_and(|d| d.project().pose.is_some());
    if ui.add_enabled(posed, Button::new("Release all joints")).clicked() {
        words.edit(Edit::ClearPose);
        words.say(Command::Settle);
    }
}

fn view(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    for (view, title) in SkinView::ALL {
        if ui.radio(studio.sight.view == view, title).clicked() {
            words.say(Command::Show { view });
        }
    }
    ui.separator();
    let mut bones = studio.sight.bones;
    if ui.checkbox(&mut bones, "Bones").clicked() {
        words.say(Command::Bones { shown: bones });
    }
    for (layout, title) in [(Layout::One, "One pane"), (Layout::Two, "Two panes"), (Layout::Four, "Four panes")] {
        if ui.radio(studio.sight.layout == layout, title).clicked() {
            words.say(Command::Panes { layout });
        }
    }
    let mut overlay = studio.sight.overlay;
    if ui.checkbox(&mut overlay, "Second result over the first").clicked() {
        words.say(Command::Overlay { shown: overlay });
    }
    ui.separator();
    for (side, title) in Side::ALL {
        let mut shown = !studio.kept.memory.folded[side as usize];
        if ui.checkbox(&mut shown, title).clicked() {
            words.say(Command::Fold { side, folded: !shown });
        }
    }
    let mut dark = studio.sight.dark;
    if ui.checkbox(&mut dark, "Dark").clicked() {
        words.say(Command::Dark { on: dark });
    }
    if ui.button("Look at all  (F)").clicked() {
        words.say(Command::Frame);
    }
}

/// What is wanted most, always in sight.
fn tools(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    egui::ComboBox::from_id_salt("view")
        .selected_text(SkinView::ALL.iter().find(|v| v.0 == studio.sight.view).map_or("", |v| v.1))
        .width(84.0)
        .show_ui(ui, |ui| {
            for (view, title) in SkinView::ALL {
                if ui.selectable_label(studio.sight.view == view, title).clicked() {
                    words.say(Command::Show { view });
                }
            }
        });
    let mut bones = studio.sight.bones;
    if ui.toggle_value(&mut bones, "Bones").clicked() {
        words.say(Command::Bones { shown: bones });
    }
    for (layout, title) in [(Layout::One, "1"), (Layout::Two, "2"), (Layout::Four, "4")] {
        let response = ui.selectable_label(studio.sight.layout == layout, title);
        if response.on_hover_text("panes side by side").clicked() {
            words.say(Command::Panes { layout });
        }
    }
    let mut overlay = studio.sight.overlay;
    if ui.toggle_value(&mut overlay, "Overlay").on_hover_text("the second result over the first").clicked() {
        words.say(Command::Overlay { shown: overlay });
    }
    ui.separator();
    ui.menu_button("Export…", |ui| exports(ui, studio, words));
}
