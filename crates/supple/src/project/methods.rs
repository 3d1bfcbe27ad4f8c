//! Another method in place of the graph: what was set of the one that goes is kept, and what was set of the one that comes
//! counts again.

use super::Project;
use crate::{
    deform::Settings,
    graph::{self, DeformGraph, GraphError, GraphFile},
};

/// Settings with every default written out.
pub(super) fn complete(method: &str, settings: &Settings) -> Result<Settings, GraphError> {
    Ok(graph::make(method, settings)?.settings())
}

impl Project {
    /// One method alone, with what was set of it here last.
    pub fn graph_of(&self, method: &str) -> Result<DeformGraph, GraphError> {
        DeformGraph::single_with(method, &self.last_set(method))
    }

    fn last_set(&self, method: &str) -> Settings {
        let in_graph = self.graph.nodes.iter().rfind(|n| n.method == method).map(|n| &n.settings);
        in_graph.or_else(|| self.methods.get(method)).cloned().unwrap_or_default()
    }

    /// Takes one method alone in place of the graph. Settings of every method are kept.
    pub fn choose(&mut self, method: &str) -> Result<(), GraphError> {
        let mut graph = self.graph_of(method)?.to_file();
        graph.nodes.iter_mut().for_each(|node| node.settings.share(&self.last_set(method)));
        self.set_graph(graph);
        Ok(())
    }

    /// Takes another graph. Settings of methods that it does not have are kept; of several nodes of one method, the last
    /// one's.
    pub fn set_graph(&mut self, graph: GraphFile) {
        for node in std::mem::replace(&mut self.graph, graph).nodes {
            let of = |settings: &Settings| complete(&node.method, settings).ok();
            if of(&Settings::new()) == of(&node.settings) {
                self.methods.remove(&node.method);
            } else {
                self.methods.insert(node.method, node.settings);
            }
        }
        // What is in the graph has its settings there, and nowhere else.
        self.methods.retain(|method, _| self.graph.nodes.iter().all(|n| n.method != *method));
    }
}
