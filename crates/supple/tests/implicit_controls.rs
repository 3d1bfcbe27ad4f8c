//! Every control of implicit skinning changes what it says it changes, and nothing else.

use glam::{Vec3, Vec3A};
use supple::{
    deform::{
        Clock, Deformer, Frame, Values,
        implicit::{ContactGauge, Implicit, JointSettings, MovedSample, SampleRef},
    },
    example::{self, ArmOptions},
    field::{Operator, compose::Posed},
    graph::DeformGraph,
    measure::{RigGauge, field_outward, flipped},
    pose::{Motion, Pose},
    rig::{Rig, WeightsBuilder},
};

fn arm() -> Rig {
    example::arm(&ArmOptions { vertices: 2000, plain: true, ..Default::default() }).expect("an arm")
}

fn bent(rig: &Rig, degrees: f64) -> Motion {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None).expect("a hinge");
    Motion::of(rig, &pose)
}

fn moved(implicit: &Implicit, rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    let mut running = implicit.bind(rig).expect("it binds").state();
    let mut out = rig.mesh.positions.clone();
    let inputs = [Values::of(&rig.mesh.positions)];
    running.run(&Frame { motion, inputs: &inputs, clock: Clock::first(0.0) }, bytemuck::cast_slice_mut(&mut out));
    out
}

/// With something of the forearm's own.
fn with(own: JointSettings) -> Implicit {
    Implicit { joints: [("forearm".to_owned(), own)].into(), ..Default::default() }
}

#[test]
fn an_amount_of_nothing_is_the_start_and_maps_are_followed_vertex_by_vertex() {
    let rig = arm();
    let motion = bent(&rig, 100.0);
    let whole = moved(&Implicit::default(), &rig, &motion);
    let start = DeformGraph::single("dual-quaternion").and_then(|g| g.bind(&rig));
    let start = start.expect("it binds").evaluate(&rig.mesh.positions, &motion).to_vec();
    assert_eq!(moved(&Implicit { amount: vec![0.0], ..Default::default() }, &rig, &motion), start);
    let map: Vec<f32> = (0..whole.len()).map(|v| (v % 2) as f32).collect();
    let mixed = moved(&Implicit { amount: map, ..Default::default() }, &rig, &motion);
    let far = |a: Vec3, b: Vec3| a.distance(b) > 1e-6;
    assert!(mixed.iter().enumerate().all(|(v, p)| !far(*p, if v % 2 == 1 { whole[v] } else { start[v] })));
    assert!(whole.iter().zip(&start).any(|(a, b)| far(*a, *b)));
}

#[test]
fn an_operator_of_one_joint_moves_only_what_is_near_it() {
    let rig = example::hand(&example::HandOptions { vertices: 6000, ..Default::default() }).expect("a hand");
    let clip = rig.clip("fist").expect("a fist");
    let motion = Motion::of(&rig, &clip.sample(&rig, 0.6 * f64::from(clip.duration())));
    let plain = Implicit::default();
    let pairs = plain.volume(&rig).expect("volumes");
    let joint = pairs.body.pairs.iter().rev().find_map(|p| p.joint).expect("a joint");
    let name = &rig.skeleton.joints()[joint].name;
    let own = JointSettings { operator: Some(Operator::bulge()), ..Default::default() };
    let changed = Implicit { joints: [(name.clone(), own)].into(), ..Default::default() };
    let (a, b) = (moved(&plain, &rig, &motion), moved(&changed, &rig, &motion));
    let at = motion.posed_from_joint[joint].translation.as_vec3();
    let bone = rig.diagonal() * 0.2;
    let differ: Vec<f32> = a.iter().zip(&b).filter(|(a, b)| a != b).map(|(a, _)| a.distance(at)).collect();
    assert!(!differ.is_empty(), "the operator of {name} does nothing");
    let farthest = differ.iter().copied().fold(0.0, f32::max);
    assert!(farthest < bone, "{name} has changed skin {farthest} away from it, of {bone}");
}

