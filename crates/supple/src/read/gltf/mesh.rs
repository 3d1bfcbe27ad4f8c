//! Primitives to one mesh, with weights and morphs, in the order of the nodes that show them.

use super::{accessor::Array, container::Container, document::Primitive, skin::Binding};
use crate::{
    read::{PLAIN, ReadError, Warnings},
    rig::{Mesh, Morph, Part, WeightsBuilder},
};
use glam::{DAffine3, DMat3, Vec2, Vec3};
use std::{collections::HashMap, ops::Range};

/// The most primitives and morph targets of a character. Nodes can share a mesh, so that a small file could show any number.
const MOST: usize = 1 << 18;

/// Bytes of four influences of a vertex, at the least.
const SET: usize = 8;

/// The skin under construction.
#[derive(Default)]
pub struct Skin {
    pub mesh: Mesh,
    pub parts: Vec<Part>,
    pub origins: Vec<PartOrigin>,
    pub weights: WeightsBuilder,
    pub morphs: Vec<Morph>,
    /// Vertices that all targets speak of.
    morphed: usize,
    /// Bytes of the skin, see [`Container::most_plain`].
    plain: usize,
    /// Morphs of each node that has any.
    pub morphs_of: HashMap<usize, Range<usize>>,
    /// For vertices without weights, by part: the skin whose joints may own them, or the joint of a prop.
    pub candidates: Vec<Result<usize, u16>>,
}

/// Where in the file a part stands, and where its vertices are put.
#[derive(Clone, Copy, Debug)]
pub struct PartOrigin {
    pub node: usize,
    pub mesh: usize,
    pub primitive: usize,
    pub rest_from_mesh: DAffine3,
}

/// How a primitive gets to the rest space and who carries it.
struct Place<'a> {
    rest_from_mesh: DAffine3,
    /// Joint numbers of the skin; none for a prop.
    skin: Option<&'a [u16]>,
    /// The joint a prop follows.
    prop: u16,
    /// Supple computed the normals when it wrote the file: the rig had none.
    normals_computed: bool,
}

/// False where a primitive draws lines, or nothing.
pub fn is_read(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key("POSITION") && matches!(primitive.mode.unwrap_or(4), 0 | 4 | 5 | 6)
}

/// True where a primitive takes part in skinning.
pub fn has_joints(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key("JOINTS_0")
}

impl Skin {
    /// Adds up the skin; where it grows larger than the file can mean, the error is the size of the file.
    fn grow(&mut self, file: &Container, each: usize, count: usize) -> Result<(), usize> {
        self.plain = self.plain.saturating_add(count.saturating_mul(each));
        if self.plain > file.most_plain() { Err(file.size()) } else { Ok(()) }
    }

