//! How each joint of a rig bends, and how sure that is: `supple info --joints`.

use crate::wording;
use anyhow::Result;
use std::{fmt::Display, io::Write};
use supple::{pose::Anatomy, rig::Rig};

/// A line for the body and one for each joint.
pub fn print(out: &mut dyn Write, rig: &Rig, anatomy: &Anatomy<'_>) -> Result<()> {
    match anatomy.body() {
        None => writeln!(out, "  {:<12}unknown: no joints are named left and right", "body")?,
        Some(body) => {
            let words = [("up", body.up), ("left", body.left), ("front", body.front)];
            let words = words.map(|(word, direction)| format!("{word} {}", axis(direction.to_array()))).join(", ");
            let legs = if body.four_legged { ", on four legs" } else { "" };
            let sure = if body.confirmed { "sure" } else { "likely" };
            writeln!(out, "  {:<12}{words}{legs} ({sure})", "body")?;
        }
    }
    if !anatomy.tries_hinges() {
        let what = "too many to try which hinge keeps limbs apart: --bend JOINT does";
        writeln!(out, "  {:<12}{what}", "joints")?;
    }
    let names: Vec<String> = rig.skeleton.names().map(wording::name).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max("joint".len());
    let row = |out: &mut dyn Write, cells: [&str; 6]| {
        let [name, part, axis, towards, source, sure] = cells;
        writeln!(out, "  {name:<width$}  {part:<9} {axis:<18} {towards:<8} {source:<17}  {sure}")
    };
    row(out, ["joint", "part", "flexes about", "towards", "known by", "how sure"])?;
    for (joint, name) in names.iter().enumerate() {
        let axes = anatomy.axes(joint);
        let flexion = axes.flexion.map_or_else(|| "-".to_owned(), axis);
        let [part, source, sure] = [said(axes.part), said(axes.source), said(axes.certainty)];
        row(out, [name, &part, &flexion, axes.towards.unwrap_or("-"), &source, &sure])?;
    }
    Ok(())
}

fn axis(axis: [f64; 3]) -> String {
    // Rounded first, so that no zero has a sign.
    axis.map(|x| format!("{}", (x * 100.0).round() / 100.0 + 0.0)).join(",")
}

fn said<T: Display>(what: Option<T>) -> String {
    what.map_or_else(|| "-".to_owned(), |w| w.to_string())
}
