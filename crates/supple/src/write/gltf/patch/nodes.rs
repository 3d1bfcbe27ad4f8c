use super::{Patch, Stop, object::Object};
use crate::{
    math::Trs,
    read::gltf::own_transform,
    rig::{Joint, Role},
    write::{Error, gltf::skeleton},
};
use glam::DAffine3;
use gltf_json::{Index, Node};
use serde_json::json;
use std::collections::HashSet;

impl Patch<'_> {
    /// The node of each joint of the rig: the file's, changed where the joint was, or a new one.
    pub fn skeleton(&mut self) -> Result<Vec<Index<Node>>, Stop> {
        let joints = self.rig.skeleton.joints();
        let mut nodes: Vec<Option<Index<Node>>> = vec![None; joints.len()];
        for (joint, now) in joints.iter().enumerate() {
            let Some(file) = self.joints.of_file[joint] else { continue };
            let node = self.original.node_of(file);
            nodes[joint] = Some(Index::new(node as u32));
            self.joint(node, file, now)?;
        }
        let mut roots = Vec::new();
        for (joint, top) in skeleton::add(&mut self.out.added, self.rig, &mut nodes)? {
            match joints[joint].parent.and_then(|p| nodes[p]) {
                Some(parent) => self.out.hang(parent, top)?,
                None => roots.push(top),
            }
        }
        if !roots.is_empty() {
            let root = skeleton::common_root(&mut self.out.added, roots);
            self.out.show(&[root.value() as u32])?;
        }
        Ok(nodes.into_iter().flatten().collect())
    }

    /// Changes the node of a joint as far as the joint was changed.
    fn joint(&mut self, node: usize, file: usize, now: &Joint) -> Result<(), Stop> {
        let before = &self.original.rig.skeleton.joints()[file];
        let mut unsaid = false;
        if now.role != before.role {
            let frame = (now.role == Role::Frame).then(|| json!("frame"));
            self.out.edit("nodes", node, |n| n.set_supple("role", frame).map(|said| unsaid |= !said))?;
        }
        if now.hinge != before.hinge {
            let hinge = now.hinge.map(|axis| json!(axis.to_array()));
            self.out.edit("nodes", node, |n| n.set_supple("hinge", hinge).map(|said| unsaid |= !said))?;
        }
        if unsaid {
            let what = "has extras that are no object: whether it is a bone, and its hinge, are not noted there";
            self.out.notes.push(format!("joint \"{}\" {what}", now.name));
        }
        if now.shown_local == before.shown_local {
            return Ok(());
        }
        if self.original.hierarchy.nodes.len() <= file {
            let what = "shares its node with another joint and cannot be moved apart from it";
            self.out.notes.push(format!("joint \"{}\" {what}", now.name));
            return Ok(());
        }
        // A wrapper above it may hold part of what the joint shows.
        let own = own_transform(&self.original.file.root.nodes[node]);
        let above = self.original.hierarchy.local[node] * own.inverse();
        let none = !above.is_finite() || above.abs_diff_eq(DAffine3::IDENTITY, 1e-12);
        let above = if none { DAffine3::IDENTITY } else { above };
        let wanted = above.inverse() * now.shown_local;
        let size = wanted.matrix3.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if Trs::residual(&wanted) > 1e-6 * size {
            self.out
                .notes
                .push(format!("joint \"{}\" is sheared, which a node cannot be: the shear is lost", now.name));
        }
        let (new, old) = (Trs::of(&wanted), Trs::of(&own));
        if !(new.translation.as_vec3().is_finite() && new.scale.as_vec3().is_finite() && new.rotation.is_finite()) {
            return Err(Error::Joint { joint: file, name: now.name.clone() }.into());
        }
        self.out.edit("nodes", node, |object| place(object, &new, &old))?;
        Ok(())
    }

    /// Takes the joints of a skeleton that is no longer the rig's out of the scene, unless they carry something besides skin:
    /// a camera, a light, a mesh. Meshes that hung on them and were lifted go on top of the scene. Gives the nodes that are
    /// idle: none of the file's where the skeleton was kept.
    pub fn retire(&mut self) -> Result<HashSet<usize>, Stop> {
        if self.joints.kept {
            return Ok(HashSet::new());
        }
        let nodes = &self.original.file.root.nodes;
        let mut parent = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            node.children.iter().for_each(|&c| parent[c] = Some(i));
        }
        // Where there is no other skeleton, the skins stay as they are, and so does what they name.
        let skins = if self.rig.skeleton.is_empty() { &[][..] } else { &self.original.file.root.skins };
        let joints = skins.iter().flat_map(|s| &s.joints).copied();
        let wrapper = |n: &usize| nodes[*n].extras.role() == Some("wrapper");
        let wrappers = (0..nodes.len()).filter(|n| !skins.is_empty() && wrapper(n));
        let old: HashSet<usize> = joints.chain(wrappers).collect();
        let mut busy = vec![false; nodes.len()];
        for node in 0..nodes.len() {
            let object = self.out.object("nodes", node)?;
            let carries = ["mesh", "camera", "extensions"].iter().any(|key| object.has(key));
            if old.contains(&node) && !carries || self.lifted.contains(node) {
                continue;
            }
            let mut at = Some(node);
            while let Some(n) = at.filter(|&n| !busy[n]) {
                busy[n] = true;
                at = parent[n];
            }
        }
        let idle: HashSet<usize> = old.into_iter().filter(|&n| !busy[n] && !self.lifted.contains(n)).collect();
        let leaves = |n: usize| idle.contains(&n) && parent[n].is_none_or(|p| !idle.contains(&p));
        let mut leaving: HashSet<usize> = (0..nodes.len()).filter(|&n| leaves(n)).collect();
        let mut shown: Vec<u32> = self.lifted.iter().filter(|&n| parent[n].is_some()).map(|n| n as u32).collect();
        shown.sort_unstable();
        leaving.extend(shown.iter().map(|&n| n as usize));
        let is_leaving = |n: &u32| leaving.contains(&(*n as usize));
        for above in leaving.iter().filter_map(|&n| parent[n]).collect::<HashSet<_>>() {
            self.out.edit("nodes", above, |node| node.list("children", |c| c.retain(|n| !is_leaving(n))))?;
        }
        for scene in 0..self.out.list("scenes")?.len() {
            self.out.edit("scenes", scene, |scene| scene.list("nodes", |c| c.retain(|n| !is_leaving(n))))?;
        }
        if !shown.is_empty() {
            self.out.show(&shown)?;
        }
        if !idle.is_empty() {
            let what = "old joints that carry nothing else leave the scene";
            self.out.notes.push(format!("the skeleton is another one: {what} ({})", idle.len()));
        }
        Ok(idle)
    }
}

/// The parts of a transform that differ.
fn place(node: &mut Object, new: &Trs, old: &Trs) -> Result<(), serde_json::Error> {
    let whole = node.has("matrix");
    node.remove("matrix");
    let far = |a: glam::DVec3, b: glam::DVec3| (a - b).length() > 1e-9 * (1.0 + a.length());
    if whole || far(new.translation, old.translation) {
        node.set("translation", &new.translation.as_vec3().to_array())?;
    }
    if whole || new.rotation.angle_between(old.rotation) > 1e-7 {
        node.set("rotation", &new.rotation.normalize().as_quat().to_array())?;
    }
    if whole || far(new.scale, old.scale) {
        node.set("scale", &new.scale.as_vec3().to_array())?;
    }
    Ok(())
}
