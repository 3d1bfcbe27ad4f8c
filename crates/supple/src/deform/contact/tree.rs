//! A tree of boxes round the triangles of a skin. Its shape is that of the rest, since what lies side by side there mostly does so in
//! every pose; a frame measures its boxes anew.

use crate::parallel::for_each_block;
use glam::Vec3A;

/// Triangles in a leaf, at the most.
const LEAF: usize = 4;
/// Boxes a thread measures at a time.
const BLOCK: usize = 512;

/// See the module.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Triangles, leaf by leaf.
    triangles: Vec<[u32; 3]>,
    /// Where the triangles of each leaf begin, and their end. The number of leaves is a power of two.
    starts: Vec<u32>,
}

/// A skin as it has moved, in the order of a tree.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The box of each node; the children of node i are 2 i and 2 i + 1, and the first is 1.
    boxes: Vec<[Vec3A; 2]>,
    /// The corners of each triangle.
    corners: Vec<[Vec3A; 3]>,
}

/// Where a ray goes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The place on the ray, over its length.
    pub at: f32,
    /// Cosine between the ray and the normal of the triangle: more than zero where the ray comes out.
    pub cosine: f32,
}

impl Tree {
    /// Over triangles at rest.
    pub fn of(triangles: &[[u32; 3]], rest: impl Fn(u32) -> Vec3A) -> Self {
        let middle = |t: &[u32; 3]| t.iter().map(|&i| rest(i)).sum::<Vec3A>() / 3.0;
        let mut all: Vec<_> = triangles.iter().map(|t| (middle(t), *t)).collect();
        let leaves = triangles.len().div_ceil(LEAF).next_power_of_two();
        let mut starts = Vec::with_capacity(leaves + 1);
        split(&mut all, 0, leaves, &mut starts);
        starts.push(triangles.len() as u32);
        Self { triangles: all.into_iter().map(|(_, t)| t).collect(), starts }
    }

    fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// The triangles of a leaf.
    fn leaf(&self, leaf: usize) -> std::ops::Range<usize> {
        self.starts[leaf] as usize..self.starts[leaf + 1] as usize
    }

    /// Memory for a frame.
    pub fn memory(&self) -> Moved {
        let boxes = vec![[Vec3A::INFINITY, Vec3A::NEG_INFINITY]; 2 * self.leaves()];
        Moved { boxes, corners: vec![[Vec3A::ZERO; 3]; self.triangles.len()] }
    }

    /// Measures moved points.
    pub fn measure(&self, moved: &mut Moved, at: impl Fn(u32) -> Vec3A + Sync + Send) {
        let Moved { boxes, corners } = moved;
        for_each_block(corners, BLOCK, |first, block| {
            for (triangle, corners) in self.triangles[first..].iter().zip(block) {
                *corners = triangle.map(&at);
            }
        });
        let (leaves, corners) = (self.leaves(), &*corners);
        for_each_block(&mut boxes[leaves..], BLOCK, |first, block| {
            for (leaf, b) in (first..).zip(block) {
                let points = corners[self.leaf(leaf)].iter().flatten();
                *b = points.fold([Vec3A::INFINITY, Vec3A::NEG_INFINITY], |[low, high], p| [low.min(*p), high.max(*p)]);
            }
        });
        let mut level = leaves;
        while level > 1 {
            let (above, below) = boxes.split_at_mut(level);
            level /= 2;
            for_each_block(&mut above[level..], BLOCK, |first, block| {
                for (i, b) in (first..).zip(block) {
                    // The children of node level + i are the pair i of those below.
                    let [[l, h], [m, k]] = [below[2 * i], below[2 * i + 1]];
                    *b = [l.min(m), h.max(k)];
                }
            });
        }
    }

