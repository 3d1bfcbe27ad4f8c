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
//! | q_j | `motions` |
//! | s_j | `signed` |
//!
//! Joint scale is kept: with M_j = R_j S_j + t_j the motion of joint j is given the translation that takes *this* vertex
//! where M_j takes it, t_j + R_j (S_j v - v). That does not depend on where the origin is, which blending the S_j alone
//! would, and it is what Blender's "preserve volume" does for joints without shear. (Blender takes signs against the sum so
//! far rather than the heaviest joint: the two differ where three joints meet that turn by a full circle between them.)
//!
//! Where it fails: the outside of a bent joint bulges like a ball, limbs still pass through each other in a deep bend,
//! and a turn past 180 degrees between two joints flips to the short way round.

use super::{packed::Packed, rigid_parts::RigidParts, signs::Signs};
use crate::{
    deform::{BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of, setting::Checked},
    math::DualQuat,
    rig::Rig,
};
use glam::{Mat4, Quat, Vec3, Vec3A, Vec4};
use std::sync::Arc;

const METHOD: &str = "dual-quaternion";

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DualQuaternion;

impl DualQuaternion {
    /// From saved settings: there are none.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        Checked::of(METHOD, &[], settings).map(|_| Self)
    }
}

impl Deformer for DualQuaternion {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let packed = Packed::of(METHOD, rig)?;
        let joints = rig.skeleton.len();
        let signs = Signs::of(rig.weights.as_ref().expect("packed from them"), joints);
        Ok(Arc::new(BoundDualQuaternion { packed, signs, joints }))
    }
}

/// Dual-quaternion skinning of one rig.
pub struct BoundDualQuaternion {
    /// Its weights.
    pub packed: Packed,
    signs: Signs,
    joints: usize,
}

struct Running {
    bound: Arc<BoundDualQuaternion>,
    /// Refilled each frame.
    parts: RigidParts,
}

/// Blends four vertices at a time without looking at signs, which [`Signs::align`] has settled for the whole frame; the
/// closing transform runs on all four at once, one per lane.
#[inline(always)]
fn run_aligned<const WIDTH: usize>(
    parts: &RigidParts,
    rest: &[Vec3],
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    out: &mut [Vec3],
) {
    let groups =
        out.chunks_exact_mut(4).zip(rest.chunks_exact(4)).zip(joints.chunks_exact(4).zip(weights.chunks_exact(4)));
    for ((out, p), (j, w)) in groups {
        let (mut real, mut dual) = ([Vec4::ZERO; 4], [Vec4::ZERO; 4]);
        for lane in 0..4 {
            for k in 0..WIDTH {
                let q = &parts.motions[usize::from(j[lane][k])];
                real[lane] += q.real * w[lane][k];
                dual[lane] += q.dual * w[lane][k];
            }
        }
        let r = Mat4::from_cols(real[0], real[1], real[2], real[3]).transpose();
        let d = Mat4::from_cols(dual[0], dual[1], dual[2], dual[3]).transpose();
        let px = Vec4::new(p[0].x, p[1].x, p[2].x, p[3].x);
        let py = Vec4::new(p[0].y, p[1].y, p[2].y, p[3].y);
        let pz = Vec4::new(p[0].z, p[1].z, p[2].z, p[3].z);
        let (x, y, z, w) = (r.x_axis, r.y_axis, r.z_axis, r.w_axis);
        let (dx, dy, dz, dw) = (d.x_axis, d.y_axis, d.z_axis, d.w_axis);
        let scale = 2.0 / (x * x + y * y + z * z + w * w);
        let cx = y * pz - z * py + w * px + dx;
        let cy = z * px - x * pz + w * py + dy;
        let cz = x * py - y * px + w * pz + dz;
        let ox = px + scale * (y * cz - z * cy + w * dx - dw * x);
        let oy = py + scale * (z * cx - x * cz + w * dy - dw * y);
        let oz = pz + scale * (x * cy - y * cx + w * dz - dw * z);
        let moved = Mat4::from_cols(ox, oy, oz, Vec4::ZERO).transpose();
        out[0] = moved.x_axis.truncate();
        out[1] = moved.y_axis.truncate();
        out[2] = moved.z_axis.truncate();
        out[3] = moved.w_axis.truncate();
    }
    let tail = rest.len() / 4 * 4;
    run::<WIDTH, false>(parts, &rest[tail..], &joints[tail..], &weights[tail..], &mut out[tail..]);
}

