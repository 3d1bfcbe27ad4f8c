//! What each operator is for, on the plain arm, against a union.

use super::{ELBOW, RADIUS, at_least, at_most, bent, graph, joined_by, moved, plain};
use glam::{DVec3, Vec3};
use serde_json::json;
use supple::{
    example::{self, ArmOptions},
    pose::Motion,
    rig::{Bone, Rig, Topology},
};

/// Distance of every point to the posed bones.
fn heights(rig: &Rig, points: &[Vec3], degrees: f64) -> Vec<f64> {
    let motion = Motion::of(rig, &bent(rig, "forearm", degrees));
    let bones: Vec<Bone> = [(0, DVec3::ZERO, ELBOW), (1, ELBOW, ELBOW * 2.0)]
        .map(|(joint, head, tail)| {
            let by = &motion.exact[joint];
            Bone { joint, tail_joint: None, head: by.transform_point3(head), tail: by.transform_point3(tail) }
        })
        .to_vec();
    let height = |p: &Vec3| bones.iter().map(|b| b.distance(p.as_dvec3())).fold(f64::INFINITY, f64::min);
    points.iter().map(height).collect()
}

/// Towards the inside of a bend, halfway between the bones; and across it.
fn inside(degrees: f64) -> (DVec3, DVec3) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let towards = (DVec3::NEG_X + DVec3::new(cos, sin, 0.0)).normalize();
    (towards, towards.cross(DVec3::Z))
}

/// How far from the joint the two sides of a fold meet, in radii, so many radii beside the middle.
fn mouth(points: &[Vec3], degrees: f64, beside: f64) -> f64 {
    let (towards, across) = inside(degrees);
    let from_joint = points.iter().map(|p| p.as_dvec3() - ELBOW);
    let near = from_joint
        .filter(|d| d.dot(across).abs() < 0.06 * RADIUS && (d.z.abs() - beside * RADIUS).abs() < 0.1 * RADIUS);
    near.map(|d| d.dot(towards)).fold(f64::NEG_INFINITY, f64::max) / RADIUS
}

/// The farthest outwards that an operator takes a point beyond a union, in radii; and the points that it takes out.
fn swell(rig: &Rig, operator: &serde_json::Value, degrees: f64) -> (f64, Vec<f64>) {
    let pose = bent(rig, "forearm", degrees);
    let plain = moved(rig, &mut joined_by("union", rig), &pose);
    let swollen = moved(rig, &mut graph(&[("operator", operator.clone())]).bind(rig).unwrap(), &pose);
    let (before, after) = (heights(rig, &plain, degrees), heights(rig, &swollen, degrees));
    let rises: Vec<f64> = before.iter().zip(&after).map(|(b, a)| (a - b) / RADIUS).collect();
    (rises.iter().copied().fold(0.0, f64::max), rises)
}

/// The largest angle between two triangles that share an edge, near the inside of the bend.
fn sharpest(rig: &Rig, points: &[Vec3], degrees: f64) -> f64 {
    let topology = Topology::of(&rig.mesh);
    let (towards, across) = inside(degrees);
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| points[topology.weld.first_of[i as usize] as usize].as_dvec3());
        ((b - a).cross(c - a).normalize(), (a + b + c) / 3.0 - ELBOW)
    };
    let mut by_edge = std::collections::HashMap::<[u32; 2], DVec3>::new();
    let mut largest = 0.0f64;
    for t in &topology.triangles {
        let (normal, at) = normal(t);
        if at.dot(towards) < 0.3 * RADIUS || at.dot(across).abs() > 1.5 * RADIUS || at.z.abs() > 0.5 * RADIUS {
            continue;
        }
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            if let Some(other) = by_edge.insert([a.min(b), a.max(b)], normal) {
                largest = largest.max(normal.angle_between(other));
            }
        }
    }
    largest.to_degrees()
}

#[test]
fn a_blend_adds_nothing_to_a_straight_joint() {
    let rig = plain(0.8);
    let (most, rises) = swell(&rig, &json!("blend"), 10.0);
    at_most("outward move over a union's at 10 degrees, in radii", most, 0.005);
    at_most("inward move", -rises.iter().copied().fold(0.0, f64::min), 0.005);
}

