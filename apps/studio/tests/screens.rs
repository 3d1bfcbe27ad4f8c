//! The main screens as pictures, and the way of a newcomer through them by the words that stand on the buttons. Pictures
//! are kept in `tests/snapshots`; `UPDATE_SNAPSHOTS=1` writes them anew. Drivers differ in a pixel here and there, so a few
//! may be others.

mod harness;

use eframe::egui;
use egui_kittest::{Harness, SnapshotOptions, kittest::Queryable};
use harness::{SIZE, say, settle, window};
use std::time::Duration;
use supple_studio::{
    app::{App, Tab},
    model::{Backdrop, Command, Edit, ExportKind, Layout, PictureOptions, PictureSize, SkinView},
};

fn picture(window: &mut Harness<'_, App>, name: &str) {
    window.state_mut().studio.said.notices.clear();
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
    assert_eq!(window.state().studio.open.document.as_ref().map(|d| d.name.as_str()), Some("arm"));
    window.get_by_label("forearm").click();
    window.step();
    assert_eq!(window.state().studio.open.selected, Some(1));
    // About the hinge of the elbow.
    let rotation = Some(glam::DQuat::from_rotation_z(1.4).to_array());
    let pose = Some(supple::pose::JointPose { rotation, translation: None, scale: None });
    say(&mut window, Command::Change { edit: Edit::Pose { joint: "forearm".into(), pose } });
    picture(&mut window, "posed");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    settle(&mut window);
    assert!(window.state().studio.open.document.as_ref().unwrap().project().pose.is_none(), "undo by its key");
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
        let latest = w.state().studio.work.figures.latest().cloned();
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

fn posed_arm(window: &mut Harness<'_, App>) {
    say(window, Command::Example { name: "arm".into() });
    let rotation = Some(glam::DQuat::from_rotation_z(1.0).to_array());
    let pose = Some(supple::pose::JointPose { rotation, translation: None, scale: None });
    say(window, Command::Change { edit: Edit::Pose { joint: "forearm".into(), pose } });
}

fn name(window: &Harness<'_, App>) -> String {
    window.state().studio.open.document.as_ref().map_or_else(String::new, |d| d.name.clone())
}

#[test]
fn files_that_a_browser_hands_over_do_not_replace_work_unasked() {
    let mut window = window();
    posed_arm(&mut window);
    let mut bytes = Vec::new();
    supple::write::gltf::rig(&supple::example::hand(&Default::default()).unwrap(), &mut bytes).unwrap();
    let files = vec![("palm.glb".to_owned(), bytes)];
    for (answer, then) in [("Stay", "arm"), ("Go on without saving", "palm")] {
        window.state_mut().studio.arrivals.arrived = Some(files.clone());
        (0..4).for_each(|_| window.step());
        assert_eq!(name(&window), "arm", "it is asked first");
        window.get_by_label("Save first?");
        window.get_by_label(answer).click();
        window.step();
        settle(&mut window);
        assert_eq!(name(&window), then);
        assert!(window.query_by_label("Save first?").is_none());
    }
    // Nothing is lost here, so nothing is asked.
    window.state_mut().studio.arrivals.arrived = Some(files);
    (0..4).for_each(|_| window.step());
    assert!(window.query_by_label("Save first?").is_none());
}

#[test]
fn an_export_that_fails_asks_again_with_the_name_that_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window();
    posed_arm(&mut window);
    for (number, (kind, key)) in [("png", Some(egui::Key::E)), ("glb", None)].into_iter().enumerate() {
        match key {
            Some(key) => window.key_press_modifiers(egui::Modifiers::COMMAND, key),
            None => {
                window.get_by_label("Export…").click();
                (0..3).for_each(|_| window.step());
                window.get_by_label("Pose as GLB (the moved mesh)").click();
            }
        }
        window.step();
        window.step();
        let typed = folder.path().join(format!("nowhere/{number}.{kind}")).display().to_string();
        window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        window.event(egui::Event::Text(typed.clone()));
        window.step();
        window.get_by_label("Write").click();
        window.step();
        settle(&mut window);
        window.get_by_label_contains("not exported");
        let is_asked = |w: &Harness<'_, App>| w.query_all_by_value(&typed).count() > 0;
        assert!(is_asked(&window), "the dialog is there, with the name");
        std::fs::create_dir_all(folder.path().join("nowhere")).unwrap();
        window.get_by_label("Write").click();
        window.step();
        settle(&mut window);
        assert!(std::path::Path::new(&typed).exists(), "{:?}", window.state().studio.said.notices);
        assert!(!is_asked(&window), "it is gone");
        std::fs::remove_dir_all(folder.path().join("nowhere")).unwrap();
        window.state_mut().studio.said.notices.clear();
    }
}

