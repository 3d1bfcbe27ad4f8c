//! A project edits the rig it names: joints, weights, pose. What is wrong with an edit is said in one line.

use std::{collections::BTreeMap, sync::Arc};
use supple::{
    example::{self, ArmOptions},
    fit::Template,
    graph::DeformGraph,
    pose::{Motion, Pose, PoseFile},
    project::{ClipTime, PaintedWeights, Project, WeightSource, Workshop},
    rig::Rig,
    weights::flexible::{self, Options},
};

fn arm() -> Arc<Rig> {
    Arc::new(example::arm(&ArmOptions { vertices: 700, ..ArmOptions::default() }).unwrap())
}

fn project() -> Project {
    Project::new(Some("arm.glb".into()), &DeformGraph::single("linear").unwrap())
}

fn again(project: &Project) -> Project {
    Project::from_json(&project.to_json()).unwrap()
}

#[test]
fn a_project_without_edits_is_the_file() {
    let arm = arm();
    let prepared = Workshop::new(arm.clone()).prepare(&project()).unwrap();
    assert!(Arc::ptr_eq(&prepared.rig, &arm), "nothing is copied");
}

#[test]
fn older_versions_are_read() {
    for version in [1, 2] {
        let old = project().to_json().replace("\"version\": 3", &format!("\"version\": {version}"));
        assert!(old.contains(&format!("\"version\": {version},\n  \"rig\"")), "{old}");
        assert_eq!(Project::from_json(&old).unwrap(), project());
    }
}

/// Files as programs of these versions wrote them.
const WRITTEN: [&str; 3] = [
    include_str!("projects/version_1.json"),
    include_str!("projects/version_2.json"),
    include_str!("projects/version_3.json"),
];

#[test]
fn files_that_older_programs_wrote_open() {
    let [first, second, third] = WRITTEN.map(|text| Project::from_json(text).unwrap());
    assert_eq!(first.graph().unwrap().node_names().collect::<Vec<_>>(), ["soft", "firm", "both"]);
    assert!(first.weights.is_empty());
    assert_eq!(second.skeleton.moved["forearm"], [2.0, 0.1, 0.0]);
    assert_eq!(second.clip, Some(ClipTime { name: "bend".into(), time: 0.5 }));
    for painted in [&second.weights.painted, &third.weights.painted] {
        assert_eq!(painted.joints, ["forearm", "upper_arm"]);
        let rows: Vec<_> = painted.rows.rows().collect();
        assert_eq!(rows, [(3, &[(0, 0.75), (1, 0.25)][..]), (12, &[(1, 1.0)][..])]);
    }
    assert_eq!(third.methods["delta-mush"]["iterations"], 7);
    // What is written today is what was written then.
    assert_eq!(third.to_json() + "\n", WRITTEN[2]);
    let arm = arm();
    for project in [second, third] {
        let rig = Workshop::new(arm.clone()).prepare(&project).unwrap().rig;
        assert_eq!(rig.weights.as_ref().unwrap().row(3), (&[1, 0][..], &[0.75, 0.25][..]));
    }
}

#[test]
fn flexible_weights_follow_k_and_joints() {
    let arm = arm();
    let mut workshop = Workshop::new(arm.clone());
    let mut project = project();
    for k in [0.2, 1.0] {
        project.weights.source = WeightSource::Flexible {
            k,
            joints: BTreeMap::from([("forearm".to_owned(), k / 2.0)]),
            distance: Default::default(),
            ramp: Default::default(),
        };
        let options = Options { k, per_joint_k: BTreeMap::from([(1, k / 2.0)]), ..Options::default() };
        let expected = flexible::weights(&arm, &options).unwrap().0;
        let prepared = workshop.prepare(&again(&project)).unwrap();
        assert_eq!(prepared.rig.weights.as_ref(), Some(&expected), "k = {k}");
        assert!(prepared.distances.is_some());
    }
}

#[test]
fn a_moved_joint_moves_and_its_clip_with_it() {
    let arm = arm();
    let mut project = project();
    let elbow = arm.skeleton.joints()[1].rest_position();
    let to = elbow + glam::DVec3::new(0.1, 0.05, 0.0);
    project.skeleton.moved.insert("forearm".into(), to.to_array());
    let rig = Workshop::new(arm.clone()).prepare(&again(&project)).unwrap().rig;
    assert_eq!(rig.skeleton.joints()[1].rest_position(), to);
    assert_eq!(rig.skeleton.joints()[0].rest_position(), arm.skeleton.joints()[0].rest_position());
    // At the start of the clip the arm is straight, wherever the joint is.
    let pose = rig.clips[0].sample(&rig, 0.0);
    let moved = Motion::of(&rig, &pose);
    for joint in &moved.exact {
        assert!(joint.abs_diff_eq(glam::DAffine3::IDENTITY, 1e-6), "{joint:?}");
    }
}

