use super::{Patch, Stop, object::Object, skins::Skins};
use crate::{
    rig::Weights,
    write::{
        check,
        gltf::{
            document::{Layout, VEC3S},
            mesh::{self, Sets, VERTICES},
        },
        shading,
    },
};
use glam::{DAffine3, Vec2, Vec3};
use gltf_json::{
    Index, Node,
    accessor::{ComponentType, Type},
};
use serde_json::json;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

/// What of a primitive is to be changed.
#[derive(Default, PartialEq)]
struct Change<'a> {
    influences: Option<Sets>,
    /// What is said of a prop.
    skinned: Option<bool>,
    positions: Option<Vec<Vec3>>,
    normals: Option<Vec<Vec3>>,
    uvs: Option<&'a [Vec2]>,
    colors: Option<&'a [[u8; 4]]>,
    /// In numbers of the primitive.
    triangles: Option<Vec<[u32; 3]>>,
}

/// The changes of one node's primitives, by their numbers in the mesh.
type Changes<'a> = BTreeMap<usize, Change<'a>>;

/// Equal for equal changes, and different for nearly all others.
fn digest(changes: &Changes<'_>) -> u64 {
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

impl<'a> Patch<'a> {
    /// Changes the primitives whose parts differ. Gives the nodes that have a skin now and had none.
    pub fn meshes(&mut self, nodes: &[Index<Node>]) -> Result<HashSet<usize>, Stop> {
        let mut skins = Skins::of(self);
        let mut lifted = HashSet::new();
        let mut by_mesh: BTreeMap<usize, Vec<(usize, Changes<'a>)>> = BTreeMap::new();
        let origins = &self.original.parts;
        let mut first = 0;
        while let Some(origin) = origins.get(first) {
            let end = first + origins[first..].iter().take_while(|o| o.node == origin.node).count();
            let changes = self.node(first..end, &mut skins, &mut lifted)?;
            by_mesh.entry(origin.mesh).or_default().push((origin.node, changes));
            first = end;
        }
        for (mesh, uses) in by_mesh {
            self.mesh(mesh, uses)?;
        }
        skins.write(self, nodes)?;
        Ok(lifted)
    }

    /// What changes for the parts of one node.
    fn node(
        &mut self,
        parts: Range<usize>,
        skins: &mut Skins,
        lifted: &mut HashSet<usize>,
    ) -> Result<Changes<'a>, Stop> {
        let node = self.original.parts[parts.start].node;
        let mut skin = self.original.file.root.nodes[node].skin;
        let weights = self.rig.weights.as_ref();
        let differ = |part: usize| weights.is_some_and(|w| self.influences_differ(part, w));
        let mut changed: HashSet<usize> = parts.clone().filter(|&p| differ(p)).collect();
        if skin.is_none() && !changed.is_empty() {
            // A node has a skin or none: all that it shows follows it.
            changed = parts.clone().collect();
            let rest_from_mesh = self.original.parts[parts.start].rest_from_mesh;
            let made = skins.make(self.rig.skeleton.len(), rest_from_mesh);
            self.out.edit("nodes", node, |n| n.set("skin", &made))?;
            skin = Some(made);
            if self.original.file.root.nodes[node].children.is_empty() {
                lifted.insert(node);
                // It stands in the bind matrices now, and programs differ in whether they look at it.
                self.out.edit("nodes", node, |n| {
                    ["matrix", "translation", "rotation", "scale"].iter().for_each(|key| n.remove(key));
                    Ok(())
                })?;
            }
        }
        if weights.is_none() && !self.joints.kept && skin.is_some() {
            self.out.edit("nodes", node, |n| {
                n.remove("skin");
                Ok(())
            })?;
        }
        let mut changes = Changes::new();
        for part in parts {
            let weights = weights.filter(|_| changed.contains(&part));
            let change = self.part(part, weights.zip(skin), skins)?;
            if change != Change::default() {
                changes.insert(self.original.parts[part].primitive, change);
            }
        }
        Ok(changes)
    }

    fn influences_differ(&self, part: usize, weights: &Weights) -> bool {
        let Some(before) = &self.original.rig.weights else { return true };
        let (now, file) = (&self.rig.parts[part], &self.original.rig.parts[part]);
        if !self.joints.kept || now.skinned && !file.skinned {
            return true;
        }
        let same = |vertex: usize| {
            let ((a, x), (b, y)) = (weights.row(vertex), before.row(vertex));
            // Joints may stand in another order now, and so may equal weights.
            let there = |(joint, value): (&u16, &f32)| {
                let joint = self.joints.in_rig[usize::from(*joint)];
                a.iter().zip(x).any(|(&j, v)| Some(usize::from(j)) == joint && v == value)
            };
            a.len() == b.len() && b.iter().zip(y).all(there)
        };
        !mesh::range(&now.vertices).all(same)
    }

    /// What changes for one part; with weights where those do.
    fn part(&mut self, part: usize, weights: Option<(&Weights, usize)>, skins: &mut Skins) -> Result<Change<'a>, Stop> {
        let (rig, before): (&'a _, _) = (self.rig, &self.original.rig);
        let (now, origin) = (&rig.parts[part], &self.original.parts[part]);
        let vertices = mesh::range(&now.vertices);
        let mut change = Change::default();
        let mut rest_from_mesh = origin.rest_from_mesh;
        if let Some((weights, skin)) = weights {
            rest_from_mesh = skins.rest_from_mesh(skin);
            change.influences = Some(mesh::sets(weights, vertices.clone(), |joint| skins.number(skin, joint)));
            let primitive = &self.original.file.root.meshes[origin.mesh].primitives[origin.primitive];
            let said = primitive.extras.pointer("/supple/skinned").and_then(|v| v.as_bool());
            change.skinned = (said.unwrap_or(true) != now.skinned).then_some(now.skinned);
        }
        let placed_anew = rest_from_mesh != origin.rest_from_mesh;
        let mesh_from_rest = rest_from_mesh.inverse();
        let moved = rig.mesh.positions[vertices.clone()] != before.mesh.positions[vertices.clone()] || placed_anew;
        if moved {
            let back = |p: &Vec3| mesh_from_rest.transform_point3(p.as_dvec3()).as_vec3();
            let same = mesh_from_rest == DAffine3::IDENTITY;
            let points = &rig.mesh.positions[vertices.clone()];
            let points: Vec<Vec3> = if same { points.to_vec() } else { points.iter().map(back).collect() };
            check::finite("point", &points)?;
            change.positions = Some(points);
        }
        let triangles = mesh::range(&now.triangles);
        let turned = rig.mesh.triangles[triangles.clone()] != before.mesh.triangles[triangles.clone()];
        if turned {
            let first = now.vertices.start;
            change.triangles = Some(rig.mesh.triangles[triangles].iter().map(|t| t.map(|v| v - first)).collect());
        }
        let has_normals = self.primitive(part).attributes.contains_key("NORMAL");
        let shaded = match (&rig.mesh.normals, &before.mesh.normals) {
            (Some(now), Some(before)) => now[vertices.clone()] != before[vertices.clone()] || placed_anew,
            (Some(_), None) => true,
            (None, _) => has_normals && (moved || turned),
        };
        if shaded {
            let all = || shading::normals(rig, &rig.mesh.positions).unwrap_or_default();
            let normals = self.normals.get_or_init(all);
            let back = |n: &Vec3| (rest_from_mesh.matrix3.transpose() * n.as_dvec3()).normalize_or(glam::DVec3::Y);
            change.normals = normals.get(vertices.clone()).map(|n| n.iter().map(|n| back(n).as_vec3()).collect());
        }
        if rig.mesh.uvs.as_ref().map(|u| &u[vertices.clone()]) != before.mesh.uvs.as_ref().map(|u| &u[vertices.clone()])
        {
            change.uvs = rig.mesh.uvs.as_ref().map(|u| &u[vertices.clone()]);
        }
        let colors = |mesh: &'a crate::rig::Mesh| mesh.colors.as_ref().map(|c| &c[vertices.clone()]);
        if colors(&rig.mesh) != before.mesh.colors.as_ref().map(|c| &c[vertices.clone()]) {
            change.colors = colors(&rig.mesh);
        }
        if (moved || shaded) && self.primitive(part).attributes.contains_key("TANGENT") {
            self.out.notes.push(format!("the tangents of \"{}\" are those of its old shape", now.name));
        }
        Ok(change)
    }

    fn primitive(&self, part: usize) -> &'a crate::read::gltf::Primitive {
        let origin = &self.original.parts[part];
        &self.original.file.root.meshes[origin.mesh].primitives[origin.primitive]
    }

    /// Changes a mesh for the nodes that show it. Where they want different changes, each change has a mesh of its own.
    fn mesh(&mut self, mesh: usize, uses: Vec<(usize, Changes<'a>)>) -> Result<(), Stop> {
        let mut kinds: Vec<(Changes<'a>, Vec<usize>)> = Vec::new();
        // Compared only where they may be equal: a file may show one mesh by a hundred thousand nodes.
        let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
        for (node, changes) in uses {
            let candidates = alike.entry(digest(&changes)).or_default();
            match candidates.iter().find(|&&kind| kinds[kind].0 == changes) {
                Some(&kind) => kinds[kind].1.push(node),
                None => {
                    candidates.push(kinds.len());
                    kinds.push((changes, vec![node]));
                }
            }
        }
        // Who wants no change keeps the mesh as it is.
        kinds.sort_by_key(|(changes, _)| !changes.is_empty());
        for (copy, (changes, nodes)) in kinds.into_iter().enumerate() {
            let mut index = mesh;
            if copy > 0 {
                let list = self.out.list("meshes")?;
                index = list.len();
                let text = list[mesh].clone();
                list.push(text);
                for node in nodes {
                    self.out.edit("nodes", node, |n| n.set("mesh", &index))?;
                }
                let name = self.original.file.root.meshes[mesh].name.clone().unwrap_or_else(|| format!("mesh {mesh}"));
                self.out
                    .notes
                    .push(format!("\"{name}\" was shown by several nodes, which differ now: it is there twice"));
            }
            self.primitives(index, changes)?;
        }
        Ok(())
    }

    fn primitives(&mut self, mesh: usize, changes: Changes<'a>) -> Result<(), Stop> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut object = self.out.object("meshes", mesh)?;
        let mut primitives: Vec<Object> = object.get("primitives")?.unwrap_or_default();
        for (index, change) in changes {
            self.change(&mut primitives[index], change)?;
        }
        object.set("primitives", &primitives)?;
        Ok(self.out.replace("meshes", mesh, &object)?)
    }

    fn change(&mut self, primitive: &mut Object, change: Change<'_>) -> Result<(), Stop> {
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
        if let Some(triangles) = &change.triangles {
            let most = triangles.as_flattened().iter().max().map_or(0, |&v| v as usize + 1);
            primitive.set("indices", &mesh::indices(added, triangles, 0..most)?)?;
            primitive.remove("mode");
        }
        if let Some(skinned) = change.skinned {
            primitive.set_supple("skinned", (!skinned).then_some(json!(false)))?;
        }
        Ok(())
    }
}
