//! Baseline skinning as everybody reaches it: rigs of points with a model of spheres and bones.

use glam::{DAffine3, DVec3, Vec3};
use serde_json::json;
use supple::{
    deform::{Settings, baseline::BoundBaseline},
    example::{StatueOptions, statue},
    graph::DeformGraph,
    measure::{self, PointFigures, PointGauge},
    pose::{Motion, Pose},
    rig::{Joint, Mesh, Rig, Skeleton, Sphere, SphereMesh, Weights},
};
use supple_testkit::{changed, largest_distance};

type Ball = (DVec3, f64);

/// A model with a joint in every sphere, and points spread evenly over it at one height.
fn rig(name: &str, balls: &[Ball], bones: &[[u32; 2]], height: f64, step: f64) -> Rig {
    let spheres = balls.iter().map(|&(center, radius)| Sphere { name: String::new(), center, radius }).collect();
    let model = SphereMesh::new(spheres, bones.to_vec()).unwrap();
    let parent = |i: usize| bones.iter().find(|b| b[1] as usize == i).map(|b| b[0] as usize);
    let joint =
        |(i, ball): (usize, &Ball)| Joint::new(format!("sphere {i}"), parent(i), DAffine3::from_translation(ball.0));
    let skeleton = Skeleton::new(balls.iter().enumerate().map(joint).collect()).unwrap().show_rest();
    let positions = points_over(&model, height, step);
    let weights = Weights::rigid(positions.iter().map(|p| nearest_start(&model, *p)));
    let mesh = Mesh { positions, ..Mesh::default() };
    Rig { skeleton, weights: Some(weights), sphere_mesh: Some(model), ..Rig::of_mesh(name, mesh) }
}

fn nearest_start(model: &SphereMesh, p: Vec3) -> u16 {
    model.bones[model.height(p.as_dvec3()).unwrap().bone][0] as u16
}

/// Rings round the bones and spirals over the spheres, as far as they are seen.
fn points_over(model: &SphereMesh, height: f64, step: f64) -> Vec<Vec3> {
    let mut points = Vec::new();
    for &[a, b] in &model.bones {
        let (a, b) = (&model.spheres[a as usize], &model.spheres[b as usize]);
        let length = a.center.distance(b.center);
        let axis = (b.center - a.center) / length;
        let (e1, sine) = (axis.any_orthonormal_vector(), (a.radius - b.radius) / length);
        let (e2, cosine) = (axis.cross(e1), (1.0 - sine * sine).sqrt());
        let rows = (length * cosine / step) as usize;
        for row in 0..rows {
            let x = (row as f64 + 0.5) / rows as f64 * length * cosine;
            let off = a.radius * cosine - x * sine + height * cosine;
            let along = a.radius * sine + x * cosine + height * sine;
            let columns = (std::f64::consts::TAU * off / step).max(6.0) as usize;
            points.extend((0..columns).map(|column| {
                let angle = (column as f64 + 0.5 * (row % 2) as f64) / columns as f64 * std::f64::consts::TAU;
                a.center + axis * along + (e1 * angle.cos() + e2 * angle.sin()) * off
            }));
        }
    }
    for sphere in &model.spheres {
        let radius = sphere.radius + height;
        let count = (4.0 * std::f64::consts::PI * radius * radius / (step * step)) as usize;
        points.extend((0..count).map(|i| {
            let (z, turn) = (1.0 - (2 * i + 1) as f64 / count as f64, i as f64 * 2.399_963_229_728_653);
            let ring = (1.0 - z * z).sqrt();
            sphere.center + DVec3::new(ring * turn.cos(), ring * turn.sin(), z) * radius
        }));
    }
    points.retain(|p| (model.height(*p).unwrap().height - height).abs() < 1e-7);
    points.into_iter().map(|p| p.as_vec3()).collect()
}

/// Two bones, bent at rest by so many degrees about z.
fn chain(radii: [f64; 3], length: f64, degrees: f64, height: f64) -> Rig {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let elbow = DVec3::X * length;
    let balls =
        [(DVec3::ZERO, radii[0]), (elbow, radii[1]), (elbow + DVec3::new(cosine, sine, 0.0) * length, radii[2])];
    rig("chain", &balls, &[[0, 1], [1, 2]], height, 0.09)
}

fn bent(rig: &Rig, turns: &[(&str, f64, DVec3)]) -> Motion {
    let mut pose = Pose::rest(rig);
    for &(joint, degrees, axis) in turns {
        pose.bend(rig, joint, degrees, Some(axis)).unwrap();
    }
    Motion::of(rig, &pose)
}

fn moved_by(method: &str, rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    DeformGraph::single(method).unwrap().bind(rig).unwrap().evaluate(&rig.mesh.positions, motion).to_vec()
}

fn moved(rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    moved_by("baseline", rig, motion)
}

