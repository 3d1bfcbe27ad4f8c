use crate::{error, pose::PyPose};
use pyo3::prelude::*;
use std::{ffi::OsStr, path::Path, sync::Arc};
use supple::{
    names,
    pose::{Clip, carry},
    read,
    rig::Rig,
};

/// An animation of a rig, sampled at any time.
#[pyclass(frozen, name = "Clip", module = "supple")]
pub struct PyClip {
    pub rig: Arc<Rig>,
    pub inner: Arc<Clip>,
}

impl PyClip {
    /// By name or number, or a motion file.
    pub fn find(rig: &Arc<Rig>, name: &str) -> PyResult<Self> {
        if let Some(clip) = rig.clip(name) {
            return Ok(Self { rig: rig.clone(), inner: Arc::new(clip.clone()) });
        }
        let path = Path::new(name);
        let is_motion = |e: &OsStr| ["bvh", "glb", "gltf", "fbx"].iter().any(|known| e.eq_ignore_ascii_case(known));
        if path.extension().is_some_and(is_motion) {
            let motion = read::path(path).map_err(|e| error::reading(format!("{name}: {e}")))?;
            let carried = carry(&motion.rig, rig).map_err(|e| error::pose(format!("{name}: {e}")))?;
            let mut notes = Vec::new();
            if let [first, _, ..] = motion.rig.clips.as_slice() {
                notes.push(format!("holds {} clips; the first, \"{}\", is taken", motion.rig.clips.len(), first.name));
            }
            if carried.morphs > 0 {
                notes.push(format!("{} of its morphs are not carried over", carried.morphs));
            }
            Python::attach(|py| notes.iter().try_for_each(|note| error::warn(py, &format!("{name}: {note}"))))?;
            return Ok(Self { rig: rig.clone(), inner: Arc::new(carried.clip) });
        }
        Err(error::pose(match rig.clips.len() {
            0 => format!("the rig has no clips, so none is called \"{name}\""),
            _ => {
                format!("no clip is called \"{name}\"{}", names::hint(name, rig.clips.iter().map(|c| c.name.as_str())))
            }
        }))
    }
}

#[pymethods]
impl PyClip {
    /// As in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Time of the last key, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        f64::from(self.inner.duration())
    }

    /// The pose at a time, in seconds. Before the first key and after the last the ends hold.
    #[pyo3(signature = (time))]
    pub fn sample(&self, time: f64) -> PyResult<PyPose> {
        if !time.is_finite() {
            return Err(error::pose(format!("{time} is not a time")));
        }
        Ok(PyPose { inner: self.inner.sample(&self.rig, time), rig: self.rig.clone() })
    }

    /// How many frames it has at so many a second, both ends counted.
    fn frames(&self, fps: f64) -> PyResult<usize> {
        self.inner.frames(fps).map_err(error::pose)
    }

    fn __repr__(&self) -> String {
        format!("<supple.Clip \"{}\" of {:.3} s>", self.inner.name, self.inner.duration())
    }
}
