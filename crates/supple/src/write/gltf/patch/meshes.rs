use super::{
    Patch, Stop,
    change::{Change, Changes, Targets, digest},
    object::Object,
    skins::Skins,
};
use crate::{
    rig::Weights,
    write::{
        check,
        gltf::mesh::{self, Sets},
        shading,
    },
};
use glam::{DAffine3, DMat3, Vec3};
use gltf_json::{Index, Node};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

/// Bytes of text that copies of meshes may take where the file is smaller itself. One mesh may be shown by sixty thousand
/// nodes, and have anything in its extras.
const MOST_COPIED: usize = 64 << 20;

impl<'a> Patch<'a> {
    /// Changes the primitives whose parts differ.
    pub fn meshes(&mut self, nodes: &[Index<Node>]) -> Result<(), Stop> {
        let mut skins = Skins::of(self);
        let mut by_mesh: BTreeMap<usize, Vec<(usize, Changes<'a>)>> = BTreeMap::new();
        let origins = &self.original.parts;
        let mut first = 0;
        while let Some(origin) = origins.get(first) {
            let end = first + origins[first..].iter().take_while(|o| o.node == origin.node).count();
            let changes = self.node(first..end, &mut skins)?;
            by_mesh.entry(origin.mesh).or_default().push((origin.node, changes));
            first = end;
        }
        for (mesh, uses) in by_mesh {
            self.mesh(mesh, uses)?;
        }
        self.take_off(&skins)?;
        skins.write(self, nodes)
    }

    /// What changes for the parts of one node.
    fn node(&mut self, parts: Range<usize>, skins: &mut Skins) -> Result<Changes<'a>, Stop> {
        let node = self.original.parts[parts.start].node;
        let mut skin = self.original.file.root.nodes[node].skin;
        let weights = self.rig.weights.as_ref().filter(|_| !self.rig.skeleton.is_empty());
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
                self.lifted.skinned.insert(node);
            }
        }
        let mut place = None;
        if let Some(skin) = skin.filter(|_| weights.is_none() && !self.joints.kept) {
            place = Some(self.unskin(node, skin)?);
        }
        let mut changes = Changes::new();
        for part in parts {
            let weights = weights.filter(|_| changed.contains(&part));
            let change = self.part(part, place, weights.zip(skin), skins)?;
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

    /// What changes for one part: with a place where its node has another, and with weights where those change.
    fn part(
        &mut self,
        part: usize,
        place: Option<DAffine3>,
        weights: Option<(&Weights, usize)>,
        skins: &mut Skins,
    ) -> Result<Change<'a>, Stop> {
        let (rig, before): (&'a _, _) = (self.rig, &self.original.rig);
        let (now, origin) = (&rig.parts[part], &self.original.parts[part]);
        let vertices = mesh::range(&now.vertices);
        let mut change = Change::default();
        let mut rest_from_mesh = place.unwrap_or(origin.rest_from_mesh);
        if let Some((weights, skin)) = weights {
            rest_from_mesh = skins.rest_from_mesh(skin);
            change.influences = Some(mesh::sets(weights, vertices.clone(), |joint| skins.number(skin, joint)));
            let primitive = &self.original.file.root.meshes[origin.mesh].primitives[origin.primitive];
            let said = primitive.extras.ours().and_then(|o| o.skinned.get()).copied();
            change.skinned = (said.unwrap_or(true) != now.skinned).then_some(now.skinned);
        } else if place.is_some() && self.primitive(part).attributes.contains_key("JOINTS_0") {
            // Numbers of joints mean nothing without a skin.
            change.influences = Some(Sets::new());
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
        // The reader turns what a mirror turned round.
        let mirrors = |place: &DAffine3| place.matrix3.determinant() < 0.0;
        let mirrored = mirrors(&rest_from_mesh);
        let turned = rig.mesh.triangles[triangles.clone()] != before.mesh.triangles[triangles.clone()]
            || mirrored != mirrors(&origin.rest_from_mesh) && !triangles.is_empty();
        if turned {
            let back = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
            let own = |t| back(t).map(|v| v - now.vertices.start);
            change.triangles = Some(rig.mesh.triangles[triangles].iter().map(own).collect());
        }
        if placed_anew {
            change.targets = self.targets(part, &(mesh_from_rest * origin.rest_from_mesh).matrix3)?;
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

    /// The morph targets of a part whose mesh space is another one now.
    fn targets(&self, part: usize, new_from_old: &DMat3) -> Result<Option<Targets>, Stop> {
        let (primitive, count) = (self.primitive(part), self.rig.parts[part].vertices.len());
        if primitive.targets.is_empty() {
            return Ok(None);
        }
        let size = new_from_old.determinant().abs().cbrt();
        let mut targets = Targets::with_capacity(primitive.targets.len());
        for target in &primitive.targets {
            let mut written = BTreeMap::new();
            for (name, &accessor) in target {
                let turn = match name.as_str() {
                    "POSITION" => *new_from_old,
                    // Additions to what has length one: they are turned, and no longer than they were.
                    "NORMAL" => new_from_old.inverse().transpose() * size,
                    "TANGENT" => *new_from_old * size.recip(),
                    _ => continue,
                };
                let Ok(deltas) = self.original.file.array(accessor, &["VEC3"]) else { continue };
                if deltas.count != count {
                    continue;
                }
                let turned = |i| (turn * Vec3::from(deltas.numbers::<3>(i)).as_dvec3()).as_vec3();
                // Of positions the reader has made sure; what is wrong with the others is no reason to write nothing.
                let sound = |v: Vec3| if v.is_finite() || name == "POSITION" { v } else { Vec3::ZERO };
                let deltas: Vec<Vec3> = (0..count).map(|i| sound(turned(i))).collect();
                check::finite("displacement", &deltas)?;
                written.insert(name.clone(), deltas);
            }
            targets.push(written);
        }
        Ok(Some(targets))
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
        let name = self.original.file.root.meshes[mesh].name.clone().unwrap_or_else(|| format!("mesh {mesh}"));
        let times = if kinds.len() == 2 { "twice".to_owned() } else { format!("{} times", kinds.len()) };
        let text = self.out.list("meshes")?[mesh].clone();
        self.copied = self.copied.saturating_add(text.get().len().saturating_mul(kinds.len() - 1));
        if self.copied > self.original.file.size().max(MOST_COPIED) {
            let what = "is shown by several nodes, which differ now, and is too long to be there";
            return Err(Stop::Anew(format!("\"{name}\" {what} {times}")));
        }
        if kinds.len() > 1 {
            let what = "was shown by several nodes, which differ now: it is there";
            self.out.notes.push(format!("\"{name}\" {what} {times}"));
        }
        let mut compressed = false;
        for (copy, (changes, nodes)) in kinds.into_iter().enumerate() {
            let mut index = mesh;
            if copy > 0 {
                let list = self.out.list("meshes")?;
                index = list.len();
                list.push(text.clone());
                for node in nodes {
                    self.out.edit("nodes", node, |n| n.set("mesh", &index))?;
                }
            }
            compressed |= self.primitives(index, changes)?;
        }
        if compressed {
            self.out.notes.push(format!("\"{name}\" had its old shape compressed besides (Draco), which goes"));
        }
        Ok(())
    }

    /// Changes the primitives of a mesh. True where one had its old shape compressed besides.
    fn primitives(&mut self, mesh: usize, changes: Changes<'a>) -> Result<bool, Stop> {
        let mut compressed = false;
        if changes.is_empty() {
            return Ok(compressed);
        }
        let mut object = self.out.object("meshes", mesh)?;
        let mut primitives: Vec<Object> = object.get("primitives")?.unwrap_or_default();
        for (index, change) in changes {
            compressed |= self.change(&mut primitives[index], change)?;
        }
        object.set("primitives", &primitives)?;
        self.out.replace("meshes", mesh, &object)?;
        Ok(compressed)
    }
}
