mod bind;

use crate::{
    array::{self, Kind},
    clip::PyClip,
    error,
    pose::PyPose,
    skeleton::PySkeleton,
    weights::PyWeights,
};
use numpy::PyArray2;
use pyo3::{prelude::*, sync::PyOnceLock, types::PyDict};
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};
use supple::{
    fit::{self, FitOptions, Heading, Template},
    pose::Anatomy,
    rig::{Mesh, Rig},
};

/// A character at rest: points, triangles, joints, and who owns which vertex. It does not change; what changes it gives a
/// new one.
///
/// positions: (vertices, 3) float32.
/// triangles: (triangles, 3) whole numbers; none for a point set.
/// skeleton: a Skeleton.
/// weights: a Weights, or an array (vertices, joints).
#[pyclass(frozen, name = "Rig", module = "supple")]
pub struct PyRig {
    pub inner: Arc<Rig>,
    warnings: Vec<String>,
    // Copied once, when first asked for; the same array from then on.
    positions: PyOnceLock<Py<PyArray2<f32>>>,
    triangles: PyOnceLock<Py<PyArray2<u32>>>,
}

impl PyRig {
    pub fn of(rig: Rig, warnings: Vec<String>) -> Self {
        Self { inner: Arc::new(rig), warnings, positions: PyOnceLock::new(), triangles: PyOnceLock::new() }
    }
}

#[pymethods]
impl PyRig {
    #[new]
    #[pyo3(signature = (positions, triangles=None, *, skeleton=None, weights=None, name="rig"))]
    fn new(
        positions: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        skeleton: Option<&PySkeleton>,
        weights: Option<&Bound<'_, PyAny>>,
        name: &str,
    ) -> PyResult<Self> {
        let positions = array::points(positions, "positions")?;
        let triangles = triangles.map(|t| corners(t, positions.len())).transpose()?.unwrap_or_default();
        let mut rig = Rig::of_mesh(name, Mesh { positions, triangles, ..Mesh::default() });
        rig.skeleton = skeleton.map(|s| s.inner.clone()).unwrap_or_default();
        if let Some(weights) = weights {
            set_weights(&mut rig, weights)?;
        }
        Ok(Self::of(rig, Vec::new()))
    }

