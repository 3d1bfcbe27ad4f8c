//! Commands that are killed in the middle: a file is there whole or not at all, what was there before is not lost, and what a
//! killed run leaves is swept away by the next.

mod command;

use command::{fine, folder_with_arm};
use std::{
    collections::BTreeMap,
    fs,
    hash::{BuildHasher, Hasher, RandomState},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Long commands, and the files that they write.
const COMMANDS: [(&str, &[&str]); 7] = [
    ("bake arm.glb --clip 0 --fps 400 -o out.pc2", &["out.pc2"]),
    ("bake arm.glb --clip 0 --fps 60 -o out.glb", &["out.glb"]),
    ("bake arm.glb --clip 0 --fps 100 -o out.usda", &["out.usda"]),
    ("weights smooth arm.glb --iterations 300 -o out.glb", &["out.glb"]),
    ("weights limit arm.glb -n 1 --in-place", &["arm.glb", "arm.glb~"]),
    ("example statue --vertices 20000 -o out.ply", &["out.ply", "out.json"]),
    ("man pages", &["pages/supple.1", "pages/supple-bake.1", "pages/supple-weights-transfer.1"]),
];

/// How often; more where a longer test is asked for.
fn kills() -> usize {
    if std::env::var_os("SUPPLE_LONG").is_some() { 200 } else { 21 }
}

type Files = BTreeMap<&'static str, Option<Vec<u8>>>;

fn files(folder: &Path, names: &[&'static str]) -> Files {
    names.iter().map(|name| (*name, fs::read(folder.join(name)).ok())).collect()
}

/// Puts files as they were.
fn put(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        match bytes {
            Some(bytes) => fs::write(folder.join(name), bytes).expect("written"),
            None => drop(fs::remove_file(folder.join(name))),
        }
    }
}

/// Whether a process is left that was started in a folder.
fn works_in(folder: &Path) -> bool {
    let folder = fs::canonicalize(folder).expect("there");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.into_iter().any(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
}

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    for (i, (words, outputs)) in COMMANDS.iter().enumerate() {
        let folder = folder_with_arm();
        let folder = folder.path();
        fs::create_dir(folder.join("pages")).expect("made");
        let words: Vec<&str> = words.split(' ').collect();
        let mut before = files(folder, outputs);
        // Some outputs are there already; models are not replaced, and what was kept never is.
        for (_, bytes) in before.iter_mut().filter(|(name, b)| b.is_none() && !name.ends_with(['n', '~'])) {
            *bytes = Some(b".TH supple, somebody's work".to_vec());
        }
        put(folder, &before);
        let begin = Instant::now();
        fine(folder, &words);
        let takes = begin.elapsed().as_secs_f64();
        let after = files(folder, outputs);
        let share = kills() / COMMANDS.len() + usize::from(i < kills() % COMMANDS.len());
        for _ in 0..share {
            put(folder, &before);
            let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
            command.current_dir(folder).args(&words).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("starts");
            // Anywhere from the start to a little after the end.
            let share = RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64;
            std::thread::sleep(Duration::from_secs_f64(takes * 1.1 * share));
            let _ = child.kill();
            let _ = child.wait();
            // The process that does the work ends with the one that was killed, and a moment later.
            while works_in(folder) {
                std::thread::sleep(Duration::from_millis(2));
            }
            let left = files(folder, outputs);
            for (name, bytes) in &left {
                let whole = *bytes == before[name] || *bytes == after[name];
                assert!(whole, "{words:?} left half of {name}, killed after {share:.2} of its time");
            }
            if let Some(rig) = before.get("arm.glb").filter(|rig| left["arm.glb"] != **rig) {
                assert!(left["arm.glb~"] == *rig, "{words:?} replaced a rig and lost it");
            }
        }
        put(folder, &before);
        fine(folder, &words);
        assert!(files(folder, outputs) == after, "{words:?} does not finish the job when it is run again");
        for of in [folder, &folder.join("pages")] {
            let names = fs::read_dir(of).expect("readable").map(|e| e.expect("entry").file_name());
            let temporary: Vec<_> = names.filter(|n| n.to_string_lossy().ends_with(".tmp")).collect();
            assert!(temporary.is_empty(), "{words:?} left {temporary:?}");
        }
    }
}
