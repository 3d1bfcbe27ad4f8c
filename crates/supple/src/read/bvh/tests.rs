use super::*;
use crate::pose::Motion;

const SMALL: &str = "HIERARCHY
ROOT hip
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT left knee {
    OFFSET 0 -1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 1 0 0 0 0 0 0 0
0 5 0 90 0 0 0 90 0
";

fn load(text: &str) -> Result<(Rig, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let rig = read(text.as_bytes(), &mut warnings).map_err(|e| e.to_string())?;
    Ok((rig, warnings.into_vec().iter().map(ToString::to_string).collect()))
}

#[test]
fn offsets_add_up_and_frames_become_keys() {
    let (rig, warned) = load(SMALL).unwrap();
    assert_eq!(warned, [""; 0]);
    assert_eq!(rig.skeleton.len(), 2);
    assert_eq!(rig.skeleton.joints()[1].name, "left knee");
    assert_eq!(rig.skeleton.joints()[1].rest_position(), DVec3::new(1.0, 1.0, 3.0));
    let clip = rig.clip("motion").unwrap();
    assert_eq!((clip.duration(), clip.tracks().len()), (0.5, 3));
    let motion = Motion::of(&rig, &clip.sample(&rig, 0.5));
    // The hip replaces its offset and turns the knee, which hung below it, to its side.
    assert!(motion.posed_from_joint[1].translation.abs_diff_eq(DVec3::new(1.0, 5.0, 0.0), 1e-6));
}

#[test]
fn channels_turn_in_the_order_listed() {
    let (rig, _) = load(&SMALL.replace("0 5 0 90 0 0 0 90 0", "0 0 0 90 90 0 0 0 0")).unwrap();
    let pose = rig.clips[0].sample(&rig, 0.5);
    // Z first, then X about the axis Z left: y goes to z by X, and Z leaves z alone.
    assert!(pose.local[0].transform_vector3(DVec3::Y).abs_diff_eq(DVec3::Z, 1e-6));
    assert!(pose.local[0].transform_vector3(DVec3::X).abs_diff_eq(DVec3::Y, 1e-6));
}

#[test]
fn keys_stay_on_one_hemisphere() {
    let frames: String = (0..40).map(|i| format!("0 0 0 {} 0 0 0 0 0\n", i * 40)).collect();
    let text = SMALL.split("Frames").next().unwrap().to_owned() + "Frames:40\nFrame Time:.1\n" + &frames;
    let (rig, _) = load(&text).unwrap();
    let track = rig.clips[0].tracks().iter().find(|t| t.channel == crate::pose::Channel::Rotation(0)).unwrap();
    let dot = |w: &[f32]| (0..4).map(|i| w[i] * w[i + 4]).sum::<f32>();
    assert!((0..39).all(|k| dot(&track.values[k * 4..k * 4 + 8]) > 0.9));
}

#[test]
fn several_roots_and_odd_spacing_are_read() {
    let text = "\u{feff}hierarchy\r\nroot a{offset 0 0 0 channels 1 yrotation}\r\n\tROOT b\r\n{ OFFSET 1 0 0 }\r\nMOTION Frames: 1 Frame Time: 0.1 7";
    let (rig, warned) = load(text).unwrap();
    assert_eq!((rig.skeleton.len(), rig.clips.len(), warned.len()), (2, 1, 0));
}

#[test]
fn a_motion_that_ends_early_keeps_whole_frames() {
    let (rig, warned) = load(SMALL.trim_end().strip_suffix(" 90 0").unwrap()).unwrap();
    assert_eq!(rig.clips[0].duration(), 0.0);
    assert!(warned[0].contains("2 frames are stated, 1 and 7 of 9 values are there"), "{warned:?}");
    let (rig, warned) = load(&SMALL.replace("Frames: 2", "Frames: 4000000000000")).unwrap();
    assert_eq!((rig.clips[0].duration(), warned.len()), (0.5, 1));
}

#[test]
fn odd_motions_are_mended() {
    let hierarchy = SMALL.split("MOTION").next().unwrap();
    let (rig, warned) = load(hierarchy).unwrap();
    assert!(rig.clips.is_empty() && warned[0].contains("no MOTION"));
    let (_, warned) = load(&SMALL.replace("0.5", "-1")).unwrap();
    assert!(warned[0].contains("Frame Time"));
    let (rig, warned) = load(&SMALL.replace("Frames: 2", "Frames: 1")).unwrap();
    assert!(rig.clips[0].duration() == 0.0 && warned[0].contains("line 19") && warned[0].contains("beyond"));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (from, to, expected) in [
        ("HIERARCHY", "HIERARCHIE", "line 1: expected HIERARCHY"),
        ("3 Zrotation Xrotation", "3 Zrotation Wrotation", "line 8: unknown channel \"Wrotation\" (2 of 3)"),
        ("CHANNELS 3", "CHANNELS -3", "line 8: CHANNELS: \"-3\" is not a count"),
        ("OFFSET 0 -1 0\n    CH", "OFFSET 0 nan 0\n    CH", "line 7: OFFSET: \"nan\" is not finite"),
        ("0 5 0 90", "0 5 0 ninety", "line 19: frame 1, value 3: \"ninety\" is not a number"),
        ("Frames: 2", "Frames: two", "line 16: Frames: \"two\" is not a count"),
        ("ROOT hip\n{", "ROOT hip\n", "line 4: expected { after \"hip\", found \"OFFSET\""),
        ("}\nMOTION", "MOTION", "line 14: \"MOTION\" is not expected in joint \"hip\""),
        ("ROOT hip", "JOINT hip", "line 2: \"JOINT\" is not expected outside every joint"),
    ] {
        let error = load(&SMALL.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_deep_chain_does_not_exhaust_the_stack() {
    let deep = "JOINT a { OFFSET 0 1 0 ".repeat(60_000);
    let text = format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 {deep}");
    assert!(load(&text).unwrap_err().contains("not closed"));
    let (rig, _) = load(&(text + &"}".repeat(60_001))).unwrap();
    assert_eq!(rig.skeleton.len(), 60_001);
    let endless = "HIERARCHY ROOT a {".to_owned() + &"JOINT a {".repeat(70_000);
    assert!(load(&endless).unwrap_err().contains("more than 65535 joints"));
}
