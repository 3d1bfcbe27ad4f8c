//! A tree of boxes round the triangles of a skin. Its shape is that of the rest, since what lies side by side there mostly does so in
//! every pose; a frame measures its boxes anew, and how far the normals in them differ: a piece of skin whose normals all go to
//! one side does not pass through itself.

use crate::parallel::for_each_block;
use glam::Vec3A;

/// Triangles in a leaf, at the most.
pub const LEAF: usize = 4;
/// Boxes a thread measures at a time.
const BLOCK: usize = 512;
/// How near to its start a ray does not look, over the size of the tree: there lie the same skin once more, as shells have it that are
/// there twice, and rounding decides which is the nearer.
const BESIDE: f32 = 1e-5;
/// Nodes that wait while a tree is walked: one for each level of 2^31 leaves, and one more.
const WAITING: usize = 33;

/// See the module.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Triangles, leaf by leaf.
    pub triangles: Vec<[u32; 3]>,
    /// Where the triangles of each leaf begin, and their end. The number of leaves is a power of two.
    starts: Vec<u32>,
    /// Whether the triangles of each node hang together.
    is_one: Vec<bool>,
}

/// The corners of a triangle.
pub type Corners = [Vec3A; 3];
/// The lowest and the highest corner of a box.
type Box3 = [Vec3A; 2];

const NOTHING: Box3 = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];

fn with([low, high]: Box3, p: Vec3A) -> Box3 {
    [low.min(p), high.max(p)]
}

fn both([a, b]: Box3, [c, d]: Box3) -> Box3 {
    [a.min(c), b.max(d)]
}

fn meet([a, b]: Box3, [c, d]: Box3) -> bool {
    a.cmple(d).all() && c.cmple(b).all()
}

/// Whether all normals in a box go to one side: that of its middle.
fn one_side([low, high]: Box3) -> bool {
    let middle = low + high;
    (middle * low).min(middle * high).element_sum() > 0.0
}

/// Whether a line from a place goes through a box, before its end. It is given by one over its components.
fn passes([low, high]: Box3, from: Vec3A, over: Vec3A, end: f32) -> bool {
    let (a, b) = ((low - from) * over, (high - from) * over);
    a.min(b).max_element().max(0.0) <= a.max(b).min_element().min(end)
}

/// A skin as it has moved, in the order of a tree.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The box of each node; the children of node i are 2 i and 2 i + 1, and the first is 1.
    boxes: Vec<Box3>,
    /// The box of the normals of each node.
    normals: Vec<Box3>,
    /// Whether the triangles of each node cannot pass through each other: they hang together, and all face one side.
    pub is_plain: Vec<bool>,
    /// The corners of each triangle.
    pub corners: Vec<Corners>,
}

impl Moved {
    /// Whether the triangles of two leaves all face one side.
    pub fn is_plain_with(&self, tree: &Tree, leaf: usize, other: usize) -> bool {
        let [a, b] = [leaf, other].map(|leaf| self.normals[tree.leaves() + leaf]);
        one_side(both(a, b))
    }
}

impl Tree {
    /// Over triangles at rest.
    pub fn of(triangles: &[[u32; 3]], points: usize, rest: impl Fn(u32) -> Vec3A) -> Self {
        let middle = |t: &[u32; 3]| t.iter().map(|&i| rest(i)).sum::<Vec3A>() / 3.0;
        let mut all: Vec<_> = triangles.iter().map(|t| (middle(t), *t)).collect();
        let leaves = all.len().div_ceil(LEAF).next_power_of_two();
        let mut starts = Vec::with_capacity(leaves + 1);
        split(&mut all, 0, leaves, &mut starts);
        starts.push(all.len() as u32);
        let triangles: Vec<_> = all.into_iter().map(|(_, t)| t).collect();
        let is_one = hang_together(&triangles, &starts, points);
        Self { triangles, starts, is_one }
    }

