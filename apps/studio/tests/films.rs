//! Films without a window: each frame is of its own moment, as a picture of that moment is, and a film that is stopped
//! leaves nothing behind.

use glam::Vec3;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use supple::{
    example,
    pose::{Clip, Track},
};
use supple_gpu::Gpu;
use supple_studio::{
    model::{Backdrop, Command, Document, Edit, ExportKind, Origin, PictureOptions, PictureSize, SkinView},
    studio::{Studio, deliver, frames, memory::Memory, record, recovery::Recovery, task::Wake},
    viewport::{Shown, Skin, Viewport},
};
use supple_testkit::toy;

/// An arm with its clip; on the device, or on the processor.
fn studio(on_device: bool) -> Studio {
    // Before anybody looks at the registry.
    toy::add();
    let gpu = pollster::block_on(Gpu::open()).expect("a device, software drivers included");
    let studio = Studio::new(gpu, Wake::nobody(), Memory::default(), Recovery::default());
    let mut studio = studio.expect("the shaders are sound");
    (studio.device.insist, studio.sight.aspect) = (on_device, 1.5);
    let arm = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
    studio.take(Document::new("arm".into(), Origin::Example("arm".into()), arm, Vec::new()).unwrap());
    studio.execute(Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
    studio
}

fn settle(studio: &mut Studio) {
    for _ in 0..4000 {
        studio.tick(0.02);
        if studio.is_settled() {
            return studio.tick(0.02);
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    panic!("the studio never came to rest: {:?}", studio.said.notices);
}

fn options(rate: f64, to: f64) -> PictureOptions {
    let (size, background) = (PictureSize::Vga, Backdrop::Plain);
    PictureOptions { size, background, rate: Some(rate), to: Some(to), ..Default::default() }
}

fn export(studio: &mut Studio, kind: ExportKind, path: &Path, picture: PictureOptions) {
    studio.execute(Command::Export { kind, path: path.to_owned(), picture });
}

fn pngs(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn every_frame_of_a_film_is_the_picture_of_its_own_moment() {
    for (on_device, view) in [(true, SkinView::Shaded), (false, SkinView::Shaded), (true, SkinView::Stretch)] {
        let folder = tempfile::tempdir().unwrap();
        let mut studio = studio(on_device);
        studio.execute(Command::Show { view });
        settle(&mut studio);
        assert_eq!(studio.drawn.stages[0].bound().map(|b| b.engine.on_device()), Some(on_device));
        // The window shows another moment when it begins.
        studio.open.playback.time = 0.9;
        settle(&mut studio);
        export(&mut studio, ExportKind::Frames, &folder.path().join("film.png"), options(5.0, 0.6));
        settle(&mut studio);
        let frames = pngs(folder.path());
        assert_eq!(frames.len(), 3, "{:?}", studio.said.notices);
        let alone = folder.path().join("alone.png");
        let mut seen = Vec::new();
        for (i, (path, frame)) in frames.iter().enumerate() {
            assert_eq!(*path, frames::path(&folder.path().join("film.png"), i));
            studio.open.playback.time = i as f64 / 5.0;
            export(&mut studio, ExportKind::Picture, &alone, options(5.0, 0.6));
            settle(&mut studio);
            assert!(std::fs::read(&alone).unwrap() == *frame, "frame {i}, on the device: {on_device}, {view:?}");
            assert!(!seen.contains(&frame), "frame {i} shows what another one shows");
            seen.push(frame);
        }
    }
}

/// Lets a film begin.
fn draw_some(studio: &mut Studio) {
    while studio.work.recorder.as_ref().expect("it goes on").progress() < 0.05 {
        studio.tick(0.02);
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_film_that_is_stopped_leaves_nothing_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    settle(&mut studio);
    export(&mut studio, ExportKind::Frames, &folder.path().join("film.png"), options(60.0, 1.0));
    draw_some(&mut studio);
    let recorder = studio.work.recorder.as_ref().expect("it goes on");
    assert!((0.0..1.0).contains(&recorder.progress()) && recorder.words().contains("of 60"), "{}", recorder.words());
    studio.execute(Command::StopExport);
    settle(&mut studio);
    assert!(studio.work.recorder.is_none() && pngs(folder.path()).is_empty());
    let said = &studio.said.notices.last().unwrap().text;
    assert!(said.contains("stopped") && said.contains("frames that were written, of 60, are removed"), "{said}");
    assert_eq!(studio.said.unwritten, None, "nobody is asked for another place");
    // Neither does one whose character is closed under it.
    export(&mut studio, ExportKind::Frames, &folder.path().join("film.png"), options(60.0, 1.0));
    draw_some(&mut studio);
    studio.execute(Command::Close);
    assert!(pngs(folder.path()).is_empty() && studio.said.notices.last().unwrap().text.contains("not exported"));
}

#[test]
fn a_film_of_pictures_says_how_it_becomes_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    let folder = folder.path().join("it's 100 % \"$HOME\"");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("50 % of it.png");
    export(&mut studio, ExportKind::Frames, &path, options(24.0, 0.1));
    settle(&mut studio);
    let said = studio.said.notices.last().unwrap().text.clone();
    let folder = folder.display().to_string();
    let wrote = format!("wrote {folder}/50 % of it-0000.png to 50 % of it-0001.png (2 frames, 24 a second)");
    assert!(said.contains(&wrote), "{said}");
    #[cfg(unix)]
    {
        // As a shell understands it.
        let line = said.split("A film of them: ffmpeg").nth(1).unwrap();
        let shell = std::process::Command::new("sh").args(["-c", &format!("printf '%s\\n' {line}")]).output().unwrap();
        let words = String::from_utf8(shell.stdout).unwrap();
        let words: Vec<&str> = words.lines().collect();
        let from = format!("{}/50 %% of it-%04d.png", folder.replace('%', "%%"));
        assert_eq!(words[..6], ["-framerate", "24", "-i", &from, "-frames:v", "2"], "{said}");
        assert_eq!(words.last(), Some(&format!("{folder}/50 % of it.mp4").as_str()), "{said}");
        assert!(words.contains(&"libx264"), "{said}");
    }
    let odd = record::ffmpeg(&path, None, 30.0, [641, 480], &PictureOptions::default());
    assert!(odd.contains("crop=") && !odd.contains("frames:v"), "{odd}");
    let clear = PictureOptions { background: Backdrop::Transparent, ..Default::default() };
    assert!(record::ffmpeg(&path, None, 30.0, [640, 480], &clear).contains("yuva420p"));
}

#[test]
fn what_is_no_film_is_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    settle(&mut studio);
    let of = |rate, from, to| PictureOptions { rate, from, to, ..Default::default() };
    for (picture, part) in [
        (of(Some(0.0), None, None), "0 frames a second"),
        (of(Some(f64::NAN), None, None), "NaN frames a second"),
        (of(None, Some(1.0), Some(0.5)), "from 1 to 0.5 seconds"),
        (of(None, None, Some(1e9)), "to 1000000000 seconds"),
        (of(None, Some(f64::NAN), None), "from NaN"),
    ] {
        for kind in [ExportKind::Frames, ExportKind::Gif] {
            studio.said.notices.clear();
            export(&mut studio, kind, &folder.path().join("film.gif"), picture.clone());
            let said = &studio.said.notices.last().expect("it is said").text;
            assert!(said.contains(part) && !said.contains('\n') && studio.work.recorder.is_none(), "{said}");
        }
    }
    assert!(pngs(folder.path()).is_empty());
    // A GIF counts in hundredths of a second.
    assert_eq!(record::rate_of(ExportKind::Gif, Some(60.0)), Ok(50.0));
    assert_eq!(record::rate_of(ExportKind::Frames, Some(60.0)), Ok(60.0));
}

#[test]
fn a_film_that_is_stopped_gives_back_what_it_would_have_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("film.png");
    let mut studio = studio(false);
    settle(&mut studio);
    for frame in [0, 2, 50] {
        std::fs::write(frames::path(&film, frame), "an older film").unwrap();
    }
    let before = pngs(folder.path());
    export(&mut studio, ExportKind::Frames, &film, options(60.0, 1.0));
    draw_some(&mut studio);
    studio.execute(Command::StopExport);
    settle(&mut studio);
    assert!(pngs(folder.path()) == before, "{:?}", studio.said.notices);
    // One that goes with the program takes its frames along.
    export(&mut studio, ExportKind::Frames, &film, options(60.0, 1.0));
    draw_some(&mut studio);
    drop(studio);
    assert!(pngs(folder.path()) == before);
}

#[test]
fn a_film_is_not_dropped_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    settle(&mut studio);
    export(&mut studio, ExportKind::Frames, &folder.path().join("film.png"), options(60.0, 0.2));
    draw_some(&mut studio);
    for (kind, name) in [(ExportKind::Frames, "film.png"), (ExportKind::Gif, "a.gif"), (ExportKind::Pose, "pose.glb")] {
        export(&mut studio, kind, &folder.path().join(name), options(60.0, 0.2));
        assert!(studio.said.unwritten.as_ref().is_some_and(|why| why.contains("a film is being written")), "{name}");
    }
    settle(&mut studio);
    assert_eq!(pngs(folder.path()).len(), 12, "{:?}", studio.said.notices);
    export(&mut studio, ExportKind::Pose, &folder.path().join("pose.glb"), PictureOptions::default());
    export(&mut studio, ExportKind::Pose, &folder.path().join("second.glb"), PictureOptions::default());
    assert!(studio.said.unwritten.as_ref().is_some_and(|why| why.contains("pose.glb is still being written")));
    settle(&mut studio);
    assert!(folder.path().join("pose.glb").exists() && !folder.path().join("second.glb").exists());
}

#[test]
fn a_film_whose_skin_cannot_be_moved_ends_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    // Another moment than that of the first frame.
    studio.open.playback.time = 0.5;
    settle(&mut studio);
    // Its points go to a device that is gone.
    let gone = pollster::block_on(Gpu::open()).unwrap();
    let viewport = Viewport::new(&gone).unwrap();
    let (skin, _) = Skin::new(&viewport, studio.open.document.as_ref().unwrap().rig()).unwrap();
    let shown = Shown::new(&viewport, &skin).unwrap();
    gone.device.destroy();
    assert!(gone.wait().is_err());
    studio.drawn.stages[0].ready().unwrap().shown = shown;
    export(&mut studio, ExportKind::Frames, &folder.path().join("film.png"), options(5.0, 0.6));
    settle(&mut studio);
    let why = studio.said.unwritten.as_ref().expect("it ends with a line");
    assert!(why.contains("the device was lost"), "{why}");
    assert!(pngs(folder.path()).is_empty());
}

