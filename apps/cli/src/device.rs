//! Which device does the work, and what a person is told of it.

use crate::{args::Device, console::Console};
use glam::Vec3;
use std::sync::Arc;
use supple::{
    graph::{Binding, DeformGraph},
    pose::Motion,
    rig::Rig,
};
use supple_gpu::{Choice, Engine, Opened};

impl From<Device> for Choice {
    fn from(device: Device) -> Self {
        match device {
            Device::Auto => Self::Auto,
            Device::Cpu => Self::Processor,
            Device::Gpu => Self::Device,
        }
    }
}

/// What `--device` asks for, opened where it is worth it. `vertices` is the work, over all frames.
pub fn open(choice: Device, vertices: usize, console: &Console) -> Opened {
    let opened = pollster::block_on(Choice::from(choice).open(vertices));
    opened.notice().into_iter().for_each(|line| console.say(&format!("supple: {line}")));
    opened
}

/// Binds a graph where it shall run.
pub fn bind(graph: &DeformGraph, rig: &Rig, opened: &Opened, console: &Console) -> anyhow::Result<Engine> {
    Ok(ready(graph.binding(rig)?, rig, opened, console))
}

/// Readies what is bound where it shall run.
pub fn ready(binding: Arc<Binding>, rig: &Rig, opened: &Opened, console: &Console) -> Engine {
    let mut engine = pollster::block_on(Engine::of(binding, rig, opened.computing()));
    report(&mut engine, console);
    console.notes(&rig.name, engine.binding());
    if let Some(gpu) = opened.gpu().filter(|_| engine.on_device()) {
        console.say(&format!("supple: computing on {}", gpu.name()));
    }
    engine
}

/// The points of one pose by itself. Methods that remember say that they start anew.
pub fn evaluate(engine: &mut Engine, rig: &Rig, rest: &[Vec3], motion: &Motion, console: &Console) -> Vec<Vec3> {
    starts_anew(engine.binding(), &rig.name, console);
    let points = engine.evaluate(rest, motion).to_vec();
    report(engine, console);
    points
}

/// Says what single poses of methods that remember are.
pub fn starts_anew(binding: &Binding, name: &str, console: &Console) {
    binding.starts_anew().into_iter().for_each(|line| console.say(&format!("supple: {name}: {line}")));
}

/// Passes on what the engine has to say.
pub fn report(engine: &mut Engine, console: &Console) {
    for notice in engine.take_notices() {
        console.say(&format!("supple: {notice}"));
    }
}
