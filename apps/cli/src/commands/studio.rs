//! The window, or its twin in the browser served from this machine.

mod serve;

use crate::{
    args::{Device, Studio},
    console::Console,
};
use anyhow::{Result, anyhow, bail};

pub fn run(arguments: &Studio, device: Device, console: &Console) -> Result<()> {
    if arguments.web {
        if arguments.file.is_some() {
            bail!("--web: a browser is given files by dropping them on its page; leave the name out");
        }
        return serve::run(arguments.dist.as_deref(), arguments.port, !arguments.no_open, console);
    }
    if let Some(file) = arguments.file.as_ref().filter(|f| !f.exists()) {
        bail!("{}: there is no such file", file.display());
    }
    window(arguments, device)
}

#[cfg(feature = "studio")]
fn window(arguments: &Studio, device: Device) -> Result<()> {
    let size = arguments.size.as_deref().map(super::render::size).transpose()?;
    let options = supple_studio::desktop::Options {
        file: arguments.file.clone(),
        script: arguments.script.clone(),
        size: size.map(|[w, h]| [w as f32, h as f32]),
        insist: device == Device::Gpu,
    };
    supple_studio::desktop::run(options).map_err(|error| anyhow!(error))
}

#[cfg(not(feature = "studio"))]
fn window(_: &Studio, _: Device) -> Result<()> {
    Err(anyhow!("this build has no window; build it with the feature \"studio\""))
}
