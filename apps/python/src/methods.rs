use crate::json;
use pyo3::prelude::*;
use supple::graph::{self, Kernel};

/// A method of the registry.
#[pyclass(frozen, get_all, name = "Method", module = "supple")]
pub struct PyMethod {
    /// As Graph takes it.
    name: String,
    /// One line for people.
    summary: String,
    /// Where it comes from.
    paper: String,
    /// Its settings.
    settings: Vec<Py<PySetting>>,
    /// False for nodes that only join the results of others.
    stands_alone: bool,
    /// Whether it runs on graphics cards too.
    on_gpu: bool,
}

/// A setting of a method.
#[pyclass(frozen, get_all, name = "Setting", module = "supple")]
pub struct PySetting {
    /// As a keyword of Graph.
    name: String,
    /// What it is where nothing is said.
    default: Py<PyAny>,
    /// One line for people.
    help: String,
    /// The words it may be, where it is one of a few.
    choices: Vec<&'static str>,
}

#[pymethods]
impl PyMethod {
    fn __repr__(&self) -> String {
        format!("<supple.Method {}>", self.name)
    }
}

#[pymethods]
impl PySetting {
    fn __repr__(&self) -> String {
        format!("<supple.Setting {}={}>", self.name, self.default)
    }
}

/// Every method there is, from the registry that all fronts of Supple share.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Vec<PyMethod>> {
    let setting = |s: &graph::SettingInfo| {
        let default = serde_json::from_str(s.default).unwrap_or_else(|_| s.default.into());
        let default = json::to_python(py, &default)?.unbind();
        Py::new(py, PySetting { name: s.name.into(), default, help: s.help.into(), choices: s.choices.to_vec() })
    };
    let method = |m: &graph::Method| {
        Ok(PyMethod {
            name: m.name.into(),
            summary: m.summary.into(),
            paper: m.paper.into(),
            settings: m.settings.iter().map(setting).collect::<PyResult<_>>()?,
            stands_alone: m.stands_alone,
            on_gpu: matches!(m.kernel, Kernel::Twin(_)),
        })
    };
    graph::methods().iter().map(method).collect()
}
