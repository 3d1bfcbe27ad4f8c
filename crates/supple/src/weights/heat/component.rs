use super::{
    HeatNote,
    body::{Body, Sight},
    note,
    source::{self, Source, Sources},
};
use crate::rig::{Skeleton, Topology};
use std::ops::Range;

/// So many points of a component are asked whether their nearest bone lies within it, and one in `FEW` must say yes. More
/// than one, because a line through a corner may slip past the triangles that meet there.
const ASKED: usize = 200;
const FEW: usize = 20;

/// The components of a surface that have triangles, one after another.
pub(super) struct Components {
    /// The welded points of all of them, by component, ascending.
    pub points: Vec<u32>,
    ranges: Vec<Range<usize>>,
    /// The number of each point within its component.
    pub local: Vec<u32>,
    /// The number of each component in the topology.
    pub labels: Vec<u32>,
    /// For each component of the topology: how many vertices it has, and the first.
    counted: Vec<(usize, usize)>,
}

/// What heats each component: by sight, or through walls where no bone is seen inside.
pub(super) struct Heated {
    /// By components, in the order of their points.
    pub sources: Vec<Source>,
    ranges: Vec<Range<usize>>,
    /// Joints that were nearest to some point, but hidden from it.
    pub hidden: Vec<bool>,
}

impl Components {
    pub fn new(topology: &Topology) -> Self {
        let mut points: Vec<u32> = (0..topology.points() as u32).filter(|&p| !topology.ring(p).is_empty()).collect();
        points.sort_by_key(|&p| topology.component_of[p as usize]);
        let (mut ranges, mut labels, mut local) = (Vec::new(), Vec::new(), vec![0; topology.points()]);
        let mut start = 0;
        for same in points.chunk_by(|&a, &b| topology.component_of[a as usize] == topology.component_of[b as usize]) {
            (0u32..).zip(same).for_each(|(i, &p)| local[p as usize] = i);
            labels.push(topology.component_of[same[0] as usize]);
            ranges.push(start..start + same.len());
            start += same.len();
        }
        let mut counted = vec![(0, usize::MAX); topology.components];
        for (vertex, &point) in topology.weld.welded_of.iter().enumerate() {
            let (count, first) = &mut counted[topology.component_of[point as usize] as usize];
            (*count, *first) = (*count + 1, vertex.min(*first));
        }
        Self { points, ranges, local, labels, counted }
    }

    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The points of a component.
    pub fn of(&self, component: usize) -> &[u32] {
        &self.points[self.ranges[component].clone()]
    }

    /// How many vertices a component has, and the first of them.
    pub fn vertices(&self, component: usize) -> (usize, usize) {
        self.counted[self.labels[component] as usize]
    }

    fn holds_bone(&self, component: usize, topology: &Topology, body: &Body, sight: &Sight<'_>) -> bool {
        let points = self.of(component);
        let asked = points.iter().step_by(points.len().div_ceil(ASKED));
        let (mut all, mut inside) = (0, 0);
        for &point in asked {
            let place = body.mesh.positions[topology.weld.first_of[point as usize] as usize].as_dvec3();
            let feet = body.bones.iter().map(|b| b.head.lerp(b.tail, b.parameter(place)));
            let nearest = feet.min_by(|a, b| a.distance_squared(place).total_cmp(&b.distance_squared(place)));
            let Some(foot) = nearest else { continue };
            all += 1;
            inside += usize::from(sight.encloses(self.labels[component], foot, foot - place));
        }
        inside > 0 && inside * FEW >= all
    }

    /// Completes the sources that were found by sight with those that components without any take through walls. None where
    /// there are too many.
    pub fn heated(
        &self,
        topology: &Topology,
        body: &Body,
        by_sight: Sources,
        sight: &Sight<'_>,
        skeleton: &Skeleton,
        notes: &mut Vec<HeatNote>,
    ) -> Option<Heated> {
        let component_of = |point: u32| topology.component_of[point as usize];
        let blind: Vec<usize> = {
            let mut sighted = vec![false; topology.components];
            by_sight.list.iter().for_each(|s| sighted[component_of(s.point) as usize] = true);
            let blind = |&i: &usize| !sighted[self.labels[i] as usize] || !self.holds_bone(i, topology, body, sight);
            (0..self.len()).filter(blind).collect()
        };
        let mut sources = by_sight.list;
        if !blind.is_empty() {
            let points: Vec<u32> = blind.iter().flat_map(|&i| self.of(i)).copied().collect();
            let through = source::find(topology, &body.mesh, &body.bones, &points, skeleton.len(), None)?.list;
            let hidden = blind.iter().map(|&i| {
                let from = through.partition_point(|s| component_of(s.point) < self.labels[i]);
                let to = through.partition_point(|s| component_of(s.point) <= self.labels[i]);
                let joint = skeleton.joints()[most_common(&through[from..to])].name.clone();
                let (vertices, first) = self.vertices(i);
                HeatNote::Hidden { component: self.labels[i] as usize, vertices, first, joint }
            });
            note::add(notes, hidden.collect(), HeatNote::HIDDEN);
            let blind: Vec<u32> = blind.iter().map(|&i| self.labels[i]).collect();
            sources.retain(|s| blind.binary_search(&component_of(s.point)).is_err());
            sources.extend(through);
            sources.sort_by_key(|s| component_of(s.point));
        }
        let range = |&label: &u32| {
            let start = sources.partition_point(|s| component_of(s.point) < label);
            start..sources.partition_point(|s| component_of(s.point) <= label)
        };
        let ranges = self.labels.iter().map(range).collect();
        Some(Heated { sources, ranges, hidden: by_sight.hidden })
    }
}

impl Heated {
    /// The sources of a component.
    pub fn of(&self, component: usize) -> &[Source] {
        &self.sources[self.ranges[component].clone()]
    }
}

/// The joint that most of the sources name.
fn most_common(sources: &[Source]) -> usize {
    let mut joints: Vec<u16> = sources.iter().map(|s| s.joint).collect();
    joints.sort_unstable();
    let most = joints.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    most.map_or(0, |same| usize::from(same[0]))
}
