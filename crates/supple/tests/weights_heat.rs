//! Bone heat: whatever the mesh, weights are finite, sum to one, do not depend on the unit, and fallbacks are told.

use glam::{DAffine3, DVec3, EulerRot, Quat, Vec3};
use supple::{
    example::{self, FigureOptions},
    rig::{Joint, Mesh, Rig, Role, Skeleton, Topology, Weights},
    weights::{HeatError, HeatNote, HeatOptions, IdleReason, NearestOptions, heat, nearest},
};
use supple_testkit::rigs;

fn weigh(mesh: &Mesh, skeleton: &Skeleton) -> (Weights, Vec<HeatNote>) {
    let (weights, notes) = heat(mesh, skeleton, &HeatOptions::default()).expect("weights");
    assert_sound(mesh, skeleton, &weights);
    (weights, notes)
}

fn assert_sound(mesh: &Mesh, skeleton: &Skeleton, weights: &Weights) {
    assert_eq!(weights.len(), mesh.positions.len());
    for v in 0..weights.len() {
        let (joints, values) = weights.row(v);
        assert!((values.iter().map(|&w| f64::from(w)).sum::<f64>() - 1.0).abs() < 1e-6, "vertex {v}: {values:?}");
        assert!(values.iter().all(|w| w.is_finite() && *w > 0.0) && joints.len() <= 4, "vertex {v}: {values:?}");
        assert!(joints.iter().all(|&j| skeleton.joints()[usize::from(j)].role == Role::Bone), "vertex {v}");
    }
}

/// Vertices that the notes say did not get their weights by the method alone.
fn told(notes: &[HeatNote]) -> usize {
    notes.iter().map(HeatNote::vertices).sum()
}

fn share(weights: &Weights, vertex: usize, joint: u16) -> f32 {
    let (joints, values) = weights.row(vertex);
    joints.iter().zip(values).find(|(j, _)| **j == joint).map_or(0.0, |(_, w)| *w)
}

fn moved(mesh: &Mesh, by: Vec3) -> Mesh {
    Mesh {
        positions: mesh.positions.iter().map(|p| *p + by).collect(),
        triangles: mesh.triangles.clone(),
        ..Mesh::default()
    }
}

fn joined(meshes: &[&Mesh]) -> Mesh {
    let mut all = Mesh::default();
    for mesh in meshes {
        let count = all.positions.len() as u32;
        all.positions.extend(&mesh.positions);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|i| i + count)));
    }
    all
}

/// A ball far smaller than the tube, anywhere.
fn ball(center: Vec3, radius: f32) -> Mesh {
    // Turned, so that no line of sight runs exactly through two of its corners.
    let turn = Quat::from_euler(EulerRot::XYZ, 0.3, 0.5, 0.7);
    let corners = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let positions = corners.map(|p| center + radius * (turn * p)).to_vec();
    let triangles = (0..4u32).flat_map(|i| [[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]]).collect();
    Mesh { positions, triangles, ..Mesh::default() }
}

fn skeleton(joints: &[(&str, Option<usize>, [f64; 3])]) -> Skeleton {
    let joint = |&(name, parent, at): &(&str, Option<usize>, [f64; 3])| {
        Joint::new(name, parent, DAffine3::from_translation(at.into()))
    };
    Skeleton::new(joints.iter().map(joint).collect()).expect("parents first").show_rest()
}

#[test]
fn a_tube_belongs_to_its_bones_and_is_shared_at_its_joints() {
    let rig = rigs::tube();
    let (weights, notes) = weigh(&rig.mesh, &rig.skeleton);
    assert_eq!(told(&notes), 0, "{notes:?}");
    for (v, p) in rig.mesh.positions.iter().enumerate() {
        let middle = [0.5, 1.5, 2.5].iter().position(|c| (p.x - c).abs() < 0.01);
        if let Some(bone) = middle {
            assert!(share(&weights, v, bone as u16) > 0.9, "{p}: {:?}", weights.row(v));
        }
        if (p.x - 1.0).abs() < 0.01 {
            assert!((share(&weights, v, 0) - 0.5).abs() < 0.1 && (share(&weights, v, 1) - 0.5).abs() < 0.1, "{p}");
        }
    }
}

