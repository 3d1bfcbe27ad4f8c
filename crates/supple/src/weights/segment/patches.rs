//! A bone's skin hangs together. Where claims cross (the bases of metacarpals in a palm) walking the bones leaves patches of
//! one region inside another; they go to the region they share the most edges with.

use super::surface::Surface;
use crate::sets::Sets;
use std::collections::BTreeMap;

/// A patch is given away where it is smaller than this share of the largest piece its region has on that component. Larger
/// ones are there for a reason, as the two sides of a region that another cuts through.
const PATCH: f64 = 0.15;

/// Gives patches away, the smallest first.
pub(crate) fn give_away(surface: &Surface, owner: &mut [u32]) {
    let topology = &surface.topology;
    let mut sets = Sets::new(owner.len());
    for &[a, b] in &topology.edges {
        if owner[a as usize] == owner[b as usize] {
            sets.join(a as usize, b as usize);
        }
    }
    let (piece_of, count) = sets.labels();
    let mut sizes = vec![0usize; count];
    let mut largest = BTreeMap::<(u32, u32), usize>::new();
    piece_of.iter().for_each(|&piece| sizes[piece] += 1);
    for (point, &piece) in piece_of.iter().enumerate() {
        let most = largest.entry((topology.component_of[point], owner[point])).or_default();
        *most = (*most).max(sizes[piece]);
    }
    let mut patches = BTreeMap::<(usize, usize), Vec<usize>>::new();
    for (point, &piece) in piece_of.iter().enumerate() {
        let most = largest[&(topology.component_of[point], owner[point])];
        if (sizes[piece] as f64) < PATCH * most as f64 {
            patches.entry((sizes[piece], piece)).or_default().push(point);
        }
    }
    for points in patches.values() {
        let own = owner[points[0]];
        let mut edges = BTreeMap::<u32, usize>::new();
        for &point in points {
            for &next in topology.ring(point as u32) {
                if owner[next as usize] != own {
                    *edges.entry(owner[next as usize]).or_default() += 1;
                }
            }
        }
        if let Some((&region, _)) = edges.iter().max_by_key(|(region, count)| (**count, u32::MAX - **region)) {
            points.iter().for_each(|&p| owner[p] = region);
        }
    }
}
