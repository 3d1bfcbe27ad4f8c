//! What is drawn on the skin of the figure.

use crate::example::{
    relief::{Spot, bump, noise},
    skin::smoothstep,
};
use glam::DVec3;

pub(super) fn height(spot: &Spot) -> f64 {
    let p = spot.at;
    let x = p.x.abs();
    let mut height = 0.0;
    if x < 0.2 && p.y > 0.88 && p.y < 1.5 {
        height += if p.z > 0.0 { front(spot, x) } else { back(spot, x) };
    }
    // The grain of muscle along arms and legs.
    if p.y < 0.85 && p.y > 0.12 {
        height += 0.0016 * noise(p * DVec3::new(42.0, 9.0, 42.0)) * spot.shows(0.03);
    }
    if x > 0.22 && x < 0.7 {
        height += 0.0013 * noise(p * DVec3::new(11.0, 55.0, 55.0)) * spot.shows(0.025);
    }
    height
}

/// Belly muscles, the line between them, navel, ribs' edge, nipples.
fn front(spot: &Spot, x: f64) -> f64 {
    let p = spot.at;
    let ahead = smoothstep(0.2, 0.7, spot.normal.z);
    let belly = smoothstep(0.98, 1.03, p.y) * (1.0 - smoothstep(1.26, 1.3, p.y));
    let mut height = -0.006 * belly * bump(x / 0.016) * spot.shows(0.03);
    height -= 0.005 * belly * bump((x - 0.068) / 0.018) * spot.shows(0.034);
    for y in [1.13, 1.19, 1.25] {
        let row = bump((p.y - y + 0.2 * x) / 0.015) * (1.0 - smoothstep(0.06, 0.075, x));
        height -= 0.005 * row * spot.shows(0.029);
    }
    let breastbone = bump(x / 0.016) * smoothstep(1.3, 1.34, p.y) * (1.0 - smoothstep(1.43, 1.47, p.y));
    height -= 0.006 * breastbone * spot.shows(0.03);
    let groin = p.y - (0.93 + 0.75 * (x - 0.03));
    height -=
        0.004 * bump(groin / 0.016) * smoothstep(0.03, 0.06, x) * (1.0 - smoothstep(0.12, 0.14, x)) * spot.shows(0.03);
    let navel = DVec3::new(p.x, p.y - 1.085, 0.0).length();
    height -= 0.009 * bump(navel / 0.013) * spot.shows(0.024);
    let nipple = DVec3::new(x - 0.1, p.y - 1.352, 0.0).length();
    height += 0.0035 * bump(nipple / 0.009) * spot.shows(0.02);
    ahead * height
}

/// Furrow of the spine, shoulder blades, cleft.
fn back(spot: &Spot, x: f64) -> f64 {
    let p = spot.at;
    let behind = smoothstep(0.2, 0.7, -spot.normal.z);
    let spine = bump(x / 0.022) * smoothstep(0.98, 1.06, p.y) * (1.0 - smoothstep(1.4, 1.48, p.y));
    let cleft = bump(x / 0.02) * (1.0 - smoothstep(0.97, 1.0, p.y));
    let blade =
        bump((p.y - 1.31 + 0.3 * (x - 0.08)) / 0.014) * smoothstep(0.05, 0.07, x) * (1.0 - smoothstep(0.12, 0.15, x));
    behind * (-0.008 * spine - 0.012 * cleft - 0.004 * blade) * spot.shows(0.03)
}
