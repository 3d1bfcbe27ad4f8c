use crate::{
    parallel,
    rig::{Mesh, SurfaceTree, Topology},
};
use glam::Vec3;

/// Radii that a point looks ahead: a limb that has entered another one by more has left it on the other side.
const AHEAD: f64 = 2.0;
const BLOCK: usize = 256;

/// What a point of the skin finds straight ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Meeting {
    /// Nothing.
    #[default]
    Nobody,
    /// Skin that faces it, so far away.
    Across(f64),
    /// Skin that faces away: it is inside a limb.
    Inside,
}

impl Meeting {
    /// How wide the gap to other skin is; nought inside of it.
    pub fn gap(&self) -> Option<f64> {
        match *self {
            Self::Nobody => None,
            Self::Across(gap) => Some(gap),
            Self::Inside => Some(0.0),
        }
    }
}

/// What each point finds; those without a radius do not look.
pub(super) fn meetings(topology: &Topology, points: &[Vec3], radii: &[f64]) -> Vec<Meeting> {
    let triangles = topology.triangles.clone();
    let mesh = Mesh { positions: points.to_vec(), triangles, ..Mesh::default() };
    let tree = SurfaceTree::of_some(&mesh, 0..mesh.triangles.len() as u32);
    let corners = |t: usize| mesh.triangles[t].map(|i| mesh.positions[i as usize]);
    let mut normals = vec![Vec3::ZERO; points.len()];
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let normal = normal(corners(t));
        triangle.iter().for_each(|&i| normals[i as usize] += normal);
    }
    let mut out = vec![Meeting::Nobody; points.len()];
    parallel::for_each_block(&mut out, BLOCK, |first, block| {
        for (i, meeting) in (first..).zip(block) {
            let (ahead, reach) = (normals[i].normalize_or_zero(), (AHEAD * radii[i]) as f32);
            if reach <= 0.0 || ahead == Vec3::ZERO {
                continue;
            }
            let mut nearest = f32::INFINITY;
            tree.hits(points[i], points[i] + ahead * reach, |hit| {
                let t = hit.triangle as usize;
                // Not its own skin.
                if hit.along < nearest && !mesh.triangles[t].contains(&(i as u32)) {
                    nearest = hit.along;
                    let faces = normal(corners(t)).dot(ahead) < 0.0;
                    *meeting = if faces { Meeting::Across(f64::from(hit.along * reach)) } else { Meeting::Inside };
                }
                true
            });
        }
    });
    out
}

fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