fn figures(rig: &Rig, points: &[Vec3]) -> PointFigures {
    PointGauge::new(&rig.mesh.positions).unwrap().figures(points).unwrap()
}

/// Cylinders, cones towards and away from the joint, a continued cone, radii that nearly agree.
const CHAINS: [[f64; 3]; 5] =
    [[1.0, 1.0, 1.0], [1.3, 0.9, 1.2], [0.7, 1.2, 0.6], [1.3, 1.0, 0.7], [1.0, 1.0 + 1e-9, 1.0 - 1e-9]];

#[test]
fn chains_do_not_crack_in_bends_and_twists() {
    for radii in CHAINS {
        let rig = chain(radii, 6.0, 0.0, 0.05);
        for (degrees, twist) in
            [(30.0, 0.0), (60.0, 0.0), (90.0, 0.0), (120.0, 0.0), (135.0, 0.0), (0.0, 179.0), (90.0, 90.0)]
        {
            let mut pose = Pose::rest(&rig);
            pose.bend(&rig, "sphere 1", degrees, Some(DVec3::Z)).unwrap();
            pose.twist(&rig, "sphere 1", twist).unwrap();
            let found = figures(&rig, &moved(&rig, &Motion::of(&rig, &pose)));
            assert_eq!(found.crack, Some(0.0), "{radii:?}: bend {degrees}, twist {twist}");
            // The crease itself is stretched by 1 / cos(θ/2) at its ends: 2.61 at 135 degrees, and cones a little more.
            let most = if degrees > 130.0 { 2.7 } else { 2.5 };
            assert!(found.growth.unwrap() <= most, "{radii:?}: {degrees}, {twist}: growth {:?}", found.growth);
            assert!(found.coverage.unwrap() <= 1.2, "{radii:?}: {degrees}, {twist}: coverage {:?}", found.coverage);
        }
        let deep = figures(&rig, &moved(&rig, &bent(&rig, &[("sphere 1", 150.0, DVec3::Z)])));
        assert!(deep.crack.unwrap() <= 0.02, "{radii:?}: {deep:?}");
        assert!(figures(&rig, &moved(&rig, &bent(&rig, &[("sphere 1", 179.0, DVec3::Z)]))).finite);
    }
}

#[test]
fn a_chain_unfolds_without_cracks() {
    for radii in CHAINS {
        let rig = chain(radii, 6.0, 120.0, 0.05);
        let found = figures(&rig, &moved(&rig, &bent(&rig, &[("sphere 1", -120.0, DVec3::Z)])));
        assert_eq!(found.crack, Some(0.0), "{radii:?}: {found:?}");
    }
}

#[test]
fn a_layer_keeps_its_height_and_nothing_sinks_in_a_bend_of_a_right_angle() {
    for radii in CHAINS {
        let rig = chain(radii, 6.0, 0.0, 0.3);
        let motion = bent(&rig, &[("sphere 1", 90.0, DVec3::Z)]);
        let model = rig.sphere_mesh.as_ref().unwrap();
        let now = measure::moved_model(model, &rig, &motion).unwrap();
        let over = |points: &[Vec3]| measure::over_model(model, &now, &rig.mesh.positions, points).unwrap();
        let found = over(&moved(&rig, &motion));
        assert_eq!(found.sunk, Some(0.0));
        assert!(found.offset.unwrap() <= 1e-5, "{radii:?}: {found:?}");
        // The control: where each point goes with the nearest bone, nothing keeps heights.
        assert!(over(&moved_by("linear", &rig, &motion)).offset.unwrap() > 0.1);
    }
}

#[test]
fn points_find_their_way_back() {
    let rig = chain([1.0, 1.0, 1.0], 6.0, 0.0, 0.1);
    let graph = DeformGraph::single("baseline").unwrap();
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "sphere 1", 90.0, Some(DVec3::Z)).unwrap();
    let found = measure::there_and_back(&rig, &graph, &mut graph.bind(&rig).unwrap(), &pose).unwrap();
    assert!(found.there_and_back <= 1e-6 && found.encoded_again.unwrap() <= 5e-3, "{found:?}");
}

/// Any points in the box and beyond, above and below: rest is rest.
#[test]
fn rest_is_rest_for_any_cloud() {
    for mut rig in [chain([1.3, 0.9, 0.6], 4.0, 70.0, 0.1), swallowed()] {
        let mut seed = 1u32;
        let mut unit = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 16_777_216.0
        };
        rig.mesh.positions =
            (0..6000).map(|_| Vec3::new(unit() * 14.0 - 3.0, unit() * 10.0 - 5.0, unit() * 8.0 - 4.0)).collect();
        rig.weights = None;
        let error = largest_distance(&moved(&rig, &bent(&rig, &[])), &rig.mesh.positions, rig.diagonal());
        assert!(error <= 1e-6, "{error:e}");
        let motion = bent(&rig, &[("sphere 1", 100.0, DVec3::Z)]);
        assert!(moved(&rig, &motion).iter().all(|p| p.is_finite()));
    }
}