#[test]
fn a_clip_that_is_not_there_is_not_written_as_a_pose() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    let mut arm = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
    arm.clips.clear();
    studio.take(Document::new("arm".into(), Origin::Example("arm".into()), arm, Vec::new()).unwrap());
    settle(&mut studio);
    for ending in ["glb", "usda", "pc2"] {
        let path = folder.path().join(format!("clip.{ending}"));
        export(&mut studio, ExportKind::Clip, &path, PictureOptions::default());
        settle(&mut studio);
        assert!(
            studio.said.unwritten.as_ref().is_some_and(|why| why.contains("has no clips")) && !path.exists(),
            "{ending}"
        );
    }
}

#[test]
fn points_that_are_written_are_not_bound_again_and_say_that_they_start_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = studio(false);
    studio.execute(Command::Change { edit: Edit::Method { name: "implicit".into() } });
    let (key, value) = ("tracking".into(), Some("robust".into()));
    studio.execute(Command::Change { edit: Edit::Setting { node: None, key, value } });
    settle(&mut studio);
    let (document, ready) = (studio.open.document.as_ref().unwrap(), studio.drawn.stages[0].bound().unwrap());
    let (binding, pose) = (ready.engine.binding(), document.pose(0.3));
    let holders = Arc::strong_count(binding);
    let points = deliver::Points::new(document, Some(ready), pose, folder.path().join("a.obj"), false);
    assert_eq!(Arc::strong_count(binding), holders + 1, "it shares what the window shows");
    drop(points);
    export(&mut studio, ExportKind::Pose, &folder.path().join("pose.obj"), PictureOptions::default());
    settle(&mut studio);
    let anew = "pose.obj; implicit: remembers earlier frames; a single pose starts anew";
    assert!(studio.said.notices.iter().any(|n| n.text.ends_with(anew)), "{:?}", studio.said.notices);
    export(&mut studio, ExportKind::Clip, &folder.path().join("clip.pc2"), PictureOptions::default());
    settle(&mut studio);
    assert_eq!(studio.said.notices.iter().filter(|n| n.text.contains("starts anew")).count(), 1);
}

