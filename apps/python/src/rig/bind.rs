//! New weights for a rig, with the same choices as `supple bind`.

use crate::{error, skeleton};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use supple::{
    rig::{Rig, Role, Skeleton, Weights},
    weights::{
        self, HeatOptions, NearestOptions,
        edit::{self, LimitOptions},
        flexible::{self, Distance, Ramp},
    },
};

/// How many joints a vertex may have where nothing is said.
const INFLUENCES: usize = 4;

/// What flexible weights can be told.
pub struct Flexible<'a> {
    pub k: Option<f64>,
    pub joints: Option<BTreeMap<String, f64>>,
    pub distance: Option<&'a str>,
    pub ramp: Option<&'a str>,
}

enum How {
    Heat(HeatOptions),
    Nearest(NearestOptions),
    Flexible(flexible::Options, Option<usize>),
}

/// Everything looked at, before anything slow begins.
pub struct Plan {
    /// With the bones taken from joints that shall own no skin.
    rig: Rig,
    /// As it was: such joints are still bones of the rig.
    skeleton: Skeleton,
    how: How,
}

/// One of some things by its name.
pub fn named<T: Copy>(what: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let names: Vec<&str> = all.iter().map(|(n, _)| *n).collect();
    let found = all.iter().find(|(n, _)| *n == name).map(|(_, t)| *t);
    found.ok_or_else(|| error::bind(error::unknown(what, name, &names)))
}

impl Plan {
    pub fn new(
        rig: &Rig,
        method: &str,
        influences: Option<usize>,
        given: Flexible<'_>,
        exclude: &[String],
    ) -> PyResult<Self> {
        #[derive(Clone, Copy, PartialEq)]
        enum Method {
            Heat,
            Flexible,
            Nearest,
        }
        let methods = [("heat", Method::Heat), ("flexible", Method::Flexible), ("nearest", Method::Nearest)];
        let method = named("way to make weights", method, &methods)?;
        if influences == Some(0) {
            return Err(error::bind("0 influences: a vertex needs at least 1"));
        }
        let is_given = given.k.is_some() || given.joints.is_some() || given.distance.is_some() || given.ramp.is_some();
        if is_given && method != Method::Flexible {
            return Err(error::bind("k, joints, distance and ramp are of flexible weights alone"));
        }
        let most = influences.unwrap_or(INFLUENCES);
        let how = match method {
            Method::Heat => How::Heat(HeatOptions { influences: most }),
            Method::Nearest => How::Nearest(NearestOptions { influences: most }),
            Method::Flexible => How::Flexible(options(rig, given)?, influences),
        };
        let mut rig = rig.clone();
        let skeleton = rig.skeleton.clone();
        if let Some(old) = &rig.weights {
            weights::exclude_controls(&mut rig.skeleton, old);
        }
        for name in exclude {
            let joint = skeleton::find(&rig.skeleton, name).map_err(error::bind)?;
            rig.skeleton.set_role(joint, Role::Frame);
        }
        Ok(Self { rig, skeleton, how })
    }

    /// The rig with its new weights, and what had to be guessed.
    pub fn run(self) -> PyResult<(Rig, Vec<String>)> {
        let Self { mut rig, skeleton, how } = self;
        let (found, notes): (Weights, Vec<String>) = match how {
            How::Heat(options) => {
                let (found, notes) = weights::heat(&rig.mesh, &rig.skeleton, &options).map_err(error::bind)?;
                (found, notes.iter().map(ToString::to_string).collect())
            }
            How::Nearest(options) => {
                (weights::nearest(&rig.mesh, &rig.skeleton, &options).map_err(error::bind)?.0, Vec::new())
            }
            How::Flexible(options, influences) => {
                let (found, notes) = flexible::weights(&rig, &options).map_err(error::bind)?;
                let limit = |influences| edit::limit(&found, &LimitOptions { influences, continuous: true });
                let limited = influences.map(limit).transpose().map_err(error::bind)?;
                (limited.map_or_else(|| found.clone(), |l| l.0), notes.iter().map(ToString::to_string).collect())
            }
        };
        rig.weights = Some(weights::keep_props(&rig, found));
        rig.skeleton = skeleton;
        Ok((rig, notes))
    }
}

fn options(rig: &Rig, given: Flexible<'_>) -> PyResult<flexible::Options> {
    let mut options = flexible::Options::default();
    options.k = given.k.unwrap_or(options.k);
    for (name, k) in given.joints.unwrap_or_default() {
        options.per_joint_k.insert(skeleton::find(&rig.skeleton, &name).map_err(error::bind)?, k);
    }
    let distances =
        [("geodesic", Distance::Geodesic), ("euclidean", Distance::Euclidean), ("harmonic", Distance::Harmonic)];
    if let Some(word) = given.distance {
        options.distance = named("distance", word, &distances)?;
    }
    if let Some(word) = given.ramp {
        options.ramp = named("ramp", word, &[("cubic", Ramp::Cubic), ("linear", Ramp::Linear)])?;
    }
    Ok(options)
}
