//! Optimised centres of rotation: each vertex is turned by the blend of its joints' rotations, about a centre that was found
//! beforehand from where on the skin the weights are like its own. Linear skinning says where the centre goes, so that
//! limbs keep their thickness in a twist, as with dual quaternions, and do not bulge in a bend.
//!
//! B. H. Le, J. K. Hodgins, *Real-time skeletal skinning with optimized centers of rotation*, ACM Transactions on Graphics
//! 35(4), 2016.
//!
//! v' = R (v - p) + Σ_j w_j M_j p, R = q/|q|, q = Σ_j w_j s_j q_j, s_j = sign(q_j · q_0) against the heaviest joint;
//! p = Σ_t s(w, w_t) A_t c_t / Σ_t s(w, w_t) A_t over triangles t, found in `centers.rs`
//!
//! | symbol | identifier |
//! |---|---|
//! | w_j | `weights` |
//! | p | `centers` |
//! | q_j | `RigidParts::motions`, their real part |
//! | M_j | `Motion::posed_from_rest` |
//! | σ | `sigma` |
//!
//! Joint scale is kept as dual quaternions keep it: with M_j = R_j S_j + t_j, the vertex also gets Σ_j w_j R_j (S_j - 1) (v - p).
//! A vertex that one joint owns goes exactly where that joint takes it, and the result does not depend on the origin.
//!
//! Where it fails: skin still passes through itself in a deep bend, a turn past 180 degrees between two joints flips to the
//! short way round, and where three joints meet the centre may leave the limb.

mod centers;

pub use centers::centers;

use super::{packed::Packed, rigid_parts::RigidParts};
use crate::{
    deform::{
        BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of,
        setting::{Checked, Setting},
    },
    pose::Motion,
    rig::Rig,
};
use glam::{Affine3A, Vec3, Vec3A, Vec4};
use serde_json::json;
use std::sync::Arc;

const METHOD: &str = "rotation-center";

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationCenter {
    /// How unlike weights may be and still count as alike.
    pub sigma: f64,
}

impl Default for RotationCenter {
    fn default() -> Self {
        Self::from_settings(&Settings::new()).expect("defaults are settings")
    }
}

impl RotationCenter {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[Setting::number(
        "sigma",
        0.1,
        0.01..=1.0,
        "how unlike the weights of skin may be that has a say in a vertex's centre",
    )];

    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings)?;
        Ok(Self { sigma: read.number("sigma") })
    }

    /// The centre of each vertex of a rig, or why there are none.
    pub fn centers(&self, rig: &Rig) -> Result<Vec<Vec3>, BindError> {
        Packed::of(METHOD, rig)?;
        if rig.mesh.triangles.is_empty() {
            return Err(BindError::NoTriangles { method: METHOD, rig: rig.name.clone() });
        }
        Ok(centers(&rig.mesh, rig.weights.as_ref().expect("packed from them"), self.sigma))
    }
}

impl Deformer for RotationCenter {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::from_iter([("sigma".into(), json!(self.sigma))])
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let packed = Packed::of(METHOD, rig)?;
        let centers = self.centers(rig)?;
        Ok(Arc::new(BoundRotationCenter { packed, centers, joints: rig.skeleton.len() }))
    }
}

/// Skinning of one rig about centres of rotation.
pub struct BoundRotationCenter {
    /// Its weights.
    pub packed: Packed,
    /// The centre of each vertex.
    pub centers: Vec<Vec3>,
    joints: usize,
}

struct Running {
    bound: Arc<BoundRotationCenter>,
    /// Refilled each frame.
    parts: RigidParts,
}

/// One vertex while its influences are added up.
struct Blend {
    columns: [Vec3A; 4],
    rotation: Vec4,
    pivot: Vec4,
    arm: Vec3A,
    stretched: Vec3A,
}

impl Blend {
    #[inline(always)]
    fn begin(parts: &RigidParts, heaviest: u16, arm: Vec3) -> Self {
        let pivot = parts.motions[usize::from(heaviest)].real;
        Self { columns: [Vec3A::ZERO; 4], rotation: Vec4::ZERO, pivot, arm: arm.into(), stretched: Vec3A::ZERO }
    }

    #[inline(always)]
    fn add<const SCALED: bool>(&mut self, parts: &RigidParts, map: &Affine3A, joint: u16, w: f32) {
        let m = &map.matrix3;
        for (sum, column) in self.columns.iter_mut().zip([m.x_axis, m.y_axis, m.z_axis, map.translation]) {
            *sum += column * w;
        }
        let q = parts.motions[usize::from(joint)].real;
        self.rotation += q * if self.pivot.dot(q) < 0.0 { -w } else { w };
        if SCALED {
            self.stretched += parts.stretches[usize::from(joint)] * self.arm * w;
        }
    }

    #[inline(always)]
    fn place(&self, center: Vec3) -> Vec3 {
        let (c, q) = (&self.columns, self.rotation);
        let moved = (c[0] * center.x + c[1] * center.y) + (c[2] * center.z + c[3]);
        let axis = Vec3A::from_vec4(q);
        let turned = self.arm + (2.0 / q.dot(q)) * axis.cross(axis.cross(self.arm) + q.w * self.arm);
        (moved + turned + self.stretched).into()
    }
}

impl Running {
    #[inline(always)]
    fn run<const WIDTH: usize, const SCALED: bool>(
        &self,
        maps: &[Affine3A],
        [rest, centers]: [&[Vec3]; 2],
        joints: &[[u16; 4]],
        weights: &[[f32; 4]],
        out: &mut [Vec3],
    ) {
        for ((((out, &p), &center), j), w) in out.iter_mut().zip(rest).zip(centers).zip(joints).zip(weights) {
            let mut blend = Blend::begin(&self.parts, j[0], p - center);
            for k in 0..WIDTH {
                blend.add::<SCALED>(&self.parts, &maps[usize::from(j[k])], j[k], w[k]);
            }
            *out = blend.place(center);
        }
    }

    fn skin<const SCALED: bool>(&self, motion: &Motion, rest: &[Vec3], out: &mut [Vec3]) {
        let maps = &motion.posed_from_rest[..];
        self.bound.packed.for_each_run(rest, out, |first, width, p, j, w, out| {
            let points = [p, &self.bound.centers[first..first + p.len()]];
            match width {
                1 => self.run::<1, SCALED>(maps, points, j, w, out),
                2 => self.run::<2, SCALED>(maps, points, j, w, out),
                3 => self.run::<3, SCALED>(maps, points, j, w, out),
                _ => self.run::<4, SCALED>(maps, points, j, w, out),
            }
        });
        let Some(rows) = &self.bound.packed.wide_rows else { return };
        for &v in &self.bound.packed.wide {
            let (joints, values) = rows.row(v as usize);
            let center = self.bound.centers[v as usize];
            let mut blend = Blend::begin(&self.parts, joints[0], rest[v as usize] - center);
            for (&j, &w) in joints.iter().zip(values) {
                blend.add::<SCALED>(&self.parts, &maps[usize::from(j)], j, w);
            }
            out[v as usize] = blend.place(center);
        }
    }
}

impl Bound for BoundRotationCenter {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running { parts: RigidParts::with_capacity(self.joints), bound: self })
    }

    fn bytes_per_frame(&self) -> usize {
        self.packed.bytes_per_frame() + self.centers.len() * size_of::<Vec3>()
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, out) = (frame.inputs[0].points(), points_of(out));
        if self.parts.update(frame.motion) {
            self.skin::<true>(frame.motion, rest, out);
        } else {
            self.skin::<false>(frame.motion, rest, out);
        }
    }
}
