//! A rig that was read from glTF goes back into its file: the file is read again, each piece of the rig is compared with what
//! the file says of it, and only what differs is written. Changed arrays become new accessors behind the old ones, new joints
//! new nodes behind the old ones, so that no number of the file changes its meaning, and the text of every object that is not
//! changed stays as it is, extensions and extras that nobody here knows included. One exception: an animation of which no
//! channel is left goes, since glTF knows no empty ones, and those behind it move up.
//!
//! | of the rig | in the file |
//! |---|---|
//! | weights | `JOINTS_n` and `WEIGHTS_n` of the primitives whose rows differ; a skin gets joints that it lacks |
//! | joints moved | transform of the node, bind matrices of the skins |
//! | another skeleton | new nodes; the skins name these; old joints that carry nothing else leave the scene |
//! | clips | animations added, samplers replaced, channels of clips that are gone taken out |
//! | positions, normals, … | attributes of the primitives that differ |
//!
//! A rig whose vertices, morphs or materials are no longer those of its file is written anew.

mod animations;
mod change;
mod embed;
mod joints;
mod lift;
mod meshes;
mod nodes;
mod object;
mod patched;
mod skins;

pub(super) use object::{Object, Raw};

use crate::{
    read::gltf::{self, Original},
    rig::{Rig, Source},
    write::{Error, gltf::pictures},
};
use glam::Vec3;
use joints::Joints;
use lift::Lifted;
use patched::Patched;
use std::{cell::OnceCell, collections::HashSet, io::Write};

/// Why a rig does not go back into its file.
pub(super) enum Stop {
    /// It has to be written anew.
    Anew(String),
    /// It cannot be written.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<serde_json::Error> for Stop {
    fn from(error: serde_json::Error) -> Self {
        Self::Anew(format!("its JSON is not that of glTF: {error}"))
    }
}

/// Writes a rig into the file it came from; what could not be kept is told, one line each.
pub(super) fn write(rig: &Rig, source: &Source, out: &mut dyn Write) -> Result<Vec<String>, Stop> {
    let original = gltf::again(source).map_err(|e| Stop::Anew(format!("it cannot be read again: {e}")))?;
    if let Some(why) = unlike(rig, &original) {
        return Err(Stop::Anew(why));
    }
    let joints = Joints::of(rig, &original);
    let mut patch = Patch {
        rig,
        original: &original,
        joints,
        out: Patched::of(&original.file)?,
        normals: OnceCell::new(),
        lifted: Lifted::default(),
        copied: 0,
    };
    let nodes = patch.skeleton()?;
    patch.meshes(&nodes)?;
    let idle = patch.retire()?;
    patch.animations(&nodes, &idle)?;
    embed::embed(&mut patch.out, &original.file, source)?;
    let mut notes = patch.out.write_to(out)?;
    // Many parts may share a name, and many nodes a mesh: one line says it of all.
    let mut said = HashSet::new();
    notes.retain(|note| said.insert(note.clone()));
    Ok(notes)
}

struct Patch<'a> {
    rig: &'a Rig,
    original: &'a Original,
    joints: Joints,
    out: Patched<'a>,
    /// Of all vertices, where some part needs its own anew.
    normals: OnceCell<Vec<Vec3>>,
    lifted: Lifted,
    /// Bytes of text that meshes take a second time.
    copied: usize,
}

/// What of a rig its file has no place for.
fn unlike(rig: &Rig, original: &Original) -> Option<String> {
    let (now, before) = (rig, &original.rig);
    let counts = [
        ("vertices", now.mesh.positions.len(), before.mesh.positions.len()),
        ("parts", now.parts.len(), before.parts.len()),
        ("morphs", now.morphs.len(), before.morphs.len()),
    ];
    if let Some((what, now, before)) = counts.into_iter().find(|(_, now, before)| now != before) {
        return Some(format!("it has {now} {what} and the file {before}"));
    }
    let moved = |(a, b): (&crate::rig::Part, &crate::rig::Part)| a.vertices != b.vertices || a.triangles != b.triangles;
    if now.parts.iter().zip(&before.parts).any(moved) {
        return Some("its parts have other vertices or triangles than the file's".into());
    }
    if now.morphs != before.morphs {
        return Some("its morphs are not the file's".into());
    }
    let looks = |rig: &Rig| rig.parts.iter().map(|p| p.material).collect::<Vec<_>>();
    if now.materials != before.materials || looks(now) != looks(before) || !pictures::same(&now.images, &before.images)
    {
        return Some("its materials are not the file's".into());
    }
    None
}