    pub fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// The triangles of a leaf.
    pub fn leaf(&self, leaf: usize) -> std::ops::Range<usize> {
        self.starts[leaf] as usize..self.starts[leaf + 1] as usize
    }

    /// Memory for a frame.
    pub fn memory(&self) -> Moved {
        let boxes = vec![NOTHING; 2 * self.leaves()];
        let is_plain = vec![false; 2 * self.leaves()];
        Moved { normals: boxes.clone(), boxes, is_plain, corners: vec![[Vec3A::ZERO; 3]; self.triangles.len()] }
    }

    /// Measures moved points.
    pub fn measure(&self, moved: &mut Moved, at: impl Fn(u32) -> Vec3A + Sync + Send) {
        let Moved { boxes, normals, is_plain, corners } = moved;
        for_each_block(corners, BLOCK, |first, block| {
            for (triangle, corners) in self.triangles[first..].iter().zip(block) {
                *corners = triangle.map(&at);
            }
        });
        let (leaves, corners) = (self.leaves(), &*corners);
        for_each_block(&mut boxes[leaves..], BLOCK, |first, block| {
            for (leaf, b) in (first..).zip(block) {
                *b = corners[self.leaf(leaf)].iter().flatten().fold(NOTHING, |b, p| with(b, *p));
            }
        });
        for_each_block(&mut normals[leaves..], BLOCK, |first, block| {
            for (leaf, b) in (first..).zip(block) {
                let normal = |[a, b, c]: &[Vec3A; 3]| (*b - *a).cross(*c - *a).normalize_or_zero();
                *b = corners[self.leaf(leaf)].iter().map(normal).fold(NOTHING, with);
            }
        });
        for nodes in [&mut *boxes, &mut *normals] {
            let mut level = leaves;
            while level > 1 {
                let (above, below) = nodes.split_at_mut(level);
                level /= 2;
                for_each_block(&mut above[level..], BLOCK, |first, block| {
                    for (i, b) in (first..).zip(block) {
                        // The children of node level + i are the pair i of those below.
                        *b = both(below[2 * i], below[2 * i + 1]);
                    }
                });
            }
        }
        let normals = &*normals;
        for_each_block(is_plain, BLOCK, |first, block| {
            for (node, is_plain) in (first..).zip(block) {
                *is_plain = self.is_one[node] && one_side(normals[node]);
            }
        });
    }

    /// Visits every leaf below a node to which only such nodes lead that are entered.
    fn walk(&self, from: usize, enter: impl Fn(usize) -> bool, mut visit: impl FnMut(usize)) {
        let (mut stack, mut waiting) = ([0u32; WAITING], 1);
        stack[0] = from as u32;
        while waiting > 0 {
            waiting -= 1;
            let node = stack[waiting] as usize;
            if !enter(node) {
                continue;
            }
            if node >= self.leaves() {
                visit(node - self.leaves());
            } else {
                stack[waiting] = 2 * node as u32 + 1;
                stack[waiting + 1] = 2 * node as u32;
                waiting += 2;
            }
        }
    }

    /// Visits every leaf below a node whose box meets that of another node.
    pub fn leaves_near(&self, moved: &Moved, below: usize, other: usize, visit: impl FnMut(usize)) {
        let own = moved.boxes[other];
        self.walk(below, |node| meet(moved.boxes[node], own), visit);
    }

    /// The nearest place on a line through a point where it goes through a triangle that faces the other way and is wanted: over the
    /// length of the line, which goes as far to either side.
    pub fn across(&self, moved: &Moved, from: Vec3A, line: Vec3A, wanted: impl Fn(&[u32; 3]) -> bool) -> Option<f32> {
        let (ray, start) = (2.0 * line, from - line);
        let over = ray.recip();
        let mut nearest: Option<f32> = None;
        self.walk(
            1,
            |node| passes(moved.boxes[node], start, over, 1.0),
            |leaf| {
                for t in self.leaf(leaf) {
                    if let Some((at, out)) = through(moved.corners[t], start, ray, 1.0)
                        && out < 0.0
                        && wanted(&self.triangles[t])
                    {
                        let at = 2.0 * at - 1.0;
                        nearest = Some(nearest.filter(|n| n.abs() <= at.abs()).unwrap_or(at));
                    }
                }
            },
        );
        nearest
    }

