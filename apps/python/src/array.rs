//! NumPy's arrays in and out: shape, type and numbers are looked at before anything is done with them.

use crate::error;
use glam::{DAffine3, DMat4, DVec3, Vec3};
use numpy::{
    Element, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArray, PyUntypedArrayMethods, ndarray::Dimension,
};
use pyo3::{intern, prelude::*, types::PyDict};

/// What numbers an array may hold.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Whole and broken ones.
    Real,
    /// Whole ones.
    Whole,
}

/// As an array of one type and so many dimensions; the array itself where it is one already, else a converted copy.
fn coerce<'py, T: Element, D: Dimension>(
    value: &Bound<'py, PyAny>,
    what: &str,
    kind: Kind,
    shape: &str,
) -> PyResult<numpy::PyReadonlyArray<'py, T, D>> {
    let py = value.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let wrong = |found: String| error::rig(format!("{what}: an array of shape {shape} is expected, found {found}"));
    let array = numpy.call_method1(intern!(py, "asarray"), (value,));
    let array = array.map_err(|_| wrong(format!("what NumPy makes no array of ({})", value.get_type())))?;
    let array = array.cast_into::<PyUntypedArray>().map_err(|_| wrong("something else".into()))?;
    let letter: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let fits = match kind {
        Kind::Real => ["f", "i", "u"].contains(&letter.as_str()),
        Kind::Whole => ["i", "u"].contains(&letter.as_str()),
    };
    if !fits && !array.shape().contains(&0) {
        let numbers = if kind == Kind::Whole { "whole numbers" } else { "numbers" };
        return Err(error::rig(format!("{what}: {numbers} are expected, found {}", array.dtype())));
    }
    if D::NDIM != Some(array.ndim()) {
        return Err(wrong(format!("{:?}", array.shape())));
    }
    let options = PyDict::new(py);
    options.set_item("copy", false)?;
    options.set_item("order", "C")?;
    let array = array.call_method("astype", (T::get_dtype(py),), Some(&options))?;
    let array = array.cast_into::<numpy::PyArray<T, D>>().map_err(|e| wrong(e.to_string()))?;
    array.try_readonly().map_err(|_| error::rig(format!("{what}: this array is being written to elsewhere")))
}

/// How many dimensions a value has as an array.
pub fn dimensions(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let numpy = value.py().import(intern!(value.py(), "numpy"))?;
    numpy.call_method1(intern!(value.py(), "ndim"), (value,))?.extract()
}

/// A table with so many columns.
pub fn table<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    what: &str,
    kind: Kind,
    columns: Option<usize>,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    let shape = columns.map_or("(rows, columns)".to_owned(), |c| format!("(rows, {c})"));
    let array: PyReadonlyArray2<'py, T> = coerce(value, what, kind, &shape)?;
    match columns.filter(|&c| array.shape()[1] != c) {
        Some(_) => Err(error::rig(format!("{what}: an array of shape {shape} is expected, found {:?}", array.shape()))),
        None => Ok(array),
    }
}

/// A list.
pub fn list<'py, T: Element>(value: &Bound<'py, PyAny>, what: &str, kind: Kind) -> PyResult<PyReadonlyArray1<'py, T>> {
    coerce(value, what, kind, "(count,)")
}

/// Points, all finite.
pub fn points(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec3>> {
    let array = table::<f32>(value, what, Kind::Real, Some(3))?;
    let points: Vec<Vec3> = bytemuck::cast_slice(array.as_slice()?).to_vec();
    match points.iter().position(|p| !p.is_finite()) {
        Some(at) => Err(error::rig(format!("{what}: point {at} is {}, which is not finite", points[at]))),
        None => Ok(points),
    }
}

/// Places in double precision, all finite.
pub fn places(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<DVec3>> {
    let array = table::<f64>(value, what, Kind::Real, Some(3))?;
    let places: Vec<DVec3> = bytemuck::cast_slice(array.as_slice()?).to_vec();
    match places.iter().position(|p| !p.is_finite()) {
        Some(at) => Err(error::rig(format!("{what}: row {at} is {}, which is not finite", places[at]))),
        None => Ok(places),
    }
}

/// Transforms as a list of 4 by 4 matrices that columns are multiplied with, translation in the last column.
pub fn matrices(value: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<Vec<DAffine3>> {
    let shape = format!("({count}, 4, 4)");
    let array: PyReadonlyArray3<'_, f64> = coerce(value, what, Kind::Real, &shape)?;
    if array.shape() != [count, 4, 4] {
        return Err(error::rig(format!("{what}: an array of shape {shape} is expected, found {:?}", array.shape())));
    }
    let rows: &[[f64; 16]] = bytemuck::cast_slice(array.as_slice()?);
    let matrix = |(joint, row): (usize, &[f64; 16])| {
        if row.iter().any(|x| !x.is_finite()) {
            return Err(error::rig(format!("{what}: matrix {joint} is not finite")));
        }
        if row[12..].iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(a, b)| (a - b).abs() > 1e-6) {
            let last = &row[12..];
            return Err(error::rig(format!(
                "{what}: the last row of matrix {joint} is {last:?}, expected [0, 0, 0, 1]"
            )));
        }
        Ok(DAffine3::from_mat4(DMat4::from_cols_array(row).transpose()))
    };
    rows.iter().enumerate().map(matrix).collect()
}

/// Transforms as 4 by 4 matrices.
pub fn from_matrices<'py>(py: Python<'py>, all: impl Iterator<Item = DAffine3>) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let numbers: Vec<f64> = all.flat_map(|m| DMat4::from(m).transpose().to_cols_array()).collect();
    let count = numbers.len() / 16;
    PyArray1::from_vec(py, numbers).reshape([count, 4, 4])
}

/// A table of so many columns.
pub fn from_rows<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = numbers.len() / columns.max(1);
    PyArray1::from_vec(py, numbers).reshape([rows, columns])
}

/// The same array, not to be written to: it is shared by everybody who asks.
pub fn shared<T: Element, D: Dimension>(array: Bound<'_, numpy::PyArray<T, D>>) -> PyResult<Py<numpy::PyArray<T, D>>> {
    let guard = array.try_readwrite().map_err(error::rig)?.make_nonwriteable();
    drop(guard);
    Ok(array.unbind())
}
