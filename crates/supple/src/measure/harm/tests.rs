use super::*;
use crate::{
    deform::Clock,
    example::{self, ArmOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
};

fn arm() -> Rig {
    example::arm(&ArmOptions { vertices: 3000, plain: true, ..ArmOptions::default() }).expect("an arm")
}

fn moved(rig: &Rig, method: &str, degrees: f64) -> Vec<Vec3> {
    moved_by(rig, &DeformGraph::single(method).unwrap(), degrees)
}

fn moved_by(rig: &Rig, graph: &DeformGraph, degrees: f64) -> Vec<Vec3> {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None).expect("an elbow");
    let mut bound = graph.bind(rig).unwrap();
    bound.evaluate(&rig.mesh.positions, &Motion::of(rig, &pose)).to_vec()
}

fn gauge(rig: &Rig) -> HarmGauge {
    HarmGauge::new(rig).unwrap().expect("an arm has limbs and an outside")
}

#[test]
fn a_start_does_no_harm_to_itself() {
    let rig = arm();
    let gauge = gauge(&rig);
    for degrees in [0.0, 60.0, 135.0] {
        let start = moved(&rig, "dual-quaternion", degrees);
        let figures = gauge.figures(&start, &start).unwrap();
        assert!(figures.withering.unwrap() >= 1.0, "{degrees}: {figures:?}");
        assert_eq!(figures.gape, Some(0.0), "{degrees}");
        assert!(figures.tear.is_none_or(|t| t <= 1.0), "{degrees}: {figures:?}");
        assert!(degrees > 0.0 || figures.tear.is_none(), "nothing touches at rest: {figures:?}");
        assert!(degrees < 100.0 || figures.tear.is_some(), "skin touches in a deep bend");
    }
}

#[test]
fn a_thin_wrist_withers() {
    let rig = arm();
    let start = moved(&rig, "linear", 0.0);
    // Half as thick round a place of the lower arm, which lies along x.
    let thin = |p: &Vec3| {
        let near = (-((p.x - 3.0) / 0.2).powi(2)).exp();
        Vec3::new(p.x, p.y * (1.0 - 0.5 * near), p.z * (1.0 - 0.5 * near))
    };
    let withered: Vec<Vec3> = start.iter().map(thin).collect();
    let found = gauge(&rig).figures(&start, &withered).unwrap().withering.unwrap();
    assert!((0.24..0.4).contains(&found), "{found}");
    // A start that is as thin is nobody's harm.
    assert!(gauge(&rig).figures(&withered, &withered).unwrap().withering.unwrap() >= 1.0);
}

#[test]
fn skin_that_has_been_pulled_apart_gapes() {
    let rig = arm();
    let gauge = gauge(&rig);
    let passing = [("contact".to_owned(), false.into())].into_iter().collect();
    let start = moved_by(&rig, &DeformGraph::single_with("flesh", &passing).unwrap(), 135.0);
    let corrected = moved(&rig, "flesh", 135.0);
    let closed = gauge.figures(&start, &corrected).unwrap().gape.unwrap();
    assert!(closed < 0.05, "{closed}");
    // Both limbs drawn in where they lie against each other.
    let before = meetings(&gauge.topology, &gauge.topology.weld.gather(&corrected), &gauge.radii);
    let normals = crate::rig::Normals::of(&rig.mesh).smooth(&corrected).to_vec();
    let drawn = |(v, p): (usize, &Vec3)| {
        let meets = before[gauge.topology.weld.welded_of[v] as usize];
        if meets.gap().is_some_and(|gap| gap < 0.1) { *p - normals[v] * 0.1 } else { *p }
    };
    let apart: Vec<Vec3> = corrected.iter().enumerate().map(drawn).collect();
    let open = gauge.figures(&start, &apart).unwrap().gape.unwrap();
    assert!(open > 0.3, "{open}");
}

#[test]
fn a_vertex_pulled_out_of_a_crease_tears_it_and_one_elsewhere_does_not() {
    let rig = arm();
    let gauge = gauge(&rig);
    let start = moved(&rig, "dual-quaternion", 135.0);
    let meets = meetings(&gauge.topology, &gauge.topology.weld.gather(&start), &gauge.radii);
    let inside = meets.iter().position(|m| *m == Meeting::Inside).expect("the limbs overlap");
    let nobody = (0..meets.len()).find(|&i| gauge.topology.weld.gather(&rig.mesh.positions)[i].x > 3.8).unwrap();
    let normals = crate::rig::Normals::of(&rig.mesh).smooth(&start).to_vec();
    for (point, torn) in [(inside, true), (nobody, false)] {
        let mut result = start.clone();
        for (v, p) in result.iter_mut().enumerate() {
            if gauge.topology.weld.welded_of[v] as usize == point {
                // Outwards, by more than the edges are long.
                *p += normals[v] * 0.15;
            }
        }
        let tear = gauge.figures(&start, &result).unwrap().tear.unwrap();
        assert_eq!(tear > 1.5, torn, "{tear}");
    }
}

#[test]
fn a_pop_is_a_change_of_the_correction_and_not_of_the_start() {
    let mut pop = Pop::default();
    let points = |x: f32| vec![Vec3::X * x, Vec3::Y];
    let frame = |k| Clock::frame(k, 0, 30.0);
    assert_eq!(pop.since(&points(0.0), &points(0.1), 2.0, frame(0)), None);
    let moved = pop.since(&points(5.0), &points(5.1), 2.0, frame(1)).unwrap();
    assert!(moved < 1e-6, "{moved}");
    let popped = pop.since(&points(5.0), &points(5.5), 2.0, frame(2)).unwrap();
    assert!((popped - 0.2).abs() < 1e-6, "{popped}");
}

#[test]
fn what_has_no_limbs_or_is_no_number_has_no_figures() {
    let rig = arm();
    let nowhere = vec![Vec3::NAN; rig.mesh.positions.len()];
    assert_eq!(gauge(&rig).figures(&nowhere, &rig.mesh.positions).unwrap(), HarmFigures::default());
    assert!(gauge(&rig).figures(&nowhere[1..], &nowhere).is_err());
    let bare = Rig { weights: None, ..rig };
    assert!(HarmGauge::new(&bare).unwrap().is_none());
}
