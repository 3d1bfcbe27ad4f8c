//! What is special to one method of skinning.

use glam::{DAffine3, DVec3, Vec3};
use supple::{
    deform::BindError,
    example::{self, ArmOptions, FigureOptions},
    graph::{DeformGraph, GraphError},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_testkit::{largest_distance, rigs};

fn moved(method: &str, rig: &Rig, pose: &Pose) -> Vec<Vec3> {
    moved_by(&DeformGraph::single(method).unwrap(), rig, pose)
}

fn moved_by(graph: &DeformGraph, rig: &Rig, pose: &Pose) -> Vec<Vec3> {
    let mut bound = graph.bind(rig).unwrap();
    bound.evaluate(&rig.mesh.positions, &Motion::of(rig, pose)).to_vec()
}

/// The thinnest that a twisted limb along x gets, over its thickness at rest.
fn thinnest(method: &str, rig: &Rig, joint: &str, degrees: f64, along: std::ops::Range<f32>) -> f32 {
    thinnest_by(&DeformGraph::single(method).unwrap(), rig, joint, degrees, along)
}

fn thinnest_by(graph: &DeformGraph, rig: &Rig, joint: &str, degrees: f64, along: std::ops::Range<f32>) -> f32 {
    let mut pose = Pose::rest(rig);
    pose.twist(rig, joint, degrees).unwrap();
    let radius = |p: &Vec3| Vec3::new(0.0, p.y, p.z).length();
    let points = moved_by(graph, rig, &pose);
    let kept = points.iter().zip(&rig.mesh.positions).filter(|(_, r)| along.contains(&r.x));
    kept.map(|(m, r)| radius(m) / radius(r)).fold(f32::INFINITY, f32::min)
}

#[test]
fn a_twisted_arm_is_not_wrung() {
    let rig = example::arm(&ArmOptions { vertices: 2000, plain: true, ..ArmOptions::default() }).unwrap();
    assert!(thinnest("linear", &rig, "forearm", 150.0, 0.5..3.5) < 0.5);
    for (method, least) in [("stretch-twist", 0.95), ("rotation-center", 0.9), ("flesh", 0.95)] {
        let kept = thinnest(method, &rig, "forearm", 150.0, 0.5..3.5);
        assert!(kept > least, "{method} keeps {kept}");
    }
}

#[test]
fn delta_mush_keeps_a_twisted_limb_where_it_smooths_over_its_thickness() {
    let rig = example::arm(&ArmOptions { vertices: 2000, plain: true, ..ArmOptions::default() }).unwrap();
    let wide = supple::deform::Settings::from_iter([("lambda".to_owned(), 60.0.into())]);
    let graph = DeformGraph::single_with("delta-mush", &wide).unwrap();
    let kept = thinnest_by(&graph, &rig, "forearm", 150.0, 0.5..3.5);
    assert!(kept > 0.8, "delta mush keeps {kept}");
}

#[test]
fn a_twist_is_handed_over_along_the_bone() {
    let rig = example::arm(&ArmOptions { vertices: 2000, plain: true, ..ArmOptions::default() }).unwrap();
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "forearm", 100.0).unwrap();
    let points = moved("stretch-twist", &rig, &pose);
    for (p, r) in points.iter().zip(&rig.mesh.positions).filter(|(_, r)| (0.1..1.5).contains(&r.x)) {
        let turn = (p.z.atan2(p.y) - r.z.atan2(r.y)).to_degrees().rem_euclid(360.0);
        assert!((turn - 50.0 * r.x).abs() < 1.0, "at {} of the bone the skin turns by {turn}", r.x / 2.0);
    }
}

#[test]
fn without_stretch_and_twist_bones_are_linear() {
    let rig = rigs::tube();
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "middle", 70.0, Some(DVec3::Z)).unwrap();
    pose.bend(&rig, "end", -50.0, Some(DVec3::Y)).unwrap();
    assert_eq!(moved("stretch-twist", &rig, &pose), moved("linear", &rig, &pose));
}

