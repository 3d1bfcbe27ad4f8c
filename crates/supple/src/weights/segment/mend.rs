//! Closes small holes, so that curves go round limbs and do not end at every triangle that a scanner has missed.

use crate::rig::{Mesh, Topology};
use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

/// Most edges of a hole that is closed. Larger ones are ends of sleeves as often as faults.
const LONGEST: usize = 8;

/// The mesh with small holes closed, by points and triangles after its own; none where there are no such holes.
pub(crate) fn mended(mesh: &Mesh, topology: &Topology) -> Option<Mesh> {
    topology.boundary_edges().next()?;
    let mut rims = Rims::of(topology);
    let mut found = Vec::new();
    // Holes that touch in a point are taken apart by taking the shortest first.
    for longest in 3..=LONGEST {
        for start in rims.edges() {
            found.extend(rims.take(start, longest));
        }
    }
    if found.is_empty() {
        return None;
    }
    let first_of = |p: &u32| topology.weld.first_of[*p as usize];
    let mut mesh = Mesh { positions: mesh.positions.clone(), triangles: mesh.triangles.clone(), ..Mesh::default() };
    for hole in found {
        let rim: Vec<u32> = hole.iter().map(first_of).collect();
        if let [a, b, c] = rim[..] {
            mesh.triangles.push([a, b, c]);
            continue;
        }
        let tip = mesh.positions.len() as u32;
        let middle = rim.iter().map(|&v| mesh.positions[v as usize]).sum::<glam::Vec3>() / rim.len() as f32;
        mesh.positions.push(middle);
        let next = rim.iter().cycle().skip(1);
        mesh.triangles.extend(rim.iter().zip(next).map(|(&a, &b)| [a, b, tip]));
    }
    Some(mesh)
}

/// Edges of one triangle alone, as the triangle on their other side would run along them.
struct Rims {
    from: BTreeMap<u32, Vec<u32>>,
}

impl Rims {
    fn of(topology: &Topology) -> Self {
        let mut halves: Vec<(u32, u32, bool)> = Vec::with_capacity(3 * topology.triangles.len());
        for &[a, b, c] in &topology.triangles {
            halves.extend([[a, b], [b, c], [c, a]].map(|[a, b]| (a.min(b), a.max(b), a < b)));
        }
        halves.sort_unstable();
        let mut from: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for run in halves.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            if let [(low, high, rises)] = *run {
                let (a, b) = if rises { (high, low) } else { (low, high) };
                from.entry(a).or_default().push(b);
            }
        }
        Self { from }
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        self.from.iter().flat_map(|(&a, to)| to.iter().map(move |&b| [a, b])).collect()
    }

    fn after(&self, point: u32) -> &[u32] {
        self.from.get(&point).map_or(&[], Vec::as_slice)
    }

    /// Takes the shortest way round through an edge out, if it is there and has no more than so many edges.
    fn take(&mut self, [a, b]: [u32; 2], longest: usize) -> Option<Vec<u32>> {
        if !self.after(a).contains(&b) {
            return None;
        }
        let mut before = BTreeMap::from([(b, a)]);
        let mut open = VecDeque::from([(b, 1)]);
        while let Some((point, length)) = open.pop_front() {
            for &next in self.after(point).iter().filter(|_| length < longest) {
                if next == a {
                    let back = std::iter::successors(Some(point), |p| before.get(p).copied().filter(|&p| p != a));
                    let mut rim: Vec<u32> = back.collect();
                    rim.push(a);
                    rim.reverse();
                    self.remove(&rim);
                    return Some(rim);
                }
                if let Entry::Vacant(free) = before.entry(next) {
                    free.insert(point);
                    open.push_back((next, length + 1));
                }
            }
        }
        None
    }

    fn remove(&mut self, rim: &[u32]) {
        for (a, b) in rim.iter().zip(rim.iter().cycle().skip(1)) {
            let to = self.from.get_mut(a).expect("it is part of a rim");
            to.retain(|p| p != b);
        }
    }
}
