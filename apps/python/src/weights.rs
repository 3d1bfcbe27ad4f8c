use crate::{
    array::{self, Kind},
    error,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use supple::rig::{Weights, WeightsBuilder};

/// Who owns a vertex: sparse rows of joints and weights. Each row sums to one and has its heaviest joint first.
#[pyclass(frozen, name = "Weights", module = "supple")]
pub struct PyWeights {
    pub inner: Weights,
}

#[pymethods]
impl PyWeights {
    /// From an array (vertices, joints). Rows are normalised; a row of zeros is refused.
    #[staticmethod]
    pub fn from_dense(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let array = array::table::<f32>(array, "weights", Kind::Real, None)?;
        let joints = array.shape()[1];
        if joints > usize::from(u16::MAX) {
            return Err(error::rig(format!("weights for {joints} joints, but at most 65535 are supported")));
        }
        let mut table = Table::new(array.shape()[0]);
        for row in array.as_slice()?.chunks(joints.max(1)) {
            table.push(row.iter().enumerate().filter(|e| *e.1 != 0.0).map(|(j, &w)| (j as u16, w)))?;
        }
        table.finish()
    }

    /// From sparse rows: row v is joints[starts[v]:starts[v + 1]] and values of the same places.
    #[staticmethod]
    fn from_csr(starts: &Bound<'_, PyAny>, joints: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let starts = array::list::<i64>(starts, "starts", Kind::Whole)?;
        let joints = array::list::<i64>(joints, "joints", Kind::Whole)?;
        let values = array::list::<f32>(values, "values", Kind::Real)?;
        let (starts, joints, values) = (starts.as_slice()?, joints.as_slice()?, values.as_slice()?);
        if joints.len() != values.len() {
            let (j, v) = (joints.len(), values.len());
            return Err(error::rig(format!("{j} joints and {v} values: they must be as many")));
        }
        let ascends = starts.windows(2).all(|w| w[0] <= w[1]);
        if starts.first() != Some(&0) || starts.last() != Some(&(joints.len() as i64)) || !ascends {
            let all = joints.len();
            return Err(error::rig(format!("starts must ascend from 0 to the number of entries, {all}")));
        }
        let mut table = Table::new(starts.len() - 1);
        for row in starts.windows(2) {
            let row = row[0] as usize..row[1] as usize;
            table.push_checked(&joints[row.clone()], &values[row])?;
        }
        table.finish()
    }

    /// From two arrays (vertices, influences): the joints of every vertex and their weights; zeros fill up.
    #[staticmethod]
    fn from_rows(joints: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let joints = array::table::<i64>(joints, "joints", Kind::Whole, None)?;
        let values = array::table::<f32>(values, "values", Kind::Real, None)?;
        if joints.shape() != values.shape() {
            let (j, v) = (joints.shape(), values.shape());
            return Err(error::rig(format!("joints of shape {j:?} and values of shape {v:?}: they must be alike")));
        }
        let (rows, columns) = (joints.shape()[0], joints.shape()[1].max(1));
        let mut table = Table::new(rows);
        for (joints, values) in joints.as_slice()?.chunks(columns).zip(values.as_slice()?.chunks(columns)) {
            table.push_checked(joints, values)?;
        }
        table.finish()
    }

    /// Where each row starts, and the last ends: (vertices + 1,) uint32.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, self.inner.arrays().0)
    }

    /// The joint of every entry: uint16.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        PyArray1::from_slice(py, self.inner.arrays().1)
    }

    /// The weight of every entry: float32.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, self.inner.arrays().2)
    }

    /// As an array (vertices, joints) of float32.
    #[pyo3(signature = (joints=None))]
    fn dense<'py>(&self, py: Python<'py>, joints: Option<usize>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let used = self.inner.largest_joint().map_or(0, |j| usize::from(j) + 1);
        let joints = joints.unwrap_or(used);
        if joints < used {
            return Err(error::rig(format!("the weights name joint {}, and there are {joints} columns", used - 1)));
        }
        let mut all = vec![0.0; self.inner.len() * joints];
        for vertex in 0..self.inner.len() {
            let (row, values) = self.inner.row(vertex);
            for (&joint, &weight) in row.iter().zip(values) {
                all[vertex * joints + usize::from(joint)] = weight;
            }
        }
        PyArray1::from_vec(py, all).reshape([self.inner.len(), joints])
    }

    /// The most joints any vertex has.
    #[getter]
    fn most_influences(&self) -> usize {
        self.inner.most_influences()
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        let (vertices, entries) = (self.inner.len(), self.inner.entries());
        format!("<supple.Weights of {vertices} vertices, {entries} entries>")
    }
}

/// Rows that must be right: a program that makes weights wants to know, where a file is mended.
struct Table {
    builder: WeightsBuilder,
    vertex: usize,
    row: Vec<(u16, f32)>,
}

impl Table {
    fn new(vertices: usize) -> Self {
        Self { builder: WeightsBuilder::with_capacity(vertices, 4), vertex: 0, row: Vec::new() }
    }

    fn push_checked(&mut self, joints: &[i64], values: &[f32]) -> PyResult<()> {
        let vertex = self.vertex;
        let joint = |j: i64| {
            u16::try_from(j).map_err(|_| error::rig(format!("vertex {vertex} names joint {j}, which no skeleton has")))
        };
        let entries = joints.iter().zip(values).filter(|e| *e.1 != 0.0).map(|(&j, &w)| Ok((joint(j)?, w)));
        let entries = entries.collect::<PyResult<Vec<_>>>()?;
        self.push(entries.into_iter())
    }

    fn push(&mut self, entries: impl Iterator<Item = (u16, f32)>) -> PyResult<()> {
        let vertex = self.vertex;
        self.row.clear();
        self.row.extend(entries);
        if let Some((joint, weight)) = self.row.iter().find(|(_, w)| !(w.is_finite() && *w > 0.0)) {
            let why = if weight.is_finite() { "negative" } else { "not finite" };
            let says = format!("the weight of vertex {vertex} for joint {joint} is {weight}, which is {why}");
            return Err(error::rig(says));
        }
        if self.row.is_empty() {
            return Err(error::rig(format!("vertex {vertex} has no weight; every vertex must belong to some joint")));
        }
        self.builder.push(self.row.iter().copied());
        self.vertex += 1;
        Ok(())
    }

    fn finish(self) -> PyResult<PyWeights> {
        Ok(PyWeights { inner: self.builder.finish(|_| 0).0 })
    }
}