    /// For people; files give theirs.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// What had to be mended or guessed to get this rig, a line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The skin at rest: (vertices, 3) float32, read-only, in the order of the file. The same array every time.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let make = || {
            let numbers: &[f32] = bytemuck::cast_slice(&self.inner.mesh.positions);
            array::shared(array::from_rows(py, numbers.to_vec(), 3)?)
        };
        Ok(self.positions.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// Its triangles: (triangles, 3) uint32, read-only. The same array every time.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let make = || {
            let numbers: &[u32] = bytemuck::cast_slice(&self.inner.mesh.triangles);
            array::shared(array::from_rows(py, numbers.to_vec(), 3)?)
        };
        Ok(self.triangles.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// The joints.
    #[getter]
    fn skeleton(&self) -> PySkeleton {
        PySkeleton { inner: self.inner.skeleton.clone() }
    }

    /// Who owns which vertex; None on a bare mesh.
    #[getter]
    fn weights(&self) -> Option<PyWeights> {
        self.inner.weights.clone().map(|inner| PyWeights { inner })
    }

    /// The animations.
    #[getter]
    fn clips(&self) -> Vec<PyClip> {
        self.inner.clips.iter().map(|c| PyClip { rig: self.inner.clone(), inner: Arc::new(c.clone()) }).collect()
    }

    /// Names of the shapes that can be added before skinning.
    #[getter]
    fn morphs(&self) -> Vec<&str> {
        self.inner.morphs.iter().map(|m| m.name.as_str()).collect()
    }

    /// How the body stands, or None, and how each joint bends: {"body": {...}, "joints": {"forearm": {"part", "flexion",
    /// "towards", "source", "certainty", "bone", "range"}}}. Axes of flexion are those of the joint's parent.
    fn anatomy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = py.detach(|| {
            let anatomy = Anatomy::of(&self.inner);
            let names = self.inner.skeleton.names().enumerate();
            let joints: serde_json::Map<_, _> =
                names.map(|(i, name)| (name.to_owned(), json!(anatomy.axes(i)))).collect();
            json!({"body": anatomy.body(), "joints": joints})
        });
        crate::json::to_python(py, &facts)
    }

    /// A clip by name or number, or a motion file (.bvh, .glb, .gltf, .fbx) carried over to this rig by the names of its joints.
    fn clip(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<PyClip> {
        let name = name.str()?.extract::<String>()?;
        py.detach(|| PyClip::find(&self.inner, &name))
    }

    /// A pose: the shown one, or one turned from rest, or one of a clip.
    ///
    /// bend: degrees of flexion by joint name, as anatomy has it, or (degrees, (x, y, z)) about an axis of its parent.
    /// swing: {"LeftArm": {"raise": 45, "forward": 20}}: raise, lower, forward, back, out, in, as the body sees them.
    /// twist: degrees by joint name, about the joint's own bone.
    /// joints: {"name": {"rotation": [x, y, z, w], "translation": …, "scale": …}}, as in a pose file.
    /// clip, time: a moment of a clip, in seconds.
    #[pyo3(signature = (*, bend=None, swing=None, twist=None, joints=None, morphs=None, clip=None, time=0.0))]
    #[allow(clippy::too_many_arguments)]
    fn pose(
        &self,
        py: Python<'_>,
        bend: Option<&Bound<'_, PyDict>>,
        swing: Option<&Bound<'_, PyDict>>,
        twist: Option<&Bound<'_, PyDict>>,
        joints: Option<&Bound<'_, PyDict>>,
        morphs: Option<&Bound<'_, PyDict>>,
        clip: Option<&Bound<'_, PyAny>>,
        time: f64,
    ) -> PyResult<PyPose> {
        let start = match clip {
            Some(clip) => {
                let found;
                let clip = match clip.cast::<PyClip>() {
                    Ok(clip) => clip.get(),
                    Err(_) => {
                        found = self.clip(py, clip)?;
                        &found
                    }
                };
                clip.sample(time)?
            }
            None if [bend, swing, twist, joints].iter().all(Option::is_none) => PyPose::shown(self),
            None => PyPose::rest(self),
        };
        start.with(bend, swing, twist, joints, morphs)
    }

    /// The same rig with other weights: a Weights, or an array (vertices, joints).
    fn with_weights(&self, weights: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut rig = (*self.inner).clone();
        set_weights(&mut rig, weights)?;
        Ok(Self::of(rig, Vec::new()))
    }

    /// The same rig with another skeleton. Weights, clips and sphere-mesh hung on the old one and are left out.
    fn with_skeleton(&self, skeleton: &PySkeleton) -> Self {
        Self::of(bare(&self.inner, skeleton.inner.clone()), Vec::new())
    }

    /// The same rig with joints elsewhere at rest: {"forearm": (x, y, z)}, in the space of the skin. Other joints stay,
    /// children too. Weights are kept; bind them anew where they should follow.
    fn move_joints(&self, places: BTreeMap<String, [f64; 3]>) -> PyResult<Self> {
        Ok(Self::of(crate::project::moved(&self.inner, places)?, Vec::new()))
    }

    /// The same rig with new weights.
    ///
    /// method: "heat", "flexible" or "nearest".
    /// influences: at most so many joints for a vertex; 4, and no limit with "flexible".
    /// k, joints, distance, ramp: of "flexible" alone: from wood (0.1) to rubber (2), the same for single joints by name,
    /// "geodesic", "euclidean" or "harmonic", "cubic" or "linear".
    /// exclude: names of joints that shall own no skin.
    #[pyo3(signature = (method="heat", *, influences=None, k=None, joints=None, distance=None, ramp=None, exclude=Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn bind_weights(
        &self,
        py: Python<'_>,
        method: &str,
        influences: Option<usize>,
        k: Option<f64>,
        joints: Option<BTreeMap<String, f64>>,
        distance: Option<&str>,
        ramp: Option<&str>,
        exclude: Vec<String>,
    ) -> PyResult<Self> {
        let flexible = bind::Flexible { k, joints, distance, ramp };
        let plan = bind::Plan::new(&self.inner, method, influences, flexible, &exclude)?;
        let (rig, notes) = py.detach(|| plan.run())?;
        Ok(Self::of(rig, notes))
    }

    /// The same mesh with a standard skeleton ("human", "quadruped" or "hand") placed inside, and a report of how sure that
    /// is. Weights are yet to be bound.
    #[pyo3(signature = (template, *, up=None, facing=None, grid=128))]
    fn fit_template<'py>(
        &self,
        py: Python<'py>,
        template: &str,
        up: Option<&str>,
        facing: Option<&str>,
        grid: usize,
    ) -> PyResult<(Self, Bound<'py, PyAny>)> {
        let templates = [("human", Template::Human), ("quadruped", Template::Quadruped), ("hand", Template::Hand)];
        let template = bind::named("template", template, &templates)?;
        let heading = |word: Option<&str>| word.map(|w| bind::named("heading", w, &Heading::ALL)).transpose();
        let options = FitOptions { up: heading(up)?, facing: heading(facing)?, grid };
        let placed = py.detach(|| fit::template(&fit::body(&self.inner), template, &options));
        let (skeleton, report) = placed.map_err(error::bind)?;
        let figures = supple::measure::as_map(&report);
        Ok((Self::of(bare(&self.inner, skeleton), report.notes), crate::json::to_python(py, &figures.into())?))
    }

    fn __repr__(&self) -> String {
        let (vertices, joints) = (self.inner.mesh.positions.len(), self.inner.skeleton.len());
        format!("<supple.Rig \"{}\" of {vertices} vertices, {joints} joints>", self.inner.name)
    }
}

