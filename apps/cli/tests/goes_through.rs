//! Files full of what a rig has no word for go through the commands, and come out changed where they were to be.

mod command;

use command::{fine, refused, said};
use std::path::Path;
use supple::{read, rig::Rig};
use supple_testkit::rich;

fn rich_file(folder: &Path) -> Vec<u8> {
    let file = rich::glb();
    std::fs::write(folder.join("rich.glb"), &file).expect("written");
    file
}

fn rig(folder: &Path, name: &str) -> Rig {
    let loaded = read::path(folder.join(name)).expect(name);
    assert!(loaded.warnings.iter().all(|w| w.to_string().contains("draws lines")), "{:?}", loaded.warnings);
    loaded.rig
}

/// What a command changed, less what is new behind what was there.
fn changed(folder: &Path, before: &[u8], name: &str) -> Vec<String> {
    let after = std::fs::read(folder.join(name)).expect(name);
    assert!(rich::parts(&after).text.contains(rich::DIGITS), "{name}: a number was read and written again");
    let mut found = rich::differences(before, &after);
    let new = |d: &String| ["+/accessors/", "+/bufferViews/", "/buffers/0/byteLength"].iter().any(|n| d.starts_with(n));
    found.retain(|d| !new(d));
    found
}

#[test]
fn weights_limit_changes_the_weights_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let before = rich_file(here);
    fine(here, &["weights", "limit", "rich.glb", "-n", "2", "-o", "two.glb"]);
    let changed = changed(here, &before, "two.glb");
    let of_weights = |d: &&String| d.contains("/attributes/JOINTS_") || d.contains("/attributes/WEIGHTS_");
    assert_eq!(changed.iter().filter(of_weights).count(), 6, "{changed:?}");
    assert_eq!(changed.len(), 6, "{changed:?}");
    assert_eq!(rig(here, "two.glb").weights.expect("weights").most_influences(), 2);
}

#[test]
fn bind_changes_weights_and_adds_the_skeleton_it_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let before = rich_file(here);
    fine(here, &["bind", "rich.glb", "--weights", "nearest", "-o", "own.glb"]);
    let own = changed(here, &before, "own.glb");
    let of_weights = |d: &String| d.contains("/attributes/JOINTS_") || d.contains("/attributes/WEIGHTS_");
    assert!(!own.is_empty() && own.iter().all(of_weights), "{own:?}");

    std::fs::write(here.join("pole.tgf"), "1 0 0 0 base\n2 0 2.5 0 middle\n3 0 5 0 top\n#\n1 2\n2 3\n")
        .expect("written");
    let lines = said(here, &["bind", "rich.glb", "--skeleton", "pole.tgf", "--weights", "nearest", "-o", "pole.glb"]);
    assert!(
        lines.contains(
            "pole.glb: warning: the skeleton is another one: old joints that carry nothing else leave the scene (1)"
        ),
        "{lines}"
    );
    assert!(lines.contains("\"wag\" moved the old joints alone and goes"), "{lines}");
    let pole = changed(here, &before, "pole.glb");
    for kept in ["materials", "textures", "images", "samplers", "cameras", "extensions", "extras", "asset"] {
        assert!(!pole.iter().any(|d| d[1..].starts_with(kept) || d[2..].starts_with(kept)), "{kept}: {pole:?}");
    }
    assert!(!pole.iter().any(|d| d.ends_with("other bytes")), "{pole:?}");
    let meshes: Vec<_> = pole.iter().filter(|d| d.contains("/meshes/") && !of_weights(d)).collect();
    assert!(meshes.iter().all(|d| d.as_str() == "+/meshes/4"), "{meshes:?}");
    let back = rig(here, "pole.glb");
    assert_eq!(back.skeleton.names().collect::<Vec<_>>(), ["base", "middle", "top"]);
    assert_eq!(back.mesh.positions, rig(here, "rich.glb").mesh.positions);
    assert_eq!(back.clips.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["walk", "look", "glow"]);
}

