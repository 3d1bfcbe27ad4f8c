//! Keys. What they do is listed in `help.rs`.

use super::{Words, menu};
use crate::{
    model::{Command, Edit, ExportKind, Layout, Side, SkinView},
    studio::Studio,
};
use eframe::egui::{self, Key, Modifiers};
use supple_render::Direction;

pub fn listen(ctx: &egui::Context, studio: &mut Studio, help: &mut bool, words: &mut Words) {
    // What was held with the key, not what is held by now: a frame may be long.
    let is_plain = |event: &egui::Event, wanted: Key| match event {
        egui::Event::Key { key, pressed: true, modifiers, .. } => *key == wanted && modifiers.is_none(),
        _ => false,
    };
    let pressed = |key| ctx.input(|i| i.events.iter().any(|event| is_plain(event, key)));
    let chord = |modifiers: Modifiers, key| ctx.input_mut(|i| i.consume_key(modifiers, key));
    if chord(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || chord(Modifiers::COMMAND, Key::Y) {
        words.say(Command::Redo);
    }
    if chord(Modifiers::COMMAND, Key::Z) {
        words.say(Command::Undo);
    }
    if chord(Modifiers::COMMAND, Key::O) {
        words.open_dialog();
    }
    if studio.open.document.is_some() {
        if chord(Modifiers::COMMAND | Modifiers::SHIFT, Key::S) {
            words.save_dialog();
        }
        if chord(Modifiers::COMMAND, Key::S) {
            menu::save(studio, words);
        }
        if chord(Modifiers::COMMAND, Key::E) {
            words.export_dialog(ExportKind::Picture, "png");
        }
    }
    // A letter typed into a field is not a command.
    if ctx.egui_wants_keyboard_input() {
        return;
    }
    if pressed(Key::F1) || ctx.input(|i| i.key_pressed(Key::Questionmark)) {
        *help = true;
    }
    if pressed(Key::D) {
        words.say(Command::Dark { on: !studio.sight.dark });
    }
    let Some(document) = &studio.open.document else { return };
    if pressed(Key::Space) {
        words.say(Command::Play { playing: !studio.open.playback.playing });
    }
    let duration = document.duration();
    for (key, by) in [(Key::ArrowLeft, -1.0), (Key::ArrowRight, 1.0)] {
        if pressed(key) && duration > 0.0 {
            let seconds = (studio.open.playback.time + by / 30.0).clamp(0.0, duration);
            studio.open.playback.time = seconds;
            words.edit(Edit::Time { seconds });
        }
    }
    if pressed(Key::Home) {
        studio.open.playback.time = 0.0;
        words.edit(Edit::Time { seconds: 0.0 });
    }
    if pressed(Key::F) {
        words.say(Command::Frame);
    }
    if pressed(Key::B) {
        words.say(Command::Bones { shown: !studio.sight.bones });
    }
    for (key, side) in [(Key::J, Side::Left), (Key::N, Side::Right)] {
        if pressed(key) {
            words.say(Command::Fold { side, folded: !studio.kept.memory.folded[side as usize] });
        }
    }
    if pressed(Key::P) {
        let layout = match studio.sight.layout {
            Layout::One => Layout::Two,
            Layout::Two => Layout::Four,
            Layout::Four => Layout::One,
        };
        words.say(Command::Panes { layout });
    }
    if pressed(Key::V) {
        words.say(Command::Overlay { shown: !studio.sight.overlay });
    }
    // What is open over the window is closed by it first.
    if pressed(Key::Escape) && !egui::Popup::is_any_open(ctx) {
        words.say(Command::Select { joint: None });
    }
    if (pressed(Key::Delete) || pressed(Key::Backspace))
        && !studio.drawn.extras.takes_delete
        && let Some(joint) = studio.open.selected
        && let Some(document) = &studio.open.document
    {
        let joint = document.rig().skeleton.joints()[joint].name.clone();
        words.edit(Edit::Pose { joint, pose: None });
        words.say(Command::Settle);
    }
    let views = [Key::S, Key::W, Key::G, Key::O, Key::T, Key::C];
    for (key, (view, _)) in views.into_iter().zip(SkinView::ALL) {
        if pressed(key) {
            words.say(Command::Show { view });
        }
    }
    let sides = [
        (Key::Num1, Direction::Front),
        (Key::Num2, Direction::Back),
        (Key::Num3, Direction::Left),
        (Key::Num4, Direction::Right),
        (Key::Num5, Direction::Top),
        (Key::Num6, Direction::ThreeQuarter),
    ];
    for (key, side) in sides {
        if pressed(key) {
            studio.sight.orbit.look_from(side);
        }
    }
}
