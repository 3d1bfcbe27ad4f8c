//! The table of the book's page that compares the methods of one pass: measured, never typed.

use anyhow::{Context, Result};
use std::{fmt::Write, path::PathBuf};
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::DeformGraph,
    measure::{RigGauge, SurfaceGauge, SurfaceOptions},
    pose::{Motion, Pose},
    rig::Rig,
};

/// The methods, in the order they were invented.
pub const METHODS: [&str; 6] = ["linear", "dual-quaternion", "stretch-twist", "rotation-center", "delta-mush", "flesh"];

const BEGIN: &str = "<!-- written by `cargo xtask figures` -->\n";
const END: &str = "<!-- end of what is written -->\n";

/// A character in a pose.
pub struct Case {
    pub title: &'static str,
    pub rig: Rig,
    pub pose: Pose,
}

/// The poses that are compared.
pub fn cases() -> Result<Vec<Case>> {
    let arm = || example::arm(&ArmOptions::default());
    let (bent, twisted) = (arm()?, arm()?);
    let hand = example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?;
    let figure = example::figure(&FigureOptions { vertices: 30_000, ..FigureOptions::default() })?;
    let mut bend = Pose::rest(&bent);
    bend.bend(&bent, "forearm", 135.0, None)?;
    let mut twist = Pose::rest(&twisted);
    twist.twist(&twisted, "forearm", 150.0)?;
    let (fist, crouch) = (end_of(&hand, "fist")?, end_of(&figure, "crouch")?);
    Ok(vec![
        Case { title: "arm, elbow bent 135°", rig: bent, pose: bend },
        Case { title: "arm, forearm twisted 150°", rig: twisted, pose: twist },
        Case { title: "hand, fist", rig: hand, pose: fist },
        Case { title: "figure, crouch", rig: figure, pose: crouch },
    ])
}

fn end_of(rig: &Rig, clip: &str) -> Result<Pose> {
    let clip = rig.clip(clip).context("the character has that clip")?;
    Ok(clip.sample(rig, f64::from(clip.duration())))
}

/// Measures everything, prints it, and writes it between the marks of the page.
pub fn run() -> Result<()> {
    let mut text = String::new();
    for case in cases()? {
        table(&mut text, &case)?;
    }
    println!("{text}");
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/methods/comparison.md");
    let old = std::fs::read_to_string(&page)?;
    let (head, rest) = old.split_once(BEGIN).context("the page has no mark where the figures begin")?;
    let (_, tail) = rest.split_once(END).context("the page has no mark where the figures end")?;
    std::fs::write(&page, format!("{head}{BEGIN}\n{text}{END}{tail}"))?;
    Ok(())
}

fn table(out: &mut String, case: &Case) -> Result<()> {
    let Case { title, rig, pose } = case;
    let surface = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
    let of_rig = RigGauge::new(rig)?;
    let motion = Motion::of(rig, pose);
    writeln!(out, "**{title}**, {} vertices\n", rig.mesh.positions.len())?;
    writeln!(out, "| method | overlap | volume drift | collapse | bulge | stretch p99 | largest | flipped | detail |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for method in METHODS {
        let mut bound = DeformGraph::single(method)?.bind(rig)?;
        let moved = bound.evaluate(&rig.mesh.positions, &motion);
        let (s, r) = (surface.figures(moved)?, of_rig.figures(&motion, moved)?);
        let percent = |x: Option<f64>| x.map_or("-".into(), |x| format!("{:.2} %", 100.0 * x));
        let plain = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
        writeln!(
            out,
            "| {method} | {} | {} | {} | {} | {} | {} | {} | {} |",
            percent(s.overlap),
            percent(s.volume_drift),
            plain(r.collapse),
            plain(r.bulge),
            plain(s.stretch_p99),
            plain(s.stretch_max),
            percent(r.flipped),
            percent(r.detail),
        )?;
    }
    writeln!(out)?;
    Ok(())
}
