//! Which way a surface faces, piece by piece.
//!
//! Triangles wind counter-clockwise seen from outside, but files come mirrored, and single parts of them turned over. A
//! piece is what hangs together over edges of two triangles; neighbours must run along their edge in opposite directions,
//! which tells how each triangle is wound against the first (`pieces`). Which side is out, the winding number of the piece
//! tells: on the surface of a body it is 1/2 where triangles face outwards and -1/2 where they face inwards, a sign that
//! agrees with that of the signed volume, holds for surfaces with holes, and is near nought where there is no outside, as
//! on a sheet. What no piece tells alone all of them may tell together, as patches of one skin do.
//!
//! A piece inside another may face either way: an eye, or the wall of a mouth. It is left alone, unless most of the
//! surface round it is inside out: then the file was mirrored as a whole.

mod pieces;
mod sample;
#[cfg(test)]
mod tests;

use super::{weld::weld, winding::WindingTree};
use crate::{
    parallel,
    rig::{Mesh, Part, Rig, Topology, normals_of},
};
use glam::{DVec3, Vec3};
use pieces::Pieces;
use sample::{Sample, number, tree};
use std::sync::Arc;

/// How sure a side is called the outside: 1 is a closed surface, 0 a flat one. A half sphere has 0.6, a half tube 0.5.
const SURE: f64 = 0.5;
/// So much of what is unclear must be clear together to be patches of one skin: in a soup some always are, by chance.
const ONE_SKIN: f64 = 0.75;
/// What the number of all others is inside one of them, with room for holes.
const INSIDE: f64 = 0.75;
/// Places that are looked at, of all pieces together and of one at the most. A file of a million loose triangles would
/// else take minutes.
const SAMPLES: usize = 8_000;
const MOST: usize = 64;
/// Clusters and triangles that are summed for all places together, at the most: a second or two. In a soup of triangles as
/// large as the whole, each place sees every triangle by itself.
const MOST_TERMS: usize = 1 << 27;

/// Which way a piece of a surface faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// As it should.
    Outward,
    /// Inside out, as a whole or in places.
    Inward,
    /// Inwards inside another piece, as the wall of a hollow does.
    Hollow,
    /// Flat, open, or wound both ways: it has no outside.
    Unclear,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facing {
    /// Of each triangle: whether it is inside out.
    turned: Vec<bool>,
    /// The piece of each triangle; none for those without area.
    piece_of: Vec<Option<u32>>,
    sides: Vec<Side>,
    /// Share of the area that has an outside.
    clear: f64,
}

/// A part of a rig of which something is inside out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct InsideOut {
    /// Name of the part.
    pub part: String,
    /// How many of its triangles.
    pub inside_out: usize,
    /// How many it has.
    pub triangles: usize,
}