#[test]
fn a_stretched_bone_stretches_its_skin_evenly() {
    let rig = rigs::tube();
    let mut pose = Pose::rest(&rig);
    // The bone from root to middle becomes half as long again.
    pose.local[1] = DAffine3::from_translation(DVec3::new(1.5, 0.0, 0.0));
    let points = moved("stretch-twist", &rig, &pose);
    let weights = rig.weights.as_ref().unwrap();
    let owned =
        (0..weights.len()).filter(|&v| weights.row(v).1[0] > 0.99 && (0.0..1.0).contains(&rig.mesh.positions[v].x));
    let mut seen = 0;
    for v in owned {
        let (p, r) = (points[v], rig.mesh.positions[v]);
        assert!((p.x - 1.5 * r.x).abs() < 0.02 && (p.y - r.y).abs() < 1e-5, "{r} goes to {p}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn a_raised_leg_does_not_twist_the_hips() {
    let rig = example::figure(&FigureOptions { vertices: 3000, ..FigureOptions::default() }).unwrap();
    let clip = rig.clip("crouch").unwrap();
    let pose = clip.sample(&rig, f64::from(clip.duration()));
    let apart = largest_distance(&moved("stretch-twist", &rig, &pose), &moved("linear", &rig, &pose), rig.diagonal());
    assert!(apart < 0.02, "{apart} of the diagonal from linear");
}

#[test]
fn methods_that_need_triangles_refuse_a_point_set() {
    let mut rig = rigs::tube();
    rig.mesh.triangles.clear();
    for method in ["rotation-center", "delta-mush", "flesh"] {
        let refused = DeformGraph::single(method).unwrap().bind(&rig).err();
        assert!(matches!(refused, Some(GraphError::Bind(BindError::NoTriangles { .. }))), "{method}: {refused:?}");
    }
}

/// The figure with a hole, an island, a fin, triangles without area and a vertex that no triangle uses.
fn torn_figure() -> Rig {
    let mut rig = example::figure(&FigureOptions { vertices: 2000, ..FigureOptions::default() }).unwrap();
    let old = rig.weights.take().unwrap();
    let mut weights = supple::rig::WeightsBuilder::default();
    for v in 0..old.len() {
        let (joints, values) = old.row(v);
        weights.push(joints.iter().copied().zip(values.iter().copied()));
    }
    rig.mesh.triangles.drain(100..140);
    let first = rig.mesh.positions.len() as u32;
    let island =
        [Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.1, 1.0, 1.0), Vec3::new(1.0, 1.1, 1.0), Vec3::new(2.0, 2.0, 2.0)];
    rig.mesh.positions.extend(island);
    for _ in island {
        weights.push([(1, 0.5), (2, 0.5)]);
    }
    let fin = [rig.mesh.triangles[0][0], rig.mesh.triangles[0][1], first];
    rig.mesh.triangles.extend([[first, first + 1, first + 2], fin, [1, 1, 2], [3, 4, 3]]);
    rig.mesh.normals = None;
    rig.weights = Some(weights.finish(|_| 0).0);
    rig
}

#[test]
fn a_torn_surface_rests_and_follows_rigid_motions() {
    let rig = torn_figure();
    let motion = DAffine3::from_rotation_translation(glam::DQuat::from_rotation_y(2.5), DVec3::new(0.3, -1.0, 0.2));
    for method in ["rotation-center", "delta-mush", "flesh"] {
        assert!(largest_distance(&moved(method, &rig, &Pose::rest(&rig)), &rig.mesh.positions, rig.diagonal()) < 1e-6);
        let mut bound = DeformGraph::single(method).unwrap().bind(&rig).unwrap();
        let turned = bound.evaluate(&rig.mesh.positions, &Motion::uniform(rig.skeleton.len(), motion)).to_vec();
        let expected: Vec<Vec3> =
            rig.mesh.positions.iter().map(|p| motion.transform_point3(p.as_dvec3()).as_vec3()).collect();
        let error = largest_distance(&turned, &expected, rig.diagonal());
        assert!(error < 2e-6, "{method}: {error}");
    }
}

#[test]
fn a_vertex_that_no_triangle_uses_moves_by_its_own_weights() {
    let rig = torn_figure();
    let clip = rig.clip("crouch").unwrap();
    let pose = clip.sample(&rig, f64::from(clip.duration()));
    let (linear, mush) = (moved("linear", &rig, &pose), moved("delta-mush", &rig, &pose));
    let last = rig.mesh.positions.len() - 1;
    assert!(linear[last].distance(mush[last]) < 1e-5 * rig.diagonal());
    assert!(mush.iter().all(|p| p.is_finite()));
}

#[test]
fn delta_mush_makes_a_smooth_bend_of_rigid_weights() {
    let mut rig = example::arm(&ArmOptions { vertices: 3000, plain: true, ..ArmOptions::default() }).unwrap();
    let weights = rig.weights.take().unwrap();
    rig.weights = Some(supple::rig::Weights::rigid((0..weights.len()).map(|v| weights.dominant(v) as u16)));
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 60.0, None).unwrap();
    let longest = |points: &[Vec3]| {
        let edge = |t: &[u32; 3]| {
            let length = |p: &[Vec3]| p[t[0] as usize].distance(p[t[1] as usize]);
            length(points) / length(&rig.mesh.positions)
        };
        rig.mesh.triangles.iter().map(edge).fold(0.0, f32::max)
    };
    let (linear, mush) = (longest(&moved("linear", &rig, &pose)), longest(&moved("delta-mush", &rig, &pose)));
    assert!(linear > 4.0 && mush < 2.0, "linear stretches an edge {linear} times, delta mush {mush} times");
}

