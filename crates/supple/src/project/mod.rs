//! The saved document that every front opens: which rig, with which joints and weights, moved how, in which pose. JSON,
//! versioned; schema in `docs/schema/project.json`.
//!
//! Everything an artist edits is a value in a [`Project`]; nothing else is kept. [`Workshop`] makes the rig that is bound
//! from the rig of the file and these values, and remembers what was slow.

mod edits;
mod layers;
mod methods;
mod motions;
mod workshop;

pub use edits::{PaintedWeights, SkeletonEdits, WeightEdits, WeightSource};
pub use layers::VertexLayers;
pub use motions::clip_names;
pub use workshop::{PrepareError, Prepared, Workshop};

use crate::{
    deform::Settings,
    graph::{DeformGraph, GraphError, GraphFile},
    json,
    pose::{Pose, PoseFile, PoseFileError},
    rig::Rig,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// A saved piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// "supple-project".
    pub format: String,
    /// 3; 1 and 2 are read too.
    pub version: u32,
    /// The rig's file, relative to the project's; none where the command line names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rig: Option<String>,
    /// Joints that are not where the file has them.
    #[serde(default, skip_serializing_if = "SkeletonEdits::is_empty")]
    pub skeleton: SkeletonEdits,
    /// Weights that are not those of the file.
    #[serde(default, skip_serializing_if = "WeightEdits::is_empty")]
    pub weights: WeightEdits,
    /// How it is moved.
    pub graph: GraphFile,
    /// Files whose clips move the rig too, by the names of joints; relative to the project's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub motions: Vec<String>,
    /// Settings of methods that are not in the graph, by name: they count again when [chosen](Self::choose).
    #[serde(default, deserialize_with = "json::unique", skip_serializing_if = "BTreeMap::is_empty")]
    pub methods: BTreeMap<String, Settings>,
    /// The clip that is shown, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipTime>,
    /// Joints posed by hand: they replace what the clip, or the file, shows of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseFile>,
    /// Where the skin is looked at from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewPoint>,
}

/// A moment of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipTime {
    /// Its name, or its number where names are not unique.
    pub name: String,
    /// Seconds.
    pub time: f64,
}

/// An eye, what it looks at, and what is up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewPoint {
    /// Where it stands.
    pub eye: [f32; 3],
    /// What it looks at.
    pub target: [f32; 3],
    /// What is up in the picture.
    pub up: [f32; 3],
}

/// The version this program writes.
const VERSION: u32 = 3;

/// Why a file is not a project.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// Not JSON of this form.
    #[error("not a project: {}", json::plain(.0))]
    Json(#[from] serde_json::Error),
    /// Another kind of JSON file.
    #[error("format is \"{0}\", expected \"supple-project\"")]
    Format(String),
    /// Made by a newer program, or by none.
    #[error("version {0} is not one this program understands (1 to 3)")]
    Version(u32),
    /// The graph inside is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The pose inside does not fit the rig.
    #[error(transparent)]
    Pose(#[from] PoseFileError),
    /// The clip is not one of the rig's.
    #[error("the project shows clip \"{0}\", which the rig does not have")]
    Clip(String),
    /// A clip has no such moment.
    #[error("the project shows clip \"{0}\" at {1} seconds")]
    Time(String, f64),
}

impl Project {
    /// A project around a graph.
    pub fn new(rig: Option<String>, graph: &DeformGraph) -> Self {
        Self {
            format: "supple-project".into(),
            version: VERSION,
            rig,
            skeleton: SkeletonEdits::default(),
            weights: WeightEdits::default(),
            graph: graph.to_file(),
            motions: Vec::new(),
            methods: BTreeMap::new(),
            clip: None,
            pose: None,
            view: None,
        }
    }

    /// Reads the JSON. The version is looked at first, so that a newer file is named as such.
    pub fn from_json(text: &str) -> Result<Self, ProjectError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.format != "supple-project" {
            return Err(ProjectError::Format(head.format));
        }
        if !(1..=VERSION).contains(&head.version) {
            return Err(ProjectError::Version(head.version));
        }
        let project = Self { version: VERSION, ..serde_json::from_str(text)? };
        // Said when it is read, and not when somebody chooses a method and cannot have it.
        project.methods.iter().try_for_each(|(name, settings)| methods::complete(name, settings).map(drop))?;
        Ok(project)
    }

    /// Writes the JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }

    /// Bytes of what is large in it (painted rows, lists in settings), by what tells each from any other: copies that share one give the
    /// same.
    pub fn memory(&self) -> impl Iterator<Item = (usize, usize)> {
        let in_graph = self.graph.nodes.iter().map(|node| &node.settings);
        let settings = in_graph.chain(self.methods.values()).flat_map(Settings::memory);
        self.weights.painted.rows.memory().chain(settings)
    }

    /// The graph inside, ready to bind.
    pub fn graph(&self) -> Result<DeformGraph, ProjectError> {
        Ok(DeformGraph::from_file(&self.graph)?)
    }

    /// The pose that is shown on a rig: that of the clip, with the joints posed by hand in front; without either, none.
    pub fn pose(&self, rig: &Rig) -> Result<Option<Pose>, ProjectError> {
        let clip = match &self.clip {
            None => None,
            Some(at) if !at.time.is_finite() => return Err(ProjectError::Time(at.name.clone(), at.time)),
            Some(at) => {
                let clip = rig.clip(&at.name).ok_or_else(|| ProjectError::Clip(at.name.clone()))?;
                Some(clip.sample(rig, at.time))
            }
        };
        let Some(by_hand) = &self.pose else { return Ok(clip) };
        let mut pose = clip.unwrap_or_else(|| Pose::shown(rig));
        by_hand.apply(rig, &mut pose)?;
        Ok(Some(pose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let project = Project::new(Some("arm.glb".into()), &DeformGraph::single("linear").unwrap());
        assert_eq!(Project::from_json(&project.to_json()).unwrap(), project);
        assert_eq!(project.graph().unwrap().to_file(), project.graph);
    }

    #[test]
    fn a_newer_version_is_named_even_if_the_rest_is_unknown() {
        let newer = r#"{"format": "supple-project", "version": 7, "novelty": true}"#;
        assert!(matches!(Project::from_json(newer), Err(ProjectError::Version(7))));
    }
}
