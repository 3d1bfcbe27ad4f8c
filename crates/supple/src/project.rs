//! The saved document that every front opens: which rig, moved how. JSON, versioned; schema in `docs/schema/project.json`.

use crate::{
    graph::{DeformGraph, GraphError, GraphFile},
    json,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A saved piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// "supple-project".
    pub format: String,
    /// 1.
    pub version: u32,
    /// The rig's file, relative to the project's; none where the command line names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rig: Option<String>,
    /// How it is moved.
    pub graph: GraphFile,
}

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
    #[error("version {0} is not one this program understands (1)")]
    Version(u32),
    /// The graph inside is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

impl Project {
    /// A project around a graph.
    pub fn new(rig: Option<String>, graph: &DeformGraph) -> Self {
        Self { format: "supple-project".into(), version: 1, rig, graph: graph.to_file() }
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
        if head.version != 1 {
            return Err(ProjectError::Version(head.version));
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Writes the JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }

    /// The graph inside, ready to bind.
    pub fn graph(&self) -> Result<DeformGraph, ProjectError> {
        Ok(DeformGraph::from_file(&self.graph)?)
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
