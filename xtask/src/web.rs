//! The studio for browsers: `dist/`, a folder of static files.
//!
//! The compiler for it is rustup's where that has the target. Where it cannot be had, as without a way to its servers,
//! Debian's does as well: it brings the standard library as source, and builds that too.

use anyhow::{Context, Result, bail};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const TARGET: &str = "wasm32-unknown-unknown";
/// Files that go as they are.
const PAGE: [&str; 2] = ["index.html", "start.js"];
/// What is promised in the README.
const MOST_BYTES: usize = 12 << 20;

pub fn run(profile: &str, out: &Path) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace is above this crate")?;
    // A folder of its own: another compiler would make the desktop's artefacts anew.
    let target = root.join("target/web");
    let mut cargo = compiler()?;
    cargo.current_dir(root).env("CARGO_TARGET_DIR", &target);
    cargo.args([
        "--target",
        TARGET,
        "--package",
        "supple-studio",
        "--lib",
        "--no-default-features",
        "--profile",
        profile,
    ]);
    ran(&mut cargo, "the studio does not build for the browser")?;

    let folder = if profile == "dev" { "debug" } else { profile };
    let wasm = target.join(TARGET).join(folder).join("supple_studio.wasm");
    // Made beside it first: a folder that is being served changes at once.
    let fresh = target.join("dist");
    let _ = fs::remove_dir_all(&fresh);
    let mut bindgen = Command::new(bindgen(root)?);
    bindgen
        .args([
            "--target",
            "web",
            "--no-typescript",
            "--remove-name-section",
            "--remove-producers-section",
            "--out-dir",
        ])
        .arg(&fresh)
        .arg(&wasm);
    ran(&mut bindgen, "wasm-bindgen fails")?;
    let module = fresh.join("supple_studio_bg.wasm");
    if profile == "web" {
        shrink(&module)?;
    }
    for name in PAGE {
        fs::copy(root.join("apps/studio/web").join(name), fresh.join(name)).with_context(|| name.to_owned())?;
    }
    let out = root.join(out);
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    for entry in fs::read_dir(&fresh)? {
        let entry = entry?;
        fs::copy(entry.path(), out.join(entry.file_name()))?;
    }
    tell(&out)
}

/// The command that builds for browsers, without its arguments.
fn compiler() -> Result<Command> {
    let has_target = || {
        let sysroot = said(Command::new("rustc").args(["--print", "sysroot"]))?;
        Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib").is_dir().then_some(())
    };
    let add = || {
        let mut rustup = Command::new("rustup");
        rustup.args(["target", "add", TARGET]).stdout(Stdio::null()).stderr(Stdio::null());
        rustup.status().is_ok_and(|status| status.success()).then_some(())
    };
    if has_target().or_else(add).is_some() {
        let mut cargo = Command::new("cargo");
        cargo.arg("build");
        return Ok(cargo);
    }
    let source = Path::new("/usr/lib/rustlib/src/rust/library/std").is_dir();
    let linker = said(Command::new("wasm-ld").arg("--version")).is_some();
    if !(Path::new("/usr/bin/cargo").exists() && source && linker) {
        bail!(
            "there is no compiler for browsers; install one:\n  rustup target add {TARGET}\n\
             or, on Debian:\n  apt-get install rustc-web cargo-web rust-web-src lld"
        );
    }
    let mut cargo = Command::new("/usr/bin/cargo");
    // Building the standard library is not stable yet; with one compiler and its own source there is nothing to break.
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    // What rustup's cargo sets for the programs it runs is of another compiler.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("LD_LIBRARY_PATH");
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    cargo.args(["build", "-Zbuild-std=std,panic_abort"]);
    Ok(cargo)
}

/// wasm-bindgen of exactly the version that the studio is built with: others refuse its output.
fn bindgen(root: &Path) -> Result<PathBuf> {
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    let version = locked(&lock, "wasm-bindgen").context("Cargo.lock: holds no wasm-bindgen")?;
    let tools = root.join("target/tools");
    let own = tools.join("bin/wasm-bindgen").with_extension(std::env::consts::EXE_EXTENSION);
    let fits =
        |program: &Path| said(Command::new(program).arg("--version")).is_some_and(|v| v.trim().ends_with(version));
    for known in [PathBuf::from("wasm-bindgen"), own.clone()] {
        if fits(&known) {
            return Ok(known);
        }
    }
    println!("installing wasm-bindgen-cli {version} into target/tools");
    let mut install = Command::new("cargo");
    install.args(["install", "--quiet", "wasm-bindgen-cli", "--version", version, "--root"]).arg(&tools);
    let hint = format!("wasm-bindgen cannot be installed; try: cargo install wasm-bindgen-cli --version {version}");
    ran(&mut install, &hint)?;
    Ok(own)
}

fn locked<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let after = lock.split(&format!("name = \"{name}\"\nversion = \"")).nth(1)?;
    after.split('"').next()
}

/// A tenth smaller where somebody has the tool for it; nothing is missed without.
fn shrink(module: &Path) -> Result<()> {
    if said(Command::new("wasm-opt").arg("--version")).is_none() {
        return Ok(());
    }
    let smaller = module.with_extension("opt");
    let mut optimiser = Command::new("wasm-opt");
    optimiser.args(["-Os", "--all-features", "-o"]).arg(&smaller).arg(module);
    // An old one does not know what a new compiler writes: then the module stays as it is.
    if optimiser.stderr(Stdio::null()).status().is_ok_and(|s| s.success()) {
        fs::rename(&smaller, module)?;
    }
    Ok(())
}

fn tell(out: &Path) -> Result<()> {
    let module = fs::read(out.join("supple_studio_bg.wasm"))?;
    let mut names: Vec<OsString> = fs::read_dir(out)?.flatten().map(|e| e.file_name()).collect();
    names.sort();
    for name in names {
        println!("{} ({} bytes)", Path::new(&name).display(), fs::metadata(out.join(&name))?.len());
    }
    println!("{}: supple studio --web --dist {0} shows it", out.display());
    if module.len() > 4 * MOST_BYTES {
        bail!("the module has {} bytes: packed it can hardly be under {MOST_BYTES}", module.len());
    }
    Ok(())
}

/// What a program prints, where it is there and ends well.
fn said(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn ran(command: &mut Command, wrong: &str) -> Result<()> {
    let program = command.get_program().display().to_string();
    let status = command.status().with_context(|| program)?;
    if !status.success() {
        bail!("{wrong} ({status})");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::locked;

    #[test]
    fn the_locked_version_is_that_of_the_whole_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
        assert_eq!(locked(lock, "wasm-bindgen"), Some("0.2.9"));
        assert_eq!(locked(lock, "wasm"), None);
    }
}
