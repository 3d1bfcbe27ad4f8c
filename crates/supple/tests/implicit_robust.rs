//! Implicit skinning that remembers the last frame where there was contact.

use glam::Vec3;
use supple::{
    deform::Settings,
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
            last = bound.evaluate(&rig.mesh.positions, &motion(&rig, share * bend, share * twist)).to_vec();
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
    bound.evaluate(&rig.mesh.positions, &motion(&rig, 40.0, 80.0));
    let after_a_jump = bound.evaluate(&rig.mesh.positions, &posed).to_vec();
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
    remembering.evaluate(&rig.mesh.positions, &motion(&rig, 12.0, 20.0));
    assert_eq!(
        remembering.evaluate(&rig.mesh.positions, &open).to_vec(),
        plain.evaluate(&rig.mesh.positions, &open).to_vec()
    );
    let deep = motion(&rig, 120.0, 0.0);
    assert_ne!(
        robust(&rig).evaluate(&rig.mesh.positions, &deep).to_vec(),
        plain.evaluate(&rig.mesh.positions, &deep).to_vec()
    );
}
