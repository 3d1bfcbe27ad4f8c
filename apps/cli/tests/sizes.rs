//! What is too large, endless or no file at all is refused before it is read.

mod command;

use command::{fine, folder_with_arm, refused, said, supple, within};
use std::{
    fs::File,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// Every way to give a command a file, with `FILE` where its name stands. The endings matter to some.
const WAYS: [&str; 19] = [
    "info FILE.glb",
    "info FILE.gltf",
    "info FILE.fbx",
    "info FILE.obj",
    "info FILE.ply",
    "info FILE.bvh",
    "info FILE.tgf",
    "info FILE.sm",
    "info FILE.json",
    "deform arm.glb --pose FILE.json -o out.obj",
    "deform --project FILE.json -o out.obj",
    "deform arm.glb --clip FILE.bvh -o out.obj",
    "bind arm.glb --skeleton FILE.glb -o out.glb",
    "weights transfer arm.glb --from FILE.glb -o out.glb",
    "measure --reference FILE.json",
    "measure arm.glb --box forearm --reference FILE.obj",
    "measure arm.glb --model FILE.json",
    "measure arm.glb --model FILE.sm",
    "studio --script FILE.json",
];

/// A folder with a small `arm.glb` in it. The studio has been started once, so that nothing is said of building it.
fn folder() -> tempfile::TempDir {
    let folder = folder_with_arm();
    let _ = supple(folder.path(), &["studio", "--script", "none.json"]);
    folder
}

fn words<'a>(way: &'a str, name: &str, full: &'a mut String) -> Vec<&'a str> {
    *full = way.replace("FILE", name);
    full.split(' ').collect()
}

/// The file that a way names.
fn named(way: &str, name: &str) -> String {
    way.replace("FILE", name).split(' ').find(|w| w.starts_with(name)).expect("a file").to_owned()
}

#[test]
fn a_terabyte_of_nothing_is_refused_unread() {
    let folder = folder();
    for way in WAYS {
        let name = named(way, "vast");
        File::create(folder.path().join(&name)).expect("made").set_len(1 << 40).expect("sparse");
        let line = refused(folder.path(), &words(way, "vast", &mut String::new()));
        assert!(line.contains(&format!("{name}: has 1 TiB")) && line.contains("SUPPLE_MAX_FILE_SIZE"), "{way}: {line}");
    }
    assert!(!folder.path().join("out.obj").exists());
}

/// A file within the limit that is nothing but zeros is refused by its first bytes: the rest is never in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_gigabyte_of_nothing_is_refused_by_its_first_bytes() {
    let folder = folder_with_arm();
    for ending in ["glb", "gltf", "fbx", "obj", "ply", "bvh"] {
        let name = format!("zeros.{ending}");
        File::create(folder.path().join(&name)).expect("made").set_len(1 << 30).expect("sparse");
        let script =
            format!("ulimit -v 1000000; {} info {name} --device cpu --threads 1", env!("CARGO_BIN_EXE_supple"));
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().expect("runs");
        let line = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {line}");
        assert!(line.contains(&format!("{name}: byte 0: is 0")), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_opened() {
    let folder = folder();
    for way in WAYS {
        let (device, pipe) = (named(way, "device"), named(way, "pipe"));
        let link = folder.path().join(&device);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink("/dev/zero", link).expect("linked");
        let line = refused(folder.path(), &words(way, "device", &mut String::new()));
        assert!(line.contains("is a device, and a regular file is expected"), "{way}: {line}");
        if !folder.path().join(&pipe).exists() {
            let made = Command::new("mkfifo").current_dir(folder.path()).arg(&pipe).status().expect("mkfifo runs");
            assert!(made.success());
        }
        let line = refused(folder.path(), &words(way, "pipe", &mut String::new()));
        assert!(line.contains("is a pipe, and a regular file is expected"), "{way}: {line}");
    }
    assert!(refused(folder.path(), &["info", "/dev/zero"]).contains("unknown format"));
}

fn with_limit(folder: &Path, limit: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.current_dir(folder).env("SUPPLE_MAX_FILE_SIZE", limit).args(words).output().expect("the command starts")
}

#[test]
fn the_limit_says_its_name_and_can_be_raised() {
    let folder = folder_with_arm();
    let info = |limit: &str| with_limit(folder.path(), limit, &["info", "arm.glb"]);
    let output = info("1K");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(
        line.contains("1 KiB is the most that is read of a glTF file; the variable SUPPLE_MAX_FILE_SIZE raises"),
        "{line}"
    );
    assert!(info("1 MiB").status.success());
    let output = info("plenty");
    let line = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && line.contains("SUPPLE_MAX_FILE_SIZE=\"plenty\" is no size"), "{line}");
    // A limit that is lower than that of pose files counts for them too.
    let pose = format!("{{\"joints\": {{}}}}{}", " ".repeat(1 << 20));
    std::fs::write(folder.path().join("pose.json"), pose).expect("written");
    let words = ["deform", "arm.glb", "--pose", "pose.json", "-o", "out.obj"];
    let output = with_limit(folder.path(), "1M", &words);
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains("pose.json") && line.contains("1 MiB is the most that is read of a pose file"), "{line}");
    assert!(with_limit(folder.path(), "2M", &words).status.success());
}

/// What a file names counts towards the limit of the file.
#[test]
fn files_that_a_file_names_are_counted_with_it() {
    let folder = folder_with_arm();
    for name in ["a.bin", "b.bin", "c.bin"] {
        std::fs::write(folder.path().join(name), vec![0; 700]).expect("written");
    }
    let buffers =
        ["a.bin", "b.bin", "c.bin"].map(|name| format!(r#"{{"uri": "{name}", "byteLength": 700}}"#)).join(",");
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "buffers": [{buffers}]}}"#);
    std::fs::write(folder.path().join("many.gltf"), text).expect("written");
    let output = with_limit(folder.path(), "2K", &["info", "many.gltf"]);
    let line = String::from_utf8_lossy(&output.stderr);
    assert!(line.contains("buffers[2]") && line.contains("SUPPLE_MAX_FILE_SIZE"), "{line}");
    assert!(line.contains("2 KiB is the most that is read of a rig with the files it names"), "{line}");
    assert!(with_limit(folder.path(), "3K", &["info", "many.gltf"]).status.success());
}

fn piped(folder: &Path, words: &[&str], bytes: &[u8], limit: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    command.current_dir(folder).env("SUPPLE_MAX_FILE_SIZE", limit).args(words);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    // It may well stop reading before the end.
    let _ = child.stdin.take().expect("piped").write_all(bytes);
    child.wait_with_output().expect("ends")
}

#[test]
fn standard_input_is_a_file_where_it_is_asked_for() {
    let folder = folder_with_arm();
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    let arm = bytes("arm.glb");
    let output = piped(folder.path(), &["deform", "-", "--bend", "forearm=90", "-o", "piped.obj"], &arm, "1G");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fine(folder.path(), &["deform", "arm.glb", "--bend", "forearm=90", "-o", "named.obj"]);
    assert!(bytes("piped.obj").iter().filter(|b| **b == b'\n').eq(bytes("named.obj").iter().filter(|b| **b == b'\n')));
    let output = piped(folder.path(), &["info", "-", "--json"], &bytes("named.obj"), "1G");
    let facts: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        facts["triangles"],
        supple::read::path(folder.path().join("arm.glb")).expect("read").rig.mesh.triangles.len()
    );
    let pose = br#"{"joints": {"forearm": {"rotation": [0, 0, 0.7071068, 0.7071068]}}}"#;
    let output = piped(folder.path(), &["deform", "arm.glb", "--pose", "-", "-o", "posed.obj"], pose, "1G");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (words, bytes, limit, says) in [
        (&["info", "-"][..], &b"v 0 0 0\n".repeat(10_000)[..], "50K", "standard input: has more than 50 KiB"),
        (&["info", "-"], b"Dear reader", "1G", "standard input: nobody can tell what it is"),
        (&["measure", "-", "-"], &arm, "1G", "standard input can stand for one file only"),
    ] {
        let output = piped(folder.path(), words, bytes, limit);
        let line = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && line.contains(says) && line.lines().count() == 1, "{line}");
    }
}

