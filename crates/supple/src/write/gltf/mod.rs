//! glTF 2.0, binary. What glTF has no word for stands in `extras` under `"supple"`, so that a rig reads back as it was:
//!
//! | where | extras | meaning |
//! |---|---|---|
//! | node | `{"supple": {"role": "frame"}}` | the joint is a [`Role::Frame`](crate::rig::Role::Frame) |
//! | node | `{"supple": {"hinge": [x, y, z]}}` | [`Joint::hinge`](crate::rig::Joint::hinge) |
//! | node | `{"supple": {"role": "wrapper"}}` | no joint: its transform belongs to its children |
//! | mesh | `{"supple": {"normals": "computed"}}` | the rig has no normals of its own |
//! | mesh | `{"targetNames": [..]}` | names of the morphs, as every program writes them |
//! | primitive | `{"supple": {"name": "..", "skinned": false}}` | [`Part::name`](crate::rig::Part::name) where it is not the mesh's, [`Part::skinned`](crate::rig::Part::skinned) |
//!
//! All joints are in `skin.joints`, in order: joint i is node i. A wrapper holds several root joints together (a skin
//! needs one root), or carries what a sheared transform has too much for one node.

mod baked;
mod clips;
mod document;
mod glb;
mod looks;
mod material;
mod mesh;
mod morph;
mod morph_tracks;
mod patch;
mod pictures;
mod skeleton;

pub use baked::{Baked, BakedOptions};

use super::{Error, check, shading, shading::Shading};
use crate::rig::{Rig, Weights};
use document::Document;
use glam::Vec3;
use looks::Looks;
use serde_json::json;
use std::io::Write;

/// Writes a whole rig: skin, skeleton, weights, morphs, clips, materials and textures. A rig that was read from glTF goes
/// back into its file ([`Rig::source`]): what was not changed stays as it is there, whatever it is.
///
/// Gives what could not be kept, one line each. Not kept where a file is made anew: a sphere-mesh, images that are neither
/// PNG nor JPEG, clips without tracks, parts without vertices.
pub fn rig(rig: &Rig, out: &mut dyn Write) -> Result<Vec<String>, Error> {
    check::points(rig, &rig.mesh.positions)?;
    let weights = rig.weights.as_ref().filter(|_| !rig.mesh.positions.is_empty());
    if let Some(weights) = weights {
        check::count("weight rows", weights.len(), rig.mesh.positions.len())?;
        let joints = rig.skeleton.len();
        if let Some(joint) = weights.largest_joint().filter(|&j| usize::from(j) >= joints) {
            return Err(Error::NoJoint { joint, joints });
        }
    }
    let mut notes = Vec::new();
    if let Some(source) = &rig.source {
        match patch::write(rig, source, out) {
            Ok(notes) => return Ok(notes),
            Err(patch::Stop::Error(error)) => return Err(error),
            Err(patch::Stop::Anew(why)) => {
                notes.push(format!("only what a rig holds is kept of the file it came from: {why}"));
            }
        }
    }
    anew(rig, weights, out)?;
    Ok(notes)
}

/// A document made from nothing but the rig.
fn anew(rig: &Rig, weights: Option<&Weights>, out: &mut dyn Write) -> Result<(), Error> {
    let mut document = Document::new();
    let skeleton = skeleton::write(&mut document, rig)?;
    let mut mesh_node = None;
    if !rig.mesh.positions.is_empty() {
        let computed = rig.mesh.normals.is_none() && !rig.mesh.triangles.is_empty();
        let normals = shading::normals(rig, &rig.mesh.positions);
        let look = mesh::Look { points: &rig.mesh.positions, normals: normals.as_deref(), weights, looks: None };
        let mut mesh = mesh::write(&mut document, rig, &look)?;
        let mut extras = serde_json::Map::new();
        if computed {
            extras.insert("supple".into(), json!({ "normals": "computed" }));
        }
        if !rig.morphs.is_empty() {
            morph::write(&mut document, rig, &mut mesh)?;
            extras.insert("targetNames".into(), rig.morphs.iter().map(|m| m.name.as_str()).collect());
        }
        mesh.extras = document::extras(extras);
        mesh_node = Some(document.mesh_node(&rig.name, mesh, skeleton.skin.filter(|_| weights.is_some())));
    }
    clips::write(&mut document, rig, mesh_node)?;
    document.write_to(mesh_node.into_iter().chain(skeleton.root), out)
}

/// Writes the skin with its points moved: no skeleton, normals computed from the moved points, looks kept.
pub fn posed(rig: &Rig, points: &[Vec3], out: &mut dyn Write) -> Result<(), Error> {
    check::points(rig, points)?;
    let mut document = Document::new();
    let mut root = None;
    if !points.is_empty() {
        let normals = shading::normals(rig, points);
        let looks = Looks::of(rig);
        let look = mesh::Look { points, normals: normals.as_deref(), weights: None, looks: looks.as_ref() };
        let mesh = mesh::write(&mut document, rig, &look)?;
        root = Some(document.mesh_node(&rig.name, mesh, None));
    }
    document.write_to(root, out)
}