#[test]
fn what_is_nearest_but_hidden_owns_nothing() {
    // Two tubes a hand's breadth apart: the walls that face each other are nearer to the other tube's bones once those
    // are moved out of its middle.
    let tube = rigs::tube();
    let both = joined(&[&tube.mesh, &moved(&tube.mesh, Vec3::new(0.0, 0.7, 0.0))]);
    let bones = skeleton(&[
        ("low", None, [0.0, -0.2, 0.0]),
        ("low end", Some(0), [3.0, -0.2, 0.0]),
        ("high", None, [0.0, 0.45, 0.0]),
        ("high end", Some(2), [3.0, 0.45, 0.0]),
    ]);
    let (weights, notes) = weigh(&both, &bones);
    assert_eq!(told(&notes), 0, "{notes:?}");
    let count = tube.mesh.positions.len();
    let facing =
        (0..count).filter(|&v| tube.mesh.positions[v].y > 0.25 && (0.5..2.5).contains(&tube.mesh.positions[v].x));
    let (mut seen, mut nearer) = (0, 0);
    for v in facing {
        seen += 1;
        nearer += usize::from((tube.mesh.positions[v].y - 0.45).abs() < (tube.mesh.positions[v].y + 0.2).abs());
        assert!(share(&weights, v, 0) + share(&weights, v, 1) > 0.99, "{:?}", weights.row(v));
    }
    assert!(seen > 20 && nearer == seen, "the test shows nothing: {nearer} of {seen}");
}

#[test]
fn layers_inside_and_outside_hide_nothing() {
    // A shirt round the tube and a marrow inside it, both closed.
    let rig = rigs::tube();
    let layer = |across: f32, along: f32| {
        let squeeze = |p: &Vec3| Vec3::new(1.5 + (p.x - 1.5) * along, p.y * across, p.z * across);
        Mesh { positions: rig.mesh.positions.iter().map(squeeze).collect(), ..rig.mesh.clone() }
    };
    let layers = joined(&[&rig.mesh, &layer(1.2, 1.02), &layer(0.5, 0.98)]);
    let (weights, notes) = weigh(&layers, &rig.skeleton);
    assert_eq!(told(&notes), 0, "{notes:?}");
    let count = rig.mesh.positions.len();
    let between = |v: &usize| [1.0, 2.0].iter().all(|j| (rig.mesh.positions[*v].x - j).abs() > 0.2);
    for v in (0..count).filter(between) {
        for layer in 1..3 {
            assert_eq!(weights.dominant(v), weights.dominant(v + layer * count), "vertex {v}, layer {layer}");
        }
    }
}

#[test]
fn every_vertex_on_fallback_is_told_of() {
    let rig = rigs::tube();
    let mut mesh = rig.mesh.clone();
    // Islands with no bone inside; vertices of no triangle; places that are none.
    let near = ball(Vec3::new(1.5, 3.0, 0.0), 0.6);
    let far = ball(Vec3::new(1.5, 4.5, 0.0), 0.2);
    mesh = joined(&[&mesh, &near, &far]);
    let tube = rig.mesh.positions.len();
    mesh.positions.extend([Vec3::new(0.1, 0.0, 0.0), Vec3::new(9.0, 0.0, 0.0), Vec3::NAN, Vec3::INFINITY]);
    mesh.positions[40] = Vec3::NAN;
    let (weights, notes) = weigh(&mesh, &rig.skeleton);
    let hidden: usize =
        notes.iter().map(|n| if let HeatNote::Hidden { vertices, .. } = n { *vertices } else { 0 }).sum();
    let loose = notes
        .iter()
        .find_map(|n| if let HeatNote::Loose { vertices, first } = n { Some((*vertices, *first)) } else { None });
    let nowhere = notes.iter().find_map(|n| {
        if let HeatNote::NotFinite { vertices, first, .. } = n { Some((*vertices, *first)) } else { None }
    });
    assert_eq!(loose, Some((2, tube + 12)));
    assert_eq!(nowhere, Some((3, 40)));
    assert_eq!(hidden, 12, "{notes:?}");
    assert_eq!(told(&notes), 17);
    let lines: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert!(lines.iter().all(|l| !l.contains('\n')), "{lines:?}");
    assert!(lines.iter().any(|l| l.contains("sees no bone inside") && l.contains("\"middle\"")), "{lines:?}");
    // The one in the middle of a limb got a neighbour's weights, not somebody's.
    assert!(share(&weights, 40, 0) > 0.4, "{:?}", weights.row(40));
}

