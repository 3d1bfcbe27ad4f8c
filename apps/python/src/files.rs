//! Rigs from files, from code, and into files.

use crate::{array, error, rig::PyRig};
use pyo3::{prelude::*, types::PyBytes};
use std::path::PathBuf;
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions, StatueOptions},
    fit,
    read::{self, Format, Inputs, Kind, Limits},
    rig::Rig,
    write,
};

/// Reads a rig: glTF, FBX, OBJ, PLY, BVH, TGF or a sphere-mesh. What was mended is in rig.warnings.
///
/// source: a path, or the bytes of a file.
/// format: the ending of the file's name, such as "glb"; needed with bytes.
#[pyfunction]
#[pyo3(name = "read", signature = (source, format=None))]
pub fn read_rig(py: Python<'_>, source: &Bound<'_, PyAny>, format: Option<&str>) -> PyResult<PyRig> {
    let format = format.map(|word| {
        let word = word.trim_start_matches('.');
        Format::of_extension(word).ok_or_else(|| error::reading(read::ReadError::UnknownFormat(word.to_owned())))
    });
    let format = format.transpose()?;
    let loaded = if let Ok(bytes) = source.cast::<PyBytes>() {
        let format =
            format.ok_or_else(|| error::reading("bytes have no name: say their format, as in format=\"glb\""))?;
        let bytes = bytes.as_bytes().to_vec();
        py.detach(|| read::bytes("rig", format, bytes, &read::resolve_nothing)).map_err(error::reading)?
    } else {
        let path: PathBuf = source.extract()?;
        let loaded = py.detach(|| match format {
            Some(format) => {
                let bytes = Inputs::new(Limits::from_environment()?).bytes(&path, Kind::Rig(format))?;
                read::bytes("rig", format, bytes, &read::resolve_nothing)
            }
            None => read::path(&path),
        });
        loaded.map_err(|e| error::reading(format!("{}: {e}", path.display())))?
    };
    let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
    Ok(PyRig::of(loaded.rig, warnings))
}

/// Writes a rig: all of it as .glb; its points alone as .obj, .ply or .usda.
///
/// A rig that was read from glTF goes back into its file: what was not changed stays, whatever it is. What could not be kept
/// is warned of, and so is a skeleton that lies outside its skin.
///
/// points: where its skin is, as deform gives it; then the moved skin is written, without bones.
#[pyfunction]
#[pyo3(name = "write", signature = (rig, path, points=None))]
pub fn write_rig(py: Python<'_>, rig: &PyRig, path: PathBuf, points: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let rig = &rig.inner;
    let points = points.map(|p| array::points(p, "points")).transpose()?;
    if let Some(points) = &points {
        let (found, expected) = (points.len(), rig.mesh.positions.len());
        if found != expected {
            return Err(error::writing(format!("{found} points, and the rig has {expected}")));
        }
    }
    let notes = py.detach(|| match &points {
        Some(points) => write::posed(&path, rig, points).map(|()| Vec::new()),
        None => write::rig(&path, rig).map(|mut notes| {
            notes.extend(fit::placement::doubt(rig));
            notes
        }),
    });
    for note in notes.map_err(error::writing)? {
        error::warn(py, &note)?;
    }
    Ok(())
}

fn made(rig: Result<Rig, example::ExampleError>) -> PyResult<PyRig> {
    Ok(PyRig::of(rig.map_err(error::rig)?, Vec::new()))
}

/// An arm of two bones with an elbow.
///
/// plain: a smooth tube without creases. band: width of the skin that two bones share, in radii.
#[pyfunction]
#[pyo3(signature = (vertices=None, *, plain=false, band=None))]
pub fn arm(py: Python<'_>, vertices: Option<usize>, plain: bool, band: Option<f64>) -> PyResult<PyRig> {
    let d = ArmOptions::default();
    let options = ArmOptions { vertices: vertices.unwrap_or(d.vertices), band: band.unwrap_or(d.band), plain };
    made(py.detach(|| example::arm(&options)))
}

/// A hand that can make a fist.
#[pyfunction]
#[pyo3(signature = (vertices=None, *, bones=None))]
pub fn hand(py: Python<'_>, vertices: Option<usize>, bones: Option<usize>) -> PyResult<PyRig> {
    let d = HandOptions::default();
    let options = HandOptions { vertices: vertices.unwrap_or(d.vertices), bones: bones.unwrap_or(d.bones) };
    made(py.detach(|| example::hand(&options)))
}

/// A standing person.
#[pyfunction]
#[pyo3(signature = (vertices=None, *, bones=None))]
pub fn figure(py: Python<'_>, vertices: Option<usize>, bones: Option<usize>) -> PyResult<PyRig> {
    let d = FigureOptions::default();
    let options = FigureOptions { vertices: vertices.unwrap_or(d.vertices), bones: bones.unwrap_or(d.bones) };
    made(py.detach(|| example::figure(&options)))
}

/// A point set of a statue, with its sphere-mesh.
#[pyfunction]
#[pyo3(signature = (points=None))]
pub fn statue(py: Python<'_>, points: Option<usize>) -> PyResult<PyRig> {
    let d = StatueOptions::default();
    made(py.detach(|| example::statue(&StatueOptions { points: points.unwrap_or(d.points) })))
}