#[test]
fn edits_of_samples_and_caps_change_the_field_of_one_limb_alone() {
    let rig = arm();
    let plain = Implicit::default().volume(&rig).expect("volumes");
    let count = plain.body.limbs[1].samples.len();
    let first = plain.body.limbs[1].samples[0];
    let out = first.at + 0.1 * first.normal;
    let edits = [
        (JointSettings { remove: vec![0.into(), 3.into()], ..Default::default() }, count - 2),
        (
            JointSettings { moved: vec![MovedSample { from: 0.into(), to: out.to_array() }], ..Default::default() },
            count,
        ),
        (JointSettings { add: vec![[3.0, 0.55, 0.0, 0.0, 2.0, 0.0]], ..Default::default() }, count + 1),
        (JointSettings { cap: Some(0.7), ..Default::default() }, count),
    ];
    for (edit, left) in edits {
        let edited = with(edit.clone()).volume(&rig).expect("volumes");
        assert_eq!(edited.body.limbs[0].grid, plain.body.limbs[0].grid, "{edit:?} has changed the other limb");
        assert_ne!(edited.body.limbs[1].grid, plain.body.limbs[1].grid, "{edit:?} changes nothing");
        assert_eq!(edited.body.limbs[1].samples.len(), left, "{edit:?}");
    }
    let moved =
        with(JointSettings { moved: vec![MovedSample { from: 0.into(), to: out.to_array() }], ..Default::default() });
    let moved = moved.volume(&rig).expect("volumes");
    let value = |body: &supple::field::Body| {
        let mut posed = Posed::of(body);
        posed.update(body, &Motion::uniform(rig.skeleton.len(), glam::DAffine3::IDENTITY));
        posed.limb(body, 1, Vec3A::from(first.at.as_vec3())).expect("inside the grid").value
    };
    // The surface has gone outwards, so that the old place is deeper.
    assert!(value(&moved.body) > value(&plain.body) + 0.02);
}

#[test]
fn samples_are_numbered_as_the_unedited_limb_has_them() {
    // A limb whose samples were doubled must not fall back to fewer when one is taken away.
    let rig = arm();
    let strict = |joints| {
        let sampling = supple::field::Sampling { count: 20, error: Some(1e-3), seed: 0, cap: 1.0 };
        Implicit { sampling, joints, ..Default::default() }.volume(&rig).expect("volumes").body
    };
    let (plain, own) = (strict(Default::default()), JointSettings { remove: vec![5.into()], ..Default::default() });
    let edited = strict([("forearm".to_owned(), own)].into());
    assert!(plain.limbs[1].samples.len() > 20);
    let mut expected = plain.limbs[1].samples.clone();
    expected.remove(5);
    assert_eq!(edited.limbs[1].samples, expected);
}

#[test]
fn one_limb_is_refitted_to_the_same_volume_as_all_of_them() {
    let rig = arm();
    let own = JointSettings {
        remove: vec![0.into()],
        cap: Some(0.8),
        operator: Some(Operator::blend()),
        ..Default::default()
    };
    let edited = with(own);
    let mut volume = Implicit::default().volume(&rig).expect("volumes");
    assert_eq!(edited.refit(&rig, &mut volume, 1), Ok(true));
    let anew = edited.volume(&rig).expect("volumes");
    assert_eq!(volume.body.limbs[1].grid, anew.body.limbs[1].grid);
    assert_eq!(volume.body.limbs[0].grid, anew.body.limbs[0].grid);
    assert_eq!(volume.body.pairs, anew.body.pairs);
    // With all of its samples taken away it stays as it was.
    let count = Implicit::default().volume(&rig).expect("volumes").body.limbs[1].samples.len();
    let bare = with(JointSettings { remove: (0..count).map(SampleRef::from).collect(), ..Default::default() });
    assert_eq!(bare.refit(&rig, &mut volume, 1), Ok(false));
    assert_eq!(volume.body.limbs[1].grid, anew.body.limbs[1].grid);
}

#[test]
fn settings_come_back_from_their_saved_form() {
    let own = JointSettings {
        operator: Some(Operator::bulge()),
        cap: Some(0.75),
        remove: vec![4.into(), SampleRef::At([0.1, 0.25, -1.0])],
        moved: vec![MovedSample { from: SampleRef::At([0.5, 0.0, 0.125]), to: [1.0, 2.0, 3.5] }],
        add: vec![[0.0, 1.0, 0.0, 0.0, 0.0, 1.0]],
    };
    let implicit = Implicit { operator: Operator::blend(), amount: vec![0.25, 1.0], ..with(own) };
    assert_eq!(Implicit::from_settings(&implicit.to_settings()), Ok(implicit.clone()));
    let graph = DeformGraph::single_with("implicit", &implicit.to_settings()).expect("a graph");
    let read = DeformGraph::from_json(&graph.to_json()).expect("a graph");
    assert_eq!(Implicit::in_graph(&read), Some(implicit));
    assert_eq!(Implicit::in_graph(&DeformGraph::single("linear").expect("a graph")), None);
}