#[test]
fn escape_closes_what_is_open_before_it_selects_nothing() {
    let mut window = window();
    posed_arm(&mut window);
    say(&mut window, Command::Select { joint: Some("forearm".into()) });
    window.get_by_label("View").click();
    window.step();
    window.step();
    assert!(window.query_by_label("One pane").is_some(), "the menu is open");
    for selected in [Some(1), None] {
        window.key_press(egui::Key::Escape);
        window.step();
        window.step();
        assert!(window.query_by_label("One pane").is_none(), "the menu is closed");
        assert_eq!(window.state().studio.open.selected, selected);
    }
}

#[test]
fn a_tool_is_taken_up_again_on_return_and_put_away_with_its_character() {
    let mut window = window();
    posed_arm(&mut window);
    say(&mut window, Command::Select { joint: Some("forearm".into()) });
    let tab = |window: &mut Harness<'_, App>, tab| {
        window.state_mut().tab = tab;
        (0..4).for_each(|_| window.step());
    };
    tab(&mut window, Tab::Weights);
    window.get_by_label("Paint").click();
    window.step();
    settle(&mut window);
    let paints = |w: &Harness<'_, App>| w.query_by_label("painting forearm").is_some();
    assert!(paints(&window) && window.state().studio.sight.view == SkinView::Weights);
    tab(&mut window, Tab::Method);
    assert_eq!(window.state().studio.sight.view, SkinView::Shaded);
    tab(&mut window, Tab::Weights);
    assert!(paints(&window) && window.state().studio.sight.view == SkinView::Weights);
    // The brush was for that arm; another one begins with empty hands.
    say(&mut window, Command::Example { name: "arm".into() });
    say(&mut window, Command::Select { joint: Some("forearm".into()) });
    assert!(!paints(&window) && window.state().studio.sight.view == SkinView::Shaded);
    // So does the section.
    tab(&mut window, Tab::Own("implicit"));
    settle(&mut window);
    window.get_by_label("show").click();
    window.step();
    settle(&mut window);
    let is_cut = |w: &Harness<'_, App>| w.query_all_by_label("about the bone").count() > 0;
    assert!(is_cut(&window));
    say(&mut window, Command::Example { name: "arm".into() });
    assert!(!is_cut(&window));
}

#[test]
fn pictures_are_as_large_and_as_empty_as_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window();
    posed_arm(&mut window);
    say(&mut window, Command::Bones { shown: false });
    let picture = |window: &mut Harness<'_, App>, picture: PictureOptions| {
        let path = folder.path().join("picture.png");
        say(window, Command::Export { kind: ExportKind::Picture, path: path.clone(), picture });
        let read =
            image::open(&path).unwrap_or_else(|e| panic!("{e}: {:?}", window.state().studio.said.notices)).to_rgba8();
        std::fs::remove_file(path).unwrap();
        read
    };
    let of = |size, background, marks| PictureOptions { size, background, marks, ..Default::default() };
    let shown = window.state().studio.sight.pane.map(|side| side.round() as u32);
    let empty = picture(&mut window, of(PictureSize::AsShown, Backdrop::Transparent, false));
    assert_eq!([empty.width(), empty.height()], shown);
    let alphas = |image: &image::RgbaImage| [0, 255].map(|a| image.pixels().filter(|p| p[3] == a).count());
    let [nothing, skin] = alphas(&empty);
    assert!(nothing > skin && skin > 1000, "{nothing} {skin}");
    assert_eq!(empty.get_pixel(2, 2)[3], 0);
    let plain = picture(&mut window, of(PictureSize::AsShown, Backdrop::Plain, false));
    let scene = picture(&mut window, of(PictureSize::AsShown, Backdrop::Scene, false));
    assert_eq!(alphas(&plain)[1], plain.pixels().count());
    // Skin is the same before any background, also where it ends.
    let mut other = 0;
    for (x, y, p) in empty.enumerate_pixels() {
        let q = plain.get_pixel(x, y);
        let differs = (0..3).any(|i| p[i].abs_diff(q[i]) > 2);
        other += usize::from(p[3] == 255 && differs);
        assert!(p[3] > 0 || scene.get_pixel(x, y)[3] == 255);
    }
    assert!(other < skin / 50, "{other} of {skin}");
    let large = picture(&mut window, of(PictureSize::Uhd, Backdrop::Plain, false));
    assert_eq!([large.width(), large.height()], [3840, 2160]);
    // The section, only where it is wanted.
    window.state_mut().tab = Tab::Own("implicit");
    settle(&mut window);
    window.get_by_label("show").click();
    window.step();
    settle(&mut window);
    std::thread::sleep(Duration::from_millis(1500));
    settle(&mut window);
    let without = picture(&mut window, of(PictureSize::AsShown, Backdrop::Plain, false));
    let with = picture(&mut window, of(PictureSize::AsShown, Backdrop::Plain, true));
    let differ =
        |a: &image::RgbaImage, b: &image::RgbaImage| a.pixels().zip(b.pixels()).filter(|(p, q)| p != q).count();
    assert!(differ(&with, &without) > 1000, "{}", differ(&with, &without));
}

