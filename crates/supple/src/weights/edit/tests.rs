use super::*;
use crate::{
    example::{self, FigureOptions, HandOptions},
    graph::DeformGraph,
    pose::{Motion, Pose, Swing},
    rig::{Joint, Part, Rig, WeightsBuilder, Weld},
};
use glam::{DAffine3, DVec3, Vec3};
use proptest::prelude::*;

fn figure() -> Rig {
    example::figure(&FigureOptions { vertices: 1500, bones: 23 }).unwrap()
}

fn weighted(rig: &Rig, weights: Weights) -> Rig {
    Rig { weights: Some(weights), ..rig.clone() }
}

fn sums_to_one(weights: &Weights) -> bool {
    let sum = |v: usize| weights.row(v).1.iter().map(|&w| f64::from(w)).sum::<f64>();
    (0..weights.len())
        .all(|v| (sum(v) - 1.0).abs() < 1e-6 && weights.row(v).1.iter().all(|w| w.is_finite() && *w > 0.0))
}

fn weight(weights: &Weights, vertex: usize, joint: u16) -> f32 {
    let (joints, values) = weights.row(vertex);
    joints.iter().position(|&j| j == joint).map_or(0.0, |at| values[at])
}

/// A strip of squares along x, every square with its own four vertices, so that each inner point has copies.
fn split_strip(squares: usize) -> (Mesh, Weights) {
    let mut mesh = Mesh::default();
    let mut joints = Vec::new();
    for i in 0..squares {
        let first = mesh.positions.len() as u32;
        for (x, y) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
            mesh.positions.push(Vec3::new((i + x) as f32, y as f32, 0.0));
            joints.push(u16::from(i >= squares / 2));
        }
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    (mesh, Weights::rigid(joints))
}

#[test]
fn smoothing_spreads_a_hard_edge_and_copies_along_seams_stay_one() {
    let (mesh, weights) = split_strip(12);
    let (smooth, report) = smooth(&mesh, &weights, &SmoothOptions { amount: 0.5, iterations: 8 }).unwrap();
    assert!(sums_to_one(&smooth) && report.changed > 20);
    let weld = Weld::of(&mesh.positions);
    for (vertex, &point) in weld.welded_of.iter().enumerate() {
        assert_eq!(smooth.row(vertex), smooth.row(weld.first_of[point as usize] as usize));
    }
    let mut by_x: Vec<(f32, f32)> = (0..smooth.len()).map(|v| (mesh.positions[v].x, weight(&smooth, v, 1))).collect();
    by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(by_x.windows(2).all(|w| w[1].1 >= w[0].1 - 1e-6), "{by_x:?}");
    assert!(by_x[0].1 < 0.05 && by_x.last().unwrap().1 > 0.95);
    let steps = by_x.windows(2).map(|w| w[1].1 - w[0].1).fold(0.0, f32::max);
    assert!(steps < 0.3, "{steps}");
}

#[test]
fn smoothing_never_crosses_to_another_piece() {
    let (mut mesh, first) = split_strip(6);
    let count = mesh.positions.len();
    // A hair away, yet another piece.
    mesh.positions.extend_from_within(..);
    mesh.positions[count..].iter_mut().for_each(|p| p.z += 1e-6);
    let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| v + count as u32)).collect();
    mesh.triangles.extend(triangles);
    let weights = Weights::rigid((0..2 * count).map(|v| if v < count { first.dominant(v) as u16 } else { 7 }));
    let (smooth, _) = smooth(&mesh, &weights, &SmoothOptions { amount: 1.0, iterations: 50 }).unwrap();
    assert!((0..count).all(|v| weight(&smooth, v, 7) == 0.0));
    assert!((count..2 * count).all(|v| smooth.row(v).0 == [7]));
}

