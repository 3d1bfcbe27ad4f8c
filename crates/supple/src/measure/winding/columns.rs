use super::WindingTree;
use crate::{measure::cells::Cells, parallel};
use glam::{DVec2, DVec3};

/// A closed surface over the columns of a grid: along each column of cell middles the crossings are counted, and their
/// running sum is the winding number. Signs are those of exact arithmetic on points moved by a hair, so that a line
/// through an edge or a corner crosses the surface as often as one beside it.
pub(crate) struct Columns<'a> {
    cells: &'a Cells,
    points: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    /// Triangles by the slices of equal x that they reach into, in flat arrays. Slices are the leaves of a binary tree, and a
    /// triangle stands at the topmost nodes that it covers wholly: lists for each slice would grow without bound where
    /// triangles are long.
    starts: Vec<u32>,
    members: Vec<u32>,
    leaves: usize,
}

/// How many cells overlap and how many are inside out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub overlap: usize,
    pub inverted: usize,
}

/// The winding number from which a cell is covered twice.
const TWICE: f64 = 1.5;
/// And that up to which it is inside out.
const INSIDE_OUT: f64 = -0.5;

impl<'a> Columns<'a> {
    /// The triangles must close; their points must be finite.
    pub fn of(cells: &'a Cells, points: &'a [DVec3], triangles: &'a [[u32; 3]]) -> Self {
        let slices = |t: &[u32; 3]| {
            let x = t.map(|i| points[i as usize].x);
            cells.between(0, x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]))
        };
        let leaves = cells.count[0].next_power_of_two();
        let nodes = |t: &[u32; 3]| {
            let covered = slices(t);
            covering(covered.start + leaves, covered.end + leaves)
        };
        let mut starts = vec![0u32; 2 * leaves + 1];
        triangles.iter().flat_map(nodes).for_each(|node| starts[node + 1] += 1);
        for node in 0..2 * leaves {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut members = vec![0u32; starts[2 * leaves] as usize];
        for (i, t) in (0u32..).zip(triangles) {
            for node in nodes(t) {
                members[next[node] as usize] = i;
                next[node] += 1;
            }
        }
        Self { cells, points, triangles, starts, members, leaves }
    }

    /// Winding numbers of one slice, y before z.
    pub fn slice(&self, x: usize, out: &mut [i32]) {
        out.fill(0);
        let depth = self.cells.count[2];
        let above = std::iter::successors(Some(x + self.leaves), |node| Some(node / 2).filter(|&up| up > 0));
        for &member in above.flat_map(|n| &self.members[self.starts[n] as usize..self.starts[n + 1] as usize]) {
            let [a, b, c] = self.triangles[member as usize].map(|i| self.points[i as usize]);
            for y in self.cells.between(1, a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y)) {
                let line = DVec2::new(self.cells.middle(0, x), self.cells.middle(1, y));
                let Some((z, up)) = crossing(line, a, b, c) else { continue };
                // What faces down is entered on the way up.
                if let Some(cell) = out[y * depth..(y + 1) * depth].get_mut(self.cells.first_above(2, z)) {
                    *cell += if up { -1 } else { 1 };
                }
            }
        }
        for column in out.chunks_mut(depth) {
            let mut sum = 0;
            for cell in column {
                sum += *cell;
                *cell = sum;
            }
        }
    }

    /// Counts the cells of the surface without its cones, whose own winding number is taken off.
    pub fn tally(&self, cones: Option<&WindingTree>) -> Tally {
        let [nx, ny, nz] = self.cells.count;
        Tally::by_slices(nx, |x, tally| {
            let mut numbers = vec![0i32; ny * nz];
            self.slice(x, &mut numbers);
            for (i, &number) in numbers.iter().enumerate() {
                let mut number = f64::from(number);
                if let Some(cones) = cones {
                    number -= cones.at(self.cells.center([x, i / nz, i % nz]));
                }
                tally.add(number);
            }
        })
    }
}

impl Tally {
    /// Counts the cells of a surface of which the tree has every triangle.
    pub fn of_tree(cells: &Cells, surface: &WindingTree) -> Self {
        let [nx, ny, nz] = cells.count;
        Self::by_slices(nx, |x, tally| {
            (0..ny * nz).for_each(|i| tally.add(surface.at(cells.center([x, i / nz, i % nz]))));
        })
    }

    fn by_slices(count: usize, slice: impl Fn(usize, &mut Self) + Sync + Send) -> Self {
        let mut slices = vec![Self::default(); count];
        parallel::for_each_block(&mut slices, 1, |x, out| slice(x, &mut out[0]));
        let add = |a: Self, b: &Self| Self { overlap: a.overlap + b.overlap, inverted: a.inverted + b.inverted };
        slices.iter().fold(Self::default(), add)
    }

    fn add(&mut self, number: f64) {
        self.overlap += usize::from(number >= TWICE);
        self.inverted += usize::from(number <= INSIDE_OUT);
    }
}

/// The fewest nodes of a binary tree, numbered from its root 1 on, whose leaves are those from `low` to before `high`.
fn covering(mut low: usize, mut high: usize) -> impl Iterator<Item = usize> {
    let mut waiting = None;
    std::iter::from_fn(move || {
        while waiting.is_none() && low < high {
            let ends = [(low % 2 == 1).then_some(low), (high % 2 == 1).then(|| high - 1)];
            (low, high) = (low.div_ceil(2), high / 2);
            match ends {
                [Some(one), other] => {
                    waiting = other;
                    return Some(one);
                }
                [None, Some(one)] => return Some(one),
                [None, None] => {}
            }
        }
        waiting.take()
    })
}

