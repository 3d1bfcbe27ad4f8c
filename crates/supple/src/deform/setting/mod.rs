//! What a method lets people set. Each setting is written once, beside its method, with its type, range, unit, default, help, and
//! what a change of it costs; the parser, the command line, project files and their schema, Python, Blender and the studio are
//! made from it.
//!
//! ```
//! use supple::deform::{Settings, setting::{Checked, Setting}};
//!
//! const SETTINGS: &[Setting] = &[
//!     Setting::number("stiffness", 0.5, 0.0..=1.0, "how fast it comes back"),
//!     Setting::whole("rounds", 8, 1..=100, "how often springs are relaxed").in_unit("rounds"),
//! ];
//!
//! let given = Settings::from_iter([("stiffness".to_owned(), 0.75.into())]);
//! let read = Checked::of("spring", SETTINGS, &given)?;
//! assert_eq!((read.number("stiffness"), read.whole("rounds")), (0.75, 8));
//!
//! let wrong = Settings::from_iter([("rounds".to_owned(), 0.into())]);
//! let error = Checked::of("spring", SETTINGS, &wrong).err().expect("none is too few");
//! assert_eq!(error.to_string(), "spring: setting \"rounds\" cannot be 0: a whole number of rounds from 1 to 100 is expected");
//! # Ok::<(), supple::deform::SettingError>(())
//! ```

mod described;
mod error;
mod json_schema;
mod read;

pub use error::SettingError;
pub use json_schema::{definitions, method_schema};
pub use read::Checked;

use crate::graph;
use serde_json::Value;
use std::ops::RangeInclusive;

/// A setting of a method, or a field of a setting that is an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// As in `--set name=value`.
    pub name: &'static str,
    /// What it may be.
    pub value_type: ValueType,
    /// What it is where nothing is said.
    pub default: DefaultValue,
    /// What its numbers count or measure; empty for plain numbers.
    pub unit: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// What has to be done anew when it changes.
    pub cost: Cost,
}

/// What the value of a setting may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueType {
    /// A number.
    Number(Range),
    /// A whole number.
    Whole(Range),
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of another method that stands alone and starts from no other.
    Method,
    /// A number, or one for each vertex.
    PerVertex(Range),
    /// A word that stands for an object, or the object.
    Preset(Preset),
    /// For joints, by their names, an object with these fields; all may be left out.
    ByJoint(&'static [Setting]),
    /// A list with rules of its own.
    List(List),
}

/// From the least number to the greatest, both of which fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// The greatest.
    pub most: f64,
}

/// Objects that have names for the common ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The names that fronts offer.
    pub words: &'static [&'static str],
    /// Other names of the same.
    pub synonyms: &'static [&'static str],
    /// What the field `kind` of the object may be; it must be there.
    pub kinds: &'static [&'static str],
    /// The other fields, which may be left out.
    pub fields: &'static [Setting],
}

/// A list that its method reads by rules of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List {
    /// For people: what stands in it.
    pub of: &'static str,
    /// Its form as JSON Schema.
    pub schema: &'static str,
}

/// What a setting is where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u32),
    /// True or false.
    Flag(bool),
    /// A word.
    Word(&'static str),
    /// An object in which nothing is said.
    Object,
    /// A list in which nothing stands.
    List,
    /// A field that is left out: these words say what counts then.
    LeftOut(&'static str),
}

/// What has to be done anew when a setting changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Nothing: the next frame takes the new value.
    Nothing,
    /// Some tables of the node, in a small part of the time of a binding.
    Tables,
    /// The method is bound to the rig again.
    Binding,
}

impl Cost {
    /// In one word, for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Tables => "tables",
            Self::Binding => "binding",
        }
    }
}

impl Range {
    /// Whether a number is in it.
    pub fn holds(&self, x: f64) -> bool {
        (self.least..=self.most).contains(&x)
    }
}

