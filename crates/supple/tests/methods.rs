//! Every registered method: its contract, its golden, its papers.

use glam::{DQuat, Vec3};
use std::path::PathBuf;
use supple::{
    deform::{Clock, Settings},
    graph::{DeformGraph, GraphError, Kernel, methods},
    pose::{Motion, Pose},
};
use supple_testkit::{changed, contract, golden, largest_distance, page, rigs};

#[test]
fn every_method_keeps_the_contract() {
    for method in methods() {
        contract::check(&golden::graph(method.name));
    }
}

#[test]
fn what_a_setting_makes_remember_forgets_and_goes_on_as_it_should() {
    let rig = rigs::tube();
    let mut found = Vec::new();
    for method in methods() {
        for setting in method.settings {
            for value in changed::values(method, setting, &rig) {
                let mut file = golden::graph(method.name).to_file();
                let node = file.nodes.iter_mut().find(|n| n.method == method.name).expect("its own node");
                node.settings.insert(setting.name.to_owned(), value.clone());
                let graph = DeformGraph::from_file(&file).expect("it fits");
                if graph.binding(&rig).expect("the tube suits every method").remembers() {
                    contract::a_new_beginning_forgets(&graph);
                    contract::a_checkpoint_goes_on(&graph);
                    found.push(format!("{} {}={value}", method.name, setting.name));
                }
            }
        }
    }
    assert!(found.iter().any(|graph| graph == r#"implicit tracking="robust""#), "{found:?}");
}

#[test]
fn every_method_gives_its_golden() {
    for method in methods() {
        let distance = golden::distance(method.name, &golden::points(&golden::graph(method.name)));
        assert!(distance <= golden::TOLERANCE, "{} is {distance} of the diagonal from its golden", method.name);
    }
}

#[test]
fn every_method_writes_the_same_points_into_memory_of_others() {
    let rig = rigs::tube();
    let pose = rigs::tube_pose(&rig);
    for method in methods() {
        let graph = golden::graph(method.name);
        let (mut inside, mut outside) = (graph.bind(&rig).unwrap(), graph.bind(&rig).unwrap());
        // What was there before must not matter.
        let mut out = vec![Vec3::NAN; rig.mesh.positions.len()];
        for motion in [Motion::of(&rig, &Pose::rest(&rig)), Motion::of(&rig, &pose)] {
            outside.step_into(&rig.mesh.positions, &motion, Clock::first(0.0), &mut out);
            assert_eq!(inside.evaluate(&rig.mesh.positions, &motion), out, "{}", method.name);
        }
    }
}

#[test]
fn a_golden_refuses_another_result() {
    let mut points = golden::points(&golden::graph("linear"));
    points[0][3].x += 1e-4;
    assert!(golden::distance("linear", &points) > golden::TOLERANCE);
    points[0][3].x = f32::NAN;
    assert!(golden::distance("linear", &points).is_nan());
}

#[test]
fn every_method_has_its_page_and_its_kernel_or_a_reason() {
    for method in methods() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = root.join(format!("docs/src/methods/{}.md", method.name));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        page::check(method, &text);
        match method.kernel {
            Kernel::Twin(file) => {
                assert!(root.join("crates/supple-gpu/kernels").join(file).exists(), "{file} is missing")
            }
            Kernel::None(reason) => assert!(!reason.is_empty()),
        }
        let summary = std::fs::read_to_string(root.join("docs/src/SUMMARY.md")).expect("the book has a summary");
        assert!(summary.contains(&format!("methods/{}.md", method.name)), "{} is not in the summary", method.name);
    }
}

#[test]
fn no_method_takes_any_setting() {
    for method in methods() {
        let unknown = Settings::from_iter([("no such thing".to_owned(), 1.into())]);
        assert!((method.make)(&unknown).is_err(), "{} takes any setting", method.name);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let rig = {
        let mut rig = rigs::tube();
        // More vertices than a block, so that threads really share them.
        let copies = 40;
        let (points, triangles) = (rig.mesh.positions.clone(), rig.mesh.triangles.clone());
        for copy in 1..copies {
            let (shift, first) = (Vec3::Y * copy as f32, (copy * points.len()) as u32);
            rig.mesh.positions.extend(points.iter().map(|p| *p + shift));
            rig.mesh.triangles.extend(triangles.iter().map(|t| t.map(|i| i + first)));
        }
        let mut weights = supple::rig::WeightsBuilder::default();
        for v in 0..rig.mesh.positions.len() {
            let (joints, values) = rigs::tube().weights.as_ref().map_or_else(
                || unreachable!("the tube has weights"),
                |w| {
                    let row = w.row(v % w.len());
                    (row.0.to_vec(), row.1.to_vec())
                },
            );
            weights.push(joints.into_iter().zip(values));
        }
        rig.weights = Some(weights.finish(|_| 0).0);
        rig
    };
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    for method in methods().iter().filter(|m| m.stands_alone) {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| {
                let mut bound = DeformGraph::single(method.name).unwrap().bind(&rig).unwrap();
                bound.evaluate(&rig.mesh.positions, &motion).to_vec()
            })
        };
        assert_eq!(on(1), on(3), "{}", method.name);
    }
}

