use super::{Patch, Stop};
use crate::{rig::Role, write::gltf::skeleton};
use glam::DAffine3;
use gltf_json::{Index, Node, Skin};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// The skins of the file as they will be, and those that are added.
pub(super) struct Skins {
    all: Vec<Planned>,
    /// Those that meshes without a skin may be given, by where they put them.
    by_place: HashMap<[u64; 12], usize>,
    there: usize,
    kept: bool,
}

struct Planned {
    /// Joints of the rig, in the order of the skin.
    joints: Vec<u16>,
    /// Where each stands.
    number: HashMap<u16, u16>,
    rest_from_mesh: DAffine3,
    changed: bool,
}

impl Planned {
    fn new(joints: Vec<u16>, rest_from_mesh: DAffine3, changed: bool) -> Self {
        let mut number = HashMap::with_capacity(joints.len());
        for (i, &joint) in joints.iter().enumerate() {
            number.entry(joint).or_insert(i as u16);
        }
        Self { joints, number, rest_from_mesh, changed }
    }
}

/// Equal for equal placements.
fn key(place: &DAffine3) -> [u64; 12] {
    // The two zeros are equal.
    place.to_cols_array().map(|x| (x + 0.0).to_bits())
}

impl Skins {
    pub fn of(patch: &Patch<'_>) -> Self {
        let (now, before) = (patch.rig.skeleton.joints(), patch.original.rig.skeleton.joints());
        let kept = patch.joints.kept;
        let plan = |skin: &crate::read::gltf::BoundSkin| {
            if !kept && now.is_empty() {
                // A skin without joints is none: those of the file stay as they are, and no mesh has them.
                return Planned::new(Vec::new(), skin.rest_from_mesh, false);
            }
            if !kept {
                return Planned::new((0..now.len() as u16).collect(), skin.rest_from_mesh, true);
            }
            let in_rig = |&j: &u16| patch.joints.in_rig[usize::from(j)].expect("a kept skeleton has all of them");
            let joints: Vec<usize> = skin.joints.iter().map(in_rig).collect();
            let moved = joints
                .iter()
                .zip(&skin.joints)
                .any(|(&j, &file)| now[j].joint_from_rest != before[usize::from(file)].joint_from_rest);
            Planned::new(joints.into_iter().map(|j| j as u16).collect(), skin.rest_from_mesh, moved)
        };
        let all: Vec<Planned> = patch.original.skins.iter().map(plan).collect();
        let mut skins = Self { there: all.len(), all, by_place: HashMap::new(), kept };
        for (index, skin) in skins.all.iter().enumerate().filter(|_| !kept) {
            skins.by_place.entry(key(&skin.rest_from_mesh)).or_insert(index);
        }
        // What is in no skin is no joint to those who read the file.
        let known = skins.joints();
        let most = if skins.there > 0 { now.len() } else { 0 };
        for joint in (0..most).filter(|&j| !known.contains(&(j as u16))) {
            let is_new = match patch.joints.of_file[joint] {
                Some(file) => now[joint].role == Role::Bone && before[file].role != Role::Bone,
                None => true,
            };
            if is_new {
                skins.number(0, joint as u16);
            }
        }
        skins
    }

    /// A skin for a mesh that had none.
    pub fn make(&mut self, joints: usize, rest_from_mesh: DAffine3) -> usize {
        let index = self.all.len();
        let found = *self.by_place.entry(key(&rest_from_mesh)).or_insert(index);
        if found == index {
            // Of a skeleton of its own every joint is in the first skin, so that it reads back whole. In all of them they would
            // be as many as joints times placements.
            let joints = if self.kept || index > 0 { Vec::new() } else { (0..joints as u16).collect() };
            self.all.push(Planned::new(joints, rest_from_mesh, true));
        }
        found
    }

    /// The joints that are in any of them.
    pub fn joints(&self) -> HashSet<u16> {
        self.all.iter().flat_map(|skin| &skin.joints).copied().collect()
    }

    /// Where a skin puts its mesh at rest.
    pub fn rest_from_mesh(&self, skin: usize) -> DAffine3 {
        self.all[skin].rest_from_mesh
    }

    /// The number of a joint in a skin, which gets it where it lacks it.
    pub fn number(&mut self, skin: usize, joint: u16) -> u16 {
        let planned = &mut self.all[skin];
        if let Some(&number) = planned.number.get(&joint) {
            return number;
        }
        let number = planned.joints.len() as u16;
        planned.joints.push(joint);
        planned.number.insert(joint, number);
        planned.changed = true;
        number
    }

    pub fn write(self, patch: &mut Patch<'_>, nodes: &[Index<Node>]) -> Result<(), Stop> {
        let mut all = self.all;
        if all.is_empty() && !self.kept && !nodes.is_empty() {
            let joints = (0..nodes.len() as u16).collect();
            all.push(Planned::new(joints, DAffine3::IDENTITY, true));
        }
        for (index, mut skin) in all.into_iter().enumerate().filter(|(_, s)| s.changed) {
            if skin.joints.is_empty() {
                // Its mesh has no vertices, or none that follow anything.
                skin.joints.push(0);
            }
            let joints = skin.joints.iter().map(|&j| usize::from(j));
            let matrices = skeleton::inverse_binds(&mut patch.out.added, patch.rig, joints, skin.rest_from_mesh)?;
            let named: Vec<Index<Node>> = skin.joints.iter().map(|&j| nodes[usize::from(j)]).collect();
            patch.note_frames(&skin.joints, nodes)?;
            if index >= self.there {
                patch.out.added.root.push(Skin {
                    joints: named,
                    inverse_bind_matrices: Some(matrices),
                    skeleton: None,
                    name: None,
                    extensions: None,
                    extras: None,
                });
                continue;
            }
            let before = patch.original.skins[index].joints.len();
            let added = &skin.joints[before.min(skin.joints.len())..];
            let rooted = self.kept && (added.is_empty() || patch.hang_on_skeleton(index, added)?);
            patch.out.edit("skins", index, |object| {
                object.set("joints", &named)?;
                object.set("inverseBindMatrices", &matrices)?;
                if !rooted {
                    object.remove("skeleton");
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Patch<'_> {
    /// Whether joints hang on the node that a skin of the file calls its skeleton, which all of its joints have to.
    fn hang_on_skeleton(&mut self, skin: usize, joints: &[u16]) -> Result<bool, Stop> {
        let node: Option<usize> = self.out.object("skins", skin)?.get("skeleton").unwrap_or_default();
        let joint = node.and_then(|n| *self.original.hierarchy.joint_of.get(n)?);
        let Some(root) = joint.and_then(|file| self.joints.in_rig[file]) else { return Ok(false) };
        let all = self.rig.skeleton.joints();
        let mut hang = vec![false; all.len()];
        for (i, joint) in all.iter().enumerate() {
            hang[i] = i == root || joint.parent.is_some_and(|p| hang[p]);
        }
        Ok(joints.iter().all(|&j| hang[usize::from(j)]))
    }

    /// What is in a skin is taken for a bone, unless it says otherwise.
    fn note_frames(&mut self, joints: &[u16], nodes: &[Index<Node>]) -> Result<(), Stop> {
        for &joint in joints {
            let joint = usize::from(joint);
            let there = self.joints.of_file[joint].is_some();
            if there && self.rig.skeleton.joints()[joint].role == Role::Frame {
                let node = nodes[joint].value();
                self.out.edit("nodes", node, |n| n.set_supple("role", Some(json!("frame"))).map(drop))?;
            }
        }
        Ok(())
    }
}