/// Adds one joint's motion to a blend, turned to the side of `pivot`.
#[inline(always)]
fn add<const SCALED: bool>(blend: &mut DualQuat, parts: &RigidParts, joint: u16, w: f32, pivot: Vec4, p: Vec3A) {
    let q = &parts.motions[usize::from(joint)];
    let signed = if pivot.dot(q.real) < 0.0 { -w } else { w };
    blend.real += q.real * signed;
    blend.dual += q.dual * signed;
    if SCALED {
        let shift = parts.stretches[usize::from(joint)] * p;
        let t = Quat::from_xyzw(shift.x, shift.y, shift.z, 0.0) * Quat::from_vec4(q.real);
        blend.dual += Vec4::from(t) * (0.5 * signed);
    }
}

#[inline(always)]
fn run<const WIDTH: usize, const SCALED: bool>(
    parts: &RigidParts,
    rest: &[Vec3],
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    out: &mut [Vec3],
) {
    for (((out, &p), j), w) in out.iter_mut().zip(rest).zip(joints).zip(weights) {
        let pivot = parts.motions[usize::from(j[0])].real;
        let mut blend = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
        for k in 0..WIDTH {
            add::<SCALED>(&mut blend, parts, j[k], w[k], pivot, p.into());
        }
        *out = blend.transform_point(p);
    }
}

impl Running {
    fn skin_aligned(&self, rest: &[Vec3], out: &mut [Vec3]) {
        let (parts, packed) = (&self.parts, &self.bound.packed);
        packed.for_each_run(rest, out, |_, width, p, j, w, out| match width {
            1 => run_aligned::<1>(parts, p, j, w, out),
            2 => run_aligned::<2>(parts, p, j, w, out),
            3 => run_aligned::<3>(parts, p, j, w, out),
            _ => run_aligned::<4>(parts, p, j, w, out),
        });
        self.skin_wide::<false>(rest, out);
    }

    fn skin<const SCALED: bool>(&self, rest: &[Vec3], out: &mut [Vec3]) {
        let (parts, packed) = (&self.parts, &self.bound.packed);
        packed.for_each_run(rest, out, |_, width, p, j, w, out| match width {
            1 => run::<1, SCALED>(parts, p, j, w, out),
            2 => run::<2, SCALED>(parts, p, j, w, out),
            3 => run::<3, SCALED>(parts, p, j, w, out),
            _ => run::<4, SCALED>(parts, p, j, w, out),
        });
        self.skin_wide::<SCALED>(rest, out);
    }

    /// The few vertices with more than four influences.
    fn skin_wide<const SCALED: bool>(&self, rest: &[Vec3], out: &mut [Vec3]) {
        let (parts, packed) = (&self.parts, &self.bound.packed);
        let Some(rows) = &packed.wide_rows else { return };
        for &v in &packed.wide {
            let (joints, values) = rows.row(v as usize);
            let p = rest[v as usize];
            let pivot = parts.motions[usize::from(joints[0])].real;
            let mut blend = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
            for (&j, &w) in joints.iter().zip(values) {
                add::<SCALED>(&mut blend, parts, j, w, pivot, p.into());
            }
            out[v as usize] = blend.transform_point(p);
        }
    }
}

impl Bound for BoundDualQuaternion {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running { parts: RigidParts::with_capacity(self.joints), bound: self })
    }

    fn bytes_per_frame(&self) -> usize {
        self.packed.bytes_per_frame()
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, out) = (frame.inputs[0].points(), points_of(out));
        if self.parts.update(frame.motion) {
            self.skin::<true>(rest, out);
        } else if self.bound.signs.align(&mut self.parts.motions) {
            self.skin_aligned(rest, out);
        } else {
            self.skin::<false>(rest, out);
        }
    }
}
