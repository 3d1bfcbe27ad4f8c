use crate::json;
use pyo3::prelude::*;
use supple::{
    deform::setting::Setting,
    graph::{self, Kernel},
};

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

/// A setting of a method, or a field of one that is an object.
#[pyclass(frozen, get_all, name = "Setting", module = "supple")]
pub struct PySetting {
    /// As a keyword of Graph.
    name: String,
    /// What it may be: "number", "whole number", "flag", "word", "method", "number or one per vertex", "word or object",
    /// "object by joint" or "list".
    r#type: &'static str,
    /// What it is where nothing is said; None for a field that is left out then.
    default: Py<PyAny>,
    /// The least number it may be, where it is one.
    least: Option<f64>,
    /// The greatest number it may be, where it is one.
    most: Option<f64>,
    /// What its numbers count or measure; empty for plain numbers.
    unit: &'static str,
    /// One line for people.
    help: String,
    /// The words it may be, where it is one of a few.
    choices: Vec<&'static str>,
    /// For people, in some lines: the help with the words it may be, range, unit and default, and what a change costs.
    about: String,
    /// What is done anew when it changes: "nothing", "tables" of its node, or the "binding".
    cost: &'static str,
    /// The fields of its object.
    fields: Vec<Py<PySetting>>,
}

impl PySetting {
    fn new(py: Python<'_>, setting: &Setting) -> PyResult<Py<Self>> {
        let default = json::to_python(py, &setting.default_value().unwrap_or_default())?.unbind();
        let range = setting.range();
        let made = Self {
            name: setting.name.into(),
            r#type: setting.value_type.word(),
            default,
            least: range.map(|r| r.least),
            most: range.map(|r| r.most),
            unit: setting.unit,
            help: setting.help.into(),
            choices: setting.words(),
            about: setting.about(),
            cost: setting.cost.word(),
            fields: setting.fields().iter().map(|field| Self::new(py, field)).collect::<PyResult<_>>()?,
        };
        Py::new(py, made)
    }
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
    let method = |m: &graph::Method| {
        Ok(PyMethod {
            name: m.name.into(),
            summary: m.summary.into(),
            paper: m.paper.into(),
            settings: m.settings.iter().map(|s| PySetting::new(py, s)).collect::<PyResult<_>>()?,
            stands_alone: m.stands_alone,
            on_gpu: matches!(m.kernel, Kernel::Twin(_)),
        })
    };
    graph::methods().iter().map(method).collect()
}
