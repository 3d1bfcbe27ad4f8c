//! Operators in settings and project files: the name of a preset, or an object.
//!
//! ```text
//! "finger"
//! {"kind": "bulge", "size": 0.5}
//! {"kind": "blend-bulge", "theta": [0, 60, 90, 30, 18, 45, 0.3, 1], "contact": [60, 100, 180, 45, 0, 0, 0.3, 1]}
//! ```
//!
//! The eight numbers of an opening are α0, α1, α2, θ0, θ1, θ2 in degrees, then w0 and w1. What is left out is as in the
//! preset of the kind.

use super::{
    Kind, LARGEST_SIZE, Operator, PRESETS,
    opening::{Opening, OpeningError, decimal, degrees},
};
use crate::names;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::fmt;
use thiserror::Error;

const KINDS: [(&str, Operator); 4] = [
    ("union", Operator::UNION),
    ("blend", Operator::blend()),
    ("bulge", Operator::bulge()),
    ("blend-bulge", Operator::blend_bulge()),
];

/// What an operator cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "each field is said in its message")]
pub enum OperatorError {
    /// No such preset.
    #[error("no operator is called \"{name}\"{hint}")]
    Name { name: String, hint: String },
    /// No such kind.
    #[error("no kind of operator is called \"{name}\"{hint}")]
    Kind { name: String, hint: String },
    /// A setting that the kind has no use for.
    #[error("an operator of the kind \"{kind}\" has no \"{setting}\"")]
    Setting { kind: &'static str, setting: &'static str },
    /// A size out of range.
    #[error("the size {0} of a bulge is not from 0 to {LARGEST_SIZE}")]
    Size(f64),
    /// A list that is too short or too long.
    #[error("\"{setting}\" has {found} values, where 8 are expected: a0, a1, a2, t0, t1, t2, w0, w1")]
    Length { setting: &'static str, found: usize },
    /// An opening out of range.
    #[error("\"{setting}\": {error}")]
    Opening { setting: &'static str, error: OpeningError },
}

impl std::str::FromStr for Operator {
    type Err = OperatorError;

    /// A preset by its name.
    fn from_str(name: &str) -> Result<Self, OperatorError> {
        Self::preset(name).ok_or_else(|| {
            let hint = names::hint(name, PRESETS.map(|(known, _)| known));
            OperatorError::Name { name: name.to_owned(), hint }
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theta: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contact: Option<Vec<f64>>,
}

impl TryFrom<Saved> for Operator {
    type Error = OperatorError;

    fn try_from(saved: Saved) -> Result<Self, OperatorError> {
        let Some(&(kind, preset)) = KINDS.iter().find(|(known, _)| *known == saved.kind) else {
            let hint = names::hint(&saved.kind, KINDS.map(|(known, _)| known));
            return Err(OperatorError::Kind { name: saved.kind, hint });
        };
        let mut operator = preset;
        let uses = |setting, used| if used { Ok(()) } else { Err(OperatorError::Setting { kind, setting }) };
        if let Some(size) = saved.size {
            uses("size", matches!(preset.kind, Kind::Bulge | Kind::BlendBulge))?;
            operator.size = size as f32;
            if !(0.0..=LARGEST_SIZE).contains(&operator.size) {
                return Err(OperatorError::Size(size));
            }
        }
        if let Some(values) = saved.theta {
            uses("theta", preset.kind != Kind::Union)?;
            operator.opening = opening("theta", &values)?;
        }
        if let Some(values) = saved.contact {
            uses("contact", preset.kind == Kind::BlendBulge)?;
            operator.contact = opening("contact", &values)?;
        }
        Ok(operator)
    }
}

fn opening(setting: &'static str, values: &[f64]) -> Result<Opening, OperatorError> {
    let values: [f64; 8] = values.try_into().map_err(|_| OperatorError::Length { setting, found: values.len() })?;
    let radians = std::array::from_fn(|i| if i < 6 { values[i].to_radians() as f32 } else { values[i] as f32 });
    Opening::new(radians).map_err(|error| OperatorError::Opening { setting, error })
}

fn written(opening: Opening) -> Vec<f64> {
    let values = <[f32; 8]>::from(opening);
    values[..6].iter().map(|&a| degrees(a)).chain(values[6..].iter().map(|&w| decimal(w))).collect()
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some((name, _)) = PRESETS.iter().find(|(_, preset)| preset == self) {
            return serializer.serialize_str(name);
        }
        let kind = KINDS.iter().find(|(_, preset)| preset.kind == self.kind).map_or("", |(name, _)| name);
        let bulges = matches!(self.kind, Kind::Bulge | Kind::BlendBulge);
        let saved = Saved {
            kind: kind.to_owned(),
            size: bulges.then(|| decimal(self.size)),
            theta: (self.kind != Kind::Union).then(|| written(self.opening)),
            contact: (self.kind == Kind::BlendBulge).then(|| written(self.contact)),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Operator;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an operator or an object")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Operator, E> {
                name.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Operator, A::Error> {
                let saved = Saved::deserialize(MapAccessDeserializer::new(map))?;
                saved.try_into().map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
