//! Dual-quaternion skinning: the joints' rigid motions are blended as dual quaternions, so that the blend is a rigid
//! motion too and a twisted limb keeps its thickness.
//!
//! L. Kavan, S. Collins, J. Žára, C. O'Sullivan, *Geometric skinning with approximate dual quaternion blending*, ACM
//! Transactions on Graphics 27(4), 2008.
//!
//! q = Σ_j w_j s_j q_j, s_j = sign(q_j · q_0) against the heaviest joint; v' = q/|q| applied to v
//!
//! | symbol | identifier |
//! |---|---|
//! | w_j | `weights` |
//! | q_j | `Part::motion` |
//! | s_j | `signed` |
//!
//! Joint scale is kept: with M_j = R_j S_j + t_j the motion of joint j is given the translation that takes *this* vertex
//! where M_j takes it, t_j + R_j (S_j v - v). That does not depend on where the origin is, which blending the S_j alone
//! would, and it is what Blender's "preserve volume" does.
//!
//! Where it fails: the outside of a bent joint bulges like a ball, limbs still pass through each other in a deep bend,
//! and a turn past 180 degrees between two joints flips to the short way round.

use super::{
    BLOCK, no_settings,
    packed::{Packed, RUN},
};
use crate::{
    deform::{BindError, Bound, Deformer, Frame, SettingError, Settings},
    math::{DualQuat, rigid_and_scale},
    parallel::for_each_block,
    pose::Motion,
    rig::Rig,
};
use glam::{DMat3, Mat3A, Quat, Vec3, Vec3A, Vec4};

const METHOD: &str = "dual-quaternion";

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DualQuaternion;

impl DualQuaternion {
    /// From saved settings: there are none.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        no_settings(METHOD, settings).map(|()| Self)
    }
}

impl Deformer for DualQuaternion {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn bind(&self, rig: &Rig) -> Result<Box<dyn Bound>, BindError> {
        let packed = Packed::of(METHOD, rig)?;
        Ok(Box::new(BoundDualQuaternion { packed, parts: Vec::with_capacity(rig.skeleton.len()) }))
    }
}

/// A joint's motion, taken apart.
#[derive(Clone, Copy)]
struct Part {
    motion: DualQuat,
    /// R (S - 1): zero for a joint that keeps its scale.
    stretch: Mat3A,
}

struct BoundDualQuaternion {
    packed: Packed,
    /// Refilled each frame; its memory is taken at bind.
    parts: Vec<Part>,
}

impl BoundDualQuaternion {
    /// Takes the joints' motions apart and tells whether any of them scales.
    fn take_apart(&mut self, motion: &Motion) -> bool {
        self.parts.clear();
        let mut scaled = false;
        for affine in &motion.exact {
            let split = rigid_and_scale(affine);
            let stretch = affine.matrix3 - DMat3::from_quat(split.rotation);
            let keeps = split.scale.abs_diff_eq(DMat3::IDENTITY, 1e-6);
            scaled |= !keeps;
            self.parts.push(Part {
                motion: DualQuat::of(split.rotation, affine.translation),
                stretch: if keeps { Mat3A::ZERO } else { Mat3A::from(stretch.as_mat3()) },
            });
        }
        scaled
    }
}

/// Adds one joint's motion to a blend, turned to the side of `pivot`.
#[inline(always)]
fn add<const SCALED: bool>(blend: &mut DualQuat, part: &Part, w: f32, pivot: Vec4, p: Vec3A) {
    let q = &part.motion;
    let signed = if pivot.dot(q.real) < 0.0 { -w } else { w };
    blend.real += q.real * signed;
    blend.dual += q.dual * signed;
    if SCALED {
        let shift = part.stretch * p;
        let t = Quat::from_xyzw(shift.x, shift.y, shift.z, 0.0) * Quat::from_vec4(q.real);
        blend.dual += Vec4::from(t) * (0.5 * signed);
    }
}

#[inline(always)]
fn run<const WIDTH: usize, const SCALED: bool>(
    parts: &[Part],
    rest: &[Vec3],
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    out: &mut [Vec3],
) {
    for (((out, &p), j), w) in out.iter_mut().zip(rest).zip(joints).zip(weights) {
        let pivot = parts[usize::from(j[0])].motion.real;
        let mut blend = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
        for k in 0..WIDTH {
            add::<SCALED>(&mut blend, &parts[usize::from(j[k])], w[k], pivot, p.into());
        }
        *out = blend.transform_point(p);
    }
}

impl BoundDualQuaternion {
    fn skin<const SCALED: bool>(&self, rest: &[Vec3], out: &mut [Vec3]) {
        let (parts, packed) = (&self.parts[..], &self.packed);
        for_each_block(out, BLOCK, |first, block| {
            for (i, out) in block.chunks_mut(RUN).enumerate() {
                let v = first + i * RUN;
                let range = v..v + out.len();
                let (p, j, w) = (&rest[range.clone()], &packed.joints[range.clone()], &packed.weights[range]);
                match packed.widths[v / RUN] {
                    1 => run::<1, SCALED>(parts, p, j, w, out),
                    2 => run::<2, SCALED>(parts, p, j, w, out),
                    3 => run::<3, SCALED>(parts, p, j, w, out),
                    _ => run::<4, SCALED>(parts, p, j, w, out),
                }
            }
        });
        let Some(rows) = &packed.wide_rows else { return };
        for &v in &packed.wide {
            let (joints, values) = rows.row(v as usize);
            let p = rest[v as usize];
            let pivot = parts[usize::from(joints[0])].motion.real;
            let mut blend = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
            for (&j, &w) in joints.iter().zip(values) {
                add::<SCALED>(&mut blend, &parts[usize::from(j)], w, pivot, p.into());
            }
            out[v as usize] = blend.transform_point(p);
        }
    }
}

impl Bound for BoundDualQuaternion {
    fn deform(&mut self, frame: &Frame<'_>, out: &mut [Vec3]) {
        if self.take_apart(frame.motion) {
            self.skin::<true>(frame.inputs[0], out);
        } else {
            self.skin::<false>(frame.inputs[0], out);
        }
    }

    fn bytes_per_frame(&self) -> usize {
        self.packed.bytes_per_frame()
    }
}
