//! Rigs that break what the method assumes: bound with a word about it, or refused; and never a point that is not finite.

use super::{graph, joined_by};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use serde_json::json;
use supple::{
    deform::implicit::Implicit,
    field::Partition,
    graph::{BoundGraph, DeformGraph},
    pose::{Motion, Pose},
    rig::{Joint, Mesh, Part, Rig, Skeleton, Weights, WeightsBuilder},
};
use supple_testkit::rigs;

fn changed(name: &str, change: impl Fn(&mut Rig)) -> Rig {
    let mut rig = Rig { name: name.into(), ..rigs::tube() };
    change(&mut rig);
    rig
}

fn chain(rig: &mut Rig, places: &[DVec3]) {
    let joint =
        |(i, at): (usize, &DVec3)| Joint::new(format!("joint {i}"), i.checked_sub(1), DAffine3::from_translation(*at));
    rig.skeleton = Skeleton::new(places.iter().enumerate().map(joint).collect()).expect("a chain").show_rest();
}

/// A mesh with one more part, each vertex of it wholly owned by a joint.
fn with(rig: &mut Rig, positions: &[Vec3], triangles: &[[u32; 3]], joint: u16) {
    let (first, first_triangle) = (rig.mesh.positions.len() as u32, rig.mesh.triangles.len() as u32);
    let old = rig.weights.take().expect("the tube has weights");
    let mut weights = WeightsBuilder::default();
    for vertex in 0..old.len() {
        let (joints, values) = old.row(vertex);
        weights.push(joints.iter().copied().zip(values.iter().copied()));
    }
    positions.iter().for_each(|_| weights.push([(joint, 1.0)]));
    rig.weights = Some(weights.finish(|_| 0).0);
    rig.mesh.positions.extend(positions);
    rig.mesh.triangles.extend(triangles.iter().map(|t| t.map(|i| i + first)));
    let part = Part {
        name: "more".into(),
        vertices: first..rig.mesh.positions.len() as u32,
        triangles: first_triangle..rig.mesh.triangles.len() as u32,
        ..rig.parts[0].clone()
    };
    rig.parts.push(part);
}

/// A flat square of cloth beside the tube.
fn sheet(at: Vec3, side: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let place = |i: usize| at + 0.1 * Vec3::new((i % side) as f32, (i / side) as f32, 0.0);
    let corner = |x: usize, y: usize| (y * side + x) as u32;
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| (x, y)));
    let triangles = cells.flat_map(|(x, y)| {
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1)];
        [[a, b, d], [a, d, c]]
    });
    ((0..side * side).map(place).collect(), triangles.collect())
}

fn hostile() -> Vec<Rig> {
    let along = |y: f64| [DVec3::new(0.0, y, 0.0), DVec3::new(1.0, y, 0.0), DVec3::new(2.0, y, 0.0)];
    let tail: Vec<DVec3> = (0..16).map(|i| DVec3::X * (i as f64 * 0.2)).collect();
    let tail_weights = |rig: &mut Rig| {
        let owner = |p: &Vec3| ((p.x / 0.2).floor().clamp(0.0, 15.0)) as u16;
        rig.weights = Some(Weights::rigid(rig.mesh.positions.iter().map(owner).collect::<Vec<_>>()));
    };
    vec![
        changed("bones outside the mesh", |rig| chain(rig, &along(3.0))),
        changed("a bone without vertices", |rig| {
            let mut joints = rig.skeleton.joints().to_vec();
            joints.push(Joint::new("nobody's", Some(2), DAffine3::from_translation(DVec3::new(2.5, 1.0, 0.0))));
            rig.skeleton = Skeleton::new(joints).expect("a tree").show_rest();
        }),
        changed("cloth", |rig| {
            let (points, triangles) = sheet(Vec3::new(1.0, 0.6, 0.0), 8);
            with(rig, &points, &triangles, 1);
        }),
        changed("cloth alone", |rig| {
            let (positions, triangles) = sheet(Vec3::ZERO, 12);
            let owners: Vec<u16> = positions.iter().map(|p| u16::from(p.x > 0.5)).collect();
            rig.mesh = Mesh { positions, triangles, ..Mesh::default() };
            rig.parts = Rig::of_mesh("", rig.mesh.clone()).parts;
            rig.weights = Some(Weights::rigid(owners));
        }),
        changed("open ends", |rig| {
            let points = &rig.mesh.positions;
            let inner = |t: &[u32; 3]| t.iter().all(|&v| (0.1..2.9).contains(&points[v as usize].x));
            rig.mesh.triangles = rig.mesh.triangles.iter().filter(|t| inner(t)).copied().collect();
            rig.parts[0].triangles = 0..rig.mesh.triangles.len() as u32;
        }),
        changed("two meshes", |rig| {
            let other = rigs::tube();
            let points: Vec<Vec3> = other.mesh.positions.iter().map(|p| *p + Vec3::Y * 2.0).collect();
            with(rig, &points, &other.mesh.triangles, 2);
        }),
        changed("a tail of sixteen", |rig| {
            chain(rig, &tail);
            tail_weights(rig);
        }),
        changed("hair of one triangle a bone", |rig| {
            chain(rig, &tail);
            rig.weights =
                Some(Weights::rigid((0..rig.mesh.positions.len()).map(|v| (v % 16) as u16).collect::<Vec<_>>()));
        }),
        changed("all skin on one joint", |rig| {
            rig.weights = Some(Weights::rigid(vec![1; rig.mesh.positions.len()]));
        }),
        changed("one triangle of skin", |rig| {
            let mut owners = vec![0; rig.mesh.positions.len()];
            rig.mesh.triangles[100].iter().for_each(|&v| owners[v as usize] = 2);
            rig.weights = Some(Weights::rigid(owners));
        }),
        changed("joints in one place", |rig| chain(rig, &[DVec3::X; 3])),
        changed("inside out", |rig| rig.mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2))),
        changed("as large as numbers go", |rig| rig.mesh.positions.iter_mut().for_each(|p| *p *= 1e15)),
        changed("as small as numbers go", |rig| rig.mesh.positions.iter_mut().for_each(|p| *p *= 1e-15)),
    ]
}

