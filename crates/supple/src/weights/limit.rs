use crate::rig::WeightsBuilder;

/// A weight below this is no influence.
const NOTHING: f64 = 0.025;
/// A weight of this and more stays as it is; between the two it fades, so that no border shows. Both are Blender's.
const WHOLE: f64 = 0.05;

/// Clips, fades out what is tiny, keeps at most `influences`, and adds the row to a table, which normalises it. False
/// where nothing was left, and nothing was added.
///
/// The cut to so many influences is continuous: an influence fades as it comes near to the heaviest one that has no
/// place, and keeps all of its weight where it is twice as heavy. `row` holds each joint once.
pub(super) fn push_limited(row: &mut Vec<(u16, f64)>, influences: usize, table: &mut WeightsBuilder) -> bool {
    row.retain(|(_, w)| w.is_finite() && *w > 0.0);
    row.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let fade = |w: f64| if w >= WHOLE { w } else { ((w - NOTHING) / (WHOLE - NOTHING)).max(0.0) * w };
    // Very many small weights, none of them large enough: better the largest as they are than none.
    if row.first().is_some_and(|first| fade(first.1) > 0.0) {
        row.iter_mut().for_each(|(_, w)| *w = fade(*w));
    }
    if let Some(&(_, without_place)) = row.get(influences) {
        row.truncate(influences);
        // All of them as heavy as the one without a place: there is no continuous choice.
        if row.first().is_some_and(|first| first.1 > without_place) {
            row.iter_mut()
                .for_each(|(_, w)| *w *= ((*w - without_place) / without_place.max(f64::MIN_POSITIVE)).min(1.0));
        }
    }
    row.retain(|(_, w)| *w > 0.0);
    let sum: f64 = row.iter().map(|(_, w)| w).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return false;
    }
    table.push(row.iter().map(|&(joint, w)| (joint, (w / sum) as f32)));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(row: &[f64], influences: usize) -> Vec<f32> {
        let mut table = WeightsBuilder::default();
        let mut row = (0u16..).zip(row.iter().copied()).collect();
        assert!(push_limited(&mut row, influences, &mut table));
        let weights = table.finish(|_| 0).0;
        let mut dense = vec![0.0; 10];
        let (joints, values) = weights.row(0);
        joints.iter().zip(values).for_each(|(&j, &w)| dense[usize::from(j)] = w);
        dense
    }

    #[test]
    fn the_cut_is_continuous() {
        // Two influences change places at the border of the cut, one of them fades away: never a jump.
        for path in
            [|t: f64| [0.4, 0.3, 0.1 + 0.1 * t, 0.2 - 0.1 * t], |t: f64| [0.5, 0.4 + 0.1 * t, 0.1 - 0.1 * t, 0.0]]
        {
            let steps: Vec<Vec<f32>> = (0..=1000).map(|i| limited(&path(f64::from(i) / 1000.0), 3)).collect();
            for pair in steps.windows(2) {
                let jump = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(jump < 0.01, "{jump}");
            }
            assert!(steps.iter().all(|s| s.iter().filter(|w| **w > 0.0).count() <= 3));
        }
    }

    #[test]
    fn rows_without_a_clear_choice_still_sum_to_one() {
        for (row, influences) in
            [(vec![0.2; 5], 4), (vec![0.01; 100], 4), (vec![1.0], 1), (vec![f64::NAN, 0.5, -1.0], 2)]
        {
            let sum: f32 = limited(&row[..row.len().min(9)], influences).iter().sum();
            assert!((sum - 1.0).abs() < 1e-6);
        }
        let mut table = WeightsBuilder::default();
        assert!(!push_limited(&mut vec![(0, f64::NAN)], 4, &mut table));
    }
}
