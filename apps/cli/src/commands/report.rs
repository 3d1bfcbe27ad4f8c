//! Plain `supple`: every method on the built-in characters.

use crate::{console::Console, statistics::Timings};
use anyhow::Result;
use std::io::Write;
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::{DeformGraph, methods},
    measure::{self, ErrorFigures},
    pose::{Motion, Pose},
    rig::Rig,
};

pub fn run(console: &Console) -> Result<()> {
    console.say("supple: making the built-in characters");
    let arm = example::arm(&ArmOptions::default())?;
    let hand = example::hand(&HandOptions::default())?;
    let figure = example::figure(&FigureOptions::default())?;
    let mut bend = Pose::rest(&arm);
    bend.bend(&arm, "forearm", 135.0, None)?;
    let mut twist = Pose::rest(&arm);
    twist.twist(&arm, "forearm", 180.0)?;
    let end = |rig: &Rig, clip: &str| -> Option<Pose> {
        let clip = rig.clip(clip)?;
        Some(clip.sample(rig, f64::from(clip.duration())))
    };
    let poses = [
        (&arm, "arm", "elbow bent 135°", Some(bend)),
        (&arm, "arm", "forearm twisted 180°", Some(twist)),
        (&hand, "hand", "fist", end(&hand, "fist")),
        (&figure, "figure", "crouch", end(&figure, "crouch")),
    ];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<10}{:<23}{:<18}{:>10}{:>12}{:>12}{:>10}{:>10}",
        "character", "pose", "method", "vertices", "rest error", "rigid error", "volume", "ms"
    )?;
    for (rig, name, pose_name, pose) in &poses {
        let Some(pose) = pose else { continue };
        for method in methods().iter().filter(|m| m.stands_alone) {
            let mut bound = DeformGraph::single(method.name)?.bind(rig)?;
            let ErrorFigures { rest_error, rigid_error } = measure::errors(rig, &mut bound);
            let motion = Motion::of(rig, pose);
            let mut timings = Timings::default();
            timings.add(0.05, || {
                std::hint::black_box(bound.evaluate(&rig.mesh.positions, &motion));
            });
            let mut moved = rig.mesh.clone();
            moved.positions.copy_from_slice(bound.evaluate(&rig.mesh.positions, &motion));
            let volume = (moved.volume() / rig.mesh.volume() - 1.0) * 100.0;
            writeln!(
                out,
                "{name:<10}{pose_name:<23}{:<18}{:>10}{rest_error:>12.1e}{rigid_error:>12.1e}{volume:>+9.1}%{:>10.3}",
                method.name,
                rig.mesh.positions.len(),
                timings.median()
            )?;
        }
    }
    writeln!(out, "\nrest and rigid errors are fractions of the diagonal; volume is the change of the signed volume")?;
    writeln!(
        out,
        "next: `supple example hand -o hand.glb`, `supple deform hand.glb --clip fist --time 1 -o fist.obj`"
    )?;
    Ok(())
}
