//! The schema of settings: what it says is what the parser takes, what methods save, and what `docs/schema/project.json` allows.

mod validator;

use serde_json::{Value, json};
use supple::{
    deform::{
        Settings,
        setting::{Setting, ValueType, method_schema},
    },
    graph::{Method, methods},
    project::Project,
};
use supple_testkit::{
    changed::{self, one},
    golden, project_schema, rigs,
};

/// Every setting of every method.
fn all() -> impl Iterator<Item = (&'static Method, &'static Setting)> {
    methods().iter().flat_map(|m| m.settings.iter().map(move |s| (m, s)))
}

/// Values that do not fit a setting.
fn misfits(setting: &Setting) -> Vec<Value> {
    let mut values = vec![json!("no such word"), json!([]), json!([[]]), Value::Null];
    if let Some(range) = setting.range() {
        values.extend([json!(range.least - 0.5), json!(range.most * 1.5), json!([range.most * 1.5]), json!({})]);
    }
    match setting.value_type {
        ValueType::Whole(range) => values.push(json!(range.least + 0.5)),
        ValueType::Number(range) => values.push(json!([range.least])),
        ValueType::Word(_) | ValueType::Method => values.push(json!({"kind": "union"})),
        ValueType::Preset(_) => {
            values.extend([json!({}), json!({"kind": "none"}), json!({"kind": "bulge", "size": 1.0}), json!(3)]);
            values.push(json!({"kind": "bulge", "theta": [1, 2, 3]}));
        }
        ValueType::ByJoint(fields) => {
            let joint = |field: &str, value: Value| json!({"elbow": {field: value}});
            values.extend([json!({"elbow": 3}), joint("no such field", json!(1))]);
            values.extend(fields.iter().map(|f| joint(f.name, json!("no such word"))));
            values.extend(fields.iter().filter_map(|f| Some(joint(f.name, json!(f.range()?.most + 1.0)))));
        }
        _ => {}
    }
    values
}

#[test]
fn defaults_are_what_methods_save() {
    for method in methods() {
        let expected = method.settings.iter().map(|s| (s.name.to_owned(), s.default_value().expect("a default")));
        let made = (method.make)(&Settings::new()).expect("defaults fit");
        assert_eq!(made.settings(), expected.collect::<Settings>(), "{}", method.name);
        assert_eq!(made.method(), method.name);
    }
}

#[test]
fn every_setting_is_saved_as_it_was_set() {
    for (method, setting) in all() {
        let others = changed::values(method, setting, &rigs::tube());
        assert!(!others.is_empty(), "{}: {}", method.name, setting.name);
        for value in others {
            let made = (method.make)(&one(setting.name, value.clone()));
            let saved = made.unwrap_or_else(|e| panic!("{e}")).settings();
            assert_eq!(saved[setting.name], value, "{}: {}", method.name, setting.name);
        }
    }
}

#[test]
fn the_ends_of_a_range_fit_and_what_lies_beyond_is_refused_with_the_range() {
    for (method, setting) in all() {
        let Some(range) = setting.range() else { continue };
        for end in [range.least, range.most] {
            assert!((method.make)(&one(setting.name, end.into())).is_ok(), "{}: {} = {end}", method.name, setting.name);
        }
        for beyond in [range.least - 1e-3, range.most + 1e-3] {
            let error = (method.make)(&one(setting.name, beyond.into())).expect_err("it lies beyond").to_string();
            let says = format!("{}: setting \"{}\" cannot be {beyond}: ", method.name, setting.name);
            assert!(error.starts_with(&says) && error.contains(&format!("from {range}")), "{error}");
        }
    }
}

#[test]
fn the_ranges_of_an_operator_are_those_of_its_schema() {
    let operators = || all().filter(|(_, s)| matches!(s.value_type, ValueType::Preset(_)));
    assert!(operators().count() > 0);
    for (method, setting) in operators() {
        for field in setting.fields().iter().filter(|f| f.range().is_some()) {
            let range = field.range().expect("just asked");
            let with = |x: f64| (method.make)(&one(setting.name, json!({"kind": "bulge", field.name: x})));
            assert!(with(range.least).is_ok() && with(range.most).is_ok(), "{}", field.name);
            assert!(with(range.least - 1e-3).is_err() && with(range.most + 1e-3).is_err(), "{}", field.name);
        }
        let synonyms = match setting.value_type {
            ValueType::Preset(preset) => preset.synonyms,
            _ => unreachable!("only those were taken"),
        };
        for word in synonyms.iter().copied().chain(setting.words()) {
            assert!((method.make)(&one(setting.name, word.into())).is_ok(), "{word}");
        }
    }
}

#[test]
fn the_json_schema_takes_what_the_parser_takes() {
    for (method, setting) in all() {
        let schema = method_schema(method);
        let mut refused = 0;
        for value in changed::values(method, setting, &rigs::tube()).into_iter().chain(misfits(setting)) {
            let settings = one(setting.name, value);
            let by_schema = validator::fault(&schema, &schema, &json!(settings));
            let by_parser = (method.make)(&settings).err();
            let both = format!("{}: {settings:?}: {by_schema:?}, {by_parser:?}", method.name);
            assert_eq!(by_schema.is_some(), by_parser.is_some(), "{both}");
            refused += usize::from(by_parser.is_some());
        }
        assert!(refused > 3, "{}: {} takes anything", method.name, setting.name);
    }
}

#[test]
fn the_schema_of_projects_is_that_of_the_registry() {
    let (found, expected) = (project_schema::found(), project_schema::expected());
    let first = found.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert!(found == expected, "docs/schema/project.json is stale: run `cargo xtask bless`; {first:?}");
}

#[test]
fn the_schema_of_projects_takes_every_method_and_refuses_a_misspelt_setting() {
    let schema: Value = serde_json::from_str(&project_schema::found()).expect("JSON");
    let fault = |project: &Value| validator::fault(&schema, &schema, project);
    for method in methods() {
        let mut project = Project::new(Some("arm.glb".into()), &golden::graph(method.name));
        if method.settings.is_empty() || method.name == "mix" {
            project.methods.insert("delta-mush".into(), one("lambda", json!(3)));
        }
        let project: Value = serde_json::from_str(&project.to_json()).expect("JSON");
        assert_eq!(fault(&project), None, "{}", method.name);
        let mut wrong = project.clone();
        wrong["graph"]["nodes"][0]["settings"] = json!({"no such setting": 1});
        assert!(fault(&wrong).is_some(), "{}", method.name);
        wrong = project.clone();
        wrong["graph"]["nodes"][0]["method"] = json!("no such method");
        assert!(fault(&wrong).is_some(), "{}", method.name);
        wrong = project;
        wrong["methods"] = json!({method.name: {"no such setting": 1}});
        assert!(fault(&wrong).is_some(), "{}", method.name);
    }
}
