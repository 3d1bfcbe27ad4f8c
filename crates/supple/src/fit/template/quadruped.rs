//! An animal on four legs: cat, dog, horse, cow.

use super::{
    draft::Draft,
    paths::{Line, Reach, section_middle},
    solid::Solid,
};
use glam::DVec3;

struct Leg {
    /// From the foot up to the belly.
    line: Line,
    foot: DVec3,
    tip: f64,
    seen: bool,
}

pub(super) fn joints(solid: &Solid) -> Draft {
    let mut draft = Draft::default();
    let points: Vec<DVec3> = solid.inside().map(|i| solid.center(i)).collect();
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let (tall, step) = (high.y - low.y, solid.cells.step);
    let mut x: Vec<f64> = points.iter().map(|p| p.x).collect();
    x.sort_by(f64::total_cmp);
    let middle = 0.5 * (x[x.len() / 4] + x[x.len() - 1 - x.len() / 4]);

    // The feet, front and hind: the widest gap between what touches the ground.
    let ground: Vec<DVec3> = points.iter().copied().filter(|p| p.y < low.y + 0.08 * tall).collect();
    let mut z: Vec<f64> = ground.iter().map(|p| p.z).collect();
    z.sort_by(f64::total_cmp);
    let gap = z.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    let (split, parted) =
        gap.map_or((0.5 * (low.z + high.z), false), |g| (0.5 * (g[0] + g[1]), g[1] - g[0] > 2.5 * step));
    let foot = |front: bool, sign: f64| -> Vec<DVec3> {
        ground.iter().copied().filter(|p| (p.z > split) == front && sign * (p.x - middle) > 0.0).collect()
    };
    let mean = |p: &[DVec3]| p.iter().sum::<DVec3>() / p.len().max(1) as f64;
    let feet_z = |front: bool| {
        let both = [foot(front, 1.0), foot(front, -1.0)].concat();
        if both.is_empty() { if front { high.z } else { low.z } } else { mean(&both).z }
    };
    let (front_z, hind_z) = (feet_z(true), feet_z(false));
    let apart = front_z - hind_z;

    let near_middle = |p: &&DVec3| (p.x - middle).abs() < 1.3 * step;
    let under = |p: &&DVec3| near_middle(p) && p.z > hind_z + 0.3 * apart && p.z < front_z - 0.3 * apart;
    let belly = points.iter().filter(under).map(|p| p.y).fold(f64::INFINITY, f64::min);
    let belly_seen = belly.is_finite() && belly > low.y + 0.08 * tall;
    let belly = if belly_seen { belly } else { low.y + 0.4 * tall };
    let leg_height = belly - low.y;
    let back = |z: f64| {
        let here = points.iter().filter(near_middle).filter(|p| (p.z - z).abs() < 1.6 * step && p.y > belly);
        here.map(|p| p.y).fold(f64::NEG_INFINITY, f64::max)
    };
    // The trunk's height where no neck stands on it.
    let mut tops: Vec<f64> =
        (0..=8).map(|k| back(hind_z + apart * (0.1 + 0.07 * k as f64))).filter(|t| t.is_finite()).collect();
    tops.sort_by(f64::total_cmp);
    let top = tops.get(tops.len() / 2).copied().unwrap_or(low.y + 0.8 * tall).max(belly + step);
    let trunk = top - belly;

    let track = |front: bool, sign: f64| -> Leg {
        let cells = foot(front, sign);
        let seen = !cells.is_empty() && parted && belly_seen;
        let foot = if cells.is_empty() {
            DVec3::new(middle + sign * 0.1 * apart, low.y, if front { front_z } else { hind_z })
        } else {
            mean(&cells)
        };
        let tip = cells.iter().map(|p| p.z).fold(foot.z, f64::max);
        let above: Vec<DVec3> = points
            .iter()
            .copied()
            .filter(|p| (p.z > split) == front && sign * (p.x - middle) > 0.0)
            .filter(|p| (p.y - low.y - 0.22 * leg_height).abs() < 1.1 * step)
            .collect();
        let mut at = if above.is_empty() { foot } else { mean(&above) };
        let mut line = vec![at];
        while at.y + step < belly + 0.05 * trunk {
            let up = at + DVec3::Y * step;
            at = section_middle(solid, up, DVec3::Y).unwrap_or(up);
            line.push(at);
        }
        Leg { line: Line::of(solid, line), foot, tip, seen }
    };
    let legs = [(true, 1.0), (true, -1.0), (false, 1.0), (false, -1.0)].map(|(front, sign)| track(front, sign));
    let at_height = |leg: &Leg, y: f64| {
        let near = leg.line.points.iter().copied().min_by(|a, b| (a.y - y).abs().total_cmp(&(b.y - y).abs()));
        near.map_or(leg.foot, |p| DVec3::new(p.x, y, p.z))
    };
    let upper_z = |a: &Leg, b: &Leg| 0.25 * (a.foot.z + b.foot.z + a.line.at(f64::MAX).z + b.line.at(f64::MAX).z);
    let shoulder_z = upper_z(&legs[0], &legs[1]);
    let hip_z = upper_z(&legs[2], &legs[3]) - 0.03 * apart;

    let spine = |z: f64| {
        let y = back(z);
        let y = if y.is_finite() { y.min(top + 0.25 * trunk) } else { top };
        DVec3::new(middle, belly + 0.7 * (y - belly), z)
    };
    let seen = belly_seen && parted;
    let (hips, chest) = (spine(hip_z), spine(shoulder_z));
    draft.add("hips", None, hips, seen);
    for (name, parent, share) in
        [("spine_lower", "hips", 0.3), ("spine_upper", "spine_lower", 0.62), ("chest", "spine_upper", 0.9)]
    {
        draft.add(name, Some(parent), spine(hip_z + share * (shoulder_z - hip_z)), seen);
    }
    head(&mut draft, solid, &points, chest, belly, middle, front_z, trunk);
    tail(&mut draft, solid, &legs, hips, chest, middle, trunk, high.z - low.z);

    for (k, side) in ["l", "r"].into_iter().enumerate() {
        let (fore, hind) = (&legs[k], &legs[k + 2]);
        let wide = |leg: &Leg, share: f64| middle + share * (leg.line.at(f64::MAX).x - middle);
        let toes =
            |leg: &Leg| DVec3::new(leg.foot.x, low.y + 0.07 * leg_height, leg.foot.z + 0.2 * (leg.tip - leg.foot.z));
        let names = ["shoulder", "upper_arm", "forearm", "hand", "fingers"].map(|n| format!("{n}_{side}"));
        let places = [
            DVec3::new(wide(fore, 0.6), belly + 0.78 * trunk, shoulder_z - 0.02 * apart),
            DVec3::new(wide(fore, 0.9), belly + 0.3 * trunk, shoulder_z + 0.06 * apart),
            at_height(fore, belly - 0.02 * leg_height),
            at_height(fore, low.y + 0.4 * leg_height),
            toes(fore),
        ];
        let mut parent = "chest".to_owned();
        for (name, place) in names.iter().zip(places) {
            draft.add(name, Some(&parent), place, fore.seen);
            parent = name.clone();
        }
        let names = ["thigh", "shin", "foot", "toes"].map(|n| format!("{n}_{side}"));
        let knee = at_height(hind, belly - 0.06 * leg_height);
        let places = [
            DVec3::new(wide(hind, 0.75), belly + 0.6 * trunk, hip_z),
            knee,
            at_height(hind, low.y + 0.42 * leg_height),
            toes(hind),
        ];
        let mut parent = "hips".to_owned();
        for (name, place) in names.iter().zip(places) {
            draft.add(name, Some(&parent), place, hind.seen);
            parent = name.clone();
        }
    }
    draft.even(middle);
    draft
}