/// The mesh under another skeleton; what hung on the old one means nothing there.
fn bare(rig: &Rig, skeleton: supple::rig::Skeleton) -> Rig {
    let mut rig = Rig { skeleton, weights: None, clips: Vec::new(), sphere_mesh: None, ..rig.clone() };
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    rig
}

fn corners(value: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>> {
    let array = array::table::<i64>(value, "triangles", Kind::Whole, Some(3))?;
    let corners: &[[i64; 3]] = bytemuck::cast_slice(array.as_slice()?);
    let triangle = |(i, t): (usize, &[i64; 3])| {
        let bad = t.iter().find(|&&c| usize::try_from(c).map_or(true, |c| c >= vertices));
        match bad {
            Some(c) => Err(error::rig(format!("triangle {i} names vertex {c}, and there are {vertices}"))),
            None => Ok(t.map(|c| c as u32)),
        }
    };
    corners.iter().enumerate().map(triangle).collect()
}

fn set_weights(rig: &mut Rig, weights: &Bound<'_, PyAny>) -> PyResult<()> {
    let weights = match weights.cast::<PyWeights>() {
        Ok(weights) => weights.get().inner.clone(),
        Err(_) => PyWeights::from_dense(weights)?.inner,
    };
    let (rows, vertices, joints) = (weights.len(), rig.mesh.positions.len(), rig.skeleton.len());
    if rows != vertices {
        return Err(error::rig(format!("weights for {rows} vertices, and the rig has {vertices}")));
    }
    if let Some(joint) = weights.largest_joint().filter(|&j| usize::from(j) >= joints) {
        return Err(error::rig(format!("the weights name joint {joint}, and the skeleton has {joints}")));
    }
    rig.weights = Some(weights);
    Ok(())
}
