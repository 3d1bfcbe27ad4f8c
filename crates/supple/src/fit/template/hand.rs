//! A hand, its fingers more or less spread, with or without a piece of the forearm; in any orientation.

use super::{
    draft::Draft,
    paths::{Line, Reach, section, section_middle},
    solid::Solid,
};
use glam::DVec3;

const LONG: [&str; 4] = ["metacarpal", "proximal", "intermediate", "distal"];
const SHORT: [&str; 3] = ["metacarpal", "proximal", "distal"];

struct Finger {
    /// From the tip inwards.
    line: Line,
    /// Where along it the finger ends in the palm.
    web: f64,
    /// Mean radius.
    radius: f64,
}

impl Finger {
    fn tip(&self) -> DVec3 {
        self.line.at(0.0)
    }
    fn base(&self) -> DVec3 {
        self.line.at(self.web)
    }
    fn direction(&self) -> DVec3 {
        (self.tip() - self.base()).normalize_or(DVec3::Y)
    }
    /// Which way it runs into the palm.
    fn inwards(&self) -> DVec3 {
        (self.base() - self.line.at(0.45 * self.web)).normalize_or(-self.direction())
    }
}

pub(super) fn joints(solid: &Solid) -> Option<Draft> {
    let fingers = fingers(solid)?;
    let order = ordered(&fingers);
    let (thumb, rest) = (&fingers[order[0]], order[1..].iter().map(|&i| &fingers[i]).collect::<Vec<_>>());
    let seen = true;
    let mut draft = Draft::default();

    let ahead = rest.iter().map(|f| f.direction()).sum::<DVec3>().normalize_or(DVec3::Y);
    let knuckles: Vec<DVec3> = rest.iter().map(|f| f.base() + f.inwards() * (0.27 * f.web)).collect();
    let middle = rest[1];
    let finger_length = 1.27 * middle.web;
    // The palm is about as long as the middle finger; the wrist lies in the middle of the section there.
    let center = 0.5 * (knuckles[1] + knuckles[2]);
    let extent = |from: DVec3, direction: DVec3| {
        let step = 0.5 * solid.cells.step;
        (0..).map(|k| k as f64 * step).take_while(|&s| solid.depth_at(from + direction * s) > 0.0).last().unwrap_or(0.0)
    };
    let mut down = -ahead;
    let deep = center + down * (0.5 * finger_length);
    if let Some(palm) = section_middle(solid, deep, down) {
        down = (palm - center).normalize_or(down);
    }
    let below = extent(center, down);
    let wrist_at = (0.95 * finger_length).min(0.93 * below);
    let wrist = center + down * wrist_at;
    let wrist = section_middle(solid, wrist, down).unwrap_or(wrist);
    let beyond = extent(wrist, down);
    let mut root = None;
    if beyond > 0.3 * finger_length {
        let back = wrist + down * (0.7 * beyond).min(0.65 * finger_length);
        draft.add("forearm", None, section_middle(solid, back, down).unwrap_or(back), seen);
        root = Some("forearm");
    }
    draft.add("hand", root, wrist, seen);

    // Fingers at ease and the thumb lie on the palm's side of the plane through wrist and knuckles, so neither may say
    // where that plane is.
    let upwards = (center - wrist).normalize_or(ahead);
    let row = (knuckles[0] - knuckles[3]).reject_from_normalized(upwards);
    let across = row.normalize_or(upwards.any_orthonormal_vector());
    let normal = across.cross(upwards);
    let off = |p: DVec3| (p - center).dot(normal);
    let curl = rest.iter().map(|f| off(f.tip()) - off(f.base())).sum::<f64>();
    let palmar = off(thumb.tip()) + off(thumb.base()) + curl;
    let palm = if palmar < 0.0 { -normal } else { normal };

    let knuckle = thumb.line.at(thumb.web.min(0.62 * finger_length));
    let saddle = knuckle.lerp(wrist, 0.62);
    let thumb_joints = [saddle, knuckle, thumb.line.at(0.48 * thumb.web.min(0.62 * finger_length))];
    chain(&mut draft, "thumb", &SHORT, &thumb_joints, thumb.line.at(0.08 * thumb.web), -across + 0.4 * palm);
    for ((name, finger), knuckle) in ["index", "middle", "ring", "little"].into_iter().zip(&rest).zip(&knuckles) {
        let whole = 1.27 * finger.web;
        let joints = [wrist.lerp(*knuckle, 0.24), *knuckle, finger.line.at(0.5 * whole), finger.line.at(0.235 * whole)];
        chain(&mut draft, name, &LONG, &joints, finger.line.at(0.05 * whole), palm);
    }
    Some(draft)
}

