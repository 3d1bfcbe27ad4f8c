use crate::{parallel, rig::Weld};
use glam::Vec3;

/// Welds vertices whose coordinates agree when rounded to a millionth of the longest side of the box. Files round, so
/// that copies along a seam may differ in the last digits; [`Weld::of`] would leave the seam open.
pub(super) fn weld(positions: &[Vec3]) -> Weld {
    let low = positions.iter().copied().filter(|p| p.is_finite()).fold(Vec3::INFINITY, Vec3::min).as_dvec3();
    let high = positions.iter().copied().filter(|p| p.is_finite()).fold(Vec3::NEG_INFINITY, Vec3::max).as_dvec3();
    let unit = (high - low).max_element() * 1e-6;
    let unit = if unit > 0.0 && unit.is_finite() { unit } else { 1.0 };
    let key = |p: &Vec3| (p.as_dvec3() / unit).to_array().map(|x| x.round_ties_even() as i64);
    let mut order: Vec<([i64; 3], u32)> = positions.iter().map(key).zip(0..).collect();
    parallel::sort_by(&mut order, Ord::cmp);
    let mut leader = vec![0u32; positions.len()];
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        for (_, i) in run {
            leader[*i as usize] = run[0].1;
        }
    }
    let mut welded_of = vec![0u32; positions.len()];
    let mut first_of = Vec::new();
    for (i, &first) in leader.iter().enumerate() {
        if first as usize == i {
            welded_of[i] = first_of.len() as u32;
            first_of.push(i as u32);
        } else {
            welded_of[i] = welded_of[first as usize];
        }
    }
    Weld { welded_of, first_of }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_differ_in_the_last_digit_are_one() {
        let almost = f32::from_bits(1f32.to_bits() - 1);
        let weld = weld(&[Vec3::X, Vec3::ZERO, Vec3::new(almost, 0.0, 0.0), Vec3::new(0.99, 0.0, 0.0)]);
        assert_eq!(weld.welded_of, [0, 1, 0, 2]);
        assert_eq!(weld.first_of, [0, 1, 3]);
    }

    #[test]
    fn points_in_one_place_and_no_points_do_not_trip_it() {
        assert_eq!(weld(&[Vec3::ONE, Vec3::ONE]).first_of, [0]);
        assert_eq!(weld(&[]).first_of.len(), 0);
        assert_eq!(weld(&[Vec3::NAN, Vec3::NAN]).first_of, [0]);
    }
}
