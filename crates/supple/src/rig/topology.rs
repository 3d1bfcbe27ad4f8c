use super::{ByPoint, Mesh, Weld};
use std::sync::Arc;

/// Who is next to whom on the welded surface: one-rings in flat arrays, edges, boundaries, components.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Which vertices are one point. All indices below are welded ones.
    pub weld: Arc<Weld>,
    /// Triangles over welded points.
    pub triangles: Vec<[u32; 3]>,
    /// Every edge once, smaller index first, ascending.
    pub edges: Vec<[u32; 2]>,
    /// How many triangles use each edge.
    pub edge_uses: Vec<u32>,
    ring_starts: Vec<u32>,
    ring: Vec<u32>,
    /// Component of each point; a point no triangle uses is a component of its own.
    pub component_of: Vec<u32>,
    /// Number of components.
    pub components: usize,
}

impl Topology {
    /// Derives everything from a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let weld = Weld::of(&mesh.positions);
        let triangles = weld.triangles(&mesh.triangles);
        Self::welded(weld, triangles)
    }

    /// Derives everything from triangles over points that are welded already.
    pub(crate) fn welded(weld: impl Into<Arc<Weld>>, triangles: Vec<[u32; 3]>) -> Self {
        let weld = weld.into();
        #[cfg(test)]
        super::rest_surface::built::count("topology", weld.welded_of.len());
        let points = weld.first_of.len();
        let halves = || {
            let sides = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
            sides.map(|(a, b)| (a.min(b), a.max(b)))
        };
        let mut others = ByPoint::of(points, halves);
        others.sort_by_key(|other| *other);
        let (mut edges, mut edge_uses) = (Vec::with_capacity(triangles.len() * 3 / 2), Vec::new());
        for (point, others) in others.lists() {
            for same in others.chunk_by(|a, b| a == b) {
                edges.push([point, same[0]]);
                edge_uses.push(same.len() as u32);
            }
        }
        let mut ring_starts = vec![0u32; points + 1];
        for &[a, b] in &edges {
            ring_starts[a as usize + 1] += 1;
            ring_starts[b as usize + 1] += 1;
        }
        for i in 0..points {
            ring_starts[i + 1] += ring_starts[i];
        }
        let mut next = ring_starts.clone();
        let mut ring = vec![0u32; edges.len() * 2];
        for &[a, b] in &edges {
            for (from, to) in [(a, b), (b, a)] {
                ring[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        let mut topology = Self {
            weld,
            triangles,
            edges,
            edge_uses,
            ring_starts,
            ring,
            component_of: vec![u32::MAX; points],
            components: 0,
        };
        topology.label_components();
        topology
    }

    fn label_components(&mut self) {
        let mut stack = Vec::new();
        for seed in 0..self.component_of.len() {
            if self.component_of[seed] != u32::MAX {
                continue;
            }
            let label = self.components as u32;
            self.components += 1;
            self.component_of[seed] = label;
            stack.push(seed as u32);
            while let Some(i) = stack.pop() {
                let (from, to) = (self.ring_starts[i as usize] as usize, self.ring_starts[i as usize + 1] as usize);
                for &j in &self.ring[from..to] {
                    if self.component_of[j as usize] == u32::MAX {
                        self.component_of[j as usize] = label;
                        stack.push(j);
                    }
                }
            }
        }
    }

    /// Number of welded points.
    pub fn points(&self) -> usize {
        self.weld.first_of.len()
    }

    /// The neighbours of a point, ascending.
    pub fn ring(&self, point: u32) -> &[u32] {
        &self.ring[self.ring_starts[point as usize] as usize..self.ring_starts[point as usize + 1] as usize]
    }

    /// Edges used by one triangle only.
    pub fn boundary_edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.edges.iter().zip(&self.edge_uses).filter(|(_, uses)| **uses == 1).map(|(e, _)| *e)
    }

    /// Edges used by more than two triangles.
    pub fn non_manifold_edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.edges.iter().zip(&self.edge_uses).filter(|(_, uses)| **uses > 2).map(|(e, _)| *e)
    }

    /// True where every edge has exactly two triangles.
    pub fn is_closed(&self) -> bool {
        !self.triangles.is_empty() && self.edge_uses.iter().all(|&uses| uses == 2)
    }

    /// True where the triangles round every point form one fan and no edge has more than two.
    pub fn is_manifold(&self) -> bool {
        if self.non_manifold_edges().next().is_some() {
            return false;
        }
        let mut fans = vec![Vec::new(); self.points()];
        for &[a, b, c] in &self.triangles {
            fans[a as usize].push([b, c]);
            fans[b as usize].push([c, a]);
            fans[c as usize].push([a, b]);
        }
        fans.iter().all(|fan| one_fan(fan))
    }

    /// True where neighbouring triangles run along their shared edge in opposite directions.
    pub fn is_oriented(&self) -> bool {
        let mut halves: Vec<[u32; 2]> = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        halves.sort_unstable();
        halves.windows(2).all(|w| w[0] != w[1])
    }
}

/// Whether the edges opposite a point join up to a single path or loop.
fn one_fan(opposite: &[[u32; 2]]) -> bool {
    if opposite.len() < 2 {
        return true;
    }
    let mut reached = vec![false; opposite.len()];
    let mut stack = vec![0];
    reached[0] = true;
    while let Some(i) = stack.pop() {
        for (j, other) in opposite.iter().enumerate() {
            if !reached[j] && other.iter().any(|v| opposite[i].contains(v)) {
                reached[j] = true;
                stack.push(j);
            }
        }
    }
    reached.iter().all(|&r| r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn tetrahedron() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            ..Mesh::default()
        }
    }

    #[test]
    fn a_tetrahedron_is_closed_manifold_and_one_piece() {
        let t = Topology::of(&tetrahedron());
        assert_eq!((t.edges.len(), t.components), (6, 1));
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        assert_eq!(t.ring(0), [1, 2, 3]);
        assert!(tetrahedron().volume() > 0.0);
    }

    #[test]
    fn a_missing_triangle_leaves_a_boundary() {
        let mut mesh = tetrahedron();
        mesh.triangles.pop();
        let t = Topology::of(&mesh);
        assert!(!t.is_closed() && t.is_manifold());
        assert_eq!(t.boundary_edges().count(), 3);
    }

    #[test]
    fn a_fin_is_not_manifold() {
        let mut mesh = tetrahedron();
        mesh.positions.push(Vec3::NEG_Z);
        mesh.triangles.push([0, 1, 4]);
        assert!(!Topology::of(&mesh).is_manifold());
    }

    #[test]
    fn two_fans_on_one_vertex_are_not_manifold() {
        let mut mesh = tetrahedron();
        mesh.positions.extend([Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z]);
        mesh.triangles.extend([[0, 4, 5], [0, 5, 6], [0, 6, 4], [4, 6, 5]]);
        let t = Topology::of(&mesh);
        assert!(t.is_closed() && !t.is_manifold());
    }

    #[test]
    fn islands_and_loose_points_are_components() {
        let mut mesh = tetrahedron();
        mesh.positions.push(Vec3::splat(9.0));
        assert_eq!(Topology::of(&mesh).components, 2);
    }
}
