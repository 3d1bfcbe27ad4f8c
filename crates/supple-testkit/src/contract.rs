//! What every deformer promises, whatever it computes.

use crate::{EXACT, largest_distance, rigs};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use supple::{
    deform::Clock,
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
};

fn evaluate(graph: &DeformGraph, rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    graph.bind(rig).expect("the tube suits every method").evaluate(&rig.mesh.positions, motion).to_vec()
}

/// Runs the whole contract on a graph.
///
/// # Panics
/// Where the contract is broken; the message says which clause.
pub fn check(graph: &DeformGraph) {
    rest_pose_is_identity(graph);
    rigid_motion_is_followed(graph);
    scale_does_not_matter(graph);
    a_distant_prop_changes_nothing(graph);
    nasty_rigs_stay_finite_or_are_refused(graph);
    a_new_beginning_forgets(graph);
    a_checkpoint_goes_on(graph);
    saving_and_loading_changes_nothing(graph);
}

fn rest_pose_is_identity(graph: &DeformGraph) {
    let rig = rigs::tube();
    let moved = evaluate(graph, &rig, &Motion::of(&rig, &Pose::rest(&rig)));
    let error = largest_distance(&moved, &rig.mesh.positions, rig.diagonal());
    assert!(error <= EXACT, "the rest pose moves by {error} of the diagonal");
}

fn rigid_motion_is_followed(graph: &DeformGraph) {
    let rig = rigs::tube();
    let motion = DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.5), DVec3::new(3.0, -1.0, 2.0));
    let expected: Vec<Vec3> =
        rig.mesh.positions.iter().map(|p| motion.transform_point3(p.as_dvec3()).as_vec3()).collect();
    let moved = evaluate(graph, &rig, &Motion::rigid(&rig, motion));
    let error = largest_distance(&moved, &expected, rig.diagonal());
    assert!(error <= EXACT, "a rigid motion is missed by {error} of the diagonal");
}

fn scale_does_not_matter(graph: &DeformGraph) {
    let rig = rigs::tube();
    let moved = evaluate(graph, &rig, &Motion::of(&rig, &rigs::tube_pose(&rig)));
    for scale in [0.01f32, 1000.0] {
        let large = rigs::tube_scaled(scale);
        let scaled = evaluate(graph, &large, &Motion::of(&large, &rigs::tube_pose(&large)));
        let back: Vec<Vec3> = scaled.iter().map(|p| *p / scale).collect();
        let error = largest_distance(&back, &moved, rig.diagonal());
        assert!(error <= EXACT, "{scale} times the size differs by {error} of the diagonal");
    }
}

fn nasty_rigs_stay_finite_or_are_refused(graph: &DeformGraph) {
    for rig in rigs::nasty() {
        let Ok(mut bound) = graph.bind(&rig) else { continue };
        let mut pose = Pose::rest(&rig);
        let last = pose.local.len() - 1;
        pose.local[last] *= DAffine3::from_quat(DQuat::from_rotation_z(2.6));
        let moved = bound.evaluate(&rig.mesh.positions, &Motion::of(&rig, &pose));
        assert!(moved.iter().all(|p| p.is_finite()), "\"{}\" gives points that are not finite", rig.name);
    }
    let rig = rigs::tube();
    let mut pose = Pose::rest(&rig);
    pose.local[2] *= DAffine3::from_scale(DVec3::ZERO);
    let moved = evaluate(graph, &rig, &Motion::of(&rig, &pose));
    assert!(moved.iter().all(|p| p.is_finite()), "a joint of zero scale gives points that are not finite");
}

/// A spear in a hand, a tail, a lost vertex, far from the skin: nothing else moves otherwise.
pub fn a_distant_prop_changes_nothing(graph: &DeformGraph) {
    let rig = rigs::tube();
    let binding = graph.binding(&rig).expect("the tube suits every method");
    for (prop, armed) in rigs::tube_with_props() {
        for share in [0.5, 1.0, 1.6] {
            // One pose for both: the axis about which a leaf is twisted follows from its skin.
            let pose = rigs::tube_pose_by(&rig, share);
            let moved = evaluate(graph, &rig, &Motion::of(&rig, &pose));
            let beside = evaluate(graph, &armed, &Motion::of(&armed, &pose));
            let error = largest_distance(&beside[..moved.len()], &moved, rig.diagonal());
            let methods: Vec<_> = binding.nodes().iter().map(|node| node.method).collect();
            assert!(error <= EXACT, "{methods:?} with {prop} beside it: skin is elsewhere by {error} of the diagonal");
        }
    }
}

/// A frame that follows none, and a reset, remember nothing. All are of one time: what goes by that alone is no memory.
pub fn a_new_beginning_forgets(graph: &DeformGraph) {
    let rig = rigs::tube();
    let mut bound = graph.bind(&rig).expect("the tube suits every method");
    let [one, next, _] = frames(&rig);
    let points = &rig.mesh.positions;
    let first = bound.step(points, &one, Clock::first(0.0)).to_vec();
    bound.step(points, &next, Clock::after(Clock::first(0.0), 0.1));
    assert_eq!(bound.step(points, &one, Clock::first(0.0)), first, "a frame that follows none remembers something");
    bound.step(points, &next, Clock::after(Clock::first(0.0), 0.1));
    bound.reset();
    let after = Clock::after(Clock::first(-0.1), 0.1);
    assert_eq!(bound.step(points, &one, after), first, "reset does not bring the first frame back");
}

/// Another run goes on from a checkpoint as the first does.
pub fn a_checkpoint_goes_on(graph: &DeformGraph) {
    let rig = rigs::tube();
    let points = &rig.mesh.positions;
    let motions = frames(&rig);
    let clock = |frame| Clock::frame(frame, 0, 30.0);
    let mut one = graph.bind(&rig).expect("the tube suits every method");
    one.step(points, &motions[0], clock(0));
    one.step(points, &motions[1], clock(1));
    let checkpoint = one.checkpoint();
    let expected = one.step(points, &motions[2], clock(2)).to_vec();
    let mut other = one.binding().run();
    other.recall(&checkpoint);
    assert_eq!(other.step(points, &motions[2], clock(2)), expected, "what is remembered is not all in a checkpoint");
    if one.binding().remembers() {
        let anew = one.binding().run().evaluate(points, &motions[2]).to_vec();
        assert_ne!(anew, expected, "it says that it remembers, and nothing comes of it");
    }
}

/// Frames so near to each other that methods go on from one to the next, in a bend so deep that the tube touches itself.
fn frames(rig: &Rig) -> [Motion; 3] {
    [1.4, 1.5, 1.6].map(|share| Motion::of(rig, &rigs::tube_pose_by(rig, share)))
}

/// What is saved and loaded moves skin as before.
pub fn saving_and_loading_changes_nothing(graph: &DeformGraph) {
    let again = DeformGraph::from_json(&graph.to_json()).expect("what was saved can be loaded");
    assert_eq!(again.to_file(), graph.to_file());
    let rig = rigs::tube();
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    assert_eq!(evaluate(&again, &rig, &motion), evaluate(graph, &rig, &motion));
}
