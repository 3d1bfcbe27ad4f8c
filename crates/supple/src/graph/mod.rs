//! Deformers wired together. A [`DeformGraph`] is data that can be saved. A [`Binding`] is the graph bound to one rig, and every run of
//! it shares the binding; a [`BoundGraph`] is one run, with all the memory that it needs.

mod binding;
mod bound;
mod registry;

pub use binding::{Binding, BoundNode};
pub use bound::{BoundGraph, Checkpoint};
pub use registry::{Kernel, Method, RegisterError, method, methods, register};

use crate::{
    deform::{BindError, Deformer, Kind, Port, SettingError, Settings, Space},
    json, names,
    rig::Rig,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// Name of the input every graph has: the rest points, morphs added.
pub const REST: &str = "rest";

/// The most inputs a node can have.
pub const MOST_INPUTS: usize = 4;

/// Deformers and how points flow between them.
#[derive(Debug)]
pub struct DeformGraph {
    nodes: Vec<Node>,
    output: usize,
}

#[derive(Debug)]
struct Node {
    name: String,
    deformer: Box<dyn Deformer>,
    inputs: Vec<Source>,
}

/// Name, deformer and names of inputs of a node that has no place in the order yet.
type Unplaced = (String, Box<dyn Deformer>, Vec<String>);

/// The source of an input of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The rest points, morphs added.
    Rest,
    /// The result of an earlier node.
    Node(usize),
}

/// A graph as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphFile {
    /// 1.
    pub version: u32,
    /// In any order.
    pub nodes: Vec<NodeFile>,
    /// Name of the node whose points are the result.
    pub output: String,
}

/// A node as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeFile {
    /// Unique; not "rest".
    pub name: String,
    /// Name of a method of the registry.
    pub method: String,
    /// Names of nodes, or "rest".
    pub inputs: Vec<String>,
    /// What differs from the method's defaults, or all of it.
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
}

/// Why data do not make a graph.
#[derive(Debug, Error)]
pub enum GraphError {
    /// Not JSON of this form.
    #[error("not a graph: {}", json::plain(.0))]
    Json(#[from] serde_json::Error),
    /// Made by a newer program, or by none.
    #[error("graph version {0} is not one this program understands (1)")]
    Version(u32),
    /// No such method.
    #[error("no method is called \"{name}\"{}", names::hint(.name, .known.split(", ")))]
    UnknownMethod {
        /// What was asked for.
        name: String,
        /// What there is, parted by commas.
        known: String,
    },
    /// Two nodes of one name, or a node called "rest".
    #[error("two nodes are called \"{0}\"")]
    Duplicate(String),
    /// An input or the output names no node.
    #[error("node \"{node}\" takes its points from \"{source_name}\", which does not exist")]
    UnknownSource {
        /// Who asks.
        node: String,
        /// What is missing.
        source_name: String,
    },
    /// The output names no node.
    #[error("the output \"{0}\" is not a node")]
    UnknownOutput(String),
    /// Points would flow in a circle.
    #[error("node \"{0}\" takes its points from itself, directly or through others")]
    Cycle(String),
    /// A node that joins others was asked for by itself.
    #[error("{0} joins the results of other methods, so it works only inside a graph (see --project)")]
    NotAlone(&'static str),
    /// Wrong number of inputs.
    #[error("node \"{node}\" ({method}) has {found} inputs, expected {expected}")]
    InputCount {
        /// The node.
        node: String,
        /// Its method.
        method: &'static str,
        /// How many it was given.
        found: usize,
        /// How many it takes, and what they are called.
        expected: String,
    },
    /// A port is given what it does not take.
    #[error("node \"{node}\" ({method}): \"{port}\" takes {wanted}, but \"{source_name}\" gives {found}")]
    Port {
        /// The node.
        node: String,
        /// Its method.
        method: &'static str,
        /// What it calls the port.
        port: &'static str,
        /// What that takes.
        wanted: Kind,
        /// What it is wired to.
        source_name: String,
        /// What comes from there.
        found: Kind,
    },
    /// What there is one of for each vertex, in another number.
    #[error("node \"{node}\" ({method}) gives {kind}, but {rows} of them for {vertices} vertices")]
    Rows {
        /// The node.
        node: String,
        /// Its method.
        method: &'static str,
        /// What it gives.
        kind: Kind,
        /// How many of them.
        rows: usize,
        /// Vertices of the rig.
        vertices: usize,
    },
    /// The result of a graph is moved points.
    #[error("the output \"{output}\" gives {found}: the result of a graph is points")]
    Output {
        /// The node.
        output: String,
        /// What it gives.
        found: Kind,
    },
    /// Skinning something that is already skinned, or mixing rest with posed points.
    #[error(
        "node \"{node}\" ({method}) takes {wanted} points, but \"{source_name}\" gives {found} ones: points are skinned once, and only like is mixed with like"
    )]
    Space {
        /// The node.
        node: String,
        /// Its method.
        method: &'static str,
        /// What it wants.
        wanted: &'static str,
        /// Where the points come from.
        source_name: String,
        /// What they are.
        found: &'static str,
    },
    /// A setting does not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A method does not fit the rig.
    #[error(transparent)]
    Bind(#[from] BindError),
}

impl DeformGraph {
    /// One method with its default settings.
    pub fn single(method: &str) -> Result<Self, GraphError> {
        Self::single_with(method, &Settings::new())
    }

