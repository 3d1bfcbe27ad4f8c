//! Values that a setting can have besides its default.

use serde_json::{Value, json};
use supple::{
    deform::{
        Settings,
        setting::{Range, Setting, ValueType},
    },
    graph::Method,
    rig::Rig,
};

/// Settings of one name alone.
pub fn one(name: &str, value: Value) -> Settings {
    Settings::from_iter([(name.to_owned(), value)])
}

/// Values that fit a setting and differ from its default, as they are saved. Those of joints are for the last joints of the rig.
///
/// # Panics
/// When the schema of a method is not what it reads.
pub fn values(method: &Method, setting: &Setting, rig: &Rig) -> Vec<Value> {
    let number = |range: Range| json!((range.least + 3.0 * range.most) / 4.0);
    let words = || setting.words().into_iter().map(Value::from);
    let vertices = rig.mesh.positions.len();
    let values: Vec<Value> = match setting.value_type {
        ValueType::Number(range) => vec![number(range)],
        ValueType::Whole(range) => vec![json!(range.most as u64 - 1), json!(range.least as u64 + 1)],
        ValueType::PerVertex(range) => {
            let each = (0..vertices).map(|v| if v % 3 == 0 { range.least } else { range.most });
            vec![number(range), each.collect::<Vec<f64>>().into()]
        }
        ValueType::Flag => vec![json!(true), json!(false)],
        ValueType::Word(_) | ValueType::Method => words().collect(),
        ValueType::Preset(preset) => {
            let own = json!({"kind": preset.kinds[preset.kinds.len() - 1], "size": 0.5});
            // It is saved whole.
            let saved = (method.make)(&one(setting.name, own)).expect("it fits").settings();
            words().chain([saved[setting.name].clone()]).collect()
        }
        ValueType::ByJoint(fields) => {
            let joints = rig.skeleton.joints();
            let [first, last] = [&joints[joints.len() - 2].name, &joints[joints.len() - 1].name];
            let of = |joint: &str, field: &Setting| {
                let value = match field.value_type {
                    ValueType::Flag => json!(true),
                    ValueType::Preset(preset) => json!(preset.words[preset.words.len() - 1]),
                    ValueType::Number(range) => json!((range.least + range.most) / 4.0),
                    ValueType::List(_) if field.name == "remove" => json!([3, 1]),
                    _ => return None,
                };
                Some(json!({joint: {field.name: value}}))
            };
            let mut values: Vec<Value> = fields.iter().filter_map(|field| of(first, field)).collect();
            if let Some(one) = values.first().cloned() {
                let two = [(first, one[first.as_str()].clone()), (last, one[first.as_str()].clone())];
                values.push(Value::Object(two.into_iter().map(|(joint, own)| (joint.clone(), own)).collect()));
            }
            values
        }
        ValueType::List(_) => Vec::new(),
    };
    values.into_iter().filter(|v| Some(v) != setting.default_value().as_ref()).collect()
}