/// Poses that rigs meet: a deep bend, a twist, joints scaled to nothing, mirrored, and far away.
fn poses(rig: &Rig) -> Vec<Pose> {
    let last = rig.skeleton.len() - 1;
    let turned = |by: DAffine3| {
        let mut pose = Pose::rest(rig);
        pose.local[last] *= by;
        pose.local[last.min(1)] *= DAffine3::from_rotation_z(1.3);
        pose
    };
    vec![
        turned(DAffine3::from_rotation_z(2.6)),
        turned(DAffine3::from_rotation_x(3.1)),
        turned(DAffine3::from_scale(DVec3::ZERO)),
        turned(DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0))),
        turned(DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0))),
        turned(DAffine3::from_translation(DVec3::splat(1e9))),
    ]
}

fn assert_finite(what: &str, rig: &Rig, bound: &mut BoundGraph) {
    for (i, pose) in poses(rig).iter().enumerate() {
        let points = bound.evaluate(&rig.mesh.positions, &Motion::of(rig, pose));
        let bad = points.iter().position(|p| !p.is_finite());
        assert_eq!(bad, None, "{}, {what}, pose {i}: a point is not finite", rig.name);
    }
}

#[test]
fn hostile_rigs_stay_finite() {
    for rig in hostile() {
        for (what, settings) in [
            ("as it comes", vec![("operator", json!("blend-bulge"))]),
            ("five samples", vec![("samples", json!(5)), ("error", json!(10))]),
            ("parted by segments", vec![("partition", json!("segments"))]),
            ("relaxed", vec![("partition", json!("nearest")), ("relaxation", json!(1))]),
        ] {
            let mut bound = match graph(&settings).bind(&rig) {
                Ok(bound) => bound,
                Err(error) => panic!("{}, {what}: {error}", rig.name),
            };
            assert_finite(what, &rig, &mut bound);
        }
    }
}

#[test]
fn controls_own_no_limb() {
    // Two joints beside the first bone, as rigs have for their solvers: nothing follows them.
    let rig = changed("with controls", |rig| {
        let mut joints = rig.skeleton.joints().to_vec();
        let at = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.0, 0.25));
        joints.extend([Joint::new("control", Some(0), at(0.2)), Joint::new("its tip", Some(3), at(0.8))]);
        rig.skeleton = Skeleton::new(joints).unwrap().show_rest();
    });
    for partition in [Partition::Weights, Partition::Segments, Partition::Nearest] {
        let body = Implicit { partition, ..Implicit::default() }.volume(&rig).unwrap().body;
        let joints: Vec<usize> = body.limbs.iter().map(|l| l.limb.joint).collect();
        assert_eq!(joints, [0, 1, 2], "{partition:?}");
    }
}

