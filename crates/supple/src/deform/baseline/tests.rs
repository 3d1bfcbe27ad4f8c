//! The formulas over random chains and junctions: no rig, no skeleton.

use super::{
    decode::Decoded,
    encode::{Encoded, Encoder},
    frame::{Model, Placed},
    joint::{JointSetup, turned, wrapped},
    posed::{Meets, Posed, RestBone, Setup},
    real::{Four, Turn, Vector},
    section::{Profile, normal},
};
use glam::{DMat3, DVec3};
use std::f64::consts::{PI, TAU};

/// Numbers that look random and are the same every time.
struct Chance(u64);

impl Chance {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0));
            if (0.01..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }
}

/// A model without a rig: spheres, and bones from sphere to sphere.
fn model(spheres: &[(DVec3, f64)], bones: &[[usize; 2]]) -> Model {
    let mut around = vec![Vec::new(); spheres.len()];
    let mut parents = Vec::new();
    for (index, &[a, b]) in bones.iter().enumerate() {
        let before = bones[..index].iter().position(|other| other[1] == a);
        parents.push(before.or_else(|| bones[..index].iter().position(|other| other[0] == a)));
        around[a].push((index, 0));
        around[b].push((index, 1));
    }
    Model {
        centers: spheres.iter().map(|s| s.0).collect(),
        radii: spheres.iter().map(|s| s.1).collect(),
        bones: bones.to_vec(),
        parents,
        around,
    }
}

/// A chain along x, bent at rest by these angles about z.
fn chain(lengths: &[f64], radii: &[f64], bends: &[f64]) -> Model {
    let (mut at, mut direction) = (DVec3::ZERO, DVec3::X);
    let mut spheres = vec![(at, radii[0])];
    for (i, &length) in lengths.iter().enumerate() {
        if i > 0 {
            direction = DMat3::from_rotation_z(bends[i - 1]) * direction;
        }
        at += direction * length;
        spheres.push((at, radii[i + 1]));
    }
    model(&spheres, &(0..lengths.len()).map(|i| [i, i + 1]).collect::<Vec<_>>())
}

/// Each bone turned against the one it hangs on.
fn posed(model: &Model, turns: &[DMat3]) -> Placed {
    let mut placed = model.placed();
    for (index, &[a, b]) in model.bones.iter().enumerate() {
        let before = model.parents[index].map_or(DMat3::IDENTITY, |p| placed.turns[p]);
        placed.turns[index] = before * turns[index];
        placed.centers[b] = placed.centers[a] + placed.turns[index] * (model.centers[b] - model.centers[a]);
    }
    placed
}

fn bend(axis: DVec3, degrees: f64) -> DMat3 {
    DMat3::from_axis_angle(axis.normalize(), degrees.to_radians())
}

struct Skin {
    setup: Setup,
    rest: Vec<RestBone<f64>>,
    at_rest: Posed<f64>,
}

impl Skin {
    fn new(model: Model) -> Self {
        let setup = Setup::new(model);
        Self { rest: setup.rest_bones(), at_rest: setup.posed().clone(), setup }
    }

    fn encode(&self, p: DVec3) -> Encoded<f64> {
        let frames = self.setup.model.frames();
        let encoder = Encoder { model: &self.setup.model, frames: &frames, bones: &self.rest, posed: &self.at_rest };
        encoder.encode(p)
    }

    fn pose(&mut self, turns: &[DMat3]) -> Posed<f64> {
        let mut placed = posed(&self.setup.model, turns);
        self.setup.pose(&mut placed).clone()
    }

    fn decode(&self, posed: &Posed<f64>, point: &Encoded<f64>) -> DVec3 {
        place(&posed.decode(&self.rest, point, Profile::Cubic))
    }

    /// Height over a bone and those it touches, in the last pose: bones farther on may cross it.
    fn height(&self, bone: u32, p: DVec3) -> f64 {
        let ends = self.setup.model.bones[bone as usize];
        let near = ends.into_iter().flat_map(|s| &self.setup.model.around[s]);
        near.map(|&(b, _)| self.setup.frames()[b].distance(p).0).fold(f64::INFINITY, f64::min)
    }
}