#[test]
fn thousands_of_hidden_islands_are_counted_not_listed() {
    let rig = rigs::tube();
    let mut meshes = vec![rig.mesh.clone()];
    for i in 0..2000 {
        let at = Vec3::new(1.5 + 0.0002 * (i % 50) as f32, 5.0 + 0.01 * (i / 50) as f32, 0.0);
        meshes.push(ball(at, 5e-5));
    }
    let mesh = joined(&meshes.iter().collect::<Vec<_>>());
    let (_, notes) = weigh(&mesh, &rig.skeleton);
    assert!(notes.len() < 30, "{} notes", notes.len());
    assert!(told(&notes) >= 12_000, "{}", told(&notes));
    assert!(notes.iter().any(|n| matches!(n, HeatNote::More { .. })));
}

#[test]
fn idle_joints_are_named_with_a_reason() {
    let rig = rigs::tube();
    let bones = skeleton(&[
        ("root", None, [0.0; 3]),
        ("end", Some(0), [3.0, 0.0, 0.0]),
        ("far", Some(0), [0.0, 40.0, 0.0]),
        ("far end", Some(2), [3.0, 40.0, 0.0]),
    ]);
    let (_, notes) = weigh(&rig.mesh, &bones);
    let idle: Vec<_> = notes
        .iter()
        .filter_map(|n| if let HeatNote::Idle { joint, why } = n { Some((joint.as_str(), *why)) } else { None })
        .collect();
    assert!(idle.contains(&("far", IdleReason::NeverNearest)), "{idle:?}");
}

/// Meshes no artist would own up to.
fn nasty() -> Vec<(&'static str, Mesh)> {
    let tube = rigs::tube().mesh;
    let with = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = tube.clone();
        change(&mut mesh);
        mesh
    };
    vec![
        ("a hole", with(&|m| m.triangles.truncate(m.triangles.len() / 2))),
        ("every other triangle", with(&|m| m.triangles = m.triangles.iter().step_by(2).copied().collect())),
        ("every triangle twice", with(&|m| m.triangles.extend(tube.triangles.clone()))),
        ("both ways round", with(&|m| m.triangles.extend(tube.triangles.iter().map(|&[a, b, c]| [b, a, c])))),
        ("inside out", with(&|m| m.triangles.iter_mut().for_each(|t| t.swap(0, 1)))),
        ("half inside out", with(&|m| m.triangles.iter_mut().step_by(2).for_each(|t| t.swap(0, 1)))),
        ("fins", with(&|m| m.triangles.extend([[0, 1, 100], [0, 1, 120], [5, 5, 6], [7, 8, 7]]))),
        ("an interior shell", joined(&[&tube, &ball(Vec3::new(1.5, 0.0, 0.0), 0.1)])),
        ("islands", joined(&[&tube, &moved(&tube, Vec3::new(0.0, 5.0, 0.0)), &ball(Vec3::splat(-3.0), 0.5)])),
        ("collapsed", with(&|m| m.positions[..150].fill(Vec3::ZERO))),
        ("a point", with(&|m| m.positions.fill(Vec3::X))),
        ("flat", with(&|m| m.positions.iter_mut().for_each(|p| p.z = 0.0))),
        ("a line", with(&|m| m.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.0, 0.0)))),
        ("not finite", with(&|m| m.positions[10..60].fill(Vec3::new(f32::NAN, 0.0, f32::INFINITY)))),
        ("nowhere at all", with(&|m| m.positions.fill(Vec3::NAN))),
        ("a far vertex", with(&|m| m.positions[7] = Vec3::splat(1e30))),
        ("huge", with(&|m| m.positions.iter_mut().for_each(|p| *p *= 1e37))),
        ("tiny", with(&|m| m.positions.iter_mut().for_each(|p| *p *= 1e-38))),
        ("points", with(&|m| m.triangles.clear())),
    ]
}

