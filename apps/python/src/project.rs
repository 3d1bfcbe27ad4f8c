//! Projects: what the studio saves and the command opens.

use crate::{error, graph::PyGraph, pose::PyPose, rig::PyRig};
use pyo3::prelude::*;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use supple::{
    graph::DeformGraph,
    pose::Pose,
    project::{Prepared, Project, SkeletonEdits, Workshop},
    read::{self, Inputs, Kind, Limits, Reach, ReadError},
    rig::Rig,
};

/// Opens a project: its rig with joints and weights as edited, its graph, and the pose that it shows.
///
/// rig: a file to take in place of the one that the project names.
/// allow_outside: let the project take its rig and motions from outside its own folder.
#[pyfunction]
#[pyo3(signature = (path, rig=None, *, allow_outside=false))]
pub fn open_project(
    py: Python<'_>,
    path: PathBuf,
    rig: Option<PathBuf>,
    allow_outside: bool,
) -> PyResult<(PyRig, PyGraph, PyPose)> {
    let (prepared, warnings, graph, pose) = py.detach(|| -> PyResult<_> {
        let name = path.display();
        let inputs = Inputs::new(Limits::from_environment().map_err(error::reading)?);
        let text = inputs.text(&path, Kind::Project).map_err(|e| error::reading(format!("{name}: {e}")))?;
        let project = Project::from_json(&text).map_err(|e| error::reading(format!("{name}: {e}")))?;
        let reach = if allow_outside { Reach::Anywhere } else { Reach::Folder };
        let beside = |relative: &str| read::beside(&path, relative, reach);
        let wrong = |what: &str, relative: &str, e: ReadError| match e {
            ReadError::Outside { .. } => error::reading(format!("{name}: its {what} {e}; allow_outside=True lets it")),
            e => error::reading(format!("{name}: its {what} \"{relative}\": {e}")),
        };
        let open = |file: &Path| inputs.rig(file).map_err(|e| error::reading(format!("{}: {e}", file.display())));
        let file = match (rig, &project.rig) {
            (Some(file), _) => file,
            (None, Some(relative)) => beside(relative).map_err(|e| wrong("rig", relative, e))?,
            (None, None) => return Err(error::reading(format!("{name}: names no rig, and none is given"))),
        };
        let loaded = open(&file)?;
        let mut workshop = Workshop::new(Arc::new(loaded.rig));
        for motion in &project.motions {
            match beside(motion).and_then(|file| inputs.rig(file)) {
                Ok(found) => workshop.add_motion(motion, &found.rig),
                Err(e @ ReadError::Outside { .. }) => return Err(wrong("motion", motion, e)),
                // The rig is as good without it; the notes of the workshop tell why.
                Err(e) => workshop.miss_motion(motion, e),
            }
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
