//! Many frames into one file.

use crate::{
    bound::{Mover, check},
    clip::PyClip,
    error,
    graph::PyGraph,
    pose::PyPose,
    rig::PyRig,
};
use pyo3::{prelude::*, types::PyDict};
use std::{ops::Range, path::PathBuf, sync::Arc};
use supple::{
    deform::Clock,
    pose::{Clip, Pose},
    write::Frames,
};

/// What is baked: a clip, or poses one after another.
enum Source {
    Clip(Arc<Clip>),
    Poses(Vec<Pose>),
}

/// Moves a rig through a clip and writes the frames: .glb, .usda or .pc2. The file appears when it is whole. Returns the
/// number of frames.
///
/// clip: a Clip, the name of one, a .bvh file, or a list of poses.
/// method: a name with settings as further keywords, or a Graph.
/// frames: (first, last + 1) of the clip's frames; all of them without.
/// progress: called as progress(done, all) after each frame; what it raises stops the work, and no file is left behind.
#[pyfunction]
#[pyo3(signature = (rig, clip, method, path, *, fps=30.0, frames=None, device="cpu", progress=None, **settings))]
#[allow(clippy::too_many_arguments)]
pub fn bake(
    py: Python<'_>,
    rig: &PyRig,
    clip: &Bound<'_, PyAny>,
    method: &Bound<'_, PyAny>,
    path: PathBuf,
    fps: f64,
    frames: Option<(usize, usize)>,
    device: &str,
    progress: Option<Py<PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<usize> {
    let graph = PyGraph::of(method, settings)?;
    let rig = &rig.inner;
    let (source, all, name) = if let Ok(clip) = clip.cast::<PyClip>() {
        let clip = clip.get();
        check(rig, &Pose::rest(&clip.rig))?;
        (Source::Clip(clip.inner.clone()), clip.inner.frames(fps).map_err(error::pose)?, clip.inner.name.clone())
    } else if let Ok(name) = clip.extract::<String>() {
        let clip = py.detach(|| PyClip::find(rig, &name))?.inner;
        (Source::Clip(clip.clone()), clip.frames(fps).map_err(error::pose)?, clip.name.clone())
    } else {
        let poses = poses(clip)?;
        poses.iter().try_for_each(|pose| check(rig, pose))?;
        let count = poses.len();
        (Source::Poses(poses), count, "poses".to_owned())
    };
    let frames = wanted(frames, all)?;
    let steps = frames.len();
    py.detach(|| {
        let (mut mover, _) = Mover::new(&graph, rig, device)?;
        let mut out = Frames::create(&path, rig, steps, fps, &name).map_err(error::writing)?;
        let mut points = rig.mesh.positions.clone();
        let mut pose = Pose::rest(rig);
        // What remembers comes to the first frame through those before it.
        let begin = if mover.binding().remembers() { 0 } else { frames.start };
        for frame in begin..frames.end {
            match &source {
                Source::Clip(clip) => clip.sample_into(rig, frame as f64 / fps, &mut pose),
                Source::Poses(poses) => pose.clone_from(&poses[frame]),
            }
            mover.move_into(rig, &pose, Clock::frame(frame, begin, fps), &mut points);
            Python::attach(|py| py.check_signals())?;
            let Some(done) = frame.checked_sub(frames.start) else { continue };
            out.frame(&points).map_err(error::writing)?;
            Python::attach(|py| progress.as_ref().map_or(Ok(()), |call| call.call1(py, (done + 1, steps)).map(drop)))?;
        }
        out.finish().map_err(error::writing)?;
        Ok(steps)
    })
}

fn poses(list: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    let wrong = || error::pose("a Clip, the name of one or a list of poses is expected");
    let items = list.try_iter().map_err(|_| wrong())?;
    let poses = items.map(|item| Ok(item?.cast::<PyPose>().map_err(|_| wrong())?.get().inner.clone()));
    let poses = poses.collect::<PyResult<Vec<_>>>()?;
    if poses.is_empty() { Err(error::pose("there are no poses to bake")) } else { Ok(poses) }
}

fn wanted(frames: Option<(usize, usize)>, all: usize) -> PyResult<Range<usize>> {
    let (first, end) = frames.unwrap_or((0, all));
    if first < end && end <= all {
        return Ok(first..end);
    }
    Err(error::pose(format!("frames ({first}, {end}): the first must be before the last, within (0, {all})")))
}