#[test]
fn smoothing_nothing_changes_nothing_but_the_rounding() {
    let rig = figure();
    let weights = rig.weights.as_ref().unwrap();
    for options in [SmoothOptions { amount: 0.0, iterations: 9 }, SmoothOptions { amount: 0.7, iterations: 0 }] {
        assert!(smooth(&rig.mesh, weights, &options).unwrap().1.largest_change < 1e-6);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let rig = figure();
    let bare = Rig {
        weights: None,
        skeleton: Skeleton::default(),
        ..example::figure(&FigureOptions { vertices: 2300, bones: 23 }).unwrap()
    };
    let all = || {
        let weights = rig.weights.as_ref().unwrap();
        let smoothed = smooth(&rig.mesh, weights, &SmoothOptions::default()).unwrap().0;
        let mirrored = mirror(&weighted(&rig, smoothed.clone()), &MirrorOptions::default()).unwrap().0;
        (
            smoothed,
            mirrored,
            transfer(&rig, &bare, &TransferOptions { distance: 0.002, ..Default::default() }).unwrap().weights,
        )
    };
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    assert_eq!(pool(1).install(all), pool(4).install(all));
}

#[test]
fn a_limit_keeps_the_heaviest() {
    let mut builder = WeightsBuilder::default();
    builder.push([(3, 0.1), (1, 0.4), (2, 0.3), (0, 0.2)]);
    builder.push([(5, 0.6), (6, 0.4)]);
    let weights = builder.finish(|_| 0).0;
    let (two, report) = limit(&weights, &LimitOptions { influences: 2, continuous: false }).unwrap();
    assert_eq!(two.row(0).0, [1, 2]);
    assert!((two.row(0).1[0] - 4.0 / 7.0).abs() < 1e-6);
    assert_eq!(two.row(1), weights.row(1));
    assert_eq!((report.changed, report.influences_before, report.influences_after), (1, 4, 2));
    assert!(limit(&weights, &LimitOptions { influences: 0, continuous: false }).is_err());
}

#[test]
fn a_plain_limit_jumps_where_the_continuous_one_does_not() {
    let row = |little: f32| {
        let mut builder = WeightsBuilder::default();
        builder.push([(0, 0.5), (1, 0.25 + little), (2, 0.25 - little)]);
        builder.finish(|_| 0).0
    };
    let jump = |continuous| {
        let options = LimitOptions { influences: 2, continuous };
        let of = |little| limit(&row(little), &options).unwrap().0;
        EditReport::between(&of(1e-4), &of(-1e-4)).largest_change
    };
    assert!(jump(false) > 0.3 && jump(true) < 0.01, "{} {}", jump(false), jump(true));
}

#[test]
fn pruning_drops_the_small_and_keeps_the_heaviest() {
    let mut builder = WeightsBuilder::default();
    builder.push([(0, 0.9), (1, 0.06), (2, 0.04)]);
    builder.push((0..30).map(|j| (j, 1.0 / 30.0)));
    let weights = builder.finish(|_| 0).0;
    let (pruned, report) = prune(&weights, &PruneOptions { below: 0.05 }).unwrap();
    assert_eq!(pruned.row(0).0, [0, 1]);
    assert_eq!(pruned.row(1), (&[0][..], &[1.0][..]));
    assert_eq!(report.changed, 2);
    for below in [-0.1, 1.1, f64::NAN] {
        assert!(prune(&weights, &PruneOptions { below }).is_err());
    }
}

#[test]
fn normalised_bytes_sum_to_255_and_copies_become_one() {
    let rig = example::hand(&HandOptions { vertices: 800, ..Default::default() }).unwrap();
    let (bytes, _) = normalize(&rig.mesh, rig.weights.as_ref().unwrap(), &NormalizeOptions { bits: Some(8) }).unwrap();
    for v in 0..bytes.len() {
        let steps: f32 = bytes.row(v).1.iter().map(|w| (w * 255.0).round()).sum();
        assert_eq!(steps, 255.0);
        assert!(bytes.row(v).1.iter().all(|w| (w * 255.0 - (w * 255.0).round()).abs() < 1e-4));
    }
    let mesh = Mesh { positions: vec![Vec3::X, Vec3::X], ..Mesh::default() };
    let (one, _) = normalize(&mesh, &Weights::rigid([0, 1]), &NormalizeOptions::default()).unwrap();
    assert_eq!(one.row(0), (&[0, 1][..], &[0.5, 0.5][..]));
    assert_eq!(one.row(0), one.row(1));
    assert!(normalize(&mesh, &Weights::rigid([0, 1]), &NormalizeOptions { bits: Some(7) }).is_err());
}

#[test]
fn a_spoilt_side_is_mended_from_the_other() {
    let rig = figure();
    let good = rig.weights.as_ref().unwrap();
    let spoilt = Weights::rigid(
        (0..good.len()).map(|v| if rig.mesh.positions[v].x < 0.0 { 0 } else { good.dominant(v) as u16 }),
    );
    let (mended, report) = mirror(&weighted(&rig, spoilt.clone()), &MirrorOptions::default()).unwrap();
    assert_eq!((report.axis, report.place, report.kept_positive), (Axis::X, 0.0, true));
    assert_eq!((report.pairs_by_name, report.middle_joints), (8, 7));
    assert_eq!(report.unpaired_joints, Vec::<String>::new());
    assert!(report.mirrored > 600 && report.unpaired == 0, "{report:?}");
    let right = |w: &Weights, v: usize| rig.skeleton.joints()[w.dominant(v)].name.ends_with("_r");
    let agree = (0..good.len()).filter(|&v| rig.mesh.positions[v].x < -0.02 && right(good, v)).collect::<Vec<_>>();
    let same = agree.iter().filter(|&&v| mended.dominant(v) == good.dominant(v)).count();
    assert!(same as f64 > 0.97 * agree.len() as f64, "{same} of {}", agree.len());
    // The kept side is as it was.
    assert!((0..good.len()).filter(|&v| rig.mesh.positions[v].x > 0.01).all(|v| mended.row(v) == spoilt.row(v)));
    let other = MirrorOptions { from: Side::Right, ..Default::default() };
    assert!(!mirror(&rig, &other).unwrap().1.kept_positive);
}

#[test]
fn props_keep_their_joint() {
    let mut rig = figure();
    let count = rig.mesh.positions.len();
    let sword = rig.skeleton.find("hand_r").unwrap() as u16;
    // A prop in the right hand, the mirror image of which lies in the left forearm.
    let place = Vec3::new(-0.6, 1.45, 0.0);
    rig.mesh.positions.extend([place, place + Vec3::Y * 0.01, place + Vec3::Z * 0.01]);
    rig.mesh.triangles.push([0, 1, 2].map(|i| count as u32 + i));
    let old = rig.weights.take().unwrap();
    let mut builder = WeightsBuilder::default();
    (0..count).for_each(|v| builder.push(old.row(v).0.iter().copied().zip(old.row(v).1.iter().copied())));
    (0..3).for_each(|_| builder.push([(sword, 1.0)]));
    rig.weights = Some(builder.finish(|_| 0).0);
    let triangles = rig.mesh.triangles.len() as u32;
    let vertices = count as u32..count as u32 + 3;
    rig.parts.push(Part {
        name: "sword".into(),
        vertices,
        triangles: triangles - 1..triangles,
        material: None,
        skinned: false,
    });
    let (mirrored, _) = mirror(&rig, &MirrorOptions::default()).unwrap();
    assert!((count..count + 3).all(|v| mirrored.row(v).0 == [sword]));
}

#[test]
fn joints_without_names_pair_by_place_and_the_rest_is_named() {
    let joint = |name: &str, x: f64| Joint::new(name, None, DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)));
    let skeleton =
        Skeleton::new(vec![joint("a", 2.0), joint("b", -2.0), joint("c", 0.0), joint("sword", 1.0)]).unwrap();
    let mesh = Mesh { positions: vec![Vec3::X * 3.0, Vec3::X * -3.0, Vec3::new(-3.0, 2.0, 0.0)], ..Mesh::default() };
    let weights = Weights::rigid([0, 2, 3]);
    let rig = Rig { skeleton, weights: Some(weights), ..Rig::of_mesh("two", mesh) };
    let options = MirrorOptions { from: Side::Positive, ..Default::default() };
    let (mirrored, report) = mirror(&rig, &options).unwrap();
    assert_eq!(report.unpaired_joints, ["sword"]);
    assert_eq!((report.pairs_by_place, report.middle_joints, report.unpaired), (1, 1, 1));
    assert_eq!(report.unpaired_pieces[0].first, 2);
    assert_eq!([0, 1, 2].map(|v| mirrored.dominant(v)), [0, 1, 3]);
    let named = MirrorOptions::default();
    assert_eq!(mirror(&rig, &named).unwrap_err(), EditError::NoSides);
}

