use super::{EditError, EditReport, row};
use crate::rig::{Mesh, Weights, Weld};

/// What rows must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormalizeOptions {
    /// Whole steps of 1 / (2^bits - 1), as an engine stores them, each row still summing to one; 8 or 16.
    pub bits: Option<u32>,
}

/// Makes rows sum to one as exactly as they are stored, and gives the copies of a vertex along a seam one row, their
/// average: copies that move apart tear the skin.
pub fn normalize(
    mesh: &Mesh,
    weights: &Weights,
    options: &NormalizeOptions,
) -> Result<(Weights, EditReport), EditError> {
    super::check_mesh(mesh, Some(weights))?;
    let steps = match options.bits {
        None => None,
        Some(bits @ (8 | 16)) => Some((1u32 << bits) - 1),
        Some(bits) => {
            return Err(EditError::Setting { setting: "bits", value: bits.to_string(), range: "8 or 16 are possible" });
        }
    };
    let surface = mesh.surface();
    let weld = surface.weld();
    let mut points = per_point(weld, weights);
    if let Some(steps) = steps {
        points.iter_mut().for_each(|row| quantise(row, steps));
    }
    let normal = row::table(weld.welded_of.iter().map(|&p| points[p as usize].clone()), |_| 0);
    let report = EditReport::between(weights, &normal);
    Ok((normal, report))
}

/// One row for each welded point: the mean of its copies'.
pub(super) fn per_point(weld: &Weld, weights: &Weights) -> Vec<row::Row> {
    let mut copies = vec![0usize; weld.first_of.len()];
    weld.welded_of.iter().for_each(|&p| copies[p as usize] += 1);
    let mut rows = vec![row::Row::new(); weld.first_of.len()];
    for (vertex, &point) in weld.welded_of.iter().enumerate() {
        row::add(&mut rows[point as usize], 1.0 / copies[point as usize] as f64, &row::of(weights, vertex));
    }
    rows.iter_mut().for_each(|row| row::settle(row, 0.0));
    rows
}

/// Rounds down and hands the steps that are left to the largest remainders; the lower joint first where they tie.
fn quantise(row: &mut row::Row, steps: u32) {
    let scaled: Vec<f64> = row.iter().map(|e| e.1 * f64::from(steps)).collect();
    let mut whole: Vec<u32> = scaled.iter().map(|s| s.floor() as u32).collect();
    let left = steps.saturating_sub(whole.iter().sum());
    let mut order: Vec<usize> = (0..row.len()).collect();
    order.sort_by(|&a, &b| (scaled[b] - f64::from(whole[b])).total_cmp(&(scaled[a] - f64::from(whole[a]))));
    for at in order.into_iter().cycle().take(if row.is_empty() { 0 } else { left as usize }) {
        whole[at] += 1;
    }
    for (entry, whole) in row.iter_mut().zip(whole) {
        entry.1 = f64::from(whole) / f64::from(steps);
    }
    row.retain(|e| e.1 > 0.0);
}
