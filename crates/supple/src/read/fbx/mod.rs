//! Autodesk FBX, binary and text, by way of ufbx.
//!
//! Read: every mesh that a node shows (control points in the file's order, polygons cut into triangles), the first
//! skin of each with all its clusters and influences, blend shapes as morphs, bones and what they hang on as joints,
//! animation stacks as clips, baked at 30 keys a second. Axes and units are turned to right-handed, y up, metres.
//! Meshes without a skin become props of their node where the file has bones. Normals and texture coordinates are
//! kept only where every control point has one and the same at all its corners. Nothing outside the file is opened.
//!
//! Refused: what ufbx refuses, indices out of range, positions that are not finite, memory use out of proportion to
//! the size of the file.
//!
//! Mended: faces with fewer than three corners are left out, weights are cleaned, bind transforms that cannot be
//! inverted give way to the shown ones; only the last shape of an in-between blend channel is used; textures,
//! cameras, lights, NURBS and constraints are not read.

#[cfg(feature = "fbx")]
mod clip;
#[cfg(feature = "fbx")]
mod mesh;
#[cfg(feature = "fbx")]
mod skeleton;
#[cfg(all(test, feature = "fbx"))]
mod tests;

use super::{ReadError, Warnings};
use crate::rig::Rig;

#[cfg(not(feature = "fbx"))]
pub(super) fn read(_: &[u8], _: &mut Warnings) -> Result<Rig, ReadError> {
    Err(ReadError::invalid("file", "this program was built without FBX (feature \"fbx\" of the library)"))
}

#[cfg(feature = "fbx")]
pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    use crate::rig::Skeleton;

    let scene = ufbx::load_memory(bytes, options(bytes.len())).map_err(|e| refusal("file", &e))?;
    for warning in &scene.metadata.warnings {
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        warnings.push("file", format!("{}{times}", line(&warning.description)));
    }
    let joints = skeleton::Joints::of(&scene, warnings)?;
    let skin = mesh::Skin::of(&scene, &joints, warnings)?;
    let clips = clip::clips(&scene, &joints, &skin.morphs_of_channel, bytes.len(), warnings);
    let skeleton = Skeleton::new(joints.list).map_err(|e| ReadError::invalid("nodes", e.to_string()))?;
    let mesh::Skin { mesh, parts, weights, morphs, materials, candidates, .. } = skin;
    let (weights, repairs) = weights.finish(|vertex| {
        let part = parts.partition_point(|p| p.vertices.end as usize <= vertex);
        let p = mesh.positions[vertex].as_dvec3();
        let distance = |joint: &u16| skeleton.joints()[usize::from(*joint)].rest_position().distance_squared(p);
        // Beyond so many joints a nearest one is not worth the time a hostile file could make it take.
        let near = candidates[part].iter().take(512).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.copied().unwrap_or(0)
    });
    for clause in repairs.clauses() {
        warnings.push("weights", clause);
    }
    let weights = (!skeleton.is_empty() && !mesh.positions.is_empty()).then_some(weights);
    Ok(Rig { mesh, parts, skeleton, weights, morphs, clips, materials, ..Rig::default() })
}

/// Memory a file of this size may take while it is read. FBX packs its arrays, and a small hostile one would unpack
/// to anything; honest ones stay far below this.
#[cfg(feature = "fbx")]
fn memory(file: usize) -> ufbx::AllocatorOpts {
    ufbx::AllocatorOpts { memory_limit: (32 << 20) + file.saturating_mul(24), ..Default::default() }
}

#[cfg(feature = "fbx")]
fn options(file: usize) -> ufbx::LoadOpts<'static> {
    use ufbx::{CoordinateAxes, CoordinateAxis};
    ufbx::LoadOpts {
        temp_allocator: memory(file),
        result_allocator: memory(file),
        file_format: ufbx::FileFormat::Fbx,
        ignore_embedded: true,
        load_external_files: false,
        index_error_handling: ufbx::IndexErrorHandling::AbortLoading,
        node_depth_limit: 4096,
        // The file's own scale goes into the points, so that joints are left with none.
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        target_axes: CoordinateAxes {
            right: CoordinateAxis::PositiveX,
            up: CoordinateAxis::PositiveY,
            front: CoordinateAxis::PositiveZ,
        },
        target_unit_meters: 1.0,
        ..Default::default()
    }
}

#[cfg(feature = "fbx")]
fn refusal(place: &str, error: &ufbx::Error) -> ReadError {
    let info = error.info();
    let info = if info.is_empty() { String::new() } else { format!(": {}", line(info)) };
    ReadError::invalid(place, format!("{}{info}", line(&error.description)))
}

/// Words of ufbx, which may hold words of the file, on one line.
#[cfg(feature = "fbx")]
fn line(text: &str) -> String {
    text.chars().take(200).flat_map(char::escape_debug).collect()
}

#[cfg(feature = "fbx")]
fn affine(m: &ufbx::Matrix) -> glam::DAffine3 {
    glam::DAffine3::from_cols_array(&[
        m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
    ])
}

#[cfg(feature = "fbx")]
fn vector(v: &ufbx::Vec3) -> glam::DVec3 {
    glam::DVec3::new(v.x, v.y, v.z)
}