#[test]
fn what_could_not_be_made_is_said() {
    for (name, words) in [
        ("cloth alone", "enclose nothing"),
        ("one triangle of skin", "\"end\""),
        ("hair of one triangle a bone", "no volume"),
    ] {
        let rig = hostile().into_iter().find(|r| r.name == name).expect("in the list");
        let bound = joined_by("union", &rig);
        let notes: Vec<&str> = bound.notes().map(|(_, note)| note).collect();
        println!("{name}: {notes:?}");
        assert!(notes.iter().any(|n| n.contains(words)), "{name}: {notes:?} do not say {words:?}");
    }
}

#[test]
fn a_skin_that_is_inside_out_is_turned_and_told() {
    let rig = changed("mirrored", |rig| rig.mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1)));
    let turned = Implicit::default().volume(&rig).unwrap();
    assert!(turned.notes.iter().any(|n| n.contains("inside out")), "{:?}", turned.notes);
    let good = Implicit::default().volume(&rigs::tube()).unwrap();
    assert!(!good.notes.iter().any(|n| n.contains("inside out")), "{:?}", good.notes);
    assert_eq!(turned.body.limbs.len(), good.body.limbs.len());
    assert!(turned.normals.iter().zip(good.normals.iter()).all(|(a, b)| a.dot(*b) > 0.99));
}

/// As the links of a mannequin: each is hard, and moved by one joint alone.
#[test]
fn separate_pieces_of_one_joint_are_not_bent() {
    let links = changed("links", |rig| {
        let joint_of = |p: &Vec3| u16::from(p.x > 1.0) + u16::from(p.x > 2.0);
        let joints: Vec<u16> = rig.mesh.positions.iter().map(joint_of).collect();
        rig.mesh.triangles.retain(|t| t.iter().all(|&v| joints[v as usize] == joints[t[0] as usize]));
        rig.parts[0].triangles = 0..rig.mesh.triangles.len() as u32;
        let mut weights = WeightsBuilder::default();
        joints.iter().for_each(|&j| weights.push([(j, 1.0)]));
        rig.weights = Some(weights.finish(|_| 0).0);
    });
    let mut pose = Pose::rest(&links);
    pose.bend(&links, "middle", 120.0, Some(DVec3::Z)).unwrap();
    let (start, end) = (
        super::moved(&links, &mut super::dual(&links), &pose),
        super::moved(&links, &mut joined_by("union", &links), &pose),
    );
    assert_eq!(start, end);
    assert!(
        joined_by("union", &links).notes().any(|(_, n)| n.contains("separate pieces of skin that one joint moves"))
    );
}

#[test]
fn operators_that_join_nothing_are_told() {
    let rig = rigs::tube();
    let [first, second] = [0, 1].map(|j| rig.skeleton.joints()[j].name.clone());
    let bound = graph(&[("joints", json!({ &first: {"operator": "bulge"}, &second: {"operator": "blend"} }))])
        .bind(&rig)
        .unwrap();
    let notes: Vec<&str> = bound.notes().map(|(_, note)| note).collect();
    assert_eq!(notes, [format!("the operator of joint \"{first}\" is not used: its limb hangs on no other")]);
}

#[test]
fn no_point_set_and_no_rig_without_weights_is_taken() {
    let points = changed("points", |rig| rig.mesh.triangles.clear());
    let bare = changed("bare", |rig| rig.weights = None);
    for rig in [points, bare] {
        let error = graph(&[]).bind(&rig).err().unwrap_or_else(|| panic!("{} must be refused", rig.name));
        assert!(error.to_string().contains(&rig.name), "{error}");
    }
}

