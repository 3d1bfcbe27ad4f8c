//! Names in files are judged by where they lead: out of the folder is refused, whatever they look like.
#![cfg(unix)]

mod command;

use command::{fine, refused, said};
use std::{fs, os::unix::fs::symlink, path::Path};

const PROJECT: &str = r#"{"format": "supple-project", "version": 2, "rig": "RIG",
    "graph": {"version": 1, "output": "l", "nodes": [{"name": "l", "method": "linear", "inputs": ["rest"]}]}}"#;

/// A folder "model" with an arm in it, and beside that folder another arm that is none of its business.
fn folders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("model/parts")).expect("made");
    fine(folder.path(), &["example", "arm", "--vertices", "600", "-o", "secret.glb"]);
    fs::copy(folder.path().join("secret.glb"), folder.path().join("model/parts/arm.glb")).expect("copied");
    symlink("../secret.glb", folder.path().join("model/link.glb")).expect("linked");
    symlink("..", folder.path().join("model/up")).expect("linked");
    symlink("parts/arm.glb", folder.path().join("model/inner.glb")).expect("linked");
    folder
}

fn outside(folder: &Path) -> Vec<String> {
    let absolute = folder.join("secret.glb").display().to_string();
    let names = ["../secret.glb", "parts/../../secret.glb", "link.glb", "up/secret.glb", "//server/share/a.glb"];
    names
        .iter()
        .map(|n| n.to_string())
        .chain([absolute, "C:/a.glb".into(), r"\\\\server\\share\\a.glb".into()])
        .collect()
}

#[test]
fn a_project_takes_no_rig_and_no_motion_from_outside_its_folder() {
    let folder = folders();
    let project = folder.path().join("model/work.json");
    let words = ["deform", "--project", "model/work.json", "-o", "out.obj"];
    for name in outside(folder.path()) {
        fs::write(&project, PROJECT.replace("RIG", &name)).expect("written");
        let line = refused(folder.path(), &words);
        assert!(line.contains("outside the folder of the file; --allow-outside lets it"), "{name}: {line}");
        assert!(!folder.path().join("out.obj").exists(), "{name}");
        // Nor a motion.
        let motion = format!("\"motions\": [\"{name}\"], \"graph\"");
        fs::write(&project, PROJECT.replace("RIG", "parts/arm.glb").replace("\"graph\"", &motion)).expect("written");
        let line = refused(folder.path(), &words);
        assert!(line.contains("its motion") && line.contains("--allow-outside lets it"), "{name}: {line}");
        fs::write(&project, PROJECT.replace("RIG", &name)).expect("written");
        if name.ends_with("secret.glb") || name == "link.glb" {
            fine(folder.path(), &[&words[..], &["--allow-outside"]].concat());
            fs::remove_file(folder.path().join("out.obj")).expect("written");
        }
    }
    for name in ["parts/arm.glb", "inner.glb", "up/model/parts/arm.glb", "./parts/../inner.glb"] {
        fs::write(&project, PROJECT.replace("RIG", name)).expect("written");
        fine(folder.path(), &words);
        fine(&folder.path().join("model"), &["deform", "--project", "work.json", "-o", "out.obj"]);
    }
    fs::write(&project, PROJECT.replace("RIG", "none.glb")).expect("written");
    let line = refused(folder.path(), &words);
    assert!(line.contains("model/work.json: its rig \"none.glb\": cannot read it"), "{line}");
}

