//! Baseline skinning: a model of spheres and bones stands for the body, and every point of the skin is kept by where it lies on a curve
//! along the model, its baseline, and how high above it. A pose moves the model and lays the baselines anew: no weights, no triangles,
//! and every point is kept. For scans of statues; works on meshes too.
//!
//! T. Fu, R. Chaine, J. Digne, *Baseline skinning for point sets of articulated bodies*. Its construction is in closed form here, with
//! other rules where the paper leaves seams: one window of twist for a bone, the length of generators, anchors of junctions.
//!
//! p = C + (r s + x c + y s) u + (r c - x s + y c) e(φ), x = R₀ + w (ℓ - R₀ - R₁), R = (r + y) λ
//!
//! | symbol | identifier |
//! |---|---|
//! | C, r, u, s, c, ℓ | [`Frame`](frame::Frame): centre, radius, axis, sine and cosine of the cone, length of a generator |
//! | φ, t, y | [`Encoded`]: azimuth of the baseline, ratio along its section, height above it |
//! | λ | [`Joint::crop`](joint::Joint::crop): what a bend crops from both bones, in radii |
//! | K | `End::keep`: the most that is cropped, so that something of every bone is left |
//! | w | share of the straight piece between two crops |
//!
//! | step | where |
//! |---|---|
//! | the model of a rig, and which joint moves what of it | [`skin_model`] |
//! | its bones in a pose | [`frame`] |
//! | where two bones share a sphere: how a baseline goes across | [`joint`] |
//! | where three or more do: anchors that all of them carry | [`carried`] |
//! | everything that a frame's points share | [`posed`] |
//! | a baseline along one bone | [`section`], `arc` |
//! | points into coordinates and back | [`encode`], [`decode`] |
//!
//! Where it fails: folds beyond some 140 degrees tear at the ends of the crease; bones that are shorter than their spheres are wide
//! tear at both ends; layers keep their height at joints of two bones, not at junctions.

mod arc;
pub mod carried;
pub mod decode;
pub mod encode;
pub mod frame;
pub mod joint;
pub mod posed;
pub mod real;
pub mod section;
pub mod skin_model;
#[cfg(test)]
mod tests;

use crate::{
    deform::{
        BindError, Bound, Deformer, Frame, SettingError, Settings, State, points_of,
        setting::{Checked, Setting},
    },
    parallel::for_each_block,
    rig::Rig,
};
use encode::{Encoded, Encoder};
use frame::Placed;
use glam::{DVec3, Vec3};
use posed::{Posed, RestBone, Setup};
use real::Vector;
use section::Profile;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skin_model::SkinModel;
use std::{collections::BTreeMap, sync::Arc};

const METHOD: &str = "baseline";
const BLOCK: usize = 1024;
/// Points that single precision does not bring back at rest to this share of the model's diagonal are moved in double.
const EXACT: f64 = 5e-7;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    /// How a twist runs along a bone.
    pub profile: Profile,
    /// Lengths and radii other than those at rest, by joint.
    pub anatomy: BTreeMap<String, Proportions>,
}

/// What is changed of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proportions {
    /// Factor for the length of its bones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Factor for the radius of its spheres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
}

impl Baseline {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[
        Setting::word(
            "profile",
            "cubic",
            &["cubic", "linear"],
            "how a twist runs along a bone: slowly at its ends, or evenly",
        ),
        Setting::by_joint(
            "anatomy",
            &[
                Setting::number("length", 1.0, 0.1..=10.0, "factor for the length of the joint's bones").left_out("1"),
                Setting::number("radius", 1.0, 0.1..=10.0, "factor for the radius of the joint's spheres")
                    .left_out("1"),
            ],
            "other lengths and radii of the model, by joint; the detail of the skin keeps its height",
        ),
    ];

    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings)?;
        let profile = if read.word("profile") == "linear" { Profile::Linear } else { Profile::Cubic };
        Ok(Self { profile, anatomy: read.by_joint("anatomy")? })
    }

    fn model(&self, rig: &Rig) -> Result<SkinModel, BindError> {
        let refused = |reason: String| BindError::Model { method: METHOD, rig: rig.name.clone(), reason };
        let mut found = SkinModel::of(rig).map_err(refused)?;
        for (name, own) in &self.anatomy {
            let joint = rig.skeleton.find_forgiving(name).ok_or_else(|| BindError::NoJoint {
                method: METHOD,
                joint: name.clone(),
                known: rig.skeleton.names().map(str::to_owned).collect(),
            })?;
            let of_joint = |joints: &[usize], factors: &mut [f64], factor: Option<f64>| {
                let own = factors.iter_mut().zip(joints).filter(|(_, j)| **j == joint);
                own.for_each(|(f, _)| *f = factor.unwrap_or(1.0));
            };
            of_joint(&found.movers, &mut found.lengths, own.length);
            of_joint(&found.carriers, &mut found.radii, own.radius);
        }
        Ok(found)
    }
}