#[test]
fn weights_come_back_on_another_mesh_of_the_same_figure() {
    let rig = figure();
    let fine = example::figure(&FigureOptions { vertices: 4000, bones: 23 }).unwrap();
    let bare = Rig { weights: None, skeleton: Skeleton::default(), ..fine.clone() };
    let Transferred { skeleton, weights, report, .. } = transfer(&rig, &bare, &TransferOptions::default()).unwrap();
    assert_eq!(skeleton, rig.skeleton);
    assert!(sums_to_one(&weights));
    assert_eq!(report.matched + report.inpainted + report.nearest, 4000);
    assert!(report.matched > 3300 && report.nearest == 0, "{report:?}");
    let moved = EditReport::between(fine.weights.as_ref().unwrap(), &weights).mean_moved;
    assert!(moved < 0.03, "{moved}");
}

#[test]
fn what_is_missing_is_continued_and_lost_pieces_are_named() {
    let rig = figure();
    // The target is fatter in the left forearm than any distance allows, and a box floats beside it.
    let mut target = Rig { weights: None, ..rig.clone() };
    let forearm = |p: Vec3| p.x > 0.5 && p.x < 0.68;
    for p in target.mesh.positions.iter_mut().filter(|p| forearm(**p)) {
        p.y += 0.4;
    }
    let first = target.mesh.positions.len() as u32;
    target.mesh.positions.extend([Vec3::splat(3.0), Vec3::new(3.0, 3.1, 3.0), Vec3::new(3.1, 3.0, 3.0)]);
    target.mesh.triangles.push([first, first + 1, first + 2]);
    let Transferred { weights, report, .. } = transfer(&rig, &target, &TransferOptions::default()).unwrap();
    assert!(sums_to_one(&weights));
    assert!(report.inpainted > 20, "{report:?}");
    assert_eq!(report.nearest, 3);
    assert_eq!(report.nearest_pieces[0].first, first);
    let lower = rig.skeleton.find("forearm_l").unwrap() as u16;
    for (v, p) in rig.mesh.positions.iter().enumerate().filter(|(_, p)| p.x > 0.56 && p.x < 0.62) {
        assert!(weight(&weights, v, lower) > 0.8, "{p}: {:?}", weights.row(v));
    }
}

