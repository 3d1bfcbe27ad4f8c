use super::{
    winding::tests::{joined, sphere},
    *,
};
use crate::{
    example::{self, ArmOptions},
    graph::DeformGraph,
    pose::Pose,
    rig::Mesh,
};
use glam::{DAffine3, DVec3};

/// A box cut into `cuts` rows and columns of squares on each side; every side has its own vertices, as files have them.
fn block(low: Vec3, high: Vec3, cuts: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for end in [0.0, 1.0] {
            let first = points.len() as u32;
            for i in 0..=cuts {
                for j in 0..=cuts {
                    let mut p = Vec3::ZERO;
                    p[axis] = end;
                    p[(axis + 1) % 3] = i as f32 / cuts as f32;
                    p[(axis + 2) % 3] = j as f32 / cuts as f32;
                    points.push(low + p * (high - low));
                }
            }
            for i in 0..cuts {
                for j in 0..cuts {
                    let at = |i: u32, j: u32| first + i * (cuts + 1) + j;
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let pair = if end > 0.0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                    triangles.extend(pair);
                }
            }
        }
    }
    (points, triangles)
}

fn near(found: Option<f64>, expected: f64, tolerance: f64) {
    assert!(found.is_some_and(|f| (f - expected).abs() <= tolerance), "{found:?} instead of {expected}");
}

fn figures(rest: &[Vec3], posed: &[Vec3], triangles: &[[u32; 3]]) -> SurfaceFigures {
    surface(rest, posed, triangles, SurfaceOptions::default()).unwrap()
}

#[test]
fn two_boxes_overlap_by_the_volume_they_share() {
    let (rest, triangles) = joined(block(Vec3::ZERO, Vec3::ONE, 4), block(Vec3::X * 2.0, Vec3::new(3.0, 1.0, 1.0), 4));
    let half = rest.len() / 2;
    let shift = |by: Vec3| rest.iter().enumerate().map(|(i, p)| if i < half { *p } else { *p + by }).collect();
    let posed: Vec<Vec3> = shift(Vec3::new(-1.4, 0.3, 0.2));
    let f = figures(&rest, &posed, &triangles);
    // 0.4 by 0.7 by 0.8, over the volume of both.
    near(f.overlap, 0.224 / 2.0, 0.002);
    near(f.inverted, 0.0, 0.0);
    near(f.volume_drift, -0.112, 0.002);
    near(f.stretch_p1, 1.0, 1e-6);
    near(f.stretch_max, 1.0, 1e-6);
    near(f.largest_move, 2.09f64.sqrt() / 11f64.sqrt(), 1e-6);
    assert_eq!((f.vertices, f.welded, f.finite), (300, 196, true));
    // What overlaps at rest is taken off.
    let back = figures(&posed, &rest, &triangles);
    near(back.overlap, -0.112, 0.002);
    near(back.volume_drift, 0.0, 1e-6);
    // A cube of half the overlap sees half of it, with finer cells.
    let gauge = SurfaceGauge::new(&rest, &triangles, SurfaceOptions::default()).unwrap();
    let cube = |x: f64| Cube { center: DVec3::new(x, 0.5, 0.6), radius: 0.1 };
    let inside = gauge.cube(&posed, cube(5.0), cube(0.8)).unwrap();
    near(inside.box_overlap, 0.008 / 2.0, 1e-9);
    let refused = gauge.cube(&posed, cube(0.0), Cube { center: DVec3::ZERO, radius: 0.0 });
    assert_eq!(refused, Err(MeasureError::Cube { radius: 0.0 }));
}

#[test]
fn a_box_turned_inside_out_is_inverted_whole() {
    let (rest, triangles) = block(Vec3::splat(-1.0), Vec3::ONE, 3);
    let posed: Vec<Vec3> = rest.iter().map(|p| *p * Vec3::new(-1.0, 1.0, 1.0)).collect();
    let f = figures(&rest, &posed, &triangles);
    near(f.inverted, 1.0, 0.04);
    near(f.overlap, 0.0, 0.0);
    near(f.volume_drift, -2.0, 1e-9);
}

