use gltf_json::extras::RawValue;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::{Error, Map, Value, json, value::to_raw_value};
use std::fmt;

/// A value as the text it is written in.
pub(in crate::write::gltf) type Raw = Box<RawValue>;

/// A JSON object whose values stay the text they were written in, in their order: numbers keep their digits, and what
/// nobody here has a word for passes through.
#[derive(Clone, Default)]
pub(in crate::write::gltf) struct Object(Vec<(String, Raw)>);

impl Object {
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(k, _)| k == key)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        let found = self.0.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| serde_json::from_str(value.get())).transpose()
    }

    /// Where it stands, or behind all others.
    pub fn set(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        let value = to_raw_value(value)?;
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
        Ok(())
    }

    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(k, _)| k != key);
    }

    /// Changes a list; one that is left empty goes, as glTF wants it.
    pub fn list(&mut self, key: &str, change: impl FnOnce(&mut Vec<u32>)) -> Result<(), Error> {
        let mut list = self.get(key)?.unwrap_or_default();
        change(&mut list);
        if list.is_empty() {
            self.remove(key);
            return Ok(());
        }
        self.set(key, &list)
    }

    /// Notes something of ours in the extras, or takes it out. Extras that are no object are somebody's and stay: false.
    pub fn set_supple(&mut self, key: &str, value: Option<Value>) -> Result<bool, Error> {
        let Ok(extras) = self.get::<Object>("extras") else { return Ok(false) };
        let mut extras = extras.unwrap_or_default();
        let mut ours: Map<String, Value> = extras.get::<Value>("supple")?.and_then(object).unwrap_or_default();
        match value {
            Some(value) => drop(ours.insert(key.to_owned(), value)),
            None => drop(ours.remove(key)),
        }
        if ours.is_empty() {
            extras.remove("supple");
        } else {
            extras.set("supple", &json!(ours))?;
        }
        if extras.is_empty() {
            self.remove("extras");
        } else {
            self.set("extras", &extras)?;
        }
        Ok(true)
    }
}

fn object(value: Value) -> Option<Map<String, Value>> {
    if let Value::Object(map) = value { Some(map) } else { None }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}
