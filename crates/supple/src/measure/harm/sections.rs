use crate::rig::{Bone, Topology};
use glam::DVec3;

/// Sections along a bone, evenly.
const ALONG: usize = 8;
/// What part of a section must belong to the joint of its bone: near joints a plane cuts the next limb, or the trunk.
const OWNED: f64 = 0.5;
const NOBODY: u32 = u32::MAX;

/// A ring of skin round a bone, where a plane across it cut the skin at rest. It goes along with the skin, so that it is one ring in
/// every pose.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Places on edges: from one point towards another, by this share.
    ring: Vec<([u32; 2], f64)>,
    area: f64,
}

impl Section {
    /// The area that it spans: that of its shadow in the direction where that is largest.
    fn area(&self, points: &[DVec3]) -> f64 {
        let at = |(edge, share): &([u32; 2], f64)| points[edge[0] as usize].lerp(points[edge[1] as usize], *share);
        let first = at(&self.ring[0]);
        let places: Vec<DVec3> = self.ring.iter().map(|place| at(place) - first).collect();
        let twice: DVec3 = places.windows(2).map(|pair| pair[0].cross(pair[1])).sum();
        twice.length() / 2.0
    }

    fn touches(&self, touching: &[bool]) -> bool {
        self.ring.iter().flat_map(|(edge, _)| edge).any(|&i| touching[i as usize])
    }
}

/// The thinnest section of which no point touches anything, over the same in the start or at rest.
pub(super) fn thinnest(sections: &[Section], start: &[DVec3], posed: &[DVec3], touching: &[bool]) -> Option<f64> {
    let free = sections.iter().filter(|s| !s.touches(touching));
    let ratio = |s: &Section| {
        let before = s.area(start).min(s.area);
        (before > 0.0).then(|| s.area(posed) / before)
    };
    free.filter_map(ratio).min_by(f64::total_cmp)
}

/// The sections of every limb: at each place along a bone the largest closed ring that mostly belongs to its joint.
pub(super) fn along(topology: &Topology, rest: &[DVec3], bones: &[Bone], owner: &[usize]) -> Vec<Section> {
    let sides = Sides::of(topology);
    let joints = bones.iter().map(|b| b.joint + 1).max().unwrap_or(0);
    let mut owned = vec![Vec::new(); joints];
    for (t, corners) in (0u32..).zip(&topology.triangles) {
        let mut of = corners.map(|i| owner[i as usize]);
        of.sort_unstable();
        // At least one corner is, and the middle one of three decides where two are.
        of.iter().filter(|j| **j < joints).for_each(|j| {
            if owned[*j].last() != Some(&t) {
                owned[*j].push(t);
            }
        });
    }
    let mut sections = Vec::new();
    let mut seen = vec![0u32; topology.triangles.len()];
    let mut round = 0;
    for bone in bones.iter().filter(|b| b.length() > 0.0) {
        for k in 0..ALONG {
            round += 1;
            let through = bone.head.lerp(bone.tail, (k as f64 + 0.5) / ALONG as f64);
            let across = (bone.tail - bone.head).normalize();
            let plane = Plane { topology, rest, sides: &sides, through, across };
            let rings = owned[bone.joint].iter().filter_map(|&t| plane.ring(t, &mut seen, round));
            let belongs = |ring: &Vec<([u32; 2], f64)>| {
                let count = ring.iter().filter(|(e, s)| owner[e[usize::from(*s > 0.5)] as usize] == bone.joint).count();
                count as f64 > OWNED * ring.len() as f64
            };
            let sized = rings.filter(belongs).map(|ring| {
                let mut section = Section { ring, area: 0.0 };
                section.area = section.area(rest);
                section
            });
            sections.extend(sized.max_by(|a, b| a.area.total_cmp(&b.area)));
        }
    }
    sections
}

/// Which triangles lie on the sides of each edge, and which edges round each triangle.
struct Sides {
    edges: Vec<[u32; 3]>,
    triangles: Vec<[u32; 2]>,
}

impl Sides {
    fn of(topology: &Topology) -> Self {
        let mut triangles = vec![[NOBODY; 2]; topology.edges.len()];
        let edge = |a: u32, b: u32| topology.edges.binary_search(&[a.min(b), a.max(b)]).expect("an edge of a triangle");
        let mut edges = Vec::with_capacity(topology.triangles.len());
        for (t, &[a, b, c]) in (0u32..).zip(&topology.triangles) {
            let round = [edge(a, b), edge(b, c), edge(c, a)];
            for e in round {
                match triangles[e] {
                    [NOBODY, _] => triangles[e][0] = t,
                    // No way leads on where more than two meet.
                    _ if topology.edge_uses[e] != 2 => triangles[e] = [t, NOBODY],
                    _ => triangles[e][1] = t,
                }
            }
            edges.push(round.map(|e| e as u32));
        }
        Self { edges, triangles }
    }
}

struct Plane<'a> {
    topology: &'a Topology,
    rest: &'a [DVec3],
    sides: &'a Sides,
    through: DVec3,
    across: DVec3,
}

impl Plane<'_> {
    fn above(&self, point: u32) -> f64 {
        (self.rest[point as usize] - self.through).dot(self.across)
    }

    fn crosses(&self, edge: u32) -> bool {
        let [a, b] = self.topology.edges[edge as usize];
        (self.above(a) >= 0.0) != (self.above(b) >= 0.0)
    }

    /// The ring in which the plane cuts the skin, from one triangle on; none where it does not cut it, ends at a hole, or has been
    /// gone round.
    fn ring(&self, from: u32, seen: &mut [u32], round: u32) -> Option<Vec<([u32; 2], f64)>> {
        let crossed = |t: u32| self.sides.edges[t as usize].into_iter().filter(|&e| self.crosses(e));
        let (mut ring, mut at) = (Vec::new(), from);
        let mut edge = crossed(from).next().filter(|_| seen[from as usize] != round)?;
        loop {
            if seen[at as usize] == round {
                return (at == from && ring.len() > 2).then_some(ring);
            }
            seen[at as usize] = round;
            // Out of the triangle by the edge that it was not entered by.
            edge = crossed(at).find(|&e| e != edge)?;
            let [a, b] = self.topology.edges[edge as usize];
            let (low, high) = (self.above(a), self.above(b));
            ring.push(([a, b], low / (low - high)));
            let [one, other] = self.sides.triangles[edge as usize];
            at = if one == at { other } else { one };
            if at == NOBODY {
                return None;
            }
        }
    }
}
