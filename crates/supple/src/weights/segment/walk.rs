//! Who owns a piece of skin between cuts. Where the cuts round it agree on one region, that one. Else every cut has a vote,
//! since one bad curve among good ones must not take a head from its neck: a region has the votes of the cuts between it and
//! the root, for it where the piece is below them and against it where it is above, and those of the border that names it.
//! Each point walks down the tree into the branch whose bones are nearest, as long as the votes of that branch grow.

use super::{
    regions::Regions,
    search::Cut,
    sides::{ABOVE, BELOW},
    surface::Surface,
};
use std::collections::{BTreeMap, BTreeSet};

/// Claims along less than this share of the longest one are corners where cuts cross.
const FAINT: f64 = 0.05;
/// What the border of a piece counts, in cuts, where all of it names one region. More than one: an arm that hangs beside the
/// chest is crossed by the curve round the chest, and stays an arm.
const BORDER: f64 = 1.2;
/// Votes that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Which side of which cut a piece lies on, and along how many edges.
pub(crate) type Claims = BTreeMap<(usize, bool), usize>;

pub(crate) struct Walk<'a> {
    regions: &'a Regions,
    cuts: &'a [Option<Cut>],
    /// The lowest region above all that the border names.
    pub top: usize,
    /// Whether the cuts agree on one region.
    pub agreed: bool,
    /// Where it may start.
    starts: Vec<usize>,
    /// The votes for each region.
    votes: Vec<f64>,
    /// The most that it or any below it has.
    most: Vec<f64>,
}

impl<'a> Walk<'a> {
    /// `sides` are those of the piece, by region.
    pub fn new(regions: &'a Regions, cuts: &'a [Option<Cut>], claims: &Claims, sides: &[i8]) -> Self {
        let longest = claims.values().copied().max().unwrap_or(0) as f64;
        let strong = claims.iter().filter(|(_, count)| **count as f64 >= FAINT * longest).map(|(claim, _)| claim);
        let named = |&(region, below): &(usize, bool)| if below { Some(region) } else { regions.parents[region] };
        let all: BTreeSet<usize> = strong.filter_map(named).collect();
        let agreed = all.len() == 1;
        let top = all.into_iter().reduce(|a, b| regions.meeting(a, b)).unwrap_or(0);

        let mut votes = vec![0.0; regions.len()];
        if !agreed {
            for region in 0..regions.len() {
                let above = regions.parents[region].map_or(0.0, |parent| votes[parent]);
                votes[region] = above + f64::from(sides[region]);
            }
            let total = claims.values().sum::<usize>() as f64;
            for (claim, &count) in claims {
                if let Some(region) = named(claim) {
                    votes[region] += BORDER * count as f64 / total;
                }
            }
        }
        let mut most = votes.clone();
        for region in (0..regions.len()).rev() {
            if let Some(parent) = regions.parents[region] {
                most[parent] = most[parent].max(most[region]);
            }
        }
        let starts = if agreed { vec![top] } else { starts(regions, sides) };
        Self { regions, cuts, top, agreed, starts, votes, most }
    }

    pub fn owner(&self, surface: &Surface, point: u32) -> usize {
        let first = self.starts.iter().copied().min().unwrap_or(0);
        if self.agreed && self.cuts[first + 1..].iter().all(Option::is_some) {
            return first;
        }
        let p = surface.smooth_point(point);
        let branches = self.regions.branch_distances(first, p);
        let nearer = |a: &usize, b: &usize| branches[*a - first].total_cmp(&branches[*b - first]);
        let mut at = self.starts.iter().copied().min_by(nearer).unwrap_or(first);
        loop {
            // Without a cut only the distance says where a region begins.
            let begins = |r: &usize| self.cuts[*r].is_some() || branches[*r - first] < self.regions.distance(at, p);
            let Some(child) = self.regions.children(at).filter(begins).min_by(nearer) else { return at };
            if self.cuts[child].is_some() && self.most[child] <= self.votes[at] + EQUAL {
                return at;
            }
            at = child;
        }
    }
}

/// The lowest region above all cuts that say something; the roots where there are several trees, as between those there are
/// no cuts.
fn starts(regions: &Regions, sides: &[i8]) -> Vec<usize> {
    let roots: Vec<usize> = (0..regions.len()).filter(|&r| regions.parents[r].is_none()).collect();
    if roots.len() > 1 {
        return roots;
    }
    let known = (0..regions.len()).filter(|&r| matches!(sides[r], BELOW | ABOVE)).filter_map(|r| regions.parents[r]);
    known.reduce(|a, b| regions.meeting(a, b)).map_or(roots, |top| vec![top])
}
