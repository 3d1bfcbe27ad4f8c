//! Walking and crouching.

use crate::{
    example::motion::{Motions, ease, turned},
    pose::Clip,
    rig::Rig,
};
use glam::{DQuat, DVec3};

/// Turns a joint on both sides, mirrored: angles about x as they are, about y and z with the side's sign.
fn sides(motions: &mut Motions, rig: &Rig, name: &str, angles: impl Fn(f64, f64) -> DVec3) {
    for (side, sign, shift) in [("l", 1.0, 0.0), ("r", -1.0, 0.5)] {
        let joint = rig.skeleton.find(&format!("{name}_{side}")).expect("the figure has it");
        motions.turn(joint, |t| {
            let a = angles(t, shift);
            // Swing about x last: arms hang first, then move to and fro.
            turned(DVec3::X, a.x) * turned(DVec3::Z, sign * a.z) * turned(DVec3::Y, sign * a.y)
        });
    }
}

fn sine(turns: f64) -> f64 {
    (turns * std::f64::consts::TAU).sin()
}

/// Two steps in one second; the last key is the first again.
pub(super) fn walk(rig: &Rig) -> Clip {
    let mut motions = Motions::over(1.0, 24);
    let phase = |t: f64, shift: f64| sine(t + shift);
    sides(&mut motions, rig, "thigh", |t, s| DVec3::new(-6.0 - 26.0 * phase(t, s), 0.0, 0.0));
    sides(&mut motions, rig, "shin", |t, s| {
        // The knee folds while the leg swings forwards.
        let swing = phase(t + 0.22, s).max(0.0);
        DVec3::new(8.0 + 52.0 * swing * swing, 0.0, 0.0)
    });
    sides(&mut motions, rig, "foot", |t, s| DVec3::new(4.0 + 14.0 * phase(t - 0.35, s), 0.0, 0.0));
    sides(&mut motions, rig, "toes", |t, s| DVec3::new(-22.0 * phase(t + 0.4, s).max(0.0), 0.0, 0.0));
    sides(&mut motions, rig, "clavicle", |_, _| DVec3::new(0.0, 0.0, -4.0));
    sides(&mut motions, rig, "upper_arm", |t, s| DVec3::new(24.0 * phase(t, s), 0.0, -72.0));
    sides(&mut motions, rig, "forearm", |t, s| DVec3::new(0.0, -18.0 - 12.0 * phase(t + 0.5, s), 0.0));
    let joint = |name: &str| rig.skeleton.find(name).expect("the figure has it");
    motions.turn(joint("hips"), |t| turned(DVec3::Y, -6.0 * sine(t)) * turned(DVec3::Z, 2.0 * sine(t)));
    motions.turn(joint("spine_upper"), |t| turned(DVec3::Y, 7.0 * sine(t)) * turned(DVec3::X, 3.0));
    motions.turn(joint("chest"), |t| turned(DVec3::Y, 5.0 * sine(t)));
    motions.turn(joint("neck"), |t| turned(DVec3::Y, -6.0 * sine(t)));
    let rest = rig.skeleton.joints()[joint("hips")].rest_position();
    motions.shift(joint("hips"), |t| rest + DVec3::Y * (-0.025 + 0.018 * sine(2.0 * t + 0.25)));
    motions.clip("walk")
}

/// Down on the haunches in one second, arms forward for balance.
pub(super) fn crouch(rig: &Rig) -> Clip {
    let mut motions = Motions::over(1.0, 16);
    let down = |degrees: DVec3| move |t: f64, _: f64| degrees * ease(t);
    sides(&mut motions, rig, "thigh", down(DVec3::new(-112.0, 0.0, 6.0)));
    sides(&mut motions, rig, "shin", down(DVec3::new(132.0, 0.0, 0.0)));
    sides(&mut motions, rig, "foot", down(DVec3::new(-26.0, 0.0, 0.0)));
    sides(&mut motions, rig, "upper_arm", down(DVec3::new(-20.0, -55.0, -25.0)));
    sides(&mut motions, rig, "forearm", down(DVec3::new(0.0, -55.0, 0.0)));
    let joint = |name: &str| rig.skeleton.find(name).expect("the figure has it");
    for (name, degrees) in [("spine_lower", 14.0), ("spine_middle", 14.0), ("spine_upper", 10.0), ("neck", -22.0)] {
        motions.turn(joint(name), |t| turned(DVec3::X, degrees * ease(t)));
    }
    motions.turn(joint("hips"), |t| -> DQuat { turned(DVec3::X, 8.0 * ease(t)) });
    let rest = rig.skeleton.joints()[joint("hips")].rest_position();
    motions.shift(joint("hips"), |t| rest + DVec3::new(0.0, -0.5, -0.12) * ease(t));
    motions.clip("crouch")
}