#[test]
fn a_scaled_joint_keeps_its_scale_where_it_owns_the_neighbourhood() {
    let rig = rigs::tube();
    let owned: Vec<u16> = vec![2; rig.mesh.positions.len()];
    let rig = Rig { weights: Some(supple::rig::Weights::rigid(owned)), ..rig };
    let motion = rigs::stretched(&rig);
    let run =
        |m: &str| DeformGraph::single(m).unwrap().bind(&rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
    let linear = run("linear");
    for method in ["rotation-center", "delta-mush", "flesh"] {
        let error = largest_distance(&run(method), &linear, rig.diagonal());
        assert!(error < 2e-6, "{method}: {error}");
    }
}

/// The skin of the arm bent by some degrees over its volume at rest.
fn kept_volume(graph: &DeformGraph, vertices: usize, degrees: f64) -> f64 {
    let rig = example::arm(&ArmOptions { vertices, plain: true, ..ArmOptions::default() }).unwrap();
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", degrees, None).unwrap();
    let volume = |points: &[Vec3]| -> f64 {
        let corner = |i: u32| points[i as usize].as_dvec3();
        rig.mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])))).sum()
    };
    volume(&moved_by(graph, &rig, &pose)) / volume(&rig.mesh.positions)
}

#[test]
fn flesh_that_a_bend_squeezes_comes_out_beside_it_on_any_mesh() {
    let with = |volume: f64| {
        let settings = supple::deform::Settings::from_iter([("volume".to_owned(), volume.into())]);
        DeformGraph::single_with("flesh", &settings).unwrap()
    };
    let (none, all) = (kept_volume(&with(0.0), 3000, 90.0), kept_volume(&with(1.0), 3000, 90.0));
    assert!(none < 0.97 && all > none + 0.015, "{none} without, {all} with what was squeezed");
    for vertices in [1500, 12_000] {
        let kept = kept_volume(&with(1.0), vertices, 90.0);
        assert!((kept - all).abs() < 3e-3, "{kept} of {vertices} vertices, {all} of 3000");
    }
}

#[test]
fn flesh_of_a_joint_that_grows_is_not_squeezed_back() {
    let rig = rigs::tube();
    // Nothing bends.
    let mut pose = Pose::rest(&rig);
    pose.local[2] *= DAffine3::from_scale(DVec3::new(1.5, 0.7, 1.1));
    let motion = Motion::of(&rig, &pose);
    let run = |volume: f64| {
        let settings = supple::deform::Settings::from_iter([("volume".to_owned(), volume.into())]);
        let mut bound = DeformGraph::single_with("flesh", &settings).unwrap().bind(&rig).unwrap();
        bound.evaluate(&rig.mesh.positions, &motion).to_vec()
    };
    let off = largest_distance(&run(1.0), &run(0.0), rig.diagonal());
    assert!(off < 0.01, "{off} of the diagonal");
}

/// Overlap of a plain arm that is bent, over its volume.
fn overlap(settings: &[(&str, bool)], degrees: f64) -> f64 {
    let rig = example::arm(&ArmOptions { vertices: 3000, plain: true, ..ArmOptions::default() }).unwrap();
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
    let graph = DeformGraph::single_with("flesh", &settings.collect()).unwrap();
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", degrees, None).unwrap();
    let moved = moved_by(&graph, &rig, &pose);
    supple::measure::surface(&rig.mesh.positions, &moved, &rig.mesh.triangles, Default::default())
        .unwrap()
        .overlap
        .unwrap()
}

#[test]
fn flesh_stops_at_other_skin() {
    for (degrees, most) in [(90.0, 1e-4), (120.0, 1e-4), (135.0, 1e-4), (150.0, 1e-3)] {
        let (passing, stopping) = (overlap(&[("contact", false)], degrees), overlap(&[], degrees));
        assert!(
            stopping < most && stopping < 0.01 * passing.max(0.01),
            "{degrees}: {stopping}, and {passing} without contact"
        );
    }
}

#[test]
fn what_joints_crumple_in_a_crease_is_hidden_with_it() {
    let rig = example::arm(&ArmOptions { vertices: 8000, ..ArmOptions::default() }).unwrap();
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 120.0, None).unwrap();
    let moved = moved("flesh", &rig, &pose);
    let figures = supple::measure::surface(&rig.mesh.positions, &moved, &rig.mesh.triangles, Default::default());
    let overlap = figures.unwrap().overlap.unwrap();
    assert!(overlap < 1e-4, "{overlap}");
}

#[test]
fn flesh_takes_what_is_inside_out_the_other_way_round_and_says_so() {
    let rig = example::arm(&ArmOptions { vertices: 1500, plain: true, ..ArmOptions::default() }).unwrap();
    let mut turned = rig.clone();
    turned.mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 120.0, None).unwrap();
    let off = largest_distance(&moved("flesh", &turned, &pose), &moved("flesh", &rig, &pose), rig.diagonal());
    assert!(off < 1e-5, "{off} of the diagonal");
    let bound = DeformGraph::single("flesh").unwrap().bind(&turned).unwrap();
    let notes: Vec<_> = bound.notes().map(|(_, note)| note.to_owned()).collect();
    assert!(notes.iter().any(|note| note.contains("triangles are inside out")), "{notes:?}");
}
