//! Projects: what the studio saves and the command opens.

use crate::{error, graph::PyGraph, pose::PyPose, rig::PyRig};
use pyo3::prelude::*;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};
use supple::{
    graph::DeformGraph,
    pose::Pose,
    project::{Prepared, Project, SkeletonEdits, Workshop},
    read,
    rig::Rig,
};

/// Opens a project: its rig with joints and weights as edited, its graph, and the pose that it shows.
///
/// rig: a file to take in place of the one that the project names.
#[pyfunction]
#[pyo3(signature = (path, rig=None))]
pub fn open_project(py: Python<'_>, path: PathBuf, rig: Option<PathBuf>) -> PyResult<(PyRig, PyGraph, PyPose)> {
    let (prepared, warnings, graph, pose) = py.detach(|| -> PyResult<_> {
        let name = path.display();
        let text =
            std::fs::read_to_string(&path).map_err(|e| error::reading(format!("{name}: cannot read it: {e}")))?;
        let project = Project::from_json(&text).map_err(|e| error::reading(format!("{name}: {e}")))?;
        let beside = |relative: &String| path.parent().map(|folder| folder.join(relative));
        let file = rig.or_else(|| project.rig.as_ref().and_then(beside));
        let file = file.ok_or_else(|| error::reading(format!("{name}: names no rig, and none is given")))?;
        let loaded = read::path(&file).map_err(|e| error::reading(format!("{}: {e}", file.display())))?;
        let mut workshop = Workshop::new(Arc::new(loaded.rig));
        for (name, file) in project.motions.iter().filter_map(|m| Some((m, beside(m)?))) {
            let motion = read::path(&file).map_err(|e| error::reading(format!("{}: {e}", file.display())))?;
            workshop.add_motion(name, &motion.rig);
        }
        let prepared = workshop.prepare(&project).map_err(error::bind)?;
        let graph = project.graph().map_err(error::graph)?;
        let pose = project.pose(&prepared.rig).map_err(error::pose)?;
        let pose = pose.unwrap_or_else(|| Pose::shown(&prepared.rig));
        Ok((prepared, loaded.warnings, graph, pose))
    })?;
    let Prepared { rig, notes, .. } = prepared;
    let warnings = warnings.iter().map(ToString::to_string).chain(notes).collect();
    let pose = PyPose { rig: rig.clone(), inner: pose };
    let graph = PyGraph { inner: Arc::new(graph) };
    Ok((PyRig::of(Arc::unwrap_or_clone(rig), warnings), graph, pose))
}

/// The rig with joints elsewhere, its clips with them, as a project has it.
pub fn moved(rig: &Arc<Rig>, places: BTreeMap<String, [f64; 3]>) -> PyResult<Rig> {
    // A wrong name is told in the words of the package.
    places.keys().try_for_each(|name| crate::skeleton::find(&rig.skeleton, name).map(drop).map_err(error::rig))?;
    let any = DeformGraph::single("linear").map_err(error::graph_or_bind)?;
    let edits = SkeletonEdits { moved: places, ..SkeletonEdits::default() };
    let project = Project { skeleton: edits, ..Project::new(None, &any) };
    let prepared = Workshop::new(rig.clone()).prepare(&project).map_err(error::rig)?;
    Ok(Arc::unwrap_or_clone(prepared.rig))
}