/// Where a line along z meets a triangle, and whether the triangle faces up.
fn crossing(line: DVec2, a: DVec3, b: DVec3, c: DVec3) -> Option<(f64, bool)> {
    let [p, q, r] = [a, b, c].map(|v| DVec2::new(v.x, v.y) - line);
    let up = left_of_origin(p, q)?;
    if left_of_origin(q, r)? != up || left_of_origin(r, p)? != up {
        return None;
    }
    let shares = DVec3::new(q.perp_dot(r), r.perp_dot(p), p.perp_dot(q));
    let heights = DVec3::new(a.z, b.z, c.z);
    let sum = shares.element_sum();
    let z = if sum == 0.0 { heights.element_sum() / 3.0 } else { shares.dot(heights) / sum };
    Some((z.clamp(heights.min_element(), heights.max_element()), up))
}

/// Whether the origin, moved by (ε, ε²), lies to the left of the way from p to q: decided exactly, never a tie. None
/// where the two are one point, since such an edge bounds nothing.
fn left_of_origin(p: DVec2, q: DVec2) -> Option<bool> {
    let (one, two) = (p.x * q.y, p.y * q.x);
    let mut cross = one - two;
    if cross.abs() <= 1e-15 * (one.abs() + two.abs()) {
        // Close products subtract exactly; what is missing is what their rounding cut off.
        cross += p.x.mul_add(q.y, -one) - p.y.mul_add(q.x, -two);
    }
    let by_shift = || if p.y != q.y { p.y - q.y } else { q.x - p.x };
    let sign = if cross == 0.0 { by_shift() } else { cross };
    (sign != 0.0).then_some(sign > 0.0)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            holes::Holes,
            tests::{joined, noise, sphere},
            winding_number,
        },
        *,
    };
    use glam::Vec3;

    fn numbers(cells: &Cells, points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<i32> {
        let columns = Columns::of(cells, points, triangles);
        let mut all = Vec::new();
        for x in 0..cells.count[0] {
            let mut slice = vec![0; cells.count[1] * cells.count[2]];
            columns.slice(x, &mut slice);
            all.extend(slice);
        }
        all
    }

    #[test]
    fn every_leaf_of_a_range_has_one_node_above_it() {
        for (low, high) in (0..16).flat_map(|low| (low..=16).map(move |high| (low, high))) {
            let nodes: Vec<usize> = covering(low + 16, high + 16).collect();
            let above = |leaf: usize| std::iter::successors(Some(leaf + 16), |n| Some(n / 2).filter(|&up| up > 0));
            for leaf in 0..16 {
                let found = above(leaf).filter(|n| nodes.contains(n)).count();
                assert_eq!(found, usize::from((low..high).contains(&leaf)), "{leaf} in {low}..{high}: {nodes:?}");
            }
        }
    }

    #[test]
    fn columns_agree_with_the_exact_sum_at_every_cell() {
        let (points, mut triangles) = joined(sphere(Vec3::ZERO, 1.0, 2), sphere(Vec3::new(0.7, 0.2, 0.1), 0.8, 2));
        let mut random = noise(7);
        // Open, soiled and partly inside out: cones must make up for all of it.
        triangles.retain(|_| random() > 0.1);
        for t in triangles.iter_mut().filter(|_| random() < 0.1) {
            t.swap(0, 1);
        }
        let mut exact: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        let cells = Cells::round(&exact, 14).unwrap();
        let mut closed = triangles.clone();
        let cones = Holes::of(points.len(), &triangles).cones(&mut exact);
        closed.extend(&cones);
        let corners = cones.iter().map(|t| t.map(|i| exact[i as usize])).collect();
        let tree = WindingTree::of_corners(corners, 1e9);
        for (i, number) in numbers(&cells, &exact, &closed).into_iter().enumerate() {
            let [_, ny, nz] = cells.count;
            let at = cells.center([i / (ny * nz), i / nz % ny, i % nz]);
            let expected = winding_number(&points, &triangles, at);
            let found = f64::from(number) - tree.at(at);
            assert!((found - expected).abs() < 1e-6, "{at}: {found} and {expected}");
        }
    }

    #[test]
    fn lines_through_edges_and_corners_cross_once() {
        // A box whose corners, edges and diagonals lie on the columns.
        let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 4.0;
        let points: Vec<DVec3> = (0..8).map(corner).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let cells = Cells { low: DVec3::splat(-1.5), step: 1.0, count: [7, 7, 7] };
        let found = numbers(&cells, &points, &triangles);
        for (i, number) in found.into_iter().enumerate() {
            let at = cells.center([i / 49, i / 7 % 7, i % 7]);
            if at.cmpgt(DVec3::ZERO).all() && at.cmplt(DVec3::splat(4.0)).all() {
                assert_eq!(number, 1, "{at}");
            } else if at.cmplt(DVec3::ZERO).any() || at.cmpgt(DVec3::splat(4.0)).any() {
                assert_eq!(number, 0, "{at}");
            } else {
                assert!((0..=1).contains(&number), "{at}: {number}");
            }
        }
    }
}
