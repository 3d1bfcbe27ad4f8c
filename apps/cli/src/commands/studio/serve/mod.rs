//! A folder of static files on the loopback interface, and nothing else: no other address, no other folder. One thread
//! serves all, with a bounded number of connections and a deadline for each, so that nobody wears it out.

mod connection;
mod folder;
mod request;
mod server;

use crate::console::Console;
use anyhow::{Context, Result, bail};
use folder::Folder;
use server::Server;
use std::{
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

pub fn run(dist: Option<&Path>, port: u16, open: bool, console: &Console) -> Result<()> {
    let folder = find(dist)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("port {port}"))?;
    let address = format!("http://{}/", listener.local_addr()?);
    let mut server = Server::new(listener, folder).context("the studio cannot be served")?;
    console.say(&format!("supple: the studio is at {address} (Ctrl+C ends it)"));
    if open && let Err(error) = open_browser(&address) {
        console.say(&format!("supple: no browser could be opened ({error}); go to {address}"));
    }
    server.run().context("the studio can no longer be served")
}

/// The folder given, or the one that `cargo xtask web` builds.
fn find(dist: Option<&Path>) -> Result<Folder> {
    if let Some(path) = dist {
        let found = Folder::new(path);
        return found
            .with_context(|| format!("{}: holds no index.html; build it with: cargo xtask web", path.display()));
    }
    let beside = std::env::current_exe().ok().and_then(|p| Some(p.parent()?.join("dist")));
    let known = [Some(PathBuf::from("dist")), beside];
    match known.into_iter().flatten().find_map(|path| Folder::new(&path)) {
        Some(found) => Ok(found),
        None => bail!("there is no dist folder here; build it with: cargo xtask web (or name one with --dist)"),
    }
}

fn open_browser(address: &str) -> std::io::Result<()> {
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    // It may outlive us, and must then not hold what we write to.
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}
