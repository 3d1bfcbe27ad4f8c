//! What the JSON files of Supple share: faults in plain words, and names that stand there once.

use crate::names;
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use std::{collections::BTreeMap, fmt, marker::PhantomData};

/// What serde has to say, in the words of people who write such files by hand.
pub(crate) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let what = match error.classify() {
        serde_json::error::Category::Eof => "the file ends in the middle".to_owned(),
        serde_json::error::Category::Data => fault(what).unwrap_or_else(|| what.to_owned()),
        _ => what.replace('`', "\""),
    };
    // Names are shown as they stand in the file, and may hold anything: what is said stays one line.
    let what: String = what.chars().flat_map(escaped).collect();
    if error.line() == 0 { what } else { format!("line {}, column {}: {what}", error.line(), error.column()) }
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    let control = c.is_control().then(|| c.escape_default());
    let plain = (!c.is_control()).then_some(c);
    control.into_iter().flatten().chain(plain)
}

/// None where the words are plain already.
fn fault(text: &str) -> Option<String> {
    if let Some(field) = text.strip_prefix("missing field ") {
        return Some(format!("\"{}\" is missing", field.trim_matches('`')));
    }
    if let Some(field) = text.strip_prefix("duplicate field ") {
        return Some(twice(field.trim_matches('`')));
    }
    for (kind, what) in [("unknown field `", "field"), ("unknown variant `", "choice")] {
        if let Some(rest) = text.strip_prefix(kind) {
            let (name, known) = rest.split_once('`')?;
            let hint = names::hint(name, known.split('`').skip(1).step_by(2));
            return Some(format!("no {what} is called \"{name}\"{hint}"));
        }
    }
    let (found, expected) = text.split_once(", expected ")?;
    if let Some(length) = found.strip_prefix("invalid length ") {
        let wanted = expected.strip_prefix("an array of length ")?;
        return Some(format!("{length} values, where {wanted} are expected"));
    }
    let (_, found) = found.strip_prefix("invalid ")?.split_once(": ")?;
    Some(format!("found {}, where {} is expected", kind_found(found), kind_expected(expected)))
}

fn twice(name: &str) -> String {
    format!("\"{name}\" stands there twice")
}

fn kind_found(kind: &str) -> String {
    match kind.split_once(' ') {
        Some(("string", value)) => format!("the text {value}"),
        Some(("integer" | "floating", value)) => value.trim_start_matches("point ").replace('`', ""),
        Some(("boolean", value)) => value.replace('`', ""),
        _ => match kind {
            "map" => "an object".to_owned(),
            "sequence" => "a list".to_owned(),
            other => other.to_owned(),
        },
    }
}

fn kind_expected(kind: &str) -> String {
    match kind {
        "f32" | "f64" => "a number".to_owned(),
        "u32" | "usize" => "a whole number, not below 0,".to_owned(),
        "a string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        other => match other.strip_prefix("an array of length ") {
            Some(length) => format!("a list of {length} numbers"),
            None if other.starts_with("struct ") => "an object".to_owned(),
            None => other.to_owned(),
        },
    }
}

/// An object by the names in it. A name that stands there twice is refused: whichever were taken, somebody meant the
/// other.
pub(crate) fn unique<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, V>, D::Error> {
    struct Unique<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Unique<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut map = BTreeMap::new();
            while let Some(name) = entries.next_key::<String>()? {
                if map.contains_key(&name) {
                    return Err(A::Error::custom(twice(&name)));
                }
                map.insert(name, entries.next_value()?);
            }
            Ok(map)
        }
    }

    deserializer.deserialize_map(Unique(PhantomData))
}

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::rig::SphereMesh;

    #[test]
    fn a_name_with_a_line_break_in_it_is_shown_in_one_line() {
        let found = SphereMesh::from_json("{\"\\nter\": 1}").err().map(|e| e.to_string());
        let fault = serde_json::from_str::<crate::pose::PoseFile>("{\"a\\u0007b\": 1}").err().map(|e| plain(&e));
        for text in [found, fault] {
            let text = text.expect("no field is called so");
            assert!(!text.contains(char::is_control) && text.contains("no field is called \""), "{text}");
            assert!(text.contains('\\'), "{text}");
        }
    }
}