    /// Adds what one node shows.
    pub fn add_node(
        &mut self,
        file: &Container,
        binding: &Binding,
        joint_of_node: Option<usize>,
        node_index: usize,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let node = &file.root.nodes[node_index];
        let Some(mesh_index) = node.mesh else { return Ok(()) };
        let mesh = &file.root.meshes[mesh_index];
        let targets = mesh.primitives.iter().map(|p| p.targets.len()).max().unwrap_or(0);
        let first_morph = self.morphs.len();
        if first_morph + targets > MOST {
            return Err(ReadError::invalid(format!("nodes[{node_index}]"), format!("more than {MOST} morph targets")));
        }
        let defaults = node.weights.as_ref().or(mesh.weights.as_ref());
        for t in 0..targets {
            let default_weight = defaults.and_then(|w| w.get(t)).copied().filter(|w| w.is_finite()).unwrap_or(0.0);
            let name = mesh.extras.target_name(t).map_or_else(|| format!("morph {t}"), str::to_owned);
            self.morphs.push(Morph { name, default_weight, vertices: Vec::new(), deltas: Vec::new() });
        }
        if targets > 0 {
            self.morphs_of.insert(node_index, first_morph..self.morphs.len());
        }
        let normals_computed = mesh.extras.normals() == Some("computed");
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            let name = format!("meshes[{mesh_index}].primitives[{k}]");
            let skinned = node.skin.filter(|_| has_joints(primitive));
            let place = match (skinned, joint_of_node) {
                (Some(skin), _) => {
                    let skin = &binding.skins[skin];
                    Place { rest_from_mesh: skin.rest_from_mesh, skin: Some(&skin.joints), prop: 0, normals_computed }
                }
                (None, Some(joint)) => {
                    let rest_from_mesh = binding.joints[joint].rest_from_joint;
                    Place { rest_from_mesh, skin: None, prop: joint as u16, normals_computed }
                }
                (None, None) => continue,
            };
            if self.parts.len() == MOST {
                return Err(ReadError::invalid(name, format!("more than {MOST} primitives are shown")));
            }
            if self.add_primitive(file, primitive, &name, &place, first_morph, warnings)? {
                let part = self.parts.last_mut().expect("just added");
                let own = primitive.extras.name().map(str::to_owned);
                part.skinned &= primitive.extras.ours().and_then(|o| o.skinned.get()) != Some(&false);
                part.name = own
                    .or_else(|| mesh.name.clone())
                    .or_else(|| node.name.clone())
                    .unwrap_or_else(|| format!("mesh {mesh_index}"));
                self.candidates.push(skinned.ok_or(place.prop));
                let rest_from_mesh = place.rest_from_mesh;
                self.origins.push(PartOrigin { node: node_index, mesh: mesh_index, primitive: k, rest_from_mesh });
            }
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        file: &Container,
        primitive: &Primitive,
        name: &str,
        place: &Place<'_>,
        first_morph: usize,
        warnings: &mut Warnings,
    ) -> Result<bool, ReadError> {
        let Some(&position) = primitive.attributes.get("POSITION") else {
            warnings.push(name, "has no POSITION and is left out");
            return Ok(false);
        };
        let mode = primitive.mode.unwrap_or(4);
        if !matches!(mode, 0 | 4 | 5 | 6) {
            warnings.push(name, format!("mode {mode} draws lines and is left out"));
            return Ok(false);
        }
        let positions = file.array(position, &["VEC3"])?;
        let (first, count) = (self.mesh.positions.len(), positions.count);
        if self.grow(file, PLAIN, count).is_err() || first + count > u32::MAX as usize {
            let what =
                format!("brings the file to {} vertices, more than its {} bytes can mean", first + count, file.size());
            return Err(ReadError::invalid(name, what));
        }
        let at_rest = place.rest_from_mesh == DAffine3::IDENTITY;
        self.mesh.positions.reserve(count);
        for i in 0..count {
            let p = Vec3::from(positions.numbers::<3>(i));
            if !p.is_finite() {
                return Err(ReadError::invalid(format!("{name}.POSITION"), format!("vertex {i} is {p}")));
            }
            let p = if at_rest { p } else { place.rest_from_mesh.transform_point3(p.as_dvec3()).as_vec3() };
            self.mesh.positions.push(p);
        }
        self.add_looks(file, primitive, name, place, count, warnings)?;
        let first_triangle = self.mesh.triangles.len();
        if mode != 0 {
            self.add_triangles(file, primitive, name, mode, first as u32, count as u32, warnings)?;
            // A mirror turns the winding round, and glTF says that what faced outwards still does.
            if place.rest_from_mesh.matrix3.determinant() < 0.0 {
                self.mesh.triangles[first_triangle..].iter_mut().for_each(|t| t.swap(1, 2));
            }
        }
        self.add_weights(file, primitive, name, place, count, warnings)?;
        self.add_morphs(file, primitive, place, first as u32, count, first_morph)?;
        self.parts.push(Part {
            name: String::new(),
            vertices: first as u32..(first + count) as u32,
            triangles: first_triangle as u32..self.mesh.triangles.len() as u32,
            material: primitive.material.filter(|&m| m < file.root.materials.len()),
            skinned: place.skin.is_some(),
        });
        Ok(true)
    }