/// Metres that the toy goes up with every frame that follows another, and with every second between them, and along z with every
/// second of its time.
const DRIFT: f32 = 0.125;
const RISE: f32 = 0.5;
const WIND: f32 = 0.25;

/// Moves the arm by a method that remembers, and goes by time.
fn remember(studio: &mut Studio) {
    studio.execute(Command::Change { edit: Edit::Method { name: toy::NAME.into() } });
    for (key, value) in [("push", 0.0), ("drift", DRIFT), ("rise", RISE), ("wind", WIND)] {
        let (key, value) = (key.to_owned(), Some(value.into()));
        studio.execute(Command::Change { edit: Edit::Setting { node: None, key, value } });
    }
    settle(studio);
}

/// The arm with a clip in which it stands still.
fn stand_still(studio: &mut Studio) {
    let mut arm = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
    let clip = arm.clips.iter().find(|clip| clip.name == "bend").expect("it has that clip");
    let still = |track: &Track| {
        let width = track.channel.width();
        let values = (0..track.times.len()).flat_map(|_| track.values[..width].to_vec()).collect();
        Track { values, ..track.clone() }
    };
    let tracks = clip.tracks().iter().map(still).collect();
    arm.clips = vec![Clip::new("still", tracks).expect("its keys are sound")];
    studio.take(Document::new("arm".into(), Origin::Example("arm".into()), arm, Vec::new()).unwrap());
    studio.execute(Command::Change { edit: Edit::Clip { name: Some("still".into()) } });
}

