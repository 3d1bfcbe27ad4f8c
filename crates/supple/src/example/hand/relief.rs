//! What is drawn on the skin of the hand.

use super::anatomy::{Finger, cm};
use crate::example::{
    relief::{Spot, bump, noise, wave},
    skin::smoothstep,
};
use glam::DVec3;

const CM: f64 = 0.01;

/// Folds at the joints, nails, lines of the palm, tendons and the grain of the skin.
pub(super) fn height(fingers: &[Finger]) -> impl Fn(&Spot) -> f64 + Sync + Send + use<> {
    let fingers = fingers.to_vec();
    move |spot: &Spot| {
        let mut height = palm_lines(spot) + tendons(&fingers, spot) + grain(spot);
        if let Some(finger) = nearest(&fingers, spot.at) {
            height += folds(finger, spot) + nail(finger, spot);
        }
        height
    }
}

fn along(a: DVec3, b: DVec3, p: DVec3) -> (f64, f64) {
    let ab = b - a;
    let t = (p - a).dot(ab) / ab.length_squared();
    (t, p.distance(a + ab * t.clamp(0.0, 1.0)))
}

fn nearest(fingers: &[Finger], p: DVec3) -> Option<&Finger> {
    let distance = |f: &Finger| f.joints[1..].windows(2).map(|j| along(j[0], j[1], p).1).fold(f64::INFINITY, f64::min);
    let best = fingers.iter().map(|f| (distance(f), f)).min_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 < 1.6 * CM).then_some(best.1)
}

/// Creases inside the joints, wrinkles on their backs.
fn folds(finger: &Finger, spot: &Spot) -> f64 {
    let mut height = 0.0;
    let last = finger.joints.len() - 2;
    for k in 1..=last {
        let (joint, radius) = (finger.joints[k], finger.radii[k]);
        if spot.at.distance_squared(joint) > (2.2 * radius) * (2.2 * radius) {
            continue;
        }
        let axis = (finger.joints[k + 1] - finger.joints[k - 1]).normalize();
        let s = (spot.at - joint).dot(axis) / CM;
        let side = spot.normal.dot(finger.back);
        let palmar = smoothstep(-0.1, -0.7, side);
        let dorsal = smoothstep(0.15, 0.7, side);
        // The first joint lies inside the hand: its fold is where the finger leaves the palm.
        let at = if k == 1 && finger.name != "thumb" { 2.0 } else { -0.05 };
        height -= 0.07 * palmar * bump((s - at) / 0.18) * spot.shows(0.0036);
        height -= 0.04 * palmar * bump((s - at - 0.3) / 0.15) * spot.shows(0.003);
        if k > 1 {
            let wide = bump(s / 0.75);
            let across = finger.hinge.dot(spot.at - joint) / CM;
            let curved = s + 0.18 * across * across * if s > 0.0 { -1.0 } else { 1.0 };
            height -= 0.045 * dorsal * wide * (0.5 + 0.5 * wave(curved / 0.34)) * spot.shows(0.0034);
        }
    }
    height * CM
}

/// A plate with a groove round it and a free edge.
fn nail(finger: &Finger, spot: &Spot) -> f64 {
    let tip = finger.joints[finger.joints.len() - 1];
    let base = finger.joints[finger.joints.len() - 2];
    let radius = finger.radii[finger.radii.len() - 1];
    let axis = (tip - base).normalize();
    let facing = smoothstep(0.05, 0.45, spot.normal.dot(finger.back));
    if facing == 0.0 || spot.at.distance_squared(tip) > 9.0 * radius * radius {
        return 0.0;
    }
    let q = spot.at - (tip + axis * (0.05 * radius));
    let (u, v) = (q.dot(axis) / (0.95 * radius), q.dot(finger.hinge) / (0.8 * radius));
    // A square with round corners: one at the rim.
    let rim = (u * u * u * u + v * v * v * v).sqrt().sqrt();
    let plate = 1.0 - smoothstep(0.86, 0.98, rim);
    let groove = bump((rim - 1.04) / 0.2);
    let free_edge = bump((u - 0.86) / 0.2) * plate;
    facing * radius * (0.06 * plate + 0.06 * free_edge - 0.11 * groove) * spot.shows(0.6 * radius)
}

/// Three curves across the palm.
fn palm_lines(spot: &Spot) -> f64 {
    let p = spot.at / CM;
    let inside = smoothstep(0.2, 0.6, spot.normal.z) * smoothstep(0.4, 1.0, p.y);
    if inside == 0.0 || p.y > 9.5 {
        return 0.0;
    }
    let line = |distance: f64, x0: f64, x1: f64, x: f64| {
        let ends = smoothstep(x0, x0 + 0.8, x) * (1.0 - smoothstep(x1 - 0.8, x1, x));
        ends * bump(distance / 0.2)
    };
    let heart = p.y - (6.7 + 0.09 * (p.x + 3.8) * (p.x + 3.8) * 0.45);
    let head = p.y - (5.9 + 0.28 * (p.x - 0.5));
    // Round the ball of the thumb: an arc about its middle.
    let thumb = p.truncate().distance(cm(3.4, 3.2, 0.0).truncate() / CM) - 3.0;
    let life =
        if p.x < 2.6 { bump(thumb / 0.2) * smoothstep(0.6, 1.6, p.y) * (1.0 - smoothstep(5.6, 6.3, p.y)) } else { 0.0 };
    let wrist = bump((p.y - 0.15 - 0.03 * p.x * p.x) / 0.15) * smoothstep(0.3, 0.7, spot.normal.z);
    let sum = line(heart, -4.3, 2.2, p.x) + line(head, -3.0, 3.0, p.x) + life + 0.8 * wrist;
    -0.085 * CM * inside * sum.min(1.2) * spot.shows(0.0038)
}

/// Cords from the wrist to the knuckles.
fn tendons(fingers: &[Finger], spot: &Spot) -> f64 {
    let back = smoothstep(0.3, 0.8, -spot.normal.z);
    if back == 0.0 {
        return 0.0;
    }
    let mut height = 0.0;
    for finger in &fingers[1..] {
        let (a, b) = (cm(finger.joints[0].x / CM * 0.5, 0.0, 0.0), finger.joints[1]);
        let flat = |p: DVec3| DVec3::new(p.x, p.y, 0.0);
        let (t, _) = along(flat(a), flat(b), flat(spot.at));
        let off = flat(spot.at).distance(flat(a).lerp(flat(b), t));
        let ends = smoothstep(0.1, 0.5, t) * (1.0 - smoothstep(1.0, 1.12, t));
        height += 0.07 * ends * bump(off / (0.36 * CM));
    }
    height * CM * back * spot.shows(0.007)
}

fn grain(spot: &Spot) -> f64 {
    let p = spot.at / CM;
    let veins = noise(p * DVec3::new(1.1, 0.5, 1.1));
    let vein = bump(veins / 0.16) * smoothstep(0.4, 0.9, -spot.normal.z) * (1.0 - smoothstep(6.5, 8.0, p.y));
    CM * (0.05 * vein * spot.shows(0.0045) + 0.007 * noise(p * 5.0) * spot.shows(0.0018))
}
