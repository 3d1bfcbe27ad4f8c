use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use supple::{
    deform::setting::ValueType,
    fit::Template,
    graph::{DeformGraph, GraphError, GraphFile, Method, NodeFile, method, methods},
    names,
    pose::{JointPose, Pose, PoseFile},
    project::{ClipTime, Project, WeightEdits, WeightSource},
    rig::Rig,
};
use thiserror::Error;

/// Rows of weights: of a vertex, joints by name and their shares.
pub type Rows = BTreeMap<u32, Vec<(String, f32)>>;

/// A change of a project. Small, plain data: it can be undone, written down, and said by a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Another method, with what was set of it last.
    Method {
        /// A name of the registry.
        name: String,
    },
    /// A setting of a node.
    Setting {
        /// The node; none: the one whose points are the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<String>,
        /// The setting.
        key: String,
        /// Its value; none: as it comes.
        value: Option<Value>,
    },
    /// What one joint has of its own in the last node whose method has settings for joints; none: nothing.
    Joint {
        /// Its name.
        joint: String,
        /// By field.
        settings: Option<Map<String, Value>>,
    },
    /// A whole graph.
    Graph {
        /// As saved.
        graph: GraphFile,
    },
    /// A joint posed by hand; none: as the clip or the rest has it.
    Pose {
        /// Its name.
        joint: String,
        /// Local.
        pose: Option<JointPose>,
    },
    /// The weight of a morph.
    Morph {
        /// Its name.
        name: String,
        /// 0 is off.
        weight: f32,
    },
    /// No joint is posed by hand any more.
    ClearPose,
    /// Another clip, or none.
    Clip {
        /// Its name or number.
        name: Option<String>,
    },
    /// Files whose clips move the character too.
    Motions {
        /// All of them, in order.
        files: Vec<String>,
    },
    /// Another moment of the clip.
    Time {
        /// Seconds.
        seconds: f64,
    },
    /// Where weights come from.
    Weights {
        /// File, heat or flexible.
        source: WeightSource,
    },
    /// The K of flexible weights, which it turns to where they were others.
    K {
        /// In diameters of a limb.
        k: f64,
    },
    /// The K of one joint; none: that of all.
    JointK {
        /// Its name.
        joint: String,
        /// In diameters of a limb.
        k: Option<f64>,
    },
    /// Rows of weights painted by hand: vertex, then joint and weight.
    Paint {
        /// One stroke; strokes of one number are one step of undo.
        stroke: u64,
        /// By vertex.
        #[serde(deserialize_with = "by_vertex")]
        rows: Rows,
    },
    /// Nothing is painted any more.
    ClearPaint,
    /// A joint put elsewhere at rest; none: back where it was.
    MoveJoint {
        /// Its name.
        joint: String,
        /// Where, at rest.
        to: Option<[f64; 3]>,
    },
    /// A standard skeleton in place of the file's; none: the file's own.
    Template {
        /// Which.
        template: Option<Template>,
    },
}

/// Of an enum that is told by a tag only words come through, so that numbers of vertices are read as such.
fn by_vertex<'de, D: Deserializer<'de>>(from: D) -> Result<Rows, D::Error> {
    let rows = BTreeMap::<String, Vec<(String, f32)>>::deserialize(from)?;
    let number =
        |word: &str| word.parse().map_err(|_| D::Error::custom(format!("\"{word}\" is not the number of a vertex")));
    rows.into_iter().map(|(word, row)| Ok((number(&word)?, row))).collect()
}

/// Why an edit is refused.
#[derive(Debug, Error)]
pub enum EditError {
    /// No such joint.
    #[error("no joint is called \"{name}\"{hint}")]
    Joint {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// No such clip.
    #[error("no clip is called \"{0}\"")]
    Clip(String),
    /// No such node.
    #[error("no node is called \"{0}\"")]
    Node(String),
    /// The methods of the graph have no settings for joints.
    #[error("joints have no settings of their own in {found}, but in {known}")]
    NotByJoint {
        /// The methods of the graph.
        found: String,
        /// Those that have some.
        known: String,
    },
    /// A number that is none.
    #[error("{what} is {value}: {expected}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// The graph would be wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Not of the form of a setting.
    #[error("{0}")]
    Form(String),
}

impl Edit {
    /// For the menu: "Undo …".
    pub fn words(&self) -> String {
        match self {
            Self::Method { name } => format!("method {name}"),
            Self::Setting { key, .. } => format!("setting {key}"),
            Self::Joint { joint, .. } => format!("settings of {joint}"),
            Self::Graph { .. } => "graph".into(),
            Self::Pose { joint, pose: Some(_) } => format!("turn of {joint}"),
            Self::Pose { joint, pose: None } => format!("release of {joint}"),
            Self::Morph { name, .. } => format!("morph {name}"),
            Self::ClearPose => "reset of the pose".into(),
            Self::Clip { .. } => "clip".into(),
            Self::Motions { .. } => "motion".into(),
            Self::Time { .. } => "time".into(),
            Self::Weights { .. } => "weights".into(),
            Self::K { .. } => "K".into(),
            Self::JointK { joint, .. } => format!("K of {joint}"),
            Self::Paint { .. } => "painting".into(),
            Self::ClearPaint => "removal of paint".into(),
            Self::MoveJoint { joint, .. } => format!("move of {joint}"),
            Self::Template { .. } => "standard skeleton".into(),
        }
    }