fn place(decoded: &Decoded<f64>) -> DVec3 {
    decoded.place.0.into()
}

/// Points at one height over a model at rest.
fn layer(skin: &Skin, height: f64, count: usize, chance: &mut Chance) -> Vec<DVec3> {
    let frames = skin.setup.model.frames();
    let mut points = Vec::new();
    while points.len() < count {
        let frame = &frames[(chance.unit() * frames.len() as f64) as usize];
        let around = chance.within(-PI, PI);
        let e = frame.e1 * around.cos() + frame.e2 * around.sin();
        let p = if chance.unit() < 0.6 {
            let at = chance.within(0.0, frame.length);
            let n = frame.axis * frame.sine + e * frame.cosine;
            let radius = frame.radii[0] + (frame.radii[1] - frame.radii[0]) * at / frame.length;
            frame.origin + frame.axis * at + n * (radius + height)
        } else {
            let end = usize::from(chance.unit() < 0.5);
            frame.origin + frame.axis * (frame.length * end as f64) + chance.direction() * (frame.radii[end] + height)
        };
        if frames.iter().all(|f| f.distance(p).0 > height - 1e-9) {
            points.push(p);
        }
    }
    points
}

/// A chain of cones, cylinders, continued cones and nearly equal radii, bent at rest.
fn random_chain(chance: &mut Chance) -> Model {
    let bones = 2 + (chance.unit() * 3.0) as usize;
    let lengths: Vec<f64> = (0..bones).map(|_| chance.within(5.0, 8.0)).collect();
    let kind = (chance.unit() * 4.0) as usize;
    let mut radii = vec![1.0];
    for (i, length) in lengths.iter().enumerate() {
        let last = radii[i];
        radii.push(match kind {
            0 => chance.within(0.6, 1.3),
            1 => last,
            2 => last - 0.03 * length,
            _ => last + chance.within(-1e-9, 1e-9),
        });
    }
    let straight = kind == 2 && chance.unit() < 0.5;
    let bends: Vec<f64> = (1..bones).map(|_| if straight { 0.0 } else { chance.within(-0.9, 0.9) }).collect();
    chain(&lengths, &radii, &bends)
}

/// Bends and twists that no joint of `random_chain` is folded by.
fn random_turns(bones: usize, most: f64, chance: &mut Chance) -> Vec<DMat3> {
    let turn = |chance: &mut Chance| {
        bend(DVec3::X, chance.within(-170.0, 170.0))
            * bend(DVec3::new(0.0, chance.within(-1.0, 1.0), 1.0), chance.within(-most, most))
    };
    (0..bones).map(|_| turn(chance)).collect()
}

