//! The plain arm in the poses that are always reported on.

use super::{at_least, at_most, bent, dual, gauge, graph, joined_by, moved, overlap, plain};
use serde_json::json;
use supple::{
    deform::implicit::Implicit,
    example::{self, ArmOptions},
    measure,
    pose::{Motion, Pose},
};

fn a_deep_bend_does_not_overlap(operator: &str, band: f64) {
    let rig = plain(band);
    let (mut bound, gauge) = (joined_by(operator, &rig), gauge(&rig));
    for (degrees, most) in [(135.0, 1e-4), (150.0, 1e-3)] {
        let figures = gauge.figures(&moved(&rig, &mut bound, &bent(&rig, "forearm", degrees))).unwrap();
        let what = |figure: &str| format!("{operator}, band {band}, {degrees} degrees: {figure}");
        at_most(&what("overlap"), overlap(&figures), most);
        // A cell of the grid is about 1e-5 of the volume; back faces at the ends of the crease fill one or two.
        at_most(&what("inverted"), figures.inverted.unwrap(), 5e-5);
    }
}

#[test]
fn a_deep_bend_joined_by_union_does_not_overlap() {
    a_deep_bend_does_not_overlap("union", 0.8);
}

#[test]
fn a_deep_bend_joined_by_blend_does_not_overlap() {
    a_deep_bend_does_not_overlap("blend", 0.8);
}

#[test]
fn a_deep_bend_joined_by_bulge_does_not_overlap() {
    a_deep_bend_does_not_overlap("bulge", 0.8);
}

#[test]
fn a_deep_bend_of_narrow_weights_does_not_overlap() {
    a_deep_bend_does_not_overlap("union", 0.4);
}

/// In its crook skin is pressed in by more than what is let through elsewhere, 4.5 % of the diagonal; held back there, it overlapped
/// by 0.10 and 0.57 %.
#[test]
fn a_deep_bend_of_an_arm_with_muscles_does_not_overlap() {
    let rig = example::arm(&ArmOptions { vertices: 31_752, ..ArmOptions::default() }).unwrap();
    let (mut bound, gauge) = (joined_by("union", &rig), gauge(&rig));
    for (degrees, most) in [(135.0, 1e-4), (150.0, 1e-3)] {
        let figures = gauge.figures(&moved(&rig, &mut bound, &bent(&rig, "forearm", degrees))).unwrap();
        at_most(&format!("{degrees} degrees: overlap"), overlap(&figures), most);
    }
}

#[test]
fn a_deep_bend_keeps_its_outside_and_the_lengths_of_its_edges() {
    let rig = plain(0.8);
    let pose = bent(&rig, "forearm", 135.0);
    let points = moved(&rig, &mut joined_by("union", &rig), &pose);
    let found = measure::rig(&rig, &Motion::of(&rig, &pose), &points).unwrap();
    at_most("bulge", found.bulge.unwrap(), 1.04);
    at_most("detail at 135 degrees", found.detail.unwrap(), 0.05);
    let pose = bent(&rig, "forearm", 90.0);
    let folded = moved(&rig, &mut joined_by("union", &rig), &pose);
    let found = measure::rig(&rig, &Motion::of(&rig, &pose), &folded).unwrap();
    at_most("detail at 90 degrees", found.detail.unwrap(), 0.05);
    let figures = gauge(&rig).figures(&points).unwrap();
    at_least("1st percentile of stretch", figures.stretch_p1.unwrap(), 0.3);
    at_most("99th percentile of stretch", figures.stretch_p99.unwrap(), 2.5);
    at_most("largest stretch", figures.stretch_max.unwrap(), 5.0);
}

#[test]
fn a_half_turn_does_not_thin_a_limb() {
    let rig = plain(0.8);
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "forearm", 180.0).unwrap();
    for operator in ["union", "blend"] {
        let points = moved(&rig, &mut joined_by(operator, &rig), &pose);
        let found = measure::rig(&rig, &Motion::of(&rig, &pose), &points).unwrap();
        at_least(&format!("{operator}: collapse"), found.collapse.unwrap(), 0.9);
    }
}