fn chain(draft: &mut Draft, finger: &str, bones: &[&str], joints: &[DVec3], tip: DVec3, towards: DVec3) {
    let along = (tip - joints[1]).normalize_or(DVec3::Y);
    let mut parent = "hand".to_owned();
    for (bone, &at) in bones.iter().zip(joints) {
        let name = format!("{finger}_{bone}");
        draft.add(&name, Some(&parent), at, true);
        draft.hinge(&name, along.cross(towards).normalize_or(along.any_orthonormal_vector()));
        parent = name;
    }
}

/// The five thinnest of what sticks out.
fn fingers(solid: &Solid) -> Option<Vec<Finger>> {
    let deepest = solid.inside().max_by(|&a, &b| solid.depth[a].total_cmp(&solid.depth[b]).then(b.cmp(&a)))?;
    let central = Reach::central(solid, deepest);
    let mut core = vec![deepest];
    let mut found: Vec<(f64, Finger)> = Vec::new();
    for _ in 0..9 {
        let reach = Reach::plain(solid, core.iter().copied());
        let Some(tip) = reach.farthest(|i| central.distance[i].is_finite()) else { break };
        let far = reach.distance[tip];
        if far < 4.0 * solid.cells.step || found.first().is_some_and(|f| far < 0.12 * f.0) {
            break;
        }
        let way = central.back(tip);
        core.extend(&way);
        let line = Line::through(solid, &way);
        found.push((far, finger(solid, line)));
    }
    // A stump of the arm ends in rims and corners: thick at once.
    let mut slender: Vec<(f64, Finger)> = found;
    slender.sort_by(|a, b| (b.1.web / b.1.radius).total_cmp(&(a.1.web / a.1.radius)));
    slender.truncate(5);
    let fits = slender.len() == 5 && slender.iter().all(|f| f.1.web > 2.0 * f.1.radius);
    fits.then(|| slender.into_iter().map(|f| f.1).collect())
}

/// Follows a line inwards until it is no longer in a finger: its section joins that of its neighbours. The palm is flat,
/// so radii would not tell.
fn finger(solid: &Solid, line: Line) -> Finger {
    let (mut areas, mut radii): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    let length = line.length();
    let mut web = length;
    for s in line.between(0.0, length) {
        let r = line.radius(s);
        // The cap is thinner than the finger.
        if areas.is_empty() && s < 1.2 * r {
            continue;
        }
        let back = 2.0 * solid.cells.step;
        let across = (line.at(s + back) - line.at(s - back)).normalize_or(DVec3::Y);
        let Some(area) = section(solid, line.at(s), across, 4.0 * r + back).map(|s| s.cells) else { continue };
        if areas.len() >= 5 {
            let mut sorted = areas.clone();
            sorted.sort_unstable();
            if s > 3.0 * r && area as f64 > 1.8 * sorted[sorted.len() / 2] as f64 {
                web = s;
                break;
            }
        }
        areas.push(area);
        radii.push(r);
    }
    let radius = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
    Finger { line, web, radius: radius.max(1e-30) }
}

/// The thumb, then the others from its side on.
fn ordered(fingers: &[Finger]) -> Vec<usize> {
    let apart = |i: usize| {
        let others = (0..fingers.len()).filter(|&j| j != i);
        let direction = others.clone().map(|j| fingers[j].direction()).sum::<DVec3>();
        let bases: Vec<DVec3> = others.map(|j| fingers[j].base()).collect();
        let center = bases.iter().sum::<DVec3>() / bases.len() as f64;
        let spread = bases.iter().map(|b| b.distance(center)).sum::<f64>() / bases.len() as f64;
        fingers[i].direction().angle_between(direction) + 0.6 * fingers[i].base().distance(center) / spread.max(1e-30)
    };
    let thumb = (0..fingers.len()).max_by(|&a, &b| apart(a).total_cmp(&apart(b))).unwrap_or(0);
    let mut rest: Vec<usize> = (0..fingers.len()).filter(|&i| i != thumb).collect();
    let ahead = rest.iter().map(|&i| fingers[i].direction()).sum::<DVec3>().normalize_or(DVec3::Y);
    let center = rest.iter().map(|&i| fingers[i].base()).sum::<DVec3>() / rest.len() as f64;
    // The row of the bases, from the thumb's end on.
    let far = rest.iter().map(|&i| (fingers[i].base() - center).reject_from_normalized(ahead));
    let row = far.max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(DVec3::X).normalize_or(DVec3::X);
    let row = if (fingers[thumb].base() - center).dot(row) < 0.0 { -row } else { row };
    rest.sort_by(|&a, &b| fingers[b].base().dot(row).total_cmp(&fingers[a].base().dot(row)));
    std::iter::once(thumb).chain(rest).collect()
}
