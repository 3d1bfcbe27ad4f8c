//! One-shot functions: move, measure.

use crate::{
    bound::{Mover, PyBound, check},
    error,
    graph::PyGraph,
    json,
    pose::PyPose,
    rig::PyRig,
};
use numpy::PyArray2;
use pyo3::{exceptions::PyUserWarning, prelude::*, types::PyDict};
use std::ffi::CString;
use supple::{
    deform::Clock,
    graph::GraphError,
    measure::{PoseGauge, SurfaceOptions, as_map, errors, there_and_back},
    pose::Pose,
};

/// The points of a rig moved to a pose: (vertices, 3) float32. For many poses, Graph.bind once is faster.
///
/// method: a name with settings as further keywords, or a Graph.
#[pyfunction]
#[pyo3(signature = (rig, method, pose=None, *, device="cpu", **settings))]
pub fn deform<'py>(
    py: Python<'py>,
    rig: &PyRig,
    method: &Bound<'py, PyAny>,
    pose: Option<&PyPose>,
    device: &str,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let graph = PyGraph::of(method, settings)?;
    let shown;
    let pose = match pose {
        Some(pose) => pose,
        None => {
            shown = PyPose::shown(rig);
            &shown
        }
    };
    let bound = PyBound::new(py, &graph, &rig.inner, device)?;
    let points = bound.deform(py, pose, None, None, None)?;
    warn(py, bound.mover().binding().starts_anew())?;
    Ok(points)
}

/// Says in Python's way what there are no notes for.
fn warn(py: Python<'_>, what: Option<String>) -> PyResult<()> {
    let Some(what) = what else { return Ok(()) };
    // A name may hold anything.
    let what = CString::new(what.replace('\0', " "))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &what, 1)
}

/// How good the moved skin is: the figures of `supple measure --json` as a dictionary, contacts among them where the method
/// knows limbs as volumes.
///
/// method: a name with settings as further keywords, or a Graph.
/// grid: cells along the longest side of the grid that overlaps are found on.
#[pyfunction]
#[pyo3(signature = (rig, method, pose=None, *, grid=None, **settings))]
pub fn measure<'py>(
    py: Python<'py>,
    rig: &PyRig,
    method: &Bound<'py, PyAny>,
    pose: Option<&PyPose>,
    grid: Option<usize>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let graph = PyGraph::of(method, settings)?;
    let rig = &rig.inner;
    let pose = pose.map_or_else(|| Pose::shown(rig), |p| p.inner.clone());
    check(rig, &pose)?;
    let grid = grid.unwrap_or(SurfaceOptions::default().grid);
    let (figures, anew) = py.detach(|| -> PyResult<_> {
        let (mut mover, _) = Mover::new(&graph, rig, "cpu")?;
        let mut figures = as_map(&errors(rig, &mut mover.binding().run()));
        let mut gauge = PoseGauge::new(rig, mover.binding(), grid).map_err(error::measuring)?;
        let mut points = rig.mesh.positions.clone();
        let clock = Clock::first(0.0);
        mover.move_into(rig, &pose, clock, &mut points);
        let mut rest = Vec::new();
        pose.morphed(rig, &mut rest);
        figures.extend(gauge.figures(rig, &rest, mover.motion(), clock, &points).map_err(error::measuring)?);
        if rig.mesh.is_point_set() {
            let back = there_and_back(rig, &graph, &mut mover.binding().run(), &pose);
            figures.extend(as_map(&back.map_err(|e: GraphError| error::graph_or_bind(e))?));
        }
        Ok((figures, mover.binding().starts_anew()))
    })?;
    warn(py, anew)?;
    json::dict(py, &figures)
}