#[test]
fn painted_rows_replace_those_below() {
    let arm = arm();
    let mut project = project();
    let mut painted = PaintedWeights::default();
    let (forearm, upper) = (painted.number_of("forearm"), painted.number_of("upper_arm"));
    assert_eq!(painted.number_of("forearm"), forearm);
    painted.rows.put([(5, vec![(forearm, 3.0), (upper, 1.0)])]);
    project.weights.painted = painted;
    let rig = Workshop::new(arm.clone()).prepare(&again(&project)).unwrap().rig;
    let weights = rig.weights.as_ref().unwrap();
    assert_eq!(weights.row(5), (&[1, 0][..], &[0.75, 0.25][..]));
    assert_eq!(weights.row(6), arm.weights.as_ref().unwrap().row(6));
}

#[test]
fn a_template_gives_a_bare_skin_joints_and_weights() {
    let options = example::FigureOptions { vertices: 3000, ..Default::default() };
    let figure = example::figure(&options).unwrap();
    let bare = Rig::of_mesh("bare", figure.mesh.clone());
    let mut project = project();
    project.skeleton.template = Some(Template::Human);
    let mut workshop = Workshop::new(Arc::new(bare));
    let rig = workshop.prepare(&again(&project)).unwrap().rig;
    assert!(rig.skeleton.len() > 15);
    assert_eq!(rig.weights.as_ref().map(supple::rig::Weights::len), Some(rig.mesh.positions.len()));
    // A joint moved after the fit is moved from where the fit left it.
    let name = rig.skeleton.joints()[3].name.clone();
    project.skeleton.moved.insert(name, [0.0, 1.0, 0.0]);
    let moved = workshop.prepare(&project).unwrap().rig;
    assert_eq!(moved.skeleton.joints()[3].rest_position(), glam::DVec3::Y);
    assert_eq!(moved.skeleton.joints()[4].rest_position(), rig.skeleton.joints()[4].rest_position());
}

#[test]
fn a_pose_by_hand_stands_before_the_clip() {
    let arm = arm();
    let mut project = project();
    assert_eq!(project.pose(&arm).unwrap(), None);
    project.clip = Some(ClipTime { name: "bend".into(), time: 0.5 });
    let of_clip = arm.clip("bend").unwrap().sample(&arm, 0.5);
    assert_eq!(project.pose(&arm).unwrap().unwrap(), of_clip);
    let mut by_hand = Pose::rest(&arm);
    by_hand.bend(&arm, "forearm", 40.0, None).unwrap();
    project.pose = Some(PoseFile::of(&arm, &by_hand));
    let shown = again(&project).pose(&arm).unwrap().unwrap();
    assert!(shown.local[1].abs_diff_eq(by_hand.local[1], 1e-12));
    assert_eq!(shown.local[0], of_clip.local[0]);
}

#[test]
fn what_does_not_fit_is_named() {
    let arm = arm();
    let refused = |edit: &dyn Fn(&mut Project)| {
        let mut project = project();
        edit(&mut project);
        Workshop::new(arm.clone()).prepare(&project).unwrap_err().to_string()
    };
    let painted = |vertex, row: Vec<(u16, f32)>| {
        move |p: &mut Project| {
            p.weights.painted.number_of("forearm");
            p.weights.painted.rows.put([(vertex, row.clone())]);
        }
    };
    let moved = |name: &'static str, x| {
        move |p: &mut Project| {
            p.skeleton.moved.insert(name.into(), [x, 0.0, 0.0]);
        }
    };
    let count = arm.mesh.positions.len();
    for (said, expected) in [
        (
            refused(&moved("forearn", 0.0)),
            "the project moves joint \"forearn\", which the rig does not have; did you mean \"forearm\"?".to_owned(),
        ),
        (
            refused(&moved("forearm", f64::NAN)),
            "the project moves joint \"forearm\" to [NaN, 0.0, 0.0], which is not finite".to_owned(),
        ),
        (
            refused(&painted(9_999_999, vec![(0, 1.0)])),
            format!("the project paints vertex 9999999, but the rig has {count}"),
        ),
        (
            refused(&painted(1, vec![(7, 1.0)])),
            "the weights painted on vertex 1 are [(7, 1.0)]: a joint that is not in its list".to_owned(),
        ),
        (
            refused(&painted(1, vec![(0, 0.0)])),
            "the weights painted on vertex 1 are [(0, 0.0)]: weights are numbers from 0 on, and not all 0".to_owned(),
        ),
    ] {
        assert_eq!(said, expected);
    }
    let mut lost = project();
    lost.clip = Some(ClipTime { name: "dance".into(), time: 0.0 });
    assert_eq!(
        lost.pose(&arm).unwrap_err().to_string(),
        "the project shows clip \"dance\", which the rig does not have"
    );
}
