use crate::{array, error, json, rig::PyRig};
use glam::{DAffine3, DVec3};
use numpy::PyArray3;
use pyo3::{prelude::*, types::PyDict};
use serde_json::{Value, json};
use std::sync::Arc;
use supple::{
    names,
    pose::{Anatomy, Motion, Pose, PoseFile, Swing},
    rig::Rig,
};

/// Where the joints of a rig are. It does not change: bend, swing and twist give a new one.
#[pyclass(frozen, name = "Pose", module = "supple")]
pub struct PyPose {
    pub rig: Arc<Rig>,
    pub inner: Pose,
}

impl PyPose {
    /// This pose with turns added, joints replaced and morphs set.
    pub fn with(
        self,
        bend: Option<&Bound<'_, PyDict>>,
        swing: Option<&Bound<'_, PyDict>>,
        twist: Option<&Bound<'_, PyDict>>,
        joints: Option<&Bound<'_, PyDict>>,
        morphs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let Self { rig, mut inner } = self;
        if let Some(joints) = joints {
            let file = file(&json::from_python(joints)?, &rig)?;
            for name in joints.keys() {
                if let Some(joint) = rig.skeleton.find_forgiving(name.extract()?) {
                    inner.local[joint] = file.local[joint];
                }
            }
        }
        for (name, turn) in bend.into_iter().flatten() {
            let (degrees, axis) = match turn.extract::<f64>() {
                Ok(degrees) => (degrees, None),
                Err(_) => turn.extract::<(f64, [f64; 3])>().map(|(d, a)| (d, Some(DVec3::from(a)))).map_err(|_| {
                    error::pose(format!("bend of {name}: degrees or (degrees, (x, y, z)) are expected, found {turn}"))
                })?,
            };
            inner.bend(&rig, name.extract()?, degrees, axis).map_err(error::pose)?;
            if axis.is_none() {
                doubt(name.py(), &rig, name.extract()?, |a, joint| a.doubts(joint, degrees))?;
            }
        }
        for (name, ways) in swing.into_iter().flatten() {
            let expected = "swing of {name}: degrees by direction are expected, as in {\"raise\": 45}";
            let ways = ways.cast_into::<PyDict>();
            let ways = ways.map_err(|_| error::pose(expected.replace("{name}", &name.to_string())))?;
            for (way, degrees) in ways {
                let (joint, swing, degrees) = (name.extract()?, direction(way.extract()?)?, degrees.extract()?);
                inner.swing(&rig, joint, swing, degrees).map_err(error::pose)?;
                doubt(name.py(), &rig, joint, |a, joint| a.swing_doubts(joint, swing, degrees))?;
            }
        }
        for (name, turn) in twist.into_iter().flatten() {
            let degrees = turn.extract::<f64>();
            let degrees =
                degrees.map_err(|_| error::pose(format!("twist of {name}: degrees are expected, found {turn}")))?;
            inner.twist(&rig, name.extract()?, degrees).map_err(error::pose)?;
            doubt(name.py(), &rig, name.extract()?, |a, joint| a.twist_doubt(joint, degrees))?;
        }
        for (name, weight) in morphs.into_iter().flatten() {
            set_morph(&rig, &mut inner, name.extract()?, weight.extract()?)?;
        }
        Ok(Self { rig, inner })
    }

    fn of_local(rig: &Arc<Rig>, local: Vec<DAffine3>) -> PyResult<Self> {
        if let Some(joint) = local.iter().position(|m| !m.is_finite()) {
            let name = &rig.skeleton.joints()[joint].name;
            return Err(error::pose(format!("joint {joint} \"{name}\" hangs on a joint that is squeezed to nothing")));
        }
        Ok(Self { rig: rig.clone(), inner: Pose { local, ..Pose::rest(rig) } })
    }
}

#[pymethods]
impl PyPose {
    /// The bind pose: every method gives back the skin at rest.
    #[staticmethod]
    pub fn rest(rig: &PyRig) -> Self {
        Self { inner: Pose::rest(&rig.inner), rig: rig.inner.clone() }
    }

    /// What a viewer shows of the file when nothing is animated.
    #[staticmethod]
    pub fn shown(rig: &PyRig) -> Self {
        Self { inner: Pose::shown(&rig.inner), rig: rig.inner.clone() }
    }

    /// From a dictionary of the form of a pose file: {"joints": {"forearm": {"rotation": [x, y, z, w]}}}.
    #[staticmethod]
    fn from_dict(rig: &PyRig, pose: &Bound<'_, PyDict>) -> PyResult<Self> {
        let text = json::from_python(pose)?.to_string();
        let inner = PoseFile::from_json(&text).and_then(|file| file.pose(&rig.inner)).map_err(error::pose)?;
        Ok(Self { rig: rig.inner.clone(), inner })
    }

