use super::{
    super::text::{quoted, unit_normals, usable},
    ReadError, Warnings, affine,
    skeleton::{self, Joints},
    vector,
};
use crate::rig::{Material, Mesh, Morph, Part, WeightsBuilder};
use glam::{DAffine3, DVec3, Vec2, Vec3};
use std::collections::HashMap;

/// More than any character has; a few bytes can show one mesh many times.
const MOST_VERTICES: usize = 4 << 20;
const MOST_TRIANGLES: usize = 8 << 20;
/// More influences than this on one vertex do not come from a person.
const MOST_INFLUENCES: usize = 128;
/// Larger polygons are cut into fans, which takes time in proportion to their corners.
const LARGEST_POLYGON: u32 = 256;

/// All meshes of the scene as one.
#[derive(Default)]
pub(super) struct Skin {
    pub(super) mesh: Mesh,
    pub(super) parts: Vec<Part>,
    pub(super) weights: WeightsBuilder,
    pub(super) morphs: Vec<Morph>,
    pub(super) materials: Vec<Material>,
    /// Morphs that a blend channel moves, by its element.
    pub(super) morphs_of_channel: HashMap<u32, Vec<usize>>,
    /// Joints that may own the vertices of each part.
    pub(super) candidates: Vec<Vec<u16>>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    short: usize,
}

impl Skin {
    pub(super) fn of(scene: &ufbx::Scene, joints: &Joints, warnings: &mut Warnings) -> Result<Self, ReadError> {
        let mut all = Self { materials: scene.materials.iter().map(|m| material(m)).collect(), ..Self::default() };
        for mesh in &scene.meshes {
            for node in &mesh.element.instances {
                all.add(mesh, node, joints, warnings)?;
            }
            if mesh.element.instances.is_empty() {
                warnings.push(format!("mesh {}", quoted(&mesh.element.name)), "no node shows it: left out");
            }
        }
        if all.short > 0 {
            warnings.push("meshes", format!("{} faces have fewer than three corners: left out", all.short));
        }
        let whole = |length: usize| length > 0 && length == all.mesh.positions.len();
        all.mesh.normals = whole(all.normals.len()).then(|| unit_normals(std::mem::take(&mut all.normals), warnings));
        all.mesh.uvs = whole(all.uvs.len()).then(|| std::mem::take(&mut all.uvs));
        Ok(all)
    }

    fn add(
        &mut self,
        mesh: &ufbx::Mesh,
        node: &ufbx::Node,
        joints: &Joints,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let name = if node.element.name.is_empty() { &mesh.element.name } else { &node.element.name };
        let place = || format!("mesh {}", quoted(name));
        let skin = skeleton::skin(mesh);
        if mesh.skin_deformers.len() > 1 {
            warnings.push(place(), format!("{} skins: the first is used", mesh.skin_deformers.len()));
        }
        let first = self.mesh.positions.len();
        if mesh.vertices.len() > MOST_VERTICES - first {
            return Err(ReadError::invalid(place(), format!("more than {MOST_VERTICES} vertices with those before")));
        }
        let rest_from_geometry = match skin {
            Some(skin) => placement(skin, joints, place, warnings),
            None => affine(&node.geometry_to_world),
        };
        for (v, p) in mesh.vertices.iter().enumerate() {
            let p = rest_from_geometry.transform_point3(vector(p));
            if !p.to_array().into_iter().all(usable) {
                return Err(ReadError::invalid(place(), format!("vertex {v} is at {p}: not finite or too far")));
            }
            self.mesh.positions.push(p.as_vec3());
        }
        let triangles = self.mesh.triangles.len();
        self.triangulate(mesh, first as u32, rest_from_geometry.matrix3.determinant() < 0.0, &place)?;
        self.attributes(mesh, &rest_from_geometry);
        self.own(mesh, skin, joints, joints.find(node), place, warnings);
        self.add_morphs(mesh, first, &rest_from_geometry, place, warnings);
        self.parts.push(Part {
            name: name.to_string(),
            vertices: first as u32..self.mesh.positions.len() as u32,
            triangles: triangles as u32..self.mesh.triangles.len() as u32,
            material: mesh.materials.first().map(|m| m.element.typed_id as usize).filter(|m| *m < self.materials.len()),
            skinned: skin.is_some() || joints.list.is_empty(),
        });
        Ok(())
    }

