use crate::rig::{Rig, Topology};
use glam::DVec3;

/// The welded skin as the cuts see it: every triangle once, whatever the file repeats, with the numbers of its edges.
#[derive(Debug)]
pub(crate) struct Surface {
    pub topology: Topology,
    pub points: Vec<DVec3>,
    /// Triangles over welded points, none twice.
    pub triangles: Vec<[u32; 3]>,
    /// Edge k of a triangle runs from corner k to the next.
    pub sides: Vec<[u32; 3]>,
    /// How many of the triangles above use each edge of the topology.
    pub uses: Vec<u32>,
}

impl Surface {
    pub fn of(rig: &Rig) -> Self {
        let topology = Topology::of(&rig.mesh);
        let points = topology.weld.first_of.iter().map(|&v| rig.mesh.positions[v as usize].as_dvec3()).collect();
        let sorted = |mut t: [u32; 3]| {
            t.sort_unstable();
            t
        };
        let mut keyed: Vec<([u32; 3], u32)> =
            topology.triangles.iter().enumerate().map(|(i, &t)| (sorted(t), i as u32)).collect();
        keyed.sort_unstable();
        keyed.dedup_by_key(|(key, _)| *key);
        let mut kept: Vec<u32> = keyed.into_iter().map(|(_, i)| i).collect();
        kept.sort_unstable();
        let triangles: Vec<[u32; 3]> = kept.into_iter().map(|i| topology.triangles[i as usize]).collect();
        let mut uses = vec![0; topology.edges.len()];
        let edge = |a: u32, b: u32| topology.edges.binary_search(&[a.min(b), a.max(b)]).unwrap_or_default() as u32;
        let sides: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
        for side in sides.iter().flatten() {
            uses[*side as usize] += 1;
        }
        Self { topology, points, triangles, sides, uses }
    }

    pub fn point(&self, i: u32) -> DVec3 {
        self.points[i as usize]
    }

    /// The place at `t` along an edge, from its smaller index to its larger.
    pub fn on_edge(&self, edge: u32, t: f64) -> DVec3 {
        let [a, b] = self.topology.edges[edge as usize];
        self.point(a).lerp(self.point(b), t)
    }
}