impl Deformer for Baseline {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        let profile = if self.profile == Profile::Linear { "linear" } else { "cubic" };
        let values = [("profile", json!(profile)), ("anatomy", json!(self.anatomy))];
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let model = self.model(rig)?;
        let refused = |reason: String| BindError::Model { method: METHOD, rig: rig.name.clone(), reason };
        BoundBaseline::new(rig, model, self.profile).map(|bound| Arc::new(bound) as Arc<dyn Bound>).map_err(refused)
    }
}

/// Baseline skinning of one rig.
pub struct BoundBaseline {
    model: SkinModel,
    setup: Setup,
    profile: Profile,
    /// The bones at rest, in both precisions.
    rest: Vec<RestBone<f64>>,
    single_rest: Vec<RestBone<f32>>,
    /// The axes of the bones at rest.
    bases: Vec<[Vec3; 3]>,
    /// The points: 32 bytes each, with `positions`.
    encoded: Vec<Encoded<f32>>,
    positions: Vec<Vec3>,
    /// The few that single precision does not bring back.
    exact: Vec<ExactPoint>,
    notes: Vec<String>,
}

struct ExactPoint {
    index: u32,
    encoded: Encoded<f64>,
    /// What double precision misses at rest, in the bone's frame: where nothing is left of a section.
    missed: DVec3,
}

impl BoundBaseline {
    fn new(rig: &Rig, model: SkinModel, profile: Profile) -> Result<Self, String> {
        let setup = Setup::new(model.model.clone());
        let (rest, frames) = (setup.rest_bones(), model.model.frames());
        let single_rest: Vec<RestBone<f32>> = rest.iter().map(RestBone::cast).collect();
        let (posed, single) = (setup.posed(), setup.posed().like::<f32>());
        let encoder = Encoder { model: &model.model, frames: &frames, bones: &rest, posed };
        let positions = &rig.mesh.positions;
        let mut both = vec![(Encoded::<f32>::default(), None); positions.len()];
        let tolerance = EXACT * diagonal(&model.model.centers);
        for_each_block(&mut both, BLOCK, |first, block| {
            for (i, (out, exact)) in block.iter_mut().enumerate() {
                let p = positions[first + i].as_dvec3();
                let encoded = encoder.encode(p);
                *out = encoded.single();
                let back = DVec3::from(single.decode(&single_rest, out, profile).place.0.map(f64::from));
                let is_back = back.distance(p) <= tolerance;
                *exact = (!is_back).then_some(encoded);
            }
        });
        let exact = both.iter().enumerate().filter_map(|(index, (_, encoded))| {
            let encoded = (*encoded)?;
            let back = DVec3::from(posed.decode(&rest, &encoded, profile).place.0);
            let missed = frames[encoded.bone as usize].local(positions[index].as_dvec3() - back);
            Some(ExactPoint {
                index: index as u32,
                encoded,
                missed: if missed.is_finite() { missed } else { DVec3::ZERO },
            })
        });
        let exact = exact.collect();
        let encoded: Vec<_> = both.into_iter().map(|(encoded, _)| encoded).collect();
        let mut notes = far_points(&encoded, diagonal(&model.model.centers))?.into_iter().collect::<Vec<_>>();
        let joints = rig.skeleton.joints();
        let name = |sphere: usize| joints[model.carriers[sphere]].name.as_str();
        let ends = |bone: usize| model.model.bones[bone].map(name).join(" to ");
        let swallowed: Vec<String> = setup.swallowed().map(ends).collect();
        if !swallowed.is_empty() {
            notes.push(format!(
                "bones shorter than their neighbours' spheres are wide, where skin may tear: {}",
                swallowed.join(", ")
            ));
        }
        let bases = frames.iter().map(|f| [f.axis, f.e1, f.e2].map(|v| v.as_vec3())).collect();
        let positions = positions.clone();
        Ok(Self { model, setup, profile, rest, single_rest, bases, encoded, positions, exact, notes })
    }

