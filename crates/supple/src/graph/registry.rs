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
    /// The words it may be, where it is one of a few. Others may be known too, or objects.
    pub choices: &'static [&'static str],
}

impl SettingInfo {
    const fn new(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self { name, default, help, choices: &[] }
    }

    const fn one_of(self, choices: &'static [&'static str]) -> Self {
        Self { choices, ..self }
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
        settings: &[SettingInfo::new(
            "sigma",
            "0.1",
            "how unlike the weights of skin may be that has a say in a vertex's centre",
        )],
        stands_alone: true,
        kernel: Kernel::Twin("skinning/rotation_center.wgsl"),
        make: |s| Ok(Box::new(RotationCenter::from_settings(s)?)),
    },
    Method {
        name: "delta-mush",
        summary: "smooths the skin and keeps its detail, without smoothing at run time: soft bends, forgives crude weights",
        paper: "Le, Lewis 2019",
        settings: &[
            SettingInfo::new("iterations", "6", "smoothing steps"),
            SettingInfo::new("lambda", "8.0", "how much each step smooths the skin"),
            SettingInfo::new("kappa", "1.0", "how much each step smooths the weights that alpha pulls to"),
            SettingInfo::new("alpha", "0.8", "0 = the smoothed skin, 1 = linear skinning of the smoothed point"),
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
            SettingInfo::new(
                "operator",
                "\"union\"",
                "how limbs are joined: union, blend (or elbow, knee), bulge, finger, blend-bulge, or an object",
            )
            .one_of(&["union", "blend", "bulge", "finger", "blend-bulge"]),
            SettingInfo::new(
                "joints",
                "{}",
                "operator, cap and samples of single joints: {\"forearm\": {\"operator\": \"blend\"}}",
            ),
            SettingInfo::new("start", "\"dual-quaternion\"", "the method that skin starts from").one_of(&[
                "linear",
                "dual-quaternion",
                "stretch-twist",
                "rotation-center",
                "delta-mush",
            ]),
            SettingInfo::new("amount", "1.0", "0 = the start, 1 = corrected; one number, or one for each vertex"),
            SettingInfo::new(
                "tracking",
                "\"plain\"",
                "plain = each frame from its pose alone; robust = from the last frame where there was contact",
            )
            .one_of(&["plain", "robust"]),
            SettingInfo::new(
                "partition",
                "\"weights\"",
                "how skin is parted among the joints: weights, segments or nearest",
            )
            .one_of(&["weights", "segments", "nearest"]),
            SettingInfo::new("samples", "50", "samples of a limb, before those at its joints are left out"),
            SettingInfo::new(
                "error",
                "0.1",
                "samples are doubled, up to 200, until a volume misses the skin by less of its radius",
            ),
            SettingInfo::new("seed", "0", "another choice of samples"),
            SettingInfo::new(
                "cap",
                "1.0",
                "how far volumes reach beyond their joints, over the distance from joint to skin",
            ),
            SettingInfo::new("resolution", "32", "nodes on a side of a volume's grid"),
            SettingInfo::new("sigma", "1.0", "share of a Newton step that the march takes"),
            SettingInfo::new("contact_angle", "26.0", "turn of the gradient in one step that is a contact, in degrees"),
            SettingInfo::new("rounds", "12", "rounds of two steps"),
            SettingInfo::new("relaxation", "0.0", "strength of the tangential relaxation after each round"),
            SettingInfo::new("diffusion", "6", "rings round a contact that are smoothed with it"),
            SettingInfo::new("smoothing", "7", "smoothing steps before the second fit"),
            SettingInfo::new("last_smoothing", "4", "smoothing steps after it"),
        ],
        stands_alone: true,
        kernel: Kernel::Twin("implicit/track.wgsl"),
        make: |s| Ok(Box::new(Implicit::from_settings(s)?)),
    },
    Method {
        name: "mix",
        summary: "takes one result here and another there, by an amount per vertex",
        paper: "none: a node that joins two others",
        settings: &[SettingInfo::new(
            "amount",
            "0.5",
            "0 = first input, 1 = second; one number, or one for each vertex",
        )],
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
