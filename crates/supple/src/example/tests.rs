use super::*;
use crate::{pose::Pose, rig::Topology};

fn all(vertices: usize) -> Vec<Rig> {
    vec![
        arm(&ArmOptions { vertices, ..ArmOptions::default() }).unwrap(),
        arm(&ArmOptions { vertices, plain: true, ..ArmOptions::default() }).unwrap(),
        hand(&HandOptions { vertices, ..Default::default() }).unwrap(),
        figure(&FigureOptions { vertices, ..FigureOptions::default() }).unwrap(),
    ]
}

fn assert_sound(rig: &Rig, asked: usize) {
    let (name, count) = (&rig.name, rig.mesh.positions.len());
    let off = count.abs_diff(asked);
    assert!(off * 50 <= asked, "{name}: {count} vertices for {asked}");
    let t = Topology::of(&rig.mesh);
    assert!(t.weld.is_trivial(), "{name}");
    assert!(t.is_closed() && t.is_manifold() && t.is_oriented(), "{name} {asked}");
    assert_eq!(t.components, 1, "{name}");
    assert_eq!(t.points() + t.triangles.len(), t.edges.len() + 2, "{name} {asked} is a ball");
    assert!(rig.mesh.volume() > 0.0, "{name}");
    assert_eq!(rig.mesh.report(), Default::default(), "{name}");
    assert_owned(rig);
}

fn assert_owned(rig: &Rig) {
    let weights = rig.weights.as_ref().unwrap();
    assert_eq!(weights.len(), rig.mesh.positions.len());
    assert!(weights.most_influences() <= 4);
    assert!(usize::from(weights.largest_joint().unwrap()) < rig.skeleton.len());
}

#[test]
fn meshes_are_closed_whatever_their_size() {
    for asked in [600, 1000, 3000] {
        for rig in all(asked) {
            assert_sound(&rig, asked);
        }
    }
}

#[test]
fn quartered_meshes_meet_odd_counts() {
    let rig = arm(&ArmOptions { vertices: 14_003, ..ArmOptions::default() }).unwrap();
    assert_sound(&rig, 14_003);
    assert_eq!(rig.mesh.positions.len(), 14_003);
}

#[test]
fn the_plain_arm_has_the_published_count() {
    let rig = arm(&ArmOptions { plain: true, ..ArmOptions::default() }).unwrap();
    assert_eq!(rig.mesh.positions.len(), 8003);
    assert_eq!(rig.skeleton.joints().iter().map(|j| j.name.as_str()).collect::<Vec<_>>(), ["upper_arm", "forearm"]);
}

#[test]
fn clips_move_and_stay_finite() {
    let wanted: [&[&str]; 4] = [&["bend", "twist"], &["bend", "twist"], &["fist"], &["walk", "crouch"]];
    for (rig, names) in all(600).iter().zip(wanted) {
        assert_eq!(rig.clips.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), names);
        for clip in &rig.clips {
            assert!((clip.duration() - 1.0).abs() < 0.5);
            for step in 0..=8 {
                let pose = clip.sample(rig, f64::from(clip.duration()) * f64::from(step) / 8.0);
                assert!(pose.local.iter().all(|l| l.is_finite()));
            }
            assert_ne!(clip.sample(rig, 0.4), Pose::rest(rig), "{} {}", rig.name, clip.name);
        }
    }
}

#[test]
fn walking_starts_where_it_ends() {
    let rig = figure(&FigureOptions { vertices: 600, ..FigureOptions::default() }).unwrap();
    let clip = rig.clip("walk").unwrap();
    let (first, last) = (clip.sample(&rig, 0.0), clip.sample(&rig, f64::from(clip.duration())));
    for (a, b) in first.local.iter().zip(&last.local) {
        assert!(a.abs_diff_eq(*b, 1e-5));
    }
}

#[test]
fn hinges_flex() {
    let rig = hand(&HandOptions { vertices: 600, ..Default::default() }).unwrap();
    assert_eq!(rig.skeleton.len(), 21);
    assert!(rig.skeleton.joints()[1..].iter().all(|j| j.hinge.is_some()));
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "middle_proximal", 90.0, None).unwrap();
    let motion = crate::pose::Motion::of(&rig, &pose);
    let tip = rig.skeleton.find("middle_distal").unwrap();
    let moved = motion.posed_from_joint[tip].translation - rig.skeleton.joints()[tip].rest_position();
    assert!(moved.z > 0.05 && moved.y < -0.05, "towards the palm: {moved}");
    let rig = arm(&ArmOptions { vertices: 600, ..ArmOptions::default() }).unwrap();
    assert_eq!(rig.skeleton.joints()[1].hinge, Some(glam::DVec3::Z));
}

