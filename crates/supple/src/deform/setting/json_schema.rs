//! Settings as JSON Schema, for editors of project files.

use super::{List, Preset, Setting, ValueType};
use crate::graph::Method;
use serde_json::{Map, Value, json};

/// The schema of the settings of a method.
pub fn method_schema(method: &Method) -> Value {
    let mut schema = object(method.settings, &[]);
    schema["description"] = format!("Settings of {}; each may be left out.", method.name).into();
    schema
}

/// Definitions for the schema of projects: the settings of each method, and which of them a node has by its method.
pub fn definitions(methods: &[Method]) -> Map<String, Value> {
    let name = |method: &Method| format!("settings-of-{}", method.name);
    let reference = |method: &Method| json!({"$ref": format!("#/$defs/{}", name(method))});
    let mut definitions: Map<String, Value> = methods.iter().map(|m| (name(m), method_schema(m))).collect();
    let by_name: Map<String, Value> = methods.iter().map(|m| (m.name.to_owned(), reference(m))).collect();
    let by_name = json!({"type": "object", "additionalProperties": false, "properties": by_name});
    definitions.insert("settings-by-name".to_owned(), by_name);
    let of_node = |m: &Method| {
        let (is, has) = (json!({"const": m.name}), reference(m));
        json!({"if": {"properties": {"method": is}}, "then": {"properties": {"settings": has}}})
    };
    let names: Vec<&str> = methods.iter().map(|m| m.name).collect();
    let nodes: Vec<Value> = methods.iter().map(of_node).collect();
    let of_node = json!({"properties": {"method": {"enum": names}}, "allOf": nodes});
    definitions.insert("settings-by-node".to_owned(), of_node);
    definitions
}

fn object(fields: &[Setting], required: &[&str]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|f| (f.name.to_owned(), f.json_schema())).collect();
    let mut schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

impl Setting {
    /// What it may be, as JSON Schema.
    pub fn json_schema(&self) -> Value {
        let number = |kind: &str| {
            let range = self.range().expect("numbers have one");
            json!({"type": kind, "minimum": bound(range.least), "maximum": bound(range.most)})
        };
        let mut schema = match self.value_type {
            ValueType::Number(_) => number("number"),
            ValueType::Whole(_) => number("integer"),
            ValueType::Flag => json!({"type": "boolean"}),
            ValueType::Word(_) | ValueType::Method => json!({"enum": self.words()}),
            ValueType::PerVertex(_) => {
                let one = number("number");
                json!({"anyOf": [one, {"type": "array", "minItems": 1, "items": one}]})
            }
            ValueType::Preset(Preset { words, synonyms, kinds, fields }) => {
                let mut with_kind = object(fields, &["kind"]);
                with_kind["properties"]["kind"] = json!({"enum": kinds});
                let words = [words, synonyms].concat();
                json!({"anyOf": [{"enum": words}, with_kind]})
            }
            ValueType::ByJoint(fields) => json!({"type": "object", "additionalProperties": object(fields, &[])}),
            ValueType::List(List { schema, .. }) => serde_json::from_str(schema).expect("it is written as JSON"),
        };
        // The help of a count says what is counted.
        let is_said = self.unit.is_empty() || self.help.contains(self.unit);
        let unit = if is_said { String::new() } else { format!(", in {}", self.unit) };
        schema["description"] = format!("{}{unit}; {}", self.help, self.cost.in_words()).into();
        if let Some(default) = self.default_value() {
            schema["default"] = default;
        }
        schema
    }
}

/// Whole numbers stand in a file without a point.
fn bound(x: f64) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e15 { (x as i64).into() } else { x.into() }
}
