//! Supple for Python: the compiled half. `python/supple/__init__.py` gives its names to the world, `python/supple/__init__.pyi` their types.
//!
//! Nothing is computed here. Arrays are looked at and handed to the library with Python's lock let go; what the library
//! refuses comes back as an exception with its own words. Methods and settings come from the registry, so that a new one
//! appears without being mentioned.

mod array;
mod bake;
mod bound;
mod clip;
mod error;
mod files;
mod graph;
mod json;
mod measure;
mod methods;
mod pose;
mod project;
mod render;
mod rig;
mod skeleton;
mod weights;

/// The compiled half of supple.
#[pyo3::pymodule]
mod _supple {
    #[pymodule_export]
    use super::{
        bake::bake,
        bound::PyBound,
        clip::PyClip,
        error::{BindError, Error, GraphError, MeasureError, PoseError, ReadError, RenderError, RigError, WriteError},
        files::{arm, figure, hand, read_rig, statue, write_rig},
        graph::PyGraph,
        measure::{deform, measure},
        methods::{PyMethod, PySetting, methods},
        pose::PyPose,
        project::open_project,
        render::render,
        rig::PyRig,
        skeleton::PySkeleton,
        weights::PyWeights,
    };

    /// Adds the method of the tests, where the module is built with it.
    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        #[cfg(feature = "toy")]
        supple_testkit::toy::add();
        Ok(())
    }

    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");
}