    /// The same without rows of weights and values of settings, which the project has: what undo keeps to say its words, and to
    /// know whether the next edit goes on with it.
    pub fn without_data(&self) -> Self {
        match self {
            Self::Paint { stroke, .. } => Self::Paint { stroke: *stroke, rows: Rows::new() },
            Self::Setting { node, key, .. } => Self::Setting { node: node.clone(), key: key.clone(), value: None },
            other => other.clone(),
        }
    }

    /// Whether this goes on with what the last edit began: a slider dragged on is one step of undo.
    pub fn continues(&self, last: &Self) -> bool {
        match (self, last) {
            (Self::Setting { node: a, key: x, .. }, Self::Setting { node: b, key: y, .. }) => a == b && x == y,
            (Self::Joint { joint: a, .. }, Self::Joint { joint: b, .. })
            | (Self::Pose { joint: a, pose: Some(_) }, Self::Pose { joint: b, pose: Some(_) })
            | (Self::JointK { joint: a, .. }, Self::JointK { joint: b, .. })
            | (Self::MoveJoint { joint: a, to: Some(_) }, Self::MoveJoint { joint: b, to: Some(_) })
            | (Self::Morph { name: a, .. }, Self::Morph { name: b, .. }) => a == b,
            (Self::Paint { stroke: a, .. }, Self::Paint { stroke: b, .. }) => a == b,
            (Self::K { .. }, Self::K { .. }) | (Self::Time { .. }, Self::Time { .. }) => true,
            _ => false,
        }
    }

