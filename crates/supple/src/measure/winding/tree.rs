use super::{half_solid_angle, moments::Moments};
use crate::parallel;
use glam::{DVec3, Vec3};
use std::f64::consts::PI;

/// Triangles that are summed one by one instead of being split further.
const LEAF: usize = 8;

/// Winding numbers of a triangle soup at any point, in about the logarithm of the number of triangles: exact near by, by
/// Taylor expansion to second order where a cluster is farther away than `beta` times its radius.
#[derive(Clone, Debug, Default)]
pub struct WindingTree {
    nodes: Vec<Node>,
    triangles: Vec<[DVec3; 3]>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    moments: Moments,
    /// Beyond this squared distance the moments will do.
    far: f64,
    first: u32,
    count: u32,
    /// The node after this one's last descendant: where to go on when nothing below is looked at.
    skip: u32,
}

impl WindingTree {
    /// How far away a cluster is looked at as a whole, in radii: at 2, as libigl has it, numbers are off by about a
    /// thousandth.
    pub const BETA: f64 = 2.0;

    /// Of triangles over points. Those with a corner that is not finite are left out.
    ///
    /// # Panics
    /// When a triangle names a point that does not exist.
    pub fn of(points: &[Vec3], triangles: &[[u32; 3]], beta: f64) -> Self {
        let corners = triangles.iter().map(|t| t.map(|i| points[i as usize].as_dvec3()));
        Self::of_corners(corners.collect(), beta)
    }

    pub(crate) fn of_corners(mut triangles: Vec<[DVec3; 3]>, beta: f64) -> Self {
        triangles.retain(|t| t.iter().all(|p| p.is_finite()));
        let mut nodes = vec![Node::default(); clusters(triangles.len())];
        grow(&mut nodes, &mut triangles, [0, 0], beta);
        Self { nodes, triangles }
    }

    /// The winding number at a point.
    pub fn at(&self, point: DVec3) -> f64 {
        let (mut far, mut near) = (0.0, 0.0);
        self.walk(point, |term| match term {
            Term::Far(moments, r) => far += moments.winding(r),
            Term::Near(triangles) => triangles.iter().for_each(|t| near += half_solid_angle(*t, point)),
        });
        far + near / (2.0 * PI)
    }

    /// How many clusters and triangles are summed for a point.
    pub(crate) fn terms(&self, point: DVec3) -> usize {
        let mut terms = 0;
        self.walk(point, |term| terms += if let Term::Near(triangles) = term { triangles.len() } else { 1 });
        terms
    }

    fn walk<'a>(&'a self, point: DVec3, mut term: impl FnMut(Term<'a>)) {
        let mut i = 0;
        while let Some(node) = self.nodes.get(i) {
            let r = node.moments.center - point;
            if r.length_squared() > node.far {
                term(Term::Far(&node.moments, r));
                i = node.skip as usize;
                continue;
            }
            if node.count > 0 {
                term(Term::Near(&self.triangles[node.first as usize..(node.first + node.count) as usize]));
            }
            i += 1;
        }
    }
}

/// How many nodes so many triangles have.
fn clusters(triangles: usize) -> usize {
    match triangles {
        0 => 0,
        1..=LEAF => 1,
        _ => 1 + clusters(triangles / 2) + clusters(triangles - triangles / 2),
    }
}

/// Makes the nodes of some triangles, which it puts in their order; `first` are the numbers of the first node and triangle.
fn grow(nodes: &mut [Node], triangles: &mut [[DVec3; 3]], first: [usize; 2], beta: f64) {
    let skip = (first[0] + nodes.len()) as u32;
    let Some((node, below)) = nodes.split_first_mut() else { return };
    let moments = Moments::of(triangles);
    let radius2 = triangles.iter().flatten().map(|p| p.distance_squared(moments.center)).fold(0.0, f64::max);
    let is_leaf = triangles.len() <= LEAF;
    let count = if is_leaf { triangles.len() as u32 } else { 0 };
    *node = Node { moments, far: beta * beta * radius2, first: first[1] as u32, count, skip };
    if is_leaf {
        return;
    }
    let middle = |t: &[DVec3; 3]| t[0] + t[1] + t[2];
    let low = triangles.iter().map(middle).fold(DVec3::INFINITY, DVec3::min);
    let high = triangles.iter().map(middle).fold(DVec3::NEG_INFINITY, DVec3::max);
    let axis = (high - low).max_position();
    let half = triangles.len() / 2;
    triangles.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (one, other) = triangles.split_at_mut(half);
    let (above, beyond) = below.split_at_mut(clusters(half));
    let next = [first[0] + 1 + above.len(), first[1] + half];
    let near = || grow(above, one, [first[0] + 1, first[1]], beta);
    let far = || grow(beyond, other, next, beta);
    parallel::join(near, far);
}

/// What a point sees of a part of the triangles.
enum Term<'a> {
    /// All of it at once, from so far away.
    Far(&'a Moments, DVec3),
    /// Each triangle.
    Near(&'a [[DVec3; 3]]),
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            tests::{joined, noise, sphere},
            winding_number,
        },
        *,
    };

    #[test]
    fn the_tree_agrees_with_the_exact_sum() {
        let (points, mut triangles) = joined(sphere(Vec3::ZERO, 1.0, 4), sphere(Vec3::new(0.7, 0.2, 0.1), 0.8, 4));
        triangles.truncate(triangles.len() * 3 / 4);
        let tree = WindingTree::of(&points, &triangles, WindingTree::BETA);
        let (mut random, mut worst, mut sum) = (noise(1), 0.0f64, 0.0);
        for _ in 0..2000 {
            let at = DVec3::new(random(), random(), random()) * 4.0 - 2.0;
            let error = (tree.at(at) - winding_number(&points, &triangles, at)).abs();
            worst = worst.max(error);
            sum += error;
        }
        assert!(worst < 0.01 && sum / 2000.0 < 0.001, "worst {worst}, mean {}", sum / 2000.0);
        let careful = WindingTree::of(&points, &triangles, 1e9);
        let at = DVec3::new(0.1, 0.2, 0.3);
        assert!((careful.at(at) - winding_number(&points, &triangles, at)).abs() < 1e-12);
    }

    #[test]
    fn nothing_and_nonsense_have_no_winding_number() {
        assert_eq!(WindingTree::default().at(DVec3::ZERO), 0.0);
        let points = [Vec3::ZERO, Vec3::X, Vec3::NAN, Vec3::ZERO];
        let tree = WindingTree::of(&points, &[[0, 1, 2], [0, 0, 1], [0, 3, 0]], 2.0);
        assert_eq!(tree.at(DVec3::new(0.5, 0.0, 0.0)), 0.0);
        assert_eq!(tree.at(DVec3::ZERO), 0.0);
    }
}
