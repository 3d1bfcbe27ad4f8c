//! The studio is killed while it saves, at any moment: every file is whole, and what was said to be saved is there.
//! The one that is killed is another process of this program, told what to do by the environment.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command as Process, Stdio},
    time::{Duration, Instant},
};
use supple_gpu::Gpu;
use supple_studio::{
    model::{Command, Document, Edit},
    studio::{
        Studio,
        memory::{Memory, Store},
        recovery::Recovery,
        task::Wake,
    },
};

const FOLDER: &str = "SUPPLE_TEST_SAVES_IN";

/// Saves a project without end, each time a second later in its clip, and says the second once it is said to be saved.
#[test]
#[ignore = "it is started, and killed, by the test below"]
fn saving_without_end() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let gpu = pollster::block_on(Gpu::open()).expect("a device, software drivers included");
    let mut unsaved = Recovery::new(Store::File(folder.join("unsaved.json")));
    // The one before was killed too, and nobody wants what it left.
    unsaved.discard();
    let mut studio = Studio::new(gpu, Wake::nobody(), Memory::default(), unsaved).expect("the shaders are sound");
    let work = folder.join("work.json");
    let first = if work.exists() { Document::open(&work) } else { Document::example("arm") };
    studio.take(first.expect("what a killed studio left can be opened"));
    studio.execute(Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
    // Enough paint that writing it takes a while.
    let row = vec![("forearm".to_owned(), 0.123_456), ("upper_arm".to_owned(), 0.876_544)];
    let rows = (0..2000).map(|vertex| (vertex, row.clone())).collect();
    studio.execute(Command::Change { edit: Edit::Paint { stroke: 1, rows } });
    let before = std::env::var("SUPPLE_TEST_FROM").ok().and_then(|s| s.parse().ok()).unwrap_or(0_u32);
    for second in before + 1.. {
        studio.execute(Command::Change { edit: Edit::Time { seconds: f64::from(second) } });
        studio.kept.recovery.keep(studio.open.document.as_ref().unwrap(), studio.sight.orbit.view_point());
        studio.said.notices.clear();
        studio.execute(Command::Save { path: Some(work.clone()) });
        if studio.said.notices.iter().any(|n| n.text.starts_with("saved ")) {
            let mut out = std::io::stdout().lock();
            writeln!(out, "said {second}").and_then(|()| out.flush()).unwrap();
        }
    }
}

/// The second that the project stands at.
fn second(path: &Path) -> f64 {
    let document = Document::open(path).unwrap_or_else(|e| panic!("a project that is not whole: {e}"));
    assert_eq!(document.project().weights.painted.rows.len(), 2000);
    document.project().clip.as_ref().expect("a clip").time
}

/// What a studio said of its end: the line after that of a panic, which says why, or else the last one.
fn last_words(errors: &Path) -> String {
    let text = String::from_utf8_lossy(&std::fs::read(errors).unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let reason = lines.iter().position(|line| line.contains("panicked at")).and_then(|at| lines.get(at + 1));
    reason.or(lines.last()).map_or_else(|| "it said nothing".to_owned(), |line| (*line).to_owned())
}

#[test]
fn a_studio_that_is_killed_while_saving_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let kills = if std::env::var_os("SUPPLE_LONG").is_some() { 200 } else { 4 };
    let told = tempfile::tempdir().unwrap();
    let errors = told.path().join("errors");
    let (mut known, mut dice) = (0, 0x9E37_79B9_u64);
    for kill in 0..kills {
        let mut studio = Process::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "saving_without_end", "--nocapture"])
            .env(FOLDER, folder.path())
            .env("SUPPLE_TEST_FROM", known.to_string())
            .stdout(Stdio::piped())
            .stderr(File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(studio.stdout.take().unwrap()).lines().map_while(Result::ok);
        let of = |line: &str| line.split_once("said ").and_then(|(_, n)| n.trim().parse::<u32>().ok());
        known = lines
            .find_map(|line| of(&line))
            .unwrap_or_else(|| panic!("studio {kill} has saved nothing: {}", last_words(&errors)));
        // Anywhere within a few times of saving.
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = Instant::now() + Duration::from_micros((dice >> 33) % 60_000);
        std::thread::sleep(moment.saturating_duration_since(Instant::now()));
        studio.kill().unwrap();
        studio.wait().unwrap();
        known = lines.filter_map(|line| of(&line)).last().unwrap_or(known);
        let found = second(&folder.path().join("work.json"));
        assert!(found >= f64::from(known), "{known} was said to be saved, and {found} is there");
        // What was left to be recovered is whole as well, and not older than what is saved.
        let unsaved = folder.path().join("unsaved.json");
        if unsaved.exists() {
            let left =
                Recovery::new(Store::File(unsaved)).recover().expect("it can be read").expect("it can be opened");
            let left = left.project().clip.as_ref().map_or(0.0, |c| c.time);
            assert!(left >= f64::from(known), "{left}");
        }
    }
    // The next save sweeps away what the killed ones had begun to write.
    let mut document = Document::open(&folder.path().join("work.json")).unwrap();
    let view = supple::project::ViewPoint { eye: [0.0, 0.0, 5.0], target: [0.0; 3], up: [0.0, 1.0, 0.0] };
    supple_studio::studio::deliver::save(&mut document, None, view).unwrap();
    let names = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|n| !n.contains("unsaved")).collect();
    names.sort();
    assert_eq!(names, ["arm.glb", "work.json"]);
}
