//! `supple weights` and `supple fit`, from file to file.

use std::{path::Path, process::Command};
use supple::{read, rig::Rig};

fn supple(folder: &Path, words: &str) -> (bool, String, String) {
    let program = env!("CARGO_BIN_EXE_supple");
    let out = Command::new(program).current_dir(folder).args(words.split(' ')).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("plain text");
    (out.status.success(), text(out.stdout), text(out.stderr))
}

fn json(folder: &Path, words: &str) -> serde_json::Value {
    let (ok, out, error) = supple(folder, words);
    assert!(ok, "{words}: {error}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{words}: {e}: {out}"))
}

fn rig(folder: &Path, name: &str) -> Rig {
    read::path(folder.join(name)).expect(name).rig
}

#[test]
fn every_tool_writes_a_rig_and_says_what_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example figure --vertices 1200 -o figure.glb").0);
    let before = rig(here, "figure.glb");
    let smooth = json(here, "weights smooth figure.glb --amount 1 --iterations 3 -o smooth.glb --json");
    assert!(smooth["changed"].as_u64() > Some(100), "{smooth}");
    let limit = json(here, "weights limit smooth.glb -n 2 --continuous -o two.glb --json");
    assert_eq!(limit["influences_after"], 2);
    let two = rig(here, "two.glb");
    assert_eq!(two.weights.as_ref().unwrap().most_influences(), 2);
    assert_eq!((&two.mesh.positions, &two.skeleton), (&before.mesh.positions, &before.skeleton));
    assert_eq!(two.clips.len(), before.clips.len());
    assert!(
        json(here, "weights prune smooth.glb --below 0.1 -o lean.glb --json")["entries_after"].as_u64()
            < smooth["entries_after"].as_u64()
    );
    assert_eq!(json(here, "weights normalize figure.glb --bits 16 -o words.glb --json")["vertices"], 1200);
    let mirror = json(here, "weights mirror figure.glb --from right -o even.glb --json");
    assert_eq!((&mirror["pairs_by_name"], &mirror["unpaired"], &mirror["axis"]), (&8.into(), &0.into(), &"x".into()));
    assert!(supple(here, "example figure --vertices 2000 -o fine.glb").0);
    let transfer = json(here, "weights transfer fine.glb --from figure.glb -o taken.glb --json");
    assert!(transfer["matched"].as_u64() > Some(1800), "{transfer}");
    let words = supple(here, "weights transfer fine.glb --from figure.glb -o taken.glb").1;
    assert!(words.contains("of 2000 vertices") && words.contains("23 by name"), "{words}");
}

#[test]
fn a_skeleton_is_placed_in_a_bare_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example figure --vertices 2000 -o figure.glb").0);
    assert!(supple(here, "deform figure.glb --rest -o bare.obj").0);
    let report = json(here, "fit bare.obj --template human -o rigged.glb --json");
    assert_eq!((&report["up"], &report["facing"]), (&"+y".into(), &"+z".into()));
    assert_eq!(report["outside"].as_array().map(Vec::len), Some(0));
    let rigged = rig(here, "rigged.glb");
    assert_eq!(rigged.skeleton.len(), 23);
    assert!(supple(here, "deform rigged.glb --bend forearm_l=90 -o bent.obj").0);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example arm --vertices 600 -o arm.glb").0);
    assert!(supple(here, "deform arm.glb --rest -o bare.obj").0);
    for (words, says) in [
        ("weights smooth bare.obj -o x.glb", "bare.obj: the rig has no weights"),
        ("weights smooth arm.glb -o x.obj", "x.obj: weights are kept in .glb files alone"),
        ("weights smooth arm.glb --amount 2 -o x.glb", "arm.glb: --amount 2: 0 to 1 are possible"),
        ("weights limit arm.glb -n 0 -o x.glb", "--influences 0"),
        ("weights normalize arm.glb --bits 9 -o x.glb", "--bits 9: 8 or 16 are possible"),
        ("weights prune arm.glb --below -1 -o x.glb", "--below -1: 0 to 1 are possible"),
        ("weights mirror arm.glb -o x.glb", "say the side that counts with a sign, as +x or -x"),
        ("weights mirror arm.glb --from up -o x.glb", "--from up: expected left, right, +x"),
        ("weights transfer arm.glb --from bare.obj -o x.glb", "the rig \"bare\" has no weights"),
        ("fit arm.glb --template hand -o x.glb", "arm.glb: no five fingers were found in the mesh"),
        ("fit arm.glb --template human --up +y --facing -y -o x.glb", "cannot look along -y while +y is up"),
        ("fit arm.glb --template human -o x.obj", "x.obj: a skeleton is kept in .glb files alone"),
    ] {
        let (ok, _, error) = supple(here, words);
        assert!(!ok && error.contains(says) && error.trim_end().lines().count() == 1, "{words}: {error}");
        assert!(!here.join("x.glb").exists(), "{words}");
    }
}

