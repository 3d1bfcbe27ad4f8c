//! The first page: characters to try, files of late, work that a crash left.

use super::Words;
use crate::{model::Command, studio::Studio};
use eframe::egui::{self, Align, Layout, RichText, Ui, vec2};

/// Built-in characters, and what is worth seeing on each.
const CHARACTERS: [(&str, &str, &str); 4] = [
    ("arm", "Arm", "one elbow: bend it and see what each method does to it"),
    ("hand", "Hand", "twenty joints that touch: try the fist"),
    ("figure", "Figure", "a whole body, with a walk and a crouch"),
    ("statue", "Statue", "a scanned point set over a sphere-mesh"),
];

pub fn show(ui: &mut Ui, studio: &Studio, pictures: &[egui::TextureHandle], words: &mut Words) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.vertical_centered(|ui| {
            // About the height of what follows, so that it stands in the middle.
            ui.add_space(((ui.available_height() - 460.0) * 0.4).clamp(12.0, 160.0));
            ui.label(RichText::new("Supple").size(44.0).strong());
            ui.label(RichText::new("skins that follow their skeletons").size(17.0).weak());
            ui.add_space(18.0);
            left_behind(ui, studio, words);
            cards(ui, pictures, words);
            ui.add_space(18.0);
            let open = egui::Button::new(RichText::new("Open a file…").size(18.0)).min_size(vec2(220.0, 42.0));
            if ui.add(open).clicked() {
                words.open_dialog();
            }
            let fbx = if cfg!(feature = "fbx") { "fbx, " } else { "" };
            ui.label(RichText::new(format!("or drop one here: glb, gltf, {fbx}obj, ply, bvh, or a project")).weak());
            ui.add_space(14.0);
            recent(ui, studio, words);
        });
    });
}

fn left_behind(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    let Some(left) = studio.kept.recovery.left() else { return };
    egui::Frame::group(ui.style()).show(ui, |ui| {
        ui.set_max_width(520.0);
        ui.label(RichText::new(format!("Work on \"{}\" was not saved when the studio ended.", left.name)).strong());
        if let Some(rig) = studio.kept.recovery.awaited() {
            let rig =
                std::path::Path::new(rig).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let along = if rig.to_lowercase().ends_with(".gltf") { ", together with the files it names" } else { "" };
            ui.label(format!("Drop {rig} on this page{along}: the work is laid over it."));
        }
        ui.horizontal(|ui| {
            if ui.button("Take it up again").clicked() {
                words.recover = true;
            }
            if ui.button("Forget it").clicked() {
                words.discard = true;
            }
        });
    });
    ui.add_space(12.0);
}

fn cards(ui: &mut Ui, pictures: &[egui::TextureHandle], words: &mut Words) {
    let width = 190.0;
    let columns = ((ui.available_width() / (width + 14.0)).floor() as usize).clamp(1, CHARACTERS.len());
    for row in CHARACTERS.chunks(columns) {
        let total = row.len() as f32 * (width + 14.0);
        ui.horizontal(|ui| {
            ui.add_space(((ui.available_width() - total) * 0.5).max(0.0));
            for (name, title, what) in row {
                let at = CHARACTERS.iter().position(|c| c.0 == *name).unwrap_or(0);
                card(ui, pictures.get(at), (name, title, what), width, words);
                ui.add_space(6.0);
            }
        });
        ui.add_space(8.0);
    }
}

fn card(
    ui: &mut Ui,
    picture: Option<&egui::TextureHandle>,
    (name, title, what): (&str, &str, &str),
    width: f32,
    words: &mut Words,
) {
    let height = width * 0.78 + 64.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), egui::Sense::click());
    let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, title));
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, 8.0, visuals.weak_bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    let mut inner =
        ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(8.0)).layout(Layout::top_down(Align::Center)));
    if let Some(picture) = picture {
        inner.add(
            egui::Image::new(picture).fit_to_exact_size(vec2(width - 16.0, width * 0.78 - 12.0)).corner_radius(5.0),
        );
    } else {
        inner.add_space(width * 0.78 - 8.0);
    }
    inner.label(RichText::new(title).size(16.0).strong());
    inner.label(RichText::new(what).size(11.0).weak());
    if response.clicked() {
        words.say(Command::Example { name: name.to_owned() });
    }
}

fn recent(ui: &mut Ui, studio: &Studio, words: &mut Words) {
    if studio.kept.memory.recent.is_empty() {
        return;
    }
    ui.label(RichText::new("Recent").strong());
    for path in studio.kept.memory.recent.iter().take(8) {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        if ui.link(name).on_hover_text(path.display().to_string()).clicked() {
            words.say(Command::Open { path: path.clone() });
        }
    }
}
