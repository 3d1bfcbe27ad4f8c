//! A skin in fewer triangles, for drawing while something moves where drawing takes long. Its corners are vertices of the
//! skin, so that it follows every pose.
//!
//! Vertices that lie in one cell of a grid at rest and follow the same joint become one; triangles that lose a corner by
//! that are left out.

use std::{collections::HashMap, ops::Range};
use supple::rig::Rig;

/// About as many triangles are left; a skin with not many more is drawn as it is.
const TRIANGLES: usize = 6_000;

/// Corners to draw instead of those of the skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Draft {
    /// For each the corner of the skin whose looks it has, and the vertex where it is.
    pub corners: Vec<[u32; 2]>,
    /// Triangles of each of the skin's runs.
    pub runs: Vec<Range<u32>>,
}

impl Draft {
    /// Nothing for a skin with few triangles.
    pub fn of(rig: &Rig, runs: &[Range<u32>]) -> Self {
        let mesh = &rig.mesh;
        if mesh.triangles.len() < 2 * TRIANGLES {
            return Self::default();
        }
        // A plane grid through a surface has about two triangles in each cell that it meets, and it meets half as many
        // again as lie flat in it.
        let side = (3.0 * mesh.area() / TRIANGLES as f64).sqrt();
        if !(side.is_finite() && side > 0.0) {
            return Self::default();
        }
        let mut met = HashMap::new();
        let mut stands_for = Vec::with_capacity(mesh.positions.len());
        for (v, p) in (0_u32..).zip(&mesh.positions) {
            let cell = (p.as_dvec3() / side).floor().as_i64vec3();
            let joint = rig.weights.as_ref().map_or(0, |w| w.dominant(v as usize));
            stands_for.push(*met.entry((cell, joint)).or_insert(v));
        }
        let mut draft = Self::default();
        for run in runs {
            let first = draft.corners.len() as u32 / 3;
            for t in run.clone() {
                let [a, b, c] = mesh.triangles[t as usize].map(|v| stands_for[v as usize]);
                if a != b && b != c && c != a {
                    draft.corners.extend([[3 * t, a], [3 * t + 1, b], [3 * t + 2, c]]);
                }
            }
            draft.runs.push(first..draft.corners.len() as u32 / 3);
        }
        draft
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::example::{HandOptions, hand};

    #[test]
    fn a_draft_has_few_triangles_of_the_skin_and_bridges_no_limbs() {
        let rig = hand(&HandOptions { vertices: 31_750, ..Default::default() }).expect("it is made");
        let all = rig.mesh.triangles.len() as u32;
        let draft = Draft::of(&rig, &[0..all / 2, all / 2..all]);
        let triangles = draft.corners.len() / 3;
        assert!((TRIANGLES / 3..TRIANGLES * 2).contains(&triangles), "{triangles} triangles");
        assert_eq!(draft.runs[0].end, draft.runs[1].start);
        assert_eq!(draft.runs[1].end as usize, triangles);
        let weights = rig.weights.as_ref().expect("it has some");
        for &[corner, vertex] in &draft.corners {
            let own = rig.mesh.triangles[corner as usize / 3][corner as usize % 3];
            assert_eq!(weights.dominant(own as usize), weights.dominant(vertex as usize));
        }
    }

    #[test]
    fn few_triangles_are_drawn_as_they_are() {
        let rig = hand(&HandOptions { vertices: 3_000, ..Default::default() }).expect("it is made");
        let all = 0..rig.mesh.triangles.len() as u32;
        assert_eq!(Draft::of(&rig, std::slice::from_ref(&all)), Draft::default());
    }
}