/// The same arm, a ring of which round the elbow somebody has painted: the skin is parted elsewhere.
fn painted(rig: &Rig) -> Rig {
    painted_up_to(rig, 2.1)
}

fn painted_up_to(rig: &Rig, x: f32) -> Rig {
    let weights = rig.weights.as_ref().expect("weights");
    let mut table = WeightsBuilder::with_capacity(weights.len(), 4);
    for vertex in 0..weights.len() {
        if (1.6..x).contains(&rig.mesh.positions[vertex].x) {
            table.push([(0, 1.0)]);
        } else {
            let (joints, values) = weights.row(vertex);
            table.push(joints.iter().copied().zip(values.iter().copied()));
        }
    }
    Rig { weights: Some(table.finish(|_| 0).0), ..rig.clone() }
}

#[test]
fn edited_samples_are_found_by_their_place_after_painting() {
    let rig = arm();
    let (plain, after) = (Implicit::default().volume(&rig).expect("volumes"), painted(&rig));
    let again = Implicit::default().volume(&after).expect("volumes");
    let (own, other) = (&plain.body.limbs[1].samples, &again.body.limbs[1].samples);
    assert_ne!(own, other, "painting throws every sample anew");
    // Two that are far from the elbow: one goes, one is pulled out.
    let mut far: Vec<_> = own.iter().filter(|p| p.at.x > 2.8).copied().collect();
    let (removed, moved) = (far.remove(0), far.pop().expect("there are some"));
    let to = (moved.at + 0.1 * moved.normal).to_array();
    let edits = JointSettings {
        remove: vec![SampleRef::At(removed.at.to_array())],
        moved: vec![MovedSample { from: SampleRef::At(moved.at.to_array()), to }],
        ..Default::default()
    };
    // On the skin that they were made on they are exact.
    let number = |at: glam::DVec3| own.iter().position(|p| p.at == at).expect("one of them").into();
    let by_number = JointSettings {
        remove: vec![number(removed.at)],
        moved: vec![MovedSample { from: number(moved.at), to }],
        ..Default::default()
    };
    let samples = |own: &JointSettings, rig| {
        let volume = with(own.clone()).volume(rig).expect("volumes");
        (volume.body.limbs[1].samples.clone(), volume.notes)
    };
    assert_eq!(samples(&edits, &rig), samples(&by_number, &rig));
    assert_eq!(by_number.at_places(own), edits);
    // And after painting they do the same at the same places, without a word.
    let (left, notes) = samples(&edits, &after);
    assert_eq!(left.len(), other.len() - 1, "{notes:?}");
    assert!(left.iter().any(|p| p.at.to_array() == to), "the moved one stays where it was put");
    let gone = other.iter().filter(|p| !left.contains(p));
    let near: Vec<f64> = gone.map(|p| p.at.distance(removed.at).min(p.at.distance(moved.at))).collect();
    assert!(near.len() == 2 && near.iter().all(|d| *d < 0.5), "{near:?}");
    assert_eq!(notes, again.notes);
    // Skin that went to another limb takes its samples along: those are left out, each with a line.
    let near = own.iter().min_by(|a, b| a.at.x.total_cmp(&b.at.x)).expect("samples").at.to_array();
    let numbers = JointSettings { remove: vec![SampleRef::At(near), 900.into()], ..Default::default() };
    let after = painted_up_to(&after, 3.2);
    let (_, notes) = samples(&numbers, &after);
    let lost: Vec<&String> = notes.iter().filter(|n| n.contains("left out")).collect();
    assert_eq!(lost.len(), 2, "{notes:?}");
    assert!(lost[1].contains("joint \"forearm\": there is no sample 900 to be removed"), "{lost:?}");
}

