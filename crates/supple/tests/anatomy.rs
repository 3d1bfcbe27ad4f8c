//! Flexion by anatomy: both sides alike, elbows forwards, knees backwards, fingers to the palm.

use glam::{DAffine3, DVec3};
use supple::{
    pose::{Anatomy, Certainty, Motion, Part, Pose, PoseError, Source, Swing},
    read,
    rig::{Joint, Rig, Skeleton},
};
use supple_testkit::data;

fn rig(file: &str) -> Option<Rig> {
    let path = data::folder("rigged")?.join(file);
    Some(read::path(&path).unwrap_or_else(|e| panic!("{file}: {e}")).rig)
}

fn joint(rig: &Rig, name: &str) -> usize {
    rig.skeleton.find(name).unwrap_or_else(|| panic!("{}: no joint {name}", rig.name))
}

fn placed(rig: &Rig, pose: &Pose) -> Vec<DVec3> {
    Motion::of(rig, pose).posed_from_joint.iter().map(|m| m.translation).collect()
}

fn rest(rig: &Rig) -> Vec<DVec3> {
    rig.skeleton.joints().iter().map(Joint::rest_position).collect()
}

/// Elbow and hand, knee and foot of the left and of the right, as each file names them; and the shoulder and the hip.
struct Limbs {
    file: &'static str,
    shoulder: [&'static str; 2],
    elbow: [&'static str; 2],
    hand: [&'static str; 2],
    hip: [&'static str; 2],
    knee: [&'static str; 2],
    foot: [&'static str; 2],
}

const LIMBS: [Limbs; 8] = [
    Limbs {
        file: "CesiumMan.glb",
        shoulder: ["Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_R"],
        elbow: ["Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_R__2_"],
        hand: ["Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_R__3_"],
        hip: ["leg_joint_L_1", "leg_joint_R_1"],
        knee: ["leg_joint_L_2", "leg_joint_R_2"],
        foot: ["leg_joint_L_3", "leg_joint_R_3"],
    },
    Limbs {
        file: "RiggedFigure.glb",
        shoulder: ["arm_joint_L_1", "arm_joint_R_1"],
        elbow: ["arm_joint_L_2", "arm_joint_R_2"],
        hand: ["arm_joint_L_3", "arm_joint_R_3"],
        hip: ["leg_joint_L_1", "leg_joint_R_1"],
        knee: ["leg_joint_L_2", "leg_joint_R_2"],
        foot: ["leg_joint_L_3", "leg_joint_R_3"],
    },
    Limbs {
        file: "kaykit_Knight.glb",
        shoulder: ["upperarm.l", "upperarm.r"],
        elbow: ["lowerarm.l", "lowerarm.r"],
        hand: ["wrist.l", "wrist.r"],
        hip: ["upperleg.l", "upperleg.r"],
        knee: ["lowerleg.l", "lowerleg.r"],
        foot: ["foot.l", "foot.r"],
    },
    Limbs {
        file: "m2m_human.glb",
        shoulder: ["upperarm_l", "upperarm_r"],
        elbow: ["lowerarm_l", "lowerarm_r"],
        hand: ["hand_l", "hand_r"],
        hip: ["thigh_l", "thigh_r"],
        knee: ["calf_l", "calf_r"],
        foot: ["foot_l", "foot_r"],
    },
    Limbs {
        file: "makehuman_male_cmu.glb",
        shoulder: ["LeftArm", "RightArm"],
        elbow: ["LeftForeArm", "RightForeArm"],
        hand: ["LeftHand", "RightHand"],
        hip: ["LeftUpLeg", "RightUpLeg"],
        knee: ["LeftLeg", "RightLeg"],
        foot: ["LeftFoot", "RightFoot"],
    },
    Limbs {
        file: "Fox.glb",
        shoulder: ["b_LeftUpperArm_09", "b_RightUpperArm_06"],
        elbow: ["b_LeftForeArm_010", "b_RightForeArm_07"],
        hand: ["b_LeftHand_011", "b_RightHand_08"],
        hip: ["b_LeftLeg01_015", "b_RightLeg01_019"],
        knee: ["b_LeftLeg02_016", "b_RightLeg02_020"],
        foot: ["b_LeftFoot01_017", "b_RightFoot01_021"],
    },
    Limbs {
        file: "m2m_fox.glb",
        shoulder: ["Front_Leg_Upper_L", "Front_Leg_Upper_R"],
        elbow: ["Front_Leg_Lower_L", "Front_Leg_Lower_R"],
        hand: ["Front_Leg_Ankle_L", "Front_Leg_Ankle_R"],
        hip: ["Back_Leg_Upper_L", "Back_Leg_Upper_R"],
        knee: ["Back_Leg_Lower_L", "Back_Leg_Lower_R"],
        foot: ["Back_Leg_Ankle_L", "Back_Leg_Ankle_R"],
    },
    Limbs {
        file: "m2m_horse.glb",
        shoulder: ["front_humerus_l", "front_humerus_r"],
        elbow: ["front_leg_upper_l", "front_leg_upper_r"],
        hand: ["front_leg_lower_l", "front_leg_lower_r"],
        hip: ["back_leg_upper_l", "back_leg_upper_r"],
        knee: ["back_leg_lower_l", "back_leg_lower_r"],
        foot: ["back_leg_ankle_l", "back_leg_ankle_r"],
    },
];

/// All these files have y up, x to the left and z to the front.
#[test]
fn names_tell_the_joints_and_directions_of_bodies() {
    for limbs in &LIMBS {
        let Some(rig) = rig(limbs.file) else { return };
        let anatomy = Anatomy::of(&rig);
        let body = anatomy.body().expect("sides are named");
        assert_eq!((body.up, body.left, body.front), (DVec3::Y, DVec3::X, DVec3::Z), "{}", limbs.file);
        assert!(body.confirmed, "{}", limbs.file);
        let parts = [
            (limbs.shoulder, Part::Shoulder),
            (limbs.elbow, Part::Elbow),
            (limbs.hand, Part::Wrist),
            (limbs.hip, Part::Hip),
            (limbs.knee, Part::Knee),
            (limbs.foot, Part::Ankle),
        ];
        for (names, part) in parts {
            for name in names {
                assert_eq!(anatomy.part(joint(&rig, name)), Some(part), "{} {name}", limbs.file);
            }
        }
    }
}

#[test]
fn elbows_bring_hands_forwards_and_knees_feet_backwards() {
    for limbs in &LIMBS {
        let Some(rig) = rig(limbs.file) else { return };
        let before = rest(&rig);
        for side in 0..2 {
            let arm = (limbs.shoulder, limbs.elbow, limbs.hand, DVec3::Z);
            let leg = (limbs.hip, limbs.knee, limbs.foot, DVec3::NEG_Z);
            for (root, hinge, end, way) in [arm, leg] {
                let mut pose = Pose::rest(&rig);
                pose.bend(&rig, hinge[side], 90.0, None).unwrap();
                let [root, hinge, end] = [root, hinge, end].map(|names| joint(&rig, names[side]));
                let bone = before[end].distance(before[hinge]);
                let after = placed(&rig, &pose)[end];
                let moved = after - before[end];
                let name = &rig.skeleton.joints()[hinge].name;
                // The whole right angle is used, in the way that is meant; limbs that are bent at rest fold on.
                assert!(moved.length() > 1.3 * bone, "{} {name}: {moved}", limbs.file);
                assert!((after - before[hinge]).dot(way) > 0.25 * bone, "{} {name}: {moved}", limbs.file);
                let nearer = before[end].distance(before[root]) - after.distance(before[root]);
                assert!(nearer > 0.3 * bone, "{} {name}: nearer by {nearer}", limbs.file);
            }
        }
    }
}

/// How far the right is from being the mirror image of the left, over the size of the skeleton.
fn uneven(rig: &Rig, at: &[DVec3], pairs: &[[usize; 2]]) -> f64 {
    let mirrored = |p: DVec3| DVec3::new(-p.x, p.y, p.z);
    let apart = pairs.iter().map(|&[l, r]| mirrored(at[l]).distance(at[r])).fold(0.0, f64::max);
    apart / f64::from(rig.diagonal())
}

#[test]
fn both_sides_move_as_mirror_images() {
    for limbs in &LIMBS {
        let Some(rig) = rig(limbs.file) else { return };
        let pairs = [limbs.elbow, limbs.hand, limbs.knee, limbs.foot].map(|p| p.map(|name| joint(&rig, name)));
        let still = uneven(&rig, &rest(&rig), &pairs);
        let check = |what: &str, pose: &Pose| {
            // Limbs that differ at rest differ as much in any pose, and turn about axes that differ as much.
            let moved = uneven(&rig, &placed(&rig, pose), &pairs);
            assert!(moved <= 3.0 * still + 1e-3, "{} {what}: {still} at rest, {moved} moved", limbs.file);
        };
        let mut bent = Pose::rest(&rig);
        for name in limbs.elbow.into_iter().chain(limbs.knee) {
            bent.bend(&rig, name, 90.0, None).unwrap();
        }
        check("bend", &bent);
        for (word, swing) in Swing::ALL {
            let mut pose = Pose::rest(&rig);
            for name in limbs.shoulder.into_iter().chain(limbs.hip) {
                pose.swing(&rig, name, swing, 35.0).unwrap();
            }
            check(word, &pose);
        }
    }
}

#[test]
fn limbs_go_where_they_are_told() {
    for limbs in &LIMBS {
        let Some(rig) = rig(limbs.file) else { return };
        let before = rest(&rig);
        for (root, end) in [(limbs.shoulder, limbs.elbow), (limbs.hip, limbs.knee)] {
            for side in 0..2 {
                let out = [DVec3::X, DVec3::NEG_X][side];
                let ways = [DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z, out, -out];
                for ((word, swing), way) in Swing::ALL.into_iter().zip(ways) {
                    let mut pose = Pose::rest(&rig);
                    pose.swing(&rig, root[side], swing, 30.0).unwrap();
                    let (root, end) = (joint(&rig, root[side]), joint(&rig, end[side]));
                    let bone = (before[end] - before[root]).normalize();
                    let moved = (placed(&rig, &pose)[end] - before[root]).normalize();
                    let name = &rig.skeleton.joints()[root].name;
                    // A bone that points there already goes on past it.
                    let past = bone.dot(way) > 0.86;
                    assert!(past || moved.dot(way) > bone.dot(way) + 0.05, "{} {word} {name}: {moved}", limbs.file);
                    let turned = bone.angle_between(moved).to_degrees();
                    assert!((25.0..30.1).contains(&turned), "{} {word} {name}: {turned}", limbs.file);
                }
            }
        }
    }
}

#[test]
fn fingers_fold_to_the_palm() {
    // The clip of this hand makes a fist and opens it again.
    let Some(hand) = rig("hand_webxr_fist.glb") else { return };
    let anatomy = Anatomy::of(&hand);
    let fist = hand.clips[0].sample(&hand, 0.5 * f64::from(hand.clips[0].duration()));
    for finger in ["index", "middle", "ring", "pinky"] {
        for bone in ["proximal", "intermediate", "distal"] {
            let name = format!("{finger}-finger-phalanx-{bone}");
            let j = joint(&hand, &name);
            let turn = fist.local[j] * hand.skeleton.rest_local(j).inverse();
            let (axis, angle) = glam::DQuat::from_mat3(&turn.matrix3).to_axis_angle();
            assert!(angle > 0.3, "{name} is bent by {angle} in a fist");
            let flexion = anatomy.flexion(j).unwrap();
            assert!(flexion.axis.dot(axis) > 0.8, "{name}: {:?}, the fist turns about {axis}", flexion);
        }
    }
    // A mannequin with flat hands, palms down: the tips go down, on both sides.
    let Some(human) = rig("m2m_human.glb") else { return };
    for side in ["l", "r"] {
        for finger in ["index", "middle", "ring", "pinky"] {
            let mut pose = Pose::rest(&human);
            pose.bend(&human, &format!("{finger}_02_{side}"), 80.0, None).unwrap();
            let tip = joint(&human, &format!("{finger}_03_{side}"));
            let moved = placed(&human, &pose)[tip] - rest(&human)[tip];
            assert!(moved.normalize().dot(DVec3::NEG_Y) > 0.7, "{finger} {side}: {moved}");
        }
    }
}

/// Joints at places, each hanging on the one before it or on the one that is named.
fn skeleton(joints: &[(&str, Option<&str>, [f64; 3])]) -> Rig {
    let mut made: Vec<Joint> = Vec::new();
    for (name, parent, at) in joints {
        let parent = parent.map(|p| made.iter().position(|j| j.name == p).expect("it comes first"));
        made.push(Joint::new(*name, parent, DAffine3::from_translation(DVec3::from(*at))));
    }
    Rig { skeleton: Skeleton::new(made).unwrap().show_rest(), ..Rig::default() }
}

/// Arms out to the sides, elbows bent backwards by so much, palms down, legs straight.
fn person(elbow: f64) -> Rig {
    let mut joints = vec![("hips", None, [0.0, 1.0, 0.0]), ("spine", Some("hips"), [0.0, 1.3, 0.0])];
    joints.push(("head", Some("spine"), [0.0, 1.6, 0.0]));
    for (x, names) in [
        (1.0, ["arm_l", "forearm_l", "hand_l", "thigh_l", "shin_l", "foot_l"]),
        (-1.0, ["arm_r", "forearm_r", "hand_r", "thigh_r", "shin_r", "foot_r"]),
    ] {
        joints.push((names[0], Some("spine"), [0.2 * x, 1.4, 0.0]));
        joints.push((names[1], Some(names[0]), [0.5 * x, 1.4, 0.0]));
        joints.push((names[2], Some(names[1]), [0.8 * x, 1.4, elbow]));
        joints.push((names[3], Some("hips"), [0.1 * x, 0.95, 0.0]));
        joints.push((names[4], Some(names[3]), [0.1 * x, 0.5, 0.0]));
        joints.push((names[5], Some(names[4]), [0.1 * x, 0.05, 0.0]));
    }
    skeleton(&joints)
}

#[test]
fn a_slight_bend_at_rest_does_not_turn_an_elbow_round() {
    // Five degrees the wrong way, as sloppy rigs have them.
    let rig = person(-0.026);
    let anatomy = Anatomy::of(&rig);
    for (name, axis) in [("forearm_l", DVec3::NEG_Y), ("forearm_r", DVec3::Y)] {
        let flexion = anatomy.flexion(joint(&rig, name)).unwrap();
        assert!(flexion.axis.dot(axis) > 0.99, "{name}: {flexion:?}");
        assert_eq!((flexion.source, flexion.certainty), (Source::Anatomy, Certainty::Likely), "{name}");
    }
    // Straight knees bend as well, which was refused.
    assert_eq!(anatomy.flexion(joint(&rig, "shin_l")).unwrap().axis, DVec3::X);
    // What is clearly bent shows how it folds, but against its name that is a guess, and is said.
    let wrong = person(-0.2);
    let anatomy = Anatomy::of(&wrong);
    let flexion = anatomy.flexion(joint(&wrong, "forearm_l")).unwrap();
    assert_eq!((flexion.source, flexion.certainty), (Source::RestBend, Certainty::Guess));
    assert!(flexion.axis.dot(DVec3::Y) > 0.99, "{flexion:?}");
    assert_eq!(anatomy.doubts(joint(&wrong, "forearm_l"), 90.0).len(), 1);
}

#[test]
fn unnamed_limbs_bend_away_from_each_other() {
    // Two straight chains side by side: each may not bend into the other.
    let rig = skeleton(&[
        ("a", None, [0.0, 3.0, 0.0]),
        ("b", Some("a"), [0.3, 2.5, 0.0]),
        ("c", Some("b"), [0.3, 1.5, 0.0]),
        ("d", Some("c"), [0.3, 0.5, 0.0]),
        ("e", Some("a"), [-0.3, 2.5, 0.0]),
        ("f", Some("e"), [-0.3, 1.5, 0.0]),
        ("g", Some("f"), [-0.3, 0.5, 0.0]),
    ]);
    let anatomy = Anatomy::of(&rig);
    for (name, tip, away) in [("c", "d", DVec3::X), ("f", "g", DVec3::NEG_X)] {
        let flexion = anatomy.flexion(joint(&rig, name)).unwrap();
        assert_eq!((flexion.source, flexion.certainty), (Source::KeepsApart, Certainty::Guess));
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, name, 60.0, None).unwrap();
        let tip = joint(&rig, tip);
        let moved = placed(&rig, &pose)[tip] - rest(&rig)[tip];
        assert!(moved.dot(away) > 0.0, "{name}: {moved}");
        assert!(anatomy.doubts(joint(&rig, name), 60.0)[0].contains("stays away from other limbs"));
    }
    // One chain alone has nothing to keep away from.
    let alone =
        skeleton(&[("a", None, [0.0; 3]), ("b", Some("a"), [0.0, 1.0, 0.0]), ("c", Some("b"), [0.0, 2.0, 0.0])]);
    assert_eq!(Pose::rest(&alone).bend(&alone, "b", 90.0, None), Err(PoseError::Straight { name: "b".into() }));
}

#[test]
fn turns_out_of_reason_are_refused_or_doubted() {
    let rig = person(0.0);
    let mut pose = Pose::rest(&rig);
    let too_far = |degrees: f64| PoseError::TooFar { name: "arm_l".into(), degrees };
    assert_eq!(pose.bend(&rig, "arm_l", 361.0, None), Err(too_far(361.0)));
    assert_eq!(pose.twist(&rig, "arm_l", -1e9), Err(too_far(-1e9)));
    assert_eq!(pose.swing(&rig, "arm_l", Swing::Raise, 400.0), Err(too_far(400.0)));
    assert_eq!(pose, Pose::rest(&rig), "what is refused changes nothing");
    assert_eq!(pose.swing(&rig, "head", Swing::Out, 20.0), Err(PoseError::Middle { name: "head".into() }));
    let alone = skeleton(&[("a", None, [0.0; 3]), ("b", Some("a"), [0.0, 1.0, 0.0])]);
    let unknown = PoseError::NoBody { name: "a".into() };
    assert_eq!(Pose::rest(&alone).swing(&alone, "a", Swing::Raise, 20.0), Err(unknown));
    let anatomy = Anatomy::of(&rig);
    let elbow = joint(&rig, "forearm_l");
    assert_eq!(anatomy.doubts(elbow, 150.0), Vec::<String>::new());
    for degrees in [170.0, -40.0] {
        assert!(anatomy.doubts(elbow, degrees)[0].contains("the elbow of a body bends by -15 to 160"), "{degrees}");
    }
}

#[test]
fn swings_add_up_from_where_the_limb_is() {
    let rig = person(0.0);
    let elbow = joint(&rig, "forearm_l");
    let place = |turns: &[(Swing, f64)]| {
        let mut pose = Pose::rest(&rig);
        turns.iter().for_each(|&(swing, degrees)| pose.swing(&rig, "arm_l", swing, degrees).unwrap());
        placed(&rig, &pose)[elbow] - rest(&rig)[joint(&rig, "arm_l")]
    };
    let near = |a: DVec3, b: DVec3| a.distance(b) < 1e-9;
    assert!(near(place(&[(Swing::Raise, 90.0)]), DVec3::Y * 0.3));
    assert!(near(place(&[(Swing::Lower, 90.0)]), DVec3::NEG_Y * 0.3));
    assert!(near(place(&[(Swing::Forward, 90.0)]), DVec3::Z * 0.3));
    // Down, then to the front from there.
    assert!(near(place(&[(Swing::Lower, 90.0), (Swing::Forward, 90.0)]), DVec3::Z * 0.3));
    // A hanging arm goes up over the side, as it came.
    assert!(near(place(&[(Swing::Lower, 90.0), (Swing::Raise, 90.0)]), DVec3::X * 0.3));
    // Past its direction it goes on.
    assert!(near(place(&[(Swing::Raise, 180.0)]), DVec3::NEG_X * 0.3));
}
