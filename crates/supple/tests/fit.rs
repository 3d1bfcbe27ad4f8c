//! Standard skeletons inside real meshes, compared with the skeletons their makers gave them.

use glam::DVec3;
use supple::{
    example,
    fit::{self, FitOptions, FitReport, Template},
    measure::WindingTree,
    read,
    rig::{Mesh, Rig, Skeleton},
};
use supple_testkit::data;

const MAKEHUMAN: &[(&str, &str)] = &[
    ("hips", "Hips"),
    ("neck", "Neck"),
    ("head", "Head"),
    ("upper_arm_l", "LeftArm"),
    ("forearm_l", "LeftForeArm"),
    ("hand_l", "LeftHand"),
    ("thigh_l", "LeftUpLeg"),
    ("shin_l", "LeftLeg"),
    ("foot_l", "LeftFoot"),
    ("toes_l", "LeftToeBase"),
];
const M2M: &[(&str, &str)] = &[
    ("hips", "pelvis"),
    ("neck", "neck_01"),
    ("head", "head"),
    ("upper_arm_l", "upperarm_l"),
    ("forearm_l", "lowerarm_l"),
    ("hand_l", "hand_l"),
    ("thigh_l", "thigh_l"),
    ("shin_l", "calf_l"),
    ("foot_l", "foot_l"),
    ("toes_l", "ball_l"),
];
const CESIUM: &[(&str, &str)] = &[
    ("hips", "Skeleton_torso_joint_1"),
    ("neck", "Skeleton_neck_joint_1"),
    ("upper_arm_l", "Skeleton_arm_joint_L__4_"),
    ("forearm_l", "Skeleton_arm_joint_L__3_"),
    ("hand_l", "Skeleton_arm_joint_L__2_"),
    ("thigh_l", "leg_joint_L_1"),
    ("shin_l", "leg_joint_L_2"),
    ("foot_l", "leg_joint_L_3"),
];
const RIGGED: &[(&str, &str)] = &[
    ("hips", "torso_joint_1"),
    ("neck", "neck_joint_1"),
    ("upper_arm_l", "arm_joint_L_1"),
    ("forearm_l", "arm_joint_L_2"),
    ("hand_l", "arm_joint_L_3"),
    ("thigh_l", "leg_joint_L_1"),
    ("shin_l", "leg_joint_L_2"),
    ("foot_l", "leg_joint_L_3"),
];
const KNIGHT: &[(&str, &str)] = &[
    ("hips", "hips"),
    ("chest", "chest"),
    ("head", "head"),
    ("upper_arm_l", "upperarm.l"),
    ("forearm_l", "lowerarm.l"),
    ("hand_l", "wrist.l"),
    ("thigh_l", "upperleg.l"),
    ("shin_l", "lowerleg.l"),
    ("foot_l", "foot.l"),
    ("toes_l", "toes.l"),
];
const M2M_FOX: &[(&str, &str)] = &[
    ("hips", "Hips"),
    ("head", "Head"),
    ("upper_arm_l", "Front_Leg_Upper_L"),
    ("forearm_l", "Front_Leg_Lower_L"),
    ("thigh_l", "Back_Leg_Upper_L"),
    ("shin_l", "Back_Leg_Lower_L"),
    ("foot_l", "Back_Leg_Ankle_L"),
    ("tail_1", "Tail_Base"),
];
const M2M_HORSE: &[(&str, &str)] = &[
    ("hips", "hips"),
    ("head", "head"),
    ("upper_arm_l", "front_humerus_l"),
    ("forearm_l", "front_leg_upper_l"),
    ("hand_l", "front_leg_lower_l"),
    ("thigh_l", "back_leg_upper_l"),
    ("shin_l", "back_leg_lower_l"),
    ("foot_l", "back_leg_ankle_l"),
    ("tail_1", "tail_1"),
];
const FOX: &[(&str, &str)] = &[
    ("neck", "b_Neck_04"),
    ("head", "b_Head_05"),
    ("upper_arm_l", "b_LeftUpperArm_09"),
    ("forearm_l", "b_LeftForeArm_010"),
    ("thigh_l", "b_LeftLeg01_015"),
    ("shin_l", "b_LeftLeg02_016"),
    ("foot_l", "b_LeftFoot01_017"),
    ("tail_1", "b_Tail01_012"),
];
const HAND: &[(&str, &str)] = &[
    ("hand", "wrist"),
    ("thumb_metacarpal", "thumb-metacarpal"),
    ("thumb_proximal", "thumb-phalanx-proximal"),
    ("thumb_distal", "thumb-phalanx-distal"),
    ("index_proximal", "index-finger-phalanx-proximal"),
    ("index_intermediate", "index-finger-phalanx-intermediate"),
    ("index_distal", "index-finger-phalanx-distal"),
    ("middle_proximal", "middle-finger-phalanx-proximal"),
    ("ring_proximal", "ring-finger-phalanx-proximal"),
    ("ring_intermediate", "ring-finger-phalanx-intermediate"),
    ("little_proximal", "pinky-finger-phalanx-proximal"),
    ("little_intermediate", "pinky-finger-phalanx-intermediate"),
    ("little_distal", "pinky-finger-phalanx-distal"),
];

