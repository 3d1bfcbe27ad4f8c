//! Which joint is the mirror image of which.

use super::{Axis, EditError, JointPair, MirrorOptions, Named, PairedBy, Side, names};
use crate::{math::Bounds, rig::Skeleton};
use glam::DVec3;

/// The plane, the side that is kept, and each joint's partner.
pub(super) struct Setting {
    pub axis: Axis,
    pub place: f64,
    /// 1 where the kept side is that of greater coordinates, else -1.
    pub kept: f64,
    pub partner: Vec<Option<(usize, PairedBy)>>,
}

/// How far from its partner's mirror image a joint may lie, and from the plane a joint of the middle, in diagonals.
const NEAR: f64 = 0.02;

impl Setting {
    pub fn of(skeleton: &Skeleton, bounds: Bounds, options: &MirrorOptions) -> Result<Self, EditError> {
        let at = |j: usize| skeleton.joints()[j].rest_position();
        let named = names::pairs(skeleton);
        let diagonal = f64::from(bounds.diagonal());
        let axis = options.axis.unwrap_or_else(|| {
            let apart: DVec3 = named.iter().map(|n| (at(n.left) - at(n.right)).abs()).sum();
            [Axis::X, Axis::Y, Axis::Z][if named.is_empty() { 0 } else { apart.max_position() }]
        });
        let along = |p: DVec3| p[axis.index()];
        let place = options.place.unwrap_or_else(|| {
            let mut middles: Vec<f64> = named.iter().map(|n| 0.5 * (along(at(n.left)) + along(at(n.right)))).collect();
            middles.sort_by(f64::total_cmp);
            let place = middles.get(middles.len() / 2).copied();
            let place = place.unwrap_or_else(|| along(bounds.center().as_dvec3()));
            if place.abs() <= 1e-3 * diagonal { 0.0 } else { place }
        });
        let to_the_left = || {
            let sum: f64 = named.iter().map(|n| along(at(n.left)) - along(at(n.right))).sum();
            if sum == 0.0 || named.is_empty() { Err(EditError::NoSides) } else { Ok(sum.signum()) }
        };
        let kept = match options.from {
            Side::Positive => 1.0,
            Side::Negative => -1.0,
            Side::Left => to_the_left()?,
            Side::Right => -to_the_left()?,
        };
        let partner = partners(skeleton, &named, axis, place, NEAR * diagonal);
        Ok(Self { axis, place, kept, partner })
    }

    /// A point seen in the mirror.
    pub fn mirrored(&self, mut p: DVec3) -> DVec3 {
        p[self.axis.index()] = 2.0 * self.place - p[self.axis.index()];
        p
    }

    /// A direction seen in the mirror.
    pub fn mirrored_direction(&self, mut d: DVec3) -> DVec3 {
        d[self.axis.index()] = -d[self.axis.index()];
        d
    }

    pub fn pairs(&self) -> Vec<JointPair> {
        let pair =
            |(joint, p): (usize, &Option<(usize, PairedBy)>)| p.map(|(partner, by)| JointPair { joint, partner, by });
        self.partner.iter().enumerate().filter_map(pair).filter(|p| p.joint <= p.partner).collect()
    }
}

fn partners(skeleton: &Skeleton, named: &[Named], axis: Axis, place: f64, near: f64) -> Vec<Option<(usize, PairedBy)>> {
    let mut partner = vec![None; skeleton.len()];
    let at = |j: usize| skeleton.joints()[j].rest_position();
    let image = |j: usize| {
        let mut image = at(j);
        image[axis.index()] = 2.0 * place - image[axis.index()];
        image
    };
    // Names that count from the shoulder on one side and from the hand on the other: another joint lies where the partner should.
    let crossed = |n: &Named| {
        let image = image(n.left);
        let others = || (0..skeleton.len()).filter(|k| ![n.left, n.right].contains(k));
        at(n.right).distance(image) > near && others().any(|k| at(k).distance(image) <= near)
    };
    for &Named { left, right } in named.iter().filter(|n| !crossed(n)) {
        partner[left] = Some((right, PairedBy::Name));
        partner[right] = Some((left, PairedBy::Name));
    }
    let free: Vec<usize> = (0..skeleton.len()).filter(|&j| partner[j].is_none()).collect();
    let closest = |j: usize| {
        let image = image(j);
        // Itself first: several joints may lie on one spot of the plane.
        let others = std::iter::once(j).chain(free.iter().copied().filter(|&k| k != j));
        others
            .map(|k| (at(k).distance(image), k))
            .filter(|c| c.0 <= near)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|c| c.1)
    };
    let images: Vec<Option<usize>> = free.iter().map(|&j| closest(j)).collect();
    for (&j, &image) in free.iter().zip(&images) {
        let Some(k) = image else { continue };
        let back = free.binary_search(&k).ok().and_then(|i| images[i]);
        if back == Some(j) {
            partner[j] = Some((k, if k == j { PairedBy::Middle } else { PairedBy::Place }));
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::DAffine3;

    #[test]
    fn names_that_count_the_other_way_are_paired_by_place() {
        let places = [
            ("arm_L_1", 1.0),
            ("arm_L_2", 2.0),
            ("arm_L_3", 3.0),
            ("arm_R_3", -1.0),
            ("arm_R_2", -2.0),
            ("arm_R_1", -3.0),
        ];
        let joint = |(name, x): (&str, f64)| Joint::new(name, None, DAffine3::from_translation(DVec3::X * x));
        let skeleton = Skeleton::new(places.map(joint).to_vec()).unwrap();
        let partner = |near: f64| {
            let found = partners(&skeleton, &names::pairs(&skeleton), Axis::X, 0.0, near);
            found.iter().map(|p| p.map(|(k, _)| k)).collect::<Vec<_>>()
        };
        assert_eq!(partner(0.1), [3, 4, 5, 0, 1, 2].map(Some));
        // Where no joint is near enough to say otherwise, names count.
        assert_eq!(partner(-1.0), [5, 4, 3, 2, 1, 0].map(Some));
    }
}
