use super::{document::Document, mesh};
use crate::{
    rig::{Morph, Rig},
    write::{Error, check},
};
use glam::Vec3;
use gltf_json::{Accessor, Index, Mesh, buffer::Target, mesh::MorphTarget};
use std::ops::Range;

/// The morphs of a rig as the targets of every primitive, with their default weights.
pub(super) fn write(document: &mut Document, rig: &Rig, mesh: &mut Mesh) -> Result<(), Error> {
    for (part, primitive) in mesh::parts(rig)?.iter().zip(&mut mesh.primitives) {
        let mut still = None;
        let mut targets = Vec::with_capacity(rig.morphs.len());
        for morph in &rig.morphs {
            let at = |v: u32| morph.vertices.partition_point(|&x| x < v);
            let own = at(part.vertices.start)..at(part.vertices.end);
            let (vertices, deltas) = (&morph.vertices[own.clone()], &morph.deltas[own]);
            let moved = vertices.iter().zip(deltas).filter(|(_, d)| **d != Vec3::ZERO);
            let (vertices, deltas) = moved.map(|(v, d)| (v - part.vertices.start, *d)).unzip();
            let positions = Some(target(document, &part.vertices, vertices, deltas, &mut still)?);
            targets.push(MorphTarget { positions, normals: None, tangents: None });
        }
        primitive.targets = Some(targets);
    }
    mesh.weights = Some(rig.morphs.iter().map(default_weight).collect());
    Ok(())
}

/// JSON has no word for NaN.
pub(super) fn default_weight(morph: &Morph) -> f32 {
    if morph.default_weight.is_finite() { morph.default_weight } else { 0.0 }
}

/// Displacements of a part's vertices, stored whichever way is smaller. Those of a part that keeps still are shared.
pub(super) fn target(
    document: &mut Document,
    part: &Range<u32>,
    vertices: Vec<u32>,
    deltas: Vec<Vec3>,
    still: &mut Option<Index<Accessor>>,
) -> Result<Index<Accessor>, Error> {
    check::finite("displacement", &deltas)?;
    let count = part.len();
    if vertices.is_empty() {
        // glTF would let the accessor be empty, but programs trip over that.
        let shared = match *still {
            Some(shared) => shared,
            None => document.sparse(count, &[0], &[Vec3::ZERO])?,
        };
        *still = Some(shared);
        return Ok(shared);
    }
    let per_vertex = 12 + if count <= 1 << 16 { 2 } else { 4 };
    if vertices.len() * per_vertex < count * 12 {
        return document.sparse(count, &vertices, &deltas);
    }
    let mut dense = vec![Vec3::ZERO; count];
    for (v, delta) in vertices.iter().zip(&deltas) {
        dense[*v as usize] = *delta;
    }
    document.bounded(&dense, Some(Target::ArrayBuffer))
}