#[test]
fn the_angle_form_of_the_joint_map_is_the_vector_form() {
    let mut chance = Chance(1);
    let mut compared = 0;
    for _ in 0..3000 {
        let bend_at_rest = chance.within(-2.6, 2.6);
        let radii = [chance.within(0.4, 1.4), 1.0, chance.within(0.4, 1.4)];
        let model = chain(&[3.0, 3.0], &radii, &[bend_at_rest]);
        let frames = model.frames();
        let [near, far] =
            [JointSetup::new(&frames[0], 1, &frames[1], 0), JointSetup::new(&frames[1], 0, &frames[0], 1)];
        let sum = frames[0].sine.asin() - frames[1].sine.asin();
        if bend_at_rest.abs() > PI - sum.abs() - 0.06 {
            continue;
        }
        let azimuth = chance.within(-PI, PI);
        let n = normal((frames[0].sine, frames[0].cosine), Turn::of(azimuth));
        let own = near.joint.sign * (azimuth - near.joint.reference);
        // Across the joint.
        let arrival = DVec3::from(near.joint.arrival(n).0);
        let world = frames[0].axis * arrival.x + frames[0].e1 * arrival.y + frames[0].e2 * arrival.z;
        let by_angle = near.other_reference + near.other_sign * turned(near.joint.across.mu(), own);
        let off = wrapped(frames[1].azimuth(world) - by_angle).abs();
        assert!(off < 1e-10, "across: {off}");
        // To the separator: both sides meet there.
        let e = near.joint.crossing(n);
        let m = near.joint.middle;
        let along = Vector::of(DVec3::from(m.v.0).normalize());
        let inner =
            frames[0].local(frames[0].e1 * near.joint.reference.cos() + frames[0].e2 * near.joint.reference.sin());
        let across = (inner - DVec3::from(along.0) * inner.dot(DVec3::from(along.0))).normalize();
        let third = DVec3::from(near.joint.own.v.0).cross(inner).normalize();
        let found = DVec3::from(e.0).dot(third).atan2(DVec3::from(e.0).dot(across));
        let off = wrapped(found - turned(near.joint.to_middle.mu(), own)).abs();
        assert!(off < 1e-10, "to the middle: {off}");
        assert!(Four::normal(e).product(m).abs() < 1e-11);
        let back = far.joint.crossing(normal((frames[1].sine, frames[1].cosine), Turn::of(by_angle)));
        let back = frames[1].axis * back.0[0] + frames[1].e1 * back.0[1] + frames[1].e2 * back.0[2];
        let there = frames[0].axis * e.0[0] + frames[0].e1 * e.0[1] + frames[0].e2 * e.0[2];
        assert!(back.distance(there) < 1e-10, "the two sides are {} apart", back.distance(there));
        compared += 1;
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn rest_is_rest_for_any_points_in_the_box() {
    let mut chance = Chance(2);
    for _ in 0..60 {
        let mut model = random_chain(&mut chance);
        if chance.unit() < 0.4 {
            // A bone that its neighbours swallow.
            let second = model.centers[1] + (model.centers[2] - model.centers[1]).normalize() * 0.8;
            model.centers[2] = second;
        }
        let skin = Skin::new(model);
        if skin.setup.model.frames().iter().any(|f| f.sine.abs() >= 1.0 || f.sine.is_nan()) {
            continue;
        }
        let single = skin.at_rest.like::<f32>();
        let rest: Vec<RestBone<f32>> = skin.rest.iter().map(RestBone::cast).collect();
        for _ in 0..400 {
            let p = DVec3::new(chance.within(-3.0, 20.0), chance.within(-8.0, 8.0), chance.within(-8.0, 8.0));
            let encoded = skin.encode(p);
            let off = skin.decode(&skin.at_rest, &encoded).distance(p);
            assert!(off < 1e-11, "{off} at {p} of {:?}: {encoded:?}", skin.setup.model);
            let decoded = single.decode(&rest, &encoded.single(), Profile::Cubic);
            assert!(decoded.place.0.iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn layers_keep_their_height_below_the_fold_limit() {
    let mut chance = Chance(3);
    let (mut worst, mut worst_single, mut poses) = (0.0f64, 0.0f64, 0);
    for _ in 0..60 {
        let mut skin = Skin::new(random_chain(&mut chance));
        let turns = random_turns(skin.rest.len(), 60.0, &mut chance);
        let height = chance.within(0.1, 0.4);
        let points = layer(&skin, height, 150, &mut chance);
        let encoded: Vec<_> = points.iter().map(|&p| skin.encode(p)).collect();
        let posed = skin.pose(&turns);
        if skin.setup.folded(height).next().is_some() {
            continue;
        }
        poses += 1;
        let single = posed.like::<f32>();
        let rest: Vec<RestBone<f32>> = skin.rest.iter().map(RestBone::cast).collect();
        for (e, p) in encoded.iter().zip(&points) {
            assert!((e.height - height).abs() < 1e-9, "{} at {p}", e.height);
            let off = (skin.height(e.bone, skin.decode(&posed, e)) - height).abs() / height;
            worst = worst.max(off);
            let single = single.decode(&rest, &e.single(), Profile::Cubic).place.0.map(f64::from);
            worst_single = worst_single.max((skin.height(e.bone, single.into()) - height).abs() / height);
        }
    }
    assert!(poses > 20 && worst < 1e-9 && worst_single < 1e-4, "{poses} {worst:e} {worst_single:e}");
}

/// The azimuth on the partner, at rest, of the baseline of an azimuth on a bone.
fn across(frames: &[super::frame::Frame], bone: usize, azimuth: f64) -> f64 {
    let joint = JointSetup::new(&frames[bone], 1, &frames[bone + 1], 0);
    let own = joint.joint.sign * (azimuth - joint.joint.reference);
    joint.other_reference + joint.other_sign * turned(joint.joint.across.mu(), own)
}

#[test]
fn both_sides_of_every_joint_meet_and_keep_the_order_round_the_bone() {
    let mut chance = Chance(4);
    let (mut worst, mut worst_single, mut joints) = (0.0f64, 0.0f64, 0);
    for round in 0..80 {
        let mut skin = Skin::new(random_chain(&mut chance));
        let frames = skin.setup.model.frames();
        let bones = skin.rest.len();
        // Swings of 170 degrees about the parent among them.
        let swing = |chance: &mut Chance| {
            bend(DVec3::X, chance.within(-180.0, 180.0)) * bend(DVec3::Z, 300.0 * (chance.unit() - 0.5))
        };
        let turns: Vec<_> = match round % 2 {
            0 => random_turns(bones, 80.0, &mut chance),
            _ => (0..bones).map(|_| swing(&mut chance)).collect(),
        };
        let posed = skin.pose(&turns);
        let single = posed.like::<f32>();
        let rest: Vec<RestBone<f32>> = skin.rest.iter().map(RestBone::cast).collect();
        for bone in 0..bones - 1 {
            let now = skin.setup.frames();
            if JointSetup::new(&now[bone], 1, &now[bone + 1], 0).is_limited {
                continue;
            }
            joints += 1;
            let mut last: Option<[f64; 2]> = None;
            for i in 0..=360 {
                let azimuth = f64::from(i) * TAU / 360.0;
                let here = Encoded { bone: bone as u32, is_drawn_out: false, azimuth, ratio: 1.0, height: 0.0 };
                let there = across(&frames, bone, azimuth);
                let there = Encoded { bone: bone as u32 + 1, azimuth: there, ratio: 0.0, ..here };
                let radius = skin.setup.model.radii[bone + 1];
                let apart = skin.decode(&posed, &here).distance(skin.decode(&posed, &there)) / radius;
                worst = worst.max(apart);
                let [a, b] = [here, there].map(|e| single.decode(&rest, &e.single(), Profile::Cubic).place.0);
                let apart = DVec3::from(a.map(f64::from)).distance(DVec3::from(b.map(f64::from)));
                worst_single = worst_single.max(apart / radius);
                let section = posed.section(&skin.rest[bone], bone, azimuth);
                let now = section.ends.map(|e| azimuth + e.change);
                if let Some(last) = last {
                    assert!(now[0] > last[0] && now[1] > last[1], "order: {last:?} then {now:?} at {azimuth}");
                }
                last = Some(now);
            }
        }
    }
    assert!(joints > 120 && worst < 1e-9 && worst_single < 5e-5, "{joints}: {worst:e} {worst_single:e}");
}

#[test]
fn baselines_are_smooth_where_pieces_meet() {
    let mut chance = Chance(5);
    let mut seen = 0;
    for _ in 0..60 {
        let mut skin = Skin::new(random_chain(&mut chance));
        let turns = random_turns(skin.rest.len(), 70.0, &mut chance);
        let posed = skin.pose(&turns);
        for _ in 0..40 {
            let bone = (chance.unit() * skin.rest.len() as f64) as usize;
            let azimuth = chance.within(-PI, PI);
            let section = posed.section(&skin.rest[bone], bone, azimuth);
            let end = usize::from(chance.unit() < 0.5);
            let arc = section.ends[end].arc;
            if posed.bones[bone].ends[end].meets == Meets::Junction || arc < 0.05 {
                continue;
            }
            let length = section.length();
            let at = |s: f64| {
                let ratio = if end == 0 { (arc + s) / length } else { 1.0 - (arc + s) / length };
                let e = Encoded { bone: bone as u32, is_drawn_out: false, azimuth, ratio, height: 0.0 };
                skin.decode(&posed, &e)
            };
            let step = 1e-5;
            let (before, here, after) = (at(-step), at(0.0), at(step));
            let bend = (after - here).normalize().distance((here - before).normalize());
            assert!(after.distance(before) < 2.5 * step, "a jump of {}", after.distance(before));
            assert!(bend < 1e-4, "a kink of {bend} at {azimuth} of bone {bone}, end {end}");
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn folds_of_179_degrees_are_finite() {
    let mut chance = Chance(6);
    for _ in 0..40 {
        let mut skin = Skin::new(random_chain(&mut chance));
        let size = 40.0;
        let points: Vec<_> = layer(&skin, 0.3, 60, &mut chance);
        let encoded: Vec<_> = points.iter().map(|&p| skin.encode(p)).collect();
        for degrees in [145.0, 150.0, 170.0, 179.0, 180.0] {
            let turns: Vec<_> =
                (0..skin.rest.len()).map(|i| bend(DVec3::Z, if i == 1 { degrees } else { 0.0 })).collect();
            let posed = skin.pose(&turns);
            for e in &encoded {
                let p = skin.decode(&posed, e);
                assert!(p.is_finite() && p.length() < size, "{degrees}: {p}");
            }
        }
    }
}

/// Three bones or more at one sphere: Y, tapered Y, T, tripod and cross.
fn junctions() -> Vec<(&'static str, Model)> {
    let fan = |directions: &[DVec3], tip: f64| {
        let mut spheres = vec![(DVec3::X * -6.0, 1.0), (DVec3::ZERO, 1.0)];
        spheres.extend(directions.iter().map(|d| (d.normalize() * 6.0, tip)));
        let bones: Vec<_> = std::iter::once([0, 1]).chain((0..directions.len()).map(|i| [1, i + 2])).collect();
        model(&spheres, &bones)
    };
    let (up, down) = (DVec3::new(1.0, 1.2, 0.0), DVec3::new(1.0, -1.2, 0.0));
    vec![
        ("Y", fan(&[up, down], 1.0)),
        ("tapered Y", fan(&[up, down], 0.5)),
        ("T", fan(&[DVec3::Y, -DVec3::Y], 0.9)),
        ("tripod", fan(&[DVec3::Y, DVec3::Z], 0.8)),
        ("cross", fan(&[DVec3::Y, -DVec3::Y, DVec3::X], 0.9)),
    ]
}

#[test]
fn junctions_give_back_the_rest_and_keep_their_bones_together() {
    let mut chance = Chance(7);
    for (name, model) in junctions() {
        let mut skin = Skin::new(model);
        for _ in 0..500 {
            let p = chance.direction() * chance.within(0.1, 7.0);
            let off = skin.decode(&skin.at_rest, &skin.encode(p)).distance(p);
            assert!(off < 1e-9, "{name}: {off} at {p}");
        }
        // What lies side by side at rest on two bones still does when they part.
        let mut pairs = Vec::new();
        while pairs.len() < 300 {
            let mut ends = [(); 2].map(|()| chance.direction() * chance.within(0.8, 1.6));
            if skin.encode(ends[0]).bone == skin.encode(ends[1]).bone {
                continue;
            }
            for _ in 0..40 {
                let middle = ends[0].midpoint(ends[1]);
                let is_first = skin.encode(middle).bone == skin.encode(ends[0]).bone;
                ends[usize::from(!is_first)] = middle;
            }
            let [a, b] = ends.map(|p| skin.encode(p));
            if a.height > -0.2 && a.height < 0.4 {
                pairs.push((a, b));
            }
        }
        for axis in [DVec3::Z, DVec3::Y, DVec3::X] {
            let mut turns = vec![DMat3::IDENTITY; skin.rest.len()];
            turns[1] = bend(axis, 45.0);
            turns[2] = bend(axis, -30.0);
            let posed = skin.pose(&turns);
            for (a, b) in &pairs {
                let apart = skin.decode(&posed, a).distance(skin.decode(&posed, b));
                assert!(apart < 1e-5, "{name} about {axis}: {apart:e} apart, {a:?} {b:?}");
            }
        }
    }
}
