//! A standing person: head up, arms out, slanting or hanging free, legs below.

use super::{
    draft::Draft,
    paths::{Line, Reach, section_middle},
    solid::Solid,
};
use glam::DVec3;

/// What was found before joints are placed; heights over the ground in body coordinates.
struct Marks {
    bottom: f64,
    height: f64,
    middle: f64,
    crotch: f64,
    neck: f64,
    neck_seen: bool,
    crotch_seen: bool,
}

pub(super) fn joints(solid: &Solid) -> Draft {
    let mut draft = Draft::default();
    let slices = Slices::of(solid);
    let marks = marks(&slices);
    let Marks { bottom, height, middle, .. } = marks;

    let hip_y = marks.crotch + 0.035 * height;
    let neck_y = marks.neck;
    let trunk = neck_y - hip_y;
    let on_spine = |y: f64, back: f64| {
        let (center, depth) = slices.middle_of(y, 0.09 * height);
        DVec3::new(middle, y, center - back * depth)
    };
    // Shares of the way from the hips to the neck, and how far behind the middle of the section, in its half depths.
    for (name, parent, share, back) in [
        ("hips", None, 0.08, 0.1),
        ("spine_lower", Some("hips"), 0.26, 0.2),
        ("spine_middle", Some("spine_lower"), 0.43, 0.25),
        ("spine_upper", Some("spine_middle"), 0.60, 0.3),
        ("chest", Some("spine_upper"), 0.77, 0.3),
    ] {
        draft.add(name, parent, on_spine(hip_y + share * trunk, back), marks.crotch_seen && marks.neck_seen);
    }
    let top = bottom + height;
    let neck = on_spine(neck_y, 0.15);
    draft.add("neck", Some("chest"), neck, marks.neck_seen);
    let head = on_spine(neck_y + 0.28 * (top - neck_y), 0.1);
    draft.add("head", Some("neck"), head, marks.neck_seen);

    for name in ["spine_lower", "spine_middle", "spine_upper", "chest", "neck", "head"] {
        draft.hinge(name, DVec3::X);
    }
    let core = core(solid, &marks);
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        arm(&mut draft, solid, &marks, &core, side, sign);
    }
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        leg(&mut draft, solid, &slices, &marks, side, sign);
    }
    draft.even(middle);
    draft
}

/// Cells by height: how many, where, and how they lie about the middle.
struct Slices<'a> {
    solid: &'a Solid,
    cells: Vec<Vec<usize>>,
    middle: f64,
}

impl<'a> Slices<'a> {
    fn of(solid: &'a Solid) -> Self {
        let mut cells = vec![Vec::new(); solid.cells.count[1]];
        for i in solid.inside() {
            cells[solid.place(i)[1]].push(i);
        }
        // The plane between left and right: the middle of head, trunk and legs together, arms being far out.
        let mut x: Vec<f64> = solid.inside().map(|i| solid.center(i).x).collect();
        x.sort_by(f64::total_cmp);
        let middle = if x.is_empty() { 0.0 } else { 0.5 * (x[x.len() / 4] + x[x.len() - 1 - x.len() / 4]) };
        Self { solid, cells, middle }
    }

    fn row(&self, y: f64) -> usize {
        let cells = &self.solid.cells;
        (((y - cells.low.y) / cells.step).floor().max(0.0) as usize).min(cells.count[1] - 1)
    }

    fn height_of(&self, row: usize) -> f64 {
        self.solid.cells.middle(1, row)
    }

    /// Mean z and half depth of what lies near the middle plane at a height.
    fn middle_of(&self, y: f64, wide: f64) -> (f64, f64) {
        let row = self.row(y);
        let near = (row.saturating_sub(1)..=(row + 1).min(self.cells.len() - 1)).flat_map(|r| &self.cells[r]);
        let z: Vec<f64> =
            near.map(|&i| self.solid.center(i)).filter(|p| (p.x - self.middle).abs() < wide).map(|p| p.z).collect();
        if z.is_empty() {
            return (
                0.5 * (self.solid.cells.middle(2, 0) + self.solid.cells.middle(2, self.solid.cells.count[2] - 1)),
                0.0,
            );
        }
        let (low, high) = z.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &z| (a.min(z), b.max(z)));
        (z.iter().sum::<f64>() / z.len() as f64, 0.5 * (high - low))
    }

    /// Half the width of the piece round the middle plane at a height: as far as cells go on without a gap.
    fn half_width(&self, row: usize) -> f64 {
        let cells = &self.solid.cells;
        let middle = ((self.middle - cells.low.x) / cells.step).floor() as i64;
        let taken: std::collections::HashSet<i64> =
            self.cells[row].iter().map(|&i| self.solid.place(i)[0] as i64 - middle).collect();
        let run = |dir: i64| (0..).take_while(|k| taken.contains(&(dir * *k))).count();
        0.5 * (run(1) + run(-1)) as f64 * cells.step
    }
}

