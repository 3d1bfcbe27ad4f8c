//! Who owns a piece of skin between cuts. Where the cuts round it agree on one region, that one. Else each point walks
//! down the tree from the lowest region above all that are named: into the branch whose bones are nearest, as far as
//! the planes of that branch let it.

use super::{regions::Regions, search::Cut, surface::Surface};
use std::collections::{BTreeMap, BTreeSet};

/// Claims along less than this share of the longest one are corners where cuts cross.
const FAINT: f64 = 0.05;

/// Which side of which cut a piece lies on, and along how many edges.
pub(crate) type Claims = BTreeMap<(usize, bool), usize>;

pub(crate) struct Walk<'a> {
    regions: &'a Regions,
    cuts: &'a [Option<Cut>],
    /// Where it starts.
    pub top: usize,
    /// Whether the cuts agree on one region.
    pub agreed: bool,
    steps: Vec<Step>,
}

/// Whether a walk may enter a region from above.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Never,
    Always,
    /// Only points on the lower side of its plane.
    BelowPlane,
    /// It has no plane: only points nearer to its branch than to the bones above.
    Nearer,
}

impl<'a> Walk<'a> {
    pub fn new(regions: &'a Regions, cuts: &'a [Option<Cut>], claims: &Claims) -> Self {
        let most = claims.values().copied().max().unwrap_or(0) as f64;
        let strong = claims.iter().filter(|(_, count)| **count as f64 >= FAINT * most);
        let strong: BTreeSet<(usize, bool)> = strong.map(|(claim, _)| *claim).collect();
        let mut claimed = vec![false; regions.len()];
        strong.iter().for_each(|&(cut, _)| claimed[cut] = true);
        for region in (0..regions.len()).rev() {
            if let Some(parent) = regions.parents[region].filter(|_| claimed[region]) {
                claimed[parent] = true;
            }
        }
        let named = |&(region, below): &(usize, bool)| if below { Some(region) } else { regions.parents[region] };
        let mut all: Vec<usize> = strong.iter().filter_map(named).collect();
        all.sort_unstable();
        all.dedup();
        let agreed = all.len() == 1;
        let top = all.into_iter().reduce(|a, b| regions.meeting(a, b)).unwrap_or(0);
        let mut steps = vec![Step::Never; regions.len()];
        for region in top + 1..regions.len() {
            let (below, above) = (strong.contains(&(region, true)), strong.contains(&(region, false)));
            steps[region] = if cuts[region].is_none() {
                Step::Nearer
            } else if agreed || (above && !below) {
                Step::Never
            } else if below && !above {
                Step::Always
            } else if claimed[region] {
                Step::BelowPlane
            } else {
                Step::Never
            };
        }
        Self { regions, cuts, top, agreed, steps }
    }

    pub fn owner(&self, surface: &Surface, point: u32) -> usize {
        if self.steps.iter().all(|&step| step == Step::Never) {
            return self.top;
        }
        let p = surface.smooth_point(point);
        let branches = self.regions.branch_distances(self.top, p);
        let mut at = self.top;
        loop {
            let mut best = (f64::INFINITY, None);
            for child in self.regions.children(at) {
                let distance = branches[child - self.top];
                // A joint's own bones keep what is nearer to them only where no plane says so.
                let open = self.steps[child] != Step::Nearer || distance < self.regions.distance(at, p);
                if open && distance < best.0 {
                    best = (distance, Some(child));
                }
            }
            let Some(child) = best.1 else { return at };
            let enters = match self.steps[child] {
                Step::Never => false,
                Step::Always | Step::Nearer => true,
                Step::BelowPlane => self.cuts[child].as_ref().is_none_or(|c| c.is_below(surface, point)),
            };
            if !enters {
                return at;
            }
            at = child;
        }
    }
}