#[test]
fn a_model_takes_no_buffer_or_picture_from_outside_its_folder() {
    let folder = folders();
    let model = folder.path().join("model/model.gltf");
    let percent = "%2e%2e%2fsecret.glb".to_owned();
    fs::write(folder.path().join("model/parts/few.bin"), [0; 8]).expect("written");
    symlink("/dev/zero", folder.path().join("model/endless")).expect("linked");
    let made =
        std::process::Command::new("mkfifo").arg(folder.path().join("model/pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for name in outside(folder.path()).into_iter().chain([percent, "endless".into()]) {
        let buffer = format!(r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"uri": "{name}", "byteLength": 8}}]}}"#);
        fs::write(&model, buffer).expect("written");
        let line = refused(folder.path(), &["info", "model/model.gltf"]);
        assert!(line.contains("buffers[0]") && line.contains("outside the folder of the file"), "{name}: {line}");
        let picture = format!(r#"{{"asset": {{"version": "2.0"}}, "images": [{{"uri": "{name}"}}]}}"#);
        fs::write(&model, picture).expect("written");
        let line = said(folder.path(), &["info", "model/model.gltf"]);
        assert!(line.contains("images[0]") && line.contains("outside the folder of the file"), "{name}: {line}");
    }
    for (name, says) in [("pipe", "is a pipe"), ("parts", "is a folder"), ("none", "No such file")] {
        let buffer = format!(r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"uri": "{name}", "byteLength": 8}}]}}"#);
        fs::write(&model, buffer).expect("written");
        let line = refused(folder.path(), &["info", "model/model.gltf"]);
        assert!(line.contains(says), "{name}: {line}");
    }
    let inside = r#"{"asset": {"version": "2.0"}, "buffers": [{"uri": "parts/../parts/few%2ebin", "byteLength": 8}]}"#;
    fs::write(&model, inside).expect("written");
    fine(folder.path(), &["info", "model/model.gltf"]);
}

/// A case whose shape and rig are called so.
fn list(file: &str, rig: &str) -> String {
    format!(
        r#"{{"cases": [{{"name": "bent", "file": "{file}", "rig_from": "{rig}", "pose": ["--bend", "forearm=40"],
            "joint": [0, 0, 0], "radius": 1}}]}}"#
    )
}

#[test]
fn a_list_of_references_takes_no_rig_and_no_shape_from_outside_its_folder() {
    let folder = folders();
    let at = |name: &str| folder.path().join(name);
    fine(folder.path(), &["deform", "secret.glb", "--bend", "forearm=40", "-o", "model/shape.glb"]);
    fs::copy(at("model/shape.glb"), at("shape.glb")).expect("copied");
    symlink("../shape.glb", at("model/shape_link.glb")).expect("linked");
    let words = ["measure", "--reference", "model/list.json", "--device", "cpu"];
    let write = |file: &str, rig: &str| fs::write(at("model/list.json"), list(file, rig)).expect("written");
    // Rigs are named from the folder above that of the list, where they are not to be taken from either.
    let rigs = ["secret.glb", "model/../secret.glb", "model/link.glb", "model/up/secret.glb", "//server/share/a.glb"];
    let absolute = at("secret.glb").display().to_string();
    for rig in rigs.into_iter().chain(["../secret.glb", &absolute, "C:/a.glb"]) {
        write("shape.glb", rig);
        let there = rig != "../secret.glb";
        let line = refused(folder.path(), &words);
        let says = "outside the folder of the file; --allow-outside lets it";
        assert!(line.contains("case \"bent\"") && line.contains(if there { says } else { "" }), "{rig}: {line}");
        if rig.ends_with("secret.glb") && there || rig == "model/link.glb" {
            fine(folder.path(), &[&words[..], &["--allow-outside"]].concat());
        }
    }
    for shape in ["../shape.glb", "shape_link.glb", "up/shape.glb"] {
        write(shape, "model/inner.glb");
        let line = refused(folder.path(), &words);
        assert!(line.contains("outside the folder of the file; --allow-outside lets it"), "{shape}: {line}");
        fine(folder.path(), &[&words[..], &["--allow-outside"]].concat());
    }
    for rig in ["model/parts/arm.glb", "model/inner.glb", "supple example arm --vertices 600 -o arm.glb"] {
        write("shape.glb", rig);
        fine(folder.path(), &words);
        let inside = ["measure", "--reference", "list.json", "--device", "cpu"];
        fine(&at("model"), &inside);
    }
    write("shape.glb", "supple example arm --vertices 200001 -o arm.glb");
    let line = refused(folder.path(), &words);
    assert!(line.contains("a list can have characters of 200000 vertices made at most"), "{line}");
}
