use super::mend::mended;
use crate::rig::{Rig, Topology};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// Rounds of smoothing before the cuts, and its two steps: forth, and a little farther back, so that limbs keep their
/// thickness (G. Taubin, *A signal processing approach to fair surface design*, 1995).
const ROUNDS: usize = 4;
const STEPS: [f64; 2] = [0.5, -0.53];

/// The welded skin as the cuts see it: every triangle once, whatever the file repeats, with the numbers of its edges, and small
/// holes closed. Points and vertices of the latter come last.
#[derive(Debug)]
pub(crate) struct Surface {
    pub topology: Arc<Topology>,
    pub vertices: Vec<Vec3>,
    pub points: Vec<DVec3>,
    /// The same without the roughness that would make one plane look shorter than its neighbour.
    pub smooth: Vec<DVec3>,
    /// Triangles over welded points, none twice.
    pub triangles: Vec<[u32; 3]>,
    /// Edge k of a triangle runs from corner k to the next.
    pub sides: Vec<[u32; 3]>,
    /// How many of the triangles above use each edge of the topology.
    pub uses: Vec<u32>,
}

impl Surface {
    pub fn of(rig: &Rig) -> Self {
        let mut topology = rig.surface().topology().clone();
        let mended = mended(&rig.mesh, &topology);
        if let Some(mesh) = &mended {
            topology = mesh.surface().topology().clone();
        }
        let vertices = mended.map_or_else(|| rig.mesh.positions.clone(), |mesh| mesh.positions);
        let points: Vec<DVec3> = topology.weld.first_of.iter().map(|&v| vertices[v as usize].as_dvec3()).collect();
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
        let smooth = smoothed(&topology, &points);
        Self { topology, vertices, points, smooth, triangles, sides, uses }
    }

    pub fn smooth_point(&self, i: u32) -> DVec3 {
        self.smooth[i as usize]
    }

    pub fn point(&self, i: u32) -> DVec3 {
        self.points[i as usize]
    }

    /// The smooth place at `t` along an edge, from its smaller index to its larger.
    pub fn on_edge(&self, edge: u32, t: f64) -> DVec3 {
        let [a, b] = self.topology.edges[edge as usize];
        self.smooth_point(a).lerp(self.smooth_point(b), t)
    }
}

/// Rims stay where they are: a hole must not widen.
fn smoothed(topology: &Topology, points: &[DVec3]) -> Vec<DVec3> {
    let mut rim = vec![false; points.len()];
    topology.boundary_edges().flatten().for_each(|p| rim[p as usize] = true);
    let (mut from, mut to) = (points.to_vec(), points.to_vec());
    for step in STEPS.repeat(ROUNDS) {
        for (p, to) in to.iter_mut().enumerate() {
            let ring = topology.ring(p as u32);
            if !rim[p] && !ring.is_empty() {
                let mean = ring.iter().map(|&q| from[q as usize]).sum::<DVec3>() / ring.len() as f64;
                *to = from[p] + (mean - from[p]) * step;
            }
        }
        std::mem::swap(&mut from, &mut to);
    }
    from
}