    fn triangulate(
        &mut self,
        mesh: &ufbx::Mesh,
        first: u32,
        mirrored: bool,
        place: &impl Fn() -> String,
    ) -> Result<(), ReadError> {
        let (count, corners) = (mesh.vertices.len(), &mesh.vertex_indices);
        let mut buffer = vec![0u32; 3 * (LARGEST_POLYGON as usize - 2)];
        for (f, face) in mesh.faces.iter().enumerate() {
            if face.num_indices < 3 {
                self.short += 1;
                continue;
            }
            let triangles = face.num_indices as usize - 2;
            if triangles > MOST_TRIANGLES - self.mesh.triangles.len() {
                return Err(ReadError::invalid(place(), format!("more than {MOST_TRIANGLES} triangles")));
            }
            let vertex = |corner: u32| {
                let vertex = corners.get(corner as usize).copied().filter(|&v| (v as usize) < count);
                vertex.ok_or_else(|| ReadError::invalid(place(), format!("face {f} has a corner without a vertex")))
            };
            let cut = if (4..=LARGEST_POLYGON).contains(&face.num_indices) {
                let copy = ufbx::Face { index_begin: face.index_begin, num_indices: face.num_indices };
                ufbx::triangulate_face(&mut buffer[..3 * triangles], mesh, copy) as usize
            } else {
                0
            };
            for t in 0..triangles {
                let fan = face.index_begin + t as u32;
                let [a, b, c] = match t < cut {
                    true => [buffer[3 * t], buffer[3 * t + 1], buffer[3 * t + 2]],
                    false => [face.index_begin, fan + 1, fan + 2],
                };
                let (a, b, c) = (first + vertex(a)?, first + vertex(b)?, first + vertex(c)?);
                self.mesh.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
            }
        }
        Ok(())
    }

    fn attributes(&mut self, mesh: &ufbx::Mesh, rest_from_geometry: &DAffine3) {
        let turn = rest_from_geometry.matrix3.inverse().transpose();
        let (normal, uv) = (&mesh.vertex_normal, &mesh.vertex_uv);
        if let Some(of) = per_vertex(mesh, normal.exists.then_some(&normal.indices)) {
            let turned = |i: u32| normal.values.get(i as usize).map_or(DVec3::ZERO, |n| turn * vector(n));
            self.normals.extend(of.into_iter().map(|i| turned(i).normalize_or_zero().as_vec3()));
        }
        if let Some(of) = per_vertex(mesh, uv.exists.then_some(&uv.indices)) {
            // glTF's v runs downwards.
            let finite = |v: Vec2| if v.is_finite() { v } else { Vec2::ZERO };
            let at = |i: u32| uv.values.get(i as usize).map_or(Vec2::ZERO, |v| Vec2::new(v.x as f32, 1.0 - v.y as f32));
            self.uvs.extend(of.into_iter().map(|i| finite(at(i))));
        }
    }

    /// Gives the vertices to the joints of the skin, or all to the joint that carries the mesh.
    fn own(
        &mut self,
        mesh: &ufbx::Mesh,
        skin: Option<&ufbx::SkinDeformer>,
        joints: &Joints,
        carrier: Option<u16>,
        place: impl Fn() -> String,
        warnings: &mut Warnings,
    ) {
        let carrier = carrier.unwrap_or(0);
        let Some(skin) = skin else {
            for _ in &mesh.vertices {
                self.weights.push([(carrier, 1.0)]);
            }
            self.candidates.push(vec![carrier]);
            return;
        };
        let joint_of: Vec<Option<u16>> =
            skin.clusters.iter().map(|c| c.bone_node.as_deref().and_then(|n| joints.find(n))).collect();
        let mut crowded = 0;
        for v in 0..mesh.vertices.len() {
            let vertex = skin.vertices.get(v);
            let range =
                vertex.map_or(0..0, |s| s.weight_begin as usize..(s.weight_begin as usize + s.num_weights as usize));
            let row = skin.weights.get(range).unwrap_or_default();
            crowded += usize::from(row.len() > MOST_INFLUENCES);
            // ufbx sorts them, heaviest first.
            let entries = row.iter().take(MOST_INFLUENCES);
            self.weights
                .push(entries.filter_map(|w| Some(((*joint_of.get(w.cluster_index as usize)?)?, w.weight as f32))));
        }
        if crowded > 0 {
            let what = format!("{crowded} vertices have more than {MOST_INFLUENCES} influences: the heaviest are kept");
            warnings.push(place(), what);
        }
        self.candidates.push(joint_of.into_iter().flatten().collect());
    }

