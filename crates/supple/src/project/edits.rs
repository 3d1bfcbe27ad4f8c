//! What a project changes of the rig it names: joints and weights.

use super::VertexLayers;
use crate::{
    fit::Template,
    json,
    weights::flexible::{Distance, Ramp},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Joints that are not where the file has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkeletonEdits {
    /// A standard skeleton laid into the skin, in place of the file's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// Joints put elsewhere at rest, by name; their children stay where they are.
    #[serde(deserialize_with = "json::unique", skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, [f64; 3]>,
}

impl SkeletonEdits {
    /// Nothing is edited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Weights that are not those of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightEdits {
    /// Where they come from.
    pub source: WeightSource,
    /// Sources that are not used now, as they were left: they count again when they are [chosen](Self::choose).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<WeightSource>,
    /// Vertices painted by hand, over the source.
    #[serde(skip_serializing_if = "PaintedWeights::is_empty")]
    pub painted: PaintedWeights,
}

impl WeightEdits {
    /// Nothing is edited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A source of the same kind, as it was left when another was taken; the given one where that never was.
    pub fn as_left(&self, source: &WeightSource) -> WeightSource {
        let same = |known: &&WeightSource| known.is_like(source);
        std::iter::once(&self.source).chain(&self.others).find(same).unwrap_or(source).clone()
    }

    /// Takes another source. The one that goes is kept where somebody has set something of it.
    pub fn choose(&mut self, source: WeightSource) {
        self.others.retain(|known| !known.is_like(&source));
        let gone = std::mem::replace(&mut self.source, source);
        if !gone.is_like(&self.source) {
            self.others.retain(|known| !known.is_like(&gone));
            self.others.extend(Some(gone).filter(|g| *g != g.plain()));
        }
    }
}

/// Where weights come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase", deny_unknown_fields)]
pub enum WeightSource {
    /// From the file.
    #[default]
    File,
    /// Bone heat.
    Heat {
        /// At most so many joints for a vertex.
        #[serde(default = "four")]
        influences: usize,
    },
    /// Flexible weights.
    Flexible {
        /// Width of the overlaps, in diameters of a round limb.
        #[serde(default = "half")]
        k: f64,
        /// A K of their own for some joints, by name.
        #[serde(default, deserialize_with = "json::unique", skip_serializing_if = "BTreeMap::is_empty")]
        joints: BTreeMap<String, f64>,
        /// What is measured.
        #[serde(default)]
        distance: Distance,
        /// How weights fall.
        #[serde(default)]
        ramp: Ramp,
    },
}

impl WeightSource {
    /// Bone heat as it comes.
    pub fn heat() -> Self {
        Self::Heat { influences: four() }
    }

    /// Flexible weights as they come.
    pub fn flexible() -> Self {
        let (distance, ramp) = (Distance::default(), Ramp::default());
        Self::Flexible { k: half(), joints: BTreeMap::new(), distance, ramp }
    }

    /// The same as it comes.
    pub fn plain(&self) -> Self {
        match self {
            Self::File => Self::File,
            Self::Heat { .. } => Self::heat(),
            Self::Flexible { .. } => Self::flexible(),
        }
    }

    /// Of one kind, whatever is set of them.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

fn four() -> usize {
    4
}

fn half() -> f64 {
    0.5
}

/// Rows of weights, by vertex. The joints are named once, because a stroke of the brush touches thousands of vertices, and
/// the rows are shared by copies: undo has one for each stroke.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaintedWeights {
    /// Names of joints.
    pub joints: Vec<String>,
    /// Of a vertex: index into `joints`, and weight. Brought to a sum of one when they are used.
    pub rows: VertexLayers<(u16, f32)>,
}

impl PaintedWeights {
    /// Nothing is painted.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number under which rows name a joint; a new one where it is not named yet.
    pub fn number_of(&mut self, joint: &str) -> u16 {
        if let Some(known) = self.joints.iter().position(|name| name == joint) {
            return known as u16;
        }
        self.joints.push(joint.to_owned());
        (self.joints.len() - 1) as u16
    }
}
