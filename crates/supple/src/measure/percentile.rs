/// The value below which `percent` of the values lie, between two of them by straight line, as numpy.percentile gives
/// it. None without values.
pub(super) fn percentile(sorted: &[f64], percent: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = percent / 100.0 * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_numpy() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(percentile(&values, 0.0), Some(1.0));
        assert_eq!(percentile(&values, 50.0), Some(3.0));
        assert!((percentile(&values, 99.0).unwrap() - 7.88).abs() < 1e-12);
        assert_eq!(percentile(&values, 100.0), Some(8.0));
        assert_eq!(percentile(&[], 50.0), None);
    }
}
