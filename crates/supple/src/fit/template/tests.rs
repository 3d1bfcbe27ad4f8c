use super::*;
use crate::example::{self, FigureOptions, HandOptions};
use glam::Vec3;

fn figure() -> Mesh {
    example::figure(&FigureOptions { vertices: 2500, bones: 23 }).unwrap().mesh
}

fn at(skeleton: &Skeleton, name: &str) -> DVec3 {
    skeleton.joints()[skeleton.find(name).expect(name)].rest_position()
}

#[test]
fn the_figure_gets_its_joints_back() {
    let rig = example::figure(&FigureOptions { vertices: 2500, bones: 23 }).unwrap();
    let (skeleton, report) = template(&rig.mesh, Template::Human, &FitOptions::default()).unwrap();
    assert_eq!((report.up, report.facing), (Some(Heading::PlusY), Some(Heading::PlusZ)));
    assert!(report.guessed.is_empty() && report.outside.is_empty() && report.confidence > 0.7, "{report:?}");
    let names = |s: &Skeleton| s.joints().iter().map(|j| j.name.clone()).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(names(&skeleton), names(&rig.skeleton));
    let apart = |j: &Joint| at(&skeleton, &j.name).distance(j.rest_position());
    let mean = rig.skeleton.joints().iter().map(apart).sum::<f64>() / 23.0;
    assert!(mean < 0.04 * 1.8, "{mean}");
    for j in skeleton.joints().iter().filter(|j| j.name.ends_with("_l")) {
        let other = at(&skeleton, &j.name.replace("_l", "_r"));
        assert!((j.rest_position() * DVec3::new(-1.0, 1.0, 1.0)).distance(other) < 0.03, "{}", j.name);
    }
}

#[test]
fn size_place_and_orientation_do_not_matter() {
    let mesh = figure();
    let (usual, _) = template(&mesh, Template::Human, &FitOptions::default()).unwrap();
    // Lying on the side of another axis system, a thousand times as large, far away, looking the other way.
    let turned = |p: DVec3| DVec3::new(-p.x, p.z, p.y) * 1000.0 + DVec3::new(5e3, -2e4, 300.0);
    let mut other = mesh.clone();
    other.positions.iter_mut().for_each(|p| *p = turned(p.as_dvec3()).as_vec3());
    let (found, report) = template(&other, Template::Human, &FitOptions::default()).unwrap();
    assert_eq!((report.up, report.facing), (Some(Heading::PlusZ), Some(Heading::PlusY)));
    for joint in found.joints() {
        let expected = turned(at(&usual, &joint.name));
        assert!(
            expected.distance(joint.rest_position()) < 40.0,
            "{}: {expected} {}",
            joint.name,
            joint.rest_position()
        );
    }
    let forced = FitOptions { facing: Some(Heading::MinusZ), ..FitOptions::default() };
    let (back, _) = template(&mesh, Template::Human, &forced).unwrap();
    assert!(at(&back, "hand_l").x < 0.0);
}

#[test]
fn what_is_hopeless_is_refused_in_a_line() {
    let options = FitOptions::default();
    assert_eq!(template(&Mesh::default(), Template::Human, &options), Err(FitError::Empty));
    let lost = Mesh { positions: vec![Vec3::NAN; 9], triangles: vec![[0, 1, 2]], ..Mesh::default() };
    assert_eq!(template(&lost, Template::Hand, &options), Err(FitError::Empty));
    let sheet = Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles: vec![[0, 1, 2]], ..Mesh::default() };
    assert_eq!(template(&sheet, Template::Human, &options), Err(FitError::Flat { triangles: 1, points: 3 }));
    assert_eq!(
        template(&figure(), Template::Human, &FitOptions { grid: 9, ..options }),
        Err(FitError::Grid { asked: 9 })
    );
    let bad = FitOptions { up: Some(Heading::PlusX), facing: Some(Heading::MinusX), ..options };
    assert_eq!(template(&figure(), Template::Human, &bad), Err(FitError::Headings { up: "+x", facing: "-x" }));
    let arm = example::arm(&example::ArmOptions { vertices: 800, ..Default::default() }).unwrap().mesh;
    assert_eq!(template(&arm, Template::Hand, &options), Err(FitError::NoFingers));
}

