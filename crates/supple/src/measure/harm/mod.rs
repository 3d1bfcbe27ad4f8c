//! What a method does harm to, against the start that it corrects: limbs that wither, gaps that open where skin lay against skin, skin
//! torn beside a crease, and corrections that pop from frame to frame. No reference is needed.
//!
//! A method that keeps limbs apart can have no overlap by making them thin; these figures show it. `docs/src/figures.md` defines them.

mod meeting;
mod sections;
mod start;

pub use start::{Pop, Start};

use super::{
    Facing, MeasureError,
    rigged::{distances, own_bones},
    weld::weld,
};
use crate::rig::{Rig, Topology};
use glam::{DVec3, Vec3};
use meeting::{Meeting, meetings};
use sections::Section;
use serde::Serialize;

/// Skin nearer to other skin than this share of its limb's radius touches it. The smallest gap that is seen on a whole character.
const TOUCHING: f64 = 0.1;
/// Radii across which skin faces other skin: what is farther apart belongs to two limbs that have parted.
const ACROSS: f64 = 0.5;
/// Radii along the skin from a touching point that belong to its crease.
const BESIDE: f64 = 0.5;

/// Harm done to a pose. None where the rig has no weights, no bones or no outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HarmFigures {
    /// The thinnest section of a limb that touches nothing: its area over that of the start or of rest there, whichever is less.
    pub withering: Option<f64>,
    /// Area of skin across from other skin in a gap that the start does not have, over the square of its limb's radius.
    pub gape: Option<f64>,
    /// The largest stretch beside a crease, over that of the start there.
    pub tear: Option<f64>,
}

/// A rig at rest, ready to be asked what harm was done to any of its poses.
#[derive(Clone, Debug)]
pub struct HarmGauge {
    vertices: usize,
    topology: Topology,
    /// Of the bone that each point lies along; nought where there is none.
    radii: Vec<f64>,
    /// A third of the triangles round each point, at rest.
    areas: Vec<f64>,
    lengths: Vec<f64>,
    sections: Vec<Section>,
}

impl HarmGauge {
    /// None where the rig has no weights, no bones, coordinates that are not finite, or too little surface with an outside.
    pub fn new(rig: &Rig) -> Result<Option<Self>, MeasureError> {
        let positions = &rig.mesh.positions;
        super::surface::check_triangles(positions.len(), &rig.mesh.triangles)?;
        let Some(weights) = rig.weights.as_ref().filter(|w| w.len() == positions.len()) else { return Ok(None) };
        let joints = rig.skeleton.len();
        if !positions.iter().all(|p| p.is_finite()) || weights.largest_joint().is_some_and(|j| usize::from(j) >= joints)
        {
            return Ok(None);
        }
        let weld = weld(positions);
        let rest: Vec<DVec3> = weld.first_of.iter().map(|&v| positions[v as usize].as_dvec3()).collect();
        let mut triangles = weld.triangles(&rig.mesh.triangles);
        let facing = Facing::welded(&rest, &triangles);
        let (bones, _) = rig.skeleton.bones(positions, Some(weights));
        if bones.is_empty() || facing.clear() < super::surface::JUDGED {
            return Ok(None);
        }
        facing.turn_triangles(&mut triangles);
        let topology = Topology::welded(weld, triangles);
        let all: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        let own = own_bones(&all, &bones, Some(weights));
        let medians = distances(&own, bones.len(), 50.0);
        let radius = |&v: &u32| own[v as usize].map_or(0.0, |(bone, _)| medians[bone as usize]);
        let radii = topology.weld.first_of.iter().map(radius).collect();
        let owner: Vec<usize> = topology.weld.first_of.iter().map(|&v| weights.dominant(v as usize)).collect();
        let sections = sections::along(&topology, &rest, &bones, &owner);
        let mut areas = vec![0.0; rest.len()];
        for t in &topology.triangles {
            let [a, b, c] = t.map(|i| rest[i as usize]);
            let third = (b - a).cross(c - a).length() / 6.0;
            t.iter().for_each(|&i| areas[i as usize] += third);
        }
        let lengths = lengths(&topology, &rest);
        Ok(Some(Self { vertices: positions.len(), topology, radii, areas, lengths, sections }))
    }

