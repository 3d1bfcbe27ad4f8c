//! The joints of the figure, for any number of bones.

use crate::example::skin::Limb;
use glam::DVec3;

/// Hips, spine, head, arms to the hands, legs to the toes.
pub(super) const LEAST: usize = 23;
/// Beyond this, segments are shorter than they are thick by far.
pub(super) const MOST: usize = 500;
/// Sixteen joints a hand.
const WITH_FINGERS: usize = LEAST + 32;

const TRUNK: [(&str, f64, f64, f64); 7] = [
    ("hips", 0.96, 0.0, 0.12),
    ("spine_lower", 1.06, 0.0, 0.12),
    ("spine_middle", 1.16, 0.0, 0.12),
    ("spine_upper", 1.26, -0.01, 0.13),
    ("chest", 1.36, -0.015, 0.14),
    ("neck", 1.505, -0.015, 0.055),
    ("head", 1.60, 0.0, 0.06),
];

/// Name, base, direction, lengths, radii.
type Measures = (&'static str, [f64; 3], [f64; 3], [f64; 3], [f64; 4]);

/// Fingers of the left hand, the thumb first.
pub(super) const FINGERS: [Measures; 5] = [
    ("thumb", [0.775, 1.444, 0.024], [0.62, -0.12, 0.78], [0.04, 0.032, 0.022], [0.016, 0.0125, 0.0112, 0.009]),
    ("index", [0.838, 1.449, 0.033], [1.0, -0.04, 0.15], [0.043, 0.026, 0.018], [0.0108, 0.0098, 0.0088, 0.0074]),
    ("middle", [0.842, 1.451, 0.009], [1.0, -0.03, 0.03], [0.048, 0.03, 0.019], [0.011, 0.01, 0.009, 0.0076]),
    ("ring", [0.836, 1.449, -0.014], [1.0, -0.04, -0.1], [0.044, 0.028, 0.018], [0.0106, 0.0095, 0.0086, 0.0072]),
    ("little", [0.826, 1.446, -0.036], [1.0, -0.06, -0.26], [0.034, 0.02, 0.016], [0.0094, 0.0082, 0.0074, 0.0062]),
];

/// Joints of a finger from its base to its tip.
pub(super) fn finger_joints(finger: usize) -> [DVec3; 4] {
    let (_, base, direction, lengths, _) = FINGERS[finger];
    let direction = DVec3::from(direction).normalize();
    let mut joints = [DVec3::from(base); 4];
    for k in 0..3 {
        let drop = DVec3::NEG_Y * (0.05 * k as f64);
        joints[k + 1] = joints[k] + (direction + drop).normalize() * lengths[k];
    }
    joints
}

/// Exactly `count` joints, parents first.
pub(super) fn limbs(count: usize) -> Vec<Limb> {
    let fingers = count >= WITH_FINGERS;
    let mut limbs: Vec<Limb> = Vec::with_capacity(count);
    for (k, (name, y, z, radius)) in TRUNK.into_iter().enumerate() {
        let tail = TRUNK.get(k + 1).map_or(DVec3::new(0.0, 1.78, 0.0), |t| DVec3::new(0.0, t.1, t.2));
        let limb = Limb::new(name, k.checked_sub(1), DVec3::new(0.0, y, z), tail, radius).share(-0.03);
        // A back bends forwards.
        limbs.push(if k == 0 { limb } else { limb.hinge(DVec3::X) });
    }
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        add_arm(&mut limbs, side, x, fingers);
        add_leg(&mut limbs, side, x);
    }
    let extra = count - limbs.len();
    segmented(limbs, extra)
}

