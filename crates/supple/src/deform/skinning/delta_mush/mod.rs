//! Direct delta mush: what smoothing the posed skin and putting its detail back would give, in one pass without smoothing
//! anything at run time. It needs no carefully painted weights: rigid ones will do.
//!
//! B. H. Le, J. P. Lewis, *Direct delta mush skinning and variants*, ACM Transactions on Graphics 38(4), 2019; the variant v0.
//!
//! v' = R (v - p) + q; q = Σ_j (1 - α) M_j s_j + β_j M_j(p); R = the rotation nearest to Σ_j M_j S_j + M_j(p) s_jᵀ
//!
//! | paper | here | identifier |
//! |---|---|---|
//! | p_i | the smoothed rest point | `center` |
//! | Ψ_ij | moments, about p, of the skin round the vertex that joint j moves: S_j, s_j and their mass b_j | `Influence`, made in `moments.rs` |
//! | w'_ij | weights smoothed by κ; β_j = (1 - α) b_j + α w'_j | `Influence::share` |
//! | p, λ, κ, α | smoothing steps, their strength for Ψ and for w', pull towards linear skinning of p | `iterations`, `lambda`, `kappa`, `alpha` |
//! | M_j | the joints' matrices | `Motion::posed_from_rest` |
//!
//! The paper's Ω holds moments about the origin and subtracts; about p nothing large cancels in single precision. Each
//! smoothing step solves (D + λ L) x = D b, D = diag L, which keeps constants, so that the rest pose and rigid motions come
//! back exactly; all steps are done at once, by a polynomial (`smoothing.rs`).
//!
//! Joint scale: rotations are found from the rigid parts of the joints, centres are carried by the whole matrices, and the
//! vertex gets Σ_j β_j R_j (S_j - 1) (v - p) besides. Where one joint has the whole neighbourhood that is the joint's matrix.
//!
//! Where it fails: the smoothing is as wide in edges whatever their length, so that a denser mesh needs a larger λ; thin
//! parts are shrunk towards their middle when bent; skin still passes through itself in a deep bend.

pub(super) mod moments;
pub(crate) mod rotation;
mod series;
mod smoothing;
mod walk;

pub use moments::{Influence, Moments};

use super::{packed::Packed, rigid_parts::RigidParts};
use crate::{
    constant::Constant,
    deform::{
        BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of,
        setting::{Checked, Setting},
    },
    parallel::for_each_block,
    pose::Motion,
    rig::Rig,
};
use glam::{Mat3A, Vec3, Vec3A};
use serde_json::json;
use std::sync::Arc;

const METHOD: &str = "delta-mush";
/// Vertices a thread takes at a time: a vertex costs ten times what it does in linear skinning.
const BLOCK: usize = 256;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaMush {
    /// Smoothing steps.
    pub iterations: u32,
    /// How much each step smooths the skin.
    pub lambda: f64,
    /// How much each step smooths the weights that `alpha` pulls towards.
    pub kappa: f64,
    /// From 0, the smoothed skin, to 1, linear skinning of the smoothed point.
    pub alpha: f64,
}

impl Default for DeltaMush {
    fn default() -> Self {
        Self::from_settings(&Settings::new()).expect("defaults are settings")
    }
}

impl DeltaMush {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[
        Setting::whole("iterations", 6, 0..=100, "smoothing steps").in_unit("steps"),
        Setting::number("lambda", 8.0, 0.0..=1000.0, "how much each step smooths the skin"),
        Setting::number("kappa", 1.0, 0.0..=1000.0, "how much each step smooths the weights that alpha pulls to"),
        Setting::number("alpha", 0.8, 0.0..=1.0, "0 = the smoothed skin, 1 = linear skinning of the smoothed point"),
    ];

    /// The constants that its kernel uses too.
    pub fn constants() -> Vec<Constant> {
        rotation::constants()
    }

    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings)?;
        Ok(Self {
            iterations: read.whole("iterations") as u32,
            lambda: read.number("lambda"),
            kappa: read.number("kappa"),
            alpha: read.number("alpha"),
        })
    }

    /// Everything that depends on the rig alone.
    pub fn moments(&self, rig: &Rig) -> Result<Moments, BindError> {
        Packed::of(METHOD, rig)?;
        if rig.mesh.triangles.is_empty() {
            return Err(BindError::NoTriangles { method: METHOD, rig: rig.name.clone() });
        }
        Ok(Moments::of(rig, rig.weights.as_ref().expect("packed from them"), self))
    }
}

