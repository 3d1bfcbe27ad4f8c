//! On which side of every cut each piece of skin lies. A plane goes on through other limbs, but its curve does not: a piece
//! is below a cut where the way to the cut's lower side leads over other cuts only.

use super::{search::Cut, surface::Surface, walk::Claims};
use std::collections::{BTreeSet, VecDeque};

/// Below a cut.
pub(crate) const BELOW: i8 = 1;
/// Above a cut.
pub(crate) const ABOVE: i8 = -1;

/// A piece next to one, and the cuts between them.
type Link = (usize, Vec<usize>);

/// By piece and region: [`BELOW`] the region's cut or [`ABOVE`] it, 0 where the cut is on another component or there is
/// none. Empty for pieces that no cut touches.
pub(crate) fn sides(surface: &Surface, cuts: &[Option<Cut>], piece_of: &[usize], claims: &[Claims]) -> Vec<Vec<i8>> {
    let links = links(surface, cuts, piece_of, claims.len());
    let mut touched = vec![BTreeSet::new(); cuts.len()];
    for (piece, claims) in claims.iter().enumerate() {
        claims.keys().for_each(|&(region, _)| _ = touched[region].insert(piece));
    }
    let empty = |claims: &Claims| vec![0; if claims.is_empty() { 0 } else { cuts.len() }];
    let mut sides: Vec<Vec<i8>> = claims.iter().map(empty).collect();
    for (region, touched) in touched.iter().enumerate() {
        for &piece in touched {
            let along = |below: bool| claims[piece].get(&(region, below)).copied().unwrap_or(0);
            sides[piece][region] = if along(true) > along(false) { BELOW } else { ABOVE };
        }
        let mut open: VecDeque<usize> = touched.iter().copied().collect();
        while let Some(piece) = open.pop_front() {
            for (next, between) in &links[piece] {
                if sides[*next][region] == 0 && between.binary_search(&region).is_err() {
                    sides[*next][region] = sides[piece][region];
                    open.push_back(*next);
                }
            }
        }
    }
    sides
}

fn links(surface: &Surface, cuts: &[Option<Cut>], piece_of: &[usize], pieces: usize) -> Vec<BTreeSet<Link>> {
    let crossings = |cut: &Cut| cut.crossings.iter().map(|(edge, _)| (*edge, cut.region)).collect::<Vec<_>>();
    let mut crossed: Vec<(u32, usize)> = cuts.iter().flatten().flat_map(crossings).collect();
    crossed.sort_unstable();
    crossed.dedup();
    let mut links = vec![BTreeSet::new(); pieces];
    for group in crossed.chunk_by(|a, b| a.0 == b.0) {
        let [a, b] = surface.topology.edges[group[0].0 as usize].map(|p| piece_of[p as usize]);
        if a != b {
            let between: Vec<usize> = group.iter().map(|(_, region)| *region).collect();
            links[a].insert((b, between.clone()));
            links[b].insert((a, between));
        }
    }
    links
}