/// The skinned parts alone: swords and shields are no part of a body.
fn body(rig: &Rig) -> Mesh {
    let mut mesh = rig.mesh.clone();
    if rig.parts.iter().any(|p| p.skinned) {
        let skinned = rig.parts.iter().filter(|p| p.skinned);
        mesh.triangles = skinned
            .flat_map(|p| &rig.mesh.triangles[p.triangles.start as usize..p.triangles.end as usize])
            .copied()
            .collect();
    }
    mesh
}

fn left_out_pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let other = |n: &str| n.replace("_l", "_r").replace("_L", "_R").replace("Left", "Right").replace(".l", ".r");
    let pair = |(a, b): &(&str, &str)| [((*a).to_owned(), (*b).to_owned()), (other(a), other(b))];
    let mut all: Vec<(String, String)> = pairs.iter().flat_map(pair).collect();
    all.dedup();
    // CesiumMan counts the joints of its right arm the other way.
    all.retain(|(_, theirs)| !theirs.contains("arm_joint_R__"));
    all
}

struct Row {
    name: String,
    mean: Option<f64>,
    inside: usize,
    joints: usize,
    report: FitReport,
    worst: String,
}

fn row(name: &str, rig: &Rig, template: Template, reference: Option<(&Skeleton, Vec<(String, String)>)>) -> Row {
    let mesh = body(rig);
    let (skeleton, report) = fit::template(&mesh, template, &FitOptions::default()).expect(name);
    let size = mesh.bounds().size();
    let unit = if template == Template::Human { f64::from(size.y) } else { f64::from(mesh.bounds().diagonal()) };
    let tree = WindingTree::of(&mesh.positions, &mesh.triangles, WindingTree::BETA);
    let inside = skeleton.joints().iter().filter(|j| tree.at(j.rest_position()).abs() > 0.5).count();
    let distances: Vec<(f64, String)> = reference.map_or(Vec::new(), |(theirs, pairs)| {
        let at = |s: &Skeleton, n: &str| s.find(n).map(|j| s.joints()[j].rest_position());
        let apart = |(ours, other): &(String, String)| {
            let (a, b): (DVec3, DVec3) = (at(&skeleton, ours)?, at(theirs, other)?);
            Some((100.0 * a.distance(b) / unit, ours.clone()))
        };
        pairs.iter().filter_map(apart).collect()
    });
    let mean = (!distances.is_empty()).then(|| distances.iter().map(|d| d.0).sum::<f64>() / distances.len() as f64);
    let mut sorted = distances;
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worst = sorted.iter().take(4).map(|d| format!("{} {:.1}", d.1, d.0)).collect::<Vec<_>>().join(", ");
    if let Some(folder) = std::env::var_os("SUPPLE_FIT_OUT") {
        let (bones, _) = skeleton.bones(&mesh.positions, None);
        let owner = |p: &glam::Vec3| {
            let d = |b: &supple::rig::Bone| b.distance(p.as_dvec3());
            bones.iter().min_by(|a, b| d(a).total_cmp(&d(b))).map_or(0, |b| b.joint as u16)
        };
        let weights = supple::rig::Weights::rigid(mesh.positions.iter().map(owner));
        let rig = Rig { skeleton: skeleton.clone(), weights: Some(weights), ..Rig::of_mesh(name, mesh.clone()) };
        supple::write::rig(std::path::Path::new(&folder).join(format!("{name}.glb")), &rig).expect("writable");
    }
    Row { name: name.into(), mean, inside, joints: skeleton.len(), report, worst }
}

