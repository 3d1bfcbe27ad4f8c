//! Implicit skinning from the command line: its controls, its pictures, its figures, and what it has to say.

mod command;

use command::{fine, folder_with_arm, refused, said, supple};
use serde_json::{Value, json};
use std::{fmt::Write, path::Path};

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
    // Warnings belong to a result: they stay until quiet is said twice.
    let quiet = said(folder.path(), &[&["--quiet"], &deform[..]].concat());
    assert!(about(&quiet) == 20 && !quiet.contains("wrote"), "{quiet}");
    assert_eq!(said(folder.path(), &[&["-qq"], &deform[..]].concat()), "");
    for words in [
        &["measure", "band.glb", "--method", "implicit", "--rest"][..],
        &["render", "band.glb", "--method", "implicit", "--rest", "--size", "64x48", "-o", "out.png"],
        &["compare", "band.glb", "--methods", "linear,implicit", "--rest", "-o", "page"],
    ] {
        let lines = said(folder.path(), words);
        assert_eq!(about(&lines), 20, "{words:?}: {lines}");
    }
}

fn measured(folder: &Path, words: &[&str]) -> Value {
    let fixed = ["measure", "arm.glb", "--json", "--grid", "16", "--method", "implicit"];
    serde_json::from_str(&fine(folder, &[&fixed, words].concat())).expect("JSON")
}

#[test]
fn contact_is_measured_and_a_joint_bent_too_far_is_told() {
    let folder = folder_with_arm();
    let folder = folder.path();
    assert_eq!(measured(folder, &["--rest"])["contact"], json!([]));
    let bent = measured(folder, &["--bend", "forearm=120"]);
    let contact = &bent["contact"][0];
    assert_eq!((&contact["joint"], &contact["limbs"]), (&json!("forearm"), &json!(["upper_arm", "forearm"])));
    for key in ["points", "area", "mean_pressure", "largest_pressure", "reach", "full_contact_angle"] {
        assert!(contact[key].as_f64().is_some_and(|v| v > 0.0), "{key}: {contact}");
    }
    let angle = contact["full_contact_angle"].as_f64().expect("a number");
    assert!((130.0..170.0).contains(&angle), "{angle}");
    let warned = |degrees: f64| {
        let bend = format!("forearm={degrees}");
        let line = said(folder, &["measure", "arm.glb", "--method", "implicit", "--grid", "16", "--bend", &bend]);
        line.contains("joint \"forearm\" is bent past its angle of full contact")
    };
    assert!(warned(angle + 1.0) && !warned(angle - 1.0), "{angle}");
    let table = fine(folder, &["measure", "arm.glb", "--method", "implicit", "--grid", "16", "--bend", "forearm=120"]);
    assert!(table.lines().any(|l| l.starts_with("upper_arm on forearm")), "{table}");
    assert!(measured(folder, &["--bend", "forearm=120", "--set", "start=linear"]).get("contact").is_some());
    let linear = fine(folder, &["measure", "arm.glb", "--json", "--grid", "16", "--bend", "forearm=120"]);
    assert!(!linear.contains("contact"), "{linear}");
}

#[test]
fn a_comparison_judges_every_method_by_the_same_volumes() {
    let folder = folder_with_arm();
    let bend = ["--bend", "forearm=135"];
    let compare = ["compare", "arm.glb", "--methods", "linear,implicit", "-o", "page"];
    fine(folder.path(), &[&compare[..], &bend].concat());
    let text = std::fs::read_to_string(folder.path().join("page/figures.json")).expect("written");
    let compared: Value = serde_json::from_str(&text).expect("JSON");
    let alone = fine(folder.path(), &[&["measure", "arm.glb", "--json", "--grid", "16"], &bend[..]].concat());
    let alone: Value = serde_json::from_str(&alone).expect("JSON");
    assert_ne!(find(&compared, "flipped").and_then(Value::as_f64), alone["flipped"].as_f64());
}

/// The first value of that name anywhere in JSON.
fn find<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(key).or_else(|| map.values().find_map(|v| find(v, key))),
        Value::Array(list) => list.iter().find_map(|v| find(v, key)),
        _ => None,
    }
}