#[test]
fn fingers_and_legs_keep_to_themselves() {
    let rig = hand(&HandOptions { vertices: 3000, ..Default::default() }).unwrap();
    let weights = rig.weights.as_ref().unwrap();
    let finger_of = |j: u16| rig.skeleton.joints()[usize::from(j)].name.split('_').next().unwrap().to_owned();
    for (v, p) in rig.mesh.positions.iter().enumerate().filter(|(_, p)| p.y > 0.13) {
        let (joints, _) = weights.row(v);
        assert!(joints.iter().all(|&j| finger_of(j) == finger_of(joints[0])), "vertex {v} at {p}");
    }
    let rig = figure(&FigureOptions { vertices: 3000, ..FigureOptions::default() }).unwrap();
    let weights = rig.weights.as_ref().unwrap();
    for v in 0..weights.len() {
        let names = weights.row(v).0.iter().map(|&j| rig.skeleton.joints()[usize::from(j)].name.as_str());
        let sides: std::collections::HashSet<_> =
            names.filter(|n| n.starts_with("thigh") || n.starts_with("shin")).map(|n| n.ends_with('l')).collect();
        assert!(sides.len() < 2, "vertex {v}");
    }
}

#[test]
fn webs_do_not_tear_where_one_finger_bends() {
    let rig = hand(&HandOptions { vertices: 8000, ..Default::default() }).unwrap();
    let mut bound = crate::graph::DeformGraph::single("dual-quaternion").unwrap().bind(&rig).unwrap();
    for finger in ["index", "middle", "ring", "little"] {
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, &format!("{finger}_proximal"), 80.0, None).unwrap();
        let points = bound.evaluate(&rig.mesh.positions, &crate::pose::Motion::of(&rig, &pose));
        let edges = rig.mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let length = |points: &[glam::Vec3], [a, b]: [u32; 2]| points[a as usize].distance(points[b as usize]);
        let stretch = edges.map(|e| length(points, e) / length(&rig.mesh.positions, e)).fold(0.0, f32::max);
        assert!(stretch < 6.0, "{finger}: an edge is {stretch} times as long");
    }
}

#[test]
fn figures_have_as_many_bones_as_asked() {
    for bones in [24, 55, 60] {
        let rig = figure(&FigureOptions { vertices: 2500, bones }).unwrap();
        assert_eq!(rig.skeleton.len(), bones);
        assert_sound(&rig, 2500);
    }
}

#[test]
fn the_statue_is_an_oriented_point_set_round_its_model() {
    let rig = statue(&StatueOptions { points: 3000 }).unwrap();
    assert!(rig.mesh.is_point_set());
    assert_eq!(rig.mesh.positions.len(), 3000);
    assert_owned(&rig);
    let model = rig.sphere_mesh.as_ref().unwrap();
    assert_eq!(model.swallowed().count(), 0);
    assert_eq!(model.spheres.len(), rig.skeleton.len());
    let normals = rig.mesh.normals.as_ref().unwrap();
    assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4));
    let head = model.spheres.iter().find(|s| s.name == "head").unwrap().center.as_vec3();
    let round = rig.mesh.positions.iter().zip(normals).filter(|(p, _)| p.y > head.y && p.distance(head) < 0.13);
    assert!(round.map(|(p, n)| (*p - head).dot(*n)).all(|d| d > 0.0));
}

#[test]
fn what_cannot_be_made_is_said() {
    let stiff = hand(&HandOptions { vertices: 600, bones: 18 }).unwrap();
    assert_eq!(stiff.skeleton.len(), 18);
    assert!(stiff.skeleton.find("little_metacarpal").is_some() && stiff.skeleton.find("ring_metacarpal").is_none());
    assert!(matches!(hand(&HandOptions { vertices: 600, bones: 16 }), Err(ExampleError::Bones { who: "hand", .. })));
    assert_eq!(hand(&HandOptions { vertices: 599, ..Default::default() }), Err(ExampleError::Vertices { asked: 599 }));
    let many = VERTICES.end() + 1;
    assert!(matches!(statue(&StatueOptions { points: many }), Err(ExampleError::Vertices { asked }) if asked == many));
    let few = figure(&FigureOptions { bones: 22, ..FigureOptions::default() }).unwrap_err();
    assert!(few.to_string().contains("22 bones"));
    for band in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let made = arm(&ArmOptions { band, ..ArmOptions::default() });
        assert!(matches!(made, Err(ExampleError::Band { .. })), "{band}");
    }
}

#[test]
fn making_twice_gives_the_same_bits() {
    let options = FigureOptions { vertices: 900, bones: 30 };
    assert_eq!(figure(&options), figure(&options));
}

#[test]
fn thin_parts_survive_low_counts() {
    let coarse = hand(&HandOptions { vertices: 600, ..Default::default() }).unwrap().mesh;
    let fine = hand(&HandOptions { vertices: 3000, ..Default::default() }).unwrap().mesh;
    let (low, high) = (coarse.bounds().min - fine.bounds().min, fine.bounds().max - coarse.bounds().max);
    assert!(low.max_element() < 0.006 && high.max_element() < 0.006, "{low} {high}");
    let body = figure(&FigureOptions { vertices: 600, ..FigureOptions::default() }).unwrap().mesh.bounds();
    assert!(body.max.y > 1.76 && body.min.y < 0.02 && body.max.x > 0.8 && body.min.x < -0.8, "{body:?}");
}
