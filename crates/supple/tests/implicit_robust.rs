//! Implicit skinning that remembers the last frame where there was contact.

use glam::Vec3;
use supple::{
    deform::{Clock, Settings},
    example::{ArmOptions, HandOptions, arm, hand},
    graph::{BoundGraph, DeformGraph},
    measure::{self, SurfaceGauge},
    pose::{Motion, Pose},
    rig::Rig,
};

fn robust(rig: &Rig) -> BoundGraph {
    let settings = Settings::from_iter([("tracking".to_owned(), "robust".into())]);
    DeformGraph::single_with("implicit", &settings).unwrap().bind(rig).unwrap()
}

/// A frame that follows the one before it.
const NEXT: Clock = Clock { time: 0.0, step: 1.0 / 30.0, follows: true };

fn motion(rig: &Rig, bend: f64, twist: f64) -> Motion {
    let mut pose = Pose::rest(rig);
    pose.twist(rig, "forearm", twist).unwrap();
    pose.bend(rig, "forearm", bend, None).unwrap();
    Motion::of(rig, &pose)
}

fn farthest(a: &[Vec3], b: &[Vec3], rig: &Rig) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / rig.diagonal()
}

#[test]
fn a_hand_that_remembers_follows_a_rigid_motion() {
    let rig = hand(&HandOptions { vertices: 4000, ..HandOptions::default() }).unwrap();
    let errors = measure::errors(&rig, &mut robust(&rig));
    assert!(errors.rest_error <= 1e-5 && errors.rigid_error <= 1e-5, "{errors:?}");
}

#[test]
fn a_deep_bend_and_a_twist_return_to_rest_without_inversion() {
    let rig = arm(&ArmOptions { vertices: 2000, plain: true, ..Default::default() }).unwrap();
    let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, Default::default()).unwrap();
    let mut bound = robust(&rig);
    for (bend, twist) in [(150.0, 0.0), (90.0, 90.0)] {
        let steps = 25;
        let mut last = Vec::new();
        for k in (0..=steps).chain((0..steps).rev()) {
            let share = f64::from(k) / f64::from(steps);
            last = bound.step(&rig.mesh.positions, &motion(&rig, share * bend, share * twist), NEXT).to_vec();
            if k == steps {
                let figures = gauge.figures(&last).unwrap();
                let (overlap, inverted) = (figures.overlap.unwrap(), figures.inverted.unwrap());
                assert!(overlap <= 1e-3, "bent by {bend} and twisted by {twist}, {overlap} of the volume overlaps");
                assert!(
                    inverted <= 1e-4,
                    "bent by {bend} and twisted by {twist}, {inverted} of the volume is inverted"
                );
            }
        }
        let error = farthest(&last, &rig.mesh.positions, &rig);
        assert!(error <= 1e-4, "back at rest it is off by {error} of the diagonal");
    }
}

#[test]
fn any_frame_can_be_asked_for() {
    let rig = arm(&ArmOptions { vertices: 1200, plain: true, ..Default::default() }).unwrap();
    let posed = motion(&rig, 150.0, 0.0);
    let first = robust(&rig).evaluate(&rig.mesh.positions, &posed).to_vec();
    let mut bound = robust(&rig);
    bound.step(&rig.mesh.positions, &motion(&rig, 40.0, 80.0), NEXT);
    let after_a_jump = bound.step(&rig.mesh.positions, &posed, NEXT).to_vec();
    assert_eq!(first, after_a_jump, "a jump starts from rest, whatever came before");
    let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, Default::default()).unwrap();
    let overlap = gauge.figures(&first).unwrap().overlap.unwrap();
    assert!(overlap <= 2e-3, "{overlap} of the volume overlaps");
}

#[test]
fn history_matters_only_in_contact() {
    let rig = arm(&ArmOptions { vertices: 1200, plain: true, ..Default::default() }).unwrap();
    let mut plain = DeformGraph::single("implicit").unwrap().bind(&rig).unwrap();
    let open = motion(&rig, 20.0, 30.0);
    let mut remembering = robust(&rig);
    remembering.step(&rig.mesh.positions, &motion(&rig, 12.0, 20.0), NEXT);
    assert_eq!(
        remembering.step(&rig.mesh.positions, &open, NEXT).to_vec(),
        plain.evaluate(&rig.mesh.positions, &open).to_vec()
    );
    let deep = motion(&rig, 120.0, 0.0);
    assert_ne!(
        robust(&rig).evaluate(&rig.mesh.positions, &deep).to_vec(),
        plain.evaluate(&rig.mesh.positions, &deep).to_vec()
    );
}

/// An elbow that is bent deeper and deeper: each frame depends on the one before.
fn deeper(rig: &Rig) -> Vec<Motion> {
    (0..6).map(|k| motion(rig, 100.0 + 6.0 * f64::from(k), 0.0)).collect()
}

#[test]
fn frames_alone_forget_and_frames_that_follow_do_not() {
    let rig = arm(&ArmOptions { vertices: 1200, plain: true, ..Default::default() }).unwrap();
    let (rest, motions) = (&rig.mesh.positions, deeper(&rig));
    let mut following = robust(&rig);
    let followed: Vec<Vec<Vec3>> = motions.iter().map(|m| following.step(rest, m, NEXT).to_vec()).collect();
    let mut alone = robust(&rig);
    let apart: Vec<Vec<Vec3>> = motions.iter().map(|m| alone.evaluate(rest, m).to_vec()).collect();
    assert_eq!(apart[5], robust(&rig).evaluate(rest, &motions[5]).to_vec());
    assert_ne!(apart, followed, "the test means nothing where it does not matter what was before");
}

#[test]
fn any_number_go_on_from_a_checkpoint_and_none_disturbs_another() {
    let rig = arm(&ArmOptions { vertices: 1200, plain: true, ..Default::default() }).unwrap();
    let (rest, motions) = (&rig.mesh.positions, deeper(&rig));
    let mut whole = robust(&rig);
    let expected: Vec<Vec<Vec3>> = motions.iter().map(|m| whole.step(rest, m, NEXT).to_vec()).collect();
    let mut first = whole.binding().run();
    motions[..3].iter().for_each(|m| drop(first.step(rest, m, NEXT).to_vec()));
    let checkpoint = first.checkpoint();
    for _ in 0..2 {
        let mut other = whole.binding().run();
        other.recall(&checkpoint);
        // The one it was taken of goes elsewhere meanwhile.
        first.evaluate(rest, &motion(&rig, 20.0, 90.0));
        let found: Vec<Vec<Vec3>> = motions[3..].iter().map(|m| other.step(rest, m, NEXT).to_vec()).collect();
        assert_eq!(found, expected[3..]);
    }
    let mut without = whole.binding().run();
    assert_ne!(without.step(rest, &motions[3], NEXT), &expected[3][..], "a checkpoint must matter");
}