    /// What harm a result does to its start in the same pose.
    pub fn figures(&self, start: &[Vec3], posed: &[Vec3]) -> Result<HarmFigures, MeasureError> {
        for points in [start, posed] {
            if points.len() != self.vertices {
                return Err(MeasureError::Counts { rest: self.vertices, posed: points.len() });
            }
        }
        if !start.iter().chain(posed).all(|p| p.is_finite()) {
            return Ok(HarmFigures::default());
        }
        let [start, posed] = [start, posed].map(|points| self.topology.weld.gather(points));
        let before = meetings(&self.topology, &start, &self.radii);
        let after = meetings(&self.topology, &posed, &self.radii);
        let near = |m: &Meeting, radius: f64| m.gap().is_some_and(|gap| gap <= TOUCHING * radius);
        let touching: Vec<bool> =
            (0..self.radii.len()).map(|i| near(&before[i], self.radii[i]) || near(&after[i], self.radii[i])).collect();
        let [start, posed] = [start, posed].map(|points| points.iter().map(|p| p.as_dvec3()).collect::<Vec<_>>());
        Ok(HarmFigures {
            withering: sections::thinnest(&self.sections, &start, &posed, &touching),
            gape: Some(self.gape(&before, &after)),
            tear: self.tear(&start, &posed, &touching),
        })
    }

    fn gape(&self, before: &[Meeting], after: &[Meeting]) -> f64 {
        let opened = |i: &usize| {
            let (radius, was) = (self.radii[*i], before[*i].gap());
            let (Some(was), Meeting::Across(now)) = (was.filter(|_| radius > 0.0), after[*i]) else { return false };
            was <= TOUCHING * radius && now - was > TOUCHING * radius && now <= ACROSS * radius
        };
        // Started from nought, because a sum of nothing is minus nought.
        (0..self.radii.len()).filter(opened).fold(0.0, |sum, i| sum + self.areas[i] / self.radii[i].powi(2))
    }

    /// The worst crease; none where nothing touches.
    fn tear(&self, start: &[DVec3], posed: &[DVec3], touching: &[bool]) -> Option<f64> {
        let crease = self.creases(touching);
        let [before, after] = [start, posed].map(|points| lengths(&self.topology, points));
        let count = crease.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let mut worst = vec![[1.0f64, 0.0]; count];
        for (e, &[a, b]) in self.topology.edges.iter().enumerate() {
            let (Some(i), rest) = (crease[a as usize].filter(|i| crease[b as usize] == Some(*i)), self.lengths[e])
            else {
                continue;
            };
            if rest > 0.0 {
                let [start, result] = &mut worst[i as usize];
                *start = start.max(before[e] / rest);
                *result = result.max(after[e] / rest);
            }
        }
        worst.iter().map(|[start, result]| result / start).max_by(f64::total_cmp)
    }

    /// Which crease each point lies beside: creases are touching points and what is near them along the skin, as far as it hangs
    /// together.
    fn creases(&self, touching: &[bool]) -> Vec<Option<u32>> {
        let reached = self.reached(touching);
        let mut crease = vec![None; reached.len()];
        let mut count = 0;
        for seed in 0..reached.len() {
            if !reached[seed] || crease[seed].is_some() {
                continue;
            }
            let mut stack = vec![seed as u32];
            crease[seed] = Some(count);
            while let Some(i) = stack.pop() {
                for &j in self.topology.ring(i) {
                    if reached[j as usize] && crease[j as usize].is_none() {
                        crease[j as usize] = Some(count);
                        stack.push(j);
                    }
                }
            }
            count += 1;
        }
        crease
    }

    /// Points no farther along the edges at rest from a touching one than creases reach.
    fn reached(&self, touching: &[bool]) -> Vec<bool> {
        let place = |edge: [u32; 2]| self.topology.edges.binary_search(&edge).expect("an edge of the surface");
        let mut left: Vec<f64> =
            touching.iter().zip(&self.radii).map(|(t, r)| if *t { BESIDE * r } else { f64::NEG_INFINITY }).collect();
        let mut waiting: Vec<u32> = (0..left.len() as u32).filter(|i| left[*i as usize] >= 0.0).collect();
        // In rounds, each over what the last has brought farther: within half a radius there are few of them.
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for i in waiting {
                for &j in self.topology.ring(i) {
                    let over = left[i as usize] - self.lengths[place([i.min(j), i.max(j)])];
                    if over >= 0.0 && over > left[j as usize] {
                        left[j as usize] = over;
                        next.push(j);
                    }
                }
            }
            waiting = next;
        }
        left.iter().map(|l| *l >= 0.0).collect()
    }
}

fn lengths(topology: &Topology, points: &[DVec3]) -> Vec<f64> {
    topology.edges.iter().map(|&[a, b]| points[a as usize].distance(points[b as usize])).collect()
}

#[cfg(test)]
mod tests;
