//! What hands do in the window: rings, angles, views, panels, files that are dropped. By the words on the buttons, and by
//! the mouse where there are none.

mod files;
mod looking;
mod panels;
mod posing;

use eframe::{egui, egui_wgpu::WgpuSetup};
use egui_kittest::Harness;
use std::{sync::Arc, time::Duration};
use supple_gpu::Gpu;
use supple_studio::{
    app::App,
    model::{Command, Edit},
    studio::{memory::Memory, recovery::Recovery},
};

fn window_of<'a>(size: [f32; 2], memory: Memory) -> Harness<'a, App> {
    let mut setup = egui_kittest::wgpu::default_wgpu_setup();
    if let WgpuSetup::CreateNew(new) = &mut setup {
        new.device_descriptor = Arc::new(Gpu::descriptor);
    }
    Harness::builder().with_size(size).wgpu_setup(setup).with_step_dt(1.0 / 30.0).build_eframe(|cc| {
        let render = cc.wgpu_render_state.as_ref().expect("a device, software drivers included");
        let mut app = App::new(&cc.egui_ctx, render, memory, Recovery::default(), None, None).unwrap();
        app.stay_sharp();
        app
    })
}

fn window<'a>() -> Harness<'a, App> {
    window_of([1000.0, 640.0], Memory::default())
}

/// Lets frames pass until everything that was asked for is there.
fn settle(window: &mut Harness<'_, App>) {
    let mut calm = 0;
    for _ in 0..4000 {
        window.step();
        let studio = &window.state().studio;
        calm = if studio.is_settled() && !studio.figures.is_busy() { calm + 1 } else { 0 };
        if calm > 4 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the studio never came to rest");
}

fn say(window: &mut Harness<'_, App>, command: Command) {
    window.state_mut().studio.execute(command);
    settle(window);
}

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
    window.state().studio.notices.iter().map(|n| n.text.clone()).collect::<Vec<_>>().join("\n")
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
