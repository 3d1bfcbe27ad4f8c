//! The flesh of the figure.

use super::bones::{FINGERS, finger_joints};
use crate::example::field::{Cone, Shape};
use glam::DVec3;

/// The left half of a list and its mirror image.
fn both(cones: &[Cone]) -> Vec<Cone> {
    cones.iter().flat_map(|c| [*c, c.mirrored()]).collect()
}

/// What so many vertices can show: fingers and a face from 2,500 on, thumbs from 1,200.
pub(super) fn has_fingers(vertices: usize) -> bool {
    vertices >= 2500
}

pub(super) fn shape(vertices: usize) -> Shape {
    let fingers = has_fingers(vertices);
    let mut shape = Shape::new(if fingers { 0.09 } else { 0.13 });
    shape.add(0.02, &trunk());
    for mirrored in [false, true] {
        let mut add = |blend: f64, cones: Vec<Cone>| {
            let side = |c: &Cone| if mirrored { c.mirrored() } else { *c };
            shape.add(blend, &cones.iter().map(side).collect::<Vec<_>>());
        };
        add(0.05, leg());
        add(0.012, foot(fingers));
        add(0.03, arm());
        add(0.012, palm(fingers));
        if vertices >= 1200 {
            add(0.009, digit(0));
        }
        for finger in 1..5 {
            add(if fingers { 0.0022 } else { 0.012 }, if fingers { digit(finger) } else { mitten(finger) });
        }
    }
    let mut head = head();
    // A coarse face is better plain than creased.
    head.retain(|c| fingers || !c.is_finer_than(0.03));
    shape.add(0.014, &head);
    shape
}

fn trunk() -> Vec<Cone> {
    let z = DVec3::Z;
    let mut cones = vec![
        // Pelvis, waist, rib cage, each wider than deep.
        Cone::new([-0.058, 0.955, -0.005], 0.106, [0.058, 0.955, -0.005], 0.106).squash(z, 0.88),
        Cone::new([-0.048, 1.03, 0.0], 0.1, [0.048, 1.03, 0.0], 0.1).squash(z, 0.9).blend(0.08),
        Cone::new([-0.035, 1.13, 0.005], 0.105, [0.035, 1.13, 0.005], 0.105).squash(z, 0.88).blend(0.08),
        Cone::new([-0.035, 1.25, 0.0], 0.122, [0.035, 1.25, 0.0], 0.122).squash(z, 0.83).blend(0.08),
        Cone::new([-0.06, 1.37, -0.012], 0.118, [0.06, 1.37, -0.012], 0.118).squash(z, 0.9).blend(0.07),
        Cone::new([0.0, 1.45, -0.03], 0.075, [0.0, 1.52, -0.02], 0.06).blend(0.06),
    ];
    cones.extend(both(&[
        // Chest muscles, lats, trapezius, shoulder blades, collar bones, seat.
        Cone::new([0.055, 1.362, 0.068], 0.056, [0.13, 1.392, 0.045], 0.045).squash(z, 0.75).blend(0.022),
        Cone::new([0.1, 1.22, -0.035], 0.05, [0.145, 1.37, -0.035], 0.055).blend(0.05),
        Cone::new([0.03, 1.52, -0.03], 0.042, [0.165, 1.465, -0.022], 0.045).blend(0.05),
        Cone::new([0.07, 1.38, -0.095], 0.045, [0.1, 1.32, -0.085], 0.04).blend(0.05),
        Cone::new([0.02, 1.472, 0.045], 0.014, [0.15, 1.49, 0.0], 0.014).blend(0.03).grain(0.05),
        Cone::ball([0.062, 0.915, -0.055], 0.085).blend(0.04),
        Cone::ball([0.092, 0.945, 0.0], 0.078).blend(0.06),
    ]));
    cones.push(Cone::new([0.0, 0.93, 0.055], 0.035, [0.0, 0.895, 0.03], 0.03).blend(0.05));
    cones
}

