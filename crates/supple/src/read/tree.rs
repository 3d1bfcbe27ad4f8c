//! Points joined by edges, as a skeleton: what TGF and sphere-mesh files hold.

use crate::rig::{Joint, Skeleton, SkeletonError};
use glam::{DAffine3, DVec3};
use std::{cmp::Reverse, collections::BinaryHeap};

/// What became of the edges.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Parent of every node.
    parents: Vec<Option<usize>>,
    /// Nodes, parents first, else in the order given.
    order: Vec<usize>,
    /// Edges that join what is joined already.
    pub(super) closing: Vec<usize>,
    /// Edges that had to be turned round, because their second end has a parent already.
    pub(super) turned: Vec<usize>,
}

impl Tree {
    /// Grows trees over `nodes` nodes along (parent, child) pairs, each from its first node without an incoming edge.
    pub(super) fn grow(nodes: usize, edges: &[[usize; 2]]) -> Self {
        let mut tree = Self { parents: vec![None; nodes], ..Self::default() };
        let mut group: Vec<usize> = (0..nodes).collect();
        let mut around = vec![Vec::new(); nodes];
        let mut incoming = vec![false; nodes];
        for (edge, &[a, b]) in edges.iter().enumerate() {
            let (in_a, in_b) = (find(&mut group, a), find(&mut group, b));
            if in_a == in_b {
                tree.closing.push(edge);
                continue;
            }
            group[in_a.max(in_b)] = in_a.min(in_b);
            around[a].push((b, edge));
            around[b].push((a, edge));
            incoming[b] = true;
        }
        let mut started = vec![false; nodes];
        let mut reached = vec![false; nodes];
        let mut next = BinaryHeap::new();
        for node in (0..nodes).filter(|&n| !incoming[n]) {
            let component = find(&mut group, node);
            if !std::mem::replace(&mut started[component], true) {
                reached[node] = true;
                next.push(Reverse(node));
            }
        }
        // The smallest number that may come next: the order of the file wherever parents stand first in it.
        while let Some(Reverse(node)) = next.pop() {
            tree.order.push(node);
            for &(other, edge) in &around[node] {
                if !std::mem::replace(&mut reached[other], true) {
                    tree.parents[other] = Some(node);
                    if edges[edge] != [node, other] {
                        tree.turned.push(edge);
                    }
                    next.push(Reverse(other));
                }
            }
        }
        tree
    }

    /// The skeleton: no rotations, each joint where its node is.
    pub(super) fn skeleton(&self, nodes: &[(String, DVec3)]) -> Result<Skeleton, SkeletonError> {
        let mut joint_of = vec![0; nodes.len()];
        let mut joints = Vec::with_capacity(nodes.len());
        for (joint, &node) in self.order.iter().enumerate() {
            joint_of[node] = joint;
            let (name, position) = &nodes[node];
            let parent = self.parents[node].map(|p| joint_of[p]);
            joints.push(Joint::new(name.clone(), parent, DAffine3::from_translation(*position)));
        }
        Ok(Skeleton::new(joints)?.show_rest())
    }
}

/// The first of a node's group, halving the path to it.
fn find(group: &mut [usize], mut node: usize) -> usize {
    while group[node] != node {
        group[node] = group[group[node]];
        node = group[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_the_order_is_kept_where_it_can_be() {
        let tree = Tree::grow(5, &[[4, 0], [4, 3], [0, 1]]);
        assert_eq!(tree.order, [2, 4, 0, 1, 3]);
        assert_eq!(tree.parents, [Some(4), Some(0), None, Some(4), None]);
    }

    #[test]
    fn loops_and_turned_edges_are_named() {
        let tree = Tree::grow(3, &[[0, 1], [1, 2], [2, 0]]);
        assert_eq!(tree.closing, [2]);
        let tree = Tree::grow(3, &[[0, 1], [2, 1]]);
        assert_eq!((tree.turned, tree.order), (vec![1], vec![0, 1, 2]));
    }
}