#[expect(clippy::print_stdout, reason = "the table is what one runs this for")]
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let figure = example::figure(&example::FigureOptions { vertices: 6000, bones: 23 }).unwrap();
    let own = |rig: &Rig| rig.skeleton.joints().iter().map(|j| (j.name.clone(), j.name.clone())).collect::<Vec<_>>();
    rows.push(row("figure", &figure, Template::Human, Some((&figure.skeleton, own(&figure)))));
    let hand = example::hand(&example::HandOptions { vertices: 6000, ..Default::default() }).unwrap();
    rows.push(row("hand", &hand, Template::Hand, Some((&hand.skeleton, own(&hand)))));
    let Some(rigged) = data::folder("rigged") else { return rows };
    let Some(fixed) = data::folder("static") else { return rows };
    for (file, template, pairs) in [
        ("makehuman_male_cmu", Template::Human, MAKEHUMAN),
        ("m2m_human", Template::Human, M2M),
        ("CesiumMan", Template::Human, CESIUM),
        ("RiggedFigure", Template::Human, RIGGED),
        ("kaykit_Knight", Template::Human, KNIGHT),
        ("m2m_fox", Template::Quadruped, M2M_FOX),
        ("m2m_horse", Template::Quadruped, M2M_HORSE),
        ("Fox", Template::Quadruped, FOX),
        ("hand_webxr_fist", Template::Hand, HAND),
    ] {
        let rig = read::path(rigged.join(format!("{file}.glb"))).expect(file).rig;
        rows.push(row(file, &rig, template, Some((&rig.skeleton, left_out_pairs(pairs)))));
    }
    for (file, template) in [
        ("makehuman_male_body", Template::Human),
        ("smpl_man", Template::Human),
        ("spot", Template::Quadruped),
        ("cat", Template::Quadruped),
        ("hand_webxr", Template::Hand),
        ("hand_closed", Template::Hand),
    ] {
        let rig = read::path(fixed.join(format!("{file}.obj"))).expect(file).rig;
        rows.push(row(file, &rig, template, None));
    }
    for r in &rows {
        let mean = r.mean.map_or("-".into(), |m| format!("{m:.1} %"));
        println!(
            "{:<20} {:>7} {:>3}/{} inside, confidence {:.2}, up {:?} facing {:?}, guessed {:?}, outside {:?}, worst: {}",
            r.name,
            mean,
            r.inside,
            r.joints,
            r.report.confidence,
            r.report.up,
            r.report.facing,
            r.report.guessed,
            r.report.outside,
            r.worst
        );
    }
    rows
}

#[test]
fn joints_lie_near_those_of_the_makers_and_inside() {
    for r in rows() {
        let limit = match r.name.as_str() {
            "figure" | "makehuman_male_cmu" | "m2m_human" | "CesiumMan" | "RiggedFigure" => 5.0,
            _ => 9.0,
        };
        assert!(r.mean.is_none_or(|m| m < limit), "{}: {:?}, {}", r.name, r.mean, r.worst);
        assert!(r.inside + 2 >= r.joints, "{}: {} of {} joints inside", r.name, r.inside, r.joints);
    }
}
