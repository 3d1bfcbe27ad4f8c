use super::{Patch, Stop, object::Object, skins::Skins};
use glam::{DAffine3, DMat4};
use std::collections::HashSet;

/// Nodes that a mesh hangs on and nothing else, and that stand elsewhere now.
#[derive(Default)]
pub(super) struct Lifted {
    /// They have a skin now, which places them.
    pub skinned: HashSet<usize>,
    /// They lost theirs, and stand where it put them.
    pub unskinned: HashSet<usize>,
}

impl Lifted {
    pub fn contains(&self, node: usize) -> bool {
        self.skinned.contains(&node) || self.unskinned.contains(&node)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.skinned.iter().chain(&self.unskinned).copied()
    }
}

impl Patch<'_> {
    /// Takes the transforms off the nodes that have a skin now: they stand in the bind matrices, and programs differ in whether
    /// they look at both. Not off a joint of a skin: its place is what moves the vertices.
    pub fn take_off(&mut self, skins: &Skins) -> Result<(), Stop> {
        let joints = skins.joints();
        let of_node = |node: usize| self.joints.in_rig[self.original.hierarchy.joint_of[node]?];
        let is_joint = |node: usize| of_node(node).is_some_and(|j| joints.contains(&(j as u16)));
        let bare: Vec<usize> = self.lifted.skinned.iter().copied().filter(|&n| !is_joint(n)).collect();
        for node in bare {
            self.out.edit("nodes", node, |n| stand(n, &DAffine3::IDENTITY))?;
        }
        Ok(())
    }

    /// Takes the skin off a node. Gives where its mesh is to be from now on.
    pub fn unskin(&mut self, node: usize, skin: usize) -> Result<DAffine3, Stop> {
        let rest_from_mesh = self.original.skins[skin].rest_from_mesh;
        let alone = self.original.file.root.nodes[node].children.is_empty();
        self.out.edit("nodes", node, |n| {
            n.remove("skin");
            if alone { stand(n, &rest_from_mesh) } else { Ok(()) }
        })?;
        if alone {
            self.lifted.unskinned.insert(node);
            return Ok(rest_from_mesh);
        }
        // What hangs on it would go along.
        let shown = self.original.hierarchy.shown[node];
        if !shown.inverse().is_finite() {
            return Err(Stop::Anew(format!("nodes[{node}] has no size, and the mesh on it no skin any more")));
        }
        Ok(shown)
    }
}

/// Puts a node at a place among what it hangs on.
fn stand(node: &mut Object, place: &DAffine3) -> Result<(), serde_json::Error> {
    ["matrix", "translation", "rotation", "scale"].iter().for_each(|key| node.remove(key));
    if *place == DAffine3::IDENTITY { Ok(()) } else { node.set("matrix", &DMat4::from(*place).to_cols_array()) }
}
