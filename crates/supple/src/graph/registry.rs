use crate::deform::{
    Deformer, Mix, SettingError, Settings,
    skinning::{DeltaMush, DualQuaternion, Linear, RotationCenter, StretchTwist},
};

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
    pub settings: &'static [SettingInfo],
    /// False for nodes that only join the results of others.
    pub stands_alone: bool,
    /// Its twin on the GPU.
    pub kernel: Kernel,
    /// Makes the deformer from settings.
    pub make: fn(&Settings) -> Result<Box<dyn Deformer>, SettingError>,
}

/// A setting, for help texts.
#[derive(Clone, Copy, Debug)]
pub struct SettingInfo {
    /// As in `--set name=value`.
    pub name: &'static str,
    /// Written as JSON.
    pub default: &'static str,
    /// One line for people.
    pub help: &'static str,
}

/// Whether a method also runs on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// It has a compute kernel: this file under `crates/supple-gpu/kernels`.
    Twin(&'static str),
    /// It has none, for this reason.
    None(&'static str),
}

/// Every method. A new one adds its line here.
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
        settings: &[SettingInfo {
            name: "sigma",
            default: "0.1",
            help: "how unlike the weights of skin may be that has a say in a vertex's centre",
        }],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/rotation_center.wgsl"),
        make: |s| Ok(Box::new(RotationCenter::from_settings(s)?)),
    },
    Method {
        name: "delta-mush",
        summary: "smooths the skin and keeps its detail, without smoothing at run time: soft bends, forgives crude weights",
        paper: "Le, Lewis 2019",
        settings: &[
            SettingInfo { name: "iterations", default: "6", help: "smoothing steps" },
            SettingInfo { name: "lambda", default: "8.0", help: "how much each step smooths the skin" },
            SettingInfo {
                name: "kappa",
                default: "1.0",
                help: "how much each step smooths the weights that alpha pulls to",
            },
            SettingInfo {
                name: "alpha",
                default: "0.8",
                help: "0 = the smoothed skin, 1 = linear skinning of the smoothed point",
            },
        ],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/delta_mush.wgsl"),
        make: |s| Ok(Box::new(DeltaMush::from_settings(s)?)),
    },
    Method {
        name: "mix",
        summary: "takes one result here and another there, by an amount per vertex",
        paper: "none: a node that joins two others",
        settings: &[SettingInfo {
            name: "amount",
            default: "0.5",
            help: "0 = first input, 1 = second; one number, or one for each vertex",
        }],
        stands_alone: false,
        kernel: Kernel::Twin("mix.wgsl"),
        make: |s| Ok(Box::new(Mix::from_settings(s)?)),
    },
];

/// Every registered method.
pub fn methods() -> &'static [Method] {
    METHODS
}

/// A method by its name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}
