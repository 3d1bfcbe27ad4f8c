//! Linear blend skinning: each vertex goes where the weighted average of its joints' matrices takes it. The everyday
//! method: fastest, exact in the middle of limbs, and it collapses where joints bend far or twist.
//!
//! N. Magnenat-Thalmann, R. Laperrière, D. Thalmann, *Joint-dependent local deformations for hand animation and object
//! grasping*, Graphics Interface 1988; glTF 2.0, section 3.7.3.
//!
//! v' = Σ_j w_j M_j v
//!
//! | symbol | identifier |
//! |---|---|
//! | w_j | `weights` |
//! | M_j | `Motion::posed_from_rest` |
//!
//! Where it fails: an elbow at 135 degrees loses volume on the inside and passes through itself; a twist of 180 degrees
//! pinches to a point (the candy wrapper), because averages of rotations are not rotations.

use super::packed::Packed;
use crate::{
    deform::{BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of, setting::Checked},
    rig::Rig,
};
use glam::{Affine3A, Vec3, Vec3A};
use std::sync::Arc;

const METHOD: &str = "linear";

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linear;

impl Linear {
    /// From saved settings: there are none.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        Checked::of(METHOD, &[], settings).map(|_| Self)
    }
}

impl Deformer for Linear {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        Ok(Arc::new(BoundLinear { packed: Packed::of(METHOD, rig)? }))
    }
}

/// Linear skinning of one rig.
pub struct BoundLinear {
    /// Its weights.
    pub packed: Packed,
}

/// Four columns of a blend of affine maps.
#[derive(Clone, Copy)]
struct Columns([Vec3A; 4]);

impl Columns {
    #[inline(always)]
    fn of(map: &Affine3A, w: f32) -> Self {
        let m = &map.matrix3;
        Self([m.x_axis * w, m.y_axis * w, m.z_axis * w, map.translation * w])
    }

    #[inline(always)]
    fn plus(self, map: &Affine3A, w: f32) -> Self {
        let (m, c) = (&map.matrix3, self.0);
        Self([c[0] + m.x_axis * w, c[1] + m.y_axis * w, c[2] + m.z_axis * w, c[3] + map.translation * w])
    }

    #[inline(always)]
    fn move_point(self, p: Vec3) -> Vec3 {
        let c = self.0;
        ((c[0] * p.x + c[1] * p.y) + (c[2] * p.z + c[3])).into()
    }
}

#[inline(always)]
fn run<const WIDTH: usize>(
    maps: &[Affine3A],
    rest: &[Vec3],
    joints: &[[u16; 4]],
    weights: &[[f32; 4]],
    out: &mut [Vec3],
) {
    for (((out, p), j), w) in out.iter_mut().zip(rest).zip(joints).zip(weights) {
        let mut blend = Columns::of(&maps[usize::from(j[0])], w[0]);
        for k in 1..WIDTH {
            blend = blend.plus(&maps[usize::from(j[k])], w[k]);
        }
        *out = blend.move_point(*p);
    }
}

/// Linear skinning of all vertices, also where it is the first half of another method.
pub(super) fn skin(packed: &Packed, maps: &[Affine3A], rest: &[Vec3], out: &mut [Vec3]) {
    packed.for_each_run(rest, out, |_, width, p, j, w, out| match width {
        1 => run::<1>(maps, p, j, w, out),
        2 => run::<2>(maps, p, j, w, out),
        3 => run::<3>(maps, p, j, w, out),
        _ => run::<4>(maps, p, j, w, out),
    });
    let Some(rows) = &packed.wide_rows else { return };
    for &v in &packed.wide {
        let (joints, values) = rows.row(v as usize);
        let mut blend = Columns([Vec3A::ZERO; 4]);
        for (&j, &w) in joints.iter().zip(values) {
            blend = blend.plus(&maps[usize::from(j)], w);
        }
        out[v as usize] = blend.move_point(rest[v as usize]);
    }
}

impl Bound for BoundLinear {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(self)
    }

    fn bytes_per_frame(&self) -> usize {
        self.packed.bytes_per_frame()
    }
}

impl State for Arc<BoundLinear> {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        skin(&self.packed, &frame.motion.posed_from_rest, frame.inputs[0].points(), points_of(out));
    }
}