    /// One method. A method that takes several posed inputs cannot stand alone.
    pub fn single_with(name: &str, settings: &Settings) -> Result<Self, GraphError> {
        let deformer = make(name, settings)?;
        if deformer.inputs().iter().filter(|port| !port.is_optional).count() != 1 {
            return Err(GraphError::NotAlone(deformer.method()));
        }
        let inputs = vec![REST.to_owned()];
        Self::assemble(vec![(name.to_owned(), deformer, inputs)], name)
    }

    /// From its saved form.
    pub fn from_file(file: &GraphFile) -> Result<Self, GraphError> {
        if file.version != 1 {
            return Err(GraphError::Version(file.version));
        }
        let node = |n: &NodeFile| Ok((n.name.clone(), make(&n.method, &n.settings)?, n.inputs.clone()));
        let nodes = file.nodes.iter().map(node).collect::<Result<Vec<_>, GraphError>>()?;
        Self::assemble(nodes, &file.output)
    }

    /// From JSON.
    pub fn from_json(text: &str) -> Result<Self, GraphError> {
        Self::from_file(&serde_json::from_str(text)?)
    }

    /// The saved form, with every setting written out.
    pub fn to_file(&self) -> GraphFile {
        let source_name = |s: &Source| match s {
            Source::Rest => REST.to_owned(),
            Source::Node(i) => self.nodes[*i].name.clone(),
        };
        let node = |n: &Node| NodeFile {
            name: n.name.clone(),
            method: n.deformer.method().to_owned(),
            inputs: n.inputs.iter().map(source_name).collect(),
            settings: n.deformer.settings(),
        };
        let output = self.nodes[self.output].name.clone();
        GraphFile { version: 1, nodes: self.nodes.iter().map(node).collect(), output }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.to_file()).expect("plain data")
    }

    /// Readies every node for a rig. Many may run the result at a time.
    pub fn binding(&self, rig: &Rig) -> Result<Arc<Binding>, GraphError> {
        Binding::new(self, rig, None).map(Arc::new)
    }

    /// The same where a graph like this is bound to this very rig already, with other settings: what they do not change is taken over.
    /// The result is that of a new binding, bit for bit.
    pub fn rebinding(&self, rig: &Rig, before: &Binding) -> Result<Arc<Binding>, GraphError> {
        Binding::new(self, rig, Some(before)).map(Arc::new)
    }

    /// The same for one who runs it alone.
    pub fn bind(&self, rig: &Rig) -> Result<BoundGraph, GraphError> {
        self.binding(rig).map(BoundGraph::of)
    }

    /// The deformers, in the order they run.
    pub fn deformers(&self) -> impl DoubleEndedIterator<Item = &dyn Deformer> {
        self.nodes.iter().map(|n| n.deformer.as_ref())
    }