const NOD: &str = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
    JOINT Spine\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT stranger\n{\nOFFSET 0 1 0\n\
    CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n}\n\
    MOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 30 0 0 0 0\n0 0 0 0 0 0 0 0 0 0 0 0\n";

#[test]
fn retarget_adds_a_clip_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let before = rich_file(here);
    std::fs::write(here.join("nod.bvh"), NOD).expect("written");
    let lines = said(here, &["retarget", "rich.glb", "--clip", "nod.bvh", "-o", "nodding.glb"]);
    assert!(lines.contains("nod.bvh: 2 joints matched by name, 1 had no partner"), "{lines}");
    assert!(lines.contains("wrote nodding.glb (with the clip \"nod\")"), "{lines}");
    assert_eq!(changed(here, &before, "nodding.glb"), ["+/animations/4"]);
    let nodding = rig(here, "nodding.glb");
    assert_eq!(nodding.clips[..4], rig(here, "rich.glb").clips[..]);
    let nod = nodding.clip("nod").expect("the new clip");
    assert!((nod.duration() - 0.2).abs() < 1e-6);
    let pose = nod.sample(&nodding, 0.1);
    let spine = nodding.skeleton.find("spine").expect("a spine");
    let turn = pose.local[spine].matrix3.col(1);
    assert!((turn.z - 0.5).abs() < 1e-5, "30 degrees about x: {turn}");

    // A clip of another rig, by its name; the first where none is named.
    let words =
        ["retarget", "rich.glb", "--clip", "nodding.glb", "--take", "nod", "--name", "again", "-o", "twice.glb"];
    fine(here, &words);
    assert_eq!(changed(here, &before, "twice.glb"), ["+/animations/4"]);
    assert!(rig(here, "twice.glb").clip("again").is_some());
    let lines = said(here, &["retarget", "rich.glb", "--clip", "nodding.glb", "--name", "first", "-o", "first.glb"]);
    assert!(lines.contains("nodding.glb: holds 5 clips; the first, \"walk\", is taken"), "{lines}");
    // Joints besides the root are shifted from their own places.
    let jumping = NOD
        .replace("CHANNELS 3 Zrotation Xrotation Yrotation\nJOINT", "CHANNELS 3 Xposition Yposition Zposition\nJOINT");
    std::fs::write(here.join("jump.bvh"), jumping).expect("written");
    fine(here, &["retarget", "rich.glb", "--clip", "jump.bvh", "-o", "jumping.glb"]);
    let jumping = rig(here, "jumping.glb");
    let jump = jumping.clip("jump").expect("the new clip");
    let place = |seconds: f64| jump.sample(&jumping, seconds).local[spine].translation;
    assert!(place(0.0).distance(place(0.1)) > 0.01, "{} {}", place(0.0), place(0.1));
    let line = refused(here, &["-qq", "retarget", "nodding.glb", "--clip", "nod.bvh", "-o", "x.glb"]);
    assert!(
        line.contains("nodding.glb: has a clip \"nod\" already; give the new one another name with --name"),
        "{line}"
    );
    let line = refused(here, &["-qq", "retarget", "rich.glb", "--clip", "nodding.glb", "--take", "nix", "-o", "x.glb"]);
    assert!(line.contains("nodding.glb: no clip is called \"nix\""), "{line}");
    let line = refused(here, &["-qq", "retarget", "rich.glb", "--clip", "nod.bvh", "-o", "rich.glb"]);
    assert!(line.contains("rich.glb"), "{line}");
    assert!(refused(here, &["-qq", "retarget", "rich.glb", "--clip", "nod.bvh", "-o", "x.obj"]).contains(".glb only"));
    assert!(!here.join("x.glb").exists());
    fine(here, &["deform", "rich.glb", "--clip", "nodding.glb", "--time", "0.5", "-o", "posed.ply"]);
}
