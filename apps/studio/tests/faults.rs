//! What goes wrong round the studio, without a window: a device that is lost, pictures that are missing, files that come
//! as a browser hands them over, and places that cannot be written to. It is said, and nothing is lost by it.

use serde_json::{Value, json};
use std::{path::Path, time::Duration};
use supple::{
    example,
    pose::JointPose,
    project::{Project, ViewPoint},
};
use supple_gpu::Gpu;
use supple_render::Picture;
use supple_studio::{
    model::{Command, Document, Edit, ExportKind},
    studio::{
        Studio,
        memory::{Memory, Store},
        recovery::Recovery,
        task::{self, Poll, Task, Wake},
    },
    viewport::{Look, Overlay, Style, Target},
};

fn studio(unsaved: Option<&Path>) -> Studio {
    let gpu = pollster::block_on(Gpu::open()).expect("a device, software drivers included");
    let recovery = unsaved.map_or_else(Recovery::default, |path| Recovery::new(Store::File(path.to_owned())));
    let mut studio = Studio::new(gpu, Wake::nobody(), Memory::default(), recovery).expect("the shaders are sound");
    (studio.device.insist, studio.sight.aspect) = (true, 1.5);
    studio
}

/// Lets time pass until all that was asked for is there.
fn settle(studio: &mut Studio) {
    for _ in 0..2000 {
        studio.tick(0.02);
        if studio.is_settled() {
            return studio.tick(0.02);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the studio never came to rest: {:?}", studio.said.notices);
}

fn turned(degrees: f64) -> Edit {
    let rotation = Some(glam::DQuat::from_rotation_z(degrees.to_radians()).to_array());
    Edit::Pose { joint: "forearm".into(), pose: Some(JointPose { rotation, translation: None, scale: None }) }
}

fn export(kind: ExportKind, path: &Path) -> Command {
    Command::Export { kind, path: path.to_owned(), picture: Default::default() }
}

fn said(studio: &Studio, part: &str) -> bool {
    studio.said.notices.iter().any(|n| n.text.contains(part) && !n.text.contains('\n'))
}

#[test]
fn a_lost_device_is_told_and_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let unsaved = folder.path().join("unsaved.json");
    let mut studio = studio(Some(&unsaved));
    studio.execute(Command::Example { name: "arm".into() });
    settle(&mut studio);
    assert!(studio.drawn.stages[0].bound().is_some_and(|b| b.engine.on_device()));
    studio.execute(Command::Change { edit: turned(70.0) });
    settle(&mut studio);
    studio.device.gpu.device.destroy();
    // The frames after it: what was sent before is done first.
    for _ in 0..100 {
        studio.tick(0.02);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(said(&studio, "the device was lost") && said(&studio, "your work is kept"), "{:?}", studio.said.notices);
    assert_eq!(studio.said.notices.len(), 1, "once");
    let posed = |d: &Document| d.project().pose.as_ref().and_then(|p| p.joints.get("forearm").copied());
    let kept = Recovery::new(Store::File(unsaved.clone())).recover().unwrap().unwrap();
    assert_eq!(posed(&kept), posed(studio.open.document.as_ref().unwrap()));
    assert!(posed(&kept).is_some() && kept.is_changed() && kept.project().view.is_some());

    // Work goes on, without a picture of it.
    studio.execute(Command::Change { edit: turned(20.0) });
    studio.execute(Command::Settle);
    studio.tick(0.02);
    let newest = Recovery::new(Store::File(unsaved.clone())).recover().unwrap().unwrap();
    assert_eq!(posed(&newest), posed(studio.open.document.as_ref().unwrap()), "what was done since is kept too");
    studio.execute(Command::Undo);
    studio.execute(Command::Redo);
    studio.execute(Command::Play { playing: true });
    studio.tick(0.02);
    let picture = folder.path().join("picture.png");
    studio.execute(export(ExportKind::Picture, &picture));
    assert!(said(&studio, "not exported") && !picture.exists());
    studio.execute(export(ExportKind::Pose, &folder.path().join("pose.glb")));
    settle(&mut studio);
    assert!(supple::read::path(folder.path().join("pose.glb")).is_ok(), "{:?}", studio.said.notices);
    let project = folder.path().join("work.json");
    studio.execute(Command::Save { path: Some(project.clone()) });
    assert!(said(&studio, "saved"), "{:?}", studio.said.notices);
    let saved = Document::open(&project).unwrap();
    assert_eq!(posed(&saved), posed(studio.open.document.as_ref().unwrap()));
    // Another file can still be looked for, though not at.
    studio.execute(Command::Example { name: "hand".into() });
    settle(&mut studio);
    assert_eq!(studio.open.document.as_ref().map(|d| d.name.as_str()), Some("hand"));
}

#[test]
fn a_panic_costs_no_work() {
    let folder = tempfile::tempdir().unwrap();
    let unsaved = folder.path().join("unsaved.json");
    let store = Store::File(unsaved.clone());
    let ended = std::thread::spawn(move || {
        let mut studio = studio(Some(&unsaved));
        studio.take(Document::example("arm").unwrap());
        studio.execute(Command::Change { edit: turned(70.0) });
        panic!("as a bug would");
    });
    assert!(ended.join().is_err());
    let kept = Recovery::new(store).recover().unwrap().unwrap();
    assert!(kept.project().pose.as_ref().is_some_and(|p| p.joints.contains_key("forearm")));
}

#[test]
fn work_that_panics_wakes_the_window_to_be_told() {
    let (woken, up) = std::sync::mpsc::channel();
    let wake = Wake::new(move || woken.send(()).unwrap());
    let task: Task<()> = task::spawn(&wake, || async { panic!("as a bug would") });
    up.recv_timeout(Duration::from_secs(60)).expect("it is woken");
    assert!(matches!(task.poll(), Poll::Lost(why) if why == "as a bug would"));
}

#[test]
fn what_was_kept_is_taken_up_when_the_program_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let unsaved = folder.path().join("unsaved.json");
    let mut document = Document::example("arm").unwrap();
    document.edit(&turned(70.0)).unwrap();
    let mut first = studio(Some(&unsaved));
    first.take(document);
    first.lost(&supple_gpu::GpuError::Lost("it was pulled out".into()));
    drop(first);
    let mut next = studio(Some(&unsaved));
    next.resume("the device was lost: it was pulled out");
    assert!(next.open.document.as_ref().is_some_and(|d| d.project().pose.is_some() && d.is_changed()));
    assert!(said(&next, "pulled out") && said(&next, "started again"));
    // Nothing was open: there is nothing to take up, and no harm in it.
    let mut empty = studio(None);
    empty.resume("the device was lost");
    assert!(empty.open.document.is_none() && said(&empty, "started again"));
}

const VIEW: ViewPoint = ViewPoint { eye: [0.0, 0.0, 5.0], target: [0.0; 3], up: [0.0, 1.0, 0.0] };
const SKIN: &str = "the skin.png";

/// An arm as a glTF of three files: the text, its numbers, and the picture of its skin.
fn arm_in_pieces() -> [(String, Vec<u8>); 3] {
    let mut glb = Vec::new();
    supple::write::gltf::rig(&example::arm(&Default::default()).unwrap(), &mut glb).unwrap();
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let (text, numbers) = (&glb[20..20 + length(12)], &glb[28 + length(12)..]);
    let mut root: Value = serde_json::from_slice(text).unwrap();
    root["buffers"][0]["uri"] = json!("arm.bin");
    root["images"] = json!([{ "uri": "the%20skin.png" }]);
    root["textures"] = json!([{ "source": 0 }]);
    root["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    root["meshes"][0]["primitives"][0]["material"] = json!(0);
    let red = Picture { width: 2, height: 2, pixels: vec![[200, 10, 10, 255]; 4] };
    let pieces = [("arm.gltf", root.to_string().into_bytes()), ("arm.bin", numbers.to_vec())];
    let [text, numbers] = pieces.map(|(name, bytes)| (name.to_owned(), bytes));
    [text, numbers, (SKIN.to_owned(), red.to_png().unwrap())]
}

/// How many pixels the skin covers.
fn covered(studio: &mut Studio) -> usize {
    let draw = |with_skin: bool| {
        let mut target = Target::new(&studio.device.viewport, [96, 64]).unwrap();
        let (_, skin) = studio.drawn.skin.as_ref().expect("it is on the device");
        let ready = studio.drawn.stages[0].bound().expect("it is bound");
        let skins = [(skin, &ready.shown, Look::SHADED)];
        let camera = studio.sight.orbit.camera();
        let drawn = &skins[..usize::from(with_skin)];
        studio.device.viewport.draw(&mut target, &camera, &Style::default(), drawn, &Overlay::default()).unwrap();
        let mut fetch = target.request().unwrap();
        for _ in 0..2000 {
            if let Some(picture) = fetch.try_take().unwrap() {
                return picture.pixels;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("no picture came");
    };
    let (with, without) = (draw(true), draw(false));
    with.iter().zip(&without).filter(|(a, b)| a != b).count()
}

#[test]
fn a_missing_texture_is_named_and_the_skin_is_drawn_without_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in arm_in_pieces() {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let open = || {
        let mut studio = studio(None);
        studio.execute(Command::Open { path: folder.path().join("arm.gltf") });
        settle(&mut studio);
        studio
    };
    let mut whole = open();
    assert!(whole.said.notices.is_empty(), "{:?}", whole.said.notices);
    assert_eq!(whole.open.document.as_ref().unwrap().rig().images.len(), 1);
    assert!(covered(&mut whole) > 300);
    std::fs::remove_file(folder.path().join(SKIN)).unwrap();
    let mut without = open();
    let line = without.said.notices.iter().find(|n| n.text.contains("skin.png")).expect("it is named");
    assert!(line.text.contains("cannot be used") && !line.is_error && !line.text.contains('\n'), "{}", line.text);
    assert!(without.open.document.as_ref().unwrap().rig().images.is_empty());
    assert!(covered(&mut without) > 300, "the character is there all the same");
}

#[test]
fn files_that_come_together_are_opened_as_one() {
    let mut studio = studio(None);
    let [text, numbers, skin] = arm_in_pieces();
    // In any order.
    studio.open_files(vec![skin.clone(), numbers.clone(), text.clone()]);
    let document = studio.open.document.as_ref().unwrap();
    assert_eq!((document.name.as_str(), document.rig().images.len()), ("arm", 1));
    assert!(studio.said.notices.is_empty(), "{:?}", studio.said.notices);
    // A piece that is missing is named, and what was open stays.
    studio.open_files(vec![text.clone(), skin.clone()]);
    assert!(said(&studio, "arm.bin") && studio.open.document.is_some(), "{:?}", studio.said.notices);
    let mut posed = Document::from_bytes(&text.0, text.1.clone(), &[numbers.clone(), skin.clone()], &[]).unwrap();
    posed.edit(&turned(70.0)).unwrap();
    let project = Project { rig: Some("arm.gltf".into()), ..Project::clone(posed.project()) };
    let project = ("work.json".to_owned(), project.to_json().into_bytes());
    let is_posed = |s: &Studio| s.open.document.as_ref().is_some_and(|d| d.project().pose.is_some());
    // A project with its rig, and one over the rig that is open already.
    studio.open_files(vec![project.clone(), text.clone(), numbers.clone(), skin.clone()]);
    assert!(is_posed(&studio), "{:?}", studio.said.notices);
    studio.open_files(vec![text, numbers, skin]);
    assert!(!is_posed(&studio));
    studio.open_files(vec![project.clone()]);
    assert!(is_posed(&studio));
    // Without its rig it says which one to open.
    studio.execute(Command::Close);
    studio.open_files(vec![project]);
    assert!(said(&studio, "open arm.gltf first"), "{:?}", studio.said.notices);
}

#[test]
fn work_that_a_page_left_waits_for_its_rig() {
    let folder = tempfile::tempdir().unwrap();
    let unsaved = folder.path().join("unsaved.json");
    let [text, numbers, skin] = arm_in_pieces();
    let beside = [numbers.clone(), skin.clone()];
    let mut document = Document::from_bytes(&text.0, text.1.clone(), &beside, &[]).unwrap();
    document.edit(&turned(70.0)).unwrap();
    Recovery::new(Store::File(unsaved.clone())).keep_now(&document, VIEW);
    let mut studio = studio(Some(&unsaved));
    assert_eq!(studio.kept.recovery.awaited(), None);
    studio.kept.recovery.await_rig();
    assert_eq!(studio.kept.recovery.awaited(), Some("arm.gltf"), "what the first page asks for");
    // Another character is not it.
    studio.take(Document::example("hand").unwrap());
    assert_eq!(studio.kept.recovery.awaited(), Some("arm.gltf"));
    studio.open_files(vec![text, numbers, skin]);
    let document = studio.open.document.as_ref().unwrap();
    assert!(document.project().pose.is_some() && document.is_changed());
    assert_eq!(studio.kept.recovery.awaited(), None);
}

#[test]
fn what_cannot_be_written_is_said_and_can_be_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(None);
    studio.take(Document::example("arm").unwrap());
    settle(&mut studio);
    let nowhere = folder.path().join("nowhere");
    for command in [
        export(ExportKind::Pose, &nowhere.join("pose.glb")),
        export(ExportKind::Clip, &nowhere.join("clip.pc2")),
        export(ExportKind::Gif, &nowhere.join("clip.gif")),
        Command::Save { path: Some(nowhere.join("work.json")) },
    ] {
        studio.said.notices.clear();
        studio.execute(command.clone());
        settle(&mut studio);
        let why = studio.said.unwritten.clone().unwrap_or_else(|| panic!("{command:?}"));
        assert!(why.starts_with("not ") && said(&studio, &why), "{command:?}: {why}");
    }
    // What works leaves nothing to ask.
    studio.execute(export(ExportKind::Pose, &folder.path().join("pose.glb")));
    settle(&mut studio);
    assert_eq!(studio.said.unwritten, None);
}

#[test]
fn a_view_that_nobody_moved_follows_the_shape_of_its_pane() {
    let mut studio = studio(None);
    studio.take(Document::example("arm").unwrap());
    settle(&mut studio);
    let wide = studio.sight.orbit;
    studio.sight.aspect = 0.6;
    studio.tick(0.02);
    let narrow = studio.sight.orbit;
    assert!(narrow.distance > 1.2 * wide.distance, "{} {}", narrow.distance, wide.distance);
    studio.sight.aspect = 1.5;
    studio.tick(0.02);
    assert!((studio.sight.orbit.distance / wide.distance - 1.0).abs() < 1e-4, "as it was");
    // What somebody chose stays.
    studio.sight.orbit.yaw += 0.3;
    let chosen = studio.sight.orbit;
    studio.sight.aspect = 0.6;
    studio.tick(0.02);
    assert_eq!(studio.sight.orbit, chosen);
}

#[test]
fn panes_beside_the_first_show_something_else() {
    let mut studio = studio(None);
    studio.take(Document::example("arm").unwrap());
    studio.execute(Command::Panes { layout: supple_studio::model::Layout::Four });
    for name in ["linear", "dual-quaternion", "delta-mush", "implicit"] {
        studio.execute(Command::Change { edit: Edit::Method { name: name.into() } });
        studio.tick(0.0);
        let shown = [1, 2, 3].map(|pane| studio.sight.beside.of(pane));
        let mut all = vec![name, shown[0], shown[1], shown[2]];
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 4, "{name}: {shown:?}");
    }
    studio.execute(Command::PaneMethod { pane: 1, method: "implicit".into() });
    studio.tick(0.0);
    assert_eq!(studio.sight.beside.of(1), "implicit", "somebody wants it so");
}

#[test]
fn a_saved_character_replaces_no_file_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("arm.glb"), "somebody's work").unwrap();
    let mut studio = studio(None);
    studio.execute(Command::Example { name: "arm".into() });
    settle(&mut studio);
    studio.execute(Command::Change { edit: turned(30.0) });
    for _ in 0..2 {
        studio.execute(Command::Save { path: Some(at("work")) });
        assert!(said(&studio, "work.json, with work-arm.glb beside it"), "{:?}", studio.said.notices);
    }
    assert_eq!(std::fs::read_to_string(at("arm.glb")).unwrap(), "somebody's work");
    assert!(Document::open(&at("work.json")).unwrap().project().pose.is_some());
    // Where that is taken too, nothing is written at all.
    std::fs::write(at("more-arm.glb"), "more of it").unwrap();
    studio.execute(Command::Save { path: Some(at("more.json")) });
    assert!(said(&studio, "not saved") && !at("more.json").exists(), "{:?}", studio.said.notices);
    assert_eq!(std::fs::read_to_string(at("more-arm.glb")).unwrap(), "more of it");
}