    fn add_morphs(
        &mut self,
        mesh: &ufbx::Mesh,
        first: usize,
        rest_from_geometry: &DAffine3,
        place: impl Fn() -> String,
        warnings: &mut Warnings,
    ) {
        let count = mesh.vertices.len();
        for channel in mesh.blend_deformers.iter().flat_map(|b| b.channels.iter()) {
            let Some(shape) = &channel.target_shape else { continue };
            if channel.keyframes.len() > 1 {
                let what = format!("blend channel {}: in-between shapes are left out", quoted(&channel.element.name));
                warnings.push(place(), what);
            }
            let mut moved: Vec<(u32, Vec3)> = Vec::with_capacity(shape.offset_vertices.len().min(count));
            let mut bad = 0;
            for (&v, offset) in shape.offset_vertices.iter().zip(&shape.position_offsets) {
                let delta = rest_from_geometry.transform_vector3(vector(offset));
                if (v as usize) < count && delta.to_array().into_iter().all(usable) {
                    moved.push((first as u32 + v, delta.as_vec3()));
                } else {
                    bad += 1;
                }
            }
            if bad > 0 {
                let what = format!("blend channel {}: {bad} offsets cannot be used", quoted(&channel.element.name));
                warnings.push(place(), what);
            }
            moved.sort_by_key(|(v, _)| *v);
            moved.dedup_by_key(|(v, _)| *v);
            let (vertices, deltas) = moved.into_iter().unzip();
            let weight = channel.weight as f32;
            let default_weight = if weight.is_finite() { weight } else { 0.0 };
            self.morphs_of_channel.entry(channel.element.element_id).or_default().push(self.morphs.len());
            self.morphs.push(Morph { name: channel.element.name.to_string(), default_weight, vertices, deltas });
        }
    }
}

/// Where the skin lies at rest. Every cluster says; where they differ, the skin's own joints cannot all be at rest.
fn placement(
    skin: &ufbx::SkinDeformer,
    joints: &Joints,
    place: impl Fn() -> String,
    warnings: &mut Warnings,
) -> DAffine3 {
    let mut first: Option<DAffine3> = None;
    let mut differing = 0;
    for cluster in &skin.clusters {
        let Some(joint) = cluster.bone_node.as_deref().and_then(|n| joints.find(n)) else { continue };
        let rest = joints.list[usize::from(joint)].rest_from_joint * affine(&cluster.geometry_to_bone);
        match first {
            None => first = Some(rest),
            Some(first) => {
                let size = first.to_cols_array().iter().fold(1e-9, |most: f64, x| most.max(x.abs()));
                differing += usize::from(!rest.abs_diff_eq(first, 1e-3 * size));
            }
        }
    }
    if differing > 0 {
        let what = format!("{differing} clusters bind it elsewhere than the first one does: the first is believed");
        warnings.push(place(), what);
    }
    first.unwrap_or(DAffine3::IDENTITY)
}

/// Which value each vertex has, where it is one at all its corners and every vertex has one.
fn per_vertex(mesh: &ufbx::Mesh, indices: Option<&ufbx::List<u32>>) -> Option<Vec<u32>> {
    const NONE: u32 = u32::MAX;
    let mut of = vec![NONE; mesh.vertices.len()];
    for (&vertex, &value) in mesh.vertex_indices.iter().zip(indices?.iter()) {
        let known = of.get_mut(vertex as usize)?;
        if *known != NONE && *known != value {
            return None;
        }
        *known = value;
    }
    (!of.contains(&NONE)).then_some(of)
}

fn material(material: &ufbx::Material) -> Material {
    let pbr = &material.pbr;
    let unit = |x: f64, otherwise: f32| if x.is_finite() { x.clamp(0.0, 1.0) as f32 } else { otherwise };
    let value = |map: &ufbx::MaterialMap, otherwise: f32| {
        if map.has_value { unit(map.value_vec4.x, otherwise) } else { otherwise }
    };
    let factor = if pbr.base_factor.has_value { pbr.base_factor.value_vec4.x } else { 1.0 };
    let c = &pbr.base_color.value_vec4;
    let default = Material::default();
    Material {
        name: material.element.name.to_string(),
        base_color: match pbr.base_color.has_value {
            true => [unit(c.x * factor, 1.0), unit(c.y * factor, 1.0), unit(c.z * factor, 1.0), 1.0],
            false => default.base_color,
        },
        metallic: value(&pbr.metalness, default.metallic),
        roughness: value(&pbr.roughness, default.roughness),
        ..default
    }
}