#[test]
fn joints_go_by_their_names_and_strangers_are_refused() {
    let rig = figure();
    let rename = |name: &dyn Fn(&str) -> String| {
        let joints =
            rig.skeleton.joints().iter().rev().map(|j| Joint { name: name(&j.name), parent: None, ..j.clone() });
        Rig { name: "other".into(), weights: None, skeleton: Skeleton::new(joints.collect()).unwrap(), ..rig.clone() }
    };
    let spaced = rename(&|n| if n.starts_with("toes") { "none".into() } else { format!("Body:{}", n.to_uppercase()) });
    let Transferred { skeleton, weights, report, .. } = transfer(&rig, &spaced, &TransferOptions::default()).unwrap();
    assert_eq!(report.joints_matched, 21);
    assert_eq!(report.joints_replaced[0], Replaced { joint: "toes_l".into(), by: "Body:FOOT_L".into() });
    let name = |s: &Skeleton, j: usize| s.joints()[j].name.to_lowercase();
    let old = rig.weights.as_ref().unwrap();
    let head = (0..weights.len()).find(|&v| name(&rig.skeleton, old.dominant(v)) == "head").unwrap();
    assert_eq!(name(&skeleton, weights.dominant(head)), "body:head");
    let error = transfer(&rig, &rename(&|n| format!("x{n}y")), &TransferOptions::default()).unwrap_err();
    assert!(error.to_string().contains("\"hips\""), "{error}");
    let bare = Rig { weights: None, ..rig.clone() };
    assert!(matches!(transfer(&bare, &rig, &TransferOptions::default()), Err(EditError::Unweighted { .. })));
}

