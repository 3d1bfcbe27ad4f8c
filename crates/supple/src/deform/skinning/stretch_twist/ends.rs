use super::BoneMotions;
use crate::{deform::skinning::Packed, rig::Rig};

/// How far along the bone of each of its joints a vertex lies: 0 at the head and before it, 1 at the tail and beyond.
#[derive(Debug, Default)]
pub struct Ends {
    /// Beside [`Packed::joints`].
    pub narrow: Vec<[f32; 4]>,
    /// The whole rows of the vertices with more than four influences, one after the other.
    pub wide: Vec<f32>,
}

impl Ends {
    /// Of every influence of a rig whose weights were packed.
    pub fn of(rig: &Rig, packed: &Packed, bones: &BoneMotions) -> Self {
        let rest = &rig.mesh.positions;
        let end = |v: usize, joint: u16| bones.end(usize::from(joint), rest[v].as_dvec3()) as f32;
        let narrow = packed.joints.iter().enumerate().map(|(v, joints)| joints.map(|j| end(v, j))).collect();
        let mut wide = Vec::new();
        if let Some(rows) = &packed.wide_rows {
            for &v in &packed.wide {
                wide.extend(rows.row(v as usize).0.iter().map(|&j| end(v as usize, j)));
            }
        }
        Self { narrow, wide }
    }
}