#[test]
fn a_sphere_inside_a_sphere_overlaps_by_its_own_volume() {
    let rest = joined(sphere(Vec3::ZERO, 1.0, 4), sphere(Vec3::X * 3.0, 0.5, 4));
    let posed = joined(sphere(Vec3::ZERO, 1.0, 4), sphere(Vec3::new(0.2, 0.1, 0.0), 0.5, 4));
    // One ninth: 1/8 over 1 + 1/8.
    near(figures(&rest.0, &posed.0, &rest.1).overlap, 1.0 / 9.0, 0.002);
    // A hole in the outer one costs the inner the solid angle of the hole.
    let open: Vec<[u32; 3]> = rest.1.iter().enumerate().filter(|(i, _)| *i >= 200).map(|(_, t)| *t).collect();
    let f = figures(&rest.0, &posed.0, &open);
    assert!(f.overlap.is_some_and(|o| o > 0.05 && o < 0.14), "{f:?}");
}

#[test]
fn nonsense_is_measured_as_far_as_it_goes() {
    let (rest, triangles) = block(Vec3::ZERO, Vec3::ONE, 2);
    let mut posed = rest.clone();
    posed[3].y = f32::NAN;
    let f = figures(&rest, &posed, &triangles);
    assert!(!f.finite && f.overlap.is_none() && f.stretch_max.is_none() && f.vertices == 54);
    assert!(!figures(&posed, &rest, &triangles).finite);
    // Collapsed to a point, flat, without area, far too large.
    let collapsed = vec![Vec3::ONE; rest.len()];
    near(figures(&rest, &collapsed, &triangles).stretch_max, 0.0, 0.0);
    assert!(figures(&collapsed, &rest, &triangles).overlap.is_none());
    let flat: Vec<Vec3> = rest.iter().map(|p| *p * Vec3::new(1.0, 1.0, 0.0)).collect();
    near(figures(&rest, &flat, &triangles).volume_drift, -1.0, 1e-9);
    let huge: Vec<Vec3> = rest.iter().map(|p| *p * 1e38).collect();
    assert!(figures(&rest, &huge, &triangles).finite);
    let sliver = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    assert!(figures(&sliver, &sliver, &[[0, 1, 2], [0, 0, 0]]).finite);
    let options = SurfaceOptions::default();
    assert_eq!(surface(&rest, &rest[1..], &triangles, options), Err(MeasureError::Counts { rest: 54, posed: 53 }));
    assert_eq!(surface(&rest, &rest, &[], options), Err(MeasureError::NoTriangles { points: 54 }));
    let outside = MeasureError::Triangle { triangle: 0, vertex: 9, vertices: 3 };
    assert_eq!(surface(&sliver, &sliver, &[[0, 1, 9]], options), Err(outside));
    let coarse = SurfaceOptions { grid: 1, ..options };
    assert_eq!(surface(&rest, &rest, &triangles, coarse), Err(MeasureError::Grid { asked: 1 }));
    assert_eq!(points(&[], &[]), Err(MeasureError::NoPoints));
    assert_eq!(rig(&Rig::default(), &Motion::default(), &[]), Err(MeasureError::NoPoints));
}