#[test]
fn dual_quaternions_keep_the_thickness_that_linear_loses() {
    let rig = rigs::tube();
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "middle", 175.0).unwrap();
    let motion = Motion::of(&rig, &pose);
    let thinnest = |method: &str| {
        let mut bound = DeformGraph::single(method).unwrap().bind(&rig).unwrap();
        let moved = bound.evaluate(&rig.mesh.positions, &motion).to_vec();
        let along = |p: &Vec3| (0.5..2.5).contains(&p.x);
        let radius = |p: &Vec3| Vec3::new(0.0, p.y, p.z).length();
        let kept = moved.iter().zip(&rig.mesh.positions).filter(|(_, r)| along(r)).map(|(m, r)| radius(m) / radius(r));
        kept.fold(f32::INFINITY, f32::min)
    };
    assert!(thinnest("linear") < 0.3, "linear is expected to collapse, keeps {}", thinnest("linear"));
    assert!(thinnest("dual-quaternion") > 0.95, "dual quaternions keep {}", thinnest("dual-quaternion"));
}

#[test]
fn a_joint_scale_is_kept_where_one_joint_owns_the_vertex() {
    let rig = rigs::tube();
    let motion = rigs::stretched(&rig);
    let moved =
        |m: &str| DeformGraph::single(m).unwrap().bind(&rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
    let (linear, dual) = (moved("linear"), moved("dual-quaternion"));
    let weights = rig.weights.as_ref().unwrap();
    let whole: Vec<usize> = (0..weights.len()).filter(|&v| weights.row(v).0 == [2]).collect();
    assert!(!whole.is_empty());
    for v in whole {
        assert!(linear[v].distance(dual[v]) < 1e-5 * rig.diagonal());
    }
}

#[test]
fn opposite_signs_of_a_motion_do_not_matter() {
    let rig = rigs::tube();
    let mut bound = DeformGraph::single("dual-quaternion").unwrap().bind(&rig).unwrap();
    let mut last: Option<Vec<Vec3>> = None;
    // Through the half turn, where a quaternion changes sign, neighbouring poses must stay neighbours.
    for degrees in (0..=340).step_by(2) {
        let mut pose = Pose::rest(&rig);
        pose.local[0] *= glam::DAffine3::from_quat(DQuat::from_rotation_x(f64::from(degrees).to_radians()));
        let moved = bound.evaluate(&rig.mesh.positions, &Motion::of(&rig, &pose)).to_vec();
        if let Some(last) = &last {
            assert!(largest_distance(&moved, last, rig.diagonal()) < 0.02, "a jump at {degrees} degrees");
        }
        last = Some(moved);
    }
}

fn refused(json: &str) -> GraphError {
    DeformGraph::from_json(json).expect_err("it must be refused")
}

#[test]
fn skinning_twice_is_refused() {
    let twice = r#"{"version": 1, "output": "b", "nodes": [
        {"name": "a", "method": "linear", "inputs": ["rest"]}, {"name": "b", "method": "linear", "inputs": ["a"]}]}"#;
    assert!(matches!(refused(twice), GraphError::Space { .. }));
}

