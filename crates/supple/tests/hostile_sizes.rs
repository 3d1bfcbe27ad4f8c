//! Skeletons and skins that are large for no reason: weighted soon, or refused with the number.

use glam::{DAffine3, DVec3, Vec3};
use supple::{
    rig::{Bone, Joint, Mesh, Rig, Skeleton, Weights},
    weights::{
        self, HeatError, HeatOptions, NearestError, NearestOptions, flexible,
        segment::{self, Segmentation},
    },
};
use supple_testkit::rigs;

/// A root with leaves on it, each at the place of its number.
fn star(leaves: usize, place: impl Fn(usize) -> DVec3) -> Skeleton {
    let joint = |i: usize| Joint::new(format!("joint {i}"), (i > 0).then_some(0), DAffine3::from_translation(place(i)));
    Skeleton::new((0..=leaves).map(joint).collect()).expect("parents first")
}

/// All leaves in one place, and the root elsewhere.
fn coincident(leaves: usize) -> Skeleton {
    star(leaves, |i| DVec3::X * (i.min(1) as f64))
}

fn assert_sound(mesh: &Mesh, weights: &Weights) {
    assert_eq!(weights.len(), mesh.positions.len());
    for vertex in 0..weights.len() {
        let sum: f32 = weights.row(vertex).1.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "vertex {vertex}: {sum}");
    }
}

#[test]
fn thousands_of_joints_in_one_place_are_refused_by_heat_with_their_number() {
    let mesh = rigs::tube().mesh;
    let heat = |leaves: usize| weights::heat(&mesh, &coincident(leaves), &HeatOptions::default());
    let error = heat(30_000).unwrap_err();
    assert_eq!(error, HeatError::Crowded { bones: 60_000 });
    assert!(error.to_string().starts_with("60000 bones lie on one another"), "{error}");
    assert_sound(&mesh, &heat(50).expect("few enough").0);
}

#[test]
fn more_pairs_of_bones_and_vertices_than_can_be_compared_are_refused() {
    let vertices = 60_000;
    let mesh = Mesh { positions: vec![Vec3::ZERO; vertices], ..Mesh::default() };
    let skeleton = star(40_000, |i| DVec3::Y * i as f64);
    let bones = skeleton.bones(&mesh.positions, None).0.len();
    let error = weights::heat(&mesh, &skeleton, &HeatOptions::default()).unwrap_err();
    assert_eq!(error, HeatError::TooLarge { vertices, bones });
    let error = weights::nearest(&mesh, &skeleton, &NearestOptions::default()).unwrap_err();
    assert_eq!(error, NearestError::TooLarge { vertices, bones });
}

#[test]
fn a_skin_is_not_cut_for_tens_of_thousands_of_joints() {
    let skeleton = star(60_000, |i| DVec3::new(1.0, (i as f64).cos(), (i as f64).sin()));
    let rig = Rig { skeleton, weights: None, ..rigs::tube() };
    let triangles = rig.mesh.triangles.len();
    let expected = segment::Error::TooLarge { rig: "tube".into(), joints: 60_001, triangles };
    assert_eq!(Segmentation::of(&rig).unwrap_err(), expected);
    let error = flexible::weights(&rig, &flexible::Options::default()).unwrap_err();
    assert_eq!(error, flexible::Error::Segment(expected));
}

#[test]
fn leaves_point_where_their_parents_bones_do() {
    // As long as the median of their siblings; a leaf on its parent has no direction of its own.
    let skeleton = star(60_000, |i| if i == 60_000 { DVec3::ZERO } else { DVec3::X * i as f64 });
    let (bones, _) = skeleton.bones(&[], None);
    let own = |joint: usize| bones.iter().filter(move |b: &&Bone| b.joint == joint).collect::<Vec<_>>();
    assert_eq!(own(7)[0].tail, DVec3::X * (7.0 + 30_000.0));
    assert_eq!(own(60_000)[0].tail, DVec3::Y * 30_000.0);
    assert_eq!(bones.len(), 59_999 + 60_000);
}

#[test]
fn heat_on_a_soup_gives_sound_weights() {
    // Each triangle as large as all of them: a way to a bone passes through half of the soup, and nothing of it hides.
    let number = |i: u32, k: u32| ((i * 3 + k) as f32 * 12.9898).sin() * 43_758.547 % 1.0;
    let positions = (0..9_000).map(|i| Vec3::new(number(i, 0), number(i, 1), number(i, 2))).collect();
    let triangles = (0..3_000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh { positions, triangles, ..Mesh::default() };
    let (weights, _) = weights::heat(&mesh, &rigs::tube().skeleton, &HeatOptions::default()).expect("weights");
    assert_sound(&mesh, &weights);
}

#[test]
fn heat_on_triangles_that_join_everything_with_everything_falls_back_and_says_so() {
    let mut dice = 1u32;
    let mut draw = |below: u32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 8) % below
    };
    let mut number = || draw(1 << 20) as f32 / (1 << 20) as f32;
    let positions: Vec<Vec3> = (0..4_000).map(|_| Vec3::new(number(), number(), number())).collect();
    let triangles = (0..12_000).map(|_| [draw(4_000), draw(4_000), draw(4_000)]).collect();
    let mesh = Mesh { positions, triangles, ..Mesh::default() };
    let (weights, notes) = weights::heat(&mesh, &rigs::tube().skeleton, &HeatOptions::default()).expect("weights");
    assert_sound(&mesh, &weights);
    let told =
        notes.iter().map(ToString::to_string).any(|n| n.contains("joins everything") && n.contains("by distance"));
    assert!(told, "{notes:?}");
}
