//! Settings of a method, the way they are saved. Copies share the values: undo keeps a copy for each step, and a list of one number for
//! each vertex is megabytes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt, ops::Index, sync::Arc};

/// Settings by name, as they are saved and given by `--set`. Copying them copies no value.
#[derive(Clone, Default, PartialEq)]
pub struct Settings(BTreeMap<String, Arc<Shared>>);

/// A value, which is replaced and never changed.
#[derive(PartialEq, Eq)]
struct Shared {
    value: Value,
    /// Of the lists in it.
    bytes: usize,
}

impl Settings {
    /// Nothing is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a setting.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(|shared| &shared.value)
    }

    /// Sets one.
    pub fn insert(&mut self, name: String, value: Value) {
        let bytes = bytes_of_lists(&value);
        self.0.insert(name, Arc::new(Shared { value, bytes }));
    }

    /// Leaves one as it comes.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Takes the value of one away, to change it.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let shared = self.0.remove(name)?;
        Some(Arc::try_unwrap(shared).map_or_else(|shared| shared.value.clone(), |own| own.value))
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().map(|(name, shared)| (name, &shared.value))
    }

    /// Shares every value that others have too.
    pub fn share(&mut self, others: &Self) {
        for (name, shared) in &mut self.0 {
            if let Some(same) = others.0.get(name).filter(|other| *other == shared) {
                *shared = same.clone();
            }
        }
    }

    /// Bytes of the lists in each value, by what tells it from any other: copies that share one give the same.
    pub fn memory(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.values().map(|shared| (Arc::as_ptr(shared).addr(), shared.bytes))
    }
}

fn bytes_of_lists(value: &Value) -> usize {
    match value {
        Value::Array(list) => size_of_val(&list[..]) + list.iter().map(bytes_of_lists).sum::<usize>(),
        Value::Object(fields) => fields.values().map(bytes_of_lists).sum(),
        _ => 0,
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Index<&str> for Settings {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or_else(|| panic!("\"{name}\" is not set"))
    }
}

impl FromIterator<(String, Value)> for Settings {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(values: I) -> Self {
        let mut settings = Self::new();
        values.into_iter().for_each(|(name, value)| settings.insert(name, value));
        settings
    }
}

impl From<Map<String, Value>> for Settings {
    fn from(object: Map<String, Value>) -> Self {
        object.into_iter().collect()
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::from)
    }
}