#[test]
fn another_size_is_laid_over_when_asked() {
    let rig = figure();
    let mut large = Rig { weights: None, skeleton: Skeleton::default(), ..rig.clone() };
    large.mesh.positions.iter_mut().for_each(|p| *p = *p * 100.0 + Vec3::splat(7.0));
    let aligned = TransferOptions { align: true, ..Default::default() };
    let Transferred { weights, report, .. } = transfer(&rig, &large, &aligned).unwrap();
    assert_eq!(report.matched, rig.mesh.positions.len());
    assert!(EditReport::between(rig.weights.as_ref().unwrap(), &weights).largest_change < 1e-2);
}

#[test]
fn hostile_geometry_is_edited_or_refused_but_never_panics() {
    let mut rigs = supple_testkit_like();
    let mut spoilt = figure();
    spoilt.mesh.positions[10..40].fill(Vec3::NAN);
    spoilt.mesh.positions[50] = Vec3::INFINITY;
    rigs.push(spoilt);
    let mut collapsed = figure();
    collapsed.mesh.positions.fill(Vec3::ZERO);
    rigs.push(collapsed);
    rigs.push(Rig::default());
    for rig in &rigs {
        let Some(weights) = &rig.weights else { continue };
        let mut tables = vec![
            smooth(&rig.mesh, weights, &SmoothOptions::default()).unwrap().0,
            normalize(&rig.mesh, weights, &NormalizeOptions { bits: Some(16) }).unwrap().0,
        ];
        let options = MirrorOptions { from: Side::Positive, ..Default::default() };
        tables.push(mirror(rig, &options).unwrap().0);
        for other in &rigs {
            let target = Rig { skeleton: Skeleton::default(), ..other.clone() };
            let found = transfer(rig, &target, &TransferOptions { align: true, ..Default::default() });
            if let Ok(Transferred { weights: table, .. }) = found {
                assert_eq!(table.len(), other.mesh.positions.len());
                assert!(sums_to_one(&table), "{} to {}", rig.name, other.name);
            }
        }
        assert!(tables.iter().all(sums_to_one), "{}", rig.name);
    }
    let (mesh, weights) = split_strip(2);
    let short = Weights::rigid([0]);
    assert!(matches!(smooth(&mesh, &short, &SmoothOptions::default()), Err(EditError::Rows { rows: 1, .. })));
    let broken = Mesh { triangles: vec![[0, 1, 99]], ..mesh.clone() };
    assert!(matches!(
        smooth(&broken, &weights, &SmoothOptions::default()),
        Err(EditError::Triangle { vertex: 99, .. })
    ));
    let skeleton = Skeleton::new(vec![Joint::new("a", None, DAffine3::IDENTITY)]).unwrap();
    let lone = Rig { skeleton, weights: Some(weights), ..Rig::of_mesh("lone", mesh) };
    assert!(matches!(mirror(&lone, &MirrorOptions::default()), Err(EditError::Joint { joint: 1, .. })));
}

/// Islands, a point set, fins and triangles without area.
fn supple_testkit_like() -> Vec<Rig> {
    let (mesh, weights) = split_strip(8);
    let joint = |i: usize| Joint::new(format!("j{i}"), None, DAffine3::from_translation(DVec3::X * (8.0 * i as f64)));
    let skeleton = Skeleton::new((0..2).map(joint).collect()).unwrap();
    let strip = Rig { skeleton, weights: Some(weights), ..Rig::of_mesh("strip", mesh) };
    let mut points = strip.clone();
    points.mesh.triangles.clear();
    let mut fins = strip.clone();
    fins.mesh.triangles.extend([[0, 1, 9], [0, 1, 17], [5, 5, 6], [7, 8, 7], [0, 4, 8]]);
    vec![strip, points, fins]
}

