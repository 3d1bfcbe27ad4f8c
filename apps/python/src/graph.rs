use crate::{bound::PyBound, error, json, rig::PyRig};
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;
use std::sync::Arc;
use supple::{graph::DeformGraph, project::Project};

/// How a rig is moved: one method with its settings, or several wired together.
///
/// Graph("implicit", operator="bulge", joints={"forearm": {"operator": "blend"}})
#[pyclass(frozen, name = "Graph", module = "supple")]
pub struct PyGraph {
    pub inner: Arc<DeformGraph>,
}

impl PyGraph {
    /// A graph as it is, or a method by its name with settings.
    pub fn of(method: &Bound<'_, PyAny>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<DeformGraph>> {
        if let Ok(graph) = method.cast::<Self>() {
            if settings.is_some_and(|s| !s.is_empty()) {
                return Err(error::graph("settings go into the graph itself where one is given"));
            }
            return Ok(graph.get().inner.clone());
        }
        let name = method.extract::<&str>();
        let name = name.map_err(|_| error::graph("a method is given by its name or as a Graph"))?;
        let graph = DeformGraph::single_with(name, &json::settings(settings)?);
        graph.map(Arc::new).map_err(error::graph_or_bind)
    }
}

#[pymethods]
impl PyGraph {
    #[new]
    #[pyo3(signature = (method="linear", **settings))]
    fn new(method: &str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let graph = DeformGraph::single_with(method, &json::settings(settings)?);
        Ok(Self { inner: Arc::new(graph.map_err(error::graph_or_bind)?) })
    }

    /// From the JSON of a graph or of a whole project.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let is_project = serde_json::from_str::<Value>(text).is_ok_and(|v| v.get("format").is_some());
        let graph = if is_project {
            Project::from_json(text).and_then(|p| p.graph()).map_err(error::graph)?
        } else {
            DeformGraph::from_json(text).map_err(error::graph_or_bind)?
        };
        Ok(Self { inner: Arc::new(graph) })
    }

    /// From dictionaries of the form of the JSON.
    #[staticmethod]
    fn from_dict(graph: &Bound<'_, PyDict>) -> PyResult<Self> {
        Self::from_json(&json::from_python(graph)?.to_string())
    }

    /// As JSON, with every setting written out.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// As a project that every front of Supple opens, with the name of the rig's file beside it.
    #[pyo3(signature = (rig=None))]
    fn to_project(&self, rig: Option<String>) -> String {
        Project::new(rig, &self.inner).to_json()
    }

    /// The nodes in the order they run, as dictionaries: name, method, inputs, settings.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let nodes = supple::measure::as_map(&self.inner.to_file()).remove("nodes");
        let nodes = nodes.and_then(|n| n.as_array().cloned()).unwrap_or_default();
        nodes.iter().map(|n| json::to_python(py, n)).collect()
    }

    /// Readies the graph for a rig: slow once, so that frames are fast.
    ///
    /// device: "cpu", "gpu", or "auto" for a graphics card where there is one.
    #[pyo3(signature = (rig, device="cpu"))]
    fn bind(&self, py: Python<'_>, rig: &PyRig, device: &str) -> PyResult<PyBound> {
        PyBound::new(py, &self.inner, &rig.inner, device)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner.to_file() == other.inner.to_file()
    }

    fn __repr__(&self) -> String {
        format!("<supple.Graph {}>", self.inner.node_names().collect::<Vec<_>>().join(" -> "))
    }
}