#[test]
fn mixing_rest_with_posed_points_is_refused() {
    let mixed = r#"{"version": 1, "output": "m", "nodes": [
        {"name": "a", "method": "linear", "inputs": ["rest"]}, {"name": "m", "method": "mix", "inputs": ["a", "rest"]}]}"#;
    assert!(matches!(refused(mixed), GraphError::Space { .. }));
}

#[test]
fn broken_graphs_are_refused_by_name() {
    let one = |rest: &str| format!(r#"{{"version": 1, "output": "a", "nodes": [{rest}]}}"#);
    assert!(matches!(
        refused(&one(r#"{"name": "a", "method": "magic", "inputs": []}"#)),
        GraphError::UnknownMethod { .. }
    ));
    assert!(matches!(
        refused(&one(r#"{"name": "a", "method": "linear", "inputs": ["b"]}"#)),
        GraphError::UnknownSource { .. }
    ));
    assert!(matches!(
        refused(&one(r#"{"name": "a", "method": "linear", "inputs": []}"#)),
        GraphError::InputCount { .. }
    ));
    assert!(matches!(refused(&one(r#"{"name": "a", "method": "linear", "inputs": ["a"]}"#)), GraphError::Cycle(_)));
    assert!(matches!(
        refused(&one(r#"{"name": "b", "method": "linear", "inputs": ["rest"]}"#)),
        GraphError::UnknownOutput(_)
    ));
    assert!(matches!(
        refused(&one(r#"{"name": "rest", "method": "linear", "inputs": ["rest"]}"#)),
        GraphError::Duplicate(_)
    ));
    assert!(matches!(refused(r#"{"version": 9, "output": "a", "nodes": []}"#), GraphError::Version(9)));
    assert!(matches!(refused("{"), GraphError::Json(_)));
}

#[test]
fn a_mix_at_its_ends_is_one_of_its_inputs() {
    let rig = rigs::tube();
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    let alone =
        |m: &str| DeformGraph::single(m).unwrap().bind(&rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
    for (amount, method) in [("0", "linear"), ("1", "dual-quaternion")] {
        let json = golden::graph("mix").to_json().replace("0.25", amount);
        let mixed =
            DeformGraph::from_json(&json).unwrap().bind(&rig).unwrap().evaluate(&rig.mesh.positions, &motion).to_vec();
        assert_eq!(mixed, alone(method));
    }
}

#[test]
fn weights_of_another_mesh_are_refused_at_bind() {
    let mut rig = rigs::tube();
    rig.mesh.positions.pop();
    rig.mesh.triangles.clear();
    assert!(DeformGraph::single("linear").unwrap().bind(&rig).is_err());
    rig.weights = None;
    let error = DeformGraph::single("linear").unwrap().bind(&rig).err().unwrap().to_string();
    assert!(error.contains("needs skin weights"), "{error}");
}

#[test]
fn skin_starts_from_every_method_that_stands_alone_and_starts_from_no_other() {
    let implicit = supple::graph::method("implicit").expect("it is registered");
    let start = implicit.settings.iter().find(|s| s.name == "start").expect("it has a start");
    let others = methods().iter().filter(|m| m.stands_alone && m.name != "implicit");
    assert_eq!(start.words(), others.map(|m| m.name).collect::<Vec<_>>());
    let itself = Settings::from_iter([("start".to_owned(), "implicit".into())]);
    let error = (implicit.make)(&itself).expect_err("it would start from itself").to_string();
    assert!(error.contains("there are 9: linear, dual-quaternion"), "{error}");
}
