use crate::deform::{
    Deformer, Mix, SettingError, Settings,
    baseline::Baseline,
    implicit::Implicit,
    setting::{Setting, ValueType},
    skinning::{Blends, DeltaMush, DualQuaternion, Flesh, Gaussian, Linear, RotationCenter, StretchTwist},
};
use std::sync::OnceLock;
use thiserror::Error;

/// A method by name: what every front shows and every graph file names.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// As on the command line; also the stem of its page, golden, bench and kernel.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    /// False for nodes that only join the results of others.
    pub stands_alone: bool,
    /// Its twin on the GPU.
    pub kernel: Kernel,
    /// Makes the deformer from settings.
    pub make: fn(&Settings) -> Result<Box<dyn Deformer>, SettingError>,
}

impl Method {
    /// Whether skin can start from it: it needs nothing but the rest points, and starts from no other method itself.
    pub fn is_start(&self) -> bool {
        self.stands_alone && self.settings.iter().all(|s| s.value_type != ValueType::Method)
    }
}

/// Whether a method also runs on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// It has a compute kernel: this file under `crates/supple-gpu/kernels`.
    Twin(&'static str),
    /// It has none, for this reason.
    None(&'static str),
}

/// The methods of this crate. A new one adds its line here.
static METHODS: &[Method] = &[
    Method {
        name: "linear",
        summary: "weighted average of the joints' matrices: the everyday method, fast, collapses when twisted",
        paper: "Magnenat-Thalmann, Laperrière, Thalmann 1988; glTF 2.0",
        settings: &[],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/linear.wgsl"),
        make: |s| Ok(Box::new(Linear::from_settings(s)?)),
    },
    Method {
        name: "dual-quaternion",
        summary: "blends rigid motions as dual quaternions: keeps volume in a twist, bulges in a bend",
        paper: "Kavan, Collins, Žára, O'Sullivan 2008",
        settings: &[],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/dual_quaternion.wgsl"),
        make: |s| Ok(Box::new(DualQuaternion::from_settings(s)?)),
    },
    Method {
        name: "stretch-twist",
        summary: "bones stretch, and hand a twist over from end to end: natural forearms, linear in a bend",
        paper: "Jacobson, Sorkine 2011",
        settings: &[],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/stretch_twist.wgsl"),
        make: |s| Ok(Box::new(StretchTwist::from_settings(s)?)),
    },
    Method {
        name: "rotation-center",
        summary: "turns each vertex about a centre found beforehand: keeps volume in a twist, bulges little in a bend",
        paper: "Le, Hodgins 2016",
        settings: RotationCenter::SETTINGS,
        stands_alone: true,
        kernel: Kernel::Twin("skinning/rotation_center.wgsl"),
        make: |s| Ok(Box::new(RotationCenter::from_settings(s)?)),
    },
    Method {
        name: "delta-mush",
        summary: "smooths the skin and keeps its detail, without smoothing at run time: soft bends, forgives crude weights",
        paper: "Le, Lewis 2019",
        settings: DeltaMush::SETTINGS,
        stands_alone: true,
        kernel: Kernel::Twin("skinning/delta_mush.wgsl"),
        make: |s| Ok(Box::new(DeltaMush::from_settings(s)?)),
    },
    Method {
        name: "baseline",
        summary: "keeps every point by its place over a model of spheres and bones: for scans, without weights or triangles",
        paper: "Fu, Chaine, Digne",
        settings: Baseline::SETTINGS,
        stands_alone: true,
        kernel: Kernel::None("its kernel is still to be written"),
        make: |s| Ok(Box::new(Baseline::from_settings(s)?)),
    },
    Method {
        name: "gaussian-linear",
        summary: "linear, with weights by height over a model of spheres and bones: to compare baseline with",
        paper: "Fu, Chaine, Digne; Magnenat-Thalmann, Laperrière, Thalmann 1988",
        settings: Gaussian::SETTINGS,
        stands_alone: true,
        kernel: Kernel::None("it is there to compare with; the kernel of linear runs on a rig with weights"),
        make: |s| Ok(Box::new(Gaussian::from_settings(Blends::Matrices, s)?)),
    },
    Method {
        name: "gaussian-dual-quaternion",
        summary: "dual-quaternion, with weights by height over a model of spheres and bones: to compare baseline with",
        paper: "Fu, Chaine, Digne; Kavan, Collins, Žára, O'Sullivan 2008",
        settings: Gaussian::SETTINGS,
        stands_alone: true,
        kernel: Kernel::None("it is there to compare with; the kernel of dual-quaternion runs on a rig with weights"),
        make: |s| Ok(Box::new(Gaussian::from_settings(Blends::Motions, s)?)),
    },
    Method {
        name: "flesh",
        summary: "keeps twists, bends softly, stops at other skin, and what is squeezed comes out beside it: nearest to simulated flesh",
        paper: "ours, with moments of Le, Lewis 2019",
        settings: Flesh::SETTINGS,
        stands_alone: true,
        kernel: Kernel::None("its kernel is still to be written"),
        make: |s| Ok(Box::new(Flesh::from_settings(s)?)),
    },
    Method {
        name: "implicit",
        summary: "limbs are volumes: skin folds, touches without passing through, and can blend or bulge at each joint",
        paper: "Vaillant, Barthe, Guennebaud, Cani, Rohmer, Wyvill, Gourmel, Paulin 2013",
        settings: Implicit::SETTINGS,
        stands_alone: true,
        kernel: Kernel::Twin("implicit/track.wgsl"),
        make: |s| Ok(Box::new(Implicit::from_settings(s)?)),
    },
    Method {
        name: "mix",
        summary: "takes one result here and another there, by an amount per vertex",
        paper: "none: a node that joins two others",
        settings: Mix::SETTINGS,
        stands_alone: false,
        kernel: Kernel::Twin("mix.wgsl"),
        make: |s| Ok(Box::new(Mix::from_settings(s)?)),
    },
];

/// Those of this crate and those that were added to them.
static ALL: OnceLock<Vec<Method>> = OnceLock::new();

/// Every registered method.
pub fn methods() -> &'static [Method] {
    ALL.get_or_init(|| METHODS.to_vec())
}

/// A method by its name.
pub fn method(name: &str) -> Option<&'static Method> {
    methods().iter().find(|m| m.name == name)
}

/// Adds methods of other crates to those of this one: everything that is made from the registry then has them too. A program
/// does it once and at its start, before anything has looked at the registry: the list never changes while somebody uses it.
pub fn register(more: &[Method]) -> Result<(), RegisterError> {
    let mut all = METHODS.to_vec();
    for method in more {
        if all.iter().any(|m| m.name == method.name) {
            return Err(RegisterError::Taken(method.name));
        }
        all.push(*method);
    }
    ALL.set(all).map_err(|_| RegisterError::TooLate)
}

/// Why methods cannot be added to the registry.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RegisterError {
    /// Two methods of one name.
    #[error("there is a method \"{0}\" already")]
    Taken(&'static str),
    /// The registry is in use.
    #[error("methods are added once, and before the registry is looked at")]
    TooLate,
}