#[test]
fn nasty_meshes_get_weights_too() {
    let bones = rigs::tube().skeleton;
    for (name, mesh) in nasty() {
        let (_, notes) = weigh(&mesh, &bones);
        let loose = match name {
            "points" => mesh.positions.len(),
            "nowhere at all" => mesh.positions.len(),
            "not finite" => 50,
            _ => 0,
        };
        assert!(told(&notes) >= loose, "{name}: {notes:?}");
    }
    for rig in rigs::nasty() {
        weigh(&rig.mesh, &rig.skeleton);
    }
}

#[test]
fn a_mesh_inside_out_or_given_twice_weighs_the_same() {
    let rig = rigs::tube();
    let (weights, _) = weigh(&rig.mesh, &rig.skeleton);
    for (name, mesh) in nasty() {
        if ["every triangle twice", "inside out"].contains(&name) {
            let found = weigh(&mesh, &rig.skeleton).0;
            assert!(difference(&weights, &found).0 < 1e-6, "{name}");
        }
    }
}

/// The largest and the mean difference of two tables, as shares of a vertex's weight.
fn difference(a: &Weights, b: &Weights) -> (f64, f64) {
    let (mut most, mut sum) = (0.0f64, 0.0);
    for v in 0..a.len() {
        let of = |x: &Weights, y: &Weights| -> f64 {
            let (joints, values) = x.row(v);
            joints.iter().zip(values).map(|(&j, &w)| f64::from(w - share(y, v, j)).max(0.0)).sum()
        };
        let d = of(a, b).max(of(b, a));
        most = most.max(d);
        sum += d;
    }
    (most, sum / a.len().max(1) as f64)
}

fn scaled(rig: &Rig, scale: f64) -> (Mesh, Skeleton) {
    let mesh = Mesh {
        positions: rig.mesh.positions.iter().map(|p| (p.as_dvec3() * scale).as_vec3()).collect(),
        triangles: rig.mesh.triangles.clone(),
        ..Mesh::default()
    };
    let joints = rig.skeleton.joints().iter().map(|j| {
        let mut joint = j.clone();
        joint.rest_from_joint.translation *= scale;
        joint.joint_from_rest = joint.rest_from_joint.inverse();
        joint
    });
    (mesh, Skeleton::new(joints.collect()).expect("as before"))
}

/// Rounding the positions to floats in another unit moves a vertex by 1e-7 of the diagonal; a line of sight that just
/// touches the skin may then be free or not, so that single vertices differ, and the mean hardly.
fn assert_same_in_other_units(rig: &Rig) {
    let (weights, notes) = weigh(&rig.mesh, &rig.skeleton);
    for scale in [0.001, 1000.0] {
        let (mesh, skeleton) = scaled(rig, scale);
        let (found, found_notes) = weigh(&mesh, &skeleton);
        let (most, mean) = difference(&weights, &found);
        assert!(mean < 1e-4, "{} times {scale}: {most} {mean}", rig.name);
        assert_eq!(told(&notes), told(&found_notes), "{} times {scale}", rig.name);
    }
    let (mesh, skeleton) = scaled(rig, 1024.0);
    let exact = difference(&weights, &weigh(&mesh, &skeleton).0).0;
    assert!(exact < 1e-5, "{} times 1024, which rounds nothing: {exact}", rig.name);
}

#[test]
fn the_unit_does_not_matter() {
    assert_same_in_other_units(&rigs::tube());
    assert_same_in_other_units(&example::figure(&FigureOptions { vertices: 4000, ..Default::default() }).unwrap());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let rig = example::figure(&FigureOptions { vertices: 3000, ..Default::default() }).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| weigh(&rig.mesh, &rig.skeleton))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
}

