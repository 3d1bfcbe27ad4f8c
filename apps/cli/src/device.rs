//! Which device does the work, and what a person is told of it.

use crate::{args::Device, console::Console};
use glam::Vec3;
use supple::{graph::DeformGraph, pose::Motion, rig::Rig};
use supple_gpu::{Choice, Engine, Gpu};

impl From<Device> for Choice {
    fn from(device: Device) -> Self {
        match device {
            Device::Auto => Self::Auto,
            Device::Cpu => Self::Processor,
            Device::Gpu => Self::Device,
        }
    }
}

/// The device that `--device` asks for, opened; none means the processor. `vertices` is the work, over all frames.
pub fn open(choice: Device, vertices: usize, console: &Console) -> Option<Gpu> {
    open_any(choice, vertices, console).filter(|gpu| Choice::from(choice).computes_on(gpu))
}

/// Like [`open`], software drivers included.
pub fn open_any(choice: Device, vertices: usize, console: &Console) -> Option<Gpu> {
    pollster::block_on(Choice::from(choice).open(vertices)).unwrap_or_else(|error| {
        console.say(&format!("supple: {error}; going on with the processor"));
        None
    })
}

/// Binds a graph where it shall run.
pub fn bind(graph: &DeformGraph, rig: &Rig, gpu: Option<&Gpu>, console: &Console) -> anyhow::Result<Engine> {
    let mut engine = pollster::block_on(Engine::bind(graph, rig, gpu))?;
    report(&mut engine, console);
    console.notes(&rig.name, engine.binding());
    if let Some(gpu) = gpu.filter(|_| engine.on_device()) {
        console.say(&format!("supple: computing on {}", gpu.name()));
    }
    Ok(engine)
}

/// The points of one pose by itself. Methods that remember say that they start anew.
pub fn evaluate(engine: &mut Engine, rig: &Rig, rest: &[Vec3], motion: &Motion, console: &Console) -> Vec<Vec3> {
    starts_anew(engine, rig, console);
    let points = engine.evaluate(rest, motion).to_vec();
    report(engine, console);
    points
}

/// Says what single poses of methods that remember are.
pub fn starts_anew(engine: &Engine, rig: &Rig, console: &Console) {
    let nodes = engine.binding().nodes().iter().filter(|n| n.bound.remembers());
    let names: Vec<&str> = nodes.map(|n| n.name.as_str()).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        console.say(&format!("supple: {}: {names}: remembers earlier frames; a single pose starts anew", rig.name));
    }
}

/// Passes on what the engine has to say.
pub fn report(engine: &mut Engine, console: &Console) {
    for notice in engine.take_notices() {
        console.say(&format!("supple: {notice}"));
    }
}