#[test]
fn a_blend_is_smooth_at_45_degrees() {
    let rig = plain(0.8);
    let pose = bent(&rig, "forearm", 45.0);
    let sharp = sharpest(&rig, &moved(&rig, &mut joined_by("union", &rig), &pose), 45.0);
    let smooth = sharpest(&rig, &moved(&rig, &mut joined_by("blend", &rig), &pose), 45.0);
    println!("sharpest edge of a union at 45 degrees: {sharp:.2}");
    at_most("sharpest edge of a blend at 45 degrees, over a union's", smooth / sharp, 0.8);
    at_most("sharpest edge of a blend at 45 degrees", smooth, 20.0);
    // Points of fine skin lie in the other limb there, which is no contact: it is round.
    let fine = example::arm(&ArmOptions { plain: true, band: 0.8, vertices: 31_752 }).unwrap();
    let smooth = sharpest(&fine, &moved(&fine, &mut joined_by("blend", &fine), &bent(&fine, "forearm", 45.0)), 45.0);
    at_most("sharpest edge of a blend of fine skin at 45 degrees", smooth, 20.0);
}

#[test]
fn a_blend_keeps_the_crease_farther_from_the_joint() {
    let rig = plain(0.8);
    for degrees in [100.0, 120.0, 135.0] {
        let pose = bent(&rig, "forearm", degrees);
        let [union, blend] = ["union", "blend"].map(|operator| moved(&rig, &mut joined_by(operator, &rig), &pose));
        // Past a right angle a blend is a union in the middle, where limbs face each other, and still round at the sides.
        for (beside, least) in [(0.0, 0.999), (0.5, 0.999), (0.85, 1.005)] {
            let [union, blend] = [&union, &blend].map(|p| mouth(p, degrees, beside));
            println!("{degrees} degrees, {beside} radii from the middle: creases at {union:.4} and {blend:.4} radii");
            let what = format!("crease of a blend over a union's at {degrees} degrees, {beside} radii from the middle");
            at_least(&what, blend / union, least);
        }
    }
}

#[test]
fn a_bulge_swells_round_the_crease_alone() {
    let rig = plain(0.8);
    for degrees in [90.0, 120.0] {
        let pose = bent(&rig, "forearm", degrees);
        let points = moved(&rig, &mut joined_by("union", &rig), &pose);
        let (towards, across) = inside(degrees);
        let in_crease = |p: &&Vec3| {
            let d = p.as_dvec3() - ELBOW;
            d.dot(across).abs() < 0.08 * RADIUS && d.dot(towards) > 0.0
        };
        let crease: Vec<DVec3> = points.iter().filter(in_crease).map(|p| p.as_dvec3()).collect();
        let (most, rises) = swell(&rig, &json!("bulge"), degrees);
        at_least(&format!("swelling at {degrees} degrees, in radii"), most, 0.02);
        let away = |p: &Vec3| crease.iter().all(|c| c.distance(p.as_dvec3()) > 1.5 * RADIUS);
        let elsewhere = points.iter().zip(&rises).filter(|(p, _)| away(p)).map(|(_, r)| r.abs()).fold(0.0, f64::max);
        at_most(&format!("change away from the crease at {degrees} degrees, in radii"), elsewhere, 0.002);
    }
}

#[test]
fn a_bulge_grows_with_its_size() {
    let rig = plain(0.8);
    let sizes = [0.0, 0.3, 0.6, 0.9];
    let swellings = sizes.map(|size| swell(&rig, &json!({"kind": "bulge", "size": size}), 110.0).0);
    println!("swelling at sizes {sizes:?}, in radii: {swellings:.4?}");
    for (pair, sizes) in swellings.windows(2).zip(sizes.windows(2)) {
        let what = format!("growth of the swelling from size {} to {}, in radii", sizes[0], sizes[1]);
        at_least(&what, pair[1] - pair[0], 0.01);
    }
}

/// The most that a swelling may change in 5 degrees, in radii.
const STEP: f64 = 0.02;

#[test]
fn a_bulge_comes_gradually() {
    let rig = plain(0.8);
    let (mut sharp, mut round) = (joined_by("union", &rig), joined_by("bulge", &rig));
    let mut last: Option<f64> = None;
    for k in 4..=26 {
        let degrees = 5.0 * f64::from(k);
        let pose = bent(&rig, "forearm", degrees);
        let [before, after] = [&mut sharp, &mut round].map(|b| heights(&rig, &moved(&rig, b, &pose), degrees));
        let most = before.iter().zip(&after).map(|(b, a)| (a - b) / RADIUS).fold(0.0, f64::max);
        println!("{degrees} degrees: {most:.4} radii");
        if let Some(last) = last.replace(most) {
            at_most(&format!("change of the swelling up to {degrees} degrees, in radii"), (most - last).abs(), STEP);
        }
    }
}