fn add_arm(limbs: &mut Vec<Limb>, side: &str, x: f64, fingers: bool) {
    let at = |p: [f64; 3]| DVec3::new(p[0] * x, p[1], p[2]);
    let chest = limbs.iter().position(|l| l.name == "chest");
    // Elbows fold forwards, about an axis that points down on the left.
    let hinge = DVec3::NEG_Y * x;
    let points =
        [[0.025, 1.46, 0.0], [0.185, 1.455, -0.01], [0.475, 1.452, -0.012], [0.735, 1.45, 0.0], [0.84, 1.45, 0.005]];
    let mut parent = chest;
    for (k, (name, radius)) in
        [("clavicle", 0.075), ("upper_arm", 0.062), ("forearm", 0.042), ("hand", 0.03)].into_iter().enumerate()
    {
        let mut limb =
            Limb::new(format!("{name}_{side}"), parent, at(points[k]), at(points[k + 1]), radius).share(-0.03);
        if name == "forearm" {
            limb = limb.hinge(hinge);
        }
        parent = Some(limbs.len());
        limbs.push(limb);
    }
    let hand = parent;
    for (finger, &(name, _, _, _, radii)) in FINGERS.iter().enumerate().filter(|_| fingers) {
        let joints = finger_joints(finger).map(|p| at(p.to_array()));
        let along = (joints[3] - joints[0]).normalize();
        // Fingers fold down to the palm, the thumb across it.
        let towards = if name == "thumb" { DVec3::new(0.3 * x, -0.6, -0.8) } else { DVec3::NEG_Y };
        let axis = along.cross(towards).normalize();
        let mut parent = hand;
        if name == "little" {
            // Its metacarpal is the one that gives when the hand cups.
            let (head, tail) = (at([0.765, 1.449, -0.014]), joints[0]);
            parent = Some(limbs.len());
            limbs
                .push(Limb::new(format!("{name}_metacarpal_{side}"), hand, head, tail, 0.014).hinge(axis).share(0.004));
        }
        for (k, bone) in ["proximal", "intermediate", "distal"].into_iter().enumerate() {
            let bone = if name == "thumb" { ["metacarpal", "proximal", "distal"][k] } else { bone };
            let limb = Limb::new(format!("{name}_{bone}_{side}"), parent, joints[k], joints[k + 1], radii[k]);
            parent = Some(limbs.len());
            limbs.push(limb.hinge(axis).share(if name == "thumb" { 0.008 } else { 0.003 }));
        }
    }
}

fn add_leg(limbs: &mut Vec<Limb>, side: &str, x: f64) {
    let points =
        [[0.1, 0.905, 0.0], [0.113, 0.49, 0.005], [0.118, 0.085, -0.025], [0.128, 0.025, 0.095], [0.133, 0.02, 0.17]];
    let at = |p: [f64; 3]| DVec3::new(p[0] * x, p[1], p[2]);
    let mut parent = Some(0);
    for (k, (name, radius)) in
        [("thigh", 0.09), ("shin", 0.057), ("foot", 0.042), ("toes", 0.025)].into_iter().enumerate()
    {
        let limb = Limb::new(format!("{name}_{side}"), parent, at(points[k]), at(points[k + 1]), radius).share(-0.05);
        // Positive flexes: thighs forwards and up, shins back, feet up, toes up.
        let axis = if name == "shin" { DVec3::X } else { DVec3::NEG_X };
        parent = Some(limbs.len());
        limbs.push(limb.hinge(axis));
    }
}

/// Cuts `extra` times, in turn, the bone whose segments are longest; both sides alike as far as the number allows.
fn segmented(limbs: Vec<Limb>, extra: usize) -> Vec<Limb> {
    let long = ["forearm_", "upper_arm_", "shin_", "thigh_"];
    let may = |l: &Limb| long.iter().any(|n| l.name.starts_with(n));
    let mut pieces = vec![1usize; limbs.len()];
    let mut left = extra;
    if !left.is_multiple_of(2) {
        // A single bone in the middle keeps the sides alike.
        let neck = limbs.iter().position(|l| l.name == "neck").expect("in the table");
        pieces[neck] += 1;
        left -= 1;
    }
    for _ in 0..left / 2 {
        let length = |i: usize| (1e6 * limbs[i].head.distance(limbs[i].tail)).round() / pieces[i] as f64;
        let mut order: Vec<usize> = (0..limbs.len()).filter(|&i| may(&limbs[i])).collect();
        order.sort_by(|&a, &b| length(b).total_cmp(&length(a)).then(a.cmp(&b)));
        pieces[order[0]] += 1;
        pieces[order[1]] += 1;
    }
    let mut all: Vec<Limb> = Vec::with_capacity(limbs.len() + extra);
    let mut last_of = Vec::with_capacity(limbs.len());
    for (limb, pieces) in limbs.into_iter().zip(pieces) {
        let parent = limb.parent.map(|p| last_of[p]);
        for k in 0..pieces {
            let at = |k: usize| limb.head.lerp(limb.tail, k as f64 / pieces as f64);
            let mut piece = Limb { parent, head: at(k), tail: at(k + 1), ..limb.clone() };
            if k > 0 {
                piece.name = format!("{}_twist_{k}", limb.name);
                piece.parent = Some(all.len() - 1);
                piece.hinge = None;
            }
            all.push(piece);
        }
        last_of.push(all.len() - 1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_count_is_met_and_both_sides_are_alike() {
        for count in [23, 24, 31, 54, 55, 56, 100, 500] {
            let limbs = limbs(count);
            assert_eq!(limbs.len(), count);
            let side = |s: &str| limbs.iter().filter(|l| l.name.contains(s)).count();
            assert_eq!(side("_l"), side("_r") + side("_lower"), "{count}");
            assert!(limbs.iter().all(|l| l.head.distance(l.tail) > 1e-4));
        }
    }
}