    /// The first triangle that a ray goes through, of those that do not have a point.
    #[inline]
    pub fn first(&self, moved: &Moved, from: Vec3A, ray: Vec3A, point: u32) -> Option<Hit> {
        let Moved { boxes, corners } = moved;
        let over = ray.recip();
        let meets = |node: usize, end: f32| {
            let [low, high] = boxes[node];
            let (a, b) = ((low - from) * over, (high - from) * over);
            let (near, far) = (a.min(b).max_element().max(0.0), a.max(b).min_element().min(end));
            (near <= far).then_some(near)
        };
        let (mut stack, mut waiting) = ([0u32; 32], 0);
        let mut node = 1usize;
        let mut best: Option<Hit> = None;
        let end = |best: Option<Hit>| best.map_or(1.0, |hit| hit.at);
        meets(1, 1.0)?;
        loop {
            if node >= self.leaves() {
                for triangle in self.leaf(node - self.leaves()) {
                    // Those that have the point are met at its place, if at all, and rounding must not say otherwise.
                    if let Some(hit) = through(corners[triangle], from, ray, end(best))
                        && !self.triangles[triangle].contains(&point)
                    {
                        best = Some(hit);
                    }
                }
            } else {
                let children = [2 * node, 2 * node + 1];
                let near = children.map(|child| meets(child, end(best)));
                match near {
                    [Some(a), Some(b)] => {
                        let order = usize::from(b < a);
                        stack[waiting] = children[1 - order] as u32;
                        waiting += 1;
                        node = children[order];
                        continue;
                    }
                    [Some(_), None] => {
                        node = children[0];
                        continue;
                    }
                    [None, Some(_)] => {
                        node = children[1];
                        continue;
                    }
                    _ => {}
                }
            }
            loop {
                if waiting == 0 {
                    return best;
                }
                waiting -= 1;
                node = stack[waiting] as usize;
                if meets(node, end(best)).is_some() {
                    break;
                }
            }
        }
    }
}

/// Shares triangles out to leaves, halves by halves along the longer side.
fn split(all: &mut [(Vec3A, [u32; 3])], first: u32, leaves: usize, starts: &mut Vec<u32>) {
    if leaves == 1 {
        starts.push(first);
        return;
    }
    let empty = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    let (low, high) = all.iter().fold(empty, |(low, high), (p, _)| (low.min(*p), high.max(*p)));
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

/// Where a ray goes through a triangle, before `end`.
#[inline(always)]
fn through([a, b, c]: [Vec3A; 3], from: Vec3A, ray: Vec3A, end: f32) -> Option<Hit> {
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
    if !(u >= 0.0 && v >= 0.0 && u + v <= 1.0) {
        return None;
    }
    Some(Hit { at, cosine: out / (ray.length() * normal.length()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_tree_finds_what_a_look_at_all_triangles_does(
            points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 3..90),
            rays in prop::collection::vec((prop::array::uniform3(-1.0f32..1.0), prop::array::uniform3(-2.0f32..2.0)), 8),
        ) {
            let points: Vec<Vec3A> = points.into_iter().map(Vec3A::from).collect();
            let triangles: Vec<[u32; 3]> = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            // The tree of another pose: its boxes are measured.
            let tree = Tree::of(&triangles, |i| points[points.len() - 1 - i as usize]);
            let mut moved = tree.memory();
            let at = |i: u32| points[i as usize];
            tree.measure(&mut moved, at);
            for (from, ray) in rays {
                let (from, ray) = (Vec3A::from(from), Vec3A::from(ray));
                let all = triangles.iter().fold(None, |best: Option<Hit>, t| {
                    through(t.map(at), from, ray, best.map_or(1.0, |hit| hit.at)).or(best)
                });
                prop_assert_eq!(tree.first(&moved, from, ray, u32::MAX), all);
            }
        }
    }

    #[test]
    fn a_ray_that_comes_out_goes_with_the_normal() {
        let triangle = [Vec3A::ZERO, Vec3A::X, Vec3A::Y];
        let from = Vec3A::new(0.2, 0.2, -1.0);
        let hit = through(triangle, from, 2.0 * Vec3A::Z, 1.0).expect("it goes through");
        assert!((hit.at - 0.5).abs() < 1e-6 && (hit.cosine - 1.0).abs() < 1e-6, "{hit:?}");
        let [a, b, c] = triangle;
        assert!(through([a, c, b], from, 2.0 * Vec3A::Z, 1.0).is_some_and(|hit| hit.cosine < 0.0));
        assert_eq!(through(triangle, from, 0.9 * Vec3A::Z, 1.0), None);
    }
}