    /// Names of the nodes, in the order they run.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|n| n.name.as_str())
    }

    /// Orders the nodes so that each comes after those it takes points from, and checks that the points fit.
    fn assemble(parts: Vec<Unplaced>, output: &str) -> Result<Self, GraphError> {
        let names: Vec<String> = parts.iter().map(|p| p.0.clone()).collect();
        for (i, name) in names.iter().enumerate() {
            if name == REST || names[..i].contains(name) {
                return Err(GraphError::Duplicate(name.clone()));
            }
        }
        let mut waiting: Vec<Option<Unplaced>> = Vec::new();
        for (name, deformer, inputs) in parts {
            if let Some(source) = inputs.iter().find(|s| *s != REST && !names.contains(s)) {
                return Err(GraphError::UnknownSource { node: name, source_name: source.clone() });
            }
            let (found, ports) = (inputs.len(), deformer.inputs());
            let needed = ports.iter().filter(|port| !port.is_optional).count();
            if !(needed..=ports.len().min(MOST_INPUTS)).contains(&found) {
                let most = ports.len();
                let count = if needed == most { format!("{needed}") } else { format!("{needed} to {most}") };
                let optional = |port: &Port| if port.is_optional { " (optional)" } else { "" };
                let named = ports.iter().map(|port| format!("\"{}\"{}", port.name, optional(port)));
                let expected = format!("{count}: {}", named.collect::<Vec<_>>().join(", "));
                return Err(GraphError::InputCount { node: name, method: deformer.method(), found, expected });
            }
            waiting.push(Some((name, deformer, inputs)));
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut kinds: Vec<Kind> = Vec::new();
        while nodes.len() < waiting.len() {
            let placed = |s: &String, nodes: &[Node]| s == REST || nodes.iter().any(|n| n.name == *s);
            let ready = waiting.iter().position(|w| w.as_ref().is_some_and(|w| w.2.iter().all(|s| placed(s, &nodes))));
            let Some(ready) = ready else {
                let stuck = waiting.iter().flatten().next().expect("not all placed");
                return Err(GraphError::Cycle(stuck.0.clone()));
            };
            let (name, deformer, inputs) = waiting[ready].take().expect("just found");
            let source = |s: &String| match nodes.iter().position(|n| n.name == *s) {
                Some(i) => Source::Node(i),
                None => Source::Rest,
            };
            let sources: Vec<Source> = inputs.iter().map(source).collect();
            kinds.push(output_kind(&name, deformer.as_ref(), &inputs, &sources, &kinds)?);
            nodes.push(Node { name, deformer, inputs: sources });
        }
        let last = nodes.iter().position(|n| n.name == output);
        let last = last.ok_or_else(|| GraphError::UnknownOutput(output.to_owned()))?;
        if !matches!(kinds[last], Kind::Points(_)) {
            return Err(GraphError::Output { output: output.to_owned(), found: kinds[last] });
        }
        Ok(Self { nodes, output: last })
    }
}

pub(crate) fn make(name: &str, settings: &Settings) -> Result<Box<dyn Deformer>, GraphError> {
    let known = || methods().iter().map(|m| m.name).collect::<Vec<_>>().join(", ");
    let method = method(name).ok_or_else(|| GraphError::UnknownMethod { name: name.into(), known: known() })?;
    Ok((method.make)(settings)?)
}

/// What a node gives, if it is given what it takes.
fn output_kind(
    name: &str,
    deformer: &dyn Deformer,
    names: &[String],
    sources: &[Source],
    kinds: &[Kind],
) -> Result<Kind, GraphError> {
    let word = |s: Space| if s == Space::Posed { "posed" } else { "rest" };
    let mut same = None;
    for ((port, source), source_name) in deformer.inputs().iter().zip(sources).zip(names) {
        let found = if let Source::Node(i) = source { kinds[*i] } else { Kind::Points(Space::Rest) };
        let (node, method, source_name) = (name.to_owned(), deformer.method(), source_name.clone());
        match (port.kind, found) {
            (Kind::Points(wanted), Kind::Points(found)) => {
                let wanted = if wanted == Space::Same { *same.get_or_insert(found) } else { wanted };
                if wanted != found {
                    let (wanted, found) = (word(wanted), word(found));
                    return Err(GraphError::Space { node, method, wanted, source_name, found });
                }
            }
            (wanted, found) if wanted != found => {
                return Err(GraphError::Port { node, method, port: port.name, wanted, source_name, found });
            }
            _ => {}
        }
    }
    Ok(match deformer.output() {
        Kind::Points(Space::Same) => Kind::Points(same.unwrap_or(Space::Rest)),
        other => other,
    })
}