impl Facing {
    /// Of a mesh at rest. Copies of a vertex along seams are one point, as everywhere in `measure`.
    pub fn of(mesh: &Mesh) -> Self {
        let weld = weld(&mesh.positions);
        let points: Vec<DVec3> = weld.first_of.iter().map(|&v| mesh.positions[v as usize].as_dvec3()).collect();
        let corner = |v: u32| weld.welded_of.get(v as usize).copied().unwrap_or(u32::MAX);
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(corner)).collect();
        Self::welded(&points, &triangles)
    }

    /// Of triangles over points that are welded already.
    pub(crate) fn welded(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let pieces = Pieces::of(points, triangles);
        let count = pieces.members.len();
        let each = (SAMPLES / count.max(1)).clamp(1, MOST);
        let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); count];
        pieces.largest(SAMPLES).into_iter().for_each(|p| samples[p] = pieces.samples(p, each));

        // How much each piece faces outwards, if all of it is wound as its first triangle is.
        let mut outward = vec![0.0; count];
        parallel::for_each_block(&mut outward, 16, |first, block| {
            for (piece, out) in (first..).zip(block) {
                let samples = &samples[piece];
                if !samples.is_empty() && pieces.members[piece].len() > 2 {
                    *out = 2.0 * number(&tree(&pieces, &pieces.members[piece], |t| pieces.against[t]), samples);
                }
            }
        });
        let is_sure = |p: usize| outward[p].abs() >= SURE;
        let mut turned = pieces.against.clone();
        for (t, piece) in pieces.piece_of.iter().enumerate() {
            turned[t] = piece.is_some_and(|p| is_sure(p as usize) && (turned[t] != (outward[p as usize] < 0.0)));
        }
        let side = |p: usize| {
            let inward = pieces.members[p].iter().any(|&t| turned[t as usize]);
            if !is_sure(p) {
                Side::Unclear
            } else if inward {
                Side::Inward
            } else {
                Side::Outward
            }
        };
        let mut found =
            Self { sides: (0..count).map(side).collect(), piece_of: pieces.piece_of.clone(), turned, clear: 0.0 };
        if count > 1 {
            found.look_together(&pieces, &samples, &outward);
        }
        let area = |p: &usize| pieces.areas[*p];
        let known: f64 = (0..count).filter(|&p| found.sides[p] != Side::Unclear).map(|p| area(&p)).sum();
        let all: f64 = (0..count).map(|p| area(&p)).sum();
        found.clear = if all > 0.0 { (known / all).max(0.0) } else { 0.0 };
        found
    }

    /// What the pieces say of one another, those that were sure of themselves facing outwards.
    fn look_together(&mut self, pieces: &Pieces, samples: &[Vec<Sample>], outward: &[f64]) {
        let all: Vec<u32> = (0..pieces.corners.len() as u32).collect();
        let tree = tree(pieces, &all, |t| self.turned[t]);
        let mut left = affordable(&tree, samples);
        let is_seen = |of: &Vec<Sample>| {
            left = left.saturating_sub(of.len());
            !of.is_empty() && left > 0
        };
        let seen: Vec<bool> = samples.iter().map(is_seen).collect();
        let mut together = vec![0.0; samples.len()];
        parallel::for_each_block(&mut together, 16, |first, block| {
            for (piece, out) in (first..).zip(block) {
                *out = if seen[piece] { number(&tree, &samples[piece]) } else { 0.0 };
            }
        });
        let unclear: Vec<usize> = (0..samples.len()).filter(|&p| self.sides[p] == Side::Unclear).collect();
        let held: Vec<bool> = (0..samples.len())
            .map(|p| self.sides[p] != Side::Unclear && together[p] - 0.5 * outward[p].abs() >= INSIDE)
            .collect();
        let is_patch =
            |p: &usize| (0.5 * SURE..=1.0 - 0.5 * SURE).contains(&together[*p].abs()) && pieces.is_uniform(*p);
        let patches: Vec<usize> = unclear.iter().copied().filter(is_patch).collect();
        let area = |of: &[usize]| -> f64 { of.iter().map(|&p| pieces.areas[p]).sum() };
        if area(&patches) >= ONE_SKIN * area(&unclear) {
            patches.into_iter().for_each(|p| self.set(pieces, p, together[p] < 0.0));
        }
        let area = |side: Side| -> f64 {
            (0..samples.len()).filter(|&p| !held[p] && self.sides[p] == side).map(|p| pieces.areas[p]).sum()
        };
        let mirrored = area(Side::Inward) > area(Side::Outward);
        for piece in (0..samples.len()).filter(|&p| held[p] && pieces.is_uniform(p)) {
            let inward = self.sides[piece] == Side::Inward;
            self.set(pieces, piece, mirrored);
            if inward && !mirrored {
                self.sides[piece] = Side::Hollow;
            }
        }
    }

    fn set(&mut self, pieces: &Pieces, piece: usize, inward: bool) {
        self.sides[piece] = if inward { Side::Inward } else { Side::Outward };
        pieces.members[piece].iter().for_each(|&t| self.turned[t as usize] = inward);
    }

    /// How many triangles are inside out.
    pub fn inside_out(&self) -> usize {
        self.turned.iter().filter(|t| **t).count()
    }

    /// Whether a triangle is inside out.
    pub fn is_inside_out(&self, triangle: usize) -> bool {
        self.turned.get(triangle).copied().unwrap_or(false)
    }

    /// Which way each piece faces, in the order of their first triangles.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The piece of a triangle; none for one without area.
    pub fn piece_of(&self, triangle: usize) -> Option<u32> {
        self.piece_of.get(triangle).copied().flatten()
    }

    /// Share of the area that has an outside, 0 to 1.
    pub fn clear(&self) -> f64 {
        self.clear
    }

    /// The parts of which something is inside out.
    pub fn parts(&self, parts: &[Part]) -> Vec<InsideOut> {
        let told = |part: &Part| {
            let triangles = part.triangles.start as usize..part.triangles.end as usize;
            let inside_out = triangles.clone().filter(|&t| self.is_inside_out(t)).count();
            (inside_out > 0).then(|| InsideOut { part: part.name.clone(), inside_out, triangles: triangles.len() })
        };
        parts.iter().filter_map(told).collect()
    }

    /// Turns what is inside out, and the normals of its vertices where they point against the turned triangles.
    pub fn turn(&self, mesh: &mut Mesh) {
        self.turn_triangles(&mut mesh.triangles);
        let Some(normals) = &mut mesh.normals else { return };
        let faces: Vec<Vec3> = normals_of(&mesh.positions, &mesh.triangles);
        let touched = mesh.triangles.iter().zip(&self.turned).filter(|(_, turned)| **turned);
        let mut vertices: Vec<u32> = touched.flat_map(|(t, _)| *t).collect();
        vertices.sort_unstable();
        vertices.dedup();
        for vertex in vertices {
            if let Some(normal) = normals.get_mut(vertex as usize)
                && normal.dot(faces[vertex as usize]) < 0.0
            {
                *normal = -*normal;
            }
        }
    }

    /// The triangles of a mesh that this is of, all of them as they are but for those that are inside out.
    pub(crate) fn outward(&self, mesh: &Mesh) -> Vec<[u32; 3]> {
        let mut triangles = mesh.triangles.clone();
        self.turn_triangles(&mut triangles);
        triangles
    }

    /// The topology of the skin of a rig that this is of, in which nothing is inside out.
    pub(crate) fn topology(&self, rig: &Rig) -> Arc<Topology> {
        let (surface, outward) = (rig.surface(), self.outward(&rig.mesh));
        if outward == rig.mesh.triangles {
            return Arc::clone(surface.topology());
        }
        let triangles = surface.weld().triangles(&outward);
        Topology::welded(Arc::clone(surface.weld()), triangles).into()
    }

    /// The triangles of the skin of a rig that this is of that have flesh below them, none inside out: sheets have none.
    pub(crate) fn solid(&self, rig: &Rig) -> Vec<[u32; 3]> {
        let has_flesh = |t: usize| self.piece_of[t].is_some_and(|piece| self.sides[piece as usize] != Side::Unclear);
        let all = self.outward(&rig.mesh).into_iter().enumerate();
        let solid: Vec<[u32; 3]> = all.filter(|(t, _)| has_flesh(*t)).map(|(_, corners)| corners).collect();
        rig.surface().weld().triangles(&solid)
    }

    /// A line for methods that take what is inside out the other way round; none where nothing is.
    pub(crate) fn note(&self) -> Option<String> {
        let (some, all) = (self.inside_out(), self.turned.len());
        (some > 0).then(|| format!("{some} of {all} triangles are inside out, and are taken the other way round"))
    }

    /// Turns the triangles alone.
    pub(crate) fn turn_triangles(&self, triangles: &mut [[u32; 3]]) {
        triangles.iter_mut().zip(&self.turned).filter(|(_, turned)| **turned).for_each(|(t, _)| t.swap(1, 2));
    }
}

/// How many samples can be looked at soon, by what some of them see.
fn affordable(tree: &WindingTree, samples: &[Vec<Sample>]) -> usize {
    let count: usize = samples.iter().map(Vec::len).sum();
    let every = (count / 16).max(1);
    let asked: Vec<usize> = samples.iter().flatten().step_by(every).map(|s| s.terms(tree)).collect();
    let mean = asked.iter().sum::<usize>() / asked.len().max(1);
    (MOST_TERMS / mean.max(1)).max(1)
}
