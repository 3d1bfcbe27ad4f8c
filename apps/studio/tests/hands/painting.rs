//! The brush and the samples under a mouse: what lies there only the device knows, and tells later.

use crate::{button, example, say, select, settle, view, window};
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec2;
use supple_studio::{
    app::{App, Tab},
    model::{Command, Edit},
};

/// An arm whose skin is moved on the device, with a brush in hand for the forearm.
fn painting() -> Harness<'static, App> {
    let mut window = window();
    window.state_mut().studio.device.insist = true;
    example(&mut window, "arm");
    say(&mut window, Command::Change { edit: Edit::Method { name: "linear".into() } });
    select(&mut window, "forearm");
    window.state_mut().tab = Tab::Weights;
    (0..4).for_each(|_| window.step());
    window.get_by_label("Paint").click();
    window.step();
    settle(&mut window);
    window
}

/// Along the upper arm, where nothing is the forearm's.
fn stroke(window: &Harness<'_, App>) -> Vec<egui::Pos2> {
    let studio = &window.state().studio;
    let rig = studio.open.document.as_ref().unwrap().rig();
    let [upper, fore] = [0, 1].map(|j| rig.skeleton.joints()[j].rest_position().as_vec3());
    let view = view(window);
    let place = |part: f32| {
        let at = studio.sight.orbit.camera().pixel(upper.lerp(fore, part), [view.width() as u32, view.height() as u32]);
        let Vec2 { x, y } = at.expect("before the eye");
        view.min + egui::vec2(x, y)
    };
    (0..=12).map(|i| place(0.2 + 0.05 * i as f32)).collect()
}

fn painted(window: &Harness<'_, App>) -> usize {
    window.state().studio.open.document.as_ref().unwrap().project().weights.painted.rows.len()
}

/// All in one frame.
fn at_once(window: &mut Harness<'_, App>, events: impl IntoIterator<Item = egui::Event>) {
    window.input_mut().events.extend(events);
    window.step();
}

#[test]
fn a_skin_whose_points_are_on_the_device_alone_is_painted() {
    let mut window = painting();
    let path = stroke(&window);
    for event in [egui::Event::PointerMoved(path[4]), button(path[4], true), button(path[4], false)] {
        window.event(event);
        window.step();
    }
    settle(&mut window);
    assert!(painted(&window) > 10, "{}", painted(&window));
    let ready = window.state().studio.drawn.stages[0].bound().expect("it is bound");
    assert!(ready.engine.on_device() && ready.host().is_none(), "somebody has fetched the points");
}

#[test]
fn a_click_beside_the_skin_and_a_drag_from_there_are_about_the_view() {
    let mut window = painting();
    let beside = view(&window).min + egui::vec2(30.0, 60.0);
    let before = window.state().studio.sight.orbit.camera();
    window.event(egui::Event::PointerMoved(beside));
    window.event(button(beside, true));
    for i in 1..8 {
        window.event(egui::Event::PointerMoved(beside + egui::vec2(8.0 * i as f32, 0.0)));
    }
    window.event(button(beside + egui::vec2(56.0, 0.0), false));
    window.step();
    settle(&mut window);
    assert_ne!(window.state().studio.sight.orbit.camera(), before, "the view has not turned");
    assert_eq!(painted(&window), 0);
}

#[test]
fn of_a_stroke_nothing_is_lost_however_fast_the_mouse_is() {
    let rows = |events: &dyn Fn(&mut Harness<'_, App>, &[egui::Pos2])| {
        let mut window = painting();
        let path = stroke(&window);
        events(&mut window, &path);
        settle(&mut window);
        let studio = &window.state().studio;
        let document = studio.open.document.as_ref().unwrap();
        let undo = document.history.undo_words();
        let rows: Vec<(u32, Vec<(u16, f32)>)> =
            document.project().weights.painted.rows.rows().map(|(v, row)| (v, row.to_vec())).collect();
        let mut without = Vec::new();
        if undo.as_deref() == Some("painting") {
            window.state_mut().studio.execute(Command::Undo);
            settle(&mut window);
            without.push(painted(&window));
        }
        (rows, without)
    };
    // A frame for each place, and time for the device to answer.
    let slow = rows(&|window, path| {
        at_once(window, [egui::Event::PointerMoved(path[0])]);
        at_once(window, [button(path[0], true)]);
        for &at in &path[1..] {
            at_once(window, [egui::Event::PointerMoved(at)]);
            (0..20).for_each(|_| {
                window.step();
                std::thread::sleep(std::time::Duration::from_millis(2));
            });
        }
        at_once(window, [button(path[12], false)]);
    });
    // All of it in three frames.
    let fast = rows(&|window, path| {
        at_once(window, [egui::Event::PointerMoved(path[0])]);
        at_once(window, [button(path[0], true)]);
        at_once(window, path[1..].iter().map(|&at| egui::Event::PointerMoved(at)));
        at_once(window, [button(path[12], false)]);
    });
    // All of it in one.
    let in_one = rows(&|window, path| {
        at_once(window, [egui::Event::PointerMoved(path[0])]);
        let moves = path[1..].iter().map(|&at| egui::Event::PointerMoved(at));
        let all = [button(path[0], true)].into_iter().chain(moves).chain([button(path[12], false)]);
        at_once(window, all);
    });
    assert!(slow.0.len() > 50, "{} rows", slow.0.len());
    assert_eq!(slow.1, [0], "a stroke is one step of undo");
    assert!(slow == fast, "{} rows and {}", slow.0.len(), fast.0.len());
    assert!(slow == in_one, "{} rows and {}", slow.0.len(), in_one.0.len());
}