/// A bone that is shorter than its neighbours' spheres are wide, between two that are bent.
fn swallowed() -> Rig {
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let balls = [(at(0.0, 0.0), 1.0), (at(5.0, 0.0), 1.0), (at(5.4, 0.7), 0.9), (at(3.5, 5.0), 0.6)];
    rig("swallowed", &balls, &[[0, 1], [1, 2], [2, 3]], 0.05, 0.12)
}

#[test]
fn a_swallowed_bone_is_named() {
    let rig = swallowed();
    let bound = DeformGraph::single("baseline").unwrap().bind(&rig).unwrap();
    let notes: Vec<_> = bound.binding().notes().map(|n| n.1.to_owned()).collect();
    assert!(notes.iter().any(|n| n.contains("sphere 1") && n.contains("tear")), "{notes:?}");
}

/// One stem and some branches at its end, with this radius at their tips.
fn junction(name: &str, branches: &[DVec3], tip: f64) -> Rig {
    let mut balls = vec![(DVec3::X * -6.0, 1.0), (DVec3::ZERO, 1.0)];
    let mut bones = vec![[0, 1]];
    for branch in branches {
        // Each bends at a joint of its own: a sphere of its own at the junction would not be one.
        bones.push([1, balls.len() as u32]);
        balls.push((branch.normalize() * 6.0, tip));
    }
    rig(name, &balls, &bones, 0.05, 0.12)
}

/// Turns single branches: moves the joints at their tips about the junction.
fn spread(rig: &Rig, axis: DVec3, degrees: f64) -> Motion {
    let mut motion = bent(rig, &[]);
    for tip in 2..rig.skeleton.len() {
        let share = if tip % 2 == 0 { degrees } else { -degrees };
        let turn = DAffine3::from_axis_angle(axis, share.to_radians());
        motion.exact[tip] = turn * motion.exact[tip];
        motion.posed_from_joint[tip] = turn * motion.posed_from_joint[tip];
    }
    motion
}

