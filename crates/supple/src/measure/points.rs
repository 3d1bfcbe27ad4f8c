use super::{MeasureError, neighbours::Neighbours, percentile::percentile};
use crate::parallel;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Neighbours of a point that are watched.
const WATCHED: usize = 8;
/// How much farther apart neighbours must be to count as a crack.
const CRACK: f64 = 3.0;
const BLOCK: usize = 1024;

/// Figures of a moved point set against the set at rest; none where a coordinate is not finite, or where there are no
/// two points apart from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PointFigures {
    /// 95th percentile of the distance to the nearest other point, over the same at rest.
    pub coverage: Option<f64>,
    /// 99.9th percentile, over the pairs of points that are neighbours at rest, of distance over distance at rest.
    pub growth: Option<f64>,
    /// Share of these pairs that are more than three times as far apart as at rest.
    pub crack: Option<f64>,
    /// The farthest that a point goes, over the diagonal at rest.
    pub largest_move: Option<f64>,
    /// Whether every coordinate is a finite number.
    pub finite: bool,
    /// How many points there are.
    pub points: usize,
}

/// A point set at rest, ready to be compared with any number of moved ones.
#[derive(Clone, Debug)]
pub struct PointGauge {
    rest: Vec<DVec3>,
    finite: bool,
    /// 95th percentile of the spacing.
    spacing: Option<f64>,
    mean_spacing: Option<f64>,
    /// The eight nearest others of each point, nearest first, those in the same place left out.
    pairs: Vec<[u32; 2]>,
}

impl PointGauge {
    /// Finds the neighbours of every point.
    pub fn new(rest: &[Vec3]) -> Result<Self, MeasureError> {
        if rest.is_empty() {
            return Err(MeasureError::NoPoints);
        }
        let finite = rest.iter().all(|p| p.is_finite());
        let rest: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        let mut gauge = Self { rest, finite, spacing: None, mean_spacing: None, pairs: Vec::new() };
        if finite {
            let near = nearest(&gauge.rest, WATCHED);
            let (p95, mean) = spacing(&near);
            (gauge.spacing, gauge.mean_spacing) = (p95, mean);
            for (i, list) in near.iter().enumerate() {
                let apart = list.iter().filter(|(squared, _)| *squared > 0.0);
                gauge.pairs.extend(apart.map(|(_, j)| [i as u32, *j]));
            }
        }
        Ok(gauge)
    }

    /// The figures of the moved points.
    pub fn figures(&self, posed: &[Vec3]) -> Result<PointFigures, MeasureError> {
        if posed.len() != self.rest.len() {
            return Err(MeasureError::Counts { rest: self.rest.len(), posed: posed.len() });
        }
        let mut figures = PointFigures { points: posed.len(), ..PointFigures::default() };
        if !(self.finite && posed.iter().all(|p| p.is_finite())) {
            return Ok(figures);
        }
        figures.finite = true;
        let posed: Vec<DVec3> = posed.iter().map(|p| p.as_dvec3()).collect();
        let (p95, _) = spacing(&nearest(&posed, 1));
        figures.coverage = p95.zip(self.spacing.filter(|s| *s > 0.0)).map(|(now, rest)| now / rest);
        let apart = |points: &[DVec3], [i, j]: [u32; 2]| points[i as usize].distance(points[j as usize]);
        let mut growths: Vec<f64> =
            self.pairs.iter().map(|&pair| apart(&posed, pair) / apart(&self.rest, pair)).collect();
        growths.sort_unstable_by(f64::total_cmp);
        figures.growth = percentile(&growths, 99.9);
        let cracked = growths.len() - growths.partition_point(|g| *g <= CRACK);
        figures.crack = (!growths.is_empty()).then(|| cracked as f64 / growths.len() as f64);
        let low = self.rest.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = self.rest.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let farthest = posed.iter().zip(&self.rest).map(|(p, r)| p.distance(*r)).fold(0.0, f64::max);
        figures.largest_move = (low != high).then(|| farthest / low.distance(high));
        Ok(figures)
    }

    /// Mean distance to the nearest other point at rest: what an edge is to a surface.
    pub fn mean_spacing(&self) -> Option<f64> {
        self.mean_spacing
    }
}

fn nearest(points: &[DVec3], count: usize) -> Vec<Vec<(f64, u32)>> {
    let tree = Neighbours::of(points);
    let mut lists = vec![Vec::new(); points.len()];
    parallel::for_each_block(&mut lists, BLOCK, |first, block| {
        for (i, list) in block.iter_mut().enumerate() {
            tree.nearest(points[first + i], (first + i) as u32, count, list);
        }
    });
    lists
}

/// 95th percentile and mean of the distance to the nearest other point.
fn spacing(near: &[Vec<(f64, u32)>]) -> (Option<f64>, Option<f64>) {
    let mut distances: Vec<f64> = near.iter().filter_map(|l| l.first()).map(|(squared, _)| squared.sqrt()).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let mean = distances.iter().sum::<f64>() / distances.len() as f64;
    (percentile(&distances, 95.0), (mean > 0.0).then_some(mean))
}
