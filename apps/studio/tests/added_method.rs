//! A method that no program has, added to the registry: it is in the list, and its panel has a widget for each of its settings.

mod harness;

use eframe::egui::accesskit::Role;
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;
use harness::{say, settle, window};
use serde_json::{Value, json};
use supple_studio::{
    app::{App, Tab},
    model::{Command, Edit},
    studio::stage::Moment,
};
use supple_testkit::toy;

fn setting(window: &Harness<'_, App>, name: &str) -> Option<Value> {
    let document = window.state().studio.open.document.as_ref().expect("a character");
    document.project().graph.nodes[0].settings.get(name).cloned()
}

fn click(window: &mut Harness<'_, App>, label: &str) {
    window.get_by_label(label).click();
    window.step();
    settle(window);
}

/// How far the first vertex is from where it rests.
fn pushed(window: &mut Harness<'_, App>) -> Vec3 {
    let studio = &mut window.state_mut().studio;
    let rest = studio.open.document.as_ref().expect("a character").rig().mesh.positions[0];
    let ready = studio.drawn.stages[0].ready().expect("it is bound");
    let motion = ready.motion.clone();
    ready.engine.evaluate(&ready.rig.mesh.positions, &motion)[0] - rest
}

#[test]
fn an_added_method_has_its_panel() {
    toy::add();
    let mut window = window();
    say(&mut window, Command::Example { name: "arm".into() });
    window.state_mut().tab = Tab::Method;
    (0..4).for_each(|_| window.step());
    click(&mut window, "Toy");
    assert_eq!(window.state().studio.open.document.as_ref().unwrap().project().graph.nodes[0].method, toy::NAME);
    assert!((pushed(&mut window) - Vec3::X * 0.5).length() < 1e-5, "{}", pushed(&mut window));
    for name in ["push", "times", "back", "axis", "amount"] {
        assert!(window.query_all_by_label(name).count() > 0, "no widget is called {name}");
    }
    window.get_by_role_and_label(Role::CheckBox, "back").click();
    window.step();
    settle(&mut window);
    assert_eq!(setting(&window, "back"), Some(json!(true)));
    assert!((pushed(&mut window) + Vec3::X * 0.5).length() < 1e-5, "{}", pushed(&mut window));
    window.get_by_role_and_label(Role::ComboBox, "axis").click();
    (0..4).for_each(|_| window.step());
    click(&mut window, "z");
    assert_eq!(setting(&window, "axis"), Some(json!("z")));
    assert!((pushed(&mut window) + Vec3::Z * 0.5).length() < 1e-5, "{}", pushed(&mut window));
    // What joints have of their own waits for one.
    assert!(window.query_by_label("select a joint").is_some() && window.query_by_label("still").is_none());
    say(&mut window, Command::Select { joint: Some("forearm".into()) });
    window.get_by_role_and_label(Role::CheckBox, "still").click();
    window.step();
    settle(&mut window);
    assert_eq!(setting(&window, "joints"), Some(json!({"forearm": {"still": true}})));
    // As it comes again.
    let edit = Edit::Setting { node: None, key: "joints".into(), value: None };
    say(&mut window, Command::Change { edit });
    assert_eq!(setting(&window, "joints"), Some(json!({})));
}

#[test]
fn a_change_of_a_setting_does_not_end_what_a_method_remembers() {
    toy::add();
    let mut window = window();
    say(&mut window, Command::Example { name: "arm".into() });
    say(&mut window, Command::Change { edit: Edit::Method { name: toy::NAME.into() } });
    let set = |key: &str, value: Value| Edit::Setting { node: None, key: key.into(), value: Some(value) };
    say(&mut window, Command::Change { edit: set("drift", json!(0.125)) });
    let up = |window: &mut Harness<'_, App>| {
        let studio = &mut window.state_mut().studio;
        let rest = studio.open.document.as_ref().expect("a character").rig().mesh.positions[0];
        let moved = studio.drawn.stages[0].ready().expect("it is bound").engine.points()[0] - rest;
        assert!((moved.x.abs() - 0.5).abs() < 1e-5 || (moved.x - 1.0).abs() < 1e-5, "{moved}");
        moved.y
    };
    for degrees in [10.0_f64, 20.0, 30.0] {
        let rotation = glam::DQuat::from_rotation_z(degrees.to_radians());
        let pose = supple::pose::JointPose { rotation: Some(rotation.to_array()), translation: None, scale: None };
        say(&mut window, Command::Change { edit: Edit::Pose { joint: "forearm".into(), pose: Some(pose) } });
    }
    let before = up(&mut window);
    assert!(before >= 3.0 * 0.125 - 1e-5, "frames do not follow each other: {before}");
    for change in [set("push", json!(1.0)), set("push", json!(0.5)), set("back", json!(true))] {
        say(&mut window, Command::Change { edit: change });
    }
    let after = up(&mut window);
    assert!(after >= before + 3.0 * 0.125 - 1e-5, "it was at {before} and begins anew: {after}");
    // Of another skin there is nothing to remember.
    say(&mut window, Command::Example { name: "hand".into() });
    say(&mut window, Command::Change { edit: Edit::Method { name: toy::NAME.into() } });
    say(&mut window, Command::Change { edit: set("drift", json!(0.125)) });
    assert!(up(&mut window) < before);
}

#[test]
fn a_loop_and_a_hand_on_the_timeline_begin_anew() {
    toy::add();
    let mut window = window();
    say(&mut window, Command::Example { name: "arm".into() });
    say(&mut window, Command::Change { edit: Edit::Method { name: toy::NAME.into() } });
    let drift = Edit::Setting { node: None, key: "drift".into(), value: Some(json!(0.125)) };
    say(&mut window, Command::Change { edit: drift });
    let mut at = |time: f64| {
        let studio = &mut window.state_mut().studio;
        let rest = studio.open.document.as_ref().expect("a character").rig().mesh.positions[0];
        let ready = studio.drawn.stages[0].ready().expect("it is bound");
        let mut pose = supple::pose::Pose::rest(&ready.rig);
        pose.bend(&ready.rig, "forearm", 10.0 + time, None).expect("a hinge");
        ready.move_to(&pose, Moment::Shown(time)).expect("it moves");
        (ready.engine.points()[0] - rest).y
    };
    let begins = at(5.0);
    assert!((at(5.1) - begins - 0.125).abs() < 1e-5 && (at(5.2) - begins - 0.25).abs() < 1e-5);
    for (time, what) in [(0.0, "the loop ends"), (9.0, "a hand pulls far ahead")] {
        assert!((at(time) - begins).abs() < 1e-5, "{what}, and it goes on");
        assert!((at(time + 0.1) - begins - 0.125).abs() < 1e-5, "{what}, and what follows does not");
    }
}
