//! The window is a program of its own, `supple-studio`, so that the command builds without one. It lies beside the command or
//! in the path; from a checkout it is built when it is first wanted.

use crate::console::Console;
use anyhow::{Context, Result, bail};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

const PROGRAM: &str = "supple-studio";
/// Where this command was built: the checkout, if it is still there.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../studio/Cargo.toml");

/// The studio's program, ready to be given its arguments.
pub fn program(console: &Console) -> Result<Command> {
    let own = std::env::current_exe().context("the command does not know where it lies")?;
    let beside = own.with_file_name(file_name());
    let is_there = beside.is_file();
    match build(&own) {
        // Tests and developers build the whole workspace: with fewer packages cargo would choose other features, and build anew.
        Some(Build { profile: "dev", .. }) if is_there => {}
        // Each time, so that the window is as new as its source: where it is, cargo has nothing to do.
        Some(build) => {
            if !is_there {
                console.say("supple: building the studio (once, some minutes)");
            }
            let built = build.cargo(is_there).status();
            if !built.as_ref().is_ok_and(std::process::ExitStatus::success) && !is_there {
                let why = built.map_or_else(|error| format!("cargo: {error}"), |status| format!("cargo: {status}"));
                bail!("the studio, a program of its own, cannot be built ({why})");
            }
        }
        None => {}
    }
    let found = beside.is_file().then(|| beside.clone()).or_else(|| in_path(&std::env::var_os("PATH")?));
    found.map(Command::new).with_context(|| {
        format!(
            "the studio is a program of its own, {PROGRAM}, and it lies neither in {} nor in the path: \
            `cargo install --path apps/studio` in a checkout of Supple installs it",
            beside.parent().unwrap_or(&beside).display()
        )
    })
}

fn file_name() -> String {
    format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)
}

fn in_path(path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(file_name())).find(|program| program.is_file())
}

/// How to build the studio beside a command that was built in a checkout.
#[derive(Debug, PartialEq)]
struct Build<'a> {
    target: &'a Path,
    profile: &'static str,
}

/// None for a command that was installed, or whose checkout is gone.
fn build(own: &Path) -> Option<Build<'_>> {
    let folder = own.parent()?;
    let profile = match folder.file_name()?.to_str()? {
        "release" => "release",
        "debug" => "dev",
        _ => return None,
    };
    // Cargo leaves this mark in every folder that it builds into.
    let is_cargos = folder.join(".fingerprint").is_dir();
    let target = folder.parent()?;
    (is_cargos && target.join("CACHEDIR.TAG").is_file() && Path::new(SOURCE).is_file())
        .then_some(Build { target, profile })
}

impl Build<'_> {
    fn cargo(&self, quietly: bool) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--bin", PROGRAM, "--profile", self.profile, "--manifest-path", SOURCE, "--target-dir"]);
        cargo.arg(self.target);
        if quietly {
            cargo.arg("--quiet");
        }
        cargo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studio_is_built_only_where_cargo_built_the_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("target/release/.fingerprint")).expect("a folder");
        assert_eq!(build(&at("target/release/supple")), None, "no cargo was here");
        std::fs::write(at("target/CACHEDIR.TAG"), "").expect("a file");
        let target = at("target");
        assert_eq!(build(&at("target/release/supple")), Some(Build { target: &target, profile: "release" }));
        assert_eq!(build(&at("target/debug/supple")), None);
        assert_eq!(build(&at("bin/supple")), None);
    }

    #[test]
    fn the_path_is_searched_for_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(first.join(file_name())).expect("a folder of that name is no program");
        std::fs::create_dir_all(&second).expect("a folder");
        let path = std::env::join_paths([&first, &second]).expect("a path");
        assert_eq!(in_path(&path), None);
        std::fs::write(second.join(file_name()), "").expect("a file");
        assert_eq!(in_path(&path), Some(second.join(file_name())));
    }
}
