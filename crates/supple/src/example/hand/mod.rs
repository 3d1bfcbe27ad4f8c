//! A right hand of 21 joints in metres: fingers up along y, palm towards z, thumb towards x.

mod anatomy;
mod relief;

use super::{
    ExampleError, assemble, check_count, finished,
    march::Grid,
    motion::{Motions, ease, turned},
    remesh,
    skin::{self, Limb, Web},
};
use crate::rig::Rig;
use anatomy::{Finger, fingers, hand_shape};
use glam::DVec3;

/// What hand to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOptions {
    /// How many vertices.
    pub vertices: usize,
    /// How many joints, from 17 to 21: the fewer, the more metacarpals are one with the palm.
    pub bones: usize,
}

const LEAST: usize = 17;
const MOST: usize = 21;

impl Default for HandOptions {
    fn default() -> Self {
        Self { vertices: 31_750, bones: MOST }
    }
}

/// A right hand with a stub of forearm: 21 joints or a few less, a hinge on every one but the root, clip `fist`.
pub fn hand(options: &HandOptions) -> Result<Rig, ExampleError> {
    check_count(options.vertices)?;
    if !(LEAST..=MOST).contains(&options.bones) {
        return Err(ExampleError::Bones { who: "hand", asked: options.bones, least: LEAST, most: MOST });
    }
    let fingers = fingers();
    let shape = hand_shape(&fingers);
    let surface = remesh::mesh(&shape, &Grid::even(&shape, 0.0019), options.vertices, 0.5);
    let mesh = finished(surface, &shape, relief::height(&fingers));
    let limbs = limbs(&fingers, MOST - options.bones);
    let mut rig = assemble("hand", mesh, &limbs, skin::BAND);
    rig.clips = vec![fist(&limbs)];
    Ok(rig)
}

/// The limbs, without the first so many metacarpals.
fn limbs(fingers: &[Finger], mut stiff: usize) -> Vec<Limb> {
    let middle = &fingers[2];
    let mut limbs = vec![
        Limb::new("forearm", None, DVec3::NEG_Y * 0.06, DVec3::ZERO, 0.026),
        Limb::new("hand", Some(0), DVec3::ZERO, middle.joints[0], 0.026).hinge(DVec3::X),
    ];
    for finger in fingers {
        for (k, bone) in finger.bones.iter().enumerate() {
            if *bone == "metacarpal" && finger.name != "thumb" && stiff > 0 {
                stiff -= 1;
                continue;
            }
            let hangs_on_palm = k == 0 || !limbs[limbs.len() - 1].name.starts_with(finger.name);
            let parent = if hangs_on_palm { 1 } else { limbs.len() - 1 };
            let (head, tail) = (finger.joints[k], finger.joints[k + 1]);
            let limb = Limb::new(format!("{}_{bone}", finger.name), Some(parent), head, tail, finger.radii[k]);
            let web = (finger.name != "thumb" && hangs_on_palm).then(|| web(finger));
            limbs.push(Limb { web, ..limb.hinge(finger.hinge).share(finger.share) });
        }
    }
    limbs
}

fn web(finger: &Finger) -> Web {
    let (knuckle, next) = (finger.joints[1], finger.joints[2]);
    let along = (next - knuckle).normalize();
    Web { at: knuckle + along * 0.018, along, share: 0.018, reach: [0.022, 0.015] }
}

/// Open to closed in one second; the thumb follows and lies over the fingers.
fn fist(limbs: &[Limb]) -> crate::pose::Clip {
    let mut motions = Motions::over(1.0, 12);
    for (i, limb) in limbs.iter().enumerate().skip(2) {
        let (finger, bone) = limb.name.split_once('_').expect("named so above");
        let axis = limb.hinge.expect("every finger joint has one");
        if finger == "thumb" {
            let close = |t: f64| ease(((t - 0.3) / 0.7).max(0.0));
            match bone {
                "metacarpal" => motions.turn(i, |t| turned(DVec3::new(-0.35, 1.0, 0.35), -38.0 * close(t))),
                "proximal" => motions.turn(i, |t| turned(axis, 40.0 * close(t))),
                _ => motions.turn(i, |t| turned(axis, 55.0 * close(t))),
            }
            continue;
        }
        let degrees = match bone {
            "metacarpal" => match finger {
                "little" => 8.0,
                "ring" => 4.0,
                _ => 0.0,
            },
            "proximal" => 88.0,
            "intermediate" => 109.0,
            _ => 73.0,
        };
        motions.turn(i, |t| turned(axis, degrees * ease((t / 0.8).min(1.0))));
    }
    motions.clip("fist")
}