#[test]
fn mirrored_sides_of_a_figure_mirror_their_weights() {
    // The figure's joints come in pairs; each owns about as much as its partner.
    let rig = example::figure(&FigureOptions { vertices: 4000, ..Default::default() }).unwrap();
    let (weights, notes) = weigh(&rig.mesh, &rig.skeleton);
    assert_eq!(told(&notes), 0, "{notes:?}");
    let mut owned = vec![0.0f64; rig.skeleton.len()];
    for v in 0..weights.len() {
        let (joints, values) = weights.row(v);
        joints.iter().zip(values).for_each(|(&j, &w)| owned[usize::from(j)] += f64::from(w));
    }
    assert!(Topology::of(&rig.mesh).is_closed());
    let pairs: Vec<(usize, usize)> = (0..rig.skeleton.len())
        .filter_map(|j| {
            let name = &rig.skeleton.joints()[j].name;
            let other = name.strip_suffix("_l").map(|stem| format!("{stem}_r"))?;
            Some((j, rig.skeleton.find(&other)?))
        })
        .collect();
    assert!(pairs.len() > 5);
    for &(left, right) in &pairs {
        let ratio = owned[left] / owned[right].max(1e-9);
        assert!((0.8..1.25).contains(&ratio), "{}: {ratio}", rig.skeleton.joints()[left].name);
    }
}

#[test]
fn influences_are_limited_as_asked() {
    let rig = rigs::tube();
    for influences in [1, 2, 100] {
        let (weights, _) = heat(&rig.mesh, &rig.skeleton, &HeatOptions { influences }).unwrap();
        assert!(weights.most_influences() <= influences);
        let (weights, _) = nearest(&rig.mesh, &rig.skeleton, &NearestOptions { influences }).unwrap();
        assert!(weights.most_influences() <= influences);
        assert_sound_but_for_count(&weights);
    }
}

fn assert_sound_but_for_count(weights: &Weights) {
    for v in 0..weights.len() {
        assert!((weights.row(v).1.iter().map(|&w| f64::from(w)).sum::<f64>() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn what_cannot_be_weighted_is_refused_by_name() {
    let rig = rigs::tube();
    let refused = |mesh: &Mesh, skeleton: &Skeleton, influences| {
        heat(mesh, skeleton, &HeatOptions { influences }).expect_err("refused")
    };
    assert_eq!(refused(&rig.mesh, &rig.skeleton, 0), HeatError::NoInfluences);
    assert_eq!(refused(&Mesh::default(), &rig.skeleton, 4), HeatError::NoVertices);
    assert_eq!(refused(&rig.mesh, &Skeleton::default(), 4), HeatError::NoBones { joints: 0 });
    let mut frame = Joint::new("frame", None, DAffine3::from_translation(DVec3::X));
    frame.role = Role::Frame;
    let frames = Skeleton::new(vec![frame]).expect("a frame");
    assert_eq!(refused(&rig.mesh, &frames, 4), HeatError::NoBones { joints: 1 });
    let mut torn = rig.mesh.clone();
    torn.triangles.push([0, 1, 9999]);
    assert!(refused(&torn, &rig.skeleton, 4).to_string().contains("[0, 1, 9999]"));
}

/// Shares below a thousandth were left out, and among thousands of bones about as near all are.
#[test]
fn a_vertex_amid_thousands_of_bones_belongs_to_the_nearest() {
    let joint = |k: u32| {
        let at = |step: u32| f64::from(k.wrapping_mul(step) % 1009) / 1009.0;
        let place = DVec3::new(at(7919), at(104_729), at(15_485_863));
        Joint::new(format!("joint {k}"), k.checked_sub(1).map(|p| p as usize), DAffine3::from_translation(place))
    };
    let skeleton = Skeleton::new((0..5000).map(joint).collect()).expect("a chain");
    let mesh = example::figure(&FigureOptions { vertices: 2000, ..FigureOptions::default() }).expect("a figure").mesh;
    let (weights, nowhere) = nearest(&mesh, &skeleton, &NearestOptions::default()).expect("weights");
    assert_eq!(nowhere, 0, "every vertex is somewhere");
    let (bones, _) = skeleton.bones(&mesh.positions, None);
    for (v, p) in mesh.positions.iter().enumerate().step_by(97) {
        let near = bones.iter().min_by(|a, b| a.distance(p.as_dvec3()).total_cmp(&b.distance(p.as_dvec3())));
        let near = near.expect("there are bones").joint as u16;
        assert!(share(&weights, v, near) > 0.0, "vertex {v} has nothing of joint {near}");
    }
}