fn head() -> Vec<Cone> {
    let mut cones = vec![
        // Neck, skull, face.
        Cone::new([0.0, 1.49, -0.018], 0.058, [0.0, 1.6, -0.006], 0.054),
        Cone::new([0.0, 1.705, -0.022], 0.086, [0.0, 1.7, 0.018], 0.079).blend(0.03).grain(0.05),
        Cone::new([0.0, 1.66, 0.02], 0.066, [0.0, 1.618, 0.045], 0.04).blend(0.03).grain(0.035),
        Cone::new([-0.016, 1.597, 0.064], 0.02, [0.016, 1.597, 0.064], 0.02).blend(0.025).grain(0.025),
    ];
    cones.extend(both(&[
        // Neck muscles, jaw, cheek bones, brows.
        Cone::new([0.018, 1.475, 0.03], 0.014, [0.055, 1.63, -0.02], 0.016).blend(0.02).grain(0.03),
        Cone::new([0.05, 1.635, -0.002], 0.022, [0.022, 1.602, 0.05], 0.02).blend(0.025).grain(0.03),
        Cone::new([0.042, 1.668, 0.052], 0.022, [0.055, 1.675, 0.02], 0.02).blend(0.02).grain(0.025),
        Cone::new([0.012, 1.713, 0.088], 0.01, [0.042, 1.715, 0.072], 0.011).blend(0.015).grain(0.02),
        // Lips from the middle to the corners, and the line between them.
        Cone::new([0.003, 1.6375, 0.0885], 0.0065, [0.02, 1.633, 0.078], 0.0045).blend(0.01).grain(0.016),
        Cone::new([0.0, 1.6265, 0.087], 0.0075, [0.018, 1.6295, 0.077], 0.0045).blend(0.01).grain(0.016),
        Cone::new([0.0, 1.632, 0.0985], 0.0022, [0.022, 1.6315, 0.0865], 0.0018).blend(0.004).carve(),
        // Eye sockets, eyes, ears.
        Cone::ball([0.03, 1.694, 0.101], 0.017).blend(0.012).carve(),
        Cone::ball([0.03, 1.694, 0.073], 0.0145).blend(0.004).grain(0.014),
        Cone::new([0.074, 1.672, -0.012], 0.017, [0.082, 1.695, -0.018], 0.021)
            .squash([0.9, 0.0, 0.4], 0.35)
            .blend(0.006)
            .grain(0.014),
        Cone::ball([0.086, 1.688, -0.006], 0.01).blend(0.006).carve(),
    ]));
    cones.extend([
        // Nose with its wings.
        Cone::new([0.0, 1.7, 0.094], 0.008, [0.0, 1.664, 0.112], 0.0115).blend(0.012).grain(0.018),
        Cone::new([-0.011, 1.66, 0.1], 0.009, [0.011, 1.66, 0.1], 0.009).blend(0.006).grain(0.016),
    ]);
    cones
}

fn arm() -> Vec<Cone> {
    vec![
        // Deltoid, upper arm, biceps in front, triceps behind.
        Cone::new([0.17, 1.455, -0.012], 0.062, [0.26, 1.452, -0.012], 0.048),
        Cone::new([0.2, 1.455, -0.012], 0.052, [0.46, 1.452, -0.012], 0.037).blend(0.03),
        Cone::new([0.3, 1.453, 0.017], 0.034, [0.39, 1.452, 0.014], 0.029).blend(0.02),
        Cone::new([0.26, 1.45, -0.034], 0.033, [0.37, 1.45, -0.036], 0.028).blend(0.025),
        // Elbow, forearm, wrist.
        Cone::new([0.455, 1.452, -0.014], 0.037, [0.5, 1.452, -0.01], 0.037).blend(0.03),
        Cone::ball([0.475, 1.452, -0.04], 0.016).blend(0.02),
        Cone::new([0.5, 1.453, 0.004], 0.036, [0.6, 1.452, 0.006], 0.027).blend(0.03),
        Cone::new([0.49, 1.452, -0.008], 0.04, [0.71, 1.45, 0.0], 0.025).blend(0.03),
        Cone::new([0.68, 1.45, -0.008], 0.022, [0.745, 1.45, -0.01], 0.021).blend(0.02),
        Cone::new([0.68, 1.45, 0.008], 0.022, [0.745, 1.45, 0.011], 0.021).blend(0.02),
    ]
}

