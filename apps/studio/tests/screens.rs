//! The main screens as pictures, and the way of a newcomer through them by the words that stand on the buttons. Pictures
//! are kept in `tests/snapshots`; `UPDATE_SNAPSHOTS=1` writes them anew. Drivers differ in a pixel here and there, so a few
//! may be others.

use eframe::{egui, egui_wgpu::WgpuSetup};
use egui_kittest::{Harness, SnapshotOptions, kittest::Queryable};
use std::{sync::Arc, time::Duration};
use supple_gpu::Gpu;
use supple_studio::{
    app::{App, Tab},
    model::{Command, Edit, Layout, SkinView},
    studio::{memory::Memory, recovery::Recovery},
};

const SIZE: [f32; 2] = [1000.0, 640.0];

fn window<'a>() -> Harness<'a, App> {
    let mut setup = egui_kittest::wgpu::default_wgpu_setup();
    if let WgpuSetup::CreateNew(new) = &mut setup {
        new.device_descriptor = Arc::new(Gpu::descriptor);
    }
    Harness::builder().with_size(SIZE).wgpu_setup(setup).with_step_dt(1.0 / 30.0).build_eframe(|cc| {
        let render = cc.wgpu_render_state.as_ref().expect("a device, software drivers included");
        let mut app = App::new(&cc.egui_ctx, render, Memory::default(), Recovery::default(), None, None).unwrap();
        // A busy machine would draw fewer pixels.
        app.stay_sharp();
        app
    })
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

fn picture(window: &mut Harness<'_, App>, name: &str) {
    window.state_mut().studio.notices.clear();
    window.step();
    // The status line tells times and drivers, which are never the same twice.
    let [width, height] = SIZE;
    window.mask(egui::Rect::from_min_max(egui::pos2(0.0, height - 26.0), egui::pos2(width, height)));
    let options = SnapshotOptions::new().threshold(3.0).max_failed_pixels(12_000);
    window.snapshot_options(name, &options);
}

#[test]
fn from_the_first_page_to_a_posed_arm() {
    let mut window = window();
    settle(&mut window);
    picture(&mut window, "start");
    window.get_by_role_and_label(egui::accesskit::Role::Button, "Arm").click();
    settle(&mut window);
    assert_eq!(window.state().studio.document.as_ref().map(|d| d.name.as_str()), Some("arm"));
    window.get_by_label("forearm").click();
    window.step();
    assert_eq!(window.state().studio.selected, Some(1));
    // About the hinge of the elbow.
    let rotation = Some(glam::DQuat::from_rotation_z(1.4).to_array());
    let pose = Some(supple::pose::JointPose { rotation, translation: None, scale: None });
    say(&mut window, Command::Change { edit: Edit::Pose { joint: "forearm".into(), pose } });
    picture(&mut window, "posed");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    settle(&mut window);
    assert!(window.state().studio.document.as_ref().unwrap().project().pose.is_none(), "undo by its key");
}

#[test]
fn four_methods_side_by_side_and_their_figures() {
    let mut window = window();
    say(&mut window, Command::Example { name: "arm".into() });
    let pose = Some(supple::pose::JointPose {
        rotation: Some(glam::DQuat::from_rotation_z(2.1).to_array()),
        translation: None,
        scale: None,
    });
    say(&mut window, Command::Change { edit: Edit::Pose { joint: "forearm".into(), pose } });
    say(&mut window, Command::Panes { layout: Layout::Four });
    picture(&mut window, "four");
    say(&mut window, Command::Panes { layout: Layout::One });
    say(&mut window, Command::Dark { on: false });
    say(&mut window, Command::Show { view: SkinView::Weights });
    window.state_mut().tab = Tab::Figures;
    settle(&mut window);
    picture(&mut window, "figures");
    let overlap = |w: &Harness<'_, App>| {
        let latest = w.state().studio.figures.latest().cloned();
        latest.and_then(|f| f.surface?.overlap).expect("it was measured")
    };
    let implicit = overlap(&window);
    say(&mut window, Command::Change { edit: Edit::Method { name: "linear".into() } });
    settle(&mut window);
    assert!(implicit < 1e-3 && overlap(&window) > implicit, "what is shown is what is measured");
}

#[test]
fn help_lies_over_the_window_and_goes() {
    let mut window = window();
    settle(&mut window);
    window.key_press(egui::Key::F1);
    window.step();
    window.step();
    picture(&mut window, "help");
    window.key_press(egui::Key::Escape);
    window.step();
    window.step();
    assert!(window.query_by_label("Keys and mouse").is_none());
}