#[test]
fn no_shape_makes_any_template_panic() {
    let arm = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap().mesh;
    let hand = example::hand(&HandOptions { vertices: 800, ..Default::default() }).unwrap().mesh;
    let mut holed = figure();
    holed.triangles.retain(|t| t[0] % 5 != 0);
    holed.positions[3] = Vec3::NAN;
    holed.positions[7] = Vec3::INFINITY;
    let points = Mesh { triangles: Vec::new(), ..figure() };
    let pair = Mesh { positions: vec![Vec3::ZERO, Vec3::ONE], ..Mesh::default() };
    for mesh in [arm, hand, holed, points, pair] {
        for kind in [Template::Human, Template::Quadruped, Template::Hand] {
            if let Ok((skeleton, report)) = template(&mesh, kind, &FitOptions { grid: 64, ..Default::default() }) {
                assert!(skeleton.joints().iter().all(|j| j.rest_position().is_finite()));
                assert!((0.0..=1.0).contains(&report.confidence));
            }
        }
    }
}

#[test]
fn a_point_set_is_good_enough() {
    let points =
        Mesh { triangles: Vec::new(), ..example::figure(&FigureOptions { vertices: 9000, bones: 23 }).unwrap().mesh };
    let (skeleton, report) =
        template(&points, Template::Human, &FitOptions { grid: 64, ..Default::default() }).unwrap();
    assert!(report.confidence < 0.8 && !report.notes.is_empty());
    assert!(at(&skeleton, "hand_l").distance(DVec3::new(0.735, 1.45, 0.0)) < 0.15, "{}", at(&skeleton, "hand_l"));
}

#[test]
fn small_pieces_far_away_do_not_matter() {
    let mesh = figure();
    let (usual, _) = template(&mesh, Template::Human, &FitOptions::default()).unwrap();
    let mut strewn = mesh;
    let first = strewn.positions.len() as u32;
    strewn
        .positions
        .extend([[0.0; 3], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.03]].map(|p| Vec3::from(p) + 5.0));
    strewn.triangles.extend([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(|t: [u32; 3]| t.map(|v| v + first)));
    let (found, _) = template(&strewn, Template::Human, &FitOptions::default()).unwrap();
    assert_eq!(found, usual);
}

#[test]
fn a_body_taken_for_a_hand_is_doubted() {
    let (_, report) = template(&figure(), Template::Hand, &FitOptions::default()).unwrap();
    assert!(report.confidence < 0.8 && report.notes.iter().any(|n| n.contains("another shape")), "{report:?}");
    let hand = example::hand(&HandOptions { vertices: 3000, ..HandOptions::default() }).unwrap().mesh;
    let (_, report) = template(&hand, Template::Hand, &FitOptions::default()).unwrap();
    assert!(report.confidence > 0.9, "{report:?}");
}

#[test]
fn depth_is_the_distance_to_the_outside() {
    let corner = |i: usize| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = Mesh { positions: (0..8).map(corner).collect(), triangles, ..Mesh::default() };
    let solid = Solid::of(&Shape::of(&mesh.positions, &mesh.triangles), 50).unwrap();
    for p in [DVec3::splat(0.5), DVec3::new(0.1, 0.5, 0.5), DVec3::new(0.8, 0.3, 0.6)] {
        let expected = p.min_element().min(1.0 - p.max_element());
        assert!((solid.depth_at(p) - expected).abs() < 1.6 * solid.cells.step, "{p}: {}", solid.depth_at(p));
    }
    assert_eq!(solid.depth_at(DVec3::splat(-0.5)), 0.0);
}