impl Deformer for DeltaMush {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::from_iter([
            ("iterations".into(), json!(self.iterations)),
            ("lambda".into(), json!(self.lambda)),
            ("kappa".into(), json!(self.kappa)),
            ("alpha".into(), json!(self.alpha)),
        ])
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let keep = 1.0 - self.alpha as f32;
        Ok(Arc::new(BoundDeltaMush { moments: self.moments(rig)?, keep, joints: rig.skeleton.len() }))
    }
}

/// Delta mush of one rig.
pub struct BoundDeltaMush {
    /// What its vertices blend.
    pub moments: Moments,
    /// 1 - α.
    pub keep: f32,
    joints: usize,
}

struct Running {
    bound: Arc<BoundDeltaMush>,
    /// Refilled each frame, as is `carried`.
    parts: RigidParts,
    carried: Vec<Carried>,
}

/// A joint's motion, lengths over the rig's diagonal.
#[derive(Clone, Copy)]
struct Carried {
    matrix: Mat3A,
    translation: Vec3A,
}

impl Running {
    fn update(&mut self, motion: &Motion) -> bool {
        let unit = f64::from(self.bound.moments.unit);
        self.carried.clear();
        self.carried.extend(
            motion.exact.iter().map(|m| Carried {
                matrix: m.matrix3.as_mat3().into(),
                translation: (m.translation / unit).as_vec3a(),
            }),
        );
        self.parts.update(motion)
    }

    fn skin<const SCALED: bool>(&self, rest: &[Vec3], out: &mut [Vec3]) {
        let moments = &self.bound.moments;
        let small = 1.0 / moments.unit;
        for_each_block(out, BLOCK, |first, block| {
            for (i, out) in block.iter_mut().enumerate() {
                let (row, center) = moments.row(first + i);
                let arm = Vec3A::from(rest[first + i] * small - center);
                *out = moments.unit * self.place::<SCALED>(row, center.into(), arm);
            }
        });
    }

    #[inline(always)]
    fn place<const SCALED: bool>(&self, row: &[Influence], center: Vec3A, arm: Vec3A) -> Vec3 {
        let mut turned = Mat3A::ZERO;
        let (mut moved, mut stretched) = (Vec3A::ZERO, Vec3A::ZERO);
        let mut origin = None;
        for influence in row {
            let carried = &self.carried[influence.joint as usize];
            let at = carried.matrix * center + carried.translation;
            // The first moments sum to zero, so that any point may be taken off: one near by loses no digits.
            let from = at - *origin.get_or_insert(at);
            let [xx, xy, xz, yy, yz, zz] = influence.second;
            let s = Vec3A::from(influence.first);
            let mut rotation = carried.matrix;
            if SCALED {
                let stretch = &self.parts.stretches[influence.joint as usize];
                rotation -= *stretch;
                stretched += influence.share * (*stretch * arm);
            }
            turned.x_axis += rotation * Vec3A::new(xx, xy, xz) + from * s.x;
            turned.y_axis += rotation * Vec3A::new(xy, yy, yz) + from * s.y;
            turned.z_axis += rotation * Vec3A::new(xz, yz, zz) + from * s.z;
            moved += self.bound.keep * (carried.matrix * s) + influence.share * from;
        }
        let origin = origin.unwrap_or(Vec3A::ZERO);
        (rotation::turn(&turned, arm) + moved + origin + stretched).into()
    }
}

impl Bound for BoundDeltaMush {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        let (parts, carried) = (RigidParts::with_capacity(self.joints), Vec::with_capacity(self.joints));
        Box::new(Running { bound: self, parts, carried })
    }

    fn bytes_per_frame(&self) -> usize {
        self.moments.bytes_per_frame()
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, out) = (frame.inputs[0].points(), points_of(out));
        if self.update(frame.motion) {
            self.skin::<true>(rest, out);
        } else {
            self.skin::<false>(rest, out);
        }
    }
}
