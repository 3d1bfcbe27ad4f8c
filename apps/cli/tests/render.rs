//! What `supple render` draws, and what it refuses.

mod command;

use command::{fine, folder_with_arm, refused, said};
use std::path::Path;

/// The bytes of a picture of 64 by 48 pixels.
fn picture(folder: &Path, rig: &str, words: &[&str]) -> Vec<u8> {
    fine(folder, &[&["render", rig, "--size", "64x48", "-o", "out.png"], words].concat());
    let bytes = std::fs::read(folder.join("out.png")).expect("written");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{words:?}");
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((side(16), side(20)), (64, 48), "{words:?}");
    bytes
}

#[test]
fn the_device_that_was_asked_for_draws() {
    let folder = folder_with_arm();
    let drawn = |device: &str| {
        said(folder.path(), &["render", "arm.glb", "--size", "64x48", "--device", device, "-o", "out.png"])
    };
    assert!(drawn("cpu").contains("(64 by 48 pixels, drawn by the processor)"), "{}", drawn("cpu"));
    // A picture this small is not worth opening a device for.
    assert!(drawn("auto").contains("drawn by the processor"), "{}", drawn("auto"));
    // No driver is a failure here, as in the tests of the renderer.
    assert!(!drawn("gpu").contains("processor"), "{}", drawn("gpu"));
}

#[test]
fn every_way_of_showing_gives_a_picture_of_its_own() {
    let folder = folder_with_arm();
    let ways: [&[&str]; 20] = [
        &[],
        &["--rest", "--view", "top"],
        &["--bend", "forearm=120"],
        &["--bend", "forearm=120", "--method", "dual-quaternion"],
        &["--clip", "bend", "--time", "0.3"],
        &["--view", "front"],
        &["--view", "front", "--orthographic"],
        &["--close", "forearm"],
        &["--close", "forearm=0.1"],
        &["--close", "forearm=0.1", "--orthographic"],
        &["--show", "normals"],
        &["--show", "depth"],
        &["--show", "ids"],
        &["--show", "weights"],
        &["--show", "weights", "--joint", "forearm"],
        &["--show", "wire,bones"],
        &["--show", "weights", "--show", "bones"],
        &["--bend", "forearm=120", "--quantity", "stretch"],
        &["--section", "-z=0.1", "--view", "front"],
        &["--background", "dark", "--label", "an arm", "--samples", "1"],
    ];
    let mut pictures: Vec<Vec<u8>> = ways.iter().map(|words| picture(folder.path(), "arm.glb", words)).collect();
    assert_eq!(pictures[0], picture(folder.path(), "arm.glb", &["--threads", "1"]));
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), ways.len(), "two ways show the same");
}

#[test]
fn meshes_points_and_bare_skeletons_are_drawn_as_they_lie() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("bones.tgf", "1 0 0 0\n2 1 0 0\n3 1 1 0\n#\n1 2\n2 3\n");
    fine(folder.path(), &["example", "statue", "--vertices", "3000", "-o", "statue.ply"]);
    let empty = {
        write("far.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
        picture(folder.path(), "far.obj", &["--view", "front"])
    };
    for file in ["mesh.obj", "bones.tgf", "statue.ply"] {
        assert_ne!(picture(folder.path(), file, &["--view", "front"]), empty, "{file}");
    }
}

#[test]
fn shared_weights_are_drawn_by_their_old_name_too() {
    let folder = folder_with_arm();
    let of = |word: &str| picture(folder.path(), "arm.glb", &["--show", word]);
    assert_eq!(of("shared-weights"), of("overlaps"));
    assert_ne!(of("shared-weights"), of("weights"));
}