/// A file that takes a page of the disk and promises millions of points is a small one that asks for much.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_hardly_more_than_a_hole_is_refused_unless_a_limit_is_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let hollow = |name: &str, points: u64| {
        let properties = "property float x\nproperty float y\nproperty float z\nend_header\n";
        let header = format!("ply\nformat binary_little_endian 1.0\nelement vertex {points}\n{properties}");
        let mut file = File::create(folder.path().join(name)).expect("made");
        file.write_all(header.as_bytes()).expect("written");
        file.set_len(header.len() as u64 + 12 * points).expect("sparse");
    };
    hollow("large.ply", 40_000_000);
    let output = within(512, folder.path(), &["info", "large.ply"]);
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains("large.ply: has 457.8 MiB, of which ") && line.contains("the rest is a hole"), "{line}");
    // Who says how much is to be read has looked at it.
    hollow("middle.ply", 6_000_000);
    assert!(refused(folder.path(), &["info", "middle.ply"]).contains("the rest is a hole"));
    assert!(with_limit(folder.path(), "1G", &["info", "middle.ply"]).status.success());
    hollow("small.ply", 1_000_000);
    fine(folder.path(), &["info", "small.ply"]);
}

#[cfg(unix)]
#[test]
fn an_endless_stream_that_may_be_a_rig_is_refused_before_it_is_too_large() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("yes 'v 0 0 0' | (ulimit -v 524288; exec {} info -)", env!("CARGO_BIN_EXE_supple"));
    let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().expect("runs");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains("standard input: has more than 128 MiB") && line.contains("SUPPLE_MAX_FILE_SIZE"), "{line}");
}

#[cfg(unix)]
#[test]
fn a_motion_of_a_project_that_cannot_be_read_is_left_out_with_the_reason() {
    let folder = folder_with_arm();
    let project = r#"{"format": "supple-project", "version": 3, "rig": "arm.glb", "motions": ["walk.bvh"],
        "graph": {"version": 1, "output": "l", "nodes": [{"name": "l", "method": "linear", "inputs": ["rest"]}]}}"#;
    std::fs::write(folder.path().join("work.json"), project).expect("written");
    let words = ["deform", "--project", "work.json", "-o", "out.obj"];
    let line = said(folder.path(), &words);
    assert!(line.contains("the motion \"walk.bvh\": cannot read it: No such file"), "{line}");
    assert!(Command::new("mkfifo").current_dir(folder.path()).arg("walk.bvh").status().expect("runs").success());
    let line = said(folder.path(), &words);
    assert!(line.contains("the motion \"walk.bvh\": is a pipe, and a regular file is expected"), "{line}");
    assert!(line.contains("its clips are left out"), "{line}");
}
