//! Which device does the work, and what a person is told of it.

use crate::{args::Device, console::Console};
use supple::{graph::DeformGraph, rig::Rig};
use supple_gpu::{Engine, Gpu};

/// Opening a device takes a tenth of a second and more: below so many vertices, over all frames, the processor is done
/// before that.
const WORTH_IT: usize = 50_000_000;

/// The device that `--device` asks for, opened; none means the processor. `vertices` is the work, over all frames.
pub fn open(choice: Device, vertices: usize, console: &Console) -> Option<Gpu> {
    // A software driver is the processor again, by a longer way: only where it is asked for.
    open_any(choice, vertices, console).filter(|gpu| choice == Device::Gpu || !gpu.is_software())
}

/// Like [`open`], software drivers included.
pub fn open_any(choice: Device, vertices: usize, console: &Console) -> Option<Gpu> {
    if choice == Device::Cpu || (choice == Device::Auto && vertices < WORTH_IT) {
        return None;
    }
    match pollster::block_on(Gpu::open()) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            if choice == Device::Gpu {
                console.say(&format!("supple: {error}; going on with the processor"));
            }
            None
        }
    }
}

/// Binds a graph where it shall run.
pub fn bind(graph: &DeformGraph, rig: &Rig, gpu: Option<&Gpu>, console: &Console) -> anyhow::Result<Engine> {
    let mut engine = pollster::block_on(Engine::bind(graph, rig, gpu))?;
    report(&mut engine, console);
    console.notes(&rig.name, engine.processor_graph());
    if let Some(gpu) = gpu.filter(|_| engine.on_device()) {
        console.say(&format!("supple: computing on {}", gpu.name()));
    }
    Ok(engine)
}

/// Passes on what the engine has to say.
pub fn report(engine: &mut Engine, console: &Console) {
    for notice in engine.take_notices() {
        console.say(&format!("supple: {notice}"));
    }
}
