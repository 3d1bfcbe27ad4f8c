//! The one parser of settings: every method reads what it was given through its schema.

use super::{Setting, SettingError, ValueType};
use crate::{deform::Settings, json, names};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeMap};

/// Settings that were compared with a schema: all names are known, and numbers, flags and words are what they may be. What was
/// not given is as by default.
pub struct Checked<'a> {
    method: &'static str,
    schema: &'static [Setting],
    given: &'a Settings,
}

impl<'a> Checked<'a> {
    /// Compares what was given with the schema of a method.
    pub fn of(method: &'static str, schema: &'static [Setting], given: &'a Settings) -> Result<Self, SettingError> {
        for (name, value) in given.iter() {
            let Some(setting) = schema.iter().find(|s| s.name == name) else {
                let known = schema.iter().map(|s| s.name).collect();
                return Err(SettingError::Unknown { method, setting: name.clone(), known });
            };
            setting.check(value).map_err(|fault| fault.of(method, name))?;
        }
        Ok(Self { method, schema, given })
    }

    /// A number.
    ///
    /// # Panics
    /// Like the other ways to read one: when the schema does not have it, or has it with another type.
    pub fn number(&self, name: &str) -> f64 {
        self.value(name).as_f64().expect("the schema says that it is a number")
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// True or false.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name).as_bool().expect("the schema says that it is a flag")
    }

    /// A word.
    pub fn word(&self, name: &str) -> String {
        self.value(name).as_str().expect("the schema says that it is a word").to_owned()
    }

    /// One number for all vertices, or one for each.
    pub fn per_vertex(&self, name: &str) -> Vec<f32> {
        let number = |value: &Value| value.as_f64().expect("the schema says that it is a number") as f32;
        match &*self.value(name) {
            Value::Array(list) => list.iter().map(number).collect(),
            one => vec![number(one)],
        }
    }

    /// What has rules of its own, or a word as the method knows it.
    pub fn form<T: DeserializeOwned>(&self, name: &str) -> Result<T, SettingError> {
        T::deserialize(&*self.value(name)).map_err(|e| self.fault(name, json::plain(&e)))
    }

    /// What joints have of their own, joint by joint, so that what is wrong says where.
    pub fn by_joint<T: DeserializeOwned>(&self, name: &str) -> Result<BTreeMap<String, T>, SettingError> {
        let value = self.value(name);
        let joints = value.as_object().expect("the schema says that it is an object");
        let one = |(joint, fields): (&String, &Value)| {
            let own = T::deserialize(fields);
            let own = own.map_err(|e| self.fault(name, format!("joint \"{joint}\": {}", json::plain(&e))))?;
            Ok((joint.clone(), own))
        };
        joints.iter().map(one).collect()
    }

    fn value(&self, name: &str) -> Cow<'a, Value> {
        let of_schema = || {
            let setting = self.schema.iter().find(|s| s.name == name).expect("a setting of the schema");
            Cow::Owned(setting.default_value().expect("settings of methods have defaults"))
        };
        self.given.get(name).map_or_else(of_schema, Cow::Borrowed)
    }

    fn fault(&self, name: &str, reason: String) -> SettingError {
        SettingError::Form { method: self.method, setting: name.to_owned(), reason }
    }
}

/// Why a value does not fit.
enum Fault {
    /// It is not in its range: what it is, and what would fit.
    Value(String, String),
    /// It has not the form.
    Form(String),
}

impl Fault {
    fn of(self, method: &'static str, setting: &str) -> SettingError {
        let setting = setting.to_owned();
        match self {
            Self::Value(value, expected) => SettingError::Value { method, setting, value, expected },
            Self::Form(reason) => SettingError::Form { method, setting, reason },
        }
    }

    /// As part of a larger value.
    fn of_field(self, joint: &str, field: &str) -> Self {
        Self::Form(match self {
            Self::Value(value, expected) => {
                format!("joint \"{joint}\": \"{field}\" cannot be {value}: {expected} is expected")
            }
            Self::Form(reason) => format!("joint \"{joint}\": {reason}"),
        })
    }
}

impl Setting {
    /// Whether a value fits, as far as the schema knows: forms with rules of their own are read by their methods.
    fn check(&self, value: &Value) -> Result<(), Fault> {
        let wrong = |value: &Value| Fault::Value(short(value), self.expected());
        match self.value_type {
            ValueType::Number(range) => fits(value, |x| range.holds(x)).map_err(wrong),
            ValueType::Whole(range) => fits(value, |x| range.holds(x) && x.fract() == 0.0).map_err(wrong),
            ValueType::PerVertex(range) => match value {
                Value::Array(list) if !list.is_empty() => {
                    list.iter().try_for_each(|one| fits(one, |x| range.holds(x))).map_err(wrong)
                }
                one => fits(one, |x| range.holds(x)).map_err(wrong),
            },
            ValueType::Flag if value.is_boolean() => Ok(()),
            ValueType::Flag => Err(wrong(value)),
            ValueType::Word(_) | ValueType::Method => {
                let known = self.words();
                let Value::String(word) = value else {
                    let expected = self.expected();
                    return Err(Fault::Form(format!("found {}, where {expected} is expected", short(value))));
                };
                if known.contains(&word.as_str()) {
                    return Ok(());
                }
                Err(Fault::Form(format!("no choice is called \"{word}\"{}", names::hint(word, known))))
            }
            ValueType::ByJoint(fields) => {
                let joints = value.as_object().ok_or_else(|| object_expected(value))?;
                joints.iter().try_for_each(|(joint, own)| check_joint(fields, joint, own))
            }
            ValueType::Preset(_) | ValueType::List(_) => Ok(()),
        }
    }
}

fn check_joint(fields: &[Setting], joint: &str, own: &Value) -> Result<(), Fault> {
    let in_joint = |fault: Fault| fault.of_field(joint, "");
    let own = own.as_object().ok_or_else(|| in_joint(object_expected(own)))?;
    for (name, value) in own {
        let Some(field) = fields.iter().find(|f| f.name == name) else {
            let hint = names::hint(name, fields.iter().map(|f| f.name));
            return Err(in_joint(Fault::Form(format!("no field is called \"{name}\"{hint}"))));
        };
        // Nothing said, in the way of programs that write every field.
        if !value.is_null() {
            field.check(value).map_err(|fault| fault.of_field(joint, name))?;
        }
    }
    Ok(())
}

fn fits(value: &Value, holds: impl Fn(f64) -> bool) -> Result<(), &Value> {
    if value.as_f64().is_some_and(holds) { Ok(()) } else { Err(value) }
}

fn object_expected(value: &Value) -> Fault {
    Fault::Form(format!("found {}, where an object is expected", short(value)))
}

/// A value in a message: a list of one number for each vertex is no line to read.
fn short(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
