//! Small rigs that never change, so that goldens do not either. The nasty ones hold what real files hold.

use glam::{DAffine3, DVec3, Vec3};
use supple::{
    pose::{Motion, Pose},
    rig::{Joint, Mesh, Rig, Skeleton, Weights, WeightsBuilder},
};

/// A closed tube along x with three joints at x = 0, 1 and 2, radius 0.3; up to three influences.
pub fn tube() -> Rig {
    tube_scaled(1.0)
}

/// The same, `scale` times as large.
pub fn tube_scaled(scale: f32) -> Rig {
    const RINGS: usize = 25;
    const SEGMENTS: usize = 12;
    let mut mesh = Mesh::default();
    for ring in 0..RINGS {
        let x = 3.0 * ring as f32 / (RINGS - 1) as f32;
        for segment in 0..SEGMENTS {
            let angle = std::f32::consts::TAU * segment as f32 / SEGMENTS as f32;
            let radius = 0.3 + 0.03 * (5.0 * angle).sin() * (4.0 * x).cos();
            mesh.positions.push(Vec3::new(x, radius * angle.cos(), radius * angle.sin()) * scale);
        }
    }
    let at = |ring: usize, segment: usize| (ring * SEGMENTS + segment % SEGMENTS) as u32;
    for ring in 0..RINGS - 1 {
        for s in 0..SEGMENTS {
            let (a, b, c, d) = (at(ring, s), at(ring, s + 1), at(ring + 1, s), at(ring + 1, s + 1));
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    let (first, last) = (mesh.positions.len() as u32, mesh.positions.len() as u32 + 1);
    mesh.positions.extend([Vec3::new(-0.2, 0.0, 0.0) * scale, Vec3::new(3.2, 0.0, 0.0) * scale]);
    for s in 0..SEGMENTS {
        mesh.triangles.push([first, at(0, s + 1), at(0, s)]);
        mesh.triangles.push([last, at(RINGS - 1, s), at(RINGS - 1, s + 1)]);
    }
    for t in &mut mesh.triangles {
        t.swap(1, 2);
    }
    if mesh.volume() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let mut weights = WeightsBuilder::default();
    for p in &mesh.positions {
        let x = p.x / scale;
        let hat = |centre: f32| (1.0 - (x - centre).abs() / 1.2).max(0.0).powi(2);
        let sum = hat(0.5) + hat(1.5) + hat(2.5);
        weights.push([(0, hat(0.5) / sum), (1, hat(1.5) / sum), (2, hat(2.5) / sum)]);
    }
    let joint = |i: usize| {
        let place = DVec3::new(i as f64, 0.0, 0.0) * f64::from(scale);
        Joint::new(["root", "middle", "end"][i], i.checked_sub(1), DAffine3::from_translation(place))
    };
    let skeleton = Skeleton::new((0..3).map(joint).collect()).expect("a chain").show_rest();
    let weights = weights.finish(|_| 0).0;
    Rig { skeleton, weights: Some(weights), ..Rig::of_mesh("tube", mesh) }
}

/// The tube with a prop that touches nothing and reaches ten times as far as the tube is long, for each kind: a spear that goes with
/// the last joint, a tail that goes with the first, and a vertex of no triangle.
pub fn tube_with_props() -> Vec<(&'static str, Rig)> {
    let spear = [Vec3::new(4.0, 1.0, 0.0), Vec3::new(4.0, 1.05, 0.0), Vec3::new(34.0, 1.0, 0.0)];
    let tail = [Vec3::new(-0.5, 0.0, 0.0), Vec3::new(-0.5, 0.05, 0.0), Vec3::new(-30.0, 0.0, 0.0)];
    let lone = [Vec3::new(0.0, 0.0, 30.0)];
    vec![("a spear", tube_with(&spear, 2)), ("a tail", tube_with(&tail, 0)), ("a vertex far away", tube_with(&lone, 1))]
}

/// The tube, and points that go with a joint: a triangle where they are three.
fn tube_with(prop: &[Vec3], joint: u16) -> Rig {
    let mut rig = tube();
    let first = rig.mesh.positions.len() as u32;
    rig.mesh.positions.extend(prop);
    if prop.len() == 3 {
        rig.mesh.triangles.push([first, first + 1, first + 2]);
        rig.parts[0].triangles.end += 1;
    }
    let mut weights = WeightsBuilder::default();
    let of_tube = rig.weights.take().expect("the tube has weights");
    for v in 0..of_tube.len() {
        let (joints, values) = of_tube.row(v);
        weights.push(joints.iter().copied().zip(values.iter().copied()));
    }
    prop.iter().for_each(|_| weights.push([(joint, 1.0)]));
    rig.weights = Some(weights.finish(|_| 0).0);
    rig
}

/// The tube bent and twisted at both joints: the pose of the goldens.
pub fn tube_pose(rig: &Rig) -> Pose {
    tube_pose_by(rig, 1.0)
}

/// Part of the way from rest to the golden pose.
pub fn tube_pose_by(rig: &Rig, share: f64) -> Pose {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "middle", share * 70.0, Some(DVec3::Z)).expect("the joint exists");
    pose.bend(rig, "end", share * -50.0, Some(DVec3::Y)).expect("the joint exists");
    pose.twist(rig, "end", share * 100.0).expect("the joint exists");
    pose
}

/// The tube with its last joint stretched and squashed.
pub fn stretched(rig: &Rig) -> Motion {
    let mut pose = tube_pose(rig);
    pose.local[2] *= DAffine3::from_scale(DVec3::new(1.5, 0.7, 1.1));
    Motion::of(rig, &pose)
}

/// Rigs that are legal and awkward: each must be bound and moved without NaN, or refused by name.
pub fn nasty() -> Vec<Rig> {
    let named = |name: &str, mut rig: Rig| {
        rig.name = name.into();
        rig
    };
    let mut points = tube();
    points.mesh.triangles.clear();
    points.parts[0].triangles = 0..0;
    let mut islands = tube();
    let shift = Vec3::new(0.0, 5.0, 0.0);
    let count = islands.mesh.positions.len() as u32;
    islands.mesh.positions.extend(tube().mesh.positions.iter().map(|p| *p + shift));
    islands.mesh.triangles.extend(tube().mesh.triangles.iter().map(|t| t.map(|i| i + count)));
    islands.weights = Some(Weights::rigid((0..count * 2).map(|v| (v / count) as u16)));
    let mut fins = tube();
    fins.mesh.triangles.extend([[0, 1, 100], [0, 1, 120], [5, 5, 6], [7, 8, 7]]);
    let mut collapsed = tube();
    collapsed.mesh.positions[..150].fill(Vec3::ZERO);
    let mut coincident = tube();
    let mut joints = coincident.skeleton.joints().to_vec();
    joints.push(Joint::new("on the end", Some(2), joints[2].rest_from_joint));
    coincident.skeleton = Skeleton::new(joints).expect("still a chain").show_rest();
    let lone = Mesh { positions: vec![Vec3::X], ..Mesh::default() };
    let skeleton = Skeleton::new(vec![Joint::new("only", None, DAffine3::IDENTITY)]).expect("one joint");
    let lone = Rig { skeleton, weights: Some(Weights::rigid([0])), ..Rig::of_mesh("lone", lone) };
    vec![
        named("point set", points),
        named("islands", islands),
        named("fins and degenerate triangles", fins),
        named("collapsed vertices", collapsed),
        named("coincident joints", coincident),
        named("one vertex, one joint", lone),
    ]
}