#[test]
fn points_that_are_not_finite_are_refused_or_do_not_spread() {
    let rig = changed("NaN", |rig| rig.mesh.positions[150] = Vec3::NAN);
    let Ok(mut bound) = graph(&[]).bind(&rig) else { return };
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "middle", 120.0, Some(DVec3::Z)).unwrap();
    let points = bound.evaluate(&rig.mesh.positions, &Motion::of(&rig, &pose));
    let bad = (0..points.len()).filter(|&i| !points[i].is_finite()).count();
    assert!(bad <= 1, "one point is not a number at rest, {bad} are when moved");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for (name, value) in [
        ("samples", json!(3)),
        ("samples", json!(5.5)),
        ("sigma", json!(0)),
        ("sigma", json!("NaN")),
        ("cap", json!(-1)),
        ("amount", json!([])),
        ("amount", json!(1.5)),
        ("start", json!("implicit")),
        ("start", json!("mix")),
        ("operator", json!("unoin")),
        ("operator", json!({"kind": "bulge", "size": 2})),
        ("joints", json!({"forearm": {"colour": 1}})),
        ("resolution", json!(1_000_000)),
    ] {
        let settings = [(name.to_owned(), value.clone())].into_iter().collect();
        assert!(DeformGraph::single_with("implicit", &settings).is_err(), "{name} = {value} is taken");
    }
    let rig = rigs::tube();
    for settings in [
        [("joints", json!({"elbow": {"operator": "blend"}}))],
        [("joints", json!({"middle": {"add": [[1e9, 0, 0, 1, 0, 0]]}}))],
        [("amount", json!([0.5, 0.5]))],
    ] {
        assert!(graph(&settings).bind(&rig).is_err(), "{settings:?} is taken");
    }
}

#[test]
fn what_is_wrong_with_a_setting_is_said_in_plain_words() {
    for (name, value, says) in [
        ("tracking", json!("robst"), "no choice is called \"robst\"; did you mean \"robust\"?"),
        ("partition", json!(3), "found 3, where"),
        (
            "joints",
            json!({"end": {"operater": "union"}}),
            "joint \"end\": no field is called \"operater\"; did you mean \"operator\"?",
        ),
        ("joints", json!({"end": {"remove": 11}}), "joint \"end\": found 11, where a list is expected"),
        ("joints", json!({"end": {"remove": [-1]}}), "-1 is neither the number of a sample nor its place"),
        ("joints", json!({"end": {"remove": [[1, 2]]}}), "[1,2] is neither the number of a sample nor its place"),
        ("joints", json!({"end": {"move": {"x": [1, 2, 3]}}}), "\"x\" is not the number of a sample"),
        ("joints", json!({"end": {"move": 3}}), "expected a list of {\"from\""),
        ("joints", json!({"end": {"move": [{"from": 3}]}}), "\"to\""),
    ] {
        let settings = [(name.to_owned(), value)].into_iter().collect();
        let error = DeformGraph::single_with("implicit", &settings).expect_err("it is refused").to_string();
        assert!(error.contains(says), "{error}");
    }
}

/// Numbers that look random and are the same in every run.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn random_rigs_in_random_poses_stay_finite_and_near_their_start() {
    for seed in 1..=12 {
        let mut next = noise(seed);
        let joints = 2 + (next() * 6.0) as usize;
        let rig = changed(&format!("seed {seed}"), |rig| {
            let mut next = noise(seed + 1000);
            let mut list: Vec<Joint> = Vec::new();
            for i in 0..joints {
                let at = DVec3::new(3.0 * next(), 0.4 * next() - 0.2, 0.4 * next() - 0.2);
                let parent = (i > 0).then(|| (next() * i as f64) as usize);
                list.push(Joint::new(format!("joint {i}"), parent, DAffine3::from_translation(at)));
            }
            rig.skeleton = Skeleton::new(list).expect("a tree").show_rest();
            let mut weights = WeightsBuilder::default();
            for _ in 0..rig.mesh.positions.len() {
                let share = next() as f32;
                let [a, b] = [0, 1].map(|_| (next() * joints as f64) as u16);
                weights.push([(a, share), (b, 1.0 - share)]);
            }
            rig.weights = Some(weights.finish(|_| 0).0);
        });
        let operator = ["union", "blend", "bulge", "blend-bulge"][seed as usize % 4];
        let (mut start, mut bound) = (super::dual(&rig), joined_by(operator, &rig));
        for _ in 0..3 {
            let mut pose = Pose::rest(&rig);
            for local in &mut pose.local {
                let axis = DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5).normalize_or(DVec3::X);
                *local *= DAffine3::from_quat(DQuat::from_axis_angle(axis, 6.0 * next() - 3.0));
            }
            let (old, new) = (super::moved(&rig, &mut start, &pose), super::moved(&rig, &mut bound, &pose));
            assert!(new.iter().all(|p| p.is_finite()), "seed {seed}: a point is not finite");
            let far = supple_testkit::largest_distance(&old, &new, rig.diagonal());
            super::at_most(&format!("seed {seed}: farthest from the start, in diagonals"), far, 1.0);
        }
    }
}
