//! One file per subcommand.

mod bake;
mod bench;
mod bind;
mod compare;
mod deform;
mod example;
mod explain;
mod fit;
mod info;
mod joints;
mod man;
pub mod measure;
mod methods;
mod render;
mod report;
mod retarget;
mod segment;
mod studio;
mod weights;

use crate::{
    args::{Arguments, Command},
    console::Console,
};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Does what the arguments say.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    let threads = arguments.common.threads;
    if let Some(threads) = threads.filter(|threads| !(1..=1024).contains(threads)) {
        bail!("--threads {threads}: 1 to 1024 are possible");
    }
    // Now, because threads that cannot be had are no error but a panic where they are first wanted. 0 is one for each core.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global();
    pool.context("threads cannot be started")?;
    if arguments.folder.is_some() && arguments.command.is_some() {
        bail!("-o before a command is the folder of the report; the output of a command is named after it");
    }
    match &arguments.command {
        None => {
            let folder = arguments.folder.as_deref().unwrap_or(Path::new("supple-out"));
            report::run(folder, arguments.common.device, console)
        }
        Some(Command::Example(a)) => example::run(a, console),
        Some(Command::Info(a)) => info::run(a, console),
        Some(Command::Bind(a)) => bind::run(a, console),
        Some(Command::Fit(a)) => fit::run(a, console),
        Some(Command::Weights(a)) => weights::run(a, console),
        Some(Command::Retarget(a)) => retarget::run(a, console),
        Some(Command::Deform(a)) => deform::run(a, arguments.common.device, console),
        Some(Command::Bake(a)) => bake::run(a, arguments.common.device, console),
        Some(Command::Render(a)) => render::run(a, arguments.common.device, console),
        Some(Command::Bench(a)) => bench::run(a, arguments.common.device, console),
        Some(Command::Compare(a)) => compare::run(a, arguments.common.device, console),
        Some(Command::Segment(a)) => segment::run(a, console),
        Some(Command::Explain(a)) => explain::run(a, arguments.common.device, console),
        Some(Command::Measure(a)) => measure::run(a, console),
        Some(Command::Studio(a)) => studio::run(a, &arguments.common, console),
        Some(Command::Methods(a)) => methods::run(a),
        Some(Command::Completions { shell }) => man::completions(*shell),
        Some(Command::Man { folder }) => man::pages(folder, console),
    }
}
