//! Pictures of the studio in a real window, by a script that does what a person would, and the small pictures of its first
//! page. Where there is no screen, a virtual one is opened (Xvfb).

use anyhow::{Context, Result, bail};
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use supple_testkit::screen::Screen;

/// A picture: what the window shows when the lines have been done.
const PICTURES: [(&str, &[&str]); 4] = [
    ("studio-start", &[]),
    (
        "studio",
        &[
            r#"{"do": "example", "name": "hand"}"#,
            r#"{"do": "change", "edit": {"edit": "clip", "name": "fist"}}"#,
            r#"{"script": "at", "seconds": 0.62}"#,
            r#"{"do": "select", "joint": "index_proximal"}"#,
            r#"{"script": "look", "azimuth": 28, "elevation": 14}"#,
        ],
    ),
    (
        "studio-compare",
        &[
            r#"{"do": "example", "name": "arm"}"#,
            r#"{"do": "change", "edit": {"edit": "pose", "joint": "forearm", "pose": {"rotation": [0, 0, 0.9063, 0.4226]}}}"#,
            r#"{"do": "panes", "layout": "four"}"#,
            r#"{"do": "bones", "shown": false}"#,
            r#"{"script": "look", "azimuth": 12, "elevation": 18}"#,
            r#"{"script": "tab", "name": "Figures"}"#,
            r#"{"script": "wait", "seconds": 2}"#,
        ],
    ),
    (
        "studio-limbs",
        &[
            r#"{"do": "example", "name": "arm"}"#,
            r#"{"do": "change", "edit": {"edit": "pose", "joint": "forearm", "pose": {"rotation": [0, 0, 0.7071, 0.7071]}}}"#,
            r#"{"do": "change", "edit": {"edit": "joint", "joint": "forearm", "settings": {"operator": "bulge"}}}"#,
            r#"{"do": "select", "joint": "forearm"}"#,
            r#"{"script": "look", "azimuth": 5, "elevation": 20}"#,
            r#"{"script": "tab", "name": "Limbs"}"#,
            r#"{"script": "wait", "seconds": 2}"#,
        ],
    ),
];

pub fn run(only: &str) -> Result<()> {
    let program = built()?;
    let screen = if std::env::var_os("DISPLAY").is_some() {
        None
    } else {
        Some(Screen::open().context("there is no screen, and Xvfb cannot be started (install xvfb)")?)
    };
    let folder = Path::new("docs/src/pictures");
    for (name, lines) in PICTURES.iter().filter(|(name, _)| name.contains(only)) {
        let work = tempfile::tempdir()?;
        let script = work.path().join("script.jsonl");
        let path = work.path().join("window.png");
        let end = [
            r#"{"script": "wait", "seconds": 1}"#.to_owned(),
            serde_json::json!({"script": "window", "path": path}).to_string(),
            r#"{"do": "quit"}"#.to_owned(),
        ];
        let all: Vec<String> = lines.iter().map(|l| (*l).to_owned()).chain(end).collect();
        std::fs::write(&script, all.join("\n"))?;
        let mut command = Command::new(&program);
        command.args(["studio", "--size", "1280x800", "--script"]).arg(&script).env("XDG_CONFIG_HOME", work.path());
        if let Some(screen) = &screen {
            command.env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY");
        }
        if !command.status()?.success() {
            bail!("{name}: the studio did not come to the end of its script");
        }
        keep(&path, &folder.join(format!("{name}.jpg")))?;
    }
    if "studio-web".contains(only) { in_browser(&program, &folder.join("studio-web.jpg")) } else { Ok(()) }
}

/// The page as the check of it leaves it, where there is a browser to run the check.
fn in_browser(program: &Path, to: &Path) -> Result<()> {
    if std::env::var_os("PLAYWRIGHT").is_none() || std::env::var_os("CHROMIUM").is_none() {
        println!("{}: left as it is; PLAYWRIGHT and CHROMIUM say what draws it, as in ./test", to.display());
        return Ok(());
    }
    let work = tempfile::tempdir()?;
    let shot = work.path().join("page.png");
    let mut node = Command::new("node");
    node.args(["apps/studio/tests/web/check_web.mjs"]).arg(program).arg("dist").env("SHOT", &shot);
    if !node.status()?.success() {
        bail!("the page fails its check");
    }
    keep(&shot, to)
}

/// A window is full of gradients: as PNG it would be half a megabyte.
fn keep(from: &Path, to: &Path) -> Result<()> {
    let picture = image::open(from)?.into_rgb8();
    let mut bytes = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 84).encode_image(&picture)?;
    std::fs::write(to, bytes)?;
    println!("{}", to.display());
    Ok(())
}

/// The released command, built now.
fn built() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    if !Command::new(cargo)
        .args(["build", "--release", "--workspace", "--bin", "supple", "--bin", "supple-studio"])
        .status()?
        .success()
    {
        bail!("the command does not build");
    }
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    Ok(folder.join("release/supple"))
}
