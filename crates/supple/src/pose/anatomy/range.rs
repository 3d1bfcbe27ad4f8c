//! How far joints bend.

use super::{Anatomy, Certainty, Part, Source, body::direction};
use crate::pose::Swing;

impl Part {
    /// The degrees of flexion that bodies can do, with some to spare; less than zero is stretching over.
    pub fn range(self) -> [f64; 2] {
        match self {
            Self::Elbow => [-15.0, 160.0],
            Self::Knee => [-15.0, 165.0],
            Self::Finger => [-45.0, 120.0],
            Self::Thumb => [-60.0, 100.0],
            Self::Wrist => [-90.0, 100.0],
            Self::Ankle => [-80.0, 60.0],
            Self::Toes => [-60.0, 90.0],
            Self::Hip => [-60.0, 150.0],
            Self::Shoulder => [-90.0, 200.0],
            Self::Collar => [-60.0, 60.0],
            Self::Jaw => [-20.0, 60.0],
            Self::Pelvis | Self::Spine | Self::Neck | Self::Head | Self::Tail => [-90.0, 90.0],
        }
    }
}

/// The most that a joint is swung or twisted where its name does not tell which joint of a body it is: half a turn leads
/// everywhere.
const HALF_TURN: f64 = 180.0;

/// A swing within 30 degrees of the hinge of an elbow or a knee folds it.
const FOLDS: f64 = 0.866;

impl Anatomy<'_> {
    /// What speaks against bending a joint about its own hinge by so many degrees, in a line each.
    pub fn doubts(&self, joint: usize, degrees: f64) -> Vec<String> {
        let name = &self.rig.skeleton.joints()[joint].name;
        let mut doubts = Vec::new();
        if let Ok(flexion) = self.flexion(joint)
            && flexion.certainty == Certainty::Guess
        {
            // Rounded first, so that no zero has a sign.
            let axis = flexion.axis.to_array().map(|x| ((1e3 * x).round() / 1e3 + 0.0).to_string()).join(",");
            let why = match flexion.source {
                Source::RestBend => "it bends as it is bent at rest, against what its name says",
                Source::KeepsApart => "nothing tells its hinge, so it bends where it stays away from other limbs",
                _ => "nothing tells its hinge but a slight bend at rest",
            };
            doubts.push(format!(
                "joint \"{name}\": {why}, about {axis}; another axis can be given, as in {name}={degrees}@0,0,1"
            ));
        }
        if let Some(part) = self.part(joint) {
            let [least, most] = part.range();
            if !(least..=most).contains(&degrees) {
                let joint = format!("joint \"{name}\" is bent by {degrees} degrees");
                doubts.push(format!("{joint}: the {part} of a body bends by {least} to {most}"));
            }
        }
        doubts
    }

    /// What speaks against swinging a joint from rest by so many degrees in one direction, in a line each.
    pub fn swing_doubts(&self, joint: usize, swing: Swing, degrees: f64) -> Vec<String> {
        let furthest = |part: Part| part.range().map(f64::abs).into_iter().fold(0.0, f64::max);
        let far = self.beyond(joint, degrees, "moved", self.part(joint).map_or(HALF_TURN, furthest));
        self.hinge_doubt(joint, swing, degrees).into_iter().chain(far).collect()
    }

    /// Elbows and knees have one hinge, and fold one way.
    fn hinge_doubt(&self, joint: usize, swing: Swing, degrees: f64) -> Option<String> {
        let part = self.part(joint).filter(|part| matches!(part, Part::Elbow | Part::Knee))?;
        let along = direction(&self.bone(joint)?);
        let about = self.parent_axis(joint, swing.axis(self, joint, along).ok()? * degrees.signum());
        let folds = self.flexion(joint).is_ok_and(|flexion| flexion.axis.dot(about) > FOLDS);
        let name = &self.rig.skeleton.joints()[joint].name;
        (!folds && degrees != 0.0)
            .then(|| format!("joint \"{name}\" is moved against its hinge: the {part} of a body only bends"))
    }

    /// What speaks against twisting a joint by so many degrees.
    pub fn twist_doubt(&self, joint: usize, degrees: f64) -> Option<String> {
        self.beyond(joint, degrees, "twisted", HALF_TURN)
    }

    fn beyond(&self, joint: usize, degrees: f64, done: &str, most: f64) -> Option<String> {
        let name = &self.rig.skeleton.joints()[joint].name;
        let what = self.part(joint).map_or("no joint".to_owned(), |part| format!("no {part} of a body"));
        let doubt = || format!("joint \"{name}\" is {done} by {degrees} degrees: {what} goes further than {most}");
        (degrees.abs() > most).then(doubt)
    }
}
