use super::{Reference, ReferenceSolid, npz};
use crate::{
    json,
    read::{Inputs, Kind, Reach, ReadError, beside},
};
use glam::DVec3;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A list of reference shapes: which rig, in which pose, about which joint. Fields that it has besides are left alone.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceCases {
    /// All of them.
    pub cases: Vec<ReferenceCase>,
    /// The file it was read from.
    #[serde(skip)]
    path: PathBuf,
    /// How far its names may lead.
    #[serde(skip)]
    reach: Reach,
}

/// Half spaces that a case may have: each of half a million cells is held against all of them.
const MOST_KEPT: usize = 64;

/// One reference shape of a list. Files are named relative to the list.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceCase {
    /// What it is called.
    pub name: String,
    /// The shape: a mesh with the vertices of the rig, or an `.npz` with "index", the vertices that it covers, and "points".
    pub file: String,
    /// The rig, relative to the folder above that of the list, or the command that makes it.
    pub rig_from: String,
    /// The pose, in the words of the command line.
    pub pose: Vec<String>,
    /// The joint at rest.
    pub joint: [f64; 3],
    /// The radius of its limb.
    pub radius: f64,
    /// The closed surface of the shape.
    pub surface: Option<String>,
    /// The joint in the pose.
    pub posed_joint: Option<[f64; 3]>,
    /// Whether volumes are compared.
    #[serde(default)]
    pub volume: bool,
    /// Half spaces outside of which they are not: a point and a normal.
    #[serde(default)]
    pub keep: Vec<[[f64; 3]; 2]>,
}

/// Why a reference cannot be had.
#[derive(Debug, Error)]
pub enum ReferenceError {
    /// A file cannot be read.
    #[error("{}: {fault}", .file.display())]
    Read {
        /// Which.
        file: PathBuf,
        /// Why.
        fault: ReadError,
    },
    /// The list is none.
    #[error("{}: not a list of references: {}", .file.display(), json::plain(.fault))]
    List {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        fault: serde_json::Error,
    },
    /// A case says something that cannot be.
    #[error("case \"{case}\": {what}")]
    Case {
        /// Its name.
        case: String,
        /// What is wrong.
        what: String,
    },
}

impl ReferenceCases {
    /// Reads a list, whose names may lead so far.
    pub fn read(path: &Path, reach: Reach, inputs: &Inputs) -> Result<Self, ReferenceError> {
        let file = path.to_owned();
        let text = inputs.text(path, Kind::References);
        let text = text.map_err(|fault| ReferenceError::Read { file: file.clone(), fault })?;
        let cases: Self =
            serde_json::from_str(&text).map_err(|fault| ReferenceError::List { file: file.clone(), fault })?;
        Ok(Self { path: file, reach, ..cases })
    }

    /// The file of the rig of a case, where it names one.
    pub fn rig(&self, case: &ReferenceCase) -> Result<PathBuf, ReferenceError> {
        let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A folder that is given by dots has no folder above it in its name.
        let folder = std::fs::canonicalize(folder);
        let found = folder.map_err(ReadError::from).and_then(|folder| self.above(&folder, &case.rig_from));
        found.map_err(|fault| ReferenceError::Read { file: PathBuf::from(&case.rig_from), fault })
    }

    /// A file named from the folder above that of the list. It is judged by the folder of the list all the same: what lies beside
    /// that is no more of its business than what lies beside any other file's.
    fn above(&self, folder: &Path, name: &str) -> Result<PathBuf, ReadError> {
        let path = beside(folder, name, self.reach)?;
        if self.reach == Reach::Folder {
            let real = std::fs::canonicalize(&path)?;
            if !real.starts_with(folder) {
                return Err(ReadError::Outside { name: name.to_owned(), real: Some(real) });
            }
        }
        Ok(path)
    }

    /// The shape of a case, for a rig of so many vertices.
    pub fn reference(
        &self,
        case: &ReferenceCase,
        vertices: usize,
        inputs: &Inputs,
    ) -> Result<Reference, ReferenceError> {
        let wrong = |what: String| ReferenceError::Case { case: case.name.clone(), what };
        let vector = |v: [f64; 3]| DVec3::from(v);
        let all = [case.joint].into_iter().chain(case.posed_joint).chain(case.keep.iter().flatten().copied());
        if !(case.radius.is_finite() && case.radius > 0.0 && all.map(vector).all(DVec3::is_finite)) {
            return Err(wrong(
                "its joint, radius and half spaces must be finite, and the radius more than zero".into(),
            ));
        }
        if case.keep.len() > MOST_KEPT {
            return Err(wrong(format!("{} half spaces, and {MOST_KEPT} are the most", case.keep.len())));
        }
        let path = |name: &str| {
            let found = beside(&self.path, name, self.reach);
            found.map_err(|fault| ReferenceError::Read { file: PathBuf::from(name), fault })
        };
        let mesh = |name: &str| {
            let file = path(name)?;
            let loaded = inputs.rig(&file).map_err(|fault| ReferenceError::Read { file, fault })?;
            Ok(loaded.rig.mesh)
        };
        let points = if case.file.to_ascii_lowercase().ends_with(".npz") {
            let file = path(&case.file)?;
            let bytes = inputs.bytes(&file, Kind::Reference);
            let bytes = bytes.map_err(|fault| ReferenceError::Read { file: file.clone(), fault })?;
            covered(&bytes, vertices).map_err(|what| wrong(format!("{}: {what}", case.file)))?
        } else {
            mesh(&case.file)?.positions.iter().map(|p| Some(p.as_dvec3())).collect()
        };
        if points.len() != vertices {
            return Err(wrong(format!("{} has {} vertices, and the rig {vertices}", case.file, points.len())));
        }
        let solid = match (&case.surface, case.posed_joint) {
            (Some(surface), Some(posed_joint)) if case.volume => {
                let mesh = mesh(surface)?;
                let keep = case.keep.iter().map(|half| half.map(vector)).collect();
                Some(ReferenceSolid {
                    posed_joint: posed_joint.into(),
                    points: mesh.positions,
                    triangles: mesh.triangles,
                    keep,
                })
            }
            _ => None,
        };
        Ok(Reference { joint: case.joint.into(), radius: case.radius, points, solid })
    }
}

/// The vertices that an `.npz` covers.
fn covered(archive: &[u8], vertices: usize) -> Result<Vec<Option<DVec3>>, String> {
    let (index, points) = (npz::array(archive, "index", vertices)?, npz::array(archive, "points", 3 * vertices)?);
    if points.columns != 3 || index.columns != 1 || index.rows != points.rows {
        let (of, by) = (points.rows, points.columns);
        return Err(format!("{} numbers of vertices, and {of} points of {by} coordinates", index.rows));
    }
    let mut all = vec![None; vertices];
    for (&number, point) in index.numbers.iter().zip(points.numbers.chunks_exact(3)) {
        let place = (number >= 0.0).then(|| all.get_mut(number as usize)).flatten();
        let place = place.ok_or_else(|| format!("covers vertex {number}, and there are {vertices}"))?;
        *place = Some(DVec3::from_slice(point)).filter(|p| p.is_finite());
    }
    Ok(all)
}