#[test]
fn controls_change_the_skin_and_their_short_form_is_the_long_one() {
    let folder = folder_with_arm();
    let moved = |words: &[&str]| {
        let fixed = ["--quiet", "deform", "arm.glb", "--method", "implicit", "--bend", "forearm=100", "-o", "out.ply"];
        fine(folder.path(), &[&fixed, words].concat());
        std::fs::read(folder.path().join("out.ply")).expect("written")
    };
    let plain = moved(&[]);
    let controls: [(&str, &[&str]); 6] = [
        (r#"joints={"forearm":{"operator":"bulge"}}"#, &["joints.forearm.operator=bulge"]),
        (
            r#"joints={"forearm":{"operator":{"kind":"bulge","size":0.5}}}"#,
            &["joints.forearm.operator=bulge", "joints.forearm.size=0.5"],
        ),
        (r#"joints={"forearm":{"cap":0.8}}"#, &["joints.forearm.cap=0.8"]),
        (r#"joints={"forearm":{"remove":[0,1,2]}}"#, &["joints.forearm.remove=[0,1,2]"]),
        (r#"joints={"forearm":{"move":{"0":[2.5,0.7,0]}}}"#, &[r#"joints.forearm.move={"0":[2.5,0.7,0]}"#]),
        (r#"joints={"forearm":{"add":[[2.2,0.6,0,0,1,0]]}}"#, &["joints.forearm.add=[[2.2,0.6,0,0,1,0]]"]),
    ];
    for (long, short) in controls {
        let changed = moved(&["--set", long]);
        assert!(changed != plain, "{long} changes nothing");
        let words: Vec<&str> = short.iter().flat_map(|s| ["--set", s]).collect();
        assert!(moved(&words) == changed, "{short:?} is not {long}");
    }
    assert!(moved(&["--set", "operator=blend"]) != plain);
    let start =
        ["--quiet", "deform", "arm.glb", "--method", "dual-quaternion", "--bend", "forearm=100", "-o", "out.ply"];
    fine(folder.path(), &start);
    let start = std::fs::read(folder.path().join("out.ply")).expect("written");
    assert!(moved(&["--set", "amount=0"]) == start);
}

#[test]
fn a_control_that_does_not_fit_is_refused_in_one_line() {
    let folder = folder_with_arm();
    let cases = [
        (r#"joints={"forerm":{"cap":1}}"#, "there is no joint \"forerm\"; did you mean \"forearm\""),
        ("joints.forerm.cap=1", "there is no joint \"forerm\""),
        (r#"joints.forearm.move={"3":[220,50,0]}"#, "sample 3 is moved 22"),
        ("joints.forearm.add=[[220,50,0,0,1,0]]", "added sample 0 is put 22"),
        ("joints.forearm.operatr=blend", "joint \"forearm\""),
        ("theta=[0,1]", "field of an operator"),
        ("joints.forearm.cap=9", "joint \"forearm\": \"cap\" cannot be 9: a number from 0 to 4 is expected"),
        ("joints.forearm.add=[[1,2,3,0,0,0]]", "added sample 0 has a normal of no length"),
        ("joints.forearm.add=[[1,2,3]]", "setting \"joints\""),
        ("joints.forearm.size=7", "the size 7 of a bulge is not from 0 to"),
        ("joints.forearm.operator=bulk", "no operator is called \"bulk\""),
        ("joints.forearm.colour=1", "no field is called \"colour\"; there are 5: operator, cap"),
        ("joints.forearm=1", "expected joints.NAME.FIELD=VALUE"),
        (r#"joints={"forearm":"#, "--set joints: not JSON"),
        ("operator=unio", "no operator is called \"unio\"; did you mean \"union\""),
        ("amount=[0,1]", "setting \"amount\" has 2 values for"),
        ("amount=2", "a number from 0 to 1"),
    ];
    for (setting, says) in cases {
        let words = ["deform", "arm.glb", "--method", "implicit", "--rest", "--set", setting, "-o", "out.ply"];
        let line = refused(folder.path(), &words);
        assert!(line.contains(says), "{setting}: {line}");
    }
}

#[test]
fn an_edit_of_a_sample_that_is_not_there_is_left_out_with_a_warning() {
    let folder = folder_with_arm();
    let moved = |setting: &str| {
        let words =
            ["deform", "arm.glb", "--method", "implicit", "--bend", "forearm=90", "--set", setting, "-o", "out.ply"];
        let lines = said(folder.path(), &words);
        (lines, std::fs::read(folder.path().join("out.ply")).expect("written"))
    };
    let (_, plain) = moved("joints.forearm.cap=1");
    for (setting, says) in [
        ("joints.forearm.remove=[900]", "there is no sample 900 to be removed"),
        (r#"joints.forearm.move={"900":[0,0,0]}"#, "there is no sample 900 to be moved"),
        ("joints.forearm.remove=[[0,9,0]]", "there is no sample at (0.0000, 9.0000, 0.0000) to be removed"),
        (r#"joints.forearm.move=[{"from":[0,9,0],"to":[2,0,0]}]"#, "there is no sample at (0.0000, 9.0000, 0.0000)"),
    ] {
        let (lines, points) = moved(setting);
        let line = lines.lines().find(|l| l.contains(says)).unwrap_or_else(|| panic!("{setting}: {lines}"));
        assert!(line.contains("warning") && line.contains("joint \"forearm\"") && line.contains("left out"), "{line}");
        assert!(points == plain, "{setting} changes something");
    }
}

#[test]
fn fields_and_samples_are_drawn() {
    let folder = folder_with_arm();
    let picture = |words: &[&str]| {
        let fixed = ["render", "arm.glb", "--method", "implicit", "--size", "64x48", "-o", "out.png"];
        let lines = said(folder.path(), &[&fixed, words].concat());
        assert!(!lines.contains("warning"), "{words:?}: {lines}");
        std::fs::read(folder.path().join("out.png")).expect("written")
    };
    let bend = ["--bend", "forearm=90"];
    let ways: [&[&str]; 10] = [
        &["--show", "field"],
        &["--show", "field,shaded"],
        &["--show", "field", "--set", "operator=blend"],
        &["--show", "field", "--set", "operator=bulge"],
        &["--show", "field", "--plane", "x"],
        &["--show", "field", "--plane", "bend=0.3"],
        &["--show", "field", "--plane", "0,1,1@2,0,0"],
        &["--show", "field", "--label", "90 degrees", "--background", "dark"],
        &["--show", "samples"],
        &["--show", "samples", "--joint", "forearm"],
    ];
    let mut pictures: Vec<Vec<u8>> = ways.iter().map(|words| picture(&[&bend, *words].concat())).collect();
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), ways.len(), "two ways show the same");
    let refused = |words: &[&str]| refused(folder.path(), &[&["render", "arm.glb", "-o", "out.png"], words].concat());
    assert!(refused(&["--show", "field", "--plane", "w"]).contains("expected bend"));
    assert!(refused(&["--show", "field", "--joint", "forerm"]).contains("did you mean \"forearm\""));
    assert!(refused(&["--show", "field", "--joint", "upper_arm"]).contains("there are no two volumes at joint"));
    assert!(refused(&["--show", "field,weights"]).contains("at a time"));
    let idle = supple(folder.path(), &["render", "arm.glb", "--plane", "x", "--size", "64x48", "-o", "out.png"]);
    assert!(String::from_utf8_lossy(&idle.stderr).contains("--plane has no effect"));
}

#[test]
fn controls_are_kept_in_project_files() {
    let folder = folder_with_arm();
    let joints = json!({"forearm": {"operator": {"kind": "bulge", "size": 0.5}, "cap": 0.9, "remove": [1]}});
    let node = json!({"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {"joints": joints}});
    let project = json!({"format": "supple-project", "version": 1, "rig": "arm.glb", "graph": {"version": 1, "nodes": [node], "output": "skin"}});
    std::fs::write(folder.path().join("project.json"), project.to_string()).expect("written");
    fine(folder.path(), &["deform", "--project", "project.json", "--bend", "forearm=100", "-o", "a.ply"]);
    let words = [
        "deform",
        "arm.glb",
        "--method",
        "implicit",
        "--set",
        "joints.forearm.operator=bulge",
        "--set",
        "joints.forearm.size=0.5",
        "--set",
        "joints.forearm.cap=0.9",
        "--set",
        "joints.forearm.remove=[1]",
        "--bend",
        "forearm=100",
        "-o",
        "b.ply",
    ];
    fine(folder.path(), &words);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    assert!(read("a.ply") == read("b.ply"));
}