fn type_name(window: &mut Harness<'_, App>, path: &std::path::Path) {
    (0..2).for_each(|_| window.step());
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.event(egui::Event::Text(path.display().to_string()));
    window.step();
    window.key_press(egui::Key::Enter);
    (0..3).for_each(|_| window.step());
}

#[test]
fn a_file_that_cannot_be_read_costs_no_work() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage.glb");
    std::fs::write(&garbage, "this is no rig").unwrap();
    let mut window = window();
    posed_arm(&mut window);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::O);
    type_name(&mut window, &garbage);
    window.get_by_label("Go on without saving").click();
    window.step();
    settle(&mut window);
    let document = window.state().studio.open.document.as_ref().expect("the arm is still there");
    assert!(document.name == "arm" && document.is_changed());
    assert!(window.state().studio.said.notices.iter().any(|n| n.text.contains("garbage.glb") && n.is_error));
}

#[test]
fn the_file_that_will_be_written_is_the_one_that_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("keep.json");
    std::fs::write(&there, "somebody's work").unwrap();
    let mut window = window();
    posed_arm(&mut window);
    window.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::S);
    type_name(&mut window, &folder.path().join("keep"));
    window.get_by_label("keep.json is there already: press again to replace it");
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "somebody's work");
    // Once more, without taking the field up again.
    window.key_press(egui::Key::Enter);
    (0..3).for_each(|_| window.step());
    assert!(std::fs::read_to_string(&there).unwrap().contains("supple"), "{:?}", window.state().studio.said.notices);
}

/// A rope, or somebody's joke: thousands of joints, each on the one before. The panel lists them and the stack is not used up.
#[test]
fn a_long_chain_of_joints_is_listed() {
    let mut rig = supple::example::arm(&Default::default()).unwrap();
    let mut joints = rig.skeleton.joints().to_vec();
    for link in 0..3000 {
        let last = joints.last().unwrap().clone();
        joints.push(supple::rig::Joint { name: format!("link {link}"), parent: Some(joints.len() - 1), ..last });
    }
    rig.skeleton = supple::rig::Skeleton::new(joints).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rope.glb");
    supple::write::file(&path, |out| supple::write::gltf::rig(&rig, out).map(drop)).unwrap();
    let mut window = window();
    say(&mut window, Command::Open { path });
    say(&mut window, Command::Change { edit: Edit::Method { name: "linear".into() } });
    assert_eq!(window.state().studio.open.document.as_ref().map(|d| d.rig().skeleton.len()), Some(rig.skeleton.len()));
    window.get_by_label("link 2");
}

#[test]
fn every_file_of_a_film_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let (film, there) = (folder.path().join("film"), folder.path().join("film-0003.png"));
    std::fs::write(&there, "somebody's work").unwrap();
    let mut window = window();
    posed_arm(&mut window);
    let ask = |window: &mut Harness<'_, App>| {
        window.get_by_label("Export…").click();
        (0..3).for_each(|_| window.step());
        window.get_by_label("Clip as PNG files").click();
        window.step();
    };
    // Nothing is promised while no clip is chosen.
    ask(&mut window);
    (0..2).for_each(|_| window.step());
    window.get_by_label("choose a clip first: there is nothing that moves");
    assert!(window.query_all_by_label_contains("Writes").next().is_none());
    window.key_press(egui::Key::Escape);
    (0..2).for_each(|_| window.step());
    say(&mut window, Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
    window.state_mut().studio.kept.picture = PictureOptions { size: PictureSize::Vga, ..Default::default() };
    ask(&mut window);
    type_name(&mut window, &film);
    window.get_by_label("film-0003.png is there already: press again to replace it");
    assert!(window.state().studio.work.recorder.is_none());
    window.key_press(egui::Key::Enter);
    (0..3).for_each(|_| window.step());
    assert!(window.state().studio.work.recorder.is_some(), "{:?}", window.state().studio.said.notices);
    // A window that is closed meanwhile asks what becomes of the film.
    let close = |window: &mut Harness<'_, App>| {
        let viewports = &mut window.input_mut().viewports;
        viewports.entry(egui::ViewportId::ROOT).or_default().events.push(egui::ViewportEvent::Close);
        (0..2).for_each(|_| window.step());
    };
    for _ in 0..2 {
        window.state_mut().studio.execute(Command::Undo);
    }
    assert!(!window.state().studio.open.document.as_ref().unwrap().is_changed());
    close(&mut window);
    window.get_by_label("Stop the film?");
    window.get_by_label("Stay").click();
    (0..2).for_each(|_| window.step());
    assert!(window.state().studio.work.recorder.is_some() && !window.state().studio.quitting);
    close(&mut window);
    window.get_by_label("Go on without the film").click();
    (0..2).for_each(|_| window.step());
    assert!(window.state().studio.work.recorder.is_none() && window.state().studio.quitting);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing of it is left");
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "somebody's work");
}
