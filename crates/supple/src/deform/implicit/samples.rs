//! Edits of the samples of a limb. They say where on the skin a sample lies, not which one of a list it is: other weights
//! part the skin otherwise, every sample is then thrown anew, and a number would mean a sample somewhere else. A place means
//! the sample that is next to it, as long as one is.

use super::JointSettings;
use crate::field::Point;
use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use std::{collections::BTreeMap, fmt};

/// One of the samples that a limb comes with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleRef {
    /// The one that lies here at rest, or next to it.
    At([f64; 3]),
    /// The one of this number, in the list that the limb has now.
    Number(usize),
}

/// A sample that is put elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovedSample {
    /// Which.
    pub from: SampleRef,
    /// Its place at rest.
    pub to: [f64; 3],
}

/// What edits do to a sample that a limb comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Stays,
    /// It is left out, by this one of the removals.
    Removed(usize),
    /// It is put elsewhere, by this one of the moves.
    Moved(usize),
}

impl From<usize> for SampleRef {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for SampleRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::At([x, y, z]) => write!(f, "at ({x:.4}, {y:.4}, {z:.4})"),
        }
    }
}

impl Serialize for SampleRef {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(to),
            Self::At(at) => at.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for SampleRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let number = value.as_u64().map(|n| Self::Number(n as usize));
        let place = || serde_json::from_value(value.clone()).ok().map(Self::At);
        let wrong = || D::Error::custom(format!("{value} is neither the number of a sample nor its place"));
        number.or_else(place).ok_or_else(wrong)
    }
}

/// A list of moves; or, as files of before have it, places by the numbers of the samples.
pub(super) fn moves<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<MovedSample>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        List(Vec<Value>),
        Numbers(BTreeMap<String, [f64; 3]>),
    }
    let form = Form::deserialize(from);
    let form = form.map_err(|_| D::Error::custom("expected a list of {\"from\": [x, y, z], \"to\": [x, y, z]}"))?;
    match form {
        Form::List(list) => {
            let one = |value| serde_json::from_value(value).map_err(|e| D::Error::custom(crate::json::plain(&e)));
            list.into_iter().map(one).collect()
        }
        Form::Numbers(numbers) => {
            let wrong = |word: &str| D::Error::custom(format!("\"{word}\" is not the number of a sample"));
            let one = |(word, to): (String, _)| {
                Ok(MovedSample { from: SampleRef::Number(word.parse().map_err(|_| wrong(&word))?), to })
            };
            numbers.into_iter().map(one).collect()
        }
    }
}

/// Places and normals, each of which has a direction.
pub(super) fn added<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[f64; 6]>, D::Error> {
    let list = Vec::<[f64; 6]>::deserialize(from)?;
    match list.iter().position(|a| a[3..].iter().map(|x| x * x).sum::<f64>() <= 0.0) {
        Some(i) => Err(D::Error::custom(format!("added sample {i} has a normal of no length"))),
        None => Ok(list),
    }
}

/// Distance from a sample to the next, on average: darts leave no place of the skin farther than that from all samples.
fn apart(samples: &[Point]) -> f64 {
    let next = |i: usize| {
        let others = samples.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, p)| p.at.distance(samples[i].at)).fold(f64::INFINITY, f64::min)
    };
    (0..samples.len()).map(next).sum::<f64>() / samples.len() as f64
}

impl JointSettings {
    /// What becomes of each of the samples that the limb comes with, and a line for each edit that finds none any more.
    pub fn fates(&self, samples: &[Point]) -> (Vec<Fate>, Vec<String>) {
        let mut fates = vec![Fate::Stays; samples.len()];
        let mut lost = Vec::new();
        let reach = apart(samples);
        let removed = self.remove.iter().enumerate().map(|(i, from)| (from, Fate::Removed(i)));
        let moved = self.moved.iter().enumerate().map(|(i, m)| (&m.from, Fate::Moved(i)));
        for (from, fate) in removed.chain(moved) {
            let found = match *from {
                SampleRef::Number(number) => Some(number).filter(|n| *n < samples.len()),
                SampleRef::At(at) => {
                    let at = DVec3::from(at);
                    let free = samples.iter().enumerate().filter(|(i, _)| fates[*i] == Fate::Stays);
                    let near = free.map(|(i, p)| (i, p.at.distance(at))).min_by(|a, b| a.1.total_cmp(&b.1));
                    near.filter(|(_, distance)| *distance <= reach).map(|(i, _)| i)
                }
            };
            match found {
                Some(i) if matches!(fates[i], Fate::Removed(_)) => {}
                Some(i) => fates[i] = fate,
                None => lost.push(match fate {
                    Fate::Moved(_) => format!("there is no sample {from} to be moved: it is left out"),
                    _ => format!("there is no sample {from} to be removed: it is left out"),
                }),
            }
        }
        (fates, lost)
    }

    /// The samples that these edits leave of those that the limb comes with.
    pub(super) fn edited(&self, samples: &[Point]) -> Vec<Point> {
        let (fates, _) = self.fates(samples);
        let own = samples.iter().zip(fates).filter_map(|(p, fate)| match fate {
            Fate::Stays => Some(*p),
            Fate::Removed(_) => None,
            Fate::Moved(i) => Some(Point { at: DVec3::from(self.moved[i].to), normal: p.normal }),
        });
        let added = self.add.iter().filter_map(|a| {
            let normal = DVec3::new(a[3], a[4], a[5]).try_normalize()?;
            Some(Point { at: DVec3::new(a[0], a[1], a[2]), normal })
        });
        own.chain(added).collect()
    }

    /// The same edits, with places for the numbers: they then hold on other samples of the same skin too.
    pub fn at_places(mut self, samples: &[Point]) -> Self {
        let place = |from: &mut SampleRef| {
            if let SampleRef::Number(number) = *from
                && let Some(sample) = samples.get(number)
            {
                *from = SampleRef::At(sample.at.to_array());
            }
        };
        self.remove.iter_mut().for_each(place);
        self.moved.iter_mut().for_each(|m| place(&mut m.from));
        self
    }
}
