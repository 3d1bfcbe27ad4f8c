//! Stretchable and twistable bones: linear skinning in which each bone also stretches to where its tail has gone, and hands
//! a twist over bit by bit from one end to the other. A turned wrist then turns the whole forearm, as it does in life,
//! instead of wringing the skin at one joint.
//!
//! A. Jacobson, O. Sorkine, *Stretchable and twistable bones for skeletal shape deformation*, ACM Transactions on Graphics
//! 30(6), 2011.
//!
//! v' = Σ_j w_j (a'_j + R_j K_j(e_j) (v - a_j) + e_j t_j), K_j(e) a turn about the bone by (1 - e) θa_j + e θb_j
//!
//! | symbol | identifier |
//! |---|---|
//! | w_j | `weights` |
//! | e_j | `Ends`: the foot of the vertex on the bone, 0 at the head and 1 at the tail |
//! | a_j | `BoneMotion::head` |
//! | θa_j, θb_j | `BoneMotion::twists` |
//! | t_j | `BoneMotion::shift`: from where the joint alone would carry the tail to where the tail is |
//! | a'_j + R_j (v - a_j) | `Motion::posed_from_rest`, with the joint's scale |
//!
//! The paper's stretch is along the bone, R_j s_j with s_j = (|b'-a'| / |b-a| - 1) (b - a). That is t_j wherever the tail
//! stays on the line of the bone; where it does not, t_j still carries the bone's points onto the posed bone. Which bone
//! takes which twist is said in `bones.rs`. Where nothing stretches or twists the result is that of linear, bit for bit.
//!
//! Where it fails: in a bend it is linear skinning, with its lost volume; joints with bones in several directions (palms,
//! chests, hips) neither stretch nor twist; a twist past 180 degrees goes the short way round.

mod bones;
mod ends;

pub use bones::{BoneMotion, BoneMotions};
pub use ends::Ends;

use super::{BLOCK, linear, packed::Packed};
use crate::{
    constant::Constant,
    deform::{BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of, setting::Checked},
    math::quarter_turn,
    parallel::for_each_block,
    rig::Rig,
};
use glam::{Affine3A, Vec3, Vec3A};
use std::sync::Arc;

const METHOD: &str = "stretch-twist";

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StretchTwist;

impl StretchTwist {
    /// The constants that its kernel uses too.
    pub fn constants() -> Vec<Constant> {
        quarter_turn::constants()
    }

    /// From saved settings: there are none.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        Checked::of(METHOD, &[], settings).map(|_| Self)
    }
}

impl Deformer for StretchTwist {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let packed = Packed::of(METHOD, rig)?;
        let bones = BoneMotions::of(rig);
        let ends = Ends::of(rig, &packed, &bones);
        Ok(Arc::new(BoundStretchTwist { packed, bones, ends }))
    }
}

/// Stretch and twist skinning of one rig.
pub struct BoundStretchTwist {
    /// Its weights.
    pub packed: Packed,
    /// The bone of each joint, at rest.
    pub bones: BoneMotions,
    /// Where the vertices lie along them.
    pub ends: Ends,
}

struct Running {
    bound: Arc<BoundStretchTwist>,
    /// Refilled each frame.
    bones: BoneMotions,
}

/// What a bone's stretch and twist add to where the joint's matrix takes a vertex.
#[inline(always)]
fn correction(bone: &BoneMotion, map: &Affine3A, p: Vec3A, e: f32) -> Vec3A {
    let [start, end] = bone.twists;
    let (sine, cosine) = quarter_turn(0.5 * (start + e * (end - start)));
    let arm = p - bone.head;
    let across = arm - bone.axis * bone.axis.dot(arm);
    // (K - 1) applied to the arm, in a form that is exactly nothing for no twist.
    let turned = 2.0 * sine * (cosine * bone.axis.cross(arm) - sine * across);
    map.matrix3 * turned + e * bone.shift
}

impl Running {
    fn correct(&self, maps: &[Affine3A], rest: &[Vec3], out: &mut [Vec3]) {
        let (bones, packed, ends) = (&self.bones.motions, &self.bound.packed, &self.bound.ends);
        for_each_block(out, BLOCK, |first, block| {
            for (i, out) in block.iter_mut().enumerate() {
                let v = first + i;
                let (joints, weights) = (&packed.joints[v], &packed.weights[v]);
                let mut sum = Vec3A::ZERO;
                for k in 0..4 {
                    let bone = &bones[usize::from(joints[k])];
                    if bone.active && weights[k] > 0.0 {
                        let map = &maps[usize::from(joints[k])];
                        sum += weights[k] * correction(bone, map, rest[v].into(), ends.narrow[v][k]);
                    }
                }
                *out += Vec3::from(sum);
            }
        });
        let Some(rows) = &packed.wide_rows else { return };
        let mut row_ends = &ends.wide[..];
        for &v in &packed.wide {
            let (joints, weights) = rows.row(v as usize);
            let (here, others) = row_ends.split_at(joints.len());
            row_ends = others;
            let mut sum = Vec3A::ZERO;
            // The first four were added above.
            for k in 4..joints.len() {
                let j = usize::from(joints[k]);
                if bones[j].active {
                    sum += weights[k] * correction(&bones[j], &maps[j], rest[v as usize].into(), here[k]);
                }
            }
            out[v as usize] += Vec3::from(sum);
        }
    }
}

impl Bound for BoundStretchTwist {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running { bones: self.bones.clone(), bound: self })
    }

    fn bytes_per_frame(&self) -> usize {
        self.packed.bytes_per_frame() + self.packed.entries() * size_of::<f32>()
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (maps, rest, out) = (&frame.motion.posed_from_rest[..], frame.inputs[0].points(), points_of(out));
        linear::skin(&self.bound.packed, maps, rest, out);
        if self.bones.update(frame.motion) {
            self.correct(maps, rest, out);
        }
    }
}