    /// How often a ray from a point comes out of flesh, less how often it goes in. Triangles that have the point are left out.
    pub fn winding(&self, moved: &Moved, from: Vec3A, ray: Vec3A, point: u32) -> i32 {
        let over = ray.recip();
        let [low, high] = moved.boxes[1];
        let least = BESIDE * (high - low).max_element() / ray.length();
        let mut winding = 0;
        self.walk(
            1,
            |node| passes(moved.boxes[node], from, over, f32::INFINITY),
            |leaf| {
                for t in self.leaf(leaf) {
                    if let Some((at, out)) = through(moved.corners[t], from, ray, f32::INFINITY)
                        && at > least
                        && !self.triangles[t].contains(&point)
                    {
                        winding += if out > 0.0 { 1 } else { -1 };
                    }
                }
            },
        );
        winding
    }
}

/// Shares triangles out to leaves, halves by halves along the longer side.
fn split(all: &mut [(Vec3A, [u32; 3])], first: u32, leaves: usize, starts: &mut Vec<u32>) {
    if leaves == 1 {
        starts.push(first);
        return;
    }
    let [low, high] = all.iter().fold(NOTHING, |b, (p, _)| with(b, *p));
    let sides = high - low;
    let axis = (0..3).max_by(|&a, &b| sides[a].total_cmp(&sides[b])).unwrap_or(0);
    let half = all.len() / 2;
    if half > 0 {
        all.select_nth_unstable_by(half, |(p, s), (q, t)| p[axis].total_cmp(&q[axis]).then(s.cmp(t)));
    }
    let (left, right) = all.split_at_mut(half);
    split(left, first, leaves / 2, starts);
    split(right, first + half as u32, leaves / 2, starts);
}

/// Which nodes hang together over points that their triangles share.
fn hang_together(triangles: &[[u32; 3]], starts: &[u32], points: usize) -> Vec<bool> {
    let leaves = starts.len() - 1;
    let mut is_one = vec![false; 2 * leaves];
    // A forest over the points of one node: those that triangles join are one tree.
    let mut parents: Vec<u32> = (0..points as u32).collect();
    let (mut level, mut width) = (leaves, 1);
    while level > 0 {
        for node in 0..level {
            let own = &triangles[starts[node * width] as usize..starts[(node + 1) * width] as usize];
            own.iter().flatten().for_each(|&p| parents[p as usize] = p);
            for &[a, b, c] in own {
                for other in [b, c] {
                    let [a, b] = [a, other].map(|p| root(&mut parents, p));
                    parents[a as usize] = b;
                }
            }
            let mut roots = own.iter().flatten().map(|&p| root(&mut parents, p));
            let first = roots.next();
            is_one[level + node] = roots.all(|root| Some(root) == first);
        }
        level /= 2;
        width *= 2;
    }
    is_one
}

/// The root of a point in a forest, which is made flatter on the way.
fn root(parents: &mut [u32], mut point: u32) -> u32 {
    while parents[point as usize] != point {
        let above = parents[parents[point as usize] as usize];
        parents[point as usize] = above;
        point = above;
    }
    point
}

/// Where a ray goes through a triangle, before `end`, and how far it comes out of it.
#[inline(always)]
pub fn through([a, b, c]: [Vec3A; 3], from: Vec3A, ray: Vec3A, end: f32) -> Option<(f32, f32)> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let out = ray.dot(normal);
    let over = 1.0 / out;
    let to = a - from;
    let at = to.dot(normal) * over;
    if !(at > 0.0 && at < end) {
        return None;
    }
    let aside = ray.cross(to);
    let (u, v) = (-ac.dot(aside) * over, ab.dot(aside) * over);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some((at, out))
}