#[test]
fn a_window_that_rests_is_woken_to_keep_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(Some(&folder.path().join("unsaved.json")));
    let due = |studio: &Studio| studio.kept.recovery.due_in(studio.open.document.as_ref().unwrap());
    studio.execute(Command::Example { name: "arm".into() });
    settle(&mut studio);
    assert_eq!(due(&studio), None, "there is nothing to lose");
    studio.execute(Command::Change { edit: turned(30.0) });
    assert!(due(&studio).is_some_and(|d| d < Duration::from_secs(1)), "what is new is written at once");
    settle(&mut studio);
    assert_eq!(due(&studio), None, "it is written");
    studio.execute(Command::Change { edit: turned(40.0) });
    settle(&mut studio);
    assert!(due(&studio).is_some_and(|d| d > Duration::from_secs(1)), "what follows at once waits, and is waited for");
}

#[test]
fn the_rig_is_written_as_it_was_edited() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(None);
    studio.execute(Command::Example { name: "arm".into() });
    settle(&mut studio);
    let before = studio.open.document.as_ref().unwrap().rig().weights.clone();
    studio.execute(Command::Change { edit: Edit::Weights { source: supple::project::WeightSource::heat() } });
    settle(&mut studio);
    let path = folder.path().join("rig.glb");
    studio.execute(export(ExportKind::Rig, &path));
    settle(&mut studio);
    let (rig, written) = (studio.open.document.as_ref().unwrap().rig().clone(), supple::read::path(&path).unwrap().rig);
    assert_ne!(rig.weights, before, "nothing was edited");
    assert_eq!(written.skeleton.len(), rig.skeleton.len());
    assert_eq!(written.clips.len(), rig.clips.len());
    let (found, wanted) = (written.weights.unwrap(), rig.weights.clone().unwrap());
    let same = (0..wanted.len()).filter(|&v| found.dominant(v) == wanted.dominant(v)).count();
    assert!(same * 100 >= wanted.len() * 99, "{same} of {}", wanted.len());
}