#[test]
fn pressure_and_area_grow_with_the_bend() {
    let rig = arm();
    let implicit = Implicit::default();
    let gauge = ContactGauge::new(&implicit, &rig).expect("volumes");
    let contacts = |degrees: f64| {
        let motion = bent(&rig, degrees);
        gauge.contacts(&motion, &moved(&implicit, &rig, &motion))
    };
    assert_eq!(contacts(0.0), []);
    assert_eq!(contacts(20.0), []);
    let mut before = (0.0, 0.0, 0.0);
    for degrees in [90.0, 110.0, 130.0] {
        let [contact] = &contacts(degrees)[..] else { panic!("one contact at {degrees}") };
        assert_eq!(contact.joint.as_deref(), Some("forearm"));
        let reach = contact.reach.expect("jointed");
        assert!(contact.mean_pressure > 0.0 && contact.mean_pressure <= contact.largest_pressure);
        assert!(contact.largest_pressure > before.0 && contact.area > before.1 && reach > before.2, "{contact:?}");
        assert!(!contact.is_full());
        before = (contact.largest_pressure, contact.area, reach);
    }
    // The skins of two tubes of radius r meet at r / tan((180 - bend) / 2) from the joint: 0.5 / tan 25 over a bone of 2.
    assert!((before.2 - 0.536).abs() < 0.05, "{}", before.2);
}

#[test]
fn thinner_limbs_bend_farther_until_they_touch_all_along() {
    let angle = |thickness: f32| {
        let mut rig = arm();
        rig.mesh.positions.iter_mut().for_each(|p| (p.y, p.z) = (p.y * thickness, p.z * thickness));
        let gauge = ContactGauge::new(&Implicit::default(), &rig).expect("volumes");
        gauge.full_contact_angle(&rig, "forearm").expect("a hinge").expect("an angle")
    };
    let (thick, usual, thin) = (angle(1.6), angle(1.0), angle(0.5));
    assert!(thick < usual && usual < thin, "{thick} {usual} {thin}");
    // 0.9 of a bone of 2 is where tubes of radius 0.5 meet at 180 - 2 atan(0.5 / 1.8).
    assert!((usual - 149.0).abs() < 2.0, "{usual}");
    let rig = arm();
    let gauge = ContactGauge::new(&Implicit::default(), &rig).expect("volumes");
    assert_eq!(gauge.full_contact_angle(&rig, "upper_arm"), Ok(None));
    assert!(gauge.full_contact_angle(&rig, "forerm").is_err());
}

#[test]
fn flipped_is_judged_by_fields_and_rest_is_taken_off() {
    let rig = example::arm(&ArmOptions { vertices: 8003, plain: true, ..Default::default() }).expect("an arm");
    let implicit = Implicit::default();
    let body = implicit.volume(&rig).expect("volumes").body;
    let gauge = RigGauge::new(&rig).expect("a gauge").with_volume(&rig, body);
    let motion = bent(&rig, 135.0);
    let flipped = |points: &[Vec3], motion: &Motion| gauge.figures(motion, points).expect("figures").flipped;
    assert_eq!(flipped(&rig.mesh.positions, &bent(&rig, 0.0)), Some(0.0));
    let found = flipped(&moved(&implicit, &rig, &motion), &motion).expect("a figure");
    assert!(found < 1e-3, "{found}");
    // A skin turned inside out is flipped all over, less the little that fields doubt at rest.
    let inside_out: Vec<Vec3> = rig.mesh.positions.iter().map(|p| Vec3::new(p.x, p.y, -p.z)).collect();
    assert!(flipped(&inside_out, &bent(&rig, 0.0)).is_some_and(|f| f > 0.95));
}

#[test]
fn what_fields_doubt_at_rest_is_no_fault_of_the_pose() {
    let rig = example::figure(&example::FigureOptions { vertices: 8000, ..Default::default() }).expect("a figure");
    let body = Implicit::default().volume(&rig).expect("volumes").body;
    let still = Motion::uniform(rig.skeleton.len(), glam::DAffine3::IDENTITY);
    let points: Vec<glam::DVec3> = rig.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
    let doubted = flipped(&points, &rig.mesh.triangles, field_outward(&body, &still, |_, _, _| ()));
    assert!(doubted > 0, "nothing to take off");
    let gauge = RigGauge::new(&rig).expect("a gauge").with_volume(&rig, body);
    assert_eq!(gauge.figures(&still, &rig.mesh.positions).expect("figures").flipped, Some(0.0));
}
