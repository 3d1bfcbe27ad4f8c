//! What is known of the joints of a body: which they are, how they flex, where front and out are.

mod apart;
mod axes;
mod body;
mod palm;
mod parts;
mod range;
mod words;

pub use axes::JointAxes;
pub use body::Body;
pub use parts::Part;

use super::{PoseError, bend::straight};
use crate::{
    rig::{Bone, Rig},
    weights::edit::sides,
};
use apart::Tree;
use body::direction;
use glam::{DMat3, DVec3};
use palm::Palm;
use parts::Parts;
use serde::Serialize;
use std::fmt;
use words::Side;

/// From what the axis of a flexion is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// It came with the rig.
    Stored,
    /// The name of the joint, and how the body stands.
    Anatomy,
    /// The bend at rest, of more than [`CLEAR_BEND`] degrees.
    RestBend,
    /// It keeps the limb away from others.
    KeepsApart,
    /// A slight bend at rest, for want of anything better.
    SlightBend,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stored => "stored",
            Self::Anatomy => "anatomy",
            Self::RestBend => "rest bend",
            Self::KeepsApart => "keeps limbs apart",
            Self::SlightBend => "slight rest bend",
        })
    }
}

/// How sure an axis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Chosen for want of knowledge, or two signs contradict each other.
    Guess,
    /// One sign tells it.
    Likely,
    /// Two signs agree.
    Sure,
    /// The rig says so.
    Certain,
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Guess => "guess",
            Self::Likely => "likely",
            Self::Sure => "sure",
            Self::Certain => "certain",
        })
    }
}

/// How a joint flexes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flexion {
    /// Unit axis in the frame of the parent; positive angles flex.
    pub axis: DVec3,
    /// From what it is known.
    pub source: Source,
    /// How well.
    pub certainty: Certainty,
}

/// A bend at rest of more degrees than this shows the hinge of a joint.
pub const CLEAR_BEND: f64 = 15.0;
/// Below this angle between parent bone and child bone a joint counts as straight.
const STRAIGHT: f64 = 0.5;
/// A bend at rest within 60 degrees of the plane of flexion shows the plane; others are spread fingers and turned-out feet.
const IN_PLANE: f64 = 0.5;
/// Joints nearer to the plane between the halves of the body than this lie in the middle, in diagonals.
const MIDDLE: f64 = 1e-3;

/// What names, bones and the rest pose of a rig tell about its joints.
pub struct Anatomy<'a> {
    pub(super) rig: &'a Rig,
    bones: Vec<Bone>,
    /// The bone that each joint turns.
    main: Vec<Option<usize>>,
    /// The same joint of the body on the other side.
    partner: Vec<Option<usize>>,
    tree: Tree,
    parts: Parts,
    body: Option<Body>,
    /// Of hands without a side, of left ones, of right ones.
    palms: [Option<Palm>; 3],
}

impl<'a> Anatomy<'a> {
    /// Reads names and bones; the axes of joints are found when they are asked for.
    pub fn of(rig: &'a Rig) -> Self {
        let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
        let sides: Vec<(usize, usize)> = sides(&rig.skeleton).collect();
        let leftwards = body::leftwards(&rig.skeleton, &sides);
        let parts = Parts::of(&rig.skeleton, leftwards);
        let main = main_bones(rig, &bones, &parts);
        let bone = |j: usize| main[j].map(|b: usize| bones[b]);
        let body = Body::of(&rig.skeleton, &parts, &bone, &sides, leftwards);
        let palms = [None, Some(Side::Left), Some(Side::Right)].map(|side| {
            let swapped = body.as_ref().is_some_and(|b| b.swapped);
            let right = side.map(|side| (side == Side::Right) != swapped);
            palm::palm(&rig.skeleton, &parts, &bone, side, right)
        });
        Self {
            rig,
            main,
            partner: parts.partners(&rig.skeleton),
            tree: Tree::of(&rig.skeleton, &bones),
            parts,
            body,
            palms,
            bones,
        }
    }

    /// How the body stands; none where the names of joints do not tell left from right.
    pub fn body(&self) -> Option<&Body> {
        self.body.as_ref()
    }