/// How far the first vertex is from where it rests.
fn carried(studio: &mut Studio) -> Vec3 {
    let ready = studio.drawn.stages[0].ready().expect("it is bound");
    ready.engine.points()[0] - ready.rig.mesh.positions[0]
}

/// Writes a film, and tells where the first vertex is in each of its frames.
fn film(studio: &mut Studio, path: &Path, picture: PictureOptions) -> Vec<Vec3> {
    let (from, to) = (picture.from.unwrap_or(0.0), picture.to.expect("an end"));
    let frames = ((to - from) * picture.rate.expect("a rate") + 1e-4) as usize;
    let mut seen = vec![Vec3::NAN; frames];
    export(studio, ExportKind::Frames, path, picture);
    for _ in 0..4000 {
        studio.tick(0.02);
        let Some(recorder) = &studio.work.recorder else { return seen };
        let frame = (recorder.progress() * frames as f32).round() as usize;
        if studio.is_ready() {
            seen[frame] = carried(studio);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the film never came to its end: {:?}", studio.said.notices);
}

#[test]
fn a_film_of_a_method_that_remembers_has_a_clock_of_its_own() {
    for (on_device, is_still) in [(false, false), (true, false), (false, true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut studio = studio(on_device);
        if is_still {
            stand_still(&mut studio);
        }
        remember(&mut studio);
        assert_eq!(studio.drawn.stages[0].bound().map(|b| b.engine.on_device()), Some(on_device));
        // What the window remembers has nothing to do with it.
        studio.execute(Command::Play { playing: true });
        (0..5).for_each(|_| studio.tick(0.04));
        let part = |from: f64| PictureOptions { from: Some(from), ..options(5.0, 1.0) };
        let whole = film(&mut studio, &folder.path().join("whole.png"), part(0.0));
        assert_eq!(whole.len(), 5);
        for (frame, found) in whole.iter().enumerate() {
            let seconds = frame as f32 / 5.0;
            let expected = Vec3::new(0.0, DRIFT * frame as f32 + RISE * seconds, WIND * seconds);
            assert!(found.distance(expected) < 1e-5, "frame {frame}: {found}, not {expected}");
        }
        // One that begins later runs through the frames before.
        let late = film(&mut studio, &folder.path().join("late.png"), part(0.4));
        let far = late.iter().zip(&whole[2..]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(late.len() == 3 && far < 1e-5, "{late:?} is not the end of {whole:?}");
        let picture = |name: &str, frame| std::fs::read(frames::path(&folder.path().join(name), frame)).unwrap();
        assert!((0..3).all(|frame| picture("late.png", frame) == picture("whole.png", frame + 2)));
        // The window begins anew when it has the skin again.
        studio.execute(Command::Play { playing: false });
        studio.tick(0.02);
        let expected = Vec3::Z * (WIND * studio.open.playback.time as f32);
        let found = carried(&mut studio);
        assert!(found.distance(expected) < 0.05 && found.y == 0.0, "{found}, not {expected}");
    }
}

#[test]
fn what_remembers_goes_on_while_time_does_though_the_pose_stands_still() {
    let mut studio = studio(false);
    stand_still(&mut studio);
    remember(&mut studio);
    studio.open.playback.time = 0.25;
    studio.tick(0.0);
    studio.execute(Command::Play { playing: true });
    let (begins, frame) = (carried(&mut studio), studio.drawn.stages[0].bound().unwrap().frame);
    for passed in 1..=3 {
        studio.tick(0.0625);
        let seconds = 0.0625 * passed as f32;
        let expected = Vec3::new(0.0, DRIFT * passed as f32 + RISE * seconds, WIND * seconds);
        let found = carried(&mut studio) - begins;
        assert!(found.distance(expected) < 1e-5, "after {passed} frames: {found}, not {expected}");
    }
    // Time that stands still moves nothing.
    studio.execute(Command::Play { playing: false });
    (0..3).for_each(|_| studio.tick(0.0625));
    assert_eq!(studio.drawn.stages[0].bound().unwrap().frame, frame + 3);
}