    /// The model in a pose.
    pub fn model(&self) -> &SkinModel {
        &self.model
    }

    /// The points, as they are kept.
    pub fn encoded(&self) -> &[Encoded<f32>] {
        &self.encoded
    }

    /// How many points single precision does not bring back at rest.
    pub fn exact_points(&self) -> usize {
        self.exact.len()
    }

    /// By how much a point that came in differs from where it was bound, carried along.
    #[inline(always)]
    fn carried(&self, posed: &Posed<f32>, bone: usize, by: Vec3, twist: f32, scale: f32) -> Vec3 {
        let [axis, e1, e2] = self.bases[bone];
        let (sine, cosine) = twist.sin_cos();
        let (a, b) = (by.dot(e1), by.dot(e2));
        let v = Vector([by.dot(axis), a * cosine - b * sine, a * sine + b * cosine]);
        Vec3::from(posed.bones[bone].turned(v).0) * scale
    }
}

/// A line where points are farther from every bone than the model is long; refused where most of them are.
fn far_points(encoded: &[Encoded<f32>], diagonal: f64) -> Result<Option<String>, String> {
    let far = encoded.iter().filter(|e| f64::from(e.height) > diagonal).count();
    if 2 * far > encoded.len() {
        let points = encoded.len();
        return Err(format!(
            "{far} of {points} points are farther from every bone than the whole model is long ({diagonal:.4}): it is of another skin"
        ));
    }
    let line =
        || format!("{far} points are farther from every bone than the whole model is long: they go with the nearest");
    Ok((far > 0).then(line))
}

fn diagonal(centers: &[DVec3]) -> f64 {
    let low = centers.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = centers.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    low.distance(high)
}

impl Bound for BoundBaseline {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        let (setup, placed) = (self.setup.clone(), self.model.model.placed());
        Box::new(Running { single: setup.posed().like(), setup, placed, bound: self })
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn bytes_per_frame(&self) -> usize {
        self.encoded.len() * (size_of::<Encoded<f32>>() + 3 * size_of::<Vec3>())
    }
}

struct Running {
    bound: Arc<BoundBaseline>,
    /// Refilled each frame.
    setup: Setup,
    placed: Placed,
    single: Posed<f32>,
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, out) = (frame.inputs[0].points(), points_of(out));
        let bound = &self.bound;
        bound.model.place(frame.motion, &mut self.placed);
        let exact = self.setup.pose(&mut self.placed);
        exact.cast_into(&mut self.single);
        let single = &self.single;
        for_each_block(out, BLOCK, |first, block| {
            for (i, out) in block.iter_mut().enumerate() {
                let (point, v) = (&bound.encoded[first + i], first + i);
                let decoded = single.decode(&bound.single_rest, point, bound.profile);
                let by = rest[v] - bound.positions[v];
                *out = decoded.place.0.into();
                if by != Vec3::ZERO {
                    *out += bound.carried(single, point.bone as usize, by, decoded.twist, decoded.scale);
                }
            }
        });
        for point in &bound.exact {
            let decoded = exact.decode(&bound.rest, &point.encoded, bound.profile);
            let v = point.index as usize;
            let by = rest[v] - bound.positions[v];
            let [axis, e1, e2] = bound.bases[point.encoded.bone as usize];
            let missed = point.missed.as_vec3();
            let by = by + axis * missed.x + e1 * missed.y + e2 * missed.z;
            let (twist, scale) = (decoded.twist as f32, decoded.scale as f32);
            let carried = bound.carried(single, point.encoded.bone as usize, by, twist, scale);
            out[v] = DVec3::from(decoded.place.0).as_vec3() + carried;
        }
    }
}
