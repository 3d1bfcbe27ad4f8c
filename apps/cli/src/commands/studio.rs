//! The window, or its twin in the browser served from this machine.

mod serve;
mod window;

use crate::{
    args::{Common, Device, Studio},
    console::Console,
};
#[cfg(not(unix))]
use anyhow::Context;
use anyhow::{Result, bail};
use std::process::Command;

pub fn run(arguments: &Studio, common: &Common, console: &Console) -> Result<()> {
    if arguments.web {
        if arguments.file.is_some() {
            bail!("--web: a browser is given files by dropping them on its page; leave the name out");
        }
        return serve::run(arguments.dist.as_deref(), arguments.port, !arguments.no_open, console);
    }
    if let Some(file) = arguments.file.as_ref().filter(|f| !f.exists()) {
        bail!("{}: there is no such file", file.display());
    }
    if let Some(word) = &arguments.size {
        super::render::size(word)?;
    }
    let mut program = window::program(console)?;
    program.args(arguments.size.iter().map(|word| format!("--size={word}")));
    if let Some(script) = &arguments.script {
        program.arg("--script").arg(script);
    }
    if common.device == Device::Gpu {
        program.arg("--insist");
    }
    if let Some(threads) = common.threads {
        program.env("RAYON_NUM_THREADS", threads.to_string());
    }
    if let Some(file) = &arguments.file {
        program.arg("--").arg(file);
    }
    run_in_place(program)
}

/// The window takes the place of this process where it can, so that whoever ends the one ends the other.
#[cfg(unix)]
fn run_in_place(mut program: Command) -> Result<()> {
    let error = std::os::unix::process::CommandExt::exec(&mut program);
    bail!("{}: {error}", program.get_program().display())
}

#[cfg(not(unix))]
fn run_in_place(mut program: Command) -> Result<()> {
    let status = program.status().with_context(|| program.get_program().display().to_string())?;
    // Its own words are on standard error already.
    std::process::exit(status.code().unwrap_or(2))
}