fn marks(slices: &Slices<'_>) -> Marks {
    let solid = slices.solid;
    let (rows, step) = (slices.cells.len(), solid.cells.step);
    let middle = slices.middle;
    let near_middle = |row: usize, wide: f64| {
        slices.cells[row].iter().filter(|&&i| (solid.center(i).x - middle).abs() < wide).count()
    };
    let low = (0..rows).find(|&r| !slices.cells[r].is_empty()).unwrap_or(0);
    // Raised hands do not make a body taller: the top is that of the head.
    let body = solid.cells.count[1] as f64 * step;
    let high = (0..rows).rev().find(|&r| near_middle(r, 0.06 * body) > 0).unwrap_or(rows - 1);
    let (bottom, top) = (slices.height_of(low) - 0.5 * step, slices.height_of(high) + 0.5 * step);
    let height = (top - bottom).max(step);

    // The lowest height from which on nothing parts left and right.
    let tall = |row: usize| (slices.height_of(row) - bottom) / height;
    let open = (low..=high).filter(|&r| tall(r) < 0.62 && near_middle(r, 1.01 * step) == 0).max();
    let crotch_seen = open.is_some_and(|r| (0.06..0.6).contains(&tall(r)));
    let crotch = if crotch_seen { slices.height_of(open.unwrap_or(low)) + step } else { bottom + 0.46 * height };

    // The narrowest place between the widest of the head and the shoulders.
    let width: Vec<f64> = (0..rows).map(|r| slices.half_width(r)).collect();
    let from = slices.row(crotch + 0.45 * (top - crotch));
    let to = slices.row(top - 0.04 * height);
    let narrow = (from..=to)
        .filter(|&r| {
            let above = width[r..=high].iter().copied().fold(0.0, f64::max);
            let below = width[from..=r].iter().copied().fold(0.0, f64::max);
            width[r] < 0.85 * above && width[r] < 0.7 * below
        })
        .min_by(|&a, &b| width[a].total_cmp(&width[b]).then(a.cmp(&b)));
    let neck_seen = narrow.is_some();
    let neck = if let Some(r) = narrow {
        // Necks are as wide for a stretch; its lower part is meant.
        let flat = |&s: &usize| width[s] <= width[r] + 0.5 * step;
        let down = (from..=r).rev().take_while(flat).last().unwrap_or(r);
        let upwards = (r..=to).take_while(flat).last().unwrap_or(r);
        let stretch = (slices.height_of(down), slices.height_of(upwards));
        stretch.0 + 0.2 * (stretch.1 - stretch.0) - 0.015 * height
    } else {
        // A head that sits on its shoulders: above arms that are held out, else by proportion.
        let widest = (slices.row(crotch)..=to).max_by(|&a, &b| width[a].total_cmp(&width[b]).then(b.cmp(&a)));
        let arms = widest.filter(|&r| width[r] > 0.25 * height).map(|r| {
            let edge = (r..=to).take_while(|&s| width[s] > 0.6 * width[r]).last().unwrap_or(r);
            slices.height_of(edge) + step
        });
        arms.unwrap_or(crotch + 0.68 * (top - crotch))
    };
    // Thighs that touch hide where they part: a grown body with a small head has legs of more than half its neck's height.
    let up_to_neck = neck - bottom;
    let short = neck_seen && top - neck < 0.2 * height && crotch - bottom < 0.5 * up_to_neck;
    let crotch = if short { bottom + 0.57 * up_to_neck } else { crotch };
    Marks { bottom, height, middle, crotch, neck, neck_seen, crotch_seen }
}