fn posed(rig: &Rig, method: &str, turn: impl Fn(&mut Pose)) -> (Motion, Vec<Vec3>) {
    let mut pose = Pose::rest(rig);
    turn(&mut pose);
    let motion = Motion::of(rig, &pose);
    let points =
        DeformGraph::single(method).unwrap().bind(rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
    (motion, points)
}

fn plain_arm(vertices: usize) -> Rig {
    example::arm(&ArmOptions { vertices, plain: true, ..ArmOptions::default() }).unwrap()
}

#[test]
fn the_capsule_arm_gives_the_published_figures() {
    let arm = plain_arm(8003);
    for (method, overlap, bulge) in [("linear", 0.0713, 1.0), ("dual-quaternion", 0.0465, 1.07)] {
        let (motion, points) = posed(&arm, method, |p| p.bend(&arm, "forearm", 135.0, None).unwrap());
        let f = figures(&arm.mesh.positions, &points, &arm.mesh.triangles);
        near(f.overlap, overlap, 0.0005);
        let of_rig = rig(&arm, &motion, &points).unwrap();
        assert!(of_rig.bulge.is_some_and(|b| b >= bulge && b < 1.3), "{method}: {of_rig:?}");
        near(of_rig.detail, 0.0, 1e-3);
    }
    let collapse = |method: &str| {
        let (motion, points) = posed(&arm, method, |p| p.twist(&arm, "forearm", 180.0).unwrap());
        rig(&arm, &motion, &points).unwrap().collapse
    };
    near(collapse("linear"), 0.0, 0.1);
    near(collapse("dual-quaternion"), 1.0, 0.01);
}

#[test]
fn rigid_motions_leave_every_figure_alone() {
    let arm = plain_arm(1500);
    let turn = DAffine3::from_rotation_x(1.0) * DAffine3::from_rotation_z(2.0);
    let (motion, points) = posed(&arm, "linear", |p| p.local[0] = turn * p.local[0]);
    let f = rig(&arm, &motion, &points).unwrap();
    near(f.collapse, 1.0, 1e-5);
    near(f.bulge, 1.0, 1e-5);
    near(f.flipped, 0.0, 0.0);
    near(f.detail, 0.0, 1e-3);
    let f = figures(&arm.mesh.positions, &points, &arm.mesh.triangles);
    near(f.overlap, 0.0, 0.0);
    near(f.stretch_p99, 1.0, 1e-5);
    let mut bound = DeformGraph::single("linear").unwrap().bind(&arm).unwrap();
    let e = errors(&arm, &mut bound);
    assert!(e.rest_error <= 1e-6 && e.rigid_error <= 1e-6, "{e:?}");
}

#[test]
fn detail_is_looked_at_where_no_skin_touches() {
    let arm = plain_arm(1500);
    let elbow = arm.skeleton.joints()[1].rest_position();
    // The radius is a half. Bent by 135 degrees, limbs touch up to 2.6 radii from the joint.
    for (degrees, radii, seen) in [(0.0, 3.0, true), (135.0, 3.0, false), (135.0, 4.2, true)] {
        let (motion, mut points) = posed(&arm, "linear", |p| p.bend(&arm, "forearm", degrees, None).unwrap());
        for (p, rest) in points.iter_mut().zip(&arm.mesh.positions) {
            let off = rest.as_dvec3().distance(elbow) / 0.5 - radii;
            *p *= if off.abs() < 0.2 { 1.02 } else { 1.0 };
        }
        let detail = rig(&arm, &motion, &points).unwrap().detail.unwrap();
        assert_eq!(detail > 0.01, seen, "{degrees} degrees, {radii} radii from the joint: {detail}");
    }
}

#[test]
fn lost_detail_and_flipped_triangles_are_seen() {
    let arm = plain_arm(1500);
    let (motion, mut points) = posed(&arm, "linear", |_| ());
    let at_rest = rig(&arm, &motion, &points).unwrap();
    near(at_rest.flipped, 0.0, 0.0);
    near(at_rest.detail, 0.0, 0.0);
    // Twice as large: every Laplacian vector doubles.
    let doubled: Vec<Vec3> = points.iter().map(|p| *p * 2.0).collect();
    near(rig(&arm, &motion, &doubled).unwrap().detail, 1.0, 1e-6);
    // Mirrored by no joint: what faces up or down keeps its side, the rest is turned.
    points.iter_mut().for_each(|p| p.y = -p.y);
    near(rig(&arm, &motion, &points).unwrap().flipped, 0.5, 0.1);
}

#[test]
fn dual_quaternions_flicker_as_much_as_themselves() {
    let arm = plain_arm(800);
    let mut bound = DeformGraph::single("dual-quaternion").unwrap().bind(&arm).unwrap();
    let f = flicker(&arm, &mut bound, "forearm", 30.0, None).unwrap();
    near(f.flicker, 1.0, 0.0);
    assert!(f.flicker_second.is_some_and(|s| s < 0.05), "{f:?}");
    assert!(matches!(flicker(&arm, &mut bound, "forearm", 0.5, None), Err(FlickerError::Degrees { .. })));
    assert!(matches!(flicker(&arm, &mut bound, "knee", 30.0, None), Err(FlickerError::Pose(_))));
}

#[test]
fn point_sets_grow_and_crack() {
    let lattice: Vec<Vec3> =
        (0..1000).map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32)).collect();
    let same = points(&lattice, &lattice).unwrap();
    near(same.coverage, 1.0, 0.0);
    near(same.growth, 1.0, 0.0);
    near(same.crack, 0.0, 0.0);
    let doubled: Vec<Vec3> = lattice.iter().map(|p| *p * 2.0).collect();
    let f = points(&lattice, &doubled).unwrap();
    near(f.coverage, 2.0, 1e-6);
    near(f.growth, 2.0, 1e-6);
    // Torn in the middle: of 10 layers two lose neighbours.
    let torn: Vec<Vec3> = lattice.iter().map(|p| *p + if p.z > 4.5 { Vec3::Z * 9.0 } else { Vec3::ZERO }).collect();
    let f = points(&lattice, &torn).unwrap();
    near(f.coverage, 1.0, 0.0);
    assert!(f.crack.is_some_and(|c| c > 0.01 && c < 0.1), "{f:?}");
    assert!(!points(&lattice, &vec![Vec3::NAN; 1000]).unwrap().finite);
    let lonely = points(&[Vec3::ONE], &[Vec3::ZERO]).unwrap();
    assert!(lonely.finite && lonely.coverage.is_none() && lonely.crack.is_none());
    let copies = points(&[Vec3::ONE; 20], &[Vec3::ZERO; 20]).unwrap();
    assert!(copies.coverage.is_none() && copies.growth.is_none());
}

