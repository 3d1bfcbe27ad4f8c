//! Where edges of a skin go through its triangles.

use super::tree::{Corners, LEAF, Moved, Tree, through};
use crate::{parallel::for_each_block, rig::ByPoint};
use glam::Vec3A;

/// Edges of a leaf, at the most.
const EDGES: usize = 3 * LEAF;
/// Leaves a thread takes at a time.
const BLOCK: usize = 64;

/// The edges of a surface, each in one leaf of a tree that has it.
pub struct Edges {
    /// Where the edges of each leaf begin, and their end.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// The leaves that have a point of each leaf.
    around: Lists,
    /// The points beside each point.
    beside: ByPoint<Beside>,
}

/// An edge: its points, and their places among the corners of its leaf.
#[derive(Clone, Copy, Debug)]
struct Edge {
    points: [u32; 2],
    corners: [u8; 2],
}

/// A point beside another, and the edge between them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside {
    /// The other point.
    pub point: u32,
    /// One over the length of the edge at rest.
    pub weight: f32,
    leaf: u32,
    slot: u8,
    /// Which end of the edge the other point is.
    end: u8,
}

/// Where an edge first goes into flesh from either end, over its length.
type Into = [f32; 2];
const NOWHERE: Into = [f32::INFINITY; 2];

/// What all edges go through in a frame.
pub struct Crossings {
    of_leaf: Vec<[Into; EDGES]>,
}

impl Edges {
    /// Of a surface whose triangles are in a tree.
    pub fn of(tree: &Tree, points: usize, rest: impl Fn(u32) -> Vec3A) -> Self {
        let leaves = || (0..tree.leaves()).map(|leaf| (leaf as u32, &tree.triangles[tree.leaf(leaf)]));
        let mut sides: Vec<(u32, Edge)> = Vec::with_capacity(3 * tree.triangles.len());
        for (leaf, triangles) in leaves() {
            for (t, triangle) in (0u8..).zip(triangles) {
                for (k, l) in [(0, 1), (1, 2), (2, 0)] {
                    let (k, l) = if triangle[k] < triangle[l] { (k, l) } else { (l, k) };
                    let points = [triangle[k], triangle[l]];
                    sides.push((leaf, Edge { points, corners: [k, l].map(|k| 3 * t + k as u8) }));
                }
            }
        }
        // Each edge stays in the first leaf that has it.
        sides.sort_unstable_by_key(|(leaf, edge)| (edge.points, *leaf, edge.corners));
        sides.dedup_by_key(|(_, edge)| edge.points);
        sides.sort_by_key(|(leaf, _)| *leaf);
        let mut starts = vec![0; tree.leaves() + 1];
        sides.iter().for_each(|(leaf, _)| starts[*leaf as usize + 1] += 1);
        (0..tree.leaves()).for_each(|leaf| starts[leaf + 1] += starts[leaf]);

        let mut leaves_of = ByPoint::of(points, || {
            leaves().flat_map(|(leaf, triangles)| triangles.iter().flatten().map(move |point| (*point, leaf)))
        });
        leaves_of.sort_by_key(|leaf| *leaf);
        let mut around = Lists::default();
        for (_, triangles) in leaves() {
            let mut list: Vec<u32> = triangles.iter().flatten().flat_map(|p| leaves_of.at(*p)).copied().collect();
            list.sort_unstable();
            list.dedup();
            around.push(&list);
        }
        let weight = |[a, b]: [u32; 2]| {
            let weight = 1.0 / rest(a).distance(rest(b));
            if weight.is_finite() { weight } else { 0.0 }
        };
        let beside = ByPoint::of(points, || {
            sides.iter().enumerate().flat_map(|(i, (leaf, edge))| {
                let slot = (i - starts[*leaf as usize] as usize) as u8;
                [(0, 1), (1, 0)].map(|(end, other)| {
                    let point = edge.points[end];
                    let beside = Beside { point, weight: weight(edge.points), leaf: *leaf, slot, end: end as u8 };
                    (edge.points[other], beside)
                })
            })
        });
        Self { starts, edges: sides.into_iter().map(|(_, edge)| edge).collect(), around, beside }
    }

    /// Memory for a frame.
    pub fn memory(&self) -> Crossings {
        Crossings { of_leaf: vec![[NOWHERE; EDGES]; self.starts.len() - 1] }
    }

    /// The points beside a point.
    pub fn beside(&self, point: u32) -> &[Beside] {
        self.beside.at(point)
    }

    fn of_leaf(&self, leaf: usize) -> &[Edge] {
        &self.edges[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }

    /// Finds what every edge goes through.
    pub fn cross(&self, crossings: &mut Crossings, tree: &Tree, moved: &Moved) {
        for_each_block(&mut crossings.of_leaf, BLOCK, |first, block| {
            for (leaf, found) in (first..).zip(block) {
                *found = [NOWHERE; EDGES];
                let (edges, around) = (self.of_leaf(leaf), self.around.at(leaf));
                if edges.is_empty() {
                    continue;
                }
                let own: &[Corners] = &moved.corners[tree.leaf(leaf)];
                let mut look = |other: usize| {
                    // Skin that hangs together and goes to one side does not pass through itself.
                    if moved.is_plain_with(tree, leaf, other) && around.contains(&(other as u32)) {
                        return;
                    }
                    for (edge, found) in edges.iter().zip(found.iter_mut()) {
                        let [from, to] = edge.corners.map(|c| own[usize::from(c) / 3][usize::from(c) % 3]);
                        let ray = to - from;
                        for t in tree.leaf(other) {
                            let Some((at, out)) = through(moved.corners[t], from, ray, 1.0) else { continue };
                            if edge.points.iter().any(|p| tree.triangles[t].contains(p)) {
                                continue;
                            }
                            let (end, at) = if out < 0.0 { (0, at) } else { (1, 1.0 - at) };
                            found[end] = found[end].min(at);
                        }
                    }
                };
                let mut node = tree.leaves() + leaf;
                if !moved.is_plain[node] {
                    look(leaf);
                }
                while node > 1 {
                    if !moved.is_plain[node / 2] {
                        tree.leaves_near(moved, node ^ 1, tree.leaves() + leaf, &mut look);
                    }
                    node /= 2;
                }
            }
        });
    }
}

/// Lists one after the other.
struct Lists {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { starts: vec![0], list: Vec::new() }
    }
}

impl Lists {
    fn push(&mut self, list: &[u32]) {
        self.list.extend_from_slice(list);
        self.starts.push(self.list.len() as u32);
    }

    fn at(&self, i: usize) -> &[u32] {
        &self.list[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

impl Crossings {
    /// Where the edge from a point beside another to it first goes into flesh, over its length.
    pub fn into(&self, beside: &Beside) -> Option<f32> {
        let at = self.of_leaf[beside.leaf as usize][usize::from(beside.slot)][usize::from(beside.end)];
        at.is_finite().then_some(at)
    }

    /// The points of edges that go through something, some of them more than once.
    pub fn points<'a>(&'a self, edges: &'a Edges) -> impl Iterator<Item = u32> + 'a {
        let crossed = |into: &Into| into[0].min(into[1]).is_finite();
        let leaves = self.of_leaf.iter().enumerate();
        leaves.flat_map(move |(leaf, found)| {
            let own = edges.of_leaf(leaf).iter().zip(found);
            own.filter(move |(_, into)| crossed(into)).flat_map(|(edge, _)| edge.points)
        })
    }
}
