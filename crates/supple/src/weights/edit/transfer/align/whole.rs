use super::{Similarity, Skins};
use crate::math::rigid_and_scale;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Steps of each try, and of the one that is kept.
const TRIED: usize = 12;
const KEPT: usize = 60;
/// Turns that are tried in full.
const BEST: usize = 6;
/// A turned body must lie so much nearer than one that is not turned. Bodies look much the same from behind.
const NEARER: f64 = 0.8;
/// Places of each skin that are looked at in a try.
const FEW: usize = 150;

/// The map of the whole under which the skins lie nearest, and their mean distance there.
pub(super) fn find(skins: &Skins<'_>) -> Option<(Similarity, f64)> {
    let (from, to) = (&skins.of_source, &skins.of_target);
    let scale = to.radius() / from.radius();
    if !(scale.is_finite() && scale > 0.0 && skins.diagonal.is_finite() && skins.diagonal > 0.0) {
        return None;
    }
    let start = |turn: DQuat| Similarity { turn, scale, shift: to.center() - turn * from.center() * scale };
    let mut tries: Vec<(Similarity, f64)> = turns(&from.axes(), &to.axes())
        .into_iter()
        .map(|turn| (start(turn), apart(skins, &start(turn), FEW)))
        .collect();
    let unturned = tries.remove(0);
    tries.sort_by(|a, b| a.1.total_cmp(&b.1));
    tries.truncate(BEST);
    let refine = |(first, _): (Similarity, f64)| {
        let found = refined(skins, first, true, TRIED, FEW);
        (first, apart(skins, &found, FEW))
    };
    let unturned = refine(unturned);
    let turned = tries.into_iter().map(refine).min_by(|a, b| a.1.total_cmp(&b.1));
    let (first, _) = turned.filter(|t| t.1 < NEARER * unturned.1).unwrap_or(unturned);
    let kept = |turning: bool| {
        let found = refined(skins, first, turning, KEPT, usize::MAX);
        (found, apart(skins, &found, usize::MAX))
    };
    // Two bodies that stand upright lie a little nearer when one is tilted by a degree or two: that is not meant.
    let (straight, tilted) = (kept(false), kept(true));
    let (found, distance) = if tilted.1 < NEARER * straight.1 { tilted } else { straight };
    (distance.is_finite() && found.scale > 0.0).then_some((found, distance))
}

/// No turn at all first, then the other 23 that take axes to axes, then the four that lay the directions of greatest spread over
/// each other.
fn turns(from: &DMat3, to: &DMat3) -> Vec<DQuat> {
    let mut turns = Vec::with_capacity(28);
    for x in 0..6 {
        for y in 0..6 {
            let axis = |i: usize| DVec3::AXES[i / 2] * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
            if x / 2 != y / 2 {
                turns.push(DMat3::from_cols(axis(x), axis(y), axis(x).cross(axis(y))));
            }
        }
    }
    let unturned = turns.iter().position(|m| *m == DMat3::IDENTITY).unwrap_or(0);
    turns.swap(0, unturned);
    for signs in [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]] {
        turns.push(*to * DMat3::from_diagonal(signs.into()) * from.transpose());
    }
    turns.iter().map(|m| DQuat::from_mat3(m).normalize()).collect()
}

/// Nearest points of the two, both ways: in the source, in the target.
fn pairs(skins: &Skins<'_>, map: &Similarity, most: usize) -> Vec<(DVec3, DVec3)> {
    let step = |count: usize| count.div_ceil(most).max(1);
    let (from, to) = (&skins.of_source.points, &skins.of_target.points);
    let forth = from.iter().step_by(step(from.len())).filter_map(|&q| Some((q, skins.target.at(map.point(q))?.place)));
    let back = to.iter().step_by(step(to.len())).filter_map(|&p| Some((skins.source.at(map.back(p))?.place, p)));
    forth.chain(back).collect()
}

fn apart(skins: &Skins<'_>, map: &Similarity, most: usize) -> f64 {
    let pairs = pairs(skins, map, most);
    let sum: f64 = pairs.iter().map(|(q, p)| map.point(*q).distance(*p)).sum();
    if pairs.is_empty() { f64::INFINITY } else { sum / pairs.len() as f64 }
}

/// Steps of the nearest points: pairs, then the map that brings them closest (Umeyama 1991).
fn refined(skins: &Skins<'_>, mut map: Similarity, turning: bool, steps: usize, most: usize) -> Similarity {
    let fixed = (!turning).then_some(map.turn);
    for _ in 0..steps {
        let Some(next) = closest(&pairs(skins, &map, most), fixed) else { return map };
        let still = next.turn.angle_between(map.turn) < 1e-9
            && (next.scale / map.scale - 1.0).abs() < 1e-9
            && next.shift.distance(map.shift) < 1e-9 * skins.diagonal;
        map = next;
        if still {
            break;
        }
    }
    map
}

/// With a turn that is given, or any.
fn closest(pairs: &[(DVec3, DVec3)], fixed: Option<DQuat>) -> Option<Similarity> {
    let count = pairs.len() as f64;
    let from = pairs.iter().map(|p| p.0).sum::<DVec3>() / count;
    let to = pairs.iter().map(|p| p.1).sum::<DVec3>() / count;
    let (mut mixed, mut spread) = (DMat3::ZERO, 0.0);
    for (q, p) in pairs {
        let (q, p) = (*q - from, *p - to);
        mixed += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        spread += q.length_squared();
    }
    let turn = fixed.unwrap_or_else(|| rigid_and_scale(&DAffine3::from_mat3(mixed)).rotation);
    let along = DMat3::from_quat(turn.inverse()) * mixed;
    let scale = (along.x_axis.x + along.y_axis.y + along.z_axis.z) / spread;
    let found = Similarity { turn, scale, shift: to - turn * from * scale };
    (scale.is_finite() && scale > 0.0 && turn.is_finite() && found.shift.is_finite()).then_some(found)
}
