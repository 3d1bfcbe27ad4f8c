//! Settings that change on a rig that is bound already: the result is that of a new binding, bit for bit, and what the change does
//! not touch is taken over.

use glam::Vec3;
use serde_json::{Value, json};
use std::sync::Arc;
use supple::{
    deform::{
        Clock,
        implicit::BoundImplicit,
        setting::{Cost, Setting},
    },
    example,
    graph::{Binding, DeformGraph, GraphFile, Method, methods},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_testkit::{changed, golden, rigs};

/// The graph of a method with one setting as it comes or changed, and which node that is.
fn graph(method: &Method, change: Option<(&Setting, &Value)>) -> DeformGraph {
    let mut file: GraphFile = golden::graph(method.name).to_file();
    let node = file.nodes.iter_mut().find(|n| n.method == method.name).expect("its own node");
    if let Some((setting, value)) = change {
        node.settings.insert(setting.name.to_owned(), value.clone());
    }
    DeformGraph::from_file(&file).expect("it fits")
}

/// Points in frames that follow each other, and in one that does not.
fn moved(binding: &Arc<Binding>, rig: &Rig) -> Vec<Vec<[u32; 3]>> {
    let mut running = binding.run();
    let rest = Motion::of(rig, &Pose::rest(rig));
    let (bent, stretched) = (Motion::of(rig, &rigs::tube_pose(rig)), rigs::stretched(rig));
    let first = Clock::first(0.0);
    let clocks = [first, Clock::after(first, 0.1), Clock::first(2.0)];
    let bits = |points: &[Vec3]| points.iter().map(|p| p.to_array().map(f32::to_bits)).collect();
    [&rest, &bent, &stretched]
        .into_iter()
        .zip(clocks)
        .map(|(m, c)| bits(running.step(&rig.mesh.positions, m, c)))
        .collect()
}

fn notes(binding: &Binding) -> Vec<(&str, &str)> {
    binding.notes().collect()
}

#[test]
fn every_change_of_every_setting_gives_what_a_new_binding_gives() {
    let rig = rigs::tube();
    for method in methods() {
        let plain = graph(method, None).binding(&rig).unwrap();
        let as_it_comes = moved(&plain, &rig);
        for setting in method.settings {
            for value in changed::values(method, setting, &rig) {
                let said =
                    format!("{}: {} = {}", method.name, setting.name, value.to_string().get(..60).unwrap_or("…"));
                let graph = graph(method, Some((setting, &value)));
                let (anew, again) = (graph.binding(&rig).unwrap(), graph.rebinding(&rig, &plain).unwrap());
                assert!(moved(&again, &rig) == moved(&anew, &rig), "{said}");
                assert_eq!(notes(&again), notes(&anew), "{said}");
                assert_eq!(again.remembers(), anew.remembers(), "{said}");
                let back = self::graph(method, None).rebinding(&rig, &again).unwrap();
                assert!(moved(&back, &rig) == as_it_comes && notes(&back) == notes(&plain), "{said}, and back");
            }
        }
    }
}

fn implicit(settings: Value) -> DeformGraph {
    let settings = settings.as_object().expect("settings").clone();
    DeformGraph::single_with("implicit", &settings.into()).expect("they fit")
}

fn bound(binding: &Binding) -> Arc<BoundImplicit> {
    binding.last().expect("it is implicit skinning")
}

/// Which limbs were fitted anew from one binding to the next.
fn fitted(before: &Binding, after: &Binding) -> Vec<usize> {
    let [before, after] = [before, after].map(|b| bound(b).volume.body.clone());
    assert_eq!(before.limbs.len(), after.limbs.len());
    (0..before.limbs.len()).filter(|&i| !Arc::ptr_eq(&before.limbs[i].grid, &after.limbs[i].grid)).collect()
}

#[test]
fn settings_cost_what_their_schema_says() {
    let rig = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
    let plain = implicit(json!({})).binding(&rig).unwrap();
    let method = supple::graph::method("implicit").unwrap();
    for setting in method.settings {
        let value = changed::values(method, setting, &rig).remove(0);
        let again = graph(method, Some((setting, &value))).rebinding(&rig, &plain).unwrap();
        let shares_volume = Arc::ptr_eq(&bound(&plain).volume, &bound(&again).volume);
        let shares_limbs = fitted(&plain, &again).is_empty();
        let found = if shares_volume { Cost::Nothing } else { Cost::Tables };
        match setting.cost {
            Cost::Nothing => assert_eq!(found, Cost::Nothing, "{}", setting.name),
            Cost::Tables => assert!(shares_limbs, "{}", setting.name),
            Cost::Binding => assert!(!shares_limbs, "{}", setting.name),
        }
    }
}

#[test]
fn a_joint_that_is_set_otherwise_has_its_limb_alone_fitted_anew() {
    let rig = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
    let plain = implicit(json!({})).binding(&rig).unwrap();
    let mut last = plain.clone();
    for (own, limbs) in [
        (json!({"operator": "blend"}), vec![]),
        (json!({"operator": {"kind": "blend", "theta": [0, 45, 90, 45, 24, 45, 1, 1]}}), vec![]),
        (json!({"cap": 0.7}), vec![1]),
        (json!({"cap": 0.7, "operator": "bulge"}), vec![]),
        (json!({"cap": 0.7, "operator": "bulge", "remove": [3]}), vec![1]),
        (json!({"add": [[3.0, 0.55, 0.0, 0.0, 2.0, 0.0]]}), vec![1]),
        (json!({}), vec![1]),
    ] {
        let graph = implicit(json!({"joints": {"forearm": own.clone()}}));
        let next = graph.rebinding(&rig, &last).unwrap();
        assert_eq!(fitted(&last, &next), limbs, "{own}");
        let anew = graph.binding(&rig).unwrap();
        let [a, b] = [&next, &anew].map(|binding| {
            let mut pose = Pose::rest(&rig);
            pose.bend(&rig, "forearm", 100.0, None).unwrap();
            binding.run().evaluate(&rig.mesh.positions, &Motion::of(&rig, &pose)).to_vec()
        });
        assert!(a == b && notes(&next) == notes(&anew), "{own}");
        last = next;
    }
    // A limb that loses its field, and one that gets it back, is as in a new binding.
    let all: Vec<usize> = (0..bound(&plain).volume.body.limbs[1].samples.len()).collect();
    let without = implicit(json!({"joints": {"forearm": {"remove": all}}}));
    let (next, anew) = (without.rebinding(&rig, &plain).unwrap(), without.binding(&rig).unwrap());
    assert_eq!(bound(&next).volume.body.limbs.len(), 1);
    assert_eq!(notes(&next), notes(&anew));
    let back = implicit(json!({})).rebinding(&rig, &next).unwrap();
    assert_eq!(bound(&back).volume.body.limbs.len(), 2);
    assert_eq!(notes(&back), notes(&plain));
}

#[test]
fn what_cannot_be_bound_is_refused_in_the_words_of_a_new_binding() {
    let rig = rigs::tube();
    let plain = implicit(json!({})).binding(&rig).unwrap();
    for settings in [
        json!({"joints": {"elbow": {"cap": 0.5}}}),
        json!({"joints": {"middle": {"add": [[1e9, 0, 0, 1, 0, 0]]}}}),
        json!({"amount": [0.5, 0.5]}),
    ] {
        let graph = implicit(settings);
        let [anew, again] = [graph.binding(&rig), graph.rebinding(&rig, &plain)].map(|b| b.err().unwrap().to_string());
        assert_eq!(again, anew);
    }
}

#[test]
fn nodes_that_are_set_as_before_are_taken_over() {
    let rig = rigs::tube();
    let file = |amount: f64, sigma: f64| {
        let text = format!(
            r#"{{"version": 1, "output": "mix", "nodes": [
            {{"name": "mix", "method": "mix", "inputs": ["a", "b"], "settings": {{"amount": {amount}}}}},
            {{"name": "a", "method": "implicit", "inputs": ["rest"]}},
            {{"name": "b", "method": "rotation-center", "inputs": ["rest"], "settings": {{"sigma": {sigma}}}}}]}}"#
        );
        DeformGraph::from_json(&text).unwrap()
    };
    let plain = file(0.25, 0.1).binding(&rig).unwrap();
    let shared = |again: &Binding| {
        let same = |name: &str| {
            let [a, b] = [&plain, again].map(|x| x.nodes().iter().find(|n| n.name == name).unwrap().bound.clone());
            Arc::ptr_eq(&a, &b)
        };
        ["mix", "a", "b"].map(same)
    };
    assert_eq!(shared(&file(0.25, 0.1).rebinding(&rig, &plain).unwrap()), [true, true, true]);
    assert_eq!(shared(&file(0.75, 0.1).rebinding(&rig, &plain).unwrap()), [false, true, true]);
    assert_eq!(shared(&file(0.25, 0.2).rebinding(&rig, &plain).unwrap()), [true, true, false]);
    let (anew, again) = (file(0.75, 0.2).binding(&rig).unwrap(), file(0.75, 0.2).rebinding(&rig, &plain).unwrap());
    assert!(moved(&anew, &rig) == moved(&again, &rig));
}
