//! Ways through the inside of a solid.

use super::solid::Solid;
use glam::DVec3;
use std::{cmp::Ordering, collections::BinaryHeap};

/// Distances from some cells through the inside, and the way back.
pub(super) struct Reach {
    pub distance: Vec<f64>,
    before: Vec<u32>,
}

struct Next(f64, usize);

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Next {}
impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl Reach {
    /// As far as the crow walks.
    pub fn plain(solid: &Solid, from: impl IntoIterator<Item = usize>) -> Self {
        Self::of(solid, from, |_| 1.0)
    }

    /// Dear near the skin, so that ways keep to the middle.
    pub fn central(solid: &Solid, from: usize) -> Self {
        let step = solid.cells.step;
        Self::of(solid, [from], |i| (step / (solid.depth[i] + 0.2 * step)).powi(3))
    }

    fn of(solid: &Solid, from: impl IntoIterator<Item = usize>, price: impl Fn(usize) -> f64) -> Self {
        let mut reach =
            Self { distance: vec![f64::INFINITY; solid.depth.len()], before: vec![u32::MAX; solid.depth.len()] };
        let mut heap = BinaryHeap::new();
        for i in from {
            reach.distance[i] = 0.0;
            heap.push(Next(0.0, i));
        }
        while let Some(Next(so_far, i)) = heap.pop() {
            if so_far > reach.distance[i] {
                continue;
            }
            for (j, length) in solid.around(i) {
                if solid.depth[j] <= 0.0 {
                    continue;
                }
                let total = so_far + length * solid.cells.step * price(j);
                if total < reach.distance[j] {
                    reach.distance[j] = total;
                    reach.before[j] = i as u32;
                    heap.push(Next(total, j));
                }
            }
        }
        reach
    }

    /// Cells from a cell back to where the walk began.
    pub fn back(&self, mut from: usize) -> Vec<usize> {
        let mut cells = vec![from];
        while self.before[from] != u32::MAX {
            from = self.before[from] as usize;
            cells.push(from);
        }
        cells
    }

    /// The farthest cell that may be.
    pub fn farthest(&self, may: impl Fn(usize) -> bool) -> Option<usize> {
        let reached = (0..self.distance.len()).filter(|&i| self.distance[i].is_finite() && may(i));
        reached.max_by(|&a, &b| self.distance[a].total_cmp(&self.distance[b]).then(b.cmp(&a)))
    }
}

/// A line through the middle of a limb, with lengths along it and the radius at each point.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub points: Vec<DVec3>,
    pub radii: Vec<f64>,
    pub along: Vec<f64>,
}

impl Line {
    /// Cells, smoothed and drawn to the middle of the sections across them.
    pub fn through(solid: &Solid, cells: &[usize]) -> Self {
        let raw: Vec<DVec3> = cells.iter().map(|&c| solid.center(c)).collect();
        let mut points = averaged(&raw, 4);
        for _ in 0..2 {
            let centred: Vec<DVec3> = (0..points.len()).map(|i| centred(solid, &points, i)).collect();
            points = averaged(&centred, 3);
        }
        Self::of(solid, points)
    }

    pub fn of(solid: &Solid, points: Vec<DVec3>) -> Self {
        let radii = points.iter().map(|&p| solid.depth_at(p)).collect();
        let mut along = vec![0.0];
        for w in points.windows(2) {
            along.push(along[along.len() - 1] + w[0].distance(w[1]));
        }
        Self { points, radii, along }
    }

    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The point so far along.
    pub fn at(&self, length: f64) -> DVec3 {
        let after = self.along.partition_point(|&a| a < length);
        if after == 0 {
            return self.points.first().copied().unwrap_or(DVec3::ZERO);
        }
        let Some(&next) = self.points.get(after) else { return self.points[self.points.len() - 1] };
        let (from, to) = (self.along[after - 1], self.along[after]);
        let t = if to > from { (length - from) / (to - from) } else { 0.0 };
        self.points[after - 1].lerp(next, t)
    }

    pub fn radius(&self, length: f64) -> f64 {
        let after = self.along.partition_point(|&a| a < length).min(self.radii.len().saturating_sub(1));
        self.radii.get(after).copied().unwrap_or(0.0)
    }

    /// Lengths along the line at which it has points, between two.
    pub fn between(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + '_ {
        self.along.iter().copied().filter(move |a| (from..=to).contains(a))
    }
}

/// A running mean over `reach` neighbours on both sides; the ends stay.
fn averaged(points: &[DVec3], reach: usize) -> Vec<DVec3> {
    let mean = |i: usize| {
        let reach = reach.min(i).min(points.len() - 1 - i);
        let window = &points[i - reach..=i + reach];
        window.iter().sum::<DVec3>() / window.len() as f64
    };
    (0..points.len()).map(mean).collect()
}

/// The middle of the section across a line at one of its points.
fn centred(solid: &Solid, points: &[DVec3], i: usize) -> DVec3 {
    let (before, after) = (points[i.saturating_sub(4)], points[(i + 4).min(points.len() - 1)]);
    let Some(across) = (after - before).try_normalize() else { return points[i] };
    section_middle(solid, points[i], across).unwrap_or(points[i])
}

/// The middle of the section across a direction at a point, and how many cells it has.
pub(super) struct Section {
    pub middle: DVec3,
    pub cells: usize,
}

/// The cells inside that lie across a direction, no farther than `reach`, and can be reached within the section.
pub(super) fn section(solid: &Solid, p: DVec3, across: DVec3, reach: f64) -> Option<Section> {
    let step = solid.cells.step;
    let seed = solid.at(p).filter(|&i| solid.depth[i] > 0.0)?;
    let fits = |i: usize| {
        let to = solid.center(i) - p;
        solid.depth[i] > 0.0 && to.dot(across).abs() <= 1.01 * step && to.length() <= reach
    };
    let (mut seen, mut stack) = (std::collections::HashSet::from([seed]), vec![seed]);
    let (mut sum, mut cells) = (DVec3::ZERO, 0);
    while let Some(i) = stack.pop() {
        sum += solid.center(i);
        cells += 1;
        for (j, _) in solid.around(i) {
            if fits(j) && seen.insert(j) {
                stack.push(j);
            }
        }
    }
    let middle = sum / cells as f64;
    // It may slide across the limb, not along it.
    Some(Section { middle: middle - across * (middle - p).dot(across), cells })
}

/// The middle of the section of a limb, as wide as the limb is deep; none where that lies outside.
pub(super) fn section_middle(solid: &Solid, p: DVec3, across: DVec3) -> Option<DVec3> {
    let reach = 1.9 * solid.depth_at(p) + 2.0 * solid.cells.step;
    section(solid, p, across, reach).map(|s| s.middle).filter(|&m| solid.depth_at(m) > 0.0)
}
