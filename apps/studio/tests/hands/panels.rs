//! Panels, help, and what an export says before it writes.

use crate::{example, said, say, select, settle, view, window, window_of};
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};
use supple_studio::{
    app::{App, Tab},
    model::{Command, Edit, Side},
    studio::memory::{Memory, Store, fitting},
};

#[test]
fn help_can_be_read_and_closed_in_a_small_window() {
    for size in [[900.0, 600.0], [600.0, 400.0]] {
        let mut window = window_of(size, Memory::default());
        settle(&mut window);
        window.key_press(egui::Key::F1);
        settle(&mut window);
        let close = window.get_by_label("Close").rect();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        assert!(screen.contains_rect(close), "{close} is not in {screen}");
        assert!(screen.contains_rect(window.get_by_label("Keys and mouse").rect()));
        window.get_by_label("Close").click();
        settle(&mut window);
        assert!(window.query_by_label("Keys and mouse").is_none(), "{size:?}: {close}");
    }
}

fn edges(window: &Harness<'_, App>) -> [f32; 2] {
    let view = view(window);
    [view.left(), view.right()]
}

#[test]
fn panels_keep_their_width_whatever_stands_in_them() {
    let mut window = window();
    example(&mut window, "hand");
    let before = edges(&window);
    for (tab, _) in Tab::all().chain(Tab::all().take(1)) {
        window.state_mut().tab = tab;
        (0..4).for_each(|_| window.step());
        settle(&mut window);
        assert_eq!(edges(&window), before, "{tab:?}");
    }
    let joint = window.state().studio.open.document.as_ref().unwrap().rig().skeleton.joints()[3].name.clone();
    select(&mut window, &joint);
    assert_eq!(edges(&window), before, "with a joint selected");
    say(&mut window, Command::Example { name: "figure".into() });
    assert_eq!(edges(&window), before, "of another character");
}

#[test]
fn panels_fold_away_and_come_back_as_wide_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let store = || Store::File(folder.path().join("studio.json"));
    let mut window = window_of([1000.0, 640.0], Memory::load(store()));
    example(&mut window, "arm");
    let [left, right] = edges(&window);
    // Dragged wider first.
    let at = |x: f32| egui::pos2(x, 300.0);
    for event in [
        egui::Event::PointerMoved(at(left - 2.0)),
        crate::button(at(left - 2.0), true),
        egui::Event::PointerMoved(at(left + 20.0)),
        egui::Event::PointerMoved(at(left + 40.0)),
        crate::button(at(left + 40.0), false),
    ] {
        window.event(event);
        (0..2).for_each(|_| window.step());
    }
    settle(&mut window);
    let wide = edges(&window)[0];
    assert!(wide > left + 25.0, "{wide} after {left}");
    window.key_press(egui::Key::J);
    settle(&mut window);
    assert!(edges(&window)[0] < 40.0);
    assert!(window.query_by_label("Joints").is_none());
    window.get_by_label("Fold: Panel on the right").click();
    window.step();
    settle(&mut window);
    assert!(edges(&window)[1] > right, "{:?}", edges(&window));
    say(&mut window, Command::Fold { side: Side::Right, folded: false });
    window.key_press(egui::Key::J);
    settle(&mut window);
    assert_eq!(edges(&window), [wide, right]);
    say(&mut window, Command::Fold { side: Side::Right, folded: true });
    drop(window);
    // The next day.
    let mut window = window_of([1000.0, 640.0], Memory::load(store()));
    example(&mut window, "arm");
    assert!((edges(&window)[0] - wide).abs() < 1.0 && edges(&window)[1] > right, "{:?}", edges(&window));
}

#[test]
fn an_export_says_what_it_will_write_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window();
    example(&mut window, "arm");
    for (title, says) in [
        ("Pose as GLB (the moved mesh)", &["the moved mesh as it stands", "without a skeleton", "arm.glb"][..]),
        ("Rig as GLB (skeleton, weights, clips)", &["the character at rest", "2 joints", "arm.glb"]),
        ("Clip as USDA", &["the moved mesh through \"bend\"", "arm.usda"]),
        ("Picture (PNG)", &["the first view as it is now", "1920 x 1080", "arm.png"]),
        ("Clip as PNG files", &["a numbered file for each frame", "arm-0000.png"]),
    ] {
        if title == "Clip as PNG files" {
            say(&mut window, Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
        }
        window.get_by_label("Export…").click();
        (0..3).for_each(|_| window.step());
        window.get_by_label(title).click();
        (0..3).for_each(|_| window.step());
        assert!(window.query_by_label(&format!("Export: {title}")).is_some(), "{title}");
        for word in says {
            assert!(window.query_all_by_label_contains(word).next().is_some(), "{title}: no \"{word}\"");
        }
        let typed = folder.path().join("other").display().to_string();
        window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        window.event(egui::Event::Text(typed.clone()));
        (0..2).for_each(|_| window.step());
        assert!(window.query_all_by_label_contains(&typed[..typed.len() - 6]).next().is_some(), "{title}: the folder");
        window.key_press(egui::Key::Escape);
        (0..3).for_each(|_| window.step());
    }
    assert_eq!(said(&window), "");
}

#[test]
fn a_window_fits_its_screen() {
    // A title bar and a bar of the system take their part.
    assert_eq!(fitting([1280.0, 800.0], [1366.0, 768.0]), [1280.0, 691.0]);
    assert_eq!(fitting([1280.0, 800.0], [1024.0, 600.0]), [1003.0, 540.0]);
    assert_eq!(fitting([1280.0, 800.0], [1920.0, 1080.0]), [1280.0, 800.0]);
    assert_eq!(fitting([1280.0, 800.0], [0.0, 0.0]), [1280.0, 800.0]);
}