/// What a vertex of the forearm has gone.
fn moved_by(studio: &mut Studio) -> f32 {
    for _ in 0..200 {
        if let Some(ready) = studio.drawn.stages[0].ready() {
            ready.host_wanted = true;
        }
        studio.tick(0.02);
        let ready = studio.drawn.stages[0].bound().expect("something is bound");
        if let Some((frame, points)) = ready.host()
            && frame == ready.frame
        {
            return points.iter().zip(&ready.rig.mesh.positions).map(|(p, r)| p.distance(*r)).fold(0.0, f32::max);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the points never came back");
}

#[test]
fn skin_that_cannot_be_bound_anew_goes_on_following_its_bones() {
    let mut studio = studio(None);
    studio.take(Document::example("arm").unwrap());
    studio.execute(Command::Change { edit: turned(70.0) });
    settle(&mut studio);
    let before = moved_by(&mut studio);
    let amount = Edit::Setting { node: None, key: "amount".into(), value: Some(json!([0.5, 0.5])) };
    studio.execute(Command::Change { edit: amount });
    settle(&mut studio);
    let error = studio.drawn.stages[0].error.clone().expect("two numbers are not one for each vertex");
    assert!(error.contains("amount") && error.contains("as it was bound before"), "{error}");
    assert_eq!(moved_by(&mut studio), before, "it has not moved");
    studio.execute(Command::Change { edit: turned(100.0) });
    settle(&mut studio);
    assert!(moved_by(&mut studio) > 1.1 * before, "and follows");
    studio.execute(Command::Undo);
    studio.execute(Command::Undo);
    settle(&mut studio);
    assert!(studio.drawn.stages[0].error.is_none() && moved_by(&mut studio) == before);
}

#[test]
fn bones_do_not_leave_skin_that_nothing_moves() {
    use supple::pose::Pose;
    let mut rig = example::arm(&Default::default()).unwrap();
    rig.mesh.triangles.clear();
    let origin = supple_studio::model::Origin::Bytes("points.ply".into());
    let mut studio = studio(None);
    studio.take(Document::new("points".into(), origin, rig, Vec::new()).unwrap());
    studio.execute(Command::Change { edit: turned(70.0) });
    settle(&mut studio);
    let rest = |studio: &Studio| Pose::rest(studio.open.document.as_ref().unwrap().rig());
    assert_ne!(studio.pose().unwrap(), rest(&studio));
    // Implicit skinning needs a surface.
    studio.execute(Command::Change { edit: Edit::Method { name: "implicit".into() } });
    settle(&mut studio);
    assert!(studio.drawn.stages[0].error.is_some() && studio.drawn.bare.is_some());
    assert_eq!(studio.pose().unwrap(), rest(&studio));
    studio.execute(Command::Undo);
    settle(&mut studio);
    assert_ne!(studio.pose().unwrap(), rest(&studio), "the pose itself is kept");
}

#[test]
fn an_edited_sample_survives_painting() {
    use supple::deform::implicit::{Implicit, JointSettings, MovedSample, SampleRef};
    let mut studio = studio(None);
    studio.take(Document::example("arm").unwrap());
    studio.execute(Command::Change { edit: turned(70.0) });
    let rig = studio.open.document.as_ref().unwrap().rig().clone();
    let limb = Implicit::default().volume(&rig).unwrap().body.limbs[1].samples.clone();
    let far = limb.iter().max_by(|a, b| a.at.x.total_cmp(&b.at.x)).unwrap();
    let to = (far.at + 0.05 * far.normal).to_array();
    // One by its place, and one as files of before have it: the last number of the list.
    let own = JointSettings {
        moved: vec![MovedSample { from: SampleRef::At(far.at.to_array()), to }],
        remove: vec![(limb.len() - 1).into()],
        ..Default::default()
    };
    studio.execute(Command::Change { edit: Edit::Joint { joint: "forearm".into(), settings: Some(own.into()) } });
    settle(&mut studio);
    let before = moved_by(&mut studio);
    assert!(!studio.drawn.stages[0].notes.iter().any(|n| n.contains("sample")), "{:?}", studio.drawn.stages[0].notes);
    // Most of the forearm goes to the upper arm.
    let painted = (0..rig.mesh.positions.len()).filter(|&v| (1.5..3.2).contains(&rig.mesh.positions[v].x));
    let rows = painted.map(|v| (v as u32, vec![("upper_arm".to_owned(), 1.0)])).collect();
    studio.execute(Command::Change { edit: Edit::Paint { stroke: 1, rows } });
    settle(&mut studio);
    let stage = &studio.drawn.stages[0];
    assert!(stage.error.is_none(), "{:?}", stage.error);
    let rig = studio.open.document.as_ref().unwrap().rig().clone();
    let graph = studio.open.document.as_ref().unwrap().project().graph().unwrap();
    let volume = Implicit::in_graph(&graph).unwrap().volume(&rig).unwrap();
    let forearm = rig.skeleton.find("forearm").unwrap();
    let limb = volume.body.limbs.iter().find(|l| l.limb.joint == forearm).unwrap();
    assert!(limb.samples.iter().any(|p| p.at.to_array() == to), "{:?}", stage.notes);
    assert!(moved_by(&mut studio) > 0.3 * before, "the character has not jumped to rest");
}

#[test]
fn a_film_replaces_no_picture_of_its_character() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let [(text_name, text), (numbers_name, numbers), (_, skin)] = arm_in_pieces();
    let text = String::from_utf8(text).unwrap().replace("the%20skin.png", "skin-0001.png");
    for (name, bytes) in [(text_name.as_str(), text.as_bytes()), (&numbers_name, &numbers), ("skin-0001.png", &skin)] {
        std::fs::write(at(name), bytes).unwrap();
    }
    let mut studio = studio(None);
    studio.execute(Command::Open { path: at("arm.gltf") });
    settle(&mut studio);
    studio.execute(Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
    // Two frames are allowed, and the second of them is the skin.
    for (to, is_refused) in [(0.2, false), (0.4, true)] {
        let size = supple_studio::model::PictureSize::Vga;
        let picture =
            supple_studio::model::PictureOptions { size, rate: Some(5.0), to: Some(to), ..Default::default() };
        studio.execute(Command::Export { kind: ExportKind::Frames, path: at("skin.png"), picture });
        settle(&mut studio);
        assert_eq!(said(&studio, "skin-0001.png: it is read for this"), is_refused, "{:?}", studio.said.notices);
    }
    assert!(std::fs::read(at("skin-0001.png")).unwrap() == skin);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "the film of one frame, and nothing else");
}