fn palm(webs: bool) -> Vec<Cone> {
    let mut cones =
        vec![Cone::new([0.745, 1.45, 0.0], 0.024, [0.78, 1.448, 0.0], 0.023).squash(DVec3::Y, 0.9).grain(0.018)];
    for (_, base, _, _, radii) in &FINGERS[1..] {
        let from = DVec3::new(0.76, 1.45, base[2] * 0.55);
        cones.push(Cone::new(from, 0.016, *base, radii[0] * 1.12).blend(0.012).grain(0.016));
    }
    // Webs, ball of the thumb, heel.
    for finger in (1..4).filter(|_| webs) {
        let web = |f: usize| finger_joints(f)[0].lerp(finger_joints(f)[1], 0.32);
        cones.push(Cone::new(web(finger), 0.0078, web(finger + 1), 0.0072).blend(0.006).grain(0.011));
    }
    cones.push(Cone::new([0.765, 1.442, 0.018], 0.017, [0.79, 1.44, 0.03], 0.015).blend(0.014).grain(0.016));
    cones.push(Cone::new([0.77, 1.442, -0.02], 0.015, [0.8, 1.442, -0.026], 0.013).blend(0.012).grain(0.016));
    cones
}

fn digit(finger: usize) -> Vec<Cone> {
    let joints = finger_joints(finger);
    let radii = FINGERS[finger].4;
    let bone =
        |k: usize| Cone::new(joints[k], radii[k], joints[k + 1], radii[k + 1]).blend(0.3 * radii[k]).grain(0.009);
    (0..3).map(bone).collect()
}

/// A finger that runs together with its neighbours.
fn mitten(finger: usize) -> Vec<Cone> {
    let joints = finger_joints(finger);
    vec![Cone::new(joints[0], 0.016, joints[3], 0.014).grain(0.016)]
}

fn leg() -> Vec<Cone> {
    vec![
        // Thigh with its front and inner muscles.
        Cone::new([0.1, 0.92, -0.005], 0.087, [0.112, 0.53, 0.005], 0.054),
        Cone::new([0.112, 0.8, 0.034], 0.058, [0.125, 0.6, 0.025], 0.042).blend(0.04),
        Cone::new([0.1, 0.78, -0.03], 0.06, [0.108, 0.58, -0.025], 0.042).blend(0.04),
        // Knee, calf, shin, ankle.
        Cone::new([0.113, 0.52, 0.004], 0.05, [0.113, 0.46, 0.0], 0.044).blend(0.03),
        Cone::ball([0.113, 0.495, 0.03], 0.028).blend(0.025),
        Cone::new([0.105, 0.4, -0.03], 0.043, [0.109, 0.3, -0.032], 0.03).blend(0.03),
        Cone::new([0.129, 0.4, -0.024], 0.038, [0.125, 0.3, -0.026], 0.026).blend(0.03),
        Cone::new([0.113, 0.45, -0.004], 0.048, [0.118, 0.12, -0.022], 0.029).blend(0.03),
        Cone::new([0.117, 0.13, -0.05], 0.016, [0.119, 0.06, -0.062], 0.02).blend(0.02).grain(0.03),
        Cone::new([0.118, 0.12, -0.022], 0.026, [0.119, 0.085, -0.02], 0.032).blend(0.02),
        Cone::ball([0.151, 0.082, -0.024], 0.012).blend(0.016).grain(0.025),
        Cone::ball([0.085, 0.09, -0.018], 0.012).blend(0.016).grain(0.025),
    ]
}

fn foot(toes: bool) -> Vec<Cone> {
    let mut cones = vec![
        Cone::new([0.12, 0.038, -0.05], 0.035, [0.121, 0.07, 0.0], 0.036),
        Cone::new([0.12, 0.075, -0.005], 0.036, [0.125, 0.032, 0.1], 0.026).blend(0.03),
        Cone::new([0.126, 0.03, -0.04], 0.029, [0.148, 0.024, 0.085], 0.023).blend(0.03),
        Cone::new([0.113, 0.028, 0.02], 0.022, [0.108, 0.027, 0.105], 0.025).blend(0.03),
    ];
    if !toes {
        for x in [0.105, 0.14] {
            cones.push(Cone::new([x, 0.024, 0.09], 0.024, [x, 0.02, 0.15], 0.02).blend(0.02));
        }
        return cones;
    }
    // Toes in a row, close enough to stay one piece.
    for k in 0..5 {
        let s = f64::from(k);
        let x = 0.101 + 0.0175 * s;
        let radius = if k == 0 { 0.0165 } else { 0.0125 - 0.0006 * s };
        let reach = 0.176 - 0.0016 * s * s - 0.005 * s;
        let toe = Cone::new([x, 0.022, 0.1], radius * 1.1, [x + 0.003, radius, reach], radius);
        cones.push(toe.blend(0.014).grain(0.013));
    }
    cones
}
