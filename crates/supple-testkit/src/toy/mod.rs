//! A method that no program has, as one who adds a method writes it: this folder, with its kernel and its page, and two lines to register
//! it. Tests look whether all that is made from the registry has it too.

#[cfg(feature = "gpu")]
mod node;

use glam::Vec3;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};
use supple::{
    deform::{
        BindError, Bound, Deformer, Frame, Memory, SettingError, Settings, State, points_of,
        setting::{Checked, Setting},
    },
    graph::{Kernel, Method, register},
    rig::Rig,
};

/// Its name.
pub const NAME: &str = "toy";

/// Its page.
pub const PAGE: &str = include_str!("toy.md");

/// Its line in the registry.
pub const METHOD: Method = Method {
    name: NAME,
    summary: "pushes the rest points along an axis",
    paper: "none: it is in the tests alone",
    settings: Toy::SETTINGS,
    stands_alone: true,
    kernel: Kernel::Twin("toy.wgsl"),
    make: |settings| Ok(Box::new(Toy::from_settings(settings)?)),
};

/// Adds it to the registry and its kernel to the others, once in a process.
///
/// # Panics
/// When somebody has looked at the registry before.
pub fn add() {
    static ADDED: OnceLock<()> = OnceLock::new();
    ADDED.get_or_init(|| {
        register(&[METHOD]).expect("nobody has looked at the registry");
        #[cfg(feature = "gpu")]
        supple_gpu::register(vec![node::twin()]).expect("nobody has looked at the kernels");
    });
}

/// See the module. It has a setting of every simple type. Where it drifts or rises it remembers the frames that followed one another,
/// and with wind it goes by the time of the frame: so it shows every part of a clock that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Toy {
    push: f64,
    times: usize,
    back: bool,
    axis: String,
    drift: f64,
    rise: f64,
    wind: f64,
    amount: Vec<f32>,
    joints: BTreeMap<String, Value>,
}

impl Toy {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[
        Setting::number("push", 0.5, 0.0..=2.0, "how far a push goes").in_unit("metres"),
        Setting::whole("times", 1, 0..=10, "how often it is pushed").in_unit("pushes"),
        Setting::flag("back", false, "the other way"),
        Setting::word("axis", "x", &["x", "y", "z"], "the axis it is pushed along"),
        Setting::number("drift", 0.0, 0.0..=1.0, "how much farther up each frame is than the one it follows")
            .in_unit("metres"),
        Setting::number(
            "rise",
            0.0,
            0.0..=10.0,
            "how much farther up a frame is for each second since the one it follows",
        )
        .in_unit("metres a second"),
        Setting::number("wind", 0.0, 0.0..=10.0, "how far each second of a frame's time carries the points along z")
            .in_unit("metres a second"),
        Setting::per_vertex("amount", 1.0, 0.0..=1.0, "share of the push"),
        Setting::by_joint("joints", OF_A_JOINT, "what joints have of their own"),
    ];

    /// From saved settings.
    ///
    /// # Errors
    /// When there is no such setting, or its value does not fit.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(NAME, Self::SETTINGS, settings)?;
        Ok(Self {
            push: read.number("push"),
            times: read.whole("times"),
            back: read.flag("back"),
            axis: read.word("axis"),
            drift: read.number("drift"),
            rise: read.number("rise"),
            wind: read.number("wind"),
            amount: read.per_vertex("amount"),
            joints: read.by_joint("joints")?,
        })
    }
}

const OF_A_JOINT: &[Setting] = &[Setting::flag("still", false, "whether it is left where it is")];

impl Deformer for Toy {
    fn method(&self) -> &'static str {
        NAME
    }

    fn settings(&self) -> Settings {
        let amount = if let [one] = self.amount[..] { json!(one) } else { json!(self.amount) };
        Settings::from_iter([
            ("push".into(), json!(self.push)),
            ("times".into(), json!(self.times)),
            ("back".into(), json!(self.back)),
            ("axis".into(), json!(self.axis)),
            ("drift".into(), json!(self.drift)),
            ("rise".into(), json!(self.rise)),
            ("wind".into(), json!(self.wind)),
            ("amount".into(), amount),
            ("joints".into(), json!(self.joints)),
        ])
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        let axis = match self.axis.as_str() {
            "x" => Vec3::X,
            "y" => Vec3::Y,
            _ => Vec3::Z,
        };
        let sign = if self.back { -1.0 } else { 1.0 };
        let push = axis * self.push as f32 * sign;
        let amount = |v: usize| if let [one] = self.amount[..] { one } else { self.amount[v] };
        let pushes = (0..rig.mesh.positions.len()).map(|v| push * amount(v)).collect();
        let [drift, rise, wind] = [self.drift, self.rise, self.wind].map(|metres| metres as f32);
        Ok(Arc::new(BoundToy { pushes, times: self.times, drift, rise, wind }))
    }
}

struct BoundToy {
    /// Of each vertex, once.
    pushes: Vec<Vec3>,
    times: usize,
    drift: f32,
    rise: f32,
    wind: f32,
}

/// What it remembers, here and in its kernel.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
struct Followed {
    /// Frames that were moved one after the other.
    frames: u32,
    /// The steps between them. The first has nothing to follow, whatever its step.
    seconds: f32,
}

impl Bound for BoundToy {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running { bound: self, followed: Followed::default() })
    }

    fn remembers(&self) -> bool {
        self.drift > 0.0 || self.rise > 0.0
    }

    fn bytes_per_frame(&self) -> usize {
        self.pushes.len() * 3 * size_of::<Vec3>()
    }
}

/// One who runs it.
struct Running {
    bound: Arc<BoundToy>,
    followed: Followed,
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, bound) = (frame.inputs[0].points(), &*self.bound);
        if self.followed.frames > 0 {
            self.followed.seconds += frame.clock.step as f32;
        }
        let up = bound.drift * self.followed.frames as f32 + bound.rise * self.followed.seconds;
        let carried = Vec3::new(0.0, up, bound.wind * frame.clock.time as f32);
        for ((out, rest), push) in points_of(out).iter_mut().zip(rest).zip(&bound.pushes) {
            *out = *rest + carried;
            (0..bound.times).for_each(|_| *out += *push);
        }
        self.followed.frames += 1;
    }

    fn reset(&mut self) {
        self.followed = Followed::default();
    }

    fn memory(&self) -> Option<Memory> {
        self.bound.remembers().then(|| Arc::new(self.followed) as Memory)
    }

    fn recall(&mut self, memory: &Memory) {
        if let Some(followed) = memory.downcast_ref() {
            self.followed = *followed;
        }
    }
}
