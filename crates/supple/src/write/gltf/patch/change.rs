use super::{Patch, Stop, object::Object};
use crate::write::gltf::{
    document::{Layout, VEC3S},
    mesh::{self, Sets, VERTICES},
};
use glam::{Vec2, Vec3};
use gltf_json::accessor::{ComponentType, Type};
use serde_json::json;
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// What of a primitive is to be changed.
#[derive(Default, PartialEq)]
pub(super) struct Change<'a> {
    pub influences: Option<Sets>,
    /// What is said of a prop.
    pub skinned: Option<bool>,
    pub positions: Option<Vec<Vec3>>,
    pub normals: Option<Vec<Vec3>>,
    pub uvs: Option<&'a [Vec2]>,
    pub colors: Option<&'a [[u8; 4]]>,
    /// In numbers of the primitive.
    pub triangles: Option<Vec<[u32; 3]>>,
    /// What the morph targets do to attributes, by name.
    pub targets: Option<Targets>,
}

/// Of each morph target, what it adds to attributes.
pub(super) type Targets = Vec<BTreeMap<String, Vec<Vec3>>>;

/// The changes of one node's primitives, by their numbers in the mesh.
pub(super) type Changes<'a> = BTreeMap<usize, Change<'a>>;

/// Equal for equal changes, and different for nearly all others.
pub(super) fn digest(changes: &Changes<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (primitive, change) in changes {
        primitive.hash(&mut hasher);
        for (joints, weights) in change.influences.iter().flatten() {
            joints.hash(&mut hasher);
            hasher.write(bytemuck::cast_slice(weights));
        }
        hasher.write(bytemuck::cast_slice(change.positions.as_deref().unwrap_or_default()));
    }
    hasher.finish()
}

impl Patch<'_> {
    /// Changes a primitive. True where it had its old shape compressed besides, which goes.
    pub fn change(&mut self, primitive: &mut Object, change: Change<'_>) -> Result<bool, Stop> {
        let mut attributes: Object = primitive.get("attributes")?.unwrap_or_default();
        let added = &mut self.out.added;
        if let Some(positions) = &change.positions {
            attributes.set("POSITION", &added.bounded(positions, VERTICES)?)?;
        }
        if let Some(normals) = &change.normals {
            attributes.set("NORMAL", &added.array(normals, VEC3S, VERTICES)?)?;
        }
        if let Some(uvs) = change.uvs {
            attributes.set("TEXCOORD_0", &added.array(uvs, Layout(ComponentType::F32, Type::Vec2), VERTICES)?)?;
        }
        if let Some(colors) = change.colors {
            let colors = added.array(colors, Layout(ComponentType::U8, Type::Vec4), VERTICES)?;
            added.root.accessors[colors.value()].normalized = true;
            attributes.set("COLOR_0", &colors)?;
        }
        if let Some(sets) = &change.influences {
            let wide = sets.iter().any(|(joints, _)| joints.as_flattened().iter().any(|&j| j > 255));
            let written = mesh::influences(added, sets, wide)?;
            for (set, (joints, weights)) in written.iter().enumerate() {
                attributes.set(&format!("JOINTS_{set}"), joints)?;
                attributes.set(&format!("WEIGHTS_{set}"), weights)?;
            }
            for set in written.len().. {
                let names = [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")];
                if !names.iter().any(|name| attributes.has(name)) {
                    break;
                }
                names.iter().for_each(|name| attributes.remove(name));
            }
        }
        primitive.set("attributes", &attributes)?;
        if let Some(targets) = &change.targets {
            let mut texts: Vec<Object> = primitive.get("targets")?.unwrap_or_default();
            for (text, target) in texts.iter_mut().zip(targets) {
                for (name, deltas) in target {
                    text.set(name, &added.bounded(deltas, VERTICES)?)?;
                }
            }
            primitive.set("targets", &texts)?;
        }
        if let Some(triangles) = &change.triangles {
            let most = triangles.as_flattened().iter().max().map_or(0, |&v| v as usize + 1);
            primitive.set("indices", &mesh::indices(added, triangles, 0..most)?)?;
            primitive.remove("mode");
        }
        if let Some(skinned) = change.skinned {
            primitive.set_supple("skinned", (!skinned).then_some(json!(false)))?;
        }
        Ok(without(primitive, "KHR_draco_mesh_compression")?)
    }
}

/// Takes an extension out of an object; false where it is not there.
fn without(object: &mut Object, extension: &str) -> Result<bool, serde_json::Error> {
    let Ok(Some(mut extensions)) = object.get::<Object>("extensions") else { return Ok(false) };
    if !extensions.has(extension) {
        return Ok(false);
    }
    extensions.remove(extension);
    if extensions.is_empty() {
        object.remove("extensions");
    } else {
        object.set("extensions", &extensions)?;
    }
    Ok(true)
}
