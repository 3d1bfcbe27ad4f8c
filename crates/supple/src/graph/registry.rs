use crate::deform::{
    Deformer, Mix, SettingError, Settings,
    implicit::Implicit,
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
        name: "implicit",
        summary: "limbs are volumes: skin folds, touches without passing through, and can blend or bulge at each joint",
        paper: "Vaillant, Barthe, Guennebaud, Cani, Rohmer, Wyvill, Gourmel, Paulin 2013",
        settings: &[
            SettingInfo {
                name: "operator",
                default: "\"union\"",
                help: "how limbs are joined: union, blend (or elbow, knee), bulge, finger, blend-bulge, or an object",
            },
            SettingInfo {
                name: "joints",
                default: "{}",
                help: "operator, cap and samples of single joints: {\"forearm\": {\"operator\": \"blend\"}}",
            },
            SettingInfo { name: "start", default: "\"dual-quaternion\"", help: "the method that skin starts from" },
            SettingInfo {
                name: "amount",
                default: "1.0",
                help: "0 = the start, 1 = corrected; one number, or one for each vertex",
            },
            SettingInfo {
                name: "tracking",
                default: "\"plain\"",
                help: "plain = each frame from its pose alone; robust = from the last frame where there was contact",
            },
            SettingInfo {
                name: "partition",
                default: "\"weights\"",
                help: "how skin is parted among the joints: weights, segments or nearest",
            },
            SettingInfo {
                name: "samples",
                default: "50",
                help: "samples of a limb, before those at its joints are left out",
            },
            SettingInfo {
                name: "error",
                default: "0.1",
                help: "samples are doubled, up to 200, until a volume misses the skin by less of its radius",
            },
            SettingInfo { name: "seed", default: "0", help: "another choice of samples" },
            SettingInfo {
                name: "cap",
                default: "1.0",
                help: "how far volumes reach beyond their joints, over the distance from joint to skin",
            },
            SettingInfo { name: "resolution", default: "32", help: "nodes on a side of a volume's grid" },
            SettingInfo { name: "sigma", default: "1.0", help: "share of a Newton step that the march takes" },
            SettingInfo {
                name: "contact_angle",
                default: "26.0",
                help: "turn of the gradient in one step that is a contact, in degrees",
            },
            SettingInfo { name: "rounds", default: "12", help: "rounds of two steps" },
            SettingInfo {
                name: "relaxation",
                default: "0.0",
                help: "strength of the tangential relaxation after each round",
            },
            SettingInfo { name: "diffusion", default: "6", help: "rings round a contact that are smoothed with it" },
            SettingInfo { name: "smoothing", default: "7", help: "smoothing steps before the second fit" },
            SettingInfo { name: "last_smoothing", default: "4", help: "smoothing steps after it" },
        ],
        stands_alone: true,
        kernel: Kernel::None("its kernels are being written"),
        make: |s| Ok(Box::new(Implicit::from_settings(s)?)),
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
