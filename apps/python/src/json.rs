//! Settings and figures: Python's dictionaries on one side, the library's JSON on the other.

use crate::error;
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use serde_json::{Map, Number, Value};
use supple::deform::Settings;

/// Deeper than any setting: a list that holds itself must end somewhere.
const DEEPEST: usize = 32;

/// A Python value as JSON. NumPy's arrays and numbers count as lists and numbers.
pub fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    convert(value, DEEPEST)
}

fn convert(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth == 0 {
        return Err(error::graph("settings are nested too deeply"));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let small = value.extract::<i64>().map_err(|_| error::graph(format!("{value} is too large a number")))?;
        return Ok(small.into());
    }
    if value.is_instance_of::<PyFloat>() {
        let number = value.extract::<f64>()?;
        let finite = || error::graph(format!("{number} is not a finite number"));
        return Ok(Value::Number(Number::from_f64(number).ok_or_else(finite)?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(Value::Object(object(dict, depth)?));
    }
    if value.hasattr("tolist")? {
        return convert(&value.call_method0("tolist")?, depth - 1);
    }
    match value.try_iter() {
        Ok(items) => items.map(|item| convert(&item?, depth - 1)).collect::<PyResult<_>>().map(Value::Array),
        Err(_) => {
            let kind = value.get_type().name()?;
            Err(error::graph(format!("a setting cannot be of type {kind}: numbers, texts, lists and dictionaries can")))
        }
    }
}

fn object(dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<Map<String, Value>> {
    let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let key = key.extract::<String>().map_err(|_| error::graph(format!("the key {key} is not a text")))?;
        Ok((key, convert(&value, depth - 1)?))
    };
    dict.iter().map(entry).collect()
}

/// Settings given as keywords.
pub fn settings(given: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    given.map_or_else(|| Ok(Settings::new()), |dict| Ok(object(dict, DEEPEST)?.into()))
}

/// JSON as a Python value.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(b) => b.into_bound_py_any(py),
        Value::Number(n) if n.is_i64() => n.as_i64().into_bound_py_any(py),
        Value::Number(n) => n.as_f64().into_bound_py_any(py),
        Value::String(s) => s.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_bound_py_any(py)
        }
        Value::Object(map) => dict(py, map)?.into_bound_py_any(py),
    }
}

/// A JSON object as a dictionary, its order kept.
pub fn dict<'py>(py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, to_python(py, value)?)?;
    }
    Ok(dict)
}
