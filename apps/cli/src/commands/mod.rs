//! One file per subcommand.

mod bake;
mod bench;
mod deform;
mod example;
mod info;
mod man;
mod measure;
mod methods;
mod report;

use crate::{
    args::{Arguments, Command, Device},
    console::Console,
};
use anyhow::{Result, bail};

/// Does what the arguments say.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    if arguments.common.device == Device::Gpu {
        bail!("--device gpu: this version computes on the CPU only");
    }
    if let Some(threads) = arguments.common.threads {
        if threads == 0 {
            bail!("--threads 0: at least one is needed");
        }
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    match &arguments.command {
        None => report::run(console),
        Some(Command::Example(a)) => example::run(a, console),
        Some(Command::Info(a)) => info::run(a, console),
        Some(Command::Deform(a)) => deform::run(a, console),
        Some(Command::Bake(a)) => bake::run(a, console),
        Some(Command::Measure(a)) => measure::run(a, console),
        Some(Command::Bench(a)) => bench::run(a, console),
        Some(Command::Methods(a)) => methods::run(a),
        Some(Command::Completions { shell }) => man::completions(*shell),
        Some(Command::Man { folder }) => man::pages(folder),
    }
}
