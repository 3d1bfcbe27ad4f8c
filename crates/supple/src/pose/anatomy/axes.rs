//! All that is known of each joint, as plain data.

use super::{Anatomy, Body, Certainty, Flexion, Part, Source};
use serde::{Serialize, Serializer, ser::SerializeStruct};

/// How a joint bends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointAxes {
    /// Which joint of the body it is.
    pub part: Option<Part>,
    /// The axis of flexion, in the frame of the parent; none where nothing tells it.
    pub flexion: Option<[f64; 3]>,
    /// Where the end of its bone goes then: up, down, front, back, out, in, left or right.
    pub towards: Option<&'static str>,
    /// From what the axis is known.
    pub source: Option<Source>,
    /// How well.
    pub certainty: Option<Certainty>,
    /// The direction of its bone, in the space of the skin.
    pub bone: Option<[f64; 3]>,
    /// The degrees of flexion that bodies can do.
    pub range: Option<[f64; 2]>,
}

impl Anatomy<'_> {
    /// What is known of a joint.
    pub fn axes(&self, joint: usize) -> JointAxes {
        let flexion = self.listed_flexion(joint);
        let bone = self.bone(joint).and_then(|b| (b.tail - b.head).try_normalize());
        JointAxes {
            part: self.part(joint),
            flexion: flexion.map(|f| plain(f.axis)),
            towards: flexion.and_then(|Flexion { axis, .. }| self.towards(joint, axis)),
            source: flexion.map(|f| f.source),
            certainty: flexion.map(|f| f.certainty),
            bone: bone.map(plain),
            range: self.part(joint).map(Part::range),
        }
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_struct("Body", 5)?;
        body.serialize_field("up", &plain(self.up))?;
        body.serialize_field("left", &plain(self.left))?;
        body.serialize_field("front", &plain(self.front))?;
        let certainty = if self.confirmed { Certainty::Sure } else { Certainty::Likely };
        body.serialize_field("certainty", &certainty)?;
        body.serialize_field("four_legged", &self.four_legged)?;
        body.end()
    }
}

/// Without the sign of zeros.
fn plain(v: glam::DVec3) -> [f64; 3] {
    v.to_array().map(|x| x + 0.0)
}