    /// Which joint of the body this is, where its name tells.
    pub fn part(&self, joint: usize) -> Option<Part> {
        self.parts.part[joint]
    }

    /// The bone that a joint turns: its own, or that of a joint that sits on it; the one that goes on with the limb or trunk,
    /// or the longest, where it has several.
    pub fn bone(&self, joint: usize) -> Option<Bone> {
        self.main[joint].map(|b| self.bones[b])
    }

    /// Away from the middle of the body; none in its middle.
    pub fn out(&self, joint: usize) -> Option<DVec3> {
        // A hip or collar may begin in the middle; where its bone ends says the side.
        let at = |p: DVec3| self.body.and_then(|b| b.out(p, MIDDLE * f64::from(self.rig.diagonal())));
        let here = at(self.rig.skeleton.joints()[joint].rest_position());
        if self.part(joint).is_some_and(Part::is_trunk) {
            return None;
        }
        here.or_else(|| at(self.bone(joint)?.tail))
    }

    /// The direction in which the end of a joint's bone goes when it turns about an axis of its parent's frame: up, down,
    /// front, back, out or in; left or right in the middle of the body.
    pub fn towards(&self, joint: usize, axis: DVec3) -> Option<&'static str> {
        let axis = self.rest_axis(joint, axis);
        let goes = axis.cross(direction(&self.bone(joint)?)).try_normalize()?;
        Some(self.body?.word(goes, self.out(joint)))
    }

    /// The axis about which a joint flexes.
    pub fn flexion(&self, joint: usize) -> Result<Flexion, PoseError> {
        if let Some(axis) = self.rig.skeleton.joints()[joint].hinge {
            return Ok(Flexion { axis, source: Source::Stored, certainty: Certainty::Certain });
        }
        let (axis, source, certainty) = self.found(joint, true).ok_or_else(|| straight(self.rig, joint))?;
        Ok(Flexion { axis: self.parent_axis(joint, axis), source, certainty })
    }

    /// The same for a list of all joints: of thousands, the hinge that keeps limbs apart is not looked for.
    fn listed_flexion(&self, joint: usize) -> Option<Flexion> {
        if self.tries_hinges() || self.rig.skeleton.joints()[joint].hinge.is_some() {
            return self.flexion(joint).ok();
        }
        let (axis, source, certainty) = self.found(joint, false)?;
        Some(Flexion { axis: self.parent_axis(joint, axis), source, certainty })
    }

    /// Whether [`Anatomy::axes`] looks for the hinge that keeps limbs apart. Of skeletons of thousands of joints it does not, since
    /// that takes seconds; [`Anatomy::flexion`] always does.
    pub fn tries_hinges(&self) -> bool {
        self.rig.skeleton.len() <= apart::MOST_LISTED
    }

    /// The flexion in the space of the skin, by a hinge that keeps limbs apart only where such may be tried.
    fn found(&self, joint: usize, try_hinges: bool) -> Option<(DVec3, Source, Certainty)> {
        let by_name = self.anatomical(joint);
        let bend = self.rest_bend(joint);
        let clear = self.is_clearly_bent(joint);
        let part = self.part(joint);
        // A knuckle's incoming bone is the hand, which lies at any angle to a finger.
        let knuckle = part == Some(Part::Finger) && self.finger_above(joint).is_none();
        let folds = part.is_some_and(Part::folds_one_way) && !knuckle;
        match (by_name, bend) {
            (Some((by_name, _)), Some(bend)) if clear && folds && bend.axis.dot(by_name) > IN_PLANE => {
                Some((bend.axis, Source::RestBend, Certainty::Sure))
            }
            // Fingers may be stretched over; elbows and knees are not.
            (Some((by_name, _)), Some(bend))
                if clear && folds && part != Some(Part::Finger) && bend.axis.dot(by_name) < -IN_PLANE =>
            {
                Some((bend.axis, Source::RestBend, Certainty::Guess))
            }
            (Some((axis, certainty)), _) => Some((axis, Source::Anatomy, certainty)),
            (None, Some(bend)) if clear => Some((bend.axis, Source::RestBend, Certainty::Likely)),
            // An elbow, a knee or a finger is never bent the other way, however little it is.
            (None, Some(bend)) if folds => Some((bend.axis, Source::SlightBend, Certainty::Likely)),
            (None, bend) => {
                let incoming = self.incoming(joint).unwrap_or(DVec3::ZERO);
                let level = self.body.map_or(DVec3::ZERO, |b| b.left);
                let bone = self.bone(joint)?;
                let hinge = || self.tree.hinge(&self.bones, &bone, joint, incoming, level);
                let apart = try_hinges.then(hinge).flatten().map(|axis| (axis, Source::KeepsApart, Certainty::Guess));
                apart.or_else(|| Some((bend?.axis, Source::SlightBend, Certainty::Guess)))
            }
        }
    }

    /// What anatomy says of a joint that is known by name.
    fn anatomical(&self, joint: usize) -> Option<(DVec3, Certainty)> {
        let part = self.part(joint)?;
        if let Some(found) = self.of_hand(joint, part) {
            return Some(found);
        }
        let body = self.body?;
        let bone = direction(&self.bone(joint)?);
        // Turning about its left takes up to front, to down, to back.
        let forwards = body.left;
        let axis = match part {
            Part::Pelvis | Part::Spine | Part::Neck | Part::Head | Part::Jaw => forwards,
            Part::Tail => -forwards,
            Part::Collar if !body.four_legged => bone.cross(body.front),
            Part::Collar | Part::Shoulder | Part::Hip => body.hanging_to(bone) * -forwards,
            Part::Elbow => body.hanging_to(self.incoming(joint)?) * -forwards,
            Part::Knee => body.hanging_to(self.incoming(joint)?) * forwards,
            Part::Ankle | Part::Toes => -forwards,
            // Forelegs stand with their palms backwards; else palms look in where arms hang.
            Part::Wrist | Part::Finger | Part::Thumb if body.four_legged => {
                body.hanging_to(self.incoming(joint)?) * forwards
            }
            Part::Wrist | Part::Finger | Part::Thumb => {
                let palm = body.hanging_to(self.incoming(joint)?) * -self.out(joint)?;
                bone.cross(palm)
            }
        };
        // Square to the bone that is moved, so that it turns by as many degrees as it is asked to.
        let axis = if part.is_trunk() { axis } else { axis.reject_from_normalized(bone) };
        let certainty = if body.confirmed { Certainty::Sure } else { Certainty::Likely };
        Some((axis.try_normalize()?, certainty))
    }

    /// Fingers fold to the palm, the thumb across it.
    fn of_hand(&self, joint: usize, part: Part) -> Option<(DVec3, Certainty)> {
        if self.body.is_some_and(|b| b.four_legged) {
            return None;
        }
        let palm = self.palms[self.parts.names[joint].side.map_or(0, |s| 1 + s as usize)]?;
        let towards = match part {
            Part::Wrist | Part::Finger => palm.normal,
            Part::Thumb => 0.6 * palm.normal + 0.8 * palm.across,
            _ => return None,
        };
        let axis = direction(&self.bone(joint)?).cross(towards).try_normalize()?;
        Some((axis, if palm.confirmed { Certainty::Sure } else { Certainty::Likely }))
    }

    pub(super) fn is_of_leg(&self, joint: usize) -> bool {
        self.part(joint).is_some_and(Part::is_leg)
    }

    fn finger_above(&self, joint: usize) -> Option<usize> {
        self.rig.skeleton.joints()[joint].parent.filter(|&p| self.part(p) == Some(Part::Finger))
    }

    /// The direction of the bone that ends at a joint, from the nearest ancestor that does not sit on it.
    fn incoming(&self, joint: usize) -> Option<DVec3> {
        let joints = self.rig.skeleton.joints();
        let here = joints[joint].rest_position();
        let mut above = joints[joint].parent;
        while let Some(p) = above {
            let bone = here - joints[p].rest_position();
            if bone.length() > 1e-6 * f64::from(self.rig.diagonal()) {
                return bone.try_normalize();
            }
            above = joints[p].parent;
        }
        None
    }

    fn rest_bend(&self, joint: usize) -> Option<RestBend> {
        let (incoming, outgoing) = (self.incoming(joint)?, direction(&self.bone(joint)?));
        let normal = incoming.cross(outgoing);
        let degrees = normal.length().atan2(incoming.dot(outgoing)).to_degrees();
        (normal.length() >= STRAIGHT.to_radians().sin()).then(|| RestBend { axis: normal.normalize(), degrees })
    }

    /// Whether the bend at rest shows the hinge: in the mean of both sides, so that they are treated alike.
    fn is_clearly_bent(&self, joint: usize) -> bool {
        let degrees = |j: usize| self.rest_bend(j).map_or(0.0, |b| b.degrees);
        self.partner[joint].map_or(degrees(joint), |p| 0.5 * (degrees(joint) + degrees(p))) > CLEAR_BEND
    }

    /// An axis of the space of the skin in the frame of a joint's parent.
    pub(super) fn parent_axis(&self, joint: usize, axis: DVec3) -> DVec3 {
        let joints = self.rig.skeleton.joints();
        joints[joint].parent.map_or(axis, |p| carried(joints[p].joint_from_rest.matrix3, axis))
    }

    /// An axis of the frame of a joint's parent in the space of the skin.
    fn rest_axis(&self, joint: usize, axis: DVec3) -> DVec3 {
        let joints = self.rig.skeleton.joints();
        joints[joint].parent.map_or(axis, |p| carried(joints[p].rest_from_joint.matrix3, axis))
    }
}