proptest! {
    #[test]
    fn every_tool_keeps_sums_at_one(
        rows in prop::collection::vec(prop::collection::vec((0u16..6, 0.0f32..1.0), 0..8), 48..=48),
        amount in 0.0f64..=1.0,
        iterations in 0usize..6,
        influences in 1usize..6,
        continuous: bool,
        below in 0.0f64..=1.0,
    ) {
        let (mesh, _) = split_strip(12);
        let mut builder = WeightsBuilder::default();
        rows.iter().for_each(|row| builder.push(row.iter().copied()));
        let weights = builder.finish(|v| v as u16 % 6).0;
        let smoothed = smooth(&mesh, &weights, &SmoothOptions { amount, iterations }).unwrap().0;
        let limited = limit(&smoothed, &LimitOptions { influences, continuous }).unwrap().0;
        prop_assert!(limited.most_influences() <= influences);
        for table in [&smoothed, &limited, &prune(&weights, &PruneOptions { below }).unwrap().0,
            &normalize(&mesh, &weights, &NormalizeOptions { bits: Some(8) }).unwrap().0] {
            prop_assert!(sums_to_one(table));
        }
    }

    #[test]
    fn a_small_change_makes_a_small_change_of_a_continuous_limit(
        row in prop::collection::vec(0.01f32..1.0, 6),
        at in 0usize..6,
    ) {
        let of = |row: &[f32]| {
            let mut builder = WeightsBuilder::default();
            builder.push((0u16..).zip(row.iter().copied()));
            limit(&builder.finish(|_| 0).0, &LimitOptions { influences: 3, continuous: true }).unwrap().0
        };
        let mut sorted = row.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        // The slope is one over what is left after fading.
        let left: f32 = sorted[..3].iter().map(|w| w - sorted[3]).sum::<f32>() / row.iter().sum::<f32>();
        prop_assume!(left > 0.02);
        let mut near = row.clone();
        near[at] += 1e-4;
        prop_assert!(EditReport::between(&of(&row), &of(&near)).largest_change < 4e-3);
    }
}

/// How far a joint is from where it is expected, over the length of the bone that leads to it; over a tenth of the
/// skeleton where none does.
fn off_by(skeleton: &Skeleton, expected: &[DVec3], joint: usize) -> f64 {
    let size = expected.iter().map(|p| p.distance(expected[0])).fold(0.0, f64::max);
    let bone = skeleton.joints()[joint].parent.map_or(0.1 * size, |p| expected[joint].distance(expected[p]));
    skeleton.joints()[joint].rest_position().distance(expected[joint]) / bone
}

#[test]
fn a_skeleton_goes_along_into_units_place_and_turn_of_the_skin() {
    let rig = figure();
    let aligned = TransferOptions { align: true, ..Default::default() };
    for (name, turn) in [
        ("as it is", glam::DQuat::IDENTITY),
        ("z up", glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)),
        ("askew", glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.5, -0.7, 1.1)),
    ] {
        let map = DAffine3::from_scale_rotation_translation(DVec3::splat(100.0), turn, DVec3::new(70.0, -5.0, 30.0));
        let mut bare = Rig { weights: None, skeleton: Skeleton::default(), clips: Vec::new(), ..rig.clone() };
        bare.mesh.normals = None;
        bare.mesh.positions.iter_mut().for_each(|p| *p = map.transform_point3(p.as_dvec3()).as_vec3());
        let Transferred { skeleton, weights, clips, report } = transfer(&rig, &bare, &aligned).unwrap();
        assert_eq!(report.matched, rig.mesh.positions.len(), "{name}");
        let carried = report.carried.expect("a skeleton was carried");
        assert!((carried.scale - 100.0).abs() < 0.5 && carried.clips == rig.clips.len(), "{name}: {carried:?}");
        let expected: Vec<DVec3> =
            rig.skeleton.joints().iter().map(|j| map.transform_point3(j.rest_position())).collect();
        for j in 0..skeleton.len() {
            let off = off_by(&skeleton, &expected, j);
            assert!(off < 0.02, "{name}: {} is off by {off}", skeleton.joints()[j].name);
            assert_eq!(skeleton.joints()[j].hinge, rig.skeleton.joints()[j].hinge);
        }
        // The clip moves the large body as it moves the small one.
        let large = Rig { skeleton, weights: Some(weights), clips, ..bare };
        let moved = |rig: &Rig| {
            let motion = Motion::of(rig, &rig.clips[0].sample(rig, 0.4));
            DeformGraph::single("linear").unwrap().bind(rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec()
        };
        for (a, b) in moved(&rig).iter().zip(moved(&large)) {
            let apart = map.transform_point3(a.as_dvec3()).distance(b.as_dvec3());
            assert!(apart < 0.02 * f64::from(large.diagonal()), "{name}: {apart}");
        }
    }
}