#[expect(clippy::too_many_arguments, reason = "all of them are places of one animal")]
fn head(
    draft: &mut Draft,
    solid: &Solid,
    points: &[DVec3],
    chest: DVec3,
    belly: f64,
    middle: f64,
    front_z: f64,
    trunk: f64,
) {
    let step = solid.cells.step;
    // The nose: farthest ahead of what is not a paw.
    let may = |p: &&DVec3| (p.x - middle).abs() < 2.0 * step && p.y > belly - 0.3 * trunk;
    let nose = points.iter().filter(may).copied().max_by(|a, b| a.z.total_cmp(&b.z).then(b.y.total_cmp(&a.y)));
    let from = solid.at(chest).filter(|&i| solid.depth[i] > 0.0);
    let found = nose.filter(|n| n.z > front_z - 0.2 * trunk).zip(from).and_then(|(nose, from)| {
        let reach = Reach::central(solid, from);
        let at = solid.at(nose)?;
        reach.distance[at].is_finite().then(|| reach.back(at))
    });
    let Some(mut cells) = found else {
        let ahead = DVec3::new(0.0, 0.5, 0.8) * trunk;
        draft.add("neck", Some("chest"), chest + 0.4 * ahead, false);
        draft.add("head", Some("neck"), chest + ahead, false);
        return;
    };
    cells.reverse();
    let line = Line::through(solid, &cells);
    let length = line.length();
    let turn = |s: f64| {
        let reach = 0.16 * length;
        (line.at(s) - line.at(s - reach)).angle_between(line.at(s + reach) - line.at(s))
    };
    let bend = line.between(0.45 * length, 0.72 * length).max_by(|&a, &b| turn(a).total_cmp(&turn(b)));
    let head = bend.filter(|&s| turn(s) > 0.5).unwrap_or(0.6 * length);
    draft.add("neck", Some("chest"), line.at(0.3 * head), true);
    let middle_of_neck = line.at(0.68 * head);
    draft.add("neck_upper", Some("neck"), middle_of_neck, true);
    draft.add("head", Some("neck_upper"), line.at(head), true);
}

