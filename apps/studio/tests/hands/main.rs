//! What hands do in the window: rings, angles, views, panels, files that are dropped. By the words on the buttons, and by
//! the mouse where there are none.

mod files;
#[path = "../harness/mod.rs"]
mod harness;
mod looking;
mod painting;
mod panels;
mod posing;

use eframe::egui;
use egui_kittest::Harness;
use harness::{say, settle, window, window_of};
use supple_studio::{
    app::App,
    model::{Command, Edit},
};

fn example(window: &mut Harness<'_, App>, name: &str) {
    say(window, Command::Example { name: name.into() });
}

fn select(window: &mut Harness<'_, App>, joint: &str) {
    say(window, Command::Select { joint: Some(joint.into()) });
}

fn turn(window: &mut Harness<'_, App>, joint: &str, rotation: glam::DQuat) {
    let pose = supple::pose::JointPose { rotation: Some(rotation.to_array()), translation: None, scale: None };
    say(window, Command::Change { edit: Edit::Pose { joint: joint.into(), pose: Some(pose) } });
}

/// What was said, in one piece.
fn said(window: &Harness<'_, App>) -> String {
    window.state().studio.said.notices.iter().map(|n| n.text.clone()).collect::<Vec<_>>().join("\n")
}

fn mouse(window: &mut Harness<'_, App>, at: glam::Vec2, event: impl FnOnce(egui::Pos2) -> egui::Event) {
    let view = view(window);
    window.event(event(view.min + egui::vec2(at.x, at.y)));
    window.step();
}

fn button(at: egui::Pos2, pressed: bool) -> egui::Event {
    egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::default(),
    }
}

/// Where the first view is in the window.
fn view(window: &Harness<'_, App>) -> egui::Rect {
    window.state().view().expect("a character is shown")
}