impl Setting {
    /// The one of a name among others.
    pub fn named<'a>(all: &'a [Self], name: &str) -> Option<&'a Self> {
        all.iter().find(|setting| setting.name == name)
    }

    const fn new(name: &'static str, value_type: ValueType, default: DefaultValue, help: &'static str) -> Self {
        Self { name, value_type, default, unit: "", help, cost: Cost::Binding }
    }

    /// A number.
    pub const fn number(name: &'static str, default: f64, range: RangeInclusive<f64>, help: &'static str) -> Self {
        let range = Range { least: *range.start(), most: *range.end() };
        Self::new(name, ValueType::Number(range), DefaultValue::Number(default), help)
    }

    /// A whole number.
    pub const fn whole(name: &'static str, default: u32, range: RangeInclusive<u32>, help: &'static str) -> Self {
        let range = Range { least: *range.start() as f64, most: *range.end() as f64 };
        Self::new(name, ValueType::Whole(range), DefaultValue::Whole(default), help)
    }

    /// True or false.
    pub const fn flag(name: &'static str, default: bool, help: &'static str) -> Self {
        Self::new(name, ValueType::Flag, DefaultValue::Flag(default), help)
    }

    /// One of a few words.
    pub const fn word(
        name: &'static str,
        default: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self::new(name, ValueType::Word(words), DefaultValue::Word(default), help)
    }

    /// The name of another method.
    pub const fn method(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(name, ValueType::Method, DefaultValue::Word(default), help)
    }

    /// A number, or one for each vertex.
    pub const fn per_vertex(name: &'static str, default: f64, range: RangeInclusive<f64>, help: &'static str) -> Self {
        let range = Range { least: *range.start(), most: *range.end() };
        Self::new(name, ValueType::PerVertex(range), DefaultValue::Number(default), help)
    }

    /// A word that stands for an object, or the object.
    pub const fn preset(name: &'static str, default: &'static str, preset: Preset, help: &'static str) -> Self {
        Self::new(name, ValueType::Preset(preset), DefaultValue::Word(default), help)
    }

    /// Objects by the names of joints.
    pub const fn by_joint(name: &'static str, fields: &'static [Self], help: &'static str) -> Self {
        Self::new(name, ValueType::ByJoint(fields), DefaultValue::Object, help)
    }

    /// A list with rules of its own.
    pub const fn list(name: &'static str, list: List, help: &'static str) -> Self {
        Self::new(name, ValueType::List(list), DefaultValue::List, help)
    }

    /// The same with a unit.
    pub const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same as a field that may be left out: what counts then.
    pub const fn left_out(self, what_counts: &'static str) -> Self {
        Self { default: DefaultValue::LeftOut(what_counts), ..self }
    }

    /// The same with a smaller cost than a new binding.
    pub const fn costs(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The words that fronts offer: none where it is no word.
    pub fn words(&self) -> Vec<&'static str> {
        match self.value_type {
            ValueType::Word(words) => words.to_vec(),
            ValueType::Preset(preset) => preset.words.to_vec(),
            ValueType::Method => graph::methods().iter().filter(|m| m.is_start()).map(|m| m.name).collect(),
            _ => Vec::new(),
        }
    }

    /// The range of its numbers.
    pub fn range(&self) -> Option<Range> {
        match self.value_type {
            ValueType::Number(range) | ValueType::Whole(range) | ValueType::PerVertex(range) => Some(range),
            _ => None,
        }
    }

    /// Fields of its object.
    pub fn fields(&self) -> &'static [Self] {
        match self.value_type {
            ValueType::Preset(Preset { fields, .. }) | ValueType::ByJoint(fields) => fields,
            _ => &[],
        }
    }

    /// Its default as JSON; none for a field that is left out.
    pub fn default_value(&self) -> Option<Value> {
        Some(match self.default {
            DefaultValue::Number(x) => x.into(),
            DefaultValue::Whole(x) => x.into(),
            DefaultValue::Flag(x) => x.into(),
            DefaultValue::Word(x) => x.into(),
            DefaultValue::Object => Value::Object(Default::default()),
            DefaultValue::List => Value::Array(Vec::new()),
            DefaultValue::LeftOut(_) => return None,
        })
    }
}
