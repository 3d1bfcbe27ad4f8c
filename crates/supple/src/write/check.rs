//! What every writer refuses.

use super::Error;
use crate::rig::Rig;
use glam::Vec3;

/// As many points as the rig has vertices, all finite, and a mesh whose arrays fit each other.
pub(super) fn points(rig: &Rig, points: &[Vec3]) -> Result<(), Error> {
    let (mesh, expected) = (&rig.mesh, rig.mesh.positions.len());
    count("points", points.len(), expected)?;
    count("normals", mesh.normals.as_ref().map_or(expected, Vec::len), expected)?;
    count("texture coordinates", mesh.uvs.as_ref().map_or(expected, Vec::len), expected)?;
    count("colours", mesh.colors.as_ref().map_or(expected, Vec::len), expected)?;
    if let Some(&vertex) = mesh.triangles.as_flattened().iter().find(|&&v| v as usize >= expected) {
        return Err(Error::Count { what: "vertices", found: expected, expected: vertex as usize + 1 });
    }
    if let Some(index) = mesh.uvs.iter().flatten().position(|uv| !uv.is_finite()) {
        let value = mesh.uvs.as_ref().map_or(Vec3::NAN, |uvs| uvs[index].extend(0.0));
        return Err(Error::NotFinite { what: "texture coordinate", index, value });
    }
    finite("point", points)
}

pub(super) fn count(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Count { what, found, expected }) }
}

pub(super) fn finite(what: &'static str, values: &[Vec3]) -> Result<(), Error> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(Error::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Frames per second that a file can state.
pub(super) fn rate(fps: f64) -> Result<(), Error> {
    if fps.is_finite() && fps > 0.0 { Ok(()) } else { Err(Error::Rate(fps)) }
}
