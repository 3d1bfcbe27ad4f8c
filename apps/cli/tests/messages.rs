//! What messages make of the names and numbers they are given.

mod command;

use command::{fine, folder_with_arm, refused};

#[test]
fn numbers_below_nought_are_told_as_values() {
    let folder = folder_with_arm();
    for (words, says) in [
        (vec!["example", "arm", "--band", "-1", "-o", "x.glb"], "a weight band of -1 radii"),
        (vec!["example", "arm", "--vertices", "-5", "-o", "x.glb"], "invalid value '-5' for '--vertices <N>': a whole"),
        (vec!["example", "figure", "--bones", "1.5", "-o", "x.glb"], "a whole number, not below 0, is expected"),
        (vec!["bake", "arm.glb", "--clip", "0", "--fps", "-1", "-o", "x.glb"], "--fps -1: more than 0"),
        (vec!["bake", "arm.glb", "--clip", "0", "--frames", "-1..2", "-o", "x.glb"], "--frames -1..2: expected A..B"),
        (vec!["bench", "--seconds", "-1"], "--seconds -1: 0 to 3600 are possible"),
        (vec!["--threads", "-1", "methods"], "invalid value '-1' for '--threads <N>'"),
        (vec!["render", "arm.glb", "--size", "-1x3", "-o", "x.png"], "--size -1x3: expected"),
        (vec!["deform", "arm.glb", "--clip", "bend", "--time", "soon", "-o", "x.obj"], "a number is expected"),
        (vec!["example", "arm", "--vertices", "99999999999999999999", "-o", "x.glb"], "it is too large"),
    ] {
        let line = refused(folder.path(), &words);
        assert!(line.contains(says) && !line.contains("tip"), "{words:?}: {line}");
    }
}

#[test]
fn a_misspelt_option_is_answered_with_the_one_that_was_meant() {
    let folder = folder_with_arm();
    for (words, says) in [
        (vec!["deform", "arm.glb", "--bnd", "forearm=3", "-o", "x.obj"], "'--bnd' found; did you mean '--bend'? (see"),
        (vec!["defrm"], "'defrm'; did you mean 'deform'? (see --help)"),
    ] {
        let line = refused(folder.path(), &words);
        assert!(line.contains(says), "{words:?}: {line}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_one_that_was_meant() {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("pose.json"), r#"{"joints": {"fore-arm": {}}}"#).expect("written");
    for (words, says) in [
        (vec!["deform", "--bend", "foreram=90"], "no joint is called \"foreram\"; did you mean \"forearm\"?"),
        (vec!["deform", "--twist", "arm=90"], "did you mean \"forearm\"?"),
        (vec!["deform", "--bend", "knee=90"], "; there are 2: upper_arm, forearm"),
        (vec!["deform", "--pose", "pose.json"], "\"fore-arm\", which the rig does not have; did you mean \"forearm\"?"),
        (vec!["deform", "--clip", "bned"], "no clip is called \"bned\"; did you mean \"bend\"?"),
        (vec!["deform", "--clip", "moonwalk"], "no clip is called \"moonwalk\"; there are 2: bend, twist"),
        (vec!["deform", "--clip", "7"], "no clip has the number 7; they are numbered from 0 to 1: 0 bend, 1 twist"),
        (vec!["bake", "--clip", "-1"], "no clip has the number -1; they are numbered from 0 to 1"),
        (vec!["deform", "--method", "linaer"], "no method is called \"linaer\"; did you mean \"linear\"?"),
        (vec!["deform", "--set", "x=1"], "linear has no setting \"x\"; there are none"),
        (vec!["compare", "--methods", "dual-quat"], "did you mean \"dual-quaternion\"?"),
    ] {
        let line = refused(folder.path(), &[&words[..1], &["arm.glb", "-o", "x.obj"], &words[1..]].concat());
        assert!(line.contains(says), "{words:?}: {line}");
    }
    let line = refused(folder.path(), &["measure", "arm.glb", "--box", "frearm"]);
    assert!(line.contains("--box frearm: no joint is called \"frearm\"; did you mean \"forearm\"?"), "{line}");
    fine(folder.path(), &["deform", "arm.glb", "--clip", "BEND", "-o", "x.obj"]);
}

#[test]
fn endless_numbers_and_names_are_shortened() {
    let folder = folder_with_arm();
    let line = refused(folder.path(), &["bench", "--seconds", "1e300"]);
    assert_eq!(line, "supple: --seconds 1e300: 0 to 3600 are possible\n");
    let long = format!("{}=3", "bone".repeat(200));
    for words in [vec!["--bend", long.as_str()], vec!["--clip", long.as_str()], vec!["--method", long.as_str()]] {
        let line = refused(folder.path(), &[&["deform", "arm.glb", "-o", "x.obj"], &words[..]].concat());
        assert!(line.contains(&format!("{}…", "bone".repeat(15))) && line.len() < 300, "{words:?}: {line}");
    }
}

#[test]
fn a_name_cannot_command_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let motion = "HIERARCHY\nROOT red\u{1b}[31m\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                  MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";
    std::fs::write(folder.path().join("red.bvh"), motion).expect("written");
    assert!(fine(folder.path(), &["info", "red.bvh"]).contains("red\\u{1b}[31m"));
    let line = refused(folder.path(), &["render", "red.bvh", "--bend", "\u{1b}[2J=3", "-o", "x.png"]);
    assert!(line.contains("\\u{1b}[2J") && line.contains("red\\u{1b}[31m"), "{line}");
    assert!(!line.contains('\u{1b}'), "{line:?}");
}

#[test]
fn a_file_that_is_not_there_is_named_and_standard_output_is_not_blamed() {
    let folder = folder_with_arm();
    for words in [["--pose", "nope.json"], ["--project", "nope.json"]] {
        let line = refused(folder.path(), &[&["deform", "arm.glb", "-o", "x.obj"], &words[..]].concat());
        assert!(line.starts_with("supple: nope.json: cannot read it: "), "{line}");
    }
}