    /// Normals, texture coordinates and colours: nice to have, so what does not fit is left out with a warning.
    fn add_looks(
        &mut self,
        file: &Container,
        primitive: &Primitive,
        name: &str,
        place: &Place<'_>,
        count: usize,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let keep_normals = !place.normals_computed;
        let before = self.mesh.positions.len() - count;
        let mut attribute = |what: &str, kinds: &[&str]| -> Result<Option<Array<'_>>, ReadError> {
            let Some(&accessor) = primitive.attributes.get(what) else { return Ok(None) };
            let array = file.array(accessor, kinds)?;
            if array.count == count {
                if let Some(i) = (0..count).find(|&i| (0..array.width).any(|c| !array.number(i, c).is_finite())) {
                    warnings.push(name, format!("{what} of vertex {i} is not finite: such values are read as zero"));
                }
                return Ok(Some(array));
            }
            warnings.push(name, format!("{what} has {} elements for {count} vertices and is left out", array.count));
            Ok(None)
        };
        let normals = if keep_normals { attribute("NORMAL", &["VEC3"])? } else { None };
        let uvs = attribute("TEXCOORD_0", &["VEC2"])?;
        let colors = attribute("COLOR_0", &["VEC3", "VEC4"])?;
        let turn = cofactor(&place.rest_from_mesh.matrix3);
        let is_rest = place.rest_from_mesh == DAffine3::IDENTITY;
        extend(&mut self.mesh.normals, before, count, Vec3::ZERO, normals, |a, i| {
            let n = Vec3::from(a.numbers::<3>(i));
            let n = if n.is_finite() { n } else { Vec3::ZERO };
            if is_rest { n } else { (turn * n.as_dvec3()).normalize_or_zero().as_vec3() }
        });
        extend(&mut self.mesh.uvs, before, count, Vec2::ZERO, uvs, |a, i| {
            let uv = Vec2::from(a.numbers::<2>(i));
            if uv.is_finite() { uv } else { Vec2::ZERO }
        });
        extend(&mut self.mesh.colors, before, count, [255; 4], colors, |a, i| {
            let channel = |c: usize| if c < a.width { a.number(i, c) } else { 1.0 };
            std::array::from_fn(|c| (channel(c).clamp(0.0, 1.0) * 255.0).round() as u8)
        });
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one step of add_primitive, which has them all at hand")]
    fn add_triangles(
        &mut self,
        file: &Container,
        primitive: &Primitive,
        name: &str,
        mode: u32,
        first: u32,
        count: u32,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let indices = primitive.indices.map(|i| file.array(i, &["SCALAR"])).transpose()?;
        if let Some(indices) = &indices {
            indices.check_unsigned(|| format!("{name}.indices"))?;
        }
        let corners = indices.as_ref().map_or(count as usize, |a| a.count);
        let corner = |i: usize| -> Result<u32, ReadError> {
            let v = indices.as_ref().map_or(i as u32, |a| a.integer(i, 0));
            if v < count {
                return Ok(first + v);
            }
            Err(ReadError::invalid(format!("{name}.indices"), format!("index {i} is {v}, there are {count} vertices")))
        };
        let more = if mode == 4 { corners / 3 } else { corners.saturating_sub(2) };
        self.grow(file, PLAIN, more).map_err(|bytes| {
            ReadError::invalid(name, format!("{more} more triangles are more than its {bytes} bytes can mean"))
        })?;
        if mode == 4 {
            if corners % 3 != 0 {
                warnings.push(
                    name,
                    format!("{corners} corners are not whole triangles: the last {} are ignored", corners % 3),
                );
            }
            self.mesh.triangles.reserve(corners / 3);
            for i in (0..corners / 3 * 3).step_by(3) {
                self.mesh.triangles.push([corner(i)?, corner(i + 1)?, corner(i + 2)?]);
            }
        } else {
            for i in 2..corners {
                let (a, b, c) = match (mode, i % 2) {
                    (6, _) => (0, i - 1, i),
                    (_, 0) => (i - 2, i - 1, i),
                    _ => (i - 1, i - 2, i),
                };
                self.mesh.triangles.push([corner(a)?, corner(b)?, corner(c)?]);
            }
        }
        Ok(())
    }

    fn add_weights(
        &mut self,
        file: &Container,
        primitive: &Primitive,
        name: &str,
        place: &Place<'_>,
        count: usize,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let Some(joints) = place.skin else {
            (0..count).for_each(|_| self.weights.push([(place.prop, 1.0)]));
            return Ok(());
        };
        let mut sets = Vec::new();
        for set in 0.. {
            let attribute = |what: &str| primitive.attributes.get(&format!("{what}_{set}")).copied();
            let (Some(j), w) = (attribute("JOINTS"), attribute("WEIGHTS")) else { break };
            let Some(w) = w else {
                warnings.push(name, format!("JOINTS_{set} without WEIGHTS_{set} is ignored"));
                break;
            };
            let (j, w) = (file.array(j, &["VEC4"])?, file.array(w, &["VEC4"])?);
            if j.count != count || w.count != count {
                let what =
                    format!("JOINTS_{set} has {}, WEIGHTS_{set} {} elements for {count} vertices", j.count, w.count);
                return Err(ReadError::invalid(name, what));
            }
            j.check_unsigned(|| format!("{name}.JOINTS_{set}"))?;
            self.grow(file, SET, count).map_err(|bytes| {
                let what = format!("more influences than the {bytes} bytes of the file can mean");
                ReadError::invalid(format!("{name}.JOINTS_{set}"), what)
            })?;
            sets.push((j, w));
        }
        for v in 0..count {
            for (set, (j, w)) in sets.iter().enumerate() {
                for c in 0..4 {
                    let (joint, weight) = (j.integer(v, c) as usize, w.number(v, c));
                    // Exporters leave anything in the slots they do not use.
                    if joint >= joints.len() && weight != 0.0 {
                        let what = format!("vertex {v} names joint {joint}, the skin has {}", joints.len());
                        return Err(ReadError::invalid(format!("{name}.JOINTS_{set}"), what));
                    }
                }
            }
            let row = sets.iter().flat_map(|(j, w)| (0..4).map(move |c| (j.integer(v, c) as usize, w.number(v, c))));
            self.weights.push(row.filter_map(|(j, w)| joints.get(j).map(|&j| (j, w))));
        }
        Ok(())
    }

