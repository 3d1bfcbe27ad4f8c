use super::{
    document::{self, Document, Layout, VEC3S},
    looks::Looks,
    material,
};
use crate::{
    rig::{Part, Rig, Weights},
    write::Error,
};
use glam::Vec3;
use gltf_json::{
    Index, Mesh,
    accessor::{Accessor, ComponentType, Type},
    buffer::Target,
    mesh::{Mode, Primitive, Semantic},
    validation::Checked::Valid,
};
use serde_json::{Map, json};
use std::{borrow::Cow, collections::BTreeMap, ops::Range};

pub(super) const VERTICES: Option<Target> = Some(Target::ArrayBuffer);
const INDICES: Option<Target> = Some(Target::ElementArrayBuffer);

/// What the vertices of a mesh are given besides what the rig says.
pub(super) struct Look<'a> {
    pub points: &'a [Vec3],
    pub normals: Option<&'a [Vec3]>,
    pub weights: Option<&'a Weights>,
    /// What the file that the rig came from says besides.
    pub looks: Option<&'a Looks>,
}

/// All parts of a rig as the primitives of one mesh, with materials and textures.
pub(super) fn write(document: &mut Document, rig: &Rig, look: &Look<'_>) -> Result<Mesh, Error> {
    let materials: Vec<_> = match look.looks {
        Some(looks) => {
            looks.write(document)?;
            (0..rig.materials.len() as u32).map(Index::new).collect()
        }
        None => material::write(document, rig)?,
    };
    let wide = rig.skeleton.len() > 256;
    let mut primitives = Vec::new();
    for part in parts(rig)?.iter() {
        let vertices = range(&part.vertices);
        let mut attributes = attributes(document, rig, look, vertices.clone())?;
        if let Some(looks) = look.looks {
            looks.attributes(document, rig, part, &mut attributes)?;
        }
        if let Some(weights) = look.weights {
            let sets = sets(weights, vertices.clone(), |joint| joint);
            for (set, (joints, values)) in (0..).zip(influences(document, &sets, wide)?) {
                attributes.insert(Valid(Semantic::Joints(set)), joints);
                attributes.insert(Valid(Semantic::Weights(set)), values);
            }
        }
        let triangles = &rig.mesh.triangles[range(&part.triangles)];
        let points = triangles.is_empty();
        let mut extras = Map::new();
        if part.name != rig.name {
            extras.insert("name".into(), json!(part.name));
        }
        if !part.skinned {
            extras.insert("skinned".into(), json!(false));
        }
        primitives.push(Primitive {
            attributes,
            indices: if points { None } else { Some(indices(document, triangles, vertices)?) },
            material: part.material.and_then(|m| materials.get(m).copied()),
            mode: Valid(if points { Mode::Points } else { Mode::Triangles }),
            targets: None,
            extensions: None,
            extras: document::supple(extras),
        });
    }
    Ok(Mesh { name: document::name(&rig.name), primitives, weights: None, extensions: None, extras: None })
}

/// The parts that have vertices. Refused where they do not cover the mesh in order: vertices would be lost or moved.
pub(super) fn parts(rig: &Rig) -> Result<Cow<'_, [Part]>, Error> {
    let (vertices, triangles) = (rig.mesh.positions.len() as u32, rig.mesh.triangles.len() as u32);
    if rig.parts.is_empty() {
        let (name, skinned) = (rig.name.clone(), true);
        let whole = Part { name, vertices: 0..vertices, triangles: 0..triangles, material: None, skinned };
        return Ok(Cow::Owned(vec![whole]));
    }
    let (mut vertex, mut triangle) = (0, 0);
    for (number, part) in rig.parts.iter().enumerate() {
        let bad = |what| Err(Error::Part { part: number, name: part.name.clone(), what });
        let last = number + 1 == rig.parts.len();
        for (what, range, next, all) in [
            ("vertices", &part.vertices, &mut vertex, vertices),
            ("triangles", &part.triangles, &mut triangle, triangles),
        ] {
            if range.start != *next || range.end < range.start || range.end > all || (last && range.end != all) {
                return bad(format!("has {what} {range:?}, which leaves a gap or an overlap before {next} of {all}"));
            }
            *next = range.end;
        }
        let own = &rig.mesh.triangles[range(&part.triangles)];
        if let Some(&v) = own.as_flattened().iter().find(|v| !part.vertices.contains(v)) {
            return bad(format!("has a triangle of vertex {v}, outside its vertices {:?}", part.vertices));
        }
    }
    if rig.parts.iter().any(|p| p.vertices.is_empty()) {
        return Ok(rig.parts.iter().filter(|p| !p.vertices.is_empty()).cloned().collect());
    }
    Ok(Cow::Borrowed(&rig.parts))
}