#[test]
fn a_skeleton_takes_the_proportions_of_the_skin() {
    let rig = figure();
    // Longer arms and shorter legs.
    let other = |p: DVec3| {
        let arm = (p.x.abs() - 0.2).max(0.0);
        let leg = (0.9 - p.y).max(0.0);
        DVec3::new(p.x + p.x.signum() * 0.25 * arm, p.y + 0.2 * leg, p.z)
    };
    let mut bare = Rig { weights: None, skeleton: Skeleton::default(), ..rig.clone() };
    bare.mesh.normals = None;
    bare.mesh.positions.iter_mut().for_each(|p| *p = other(p.as_dvec3()).as_vec3());
    let found = transfer(&rig, &bare, &TransferOptions { align: true, ..Default::default() }).unwrap();
    let expected: Vec<DVec3> = rig.skeleton.joints().iter().map(|j| other(j.rest_position())).collect();
    let tree = crate::measure::WindingTree::of(&bare.mesh.positions, &bare.mesh.triangles, 2.0);
    let mut sum = 0.0;
    for j in 0..found.skeleton.len() {
        let (off, name) = (off_by(&found.skeleton, &expected, j), &found.skeleton.joints()[j].name);
        assert!(off < 0.4, "{name} is off by {off}");
        assert!(tree.at(found.skeleton.joints()[j].rest_position()) > 0.5, "{name} lies outside");
        sum += off;
    }
    assert!(sum / (found.skeleton.len() as f64) < 0.15, "{}", sum / found.skeleton.len() as f64);
}

#[test]
fn a_skeleton_keeps_its_bones_where_the_arms_stand_otherwise() {
    let rig = figure();
    let mut pose = Pose::rest(&rig);
    for (joint, degrees) in [("upper_arm_l", 35.0), ("upper_arm_r", 35.0)] {
        pose.swing(&rig, joint, Swing::Lower, degrees).unwrap();
    }
    let motion = Motion::of(&rig, &pose);
    let linear =
        DeformGraph::single("linear").unwrap().bind(&rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
    let mut bare = Rig { weights: None, skeleton: Skeleton::default(), clips: Vec::new(), ..rig.clone() };
    (bare.mesh.positions, bare.mesh.normals) = (linear, None);
    let found = transfer(&rig, &bare, &TransferOptions { align: true, ..Default::default() }).unwrap();
    let [shortest, longest] = found.report.carried.expect("carried").bones;
    // The whole came out smaller, since the arms hang; all bones alike make up for it.
    assert!(longest / shortest < 1.15, "{shortest} to {longest}");
    let expected: Vec<DVec3> = rig
        .skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(j, r)| motion.exact[j].transform_point3(r.rest_position()))
        .collect();
    for j in 0..found.skeleton.len() {
        let off = off_by(&found.skeleton, &expected, j);
        assert!(off < 0.35, "{} is off by {off}", found.skeleton.joints()[j].name);
    }
    let moved = Rig { skeleton: found.skeleton, weights: Some(found.weights), ..bare };
    assert_eq!(crate::fit::placement::doubt(&moved), None);
}