#[test]
fn what_cannot_be_drawn_is_said_in_one_line() {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("mesh.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    for (words, says) in [
        (vec!["arm.glb", "--size", "999999x999999"], "999999 by 999999 pixels: each side must be 1 to 8192"),
        (vec!["arm.glb", "--size", "0x5"], "0 by 5 pixels"),
        (vec!["arm.glb", "--size", "large"], "--size large: expected WIDTHxHEIGHT"),
        (vec!["arm.glb", "--samples", "9"], "9 samples along the side of a pixel"),
        (vec!["arm.glb", "--view", "inside"], "invalid value 'inside'"),
        (
            vec!["arm.glb", "--show", "depth,ids"],
            "one of shaded, normals, depth, ids, weights, segments, shared-weights, field and samples at a time",
        ),
        (vec!["arm.glb", "--show", "depth,bones"], "nothing is drawn over them"),
        (vec!["arm.glb", "--show", "weights", "--quantity", "stretch"], "only one can"),
        (vec!["arm.glb", "--section", "w"], "--section w: expected x, y or z"),
        (vec!["arm.glb", "--method", "magic"], "no method is called \"magic\""),
        (vec!["mesh.obj", "--show", "weights"], "has no weights"),
        (vec!["arm.glb", "--show", "weights", "--joint", "foreram"], "did you mean \"forearm\"?"),
        (vec!["arm.glb", "--close", "foreram"], "did you mean \"forearm\"?"),
        (vec!["arm.glb", "--close", "forearm=-1"], "\"-1\" is not a radius"),
        (vec!["mesh.obj", "--bend", "knee=3"], "no joint is called \"knee\""),
    ] {
        let line = refused(folder.path(), &[&["render", "-o", "out.png"], &words[..]].concat());
        assert!(line.contains(says), "{words:?}: {line}");
    }
    let line = refused(folder.path(), &["render", "arm.glb", "-o", "out.jpg"]);
    assert!(line.contains("png can be written here"), "{line}");
    assert!(!folder.path().join("out.png").exists() && !folder.path().join("out.jpg").exists());
}

#[test]
fn options_without_effect_are_told() {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("mesh.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    std::fs::write(folder.path().join("points.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\n").expect("written");
    for (words, says) in [
        (vec!["arm.glb", "--section", "x=-100"], "--section cuts all of the skin away"),
        (vec!["arm.glb", "--section", "x=100"], "--section has no effect: all of the skin"),
        (vec!["arm.glb", "--show", "depth", "--label", "deep"], "--label has no effect"),
        (vec!["arm.glb", "--show", "ids", "--samples", "2"], "--samples has no effect"),
        (vec!["arm.glb", "--show", "weights", "--plain"], "--plain has no effect"),
        (vec!["arm.glb", "--show", "field", "--close", "forearm"], "--close has no effect"),
        (vec!["arm.glb", "--label", "Ellbögen 漢字 90°"], "--label: \"漢字\" can only be drawn as boxes"),
        (vec!["points.obj", "--show", "wire"], "--show wire has no effect: there are no triangles"),
        (vec!["mesh.obj", "--show", "bones"], "--show bones has no effect: there are no bones"),
        (vec!["mesh.obj", "--method", "dual-quaternion"], "the method has no effect"),
    ] {
        let lines = said(folder.path(), &[&["render", "--size", "64x48", "-o", "out.png"], &words[..]].concat());
        assert!(
            lines.contains(&format!("supple: warning: {says}")) && lines.lines().count() == 2,
            "{words:?}: {lines}"
        );
    }
    let words = ["render", "arm.glb", "--size", "64x48", "--section", "z", "--label", "Käfer", "-o", "out.png"];
    assert_eq!(said(folder.path(), &words).lines().count(), 1);
}

#[test]
fn the_plain_skin_has_no_colours_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = |color: &str| format!("v 0 0 0 {color}\nv 1 0 0 {color}\nv 0 1 0 {color}\nf 1 2 3\n");
    std::fs::write(folder.path().join("red.obj"), mesh("1 0 0")).expect("written");
    std::fs::write(folder.path().join("grey.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    let front = ["--view", "front"];
    assert_ne!(picture(folder.path(), "red.obj", &front), picture(folder.path(), "grey.obj", &front));
    let plain = ["--view", "front", "--plain"];
    assert_eq!(picture(folder.path(), "red.obj", &plain), picture(folder.path(), "grey.obj", &plain));
}
