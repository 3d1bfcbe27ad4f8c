use glam::DVec3;

/// Points of a leaf, which are looked at one by one.
const LEAF: usize = 8;

/// A k-d tree: the nearest neighbours of points among themselves.
pub(crate) struct Neighbours {
    points: Vec<(DVec3, u32)>,
    nodes: Vec<Node>,
}

struct Node {
    first: u32,
    end: u32,
    /// The second child; 0 for a leaf. The first child follows its parent.
    second: u32,
    axis: usize,
    split: f64,
}

impl Neighbours {
    /// The points must be finite.
    pub fn of(points: &[DVec3]) -> Self {
        let mut tree = Self { points: points.iter().copied().zip(0..).collect(), nodes: Vec::new() };
        tree.grow(0, points.len());
        tree
    }

    fn grow(&mut self, first: usize, end: usize) {
        let here = self.nodes.len();
        self.nodes.push(Node { first: first as u32, end: end as u32, second: 0, axis: 0, split: 0.0 });
        if end - first <= LEAF {
            return;
        }
        let members = &mut self.points[first..end];
        let low = members.iter().map(|p| p.0).fold(DVec3::INFINITY, DVec3::min);
        let high = members.iter().map(|p| p.0).fold(DVec3::NEG_INFINITY, DVec3::max);
        let axis = (high - low).max_position();
        let half = members.len() / 2;
        // Ties go by number, so that the tree is the same everywhere.
        members.select_nth_unstable_by(half, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
        let split = members[half].0[axis];
        self.grow(first, first + half);
        let second = self.nodes.len() as u32;
        self.grow(first + half, end);
        let node = &mut self.nodes[here];
        (node.axis, node.split, node.second) = (axis, split, second);
    }

    /// Squared distances and numbers of the `count` points nearest to a place, the point `but` left out; nearest first.
    pub fn nearest(&self, place: DVec3, but: u32, count: usize, found: &mut Vec<(f64, u32)>) {
        found.clear();
        if count > 0 {
            self.look(0, place, but, count, found);
        }
    }

    fn look(&self, node: usize, place: DVec3, but: u32, count: usize, found: &mut Vec<(f64, u32)>) {
        let n = &self.nodes[node];
        if n.second == 0 {
            for &(p, i) in &self.points[n.first as usize..n.end as usize] {
                let here = (p.distance_squared(place), i);
                if i == but || (found.len() == count && found.last().is_some_and(|worst| here >= *worst)) {
                    continue;
                }
                found.truncate(count - 1);
                found.insert(found.partition_point(|f| *f < here), here);
            }
            return;
        }
        let beyond = place[n.axis] - n.split;
        let (near, far) = if beyond < 0.0 { (node + 1, n.second as usize) } else { (n.second as usize, node + 1) };
        self.look(near, place, but, count, found);
        if found.len() < count || found.last().is_none_or(|worst| beyond * beyond <= worst.0) {
            self.look(far, place, but, count, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::winding::tests::noise, *};

    #[test]
    fn the_tree_finds_what_looking_at_all_points_finds() {
        let mut random = noise(3);
        // Rounded, so that there are copies and ties.
        let points: Vec<DVec3> =
            (0..500).map(|_| (DVec3::new(random(), random(), random()) * 8.0).round() * 0.25).collect();
        let tree = Neighbours::of(&points);
        let mut found = Vec::new();
        for (i, p) in points.iter().enumerate() {
            let all = points.iter().zip(0u32..).map(|(q, j)| (q.distance_squared(*p), j));
            let mut all: Vec<(f64, u32)> = all.filter(|(_, j)| *j != i as u32).collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            tree.nearest(*p, i as u32, 8, &mut found);
            assert_eq!(found, all[..8]);
        }
        tree.nearest(DVec3::ZERO, 0, 0, &mut found);
        assert!(found.is_empty());
        Neighbours::of(&points[..1]).nearest(DVec3::ZERO, 0, 8, &mut found);
        assert!(found.is_empty());
    }
}