struct RestBend {
    axis: DVec3,
    degrees: f64,
}

/// An axis of rotation seen from another frame: one that is mirrored turns the other way.
fn carried(matrix: DMat3, axis: DVec3) -> DVec3 {
    (matrix * axis * if matrix.determinant() < 0.0 { -1.0 } else { 1.0 }).normalize_or(axis)
}

/// For each joint the bone it turns, as an index: the longest of those that go on with its limb or trunk, or of all.
fn main_bones(rig: &Rig, bones: &[Bone], parts: &Parts) -> Vec<Option<usize>> {
    let joints = rig.skeleton.joints();
    let near = 1e-6 * f64::from(rig.diagonal());
    let goes_on = |bone: &Bone| {
        let (from, to) = (parts.part[bone.joint], bone.tail_joint.and_then(|t| parts.part[t]));
        match (from, to) {
            (Some(from), Some(to)) if from.is_trunk() => to.is_trunk() && to != Part::Pelvis,
            (Some(Part::Collar), Some(to)) => matches!(to, Part::Collar | Part::Shoulder),
            (Some(Part::Shoulder), Some(to)) => to == Part::Elbow,
            (Some(Part::Elbow), Some(to)) => to == Part::Wrist,
            (Some(Part::Wrist), Some(to)) => to == Part::Finger,
            (Some(Part::Hip), Some(to)) => to == Part::Knee,
            (Some(Part::Knee), Some(to)) => to == Part::Ankle,
            (Some(Part::Ankle), Some(to)) => to == Part::Toes,
            _ => false,
        }
    };
    let mut main: Vec<Option<(bool, f64, usize)>> = vec![None; joints.len()];
    let take = |best: &mut Option<(bool, f64, usize)>, this: (bool, f64, usize)| {
        if best.is_none_or(|b| (this.0, this.1) > (b.0, b.1)) {
            *best = Some(this);
        }
    };
    for (i, bone) in bones.iter().enumerate() {
        take(&mut main[bone.joint], (goes_on(bone), bone.length(), i));
    }
    // A joint that only carries another on its own place turns that one's bone.
    for j in (0..joints.len()).rev() {
        let here = joints[j].rest_position();
        let carrier = joints[j].parent.filter(|&p| joints[p].rest_position().distance(here) <= near);
        if let (Some(carrier), Some(this)) = (carrier, main[j]) {
            take(&mut main[carrier], this);
        }
    }
    main.into_iter().map(|m| m.map(|m| m.2)).collect()
}
