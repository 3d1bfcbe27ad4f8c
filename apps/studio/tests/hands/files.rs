//! Files that are dropped: motions, characters, meshes and point sets without joints, projects whose rig has moved.

use crate::{example, said, say, settle, turn, window};
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};
use std::path::{Path, PathBuf};
use supple::{pose::Motion, project::Project, rig::Rig};
use supple_studio::{
    app::App,
    model::{Command, Document, Origin},
};

/// A motion for the built-in arm: the forearm goes up by 90 degrees in a second.
const WAVE: &str = "HIERARCHY
ROOT upper_arm
{
  OFFSET 0 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT forearm
  {
    OFFSET 2 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 2 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 0 0 0 0 0
0 0 0 45 0 0
0 0 0 90 0 0
";

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|e| e.to_string())
    }
}

fn drop_file(window: &mut Harness<'_, App>, path: &Path) {
    window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path.to_owned())));
    window.step();
    settle(window);
}

fn written(folder: &Path, name: &str, rig: &Rig) -> PathBuf {
    let (path, mut bytes) = (folder.join(name), Vec::new());
    supple::write::gltf::rig(rig, &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

fn open<'a>(window: &'a Harness<'_, App>) -> &'a Document {
    window.state().studio.open.document.as_ref().expect("something is open")
}

/// Where the forearm ends after so many seconds.
fn hand(document: &Document, seconds: f64) -> glam::DVec3 {
    let motion = Motion::of(document.rig(), &document.pose(seconds));
    motion.exact[1].transform_point3(glam::DVec3::new(4.0, 0.0, 0.0))
}

fn stop(window: &mut Harness<'_, App>) {
    say(window, Command::Play { playing: false });
}

#[test]
fn a_motion_that_is_dropped_on_a_character_moves_it() {
    let folder = tempfile::tempdir().unwrap();
    let wave = folder.path().join("wave.bvh");
    std::fs::write(&wave, WAVE).unwrap();
    let mut window = window();
    example(&mut window, "arm");
    turn(&mut window, "upper_arm", glam::DQuat::from_rotation_y(0.2));
    drop_file(&mut window, &wave);
    assert_eq!(open(&window).name, "arm", "{}", said(&window));
    assert!(window.state().studio.open.playback.playing, "{}", said(&window));
    stop(&mut window);
    let (from, to) = (hand(open(&window), 0.0), hand(open(&window), 1.0));
    assert!(to.distance(from) > 1.5, "{from} to {to}");
    assert!(open(&window).project().pose.is_some(), "work on it is kept");
    // Saved, it is there again; moved together with its motion too.
    let project = folder.path().join("work.json");
    say(&mut window, Command::Save { path: Some(project.clone()) });
    let saved = Project::from_json(&std::fs::read_to_string(&project).unwrap()).unwrap();
    assert_eq!(saved.motions, ["wave.bvh"]);
    let again = Document::open(&project).unwrap();
    assert!(hand(&again, 1.0).distance(to) < 1e-4 && again.warnings.is_empty(), "{:?}", again.warnings);
    // Step by step back: the moment it was stopped at, the choice of it, the motion itself.
    (0..3).for_each(|_| say(&mut window, Command::Undo));
    assert!(open(&window).rig().clip("wave").is_none() && open(&window).project().motions.is_empty());
    // A project without its motion opens, and says so.
    std::fs::remove_file(&wave).unwrap();
    let without = Document::open(&project).unwrap();
    assert!(without.warnings.iter().any(|w| w.contains("wave.bvh")), "{:?}", without.warnings);
}

#[test]
fn a_character_that_is_dropped_on_another_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut rig = supple::example::arm(&Default::default()).unwrap();
    rig.clips.truncate(1);
    let other = written(folder.path(), "other.glb", &rig);
    for (answer, name, clips) in
        [("Nothing", "arm", 0), ("Move arm by its clips", "arm", 1), ("Open it in place of this", "other", 1)]
    {
        let mut window = window();
        example(&mut window, "arm");
        let own = open(&window).rig().clips.len();
        drop_file(&mut window, &other);
        window.get_by_label("What shall other.glb do?");
        window.get_by_label(answer).click();
        window.step();
        settle(&mut window);
        stop(&mut window);
        assert_eq!(open(&window).name, name, "{answer}");
        let more = if name == "arm" { own + clips } else { clips };
        assert_eq!(open(&window).rig().clips.len(), more, "{answer}");
    }
}

#[test]
fn a_motion_of_strangers_is_not_forced_on_a_character() {
    let folder = tempfile::tempdir().unwrap();
    let strange = folder.path().join("strange.bvh");
    std::fs::write(&strange, WAVE.replace("upper_arm", "tail").replace("forearm", "wing")).unwrap();
    let mut window = window();
    example(&mut window, "arm");
    drop_file(&mut window, &strange);
    window.get_by_label("What shall strange.bvh do?");
    assert!(window.query_all_by_label_contains("\"tail\"").next().is_some());
    window.get_by_label("Open it in place of this").click();
    window.step();
    settle(&mut window);
    assert_eq!(open(&window).name, "strange");
    // Alone it is a skeleton that can be played, and the page says what more it is good for.
    window.get_by_label("What next?");
    window.get_by_label("Open a character…");
}

#[test]
fn what_has_no_joints_opens_on_a_page_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let figure = supple::example::figure(&supple::example::FigureOptions { vertices: 3000, bones: 23 }).unwrap();
    let mut bare = Rig::of_mesh("bare", figure.mesh.clone());
    let mut texts = Vec::new();
    for (name, of_points) in [("mesh.obj", false), ("points.ply", true)] {
        if of_points {
            bare.mesh.triangles.clear();
        }
        let (path, points) = (folder.path().join(name), bare.mesh.positions.clone());
        let mut bytes = Vec::new();
        match of_points {
            false => supple::write::obj::posed(&bare, &points, Default::default(), &mut bytes).unwrap(),
            true => supple::write::ply::posed(&bare, &points, Default::default(), &mut bytes).unwrap(),
        }
        std::fs::write(&path, bytes).unwrap();
        let mut window = window();
        say(&mut window, Command::Open { path });
        window.get_by_label("What next?");
        window.get_by_label("Open another file…");
        texts.extend(all_words(&window));
        window.get_by_label("human").click();
        window.step();
        settle(&mut window);
        let rig = open(&window).rig().clone();
        assert!(rig.skeleton.len() == 23 && rig.weights.is_some(), "{name}: {}", said(&window));
        assert!(window.query_by_label("What next?").is_none(), "{name}: the tabs are back");
        assert!(window.state().studio.drawn.stages[0].bound().is_some(), "{name}: it moves");
    }
    // A skeleton without weights is asked for those.
    let mut rig = figure.clone();
    rig.weights = None;
    let mut window = window();
    let unbound = Document::new("unbound".into(), Origin::Bytes("unbound.glb".into()), rig, Vec::new());
    window.state_mut().studio.take(unbound.unwrap());
    settle(&mut window);
    assert!(open(&window).rig().weights.is_none());
    window.get_by_label("What next?");
    texts.extend(all_words(&window));
    window.get_by_label("bone heat").click();
    window.step();
    settle(&mut window);
    assert!(open(&window).rig().weights.is_some(), "{}", said(&window));
    // Nothing in a window can be typed into a shell.
    for text in texts {
        assert!(!text.contains("supple ") && !text.contains("--"), "{text}");
    }
}