#[expect(clippy::too_many_arguments, reason = "all of them are places of one animal")]
fn tail(
    draft: &mut Draft,
    solid: &Solid,
    legs: &[Leg; 4],
    hips: DVec3,
    chest: DVec3,
    middle: f64,
    trunk: f64,
    long: f64,
) {
    let inside = |p: DVec3| solid.at(p).filter(|&i| solid.depth[i] > 0.0);
    let spine = (0..=40).filter_map(|k| inside(chest.lerp(hips, k as f64 / 40.0)));
    let mut core: Vec<usize> = spine.collect();
    core.extend(legs.iter().flat_map(|l| l.line.points.iter().chain([&l.foot])).filter_map(|&p| inside(p)));
    let Some(from) = inside(hips) else { return };
    let reach = Reach::plain(solid, core);
    let tip = reach.farthest(|i| {
        let p = solid.center(i);
        p.z < hips.z && (p.x - middle).abs() < 0.15 * long
    });
    let Some(tip) = tip else { return };
    let way = Reach::central(solid, from);
    if !way.distance[tip].is_finite() {
        return;
    }
    let mut cells = way.back(tip);
    cells.reverse();
    let line = Line::through(solid, &cells);
    // It begins where the rump ends: the first place half as thick.
    let thick = line.radii.first().copied().unwrap_or(0.0).max(0.25 * trunk);
    let length = line.length();
    let thin = line.between(0.0, length).find(|&s| line.radius(s) < 0.55 * thick);
    // A bushy tail swells again behind its root.
    let waist = line.between(0.05 * length, 0.5 * length).min_by(|&a, &b| line.radius(a).total_cmp(&line.radius(b)));
    let waist = waist.filter(|&s| line.radius(s) < 0.8 * thick);
    let Some(root) = thin.into_iter().chain(waist).min_by(f64::total_cmp) else { return };
    let free = length - root;
    if free < 0.35 * trunk {
        draft.notes.push("no tail was found".into());
        return;
    }
    let mut parent = "hips".to_owned();
    for k in 0..4 {
        let name = format!("tail_{}", k + 1);
        draft.add(&name, Some(&parent), line.at(root + free * k as f64 / 4.0), true);
        parent = name;
    }
}