    /// Changes a project of a rig, or leaves it as it was and says why.
    pub fn apply(&self, project: &Project, rig: &Rig) -> Result<Project, EditError> {
        let mut next = project.clone();
        match self {
            Self::Method { name } => next.choose(name)?,
            Self::Setting { node, key, value } => set(&mut next.graph, node.as_deref(), key, value.clone())?,
            Self::Joint { joint, settings } => {
                let name = joint_name(rig, joint)?;
                set_joint(&mut next.graph, name, settings.as_ref())?;
            }
            Self::Graph { graph } => next.set_graph(graph.clone()),
            Self::Pose { joint, pose } => {
                let name = joint_name(rig, joint)?;
                let by_hand = next.pose.get_or_insert_default();
                match pose {
                    Some(pose) => {
                        fits(rig, PoseFile { joints: [(name.clone(), *pose)].into(), ..Default::default() })?;
                        by_hand.joints.insert(name, *pose);
                    }
                    None => drop(by_hand.joints.remove(&name)),
                }
            }
            Self::Morph { name, weight } => {
                fits(rig, PoseFile { morphs: [(name.clone(), *weight)].into(), ..Default::default() })?;
                next.pose.get_or_insert_default().morphs.insert(name.clone(), *weight);
            }
            Self::ClearPose => next.pose = None,
            Self::Clip { name: None } => next.clip = None,
            Self::Clip { name: Some(name) } => {
                rig.clip(name).ok_or_else(|| EditError::Clip(name.clone()))?;
                next.clip = Some(ClipTime { name: name.clone(), time: 0.0 });
            }
            Self::Motions { files } => next.motions = files.clone(),
            Self::Time { seconds } => {
                finite("the time", *seconds, "it must be a finite number")?;
                if let Some(clip) = &mut next.clip {
                    clip.time = *seconds;
                }
            }
            Self::Weights { source } => next.weights.choose(source.clone()),
            Self::K { k } => *flexible(&mut next.weights).0 = width(*k)?,
            Self::JointK { joint, k } => {
                let name = joint_name(rig, joint)?;
                let joints = flexible(&mut next.weights).1;
                match k {
                    Some(k) => drop(joints.insert(name, width(*k)?)),
                    None => drop(joints.remove(&name)),
                }
            }
            Self::Paint { rows, .. } => {
                let painted = &mut next.weights.painted;
                let mut numbered = BTreeMap::new();
                for (&vertex, row) in rows {
                    let row = row.iter().map(|(joint, w)| {
                        finite("a painted weight", f64::from(*w), "it must be a finite number")?;
                        Ok((painted.number_of(&joint_name(rig, joint)?), *w))
                    });
                    let row = row.collect::<Result<Vec<_>, EditError>>()?;
                    numbered.insert(vertex, row);
                }
                painted.rows.put(numbered);
            }
            Self::ClearPaint => next.weights.painted = Default::default(),
            Self::MoveJoint { joint, to } => {
                let name = joint_name(rig, joint)?;
                match to {
                    Some(to) => {
                        to.iter().try_for_each(|&x| finite("a place", x, "it must be a finite number"))?;
                        next.skeleton.moved.insert(name, *to);
                    }
                    None => drop(next.skeleton.moved.remove(&name)),
                }
            }
            Self::Template { template } => {
                // Names of the one skeleton mean nothing on the other.
                next.skeleton.template = *template;
                next.skeleton.moved.clear();
                next.weights.painted = Default::default();
                (next.pose, next.clip) = (None, None);
                forget_joints(&mut next);
            }
        }
        if next.pose.as_ref().is_some_and(|p| p.joints.is_empty() && p.morphs.is_empty()) {
            next.pose = None;
        }
        // What a graph refuses is refused here, before anything is bound.
        if next.graph != project.graph {
            DeformGraph::from_file(&next.graph)?;
        }
        Ok(next)
    }
}

/// A pose that would be left out when it is used is not taken in the first place.
fn fits(rig: &Rig, pose: PoseFile) -> Result<(), EditError> {
    pose.apply(rig, &mut Pose::rest(rig)).map_err(|e| EditError::Form(e.to_string()))
}

fn finite(what: &'static str, value: f64, expected: &'static str) -> Result<(), EditError> {
    if value.is_finite() { Ok(()) } else { Err(EditError::Number { what, value, expected }) }
}

fn width(k: f64) -> Result<f64, EditError> {
    let wrong = EditError::Number { what: "K", value: k, expected: "it must be a number from 0 on" };
    if k.is_finite() && k >= 0.0 { Ok(k) } else { Err(wrong) }
}

fn joint_name(rig: &Rig, name: &str) -> Result<String, EditError> {
    let found = rig.skeleton.find_forgiving(name).map(|j| rig.skeleton.joints()[j].name.clone());
    found.ok_or_else(|| EditError::Joint { name: name.to_owned(), hint: names::hint(name, rig.skeleton.names()) })
}

fn flexible(weights: &mut WeightEdits) -> (&mut f64, &mut BTreeMap<String, f64>) {
    weights.choose(weights.as_left(&WeightSource::flexible()));
    match &mut weights.source {
        WeightSource::Flexible { k, joints, .. } => (k, joints),
        _ => unreachable!("made flexible above"),
    }
}

/// Takes back what single joints have of their own, in every method and source of weights.
fn forget_joints(project: &mut Project) {
    let in_graph = project.graph.nodes.iter_mut().map(|n| &mut n.settings);
    for settings in in_graph.chain(project.methods.values_mut()) {
        if settings.get("joints").is_some() {
            settings.insert("joints".to_owned(), Value::Object(Map::new()));
        }
    }
    let weights = &mut project.weights;
    for source in std::iter::once(&mut weights.source).chain(&mut weights.others) {
        if let WeightSource::Flexible { joints, .. } = source {
            joints.clear();
        }
    }
}

fn set(graph: &mut GraphFile, node: Option<&str>, key: &str, value: Option<Value>) -> Result<(), EditError> {
    let name = node.unwrap_or(&graph.output).to_owned();
    let node = graph.nodes.iter_mut().find(|n| n.name == name).ok_or(EditError::Node(name))?;
    match value {
        Some(value) => node.settings.insert(key.to_owned(), value),
        None => {
            let known = method(&node.method).map_or(&[][..], |m| m.settings);
            let default = known.iter().find(|s| s.name == key).and_then(|s| s.default_value());
            match default {
                Some(default) => node.settings.insert(key.to_owned(), default),
                None => node.settings.remove(key),
            }
        }
    }
    Ok(())
}

fn set_joint(graph: &mut GraphFile, joint: String, own: Option<&Map<String, Value>>) -> Result<(), EditError> {
    let by_joint = |m: &Method| m.settings.iter().find(|s| matches!(s.value_type, ValueType::ByJoint(_)));
    let of_node = |n: &NodeFile| method(&n.method).and_then(by_joint);
    let found = graph.nodes.iter().enumerate().rev().find_map(|(i, n)| Some((i, of_node(n)?.name)));
    let Some((node, name)) = found else {
        let found: Vec<&str> = graph.nodes.iter().map(|n| n.method.as_str()).collect();
        let known: Vec<&str> = methods().iter().filter(|m| by_joint(m).is_some()).map(|m| m.name).collect();
        return Err(EditError::NotByJoint { found: found.join(", "), known: known.join(", ") });
    };
    let settings = &mut graph.nodes[node].settings;
    let mut joints = match settings.take(name) {
        Some(Value::Object(joints)) => joints,
        _ => Map::new(),
    };
    match own.filter(|own| !own.is_empty()) {
        None => drop(joints.remove(&joint)),
        Some(own) => drop(joints.insert(joint, Value::Object(own.clone()))),
    }
    settings.insert(name.to_owned(), Value::Object(joints));
    Ok(())
}
