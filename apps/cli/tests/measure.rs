//! What `supple measure` prints and refuses.

mod command;

use command::{fine, refused};
use serde_json::Value;
use std::path::Path;

fn figures(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&fine(folder, &[&["measure", "--json"], words].concat())).expect("JSON")
}

fn folder_with_capsule() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "arm", "--plain", "--vertices", "2000", "-o", "arm.glb"]);
    folder
}

#[test]
fn a_rig_and_the_files_it_was_moved_to_have_the_same_figures() {
    let folder = folder_with_capsule();
    let folder = folder.path();
    let pose = ["--method", "dual-quaternion", "--bend", "forearm=135"];
    let of_rig = figures(folder, &[&["arm.glb"], &pose[..]].concat());
    fine(folder, &["deform", "arm.glb", "--rest", "-o", "rest.obj"]);
    for name in ["posed.obj", "posed.ply", "posed.glb"] {
        fine(folder, &[&["deform", "arm.glb", "-o", name], &pose[..]].concat());
        let of_files = figures(folder, &["rest.obj", name]);
        for key in ["overlap", "inverted", "volume_drift", "stretch_p1", "stretch_p99", "stretch_max", "largest_move"] {
            let (a, b) = (of_rig[key].as_f64().expect(key), of_files[key].as_f64().expect(key));
            assert!((a - b).abs() < 1e-6, "{name} {key}: {a} and {b}");
        }
        assert_eq!((&of_files["finite"], &of_files["vertices"]), (&of_rig["finite"], &of_rig["vertices"]));
        assert!(of_files.get("collapse").is_none());
    }
    assert!((of_rig["overlap"].as_f64().expect("a number") - 0.0465).abs() < 0.002);
    for key in ["rest_error", "rigid_error"] {
        assert!(of_rig[key].as_f64().is_some_and(|e| e < 1e-5), "{key}");
    }
    for key in ["collapse", "bulge", "flipped", "detail", "welded"] {
        assert!(of_rig[key].is_number(), "{key}");
    }
    let text = fine(folder, &[&["measure", "arm.glb"], &pose[..]].concat());
    assert!(text.lines().any(|l| l.starts_with("overlap") && l.ends_with(" %")), "{text}");
}

#[test]
fn a_box_and_flicker_add_their_figures() {
    let folder = folder_with_capsule();
    let words = ["arm.glb", "--bend", "forearm=135", "--box", "forearm=1.2", "--flicker", "forearm=20", "--grid", "48"];
    let f = figures(folder.path(), &words);
    let number = |key: &str| f[key].as_f64().unwrap_or_else(|| panic!("{key}: {f}"));
    // All of the overlap is near the elbow.
    assert!((number("box_overlap") - number("overlap")).abs() < 0.004);
    assert!((number("flicker") - 1.0).abs() < 0.1 && number("flicker_second") < 0.1);
}

#[test]
fn a_clip_has_a_row_for_each_frame_and_the_worst_of_all() {
    let folder = folder_with_capsule();
    let words = ["arm.glb", "--clip", "bend", "--all", "--fps", "4", "--grid", "32"];
    let f = figures(folder.path(), &words);
    let frames = f["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 5);
    let overlaps: Vec<f64> = frames.iter().map(|r| r["overlap"].as_f64().expect("a number")).collect();
    assert_eq!(f["worst"]["overlap"].as_f64(), overlaps.iter().copied().max_by(f64::total_cmp));
    assert!(f["worst"]["collapse"].as_f64() <= frames[0]["collapse"].as_f64());
    assert!((frames[3]["time"].as_f64().expect("a time") - 0.75).abs() < 1e-9);
    let text = fine(folder.path(), &[&["measure"], &words[..]].concat());
    assert_eq!(text.lines().filter(|l| l.starts_with("worst")).count(), 1);
    let one = figures(folder.path(), &["arm.glb", "--clip", "bend", "--time", "1", "--grid", "32"]);
    assert_eq!(one["overlap"], frames[4]["overlap"]);
}

#[test]
fn point_sets_get_figures_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), &["example", "statue", "--vertices", "2000", "-o", "statue.ply"]);
    let f = figures(folder.path(), &["statue.ply", "statue.ply"]);
    assert_eq!((&f["coverage"], &f["crack"], &f["points"]), (&1.0.into(), &0.0.into(), &2000.into()));
    assert!(f.get("overlap").is_none());
}

#[test]
fn what_cannot_be_measured_is_said_in_one_line() {
    let folder = folder_with_capsule();
    fine(folder.path(), &["example", "arm", "--plain", "--vertices", "700", "-o", "small.glb"]);
    fine(folder.path(), &["example", "statue", "--vertices", "2000", "-o", "statue.ply"]);
    for (words, says) in [
        (vec!["arm.glb", "small.glb"], "triangles at rest"),
        (vec!["arm.glb", "missing.obj"], "missing.obj: cannot read it"),
        (vec!["arm.glb", "arm.glb", "--method", "linear"], "cannot be used with"),
        (vec!["arm.glb", "--grid", "1"], "a grid of 1 cells"),
        (vec!["arm.glb", "--box", "knee"], "no joint is called \"knee\""),
        (vec!["arm.glb", "--box", "forearm=-1"], "is not a radius"),
        (vec!["arm.glb", "--flicker", "forearm=1"], "2 to 720 are possible"),
        (vec!["arm.glb", "--flicker", "upper_arm=30"], "nothing tells how joint \"upper_arm\" bends"),
        (vec!["arm.glb", "--all"], "--clip"),
        (vec!["arm.glb", "--clip", "bend", "--all", "--time", "1"], "cannot be used with"),
        (vec!["arm.glb", "--clip", "bend", "--all", "--fps", "0"], "--fps 0"),
        (vec!["statue.ply"], "needs skin weights"),
    ] {
        let line = refused(folder.path(), &[&["measure"], &words[..]].concat());
        assert!(line.contains(says), "{words:?}: {line}");
    }
}