/// Cells along the middle of trunk, head and legs: what an arm is not.
fn core(solid: &Solid, marks: &Marks) -> Vec<usize> {
    let Marks { bottom, height, middle, neck, crotch, .. } = *marks;
    let wide = 0.03 * height;
    let deepest = |may: &dyn Fn(DVec3) -> bool| {
        let cells = solid.inside().filter(|&i| may(solid.center(i)));
        cells.max_by(|&a, &b| solid.depth[a].total_cmp(&solid.depth[b]).then(b.cmp(&a)))
    };
    let (from, to) = (crotch + 0.5 * (neck - crotch), neck - 0.1 * (neck - crotch));
    let Some(chest) = deepest(&|p| (p.x - middle).abs() < wide && p.y > from && p.y < to) else { return Vec::new() };
    let reach = Reach::central(solid, chest);
    let mut core = vec![chest];
    let top = bottom + height;
    let mut ends = vec![deepest(&|p| (p.x - middle).abs() < wide && p.y > top - 0.06 * height)];
    for sign in [1.0, -1.0] {
        ends.push(deepest(&|p| sign * (p.x - middle) > 0.0 && p.y < bottom + 0.06 * height));
    }
    for end in ends.into_iter().flatten().filter(|&e| reach.distance[e].is_finite()) {
        core.extend(reach.back(end));
    }
    core
}

fn arm(draft: &mut Draft, solid: &Solid, marks: &Marks, core: &[usize], side: &str, sign: f64) {
    let Marks { height, middle, neck, .. } = *marks;
    let names = ["clavicle", "upper_arm", "forearm", "hand"].map(|n| format!("{n}_{side}"));
    let clavicle = |shoulder: DVec3| DVec3::new(middle + 0.14 * (shoulder.x - middle), shoulder.y, shoulder.z);
    let Some(found) = arm_line(solid, marks, core, sign) else {
        // Arms that cannot be told from the trunk hang down.
        let z = draft.position("chest").map_or(0.0, |p| p.z);
        let shoulder = DVec3::new(middle + sign * 0.1 * height, neck - 0.03 * height, z);
        let places =
            [clavicle(shoulder), shoulder, shoulder - DVec3::Y * 0.17 * height, shoulder - DVec3::Y * 0.31 * height];
        let mut parent = "chest";
        for (name, place) in names.iter().zip(places) {
            draft.add(name, Some(parent), place, false);
            parent = name;
        }
        return;
    };
    let ArmLine { line, shoulder } = found;
    let length = shoulder;
    // Lengths from the finger tips; the wrist is the thinnest place, the elbow the sharpest bend.
    let wrist = line
        .between(0.2 * length, 0.33 * length)
        .min_by(|&a, &b| {
            line.radius(a)
                .total_cmp(&line.radius(b))
                .then((a - 0.25 * length).abs().total_cmp(&(b - 0.25 * length).abs()))
        })
        .unwrap_or(0.25 * length);
    let wrist = 0.5 * (wrist + 0.25 * length);
    let middle_of = wrist + 0.47 * (length - wrist);
    let turn = |s: f64| {
        let reach = 0.12 * length;
        let (a, b, c) = (line.at(s - reach), line.at(s), line.at(s + reach));
        (b - a).angle_between(c - b)
    };
    let bend = line
        .between(middle_of - 0.09 * length, middle_of + 0.09 * length)
        .max_by(|&a, &b| turn(a).total_cmp(&turn(b)))
        .filter(|&s| turn(s) > 0.35);
    let elbow = bend.unwrap_or(middle_of);
    // Where the arm hangs, its line dips into the chest: the shoulder lies straight on from the upper arm.
    let from = line.at(elbow);
    let upper = (line.at(elbow + 0.55 * (length - elbow)) - from).normalize_or_zero();
    let at_shoulder = from + upper * from.distance(line.at(length));
    let places = [clavicle(at_shoulder), at_shoulder, line.at(elbow), line.at(wrist)];
    let mut parent = "chest";
    for (name, place) in names.iter().zip(places) {
        draft.add(name, Some(parent), place, true);
        parent = name;
    }
    draft.hinge(&names[2], DVec3::NEG_Y * sign);
}

struct ArmLine {
    /// From the finger tips inwards.
    line: Line,
    /// Where along it the shoulder is.
    shoulder: f64,
}