#[test]
fn rigs_that_lack_something_lack_figures() {
    let (positions, triangles) = block(Vec3::ZERO, Vec3::ONE, 2);
    let bare = Rig::of_mesh("bare", Mesh { positions: positions.clone(), triangles, ..Mesh::default() });
    assert_eq!(rig(&bare, &Motion::default(), &positions).unwrap(), RigFigures::default());
    let arm = plain_arm(800);
    let wrong = rig(&arm, &Motion::default(), &arm.mesh.positions);
    assert_eq!(wrong, Err(MeasureError::Joints { rig: 2, motion: 0 }));
    let mut cloud = arm.clone();
    cloud.mesh.triangles.clear();
    let (motion, points) = posed(&cloud, "linear", |p| p.bend(&cloud, "forearm", 40.0, None).unwrap());
    let f = rig(&cloud, &motion, &points).unwrap();
    assert!(f.collapse.is_some() && f.bulge.is_some() && f.flipped.is_none() && f.detail.is_none());
}

#[test]
fn inside_out_at_rest_is_measured_the_other_way_round() {
    let arm = plain_arm(1500);
    let (_, points) = posed(&arm, "linear", |p| p.bend(&arm, "forearm", 135.0, None).unwrap());
    let turned: Vec<[u32; 3]> = arm.mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let good = figures(&arm.mesh.positions, &points, &arm.mesh.triangles);
    let other = figures(&arm.mesh.positions, &points, &turned);
    assert!(good.overlap.is_some_and(|o| o > 0.05) && good.unjudged.is_none());
    assert_eq!((good.overlap, good.volume_drift), (other.overlap, other.volume_drift));
}

#[test]
fn what_has_no_inside_has_no_overlap() {
    let (points, triangles) = sphere(Vec3::ZERO, 1.0, 3);
    let soup: Vec<[u32; 3]> = triangles.iter().copied().step_by(5).collect();
    let f = figures(&points, &points, &soup);
    assert_eq!((f.overlap, f.inverted, f.volume_drift), (None, None, None));
    assert!(matches!(f.unjudged, Some(Unjudged::NoOutside { .. })) && f.stretch_max.is_some(), "{f:?}");
    let gauge = SurfaceGauge::new(&points, &soup, SurfaceOptions::default()).unwrap();
    let cube = Cube { center: DVec3::ZERO, radius: 0.5 };
    assert_eq!(gauge.cube(&points, cube, cube).unwrap(), CubeFigures::default());
}
