use super::{EditError, EditReport, normalize, row, row::Row, setting};
use crate::{
    parallel,
    rig::{Mesh, RestSurface, Weights},
};

/// How far weights flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothOptions {
    /// How much of a row is replaced by the average of its neighbours', each time; 0 to 1.
    pub amount: f64,
    /// How many times; a weight reaches so many edges far.
    pub iterations: usize,
}

impl Default for SmoothOptions {
    fn default() -> Self {
        Self { amount: 0.5, iterations: 5 }
    }
}

/// What is left of a weight that came from afar is dropped below this: it would lengthen rows and move nothing.
const LEAST: f64 = 1e-5;
/// Joints of a point at the most; a hostile rig may have one for every vertex.
const MOST: usize = 64;
const BLOCK: usize = 512;

/// Averages each row with those of its neighbours, over the welded surface, weighted by the cotangents of the angles that
/// face the shared edge. Copies along a seam get one row; loose pieces do not see each other.
pub fn smooth(mesh: &Mesh, weights: &Weights, options: &SmoothOptions) -> Result<(Weights, EditReport), EditError> {
    super::check_mesh(mesh, Some(weights))?;
    let SmoothOptions { amount, iterations } = *options;
    setting("amount", amount, (0.0..=1.0).contains(&amount), "0 to 1 are possible")?;
    setting("iterations", iterations as f64, iterations <= 10_000, "0 to 10000 are possible")?;
    let surface = mesh.surface();
    let topology = surface.topology();
    let shares = Shares::of(&surface);
    let mut rows = normalize::per_point(&topology.weld, weights);
    flow(&shares, &mut rows, amount, iterations, |_| true);
    let smooth = row::table(topology.weld.welded_of.iter().map(|&p| rows[p as usize].clone()), |_| 0);
    let report = EditReport::between(weights, &smooth);
    Ok((smooth, report))
}

/// What each point takes from each neighbour; a point's shares sum to one, or it has none.
pub(super) struct Shares {
    starts: Vec<u32>,
    entries: Vec<(u32, f64)>,
}

impl Shares {
    pub fn of(surface: &RestSurface<'_>) -> Self {
        let (topology, laplacian) = (surface.topology(), surface.clamped_laplacian());
        let mut lists = vec![Vec::new(); topology.points()];
        for column in 0..topology.points() {
            let (rows, values) = laplacian.stiffness.column(column);
            for (&row, &value) in rows.iter().zip(values).skip(1).filter(|(_, v)| **v < 0.0) {
                lists[column].push((row, -value));
                lists[row as usize].push((column as u32, -value));
            }
        }
        let (mut starts, mut entries) = (vec![0u32], Vec::new());
        for (point, list) in (0u32..).zip(&mut lists) {
            let sum: f64 = list.iter().map(|e| e.1).sum();
            // Where angles say nothing, every neighbour counts the same.
            if !(sum.is_finite() && sum > 0.0) {
                *list = topology.ring(point).iter().map(|&n| (n, 1.0)).collect();
            }
            list.sort_unstable_by_key(|e| e.0);
            let sum: f64 = list.iter().map(|e| e.1).sum();
            entries.extend(list.iter().map(|&(n, w)| (n, w / sum)));
            starts.push(entries.len() as u32);
        }
        Self { starts, entries }
    }

    fn at(&self, point: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

/// Replaces `amount` of the rows of the points that `may` change by their neighbours' average, `iterations` times.
pub(super) fn flow(
    shares: &Shares,
    rows: &mut Vec<Row>,
    amount: f64,
    iterations: usize,
    may: impl Fn(usize) -> bool + Sync + Send,
) {
    if amount == 0.0 {
        return;
    }
    let mut next = vec![Row::new(); rows.len()];
    for _ in 0..iterations {
        let last: &[Row] = rows;
        parallel::for_each_block(&mut next, BLOCK, |first, block| {
            for (point, out) in (first..).zip(block) {
                let shares = shares.at(point);
                out.clear();
                if shares.is_empty() || !may(point) {
                    out.extend_from_slice(&last[point]);
                    continue;
                }
                row::add(out, 1.0 - amount, &last[point]);
                shares.iter().for_each(|&(n, share)| row::add(out, amount * share, &last[n as usize]));
                row::settle(out, LEAST);
                if out.len() > MOST {
                    out.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                    out.truncate(MOST);
                    out.sort_unstable_by_key(|entry| entry.0);
                    row::settle(out, 0.0);
                }
            }
        });
        std::mem::swap(rows, &mut next);
    }
}
