//! glTF 2.0, as `.gltf` or `.glb`.
//!
//! Read: all nodes that show triangles or points, in the order of the nodes (every primitive's vertices as they are
//! stored, so that results go back to the file's own order); all skins; joints, the nodes they hang on, and props
//! that hang on them; morph targets; all animations; core materials with their base-colour textures.
//!
//! Refused: what leaves no sound character (broken containers, loops in the node tree, indices out of range, positions
//! that are not finite, compressed geometry). Mended with a warning: weights, rotations and bind matrices that break
//! the rules, clips and textures that cannot be used (left out).

mod accessor;
mod animation;
mod container;
mod document;
mod hierarchy;
mod material;
mod mesh;
mod skin;

use super::{ReadError, Resolve, Warnings};
use crate::rig::{Bone, Rig, Role, Skeleton, Source};
use hierarchy::Hierarchy;
use skin::Binding;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    io,
    ops::Range,
    sync::Arc,
};

pub(crate) use container::{Container, fetch};
pub(crate) use document::Primitive;
pub(crate) use hierarchy::own_transform;
pub(crate) use material::picture_kind;
pub(crate) use mesh::PartOrigin;
pub(crate) use skin::BoundSkin;

/// A file, the rig that it holds, and where in the file each piece of the rig stands.
pub(crate) struct Original {
    pub file: Container,
    pub rig: Rig,
    pub hierarchy: Hierarchy,
    pub skins: Vec<BoundSkin>,
    /// Of each part.
    pub parts: Vec<PartOrigin>,
    /// Morphs of each node that has any.
    pub morphs_of: HashMap<usize, Range<usize>>,
    /// The animation of each clip.
    pub animation_of: Vec<usize>,
}

impl Original {
    /// The node of a joint. A copy that a second skin needed shares that of the joint it was made of.
    pub fn node_of(&self, joint: usize) -> usize {
        match self.hierarchy.nodes.get(joint) {
            Some(node) => *node,
            None => self.node_of(self.rig.skeleton.joints()[joint].parent.expect("copies hang on what they copy")),
        }
    }
}

/// Fetches a neighbouring file for all who name it.
type Shared<'a> = dyn Fn(&str) -> io::Result<Arc<[u8]>> + 'a;

/// The most pairs of a bone and a vertex without weights that are compared.
const MOST_PAIRS: usize = 1 << 30;

pub(super) fn read(bytes: Vec<u8>, resolve: &Resolve<'_>, warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let neighbours = RefCell::new(BTreeMap::new());
    let remember = |name: &str| -> io::Result<Arc<[u8]>> {
        let known = neighbours.borrow().get(name).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let bytes: Arc<[u8]> = resolve(name)?.into();
        neighbours.borrow_mut().insert(name.to_owned(), bytes.clone());
        Ok(bytes)
    };
    let Original { file, mut rig, .. } = original(Arc::new(bytes), &remember, warnings)?;
    let source = Source { file: file.file().clone(), neighbours: Arc::new(neighbours.take()) };
    rig.source = Some(source);
    Ok(rig)
}

/// Reads a file once more, for what only its writer asks. A rig keeps the bytes alone: less memory, and nothing that could
/// fall behind.
pub(crate) fn again(source: &Source) -> Result<Original, ReadError> {
    original(source.file.clone(), &|name| source.neighbour(name), &mut Warnings::default())
}

fn original(file: Arc<Vec<u8>>, resolve: &Shared<'_>, warnings: &mut Warnings) -> Result<Original, ReadError> {
    let file = Container::open(file, resolve, warnings)?;
    file.check()?;
    let wanted = wanted_nodes(&file, warnings)?;
    let hierarchy = Hierarchy::of(&file.root, &wanted, warnings)?;
    for skin in 0..file.root.skins.len() {
        warn_of_several_roots(&file, &hierarchy, skin, warnings);
    }
    let mut binding = Binding::of(&file, &hierarchy, warnings)?;
    restore_roles(&file, &hierarchy, &mut binding);
    let mut skin = mesh::Skin::default();
    for node in 0..file.root.nodes.len() {
        skin.add_node(&file, &binding, hierarchy.joint_of[node], node, warnings)?;
    }
    let (clips, animation_of) = animation::clips(&file, &hierarchy.joint_of, &skin.morphs_of, warnings);
    let (materials, images) = material::materials(&file, resolve, warnings);
    let skeleton =
        Skeleton::new(std::mem::take(&mut binding.joints)).map_err(|e| ReadError::invalid("nodes", e.to_string()))?;
    let (bones, _) = skeleton.bones(&[], None);
    let mesh::Skin { mesh, parts, origins, weights, morphs, morphs_of, candidates, .. } = skin;
    let part_of = |vertex: u32| parts.partition_point(|p| p.vertices.end <= vertex);
    // The bones of the skin that was asked for last: vertices come part by part.
    let (mut own, mut own_skin): (Vec<&Bone>, _) = (Vec::new(), None);
    let mut looked = 0usize;
    let (weights, repairs) = weights.finish(|v| {
        let skin = match candidates[part_of(v as u32)] {
            Ok(skin) => skin,
            Err(prop) => return prop,
        };
        let allowed = &binding.skins[skin].joints;
        if own_skin.replace(skin) != Some(skin) {
            let mut is_own = vec![false; skeleton.len()];
            allowed.iter().for_each(|&j| is_own[usize::from(j)] = true);
            own = bones.iter().filter(|b| looked <= MOST_PAIRS && is_own[b.joint]).collect();
            looked += bones.len();
        }
        looked += own.len();
        let p = mesh.positions[v].as_dvec3();
        let nearest =
            own.iter().filter(|_| looked <= MOST_PAIRS).min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)));
        nearest.map_or_else(|| allowed.first().copied().unwrap_or(0), |b| b.joint as u16)
    });
    if looked > MOST_PAIRS {
        let what = format!("too many vertices without weights for {} bones", bones.len());
        return Err(ReadError::invalid("weights", what));
    }
    for clause in repairs.clauses() {
        warnings.push("weights", clause);
    }
    let has_joints = !skeleton.is_empty();
    let weights = (has_joints && !mesh.positions.is_empty()).then_some(weights);
    let rig = Rig { mesh, parts, skeleton, weights, morphs, clips, materials, images, ..Rig::default() };
    Ok(Original { file, rig, hierarchy, skins: binding.skins, parts: origins, morphs_of, animation_of })
}

