use glam::DVec3;

/// The edges along which a surface does not close, and the cones that would close it.
///
/// An edge belongs here as often as the triangles on one side of it outnumber those on the other; so do edges where
/// neighbours face opposite ways. Together they are loops, and each connected set of them gets one tip, at the mean of
/// its points: a cone over a hole is then as small as the hole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holes {
    /// Edge as its surplus triangles run along it, and the loop it belongs to.
    edges: Vec<([u32; 2], u32)>,
    tips: usize,
}

impl Holes {
    pub fn of(points: usize, triangles: &[[u32; 3]]) -> Self {
        let mut halves = Vec::with_capacity(triangles.len() * 3);
        for &[a, b, c] in triangles {
            for [a, b] in [[a, b], [b, c], [c, a]] {
                halves.push(if a < b { (a, b, 1) } else { (b, a, -1) });
            }
        }
        halves.sort_unstable();
        let mut edges = Vec::new();
        let mut leader: Vec<u32> = (0..points as u32).collect();
        for run in halves.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let (a, b, _) = run[0];
            let surplus: i32 = run.iter().map(|h| h.2).sum();
            let edge = if surplus > 0 { [a, b] } else { [b, a] };
            edges.extend(std::iter::repeat_n((edge, 0), surplus.unsigned_abs() as usize));
            if surplus != 0 {
                let (x, y) = (root(&mut leader, a), root(&mut leader, b));
                leader[x.max(y) as usize] = x.min(y);
            }
        }
        let mut tips = 0;
        let mut tip_of = vec![u32::MAX; points];
        for (edge, tip) in &mut edges {
            let slot = &mut tip_of[root(&mut leader, edge[0]) as usize];
            if *slot == u32::MAX {
                *slot = tips;
                tips += 1;
            }
            *tip = *slot;
        }
        Self { edges, tips: tips as usize }
    }

    /// How many edges there are, each as often as it is open.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Appends the tips to the points and gives the triangles of the cones: with them the surface closes.
    pub fn cones(&self, points: &mut Vec<DVec3>) -> Vec<[u32; 3]> {
        let first = points.len() as u32;
        let mut sums = vec![(DVec3::ZERO, 0.0); self.tips];
        for (edge, tip) in &self.edges {
            let sum = &mut sums[*tip as usize];
            *sum = (sum.0 + points[edge[0] as usize] + points[edge[1] as usize], sum.1 + 2.0);
        }
        points.extend(sums.iter().map(|(sum, count)| *sum / *count));
        self.edges.iter().map(|([a, b], tip)| [*b, *a, first + tip]).collect()
    }
}

fn root(leader: &mut [u32], mut i: u32) -> u32 {
    while leader[i as usize] != i {
        let above = leader[leader[i as usize] as usize];
        leader[i as usize] = above;
        i = above;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::{super::tests::sphere, *};
    use glam::Vec3;

    #[test]
    fn a_closed_surface_has_no_holes_and_cones_close_an_open_one() {
        let (points, mut triangles) = sphere(Vec3::ZERO, 1.0, 2);
        assert!(Holes::of(points.len(), &triangles).edges.is_empty());
        // Two holes, one triangle turned, one there twice.
        triangles.remove(40);
        triangles.remove(3);
        triangles[60].swap(0, 1);
        triangles.push(triangles[90]);
        let holes = Holes::of(points.len(), &triangles);
        assert_eq!(holes.tips, 4);
        let mut points: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        triangles.extend(holes.cones(&mut points));
        assert!(Holes::of(points.len(), &triangles).edges.is_empty());
    }
}
