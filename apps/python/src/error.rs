//! What the library refuses, as exceptions. Each says the one line that the library says.

use pyo3::{
    create_exception,
    exceptions::{PyUserWarning, PyValueError},
    prelude::*,
};
use std::{ffi::CString, fmt::Display};

create_exception!(supple, Error, PyValueError, "Whatever Supple refuses; the base of all its exceptions.");
create_exception!(supple, ReadError, Error, "A file cannot be used; says what is wrong with it, and where.");
create_exception!(supple, WriteError, Error, "A file cannot be written.");
create_exception!(supple, RigError, Error, "Arrays do not make a rig, a skeleton or weights.");
create_exception!(supple, PoseError, Error, "A pose or a clip does not fit the rig.");
create_exception!(supple, GraphError, Error, "No such method or setting, or a graph that makes no sense.");
create_exception!(supple, BindError, Error, "A method, weights or a standard skeleton do not suit the rig.");
create_exception!(supple, MeasureError, Error, "There is nothing to measure, or the points are of another rig.");
create_exception!(supple, RenderError, Error, "A picture cannot be drawn.");

macro_rules! from_library {
    ($($name:ident => $class:ident),*) => {
        $(pub fn $name(error: impl Display) -> PyErr {
            $class::new_err(error.to_string())
        })*
    };
}
from_library!(
    reading => ReadError, writing => WriteError, rig => RigError, pose => PoseError, graph => GraphError,
    bind => BindError, measuring => MeasureError, rendering => RenderError
);

/// What reading a graph or binding it refuses; the library has one type for both.
pub fn graph_or_bind(error: supple::graph::GraphError) -> PyErr {
    match error {
        supple::graph::GraphError::Bind(error) => bind(error),
        other => graph(other),
    }
}

/// A warning, as Python has them.
pub fn warn(py: Python<'_>, line: &str) -> PyResult<()> {
    // Names of files may hold the one character that C strings cannot.
    let line = CString::new(line.replace('\0', " ")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &line, 1)
}

/// A name that is none of those known.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    format!("no {what} is called \"{name}\"{}", supple::names::hint(name, known.iter().copied()))
}