/// Every word that stands in the window.
fn all_words(window: &Harness<'_, App>) -> Vec<String> {
    use egui_kittest::kittest::NodeT;
    let words = window.query_all_by_label_contains("");
    let of = |n: egui_kittest::Node<'_>| {
        n.accesskit_node().label().into_iter().chain(n.accesskit_node().value()).collect::<Vec<_>>()
    };
    words.flat_map(of).chain([said(window)]).collect()
}

#[test]
fn other_json_is_told_without_words_of_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pose.json");
    std::fs::write(&path, r#"{"joints": {"forearm": {"rotation": [0, 0, 0, 1]}}}"#).unwrap();
    let mut window = window();
    say(&mut window, Command::Open { path });
    assert!(said(&window).contains("pose file") && !said(&window).contains("--"), "{}", said(&window));
}

#[test]
fn a_project_whose_rig_has_moved_asks_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rig = supple::example::arm(&Default::default()).unwrap();
    let path = written(folder.path(), "limb.glb", &rig);
    let mut window = window();
    say(&mut window, Command::Open { path: path.clone() });
    turn(&mut window, "forearm", glam::DQuat::from_rotation_z(0.7));
    say(&mut window, Command::Save { path: Some(at("work.json")) });
    say(&mut window, Command::Close);
    std::fs::create_dir(at("rigs")).unwrap();
    std::fs::rename(&path, at("rigs/limb.glb")).unwrap();
    say(&mut window, Command::Open { path: at("work.json") });
    window.get_by_label("Where is limb.glb?");
    assert!(!window.state().studio.said.notices.iter().any(|n| n.is_error), "it is asked, not complained about");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.event(egui::Event::Text("rigs/limb.glb".to_owned()));
    window.step();
    window.key_press(egui::Key::Enter);
    (0..3).for_each(|_| window.step());
    settle(&mut window);
    let document = open(&window);
    assert!(document.name == "work" && document.project().pose.is_some());
    assert!(document.is_changed(), "where the rig is now is in no file yet");
    say(&mut window, Command::Save { path: None });
    let saved = Project::from_json(&std::fs::read_to_string(at("work.json")).unwrap()).unwrap();
    assert_eq!(saved.rig.as_deref(), Some("rigs/limb.glb"));
    assert!(Document::open(&at("work.json")).unwrap().project().pose.is_some());
}

#[test]
fn a_dropped_project_that_reaches_out_of_its_folder_replaces_no_work_unasked() {
    let folder = tempfile::tempdir().unwrap();
    for inner in ["rigs", "projects"] {
        std::fs::create_dir(folder.path().join(inner)).unwrap();
    }
    let rig = written(&folder.path().join("rigs"), "limb.glb", &supple::example::arm(&Default::default()).unwrap());
    let project = folder.path().join("projects/work.json");
    let mut document = Document::open(&rig).unwrap();
    let view = supple::project::ViewPoint { eye: [0.0, 0.0, 5.0], target: [0.0; 3], up: [0.0, 1.0, 0.0] };
    supple_studio::studio::deliver::save(&mut document, Some(project.clone()), view).unwrap();
    let mut window = window();
    example(&mut window, "arm");
    turn(&mut window, "forearm", glam::DQuat::from_rotation_z(0.7));
    let dark = window.state().studio.sight.dark;
    for (answer, then) in [("Stay", "arm"), ("Go on without saving", "work")] {
        drop_file(&mut window, &project);
        window.get_by_label("Open files from another folder?");
        // Keys are for the question alone.
        window.key_press(egui::Key::D);
        window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
        window.step();
        settle(&mut window);
        assert!(window.state().studio.sight.dark == dark && open(&window).is_changed());
        window.get_by_label("Open it").click();
        window.step();
        settle(&mut window);
        assert!(open(&window).name == "arm" && open(&window).is_changed(), "it is asked first");
        window.get_by_label("Save first?");
        window.get_by_label(answer).click();
        window.step();
        settle(&mut window);
        assert_eq!(open(&window).name, then, "{}", said(&window));
    }
}