/// Joints of skins, and nodes that carry a mesh as a whole. Also checks every index they use.
fn wanted_nodes(file: &Container, warnings: &mut Warnings) -> Result<Vec<bool>, ReadError> {
    let root = &file.root;
    let mut wanted = vec![false; root.nodes.len()];
    // The last skin that each was seen in: a list for each skin would be as many as skins times nodes.
    let mut seen = vec![usize::MAX; root.nodes.len()];
    for (s, skin) in root.skins.iter().enumerate() {
        if skin.joints.is_empty() {
            return Err(ReadError::invalid(format!("skins[{s}].joints"), "is empty"));
        }
        for (k, &node) in skin.joints.iter().enumerate() {
            let place = || format!("skins[{s}].joints[{k}]");
            let slot = wanted.get_mut(node);
            let count = root.nodes.len();
            *slot.ok_or_else(|| ReadError::invalid(place(), format!("names node {node}, there are {count}")))? = true;
            if std::mem::replace(&mut seen[node], s) == s {
                warnings.push(place(), format!("node {node} is listed twice"));
            }
        }
    }
    for (i, node) in root.nodes.iter().enumerate() {
        let missing = |what: &str, index: usize| {
            ReadError::invalid(format!("nodes[{i}].{what}"), format!("{index} does not exist"))
        };
        let Some(mesh) = node.mesh else { continue };
        let mesh = root.meshes.get(mesh).ok_or_else(|| missing("mesh", mesh))?;
        if let Some(skin) = node.skin.filter(|&s| s >= root.skins.len()) {
            return Err(missing("skin", skin));
        }
        wanted[i] |= node.skin.is_none() || !mesh.primitives.iter().filter(|p| mesh::is_read(p)).all(mesh::has_joints);
    }
    Ok(wanted)
}

/// Supple writes every joint into the skin; the ones that are no bones say so themselves.
fn restore_roles(file: &Container, hierarchy: &Hierarchy, binding: &mut Binding) {
    for (joint, &node) in hierarchy.nodes.iter().enumerate() {
        if file.root.nodes[node].extras.role() == Some("frame") {
            binding.joints[joint].role = Role::Frame;
        }
    }
}

fn warn_of_several_roots(file: &Container, hierarchy: &Hierarchy, skin: usize, warnings: &mut Warnings) {
    let mut tops: Vec<_> = file.root.skins[skin].joints.iter().map(|&n| hierarchy.top_of[n]).collect();
    tops.dedup();
    if tops.len() > 1 {
        warnings.push(format!("skins[{skin}]"), "the joints have no common root: each is taken from its own");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beside_it_is_held_once() {
        let picture = b"\x89PNG and more";
        let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"a.bin"}],
            "images":[{"uri":"a.png"},{"uri":"a%2Epng"}]}"#;
        let resolve = |name: &str| Ok(if name == "a.bin" { vec![1, 2, 3, 4] } else { picture.to_vec() });
        let rig = read(json.as_bytes().to_vec(), &resolve, &mut Warnings::default()).unwrap();
        let source = rig.source.as_ref().unwrap();
        assert_eq!(source.neighbours.keys().collect::<Vec<_>>(), ["a.bin", "a.png"]);
        let held = |name: &str| source.neighbour(name).unwrap().as_ptr();
        let again = again(source).unwrap();
        assert_eq!(again.file.buffer(0).unwrap().as_ptr(), held("a.bin"));
        assert!(rig.images.iter().chain(&again.rig.images).all(|image| image.bytes.as_ptr() == held("a.png")));
        assert_eq!(again.rig.images.len(), 2);
    }
}
