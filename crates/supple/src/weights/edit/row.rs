use crate::rig::{Weights, WeightsBuilder};

/// A row in double precision, joints ascending: rows added in this form give the same bits in any order of their joints.
pub(super) type Row = Vec<(u16, f64)>;

/// A row of a table.
pub(super) fn of(weights: &Weights, vertex: usize) -> Row {
    let (joints, values) = weights.row(vertex);
    let mut row: Row = joints.iter().zip(values).map(|(&j, &w)| (j, f64::from(w))).collect();
    row.sort_unstable_by_key(|e| e.0);
    row
}

/// Rows times shares, summed.
pub(super) fn blend<'a>(parts: impl IntoIterator<Item = (f64, &'a Row)>) -> Row {
    let mut sum: Row = Vec::new();
    for (share, row) in parts {
        add(&mut sum, share, row);
    }
    sum
}

/// `sum += share * row`, both ascending by joint.
pub(super) fn add(sum: &mut Row, share: f64, row: &[(u16, f64)]) {
    if share == 0.0 {
        return;
    }
    for &(joint, weight) in row {
        match sum.binary_search_by_key(&joint, |e| e.0) {
            Ok(at) => sum[at].1 += share * weight,
            Err(at) => sum.insert(at, (joint, share * weight)),
        }
    }
}

/// Drops what is below `least` of the whole and makes the rest sum to one.
pub(super) fn settle(row: &mut Row, least: f64) {
    let sum: f64 = row.iter().map(|e| e.1).sum();
    row.retain(|e| e.1 > least * sum);
    let sum: f64 = row.iter().map(|e| e.1).sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|e| e.1 /= sum);
    }
}

/// The largest difference of one weight, and the sum of all.
pub(super) fn difference(a: (&[u16], &[f32]), b: (&[u16], &[f32])) -> (f64, f64) {
    let value = |row: (&[u16], &[f32]), joint: u16| {
        row.0.iter().position(|&j| j == joint).map_or(0.0, |at| f64::from(row.1[at]))
    };
    let (mut largest, mut sum) = (0.0f64, 0.0);
    let only_in_b = b.0.iter().filter(|j| !a.0.contains(j));
    for &joint in a.0.iter().chain(only_in_b) {
        let change = (value(a, joint) - value(b, joint)).abs();
        largest = largest.max(change);
        sum += change;
    }
    (largest, sum)
}

/// A table of finished rows; one without weight goes to what `fallback` names.
pub(super) fn table(rows: impl ExactSizeIterator<Item = Row>, fallback: impl FnMut(usize) -> u16) -> Weights {
    let mut builder = WeightsBuilder::with_capacity(rows.len(), 4);
    for row in rows {
        builder.push(row.iter().map(|&(j, w)| (j, w as f32)));
    }
    builder.finish(fallback).0
}
