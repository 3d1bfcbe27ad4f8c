//! Where the bones of a hand lie and what is round them, from the proportions of an adult's hand 19 cm long.

use crate::example::field::{Cone, Shape};
use glam::DVec3;

const CM: f64 = 0.01;

pub(super) fn cm(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z) * CM
}

/// A finger: its joints from the wrist to the tip, the radius at each, and the way it bends.
#[derive(Clone, Debug)]
pub(super) struct Finger {
    pub name: &'static str,
    pub bones: &'static [&'static str],
    pub joints: Vec<DVec3>,
    pub radii: Vec<f64>,
    pub hinge: DVec3,
    /// Towards the nail, square to the last bone.
    pub back: DVec3,
    /// See [`Limb::share`](crate::example::skin::Limb).
    pub share: f64,
}

const LONG: &[&str] = &["metacarpal", "proximal", "intermediate", "distal"];
const SHORT: &[&str] = &["metacarpal", "proximal", "distal"];

/// Base, knuckle, direction, lengths and radii in centimetres.
type Measures = (&'static str, [f64; 3], [f64; 3], f64, [f64; 3], [f64; 4]);

const MEASURES: [Measures; 4] = [
    ("index", [1.5, 2.2, 0.0], [2.75, 9.1, -0.1], 0.13, [4.5, 2.7, 2.05], [1.0, 0.9, 0.8, 0.66]),
    ("middle", [0.35, 2.3, -0.1], [0.55, 9.5, -0.2], 0.025, [5.0, 3.1, 2.15], [1.02, 0.92, 0.82, 0.67]),
    ("ring", [-0.8, 2.2, -0.05], [-1.65, 9.0, -0.1], -0.09, [4.6, 2.9, 2.1], [0.97, 0.86, 0.77, 0.63]),
    ("little", [-1.8, 2.0, 0.1], [-3.6, 8.0, 0.15], -0.23, [3.6, 2.1, 1.85], [0.86, 0.74, 0.66, 0.55]),
];

/// Thumb first.
pub(super) fn fingers() -> Vec<Finger> {
    let thumb = [cm(2.1, 1.7, 0.7), cm(4.5, 4.9, 1.9), cm(6.0, 7.5, 2.5), cm(6.75, 9.6, 2.75)];
    let along = (thumb[3] - thumb[1]).normalize();
    let inwards = DVec3::new(-0.8, -0.15, 0.55);
    let hinge = along.cross(inwards).normalize();
    let mut all = vec![Finger {
        name: "thumb",
        bones: SHORT,
        joints: thumb.to_vec(),
        radii: [1.5, 1.08, 0.98, 0.8].map(|r| r * CM).to_vec(),
        hinge,
        back: (thumb[3] - thumb[2]).normalize().cross(hinge),
        share: 0.9 * CM,
    }];
    for (name, base, knuckle, fan, lengths, radii) in MEASURES {
        let mut joints = vec![DVec3::from(base) * CM, DVec3::from(knuckle) * CM];
        let mut last = DVec3::Y;
        // A hand at ease: each link a little further towards the palm.
        for (length, curl) in lengths.into_iter().zip([0.06, 0.2, 0.3]) {
            last = DVec3::new(fan, 1.0, curl).normalize();
            let from = joints[joints.len() - 1];
            // The flesh of the tip lies beyond the end of the bone.
            joints.push(from + last * (length * CM));
        }
        let tip = joints.len() - 1;
        joints[tip] -= last * (0.45 * CM);
        let hinge = DVec3::new(fan, 1.0, 0.0).cross(DVec3::Z).normalize();
        let [r0, r1, r2, r3] = radii.map(|r| r * CM);
        all.push(Finger {
            name,
            bones: LONG,
            joints,
            radii: vec![1.3 * CM, r0, r1, r2, r3],
            hinge,
            back: last.cross(hinge),
            share: 0.16 * CM,
        });
    }
    all
}

/// The hand's solid: wrist and palm, then one group per finger.
pub(super) fn hand_shape(fingers: &[Finger]) -> Shape {
    let mut shape = Shape::new(1.4 * CM);
    shape.add(0.4 * CM, &palm(fingers));
    for finger in fingers {
        let blend = if finger.name == "thumb" { 0.9 } else { 0.25 };
        shape.add(blend * CM, &flesh(finger));
    }
    shape
}

fn palm(fingers: &[Finger]) -> Vec<Cone> {
    let cone = |a: DVec3, ra: f64, b: DVec3, rb: f64| Cone::new(a, ra * CM, b, rb * CM);
    let mut cones = vec![
        cone(cm(-1.0, -5.4, 0.0), 2.3, cm(-0.95, 0.2, 0.05), 1.9).squash(DVec3::Z, 0.84),
        cone(cm(1.0, -5.4, 0.0), 2.3, cm(0.95, 0.2, 0.05), 1.9).squash(DVec3::Z, 0.84).blend(0.8 * CM),
    ];
    for finger in &fingers[1..] {
        let (base, knuckle) = (finger.joints[0], finger.joints[1]);
        let near = cm(base.x / CM * 0.85, 0.8, 0.0);
        cones.push(cone(near, 1.25, knuckle, 1.08).blend(1.1 * CM));
        // Pads below the fingers, as far as the webs: the gaps are wide enough for the grid from there on.
        let ahead = (finger.joints[2] - knuckle).normalize();
        cones.push(cone(knuckle + cm(0.0, -0.6, 0.35), 0.95, knuckle + ahead * (0.9 * CM), 0.85).blend(1.0 * CM));
    }
    let web = |k: usize| fingers[k].joints[1] + (fingers[k].joints[2] - fingers[k].joints[1]) * 0.3;
    for k in 1..4 {
        cones.push(cone(web(k), 0.72, web(k + 1), 0.66).blend(0.5 * CM));
    }
    cones.extend([
        // Heel of the hand on the little finger's side, ball of the thumb, and the hollow between them.
        cone(cm(-2.5, 1.6, 0.75), 1.25, cm(-3.1, 5.2, 0.6), 1.0).blend(1.0 * CM),
        cone(cm(1.7, 1.4, 0.8), 1.25, cm(3.4, 4.3, 1.35), 1.2).blend(1.0 * CM),
        Cone::ball(cm(0.1, 5.4, 3.05), 1.75 * CM).squash(DVec3::X, 0.9).blend(1.2 * CM).carve(),
        // The skin between thumb and forefinger.
        cone(cm(2.6, 4.2, 0.6), 0.9, cm(3.5, 5.6, 0.75), 0.62).blend(1.3 * CM),
    ]);
    cones
}

/// Shafts a little slimmer than the joints, a pad under the last bone.
fn flesh(finger: &Finger) -> Vec<Cone> {
    let mut cones = Vec::new();
    let first = if finger.name == "thumb" { 0 } else { 1 };
    let last = finger.joints.len() - 2;
    for k in first..=last {
        let (a, b) = (finger.joints[k], finger.joints[k + 1]);
        let (ra, rb) = (finger.radii[k], finger.radii[k + 1]);
        let slim = if k == last { 0.99 } else { 0.95 };
        let middle = a.lerp(b, 0.5);
        let waist = 0.5 * (ra + rb) * slim;
        cones.push(Cone::new(a, ra, middle, waist).blend(0.3 * ra));
        cones.push(Cone::new(middle, waist, b, rb).blend(0.3 * ra));
        // Flesh on the palm's side between the folds.
        let down = -finger.back * (0.14 * waist);
        cones.push(Cone::new(a.lerp(b, 0.3) + down, 0.9 * waist, a.lerp(b, 0.7) + down, 0.9 * waist).blend(0.5 * ra));
        if k > first {
            // Knuckle on the back.
            cones.push(Cone::ball(a + finger.back * (0.14 * ra), 0.92 * ra).blend(0.5 * ra));
        }
    }
    let (a, tip) = (finger.joints[last], finger.joints[last + 1]);
    let r = finger.radii[last + 1];
    cones.push(Cone::ball(a.lerp(tip, 0.7) - finger.back * (0.22 * r), 0.98 * r).blend(0.5 * r));
    cones
}