    fn add_morphs(
        &mut self,
        file: &Container,
        primitive: &Primitive,
        place: &Place<'_>,
        first: u32,
        count: usize,
        first_morph: usize,
    ) -> Result<(), ReadError> {
        for (t, target) in primitive.targets.iter().enumerate() {
            let Some(&accessor) = target.get("POSITION") else { continue };
            let deltas = file.array(accessor, &["VEC3"])?;
            if deltas.count != count {
                let what = format!("morph target {t} has {} elements for {count} vertices", deltas.count);
                return Err(ReadError::invalid(format!("accessors[{accessor}]"), what));
            }
            self.morphed += count;
            if self.morphed > file.most_elements() {
                let what = format!("more morph targets than the {} bytes of the file can mean", file.size());
                return Err(ReadError::invalid(format!("accessors[{accessor}]"), what));
            }
            let morph = &mut self.morphs[first_morph + t];
            for i in 0..count {
                let delta = Vec3::from(deltas.numbers::<3>(i));
                if !delta.is_finite() {
                    let what = format!("morph target {t} moves vertex {i} by {delta}");
                    return Err(ReadError::invalid(format!("accessors[{accessor}]"), what));
                }
                if delta != Vec3::ZERO {
                    morph.vertices.push(first + i as u32);
                    morph.deltas.push(place.rest_from_mesh.transform_vector3(delta.as_dvec3()).as_vec3());
                }
            }
        }
        Ok(())
    }
}

/// Carries normals along with a linear map, mirrors included.
fn cofactor(m: &DMat3) -> DMat3 {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * m.determinant().signum()
}

/// Appends one primitive's attribute, filling in where this or earlier primitives have none.
fn extend<T: Copy>(
    all: &mut Option<Vec<T>>,
    before: usize,
    count: usize,
    missing: T,
    array: Option<Array<'_>>,
    element: impl Fn(&Array<'_>, usize) -> T,
) {
    match (array, &mut *all) {
        (None, None) => {}
        (None, Some(list)) => list.extend(std::iter::repeat_n(missing, count)),
        (Some(array), _) => {
            let list = all.get_or_insert_with(|| vec![missing; before]);
            list.reserve_exact(count);
            list.extend((0..count).map(|i| element(&array, i)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{Format, bytes, resolve_nothing};
    use base64::{Engine, prelude::BASE64_STANDARD};

    #[test]
    fn a_mirrored_node_still_faces_outwards() {
        let places = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let corners = [0u16, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
        let mut buffer: Vec<u8> = places.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        buffer.extend(corners.iter().flat_map(|i| i.to_le_bytes()));
        for (scale, mirrored) in [("1,1,1", false), ("-1,1,1", true), ("-2,-2,-2", true), ("-1,-1,3", false)] {
            let text = format!(
                r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[{scale}]}}],
                "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
                "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
                {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
                "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
                "buffers":[{{"byteLength":72,"uri":"data:application/octet-stream;base64,{}"}}]}}"#,
                BASE64_STANDARD.encode(&buffer)
            );
            let read = bytes("mirror", Format::Gltf, text.into_bytes(), &resolve_nothing);
            let mesh = read.unwrap().rig.mesh;
            assert!(mesh.volume() > 0.1, "{scale}: {}", mesh.volume());
            assert_eq!(mesh.triangles[0] == [0, 1, 2], mirrored, "{scale}");
        }
    }
}
