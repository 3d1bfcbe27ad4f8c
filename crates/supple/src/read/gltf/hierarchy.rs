//! Which nodes become joints, in which order, and where the file shows them.

use super::document::{Node, Root};
use crate::{
    math::{Trs, rounded},
    read::{ReadError, Warnings},
};
use glam::{DAffine3, DMat4, DQuat};

/// The nodes of the file that move something.
pub struct Hierarchy {
    /// Nodes, parents first.
    pub nodes: Vec<usize>,
    /// Joint number of each node of the file, for those in `nodes`.
    pub joint_of: Vec<Option<usize>>,
    /// Parent node of every node of the file.
    pub parent_of: Vec<Option<usize>>,
    /// Local transform of every node of the file.
    pub local: Vec<DAffine3>,
    /// Where the file shows every node.
    pub shown: Vec<DAffine3>,
    /// The topmost node above every node.
    pub top_of: Vec<usize>,
}

impl Hierarchy {
    /// Checks the tree and keeps the `wanted` nodes and what they hang on.
    pub fn of(root: &Root, wanted: &[bool], warnings: &mut Warnings) -> Result<Self, ReadError> {
        let mut parent_of = parents(root)?;
        let depth_order = roots_first(root, &parent_of)?;
        let mut local = Vec::with_capacity(root.nodes.len());
        for (i, node) in root.nodes.iter().enumerate() {
            local.push(local_transform(i, node, warnings)?);
        }
        // Before wrappers go: they are the common root of joints that have no other.
        let mut top_of: Vec<usize> = (0..root.nodes.len()).collect();
        for &node in &depth_order {
            top_of[node] = parent_of[node].map_or(node, |parent| top_of[parent]);
        }
        for &node in &depth_order {
            if let Some(parent) = parent_of[node].filter(|&p| is_wrapper(&root.nodes[p])) {
                local[node] = local[parent] * local[node];
                parent_of[node] = parent_of[parent];
            }
        }
        let mut kept = wanted.to_vec();
        for &node in depth_order.iter().rev() {
            if let (true, Some(parent)) = (kept[node], parent_of[node]) {
                kept[parent] = true;
            }
        }
        let mut shown = local.clone();
        for &node in &depth_order {
            if let Some(parent) = parent_of[node] {
                shown[node] = shown[parent] * local[node];
            }
        }
        let parents_first = (0..root.nodes.len()).all(|n| !kept[n] || parent_of[n].is_none_or(|p| p < n));
        let nodes: Vec<usize> = if parents_first {
            (0..root.nodes.len()).filter(|&n| kept[n]).collect()
        } else {
            depth_order.into_iter().filter(|&n| kept[n]).collect()
        };
        let mut joint_of = vec![None; root.nodes.len()];
        for (joint, &node) in nodes.iter().enumerate() {
            joint_of[node] = Some(joint);
        }
        Ok(Self { nodes, joint_of, parent_of, local, shown, top_of })
    }
}

/// A node that Supple wrote for glTF's sake alone: to give several root joints a common root, or to hold the shear of a
/// joint. Its transform goes to its children.
fn is_wrapper(node: &Node) -> bool {
    node.extras.role() == Some("wrapper")
}

fn parents(root: &Root) -> Result<Vec<Option<usize>>, ReadError> {
    let count = root.nodes.len();
    let mut parent_of = vec![None; count];
    for (i, node) in root.nodes.iter().enumerate() {
        for (k, &child) in node.children.iter().enumerate() {
            let place = || format!("nodes[{i}].children[{k}]");
            match parent_of.get_mut(child) {
                None => return Err(ReadError::invalid(place(), format!("names node {child}, there are {count}"))),
                Some(Some(other)) => {
                    let what = format!("node {child} is already a child of node {other}");
                    return Err(ReadError::invalid(place(), what));
                }
                Some(slot) => *slot = Some(i),
            }
        }
    }
    Ok(parent_of)
}

/// Depth first from the roots; a node that is not reached hangs in a loop.
fn roots_first(root: &Root, parent_of: &[Option<usize>]) -> Result<Vec<usize>, ReadError> {
    let count = root.nodes.len();
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<usize> = (0..count).rev().filter(|&n| parent_of[n].is_none()).collect();
    while let Some(node) = stack.pop() {
        order.push(node);
        stack.extend(root.nodes[node].children.iter().rev());
    }
    if order.len() < count {
        let mut reached = vec![false; count];
        order.iter().for_each(|&n| reached[n] = true);
        let stuck = reached.iter().position(|r| !r).expect("some node is missing");
        return Err(ReadError::invalid(format!("nodes[{stuck}]"), "the node hierarchy is a loop here"));
    }
    Ok(order)
}

fn local_transform(index: usize, node: &Node, warnings: &mut Warnings) -> Result<DAffine3, ReadError> {
    let place = || format!("nodes[{index}]");
    if let Some(q) = node.rotation.filter(|_| node.matrix.is_none()) {
        let length = DQuat::from_array(q).length();
        if length == 0.0 {
            warnings.push(place(), "rotation has length 0: read as no rotation");
        } else if (length - 1.0).abs() > 1e-3 {
            warnings.push(place(), format!("rotation has length {}: normalised", rounded(length)));
        }
    }
    let local = own_transform(node);
    if !local.is_finite() {
        return Err(ReadError::invalid(place(), "the transform is not finite"));
    }
    Ok(local)
}

/// What a node says of itself: a matrix, or a transform in parts. A rotation of no length is none.
pub(crate) fn own_transform(node: &Node) -> DAffine3 {
    if let Some(matrix) = &node.matrix {
        return DAffine3::from_mat4(DMat4::from_cols_array(matrix));
    }
    let mut trs = Trs::IDENTITY;
    trs.translation = node.translation.map_or(trs.translation, Into::into);
    trs.scale = node.scale.map_or(trs.scale, Into::into);
    if let Some(q) = node.rotation.map(DQuat::from_array) {
        let length = q.length();
        trs.rotation = if length > 0.0 { q / length } else { DQuat::IDENTITY };
    }
    trs.affine()
}