    /// From matrices (joints, 4, 4) that take each joint's frame to its parent's.
    #[staticmethod]
    fn from_local(rig: &PyRig, matrices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let local = array::matrices(matrices, "matrices", rig.inner.skeleton.len())?;
        Self::of_local(&rig.inner, local)
    }

    /// From matrices (joints, 4, 4) that take each joint's frame to the space of the skin.
    #[staticmethod]
    fn from_world(rig: &PyRig, matrices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let world = array::matrices(matrices, "matrices", rig.inner.skeleton.len())?;
        let joints = rig.inner.skeleton.joints().iter().zip(&world);
        let local = joints.map(|(j, m)| j.parent.map_or(*m, |p| world[p].inverse() * *m)).collect();
        Self::of_local(&rig.inner, local)
    }

    /// A joint turned by degrees about an axis of its parent; without one it flexes as anatomy has it.
    #[pyo3(signature = (joint, degrees, axis=None))]
    fn bend(&self, py: Python<'_>, joint: &str, degrees: f64, axis: Option<[f64; 3]>) -> PyResult<Self> {
        let mut inner = self.inner.clone();
        inner.bend(&self.rig, joint, degrees, axis.map(DVec3::from)).map_err(error::pose)?;
        if axis.is_none() {
            doubt(py, &self.rig, joint, |a, joint| a.doubts(joint, degrees))?;
        }
        Ok(Self { rig: self.rig.clone(), inner })
    }

    /// A joint's bone moved by degrees in a direction of the body: "raise", "lower", "forward", "back", "out" or "in".
    fn swing(&self, py: Python<'_>, joint: &str, direction: &str, degrees: f64) -> PyResult<Self> {
        let mut inner = self.inner.clone();
        let swing = self::direction(direction)?;
        inner.swing(&self.rig, joint, swing, degrees).map_err(error::pose)?;
        doubt(py, &self.rig, joint, |a, joint| a.swing_doubts(joint, swing, degrees))?;
        Ok(Self { rig: self.rig.clone(), inner })
    }

    /// A joint turned by degrees about its own bone.
    fn twist(&self, py: Python<'_>, joint: &str, degrees: f64) -> PyResult<Self> {
        let mut inner = self.inner.clone();
        inner.twist(&self.rig, joint, degrees).map_err(error::pose)?;
        doubt(py, &self.rig, joint, |a, joint| a.twist_doubt(joint, degrees))?;
        Ok(Self { rig: self.rig.clone(), inner })
    }

    /// A morph by its weight.
    fn morph(&self, name: &str, weight: f32) -> PyResult<Self> {
        let mut inner = self.inner.clone();
        set_morph(&self.rig, &mut inner, name, weight)?;
        Ok(Self { rig: self.rig.clone(), inner })
    }

    /// Each joint's frame in its parent's: (joints, 4, 4) float64.
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        array::from_matrices(py, self.inner.local.iter().copied())
    }

    /// Each joint's frame in the space of the skin: (joints, 4, 4) float64.
    #[getter]
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        array::from_matrices(py, Motion::of(&self.rig, &self.inner).posed_from_joint.into_iter())
    }

    fn __repr__(&self) -> String {
        format!("<supple.Pose of {} joints>", self.inner.local.len())
    }
}

fn direction(name: &str) -> PyResult<Swing> {
    let known = Swing::ALL.map(|s| s.0);
    let found = Swing::ALL.into_iter().find(|s| s.0 == name).map(|s| s.1);
    found.ok_or_else(|| error::pose(error::unknown("direction", name, &known)))
}

/// Warns of hinges that are guessed, and of turns that no body does.
fn doubt<D: IntoIterator<Item = String>>(
    py: Python<'_>,
    rig: &Rig,
    joint: &str,
    doubts: impl FnOnce(&Anatomy<'_>, usize) -> D,
) -> PyResult<()> {
    let Some(joint) = rig.skeleton.find_forgiving(joint) else { return Ok(()) };
    for line in doubts(&Anatomy::of(rig), joint) {
        error::warn(py, &line)?;
    }
    Ok(())
}

fn file(joints: &Value, rig: &Rig) -> PyResult<Pose> {
    let text = json!({ "joints": joints }).to_string();
    PoseFile::from_json(&text).and_then(|file| file.pose(rig)).map_err(error::pose)
}

fn set_morph(rig: &Rig, pose: &mut Pose, name: &str, weight: f32) -> PyResult<()> {
    if !weight.is_finite() {
        return Err(error::pose(format!("the weight of morph \"{name}\" is {weight}, which is not finite")));
    }
    let hint = || names::hint(name, rig.morphs.iter().map(|m| m.name.as_str()));
    let found = rig.morphs.iter().position(|m| m.name == name);
    let morph = found.ok_or_else(|| error::pose(format!("no morph is called \"{name}\"{}", hint())))?;
    pose.morph_weights[morph] = weight;
    Ok(())
}
