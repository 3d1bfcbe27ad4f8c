//! Implicit skinning from the command line: its controls, its pictures, its figures, and what it has to say.

mod command;

use command::{fine, said};
use std::fmt::Write;

/// A flat band of so many bones in a folder, `band.glb`: no limb of it encloses anything.
fn folder_with_band(bones: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut mesh, mut skeleton) = (String::new(), String::new());
    for i in 0..=bones {
        let _ = writeln!(mesh, "v {i} 0 0\nv {i} 1 0");
        let _ = writeln!(skeleton, "{} {i} 0.5 0", i + 1);
    }
    skeleton.push_str("#\n");
    for i in 0..bones {
        let _ = writeln!(mesh, "f {} {} {} {}", 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
        let _ = writeln!(skeleton, "{} {}", i + 1, i + 2);
    }
    std::fs::write(folder.path().join("band.obj"), mesh).expect("written");
    std::fs::write(folder.path().join("band.tgf"), skeleton).expect("written");
    fine(folder.path(), &["--quiet", "bind", "band.obj", "--skeleton", "band.tgf", "-o", "band.glb"]);
    folder
}

#[test]
fn what_binding_leaves_out_is_said_once_and_cut_short() {
    let folder = folder_with_band(24);
    let deform = ["deform", "band.glb", "--method", "implicit", "--rest", "-o", "out.glb"];
    let lines = said(folder.path(), &deform);
    let about = |text: &str| text.lines().filter(|l| l.contains("enclose nothing")).count();
    assert_eq!(about(&lines), 20, "{lines}");
    assert!(lines.contains("supple: band: warning: implicit: joint "), "{lines}");
    assert!(lines.lines().any(|l| l.starts_with("supple: band: warning: and ") && l.ends_with(" more like these")));
    assert_eq!(said(folder.path(), &[&["--quiet"], &deform[..]].concat()), "");
    for words in [
        &["measure", "band.glb", "--method", "implicit", "--rest"][..],
        &["render", "band.glb", "--method", "implicit", "--rest", "--size", "64x48", "-o", "out.png"],
        &["compare", "band.glb", "--methods", "linear,implicit", "--rest", "-o", "page"],
    ] {
        let lines = said(folder.path(), words);
        assert_eq!(about(&lines), 20, "{words:?}: {lines}");
    }
}