/// Between the bones at the junction, in degrees: bones that lie in each other are none.
fn least_angle(motion: &Motion) -> f64 {
    let at: Vec<DVec3> = motion.posed_from_joint.iter().map(|j| j.translation).collect();
    let bones: Vec<DVec3> = (0..at.len()).filter(|&i| i != 1).map(|i| at[i] - at[1]).collect();
    let pairs = (0..bones.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.map(|(i, j)| bones[i].angle_between(bones[j]).to_degrees()).fold(180.0, f64::min)
}

#[test]
fn junctions_do_not_crack() {
    let mut poses = 0;
    let (up, down) = (DVec3::new(1.0, 1.2, 0.0), DVec3::new(1.0, -1.2, 0.0));
    for (name, branches, tip) in [
        ("Y", vec![up, down], 1.0),
        ("tapered Y", vec![up, down], 0.5),
        ("T", vec![DVec3::Y, -DVec3::Y], 0.9),
        ("tripod", vec![DVec3::Y, DVec3::Z], 0.8),
        ("cross", vec![DVec3::Y, -DVec3::Y, DVec3::X], 0.9),
    ] {
        let rig = junction(name, &branches, tip);
        for degrees in [20.0, 45.0, -20.0, -45.0] {
            for axis in [DVec3::Z, DVec3::Y, DVec3::X] {
                let motion = spread(&rig, axis, degrees);
                if least_angle(&motion) < 40.0 {
                    continue;
                }
                poses += 1;
                let found = figures(&rig, &moved(&rig, &motion));
                assert_eq!(found.crack, Some(0.0), "{name} by {degrees} about {axis}");
                assert!(found.growth.unwrap() <= 2.5, "{name} by {degrees} about {axis}: {:?}", found.growth);
            }
        }
        let rest = largest_distance(&moved(&rig, &bent(&rig, &[])), &rig.mesh.positions, rig.diagonal());
        assert!(rest <= 1e-6, "{name}: {rest:e}");
    }
    assert!(poses >= 40, "{poses}");
}

#[test]
fn a_statue_is_moved_in_one_way_only() {
    let rig = statue(&StatueOptions { points: 12_000 }).unwrap();
    let turns = [
        ("elbow_l", 70.0, DVec3::X),
        ("knee_r", 60.0, DVec3::X),
        ("waist", 20.0, DVec3::Z),
        ("shoulder_r", -30.0, DVec3::Z),
    ];
    let motion = bent(&rig, &turns);
    let (one, other) = (moved(&rig, &motion), moved(&rig, &motion));
    assert_eq!(one, other);
    let found = figures(&rig, &one);
    assert!(found.finite && found.points == rig.mesh.positions.len());
    let rest = largest_distance(&moved(&rig, &bent(&rig, &[])), &rig.mesh.positions, rig.diagonal());
    assert!(rest <= 1e-6, "{rest:e}");
    // Without the few points that are kept in double precision.
    let bound = DeformGraph::single("baseline").unwrap().bind(&rig).unwrap();
    let exact = bound.binding().last::<BoundBaseline>().unwrap().exact_points();
    assert!(100 * exact < rig.mesh.positions.len(), "{exact} points are not brought back");
}

#[test]
fn a_model_of_another_skin_and_wrong_models_are_refused_in_a_line() {
    let good = chain([1.0, 1.0, 1.0], 6.0, 0.0, 0.1);
    let refused = |change: &dyn Fn(&mut Rig)| {
        let mut rig = good.clone();
        change(&mut rig);
        let error = DeformGraph::single("baseline").unwrap().bind(&rig).err().expect("it is refused").to_string();
        assert!(!error.contains('\n') && error.contains("chain"), "{error}");
        error
    };
    let spheres = |rig: &mut Rig, change: &dyn Fn(&mut SphereMesh)| change(rig.sphere_mesh.as_mut().unwrap());
    for (error, says) in [
        (refused(&|r| spheres(r, &|m| m.spheres[1].radius = 8.0)), "sphere 0 lies inside sphere 1"),
        (refused(&|r| spheres(r, &|m| m.spheres[1].radius = -1.0)), "sphere 1 has radius -1"),
        (refused(&|r| spheres(r, &|m| m.spheres[2].radius = f64::NAN)), "sphere 2 has radius NaN"),
        (refused(&|r| spheres(r, &|m| m.spheres[1].center = m.spheres[0].center)), "has no length"),
        (refused(&|r| spheres(r, &|m| m.bones.push([2, 0]))), "closes a cycle"),
        (refused(&|r| spheres(r, &|m| m.bones.clear())), "has no bones"),
        (refused(&|r| r.mesh.positions.iter_mut().for_each(|p| *p += Vec3::Y * 50.0)), "it is of another skin"),
        (refused(&|r| r.skeleton = Skeleton::default()), "has no joints"),
    ] {
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn proportions_are_changed_alone_and_in_a_pose() {
    let rig = chain([1.0, 1.0, 1.0], 6.0, 0.0, 0.1);
    let anatomy = json!({"sphere 1": {"length": 1.5, "radius": 0.5}});
    let settings: Settings = changed::one("anatomy", anatomy);
    let graph = DeformGraph::single_with("baseline", &settings).unwrap();
    let mut bound = graph.bind(&rig).unwrap();
    for degrees in [0.0, 90.0] {
        let motion = bent(&rig, &[("sphere 1", degrees, DVec3::Z)]);
        let points = bound.evaluate(&rig.mesh.positions, &motion).to_vec();
        // The elbow has half its radius, the forearm is nine long, and the skin is as high above them as before.
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let wrist = DVec3::X * 6.0 + DVec3::new(cosine, sine, 0.0) * 9.0;
        let mut model = rig.sphere_mesh.clone().unwrap();
        (model.spheres[1].radius, model.spheres[2].center) = (0.5, wrist);
        let off = |p: &Vec3| (model.height(p.as_dvec3()).unwrap().height - 0.1).abs();
        let worst = points.iter().map(off).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{degrees}: {worst}");
        assert!(points.iter().map(|p| p.as_dvec3().distance(wrist)).fold(f64::INFINITY, f64::min) < 1.2);
    }
    let wrong = changed::one("anatomy", json!({"spere 1": {"length": 2}}));
    let error = DeformGraph::single_with("baseline", &wrong).unwrap().bind(&rig).err().unwrap().to_string();
    assert!(error.contains("did you mean"), "{error}");
}

#[test]
fn what_comes_in_moved_goes_with_the_bone() {
    let rig = chain([1.0, 1.0, 1.0], 6.0, 0.0, 0.1);
    let top = (0..rig.mesh.positions.len()).max_by(|&a, &b| {
        let far = |i: usize| rig.mesh.positions[i].x;
        far(a).total_cmp(&far(b))
    });
    let top = top.unwrap();
    let motion = bent(&rig, &[("sphere 1", 90.0, DVec3::Z)]);
    let mut bound = DeformGraph::single("baseline").unwrap().bind(&rig).unwrap();
    let before = bound.evaluate(&rig.mesh.positions, &motion)[top];
    let mut raised = rig.mesh.positions.clone();
    raised[top] += Vec3::X;
    let after = bound.evaluate(&raised, &motion)[top];
    assert!((after - before).distance(Vec3::Y) < 1e-4, "{}", after - before);
}