fn attributes(
    document: &mut Document,
    rig: &Rig,
    look: &Look<'_>,
    vertices: Range<usize>,
) -> Result<Attributes, Error> {
    let mut attributes = BTreeMap::new();
    let positions = document.bounded(&look.points[vertices.clone()], VERTICES)?;
    attributes.insert(Valid(Semantic::Positions), positions);
    if let Some(normals) = look.normals {
        let normals = document.array(&normals[vertices.clone()], VEC3S, VERTICES)?;
        attributes.insert(Valid(Semantic::Normals), normals);
    }
    if let Some(uvs) = &rig.mesh.uvs {
        let layout = Layout(ComponentType::F32, Type::Vec2);
        let uvs = document.array(&uvs[vertices.clone()], layout, VERTICES)?;
        attributes.insert(Valid(Semantic::TexCoords(0)), uvs);
    }
    if let Some(colors) = &rig.mesh.colors {
        let layout = Layout(ComponentType::U8, Type::Vec4);
        let colors = document.array(&colors[vertices], layout, VERTICES)?;
        document.root.accessors[colors.value()].normalized = true;
        attributes.insert(Valid(Semantic::Colors(0)), colors);
    }
    Ok(attributes)
}

pub(super) type Attributes = BTreeMap<gltf_json::validation::Checked<Semantic>, Index<Accessor>>;

/// Accessors of one set: joints and weights.
pub(super) type Influences = (Index<Accessor>, Index<Accessor>);

/// Joints and weights in sets of four.
pub(super) type Sets = Vec<(Vec<[u16; 4]>, Vec<[f32; 4]>)>;

/// As many sets as the vertices need. Empty places are joint 0 with weight 0.
pub(super) fn sets(weights: &Weights, vertices: Range<usize>, mut number: impl FnMut(u16) -> u16) -> Sets {
    let most = vertices.clone().map(|v| weights.row(v).0.len()).max().unwrap_or(0);
    let empty = || (vec![[0u16; 4]; vertices.len()], vec![[0f32; 4]; vertices.len()]);
    let mut sets: Sets = (0..most.div_ceil(4).max(1)).map(|_| empty()).collect();
    for (at, v) in vertices.clone().enumerate() {
        let (joints, values) = weights.row(v);
        for (i, (&joint, &value)) in joints.iter().zip(values).enumerate() {
            let set = &mut sets[i / 4];
            (set.0[at][i % 4], set.1[at][i % 4]) = (number(joint), value);
        }
    }
    sets
}

/// Writes sets: an accessor of joints and one of weights for each.
pub(super) fn influences(document: &mut Document, sets: &Sets, wide: bool) -> Result<Vec<Influences>, Error> {
    let mut written = Vec::with_capacity(sets.len());
    for (joints, values) in sets {
        let joints = if wide {
            document.array(joints, Layout(ComponentType::U16, Type::Vec4), VERTICES)?
        } else {
            let joints: Vec<[u8; 4]> = joints.iter().map(|j| j.map(|j| j as u8)).collect();
            document.array(&joints, Layout(ComponentType::U8, Type::Vec4), VERTICES)?
        };
        written.push((joints, document.array(values, Layout(ComponentType::F32, Type::Vec4), VERTICES)?));
    }
    Ok(written)
}

pub(super) fn indices(
    document: &mut Document,
    triangles: &[[u32; 3]],
    vertices: Range<usize>,
) -> Result<Index<Accessor>, Error> {
    let first = vertices.start as u32;
    // The largest 16-bit number is set aside by glTF.
    if vertices.len() < usize::from(u16::MAX) {
        let indices: Vec<[u16; 3]> = triangles.iter().map(|t| t.map(|v| (v - first) as u16)).collect();
        document.array(&indices, Layout(ComponentType::U16, Type::Scalar), INDICES)
    } else {
        let indices: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| v - first)).collect();
        document.array(&indices, Layout(ComponentType::U32, Type::Scalar), INDICES)
    }
}

pub(super) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
