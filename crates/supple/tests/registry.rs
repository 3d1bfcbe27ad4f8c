//! A method of another crate, added to the registry: everything that is made from the registry has it.

use serde_json::{Value, json};
use supple::{
    deform::{Clock, Settings, setting::definitions},
    graph::{DeformGraph, RegisterError, method, methods, register},
    pose::{Motion, Pose},
    project::Project,
};
use supple_testkit::{contract, page, rigs, toy};

fn set(name: &str, value: Value) -> Settings {
    Settings::from_iter([(name.to_owned(), value)])
}

#[test]
fn an_added_method_moves_skin_by_its_settings() {
    toy::add();
    let rig = rigs::tube();
    let motion = Motion::of(&rig, &Pose::rest(&rig));
    for (settings, expected) in [
        (Settings::new(), [0.5, 0.0, 0.0]),
        (set("push", json!(0.25)), [0.25, 0.0, 0.0]),
        (set("times", json!(3)), [1.5, 0.0, 0.0]),
        (set("back", json!(true)), [-0.5, 0.0, 0.0]),
        (set("axis", json!("z")), [0.0, 0.0, 0.5]),
        (set("amount", json!(0.5)), [0.25, 0.0, 0.0]),
        // Of a frame alone the time is 0, and nothing is before it.
        (set("rise", json!(2)), [0.5, 0.0, 0.0]),
        (set("wind", json!(2)), [0.5, 0.0, 0.0]),
    ] {
        let mut bound = DeformGraph::single_with(toy::NAME, &settings).unwrap().bind(&rig).unwrap();
        let moved = bound.evaluate(&rig.mesh.positions, &motion)[7];
        let off = moved.distance(rig.mesh.positions[7] + glam::Vec3::from(expected));
        assert!(off <= 1e-6, "{settings:?} is off by {off}");
    }
}

#[test]
fn an_added_method_keeps_the_contract_and_has_its_page() {
    toy::add();
    page::check(&toy::METHOD, toy::PAGE);
    for moving in ["drift", "rise", "wind"] {
        let moving = Settings::from_iter([("push".into(), json!(0)), (moving.into(), json!(0.25))]);
        let graph = DeformGraph::single_with(toy::NAME, &moving).unwrap();
        contract::a_distant_prop_changes_nothing(&graph);
        contract::a_new_beginning_forgets(&graph);
        contract::a_checkpoint_goes_on(&graph);
        contract::saving_and_loading_changes_nothing(&graph);
    }
}

#[test]
fn an_added_method_sees_the_time_and_the_step_of_every_frame() {
    toy::add();
    let settings = [("push", 0.0), ("drift", 0.125), ("rise", 0.5), ("wind", 2.0)];
    let settings = Settings::from_iter(settings.map(|(name, value)| (name.to_owned(), json!(value))));
    let rig = rigs::tube();
    let motion = Motion::of(&rig, &Pose::rest(&rig));
    let mut bound = DeformGraph::single_with(toy::NAME, &settings).unwrap().bind(&rig).unwrap();
    let first = Clock::first(4.0);
    let second = Clock::after(first, 0.5);
    for (clock, y, z) in [
        (first, 0.0, 8.0),
        (second, 0.125 + 0.25, 9.0),
        (Clock::after(second, 0.25), 0.25 + 0.375, 9.5),
        (Clock::first(1.0), 0.0, 2.0),
    ] {
        let moved = bound.step(&rig.mesh.positions, &motion, clock)[7] - rig.mesh.positions[7];
        assert!(moved.distance(glam::Vec3::new(0.0, y, z)) <= 1e-5, "{clock:?}: {moved}");
    }
}

#[test]
fn an_added_method_is_saved_with_its_settings_and_is_in_the_schema() {
    toy::add();
    let graph = DeformGraph::single_with(toy::NAME, &set("back", json!(true))).unwrap();
    let project = Project::new(None, &graph);
    let again = Project::from_json(&project.to_json()).unwrap();
    assert_eq!(again, project);
    assert_eq!(again.graph.nodes[0].settings["back"], true);
    let schema = &definitions(methods())["settings-of-toy"]["properties"];
    assert_eq!(
        schema["back"],
        json!({"type": "boolean", "default": false, "description": "the other way; a change binds the method anew"})
    );
    assert_eq!(schema["axis"]["enum"], json!(["x", "y", "z"]));
    assert_eq!((&schema["push"]["maximum"], &schema["times"]["type"]), (&json!(2), &json!("integer")));
    assert_eq!(schema["joints"]["additionalProperties"]["properties"]["still"]["type"], "boolean");
}

#[test]
fn what_does_not_fit_an_added_method_is_refused_in_the_words_of_every_method() {
    toy::add();
    for (settings, says) in [
        (set("psuh", json!(1)), "toy has no setting \"psuh\"; did you mean \"push\"?"),
        (set("push", json!(3)), "toy: setting \"push\" cannot be 3: a number of metres from 0 to 2 is expected"),
        (set("times", json!(1.5)), "\"times\" cannot be 1.5: a whole number of pushes from 0 to 10 is expected"),
        (set("back", json!("yes")), "\"back\" cannot be \"yes\": true or false is expected"),
        (set("axis", json!("w")), "no choice is called \"w\"; there are 3: x, y, z"),
        (set("joints", json!({"elbow": {"stil": true}})), "joint \"elbow\": no field is called \"stil\""),
        (set("joints", json!({"elbow": {"still": 1}})), "joint \"elbow\": \"still\" cannot be 1: true or false"),
    ] {
        let error = DeformGraph::single_with(toy::NAME, &settings).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let error = DeformGraph::single("tyo").unwrap_err().to_string();
    assert!(error.contains("did you mean \"toy\"?"), "{error}");
}

#[test]
fn skin_can_start_from_an_added_method_that_stands_alone() {
    toy::add();
    let start = method("implicit").and_then(|m| m.settings.iter().find(|s| s.name == "start")).unwrap();
    assert!(start.words().contains(&toy::NAME), "{:?}", start.words());
    let graph = DeformGraph::single_with("implicit", &set("start", json!(toy::NAME))).unwrap();
    assert!(graph.bind(&rigs::tube()).is_ok());
}

#[test]
fn methods_are_added_once_and_under_names_of_their_own() {
    toy::add();
    assert_eq!(register(&[toy::METHOD, toy::METHOD]), Err(RegisterError::Taken("toy")));
    assert_eq!(register(&[*method("linear").unwrap()]), Err(RegisterError::Taken("linear")));
    assert_eq!(register(&[]), Err(RegisterError::TooLate));
    assert_eq!(methods().iter().filter(|m| m.name == toy::NAME).count(), 1);
}