fn arm_line(solid: &Solid, marks: &Marks, core: &[usize], sign: f64) -> Option<ArmLine> {
    let Marks { height, middle, crotch, neck, .. } = *marks;
    let &chest = core.first()?;
    let reach = Reach::plain(solid, core.iter().copied());
    let tip = reach.farthest(|i| {
        sign * (solid.center(i).x - middle) > 0.0 && solid.center(i).y > marks.bottom + 0.25 * (crotch - marks.bottom)
    })?;
    let trunk = neck - crotch;
    if reach.distance[tip] < 0.55 * trunk {
        return None;
    }
    let line = Line::through(solid, &Reach::central(solid, chest).back(tip));
    // The arm ends where its line is no longer in a tube: radii grow towards the trunk.
    let whole = line.length();
    let mut upper: Vec<f64> = line.between(0.35 * whole, 0.6 * whole).map(|s| line.radius(s)).collect();
    upper.sort_by(f64::total_cmp);
    let usual = upper.get(upper.len() / 2).copied().unwrap_or(0.03 * height);
    let entered = line.between(0.5 * whole, whole).find(|&s| line.radius(s) > 1.45 * usual).unwrap_or(0.8 * whole);
    // Nobody's shoulders are narrower than the neck is wide, or as wide as the trunk is long.
    let out = |s: f64| sign * (line.at(s).x - middle);
    let widest = line.between(0.4 * whole, whole).find(|&s| out(s) < 0.5 * trunk).unwrap_or(entered);
    let least = line.between(0.4 * whole, whole).find(|&s| out(s) < 0.2 * trunk).unwrap_or(whole);
    let shoulder = entered.clamp(widest.min(least), least.max(widest));
    Some(ArmLine { line, shoulder })
}

fn leg(draft: &mut Draft, solid: &Solid, slices: &Slices<'_>, marks: &Marks, side: &str, sign: f64) {
    let Marks { bottom, height, middle, crotch, crotch_seen, .. } = *marks;
    let names = ["thigh", "shin", "foot", "toes"].map(|n| format!("{n}_{side}"));
    // The foot: cells of this side near the ground.
    let leg = crotch - bottom;
    let half = |i: &&usize| sign * (solid.center(**i).x - middle) > 0.0;
    let slab = |from: f64, to: f64| -> Vec<DVec3> {
        (slices.row(from)..=slices.row(to))
            .flat_map(|r| &slices.cells[r])
            .filter(half)
            .map(|&i| solid.center(i))
            .collect()
    };
    let mean = |points: &[DVec3]| points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let sole = slab(bottom, bottom + 0.06 * leg);
    let ankle_slab = slab(bottom + 0.13 * leg, bottom + 0.2 * leg);
    let seen = crotch_seen && !sole.is_empty() && !ankle_slab.is_empty();
    let ankle = if ankle_slab.is_empty() {
        DVec3::new(middle + sign * 0.06 * height, bottom + 0.1 * leg, 0.0)
    } else {
        mean(&ankle_slab)
    };
    let ankle = DVec3::new(ankle.x, bottom + 0.115 * leg, ankle.z);
    let (heel, tip) = sole.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.z), b.max(p.z)));
    let (heel, tip) = if sole.is_empty() { (ankle.z - 0.04 * height, ankle.z + 0.1 * height) } else { (heel, tip) };
    let front: Vec<DVec3> = sole.iter().copied().filter(|p| p.z > heel + 0.55 * (tip - heel)).collect();
    let ball_x = if front.is_empty() { ankle.x } else { mean(&front).x };
    let ball = DVec3::new(ball_x, bottom + 0.035 * leg, heel + 0.7 * (tip - heel));

    // Up the leg section by section, each found from the one below.
    let mut at = ankle;
    let mut middles = vec![ankle];
    let step = solid.cells.step;
    while at.y + step < crotch - 0.02 * height {
        let up = at + DVec3::Y * step;
        at = section_middle(solid, up, DVec3::Y).unwrap_or(up);
        middles.push(at);
    }
    let line = Line::of(solid, middles);
    let below = line.at(line.length());
    let hip_y = crotch + 0.035 * height;
    let hip_z = slices.middle_of(hip_y, 0.09 * height).0;
    let knee_y = ankle.y + 0.5 * (hip_y - ankle.y);
    let knee = line
        .points
        .iter()
        .copied()
        .min_by(|a, b| (a.y - knee_y).abs().total_cmp(&(b.y - knee_y).abs()))
        .unwrap_or(below.lerp(ankle, 0.5));
    // Where thighs touch, their sections run together and their middles with them: hips are not much nearer than knees.
    let out = (0.92 * (below.x - middle).abs()).max(0.75 * (knee.x - middle).abs());
    let hip = DVec3::new(middle + sign * out, hip_y, 0.5 * (hip_z + below.z));
    let mut parent = "hips".to_owned();
    for (name, place) in names.iter().zip([hip, knee, ankle, ball]) {
        draft.add(name, Some(&parent), place, seen);
        parent = name.clone();
    }
    draft.hinge(&names[0], DVec3::NEG_X);
    draft.hinge(&names[1], DVec3::X);
    draft.hinge(&names[2], DVec3::NEG_X);
    draft.hinge(&names[3], DVec3::NEG_X);
}