#[test]
fn a_twisted_bend_has_no_spikes() {
    let rig = plain(0.8);
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "forearm", 90.0).unwrap();
    pose.bend(&rig, "forearm", 90.0, None).unwrap();
    let gauge = gauge(&rig);
    for operator in ["union", "blend"] {
        let figures = gauge.figures(&moved(&rig, &mut joined_by(operator, &rig), &pose)).unwrap();
        at_most(&format!("{operator}: largest stretch"), figures.stretch_max.unwrap(), 5.0);
        at_most(&format!("{operator}: overlap"), overlap(&figures), 1e-4);
    }
}

/// Where limbs are twisted against each other, skin is in no order on either side of the plane that halves the bend.
#[test]
fn a_twisted_fold_has_no_crease() {
    let rig = plain(0.8);
    let mut start = dual(&rig);
    let mut tables = Implicit::default().tables(&rig).unwrap();
    let mut pressed = |twist: f64| {
        let mut pose = bent(&rig, "forearm", 90.0);
        pose.twist(&rig, "forearm", twist).unwrap();
        let steps = tables.trace(&moved(&rig, &mut start, &pose), &Motion::of(&rig, &pose));
        steps.last().unwrap().points.iter().filter(|p| p.pressed).count()
    };
    assert!(pressed(0.0) > 20 && pressed(15.0) > 20);
    assert_eq!(pressed(60.0), 0);
}

/// The finer the skin, the longer its edges become where a point goes alone.
#[test]
fn fine_skin_has_no_spikes() {
    let rig = example::arm(&ArmOptions { plain: true, band: 0.8, vertices: 31_752 }).unwrap();
    let (gauge, mut bound) = (gauge(&rig), joined_by("union", &rig));
    for (bend, twist) in [(90.0, 0.0), (135.0, 0.0), (90.0, 40.0), (90.0, 90.0)] {
        let mut pose = bent(&rig, "forearm", bend);
        pose.twist(&rig, "forearm", twist).unwrap();
        let figures = gauge.figures(&moved(&rig, &mut bound, &pose)).unwrap();
        at_most(&format!("largest stretch, bent {bend} and twisted {twist}"), figures.stretch_max.unwrap(), 5.0);
    }
}

#[test]
fn rest_and_rigid_motions_are_kept() {
    let rig = plain(0.8);
    for operator in ["union", "blend", "bulge", "blend-bulge"] {
        let found = measure::errors(&rig, &mut joined_by(operator, &rig));
        at_most(&format!("{operator}: rest error"), found.rest_error, 1e-5);
        at_most(&format!("{operator}: rigid error"), found.rigid_error, 1e-5);
    }
}

#[test]
fn threads_do_not_change_a_fold() {
    let rig = plain(0.8);
    let pose = bent(&rig, "forearm", 135.0);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| moved(&rig, &mut joined_by("blend-bulge", &rig), &pose))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn an_amount_of_nought_is_the_start() {
    let rig = plain(0.8);
    let pose = bent(&rig, "forearm", 120.0);
    let start = moved(&rig, &mut dual(&rig), &pose);
    let none = moved(&rig, &mut graph(&[("amount", json!(0))]).bind(&rig).unwrap(), &pose);
    assert_eq!(none, start);
    let full = moved(&rig, &mut graph(&[]).bind(&rig).unwrap(), &pose);
    let by_vertex: Vec<f32> = rig.mesh.positions.iter().map(|p| if p.z > 0.0 { 1.0 } else { 0.0 }).collect();
    let halved = moved(&rig, &mut graph(&[("amount", json!(by_vertex))]).bind(&rig).unwrap(), &pose);
    for (i, share) in by_vertex.iter().enumerate() {
        assert_eq!(halved[i], if *share > 0.0 { full[i] } else { start[i] }, "vertex {i}");
    }
}

#[test]
fn a_fold_seen_before_does_not_change_the_next() {
    let rig = plain(0.8);
    let mut bound = joined_by("union", &rig);
    let alone = moved(&rig, &mut bound, &bent(&rig, "forearm", 60.0));
    moved(&rig, &mut bound, &bent(&rig, "forearm", 150.0));
    assert_eq!(moved(&rig, &mut bound, &bent(&rig, "forearm", 60.0)), alone);
}