#[test]
fn a_transfer_that_is_mostly_guessed_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example arm --vertices 600 -o arm.glb").0);
    assert!(supple(here, "deform arm.glb --rest -o bare.obj").0);
    assert!(supple(here, "deform arm.glb --bend upper_arm=90@0,0,1 -o turned.obj").0);
    for (target, warns) in [("bare.obj", false), ("turned.obj", true)] {
        let (ok, _, said) = supple(here, &format!("weights transfer {target} --from arm.glb -o x.glb"));
        assert!(ok && said.contains("warning: most of the skin lies far from the other") == warns, "{target}: {said}");
    }
}

#[test]
fn a_skeleton_goes_along_with_align_and_is_warned_of_without() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example figure --vertices 1200 -o figure.glb").0);
    assert!(supple(here, "deform figure.glb --rest -o bare.obj").0);
    let text = std::fs::read_to_string(here.join("bare.obj")).unwrap();
    let larger = |line: &str| match line.strip_prefix("v ") {
        Some(place) => {
            let number = |word: &str| (100.0 * word.parse::<f64>().expect("a number")).to_string();
            format!("v {}", place.split_whitespace().map(number).collect::<Vec<_>>().join(" "))
        }
        None => line.to_owned(),
    };
    std::fs::write(here.join("large.obj"), text.lines().map(larger).collect::<Vec<_>>().join("\n")).unwrap();
    let (ok, _, said) = supple(here, "weights transfer large.obj --from figure.glb -o alone.glb");
    assert!(ok && said.contains("warning: the mesh is"), "{said}");
    // Nor is it written on without a word.
    let (ok, _, said) = supple(here, "weights limit alone.glb -o limited.glb");
    assert!(ok && said.contains("warning: the mesh is"), "{said}");
    let (ok, words, said) = supple(here, "weights transfer large.obj --from figure.glb --align -o laid.glb");
    assert!(ok && !said.contains("warning"), "{said}");
    assert!(
        words.contains("laid into the mesh: ") && words.contains("translations of 2 clips scaled along"),
        "{words}"
    );
    let (before, after) = (rig(here, "figure.glb"), rig(here, "laid.glb"));
    for (a, b) in before.skeleton.joints().iter().zip(after.skeleton.joints()) {
        assert!((a.rest_position() * 100.0).distance(b.rest_position()) < 0.5, "{}: {}", a.name, b.rest_position());
    }
    assert_eq!(after.clips.len(), before.clips.len());
}

#[test]
fn bones_that_leave_the_skin_are_named_when_a_rig_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(supple(here, "example figure --vertices 1200 -o figure.glb").0);
    let (ok, _, said) = supple(here, "weights limit figure.glb -o limited.glb");
    assert!(ok && !said.contains("outside the skin"), "{said}");
    let mut figure = rig(here, "figure.glb");
    let mut joints = figure.skeleton.joints().to_vec();
    for joint in joints.iter_mut().filter(|j| j.name.starts_with("hand")) {
        joint.rest_from_joint.translation.z += 0.2;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
    }
    figure.skeleton = supple::rig::Skeleton::new(joints).unwrap();
    supple::write::rig(here.join("out.glb"), &figure).unwrap();
    let (ok, _, said) = supple(here, "weights limit out.glb -o limited.glb");
    assert!(ok && said.contains("lie outside the skin, by up to 0."), "{said}");
    assert!(said.contains("hand_l") && said.contains("hand_r"), "{said}");
}
