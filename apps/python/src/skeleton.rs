use crate::{array, error};
use glam::DAffine3;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::{exceptions::PyKeyError, prelude::*};
use supple::{
    names,
    rig::{Joint, Role, Skeleton},
};

/// Joints, parents before children.
///
/// names: a text for each joint.
/// parents: the number of each joint's parent; -1 or None for a root.
/// rest: where the joints are when the skin is at rest: matrices (joints, 4, 4), or places (joints, 3).
/// frames: names of joints that carry others or a prop, and make no bones.
#[pyclass(frozen, name = "Skeleton", module = "supple")]
pub struct PySkeleton {
    pub inner: Skeleton,
}

#[pymethods]
impl PySkeleton {
    #[new]
    #[pyo3(signature = (names, parents, rest, *, frames=Vec::new()))]
    fn new(
        names: Vec<String>,
        parents: Vec<Option<i64>>,
        rest: &Bound<'_, PyAny>,
        frames: Vec<String>,
    ) -> PyResult<Self> {
        let count = names.len();
        if parents.len() != count {
            return Err(error::rig(format!("{count} names and {} parents: they must be as many", parents.len())));
        }
        let rest: Vec<DAffine3> = if array::dimensions(rest)? == 2 {
            array::places(rest, "rest")?.into_iter().map(DAffine3::from_translation).collect()
        } else {
            array::matrices(rest, "rest", count)?
        };
        if rest.len() != count {
            return Err(error::rig(format!("{count} names and {} places at rest: they must be as many", rest.len())));
        }
        let mut joints = Vec::with_capacity(count);
        for (i, ((name, parent), rest)) in names.into_iter().zip(parents).zip(rest).enumerate() {
            let parent = parent.filter(|&p| p != -1);
            let number = parent.unwrap_or_default();
            let out = || error::rig(format!("joint {i} \"{name}\" has parent {number}, and there are {count} joints"));
            let parent = parent.map(|p| usize::try_from(p).ok().filter(|&p| p < count).ok_or_else(out)).transpose()?;
            joints.push(Joint::new(name, parent, rest));
        }
        let mut inner = Skeleton::new(joints).map_err(error::rig)?.show_rest();
        for name in frames {
            let joint = find(&inner, &name).map_err(error::rig)?;
            inner.set_role(joint, Role::Frame);
        }
        Ok(Self { inner })
    }

    /// The name of every joint.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.names().collect()
    }

    /// The number of every joint's parent; -1 for a root. int32.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let parent = |j: &Joint| j.parent.map_or(-1, |p| p as i32);
        PyArray1::from_vec(py, self.inner.joints().iter().map(parent).collect())
    }

    /// Where the joints are at rest: (joints, 4, 4) float64, columns multiplied, in the space of the skin.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        array::from_matrices(py, self.inner.joints().iter().map(|j| j.rest_from_joint))
    }

    /// The places of the joints at rest: (joints, 3) float64.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let places = self.inner.joints().iter().flat_map(|j| j.rest_position().to_array()).collect();
        array::from_rows(py, places, 3)
    }

    /// Names of the joints that make no bones.
    #[getter]
    fn frames(&self) -> Vec<&str> {
        self.inner.joints().iter().filter(|j| j.role == Role::Frame).map(|j| j.name.as_str()).collect()
    }

    /// The number of a joint by its name; case is ignored where no name fits exactly.
    fn index(&self, name: &str) -> PyResult<usize> {
        find(&self.inner, name).map_err(PyKeyError::new_err)
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.inner.find_forgiving(name).is_some()
    }

    fn __repr__(&self) -> String {
        format!("<supple.Skeleton of {} joints>", self.inner.len())
    }
}

/// A joint by its name, or what may have been meant.
pub fn find(skeleton: &Skeleton, name: &str) -> Result<usize, String> {
    let missing = || format!("no joint is called \"{name}\"{}", names::hint(name, skeleton.names()));
    skeleton.find_forgiving(name).ok_or_else(missing)
}
